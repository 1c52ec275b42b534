/**
 * The public types of `import { startExchange } from 'ringbook'`. This file imports nothing: the build ships
 * it as the package's declarations.
 */

/** A setting's value. `true` and `false` stand for "on" and "off". */
export type SettingValue = string | number | boolean

export interface ExchangeOptions {
  /**
   * Where it runs: on the event loop of this process (the default), which must turn for it to answer, or on
   * the loop of a child process.
   */
  readonly process?: 'this' | 'child'
  /** On 127.0.0.1; a free one when left out. */
  readonly port?: number
  /** The data folder, which stays. A temporary one, which `close` removes, when left out. */
  readonly folder?: string
  /** The text of a venue file (docs/venue-file.md), listed instead of the demo's six symbols. */
  readonly venue?: string
  /**
   * Accounts beside the demo's four, each with a key; by asset what each is given when it is opened, as
   * decimals: { alice: { USDT: '1000' } }.
   */
  readonly accounts?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** By the names of docs/settings.md, such as { 'orders-per-second': 5, limits: true }. */
  readonly settings?: Readonly<Record<string, SettingValue>>
  /** Gets each line of the log, as JSON. From a child: lines of its standard error. */
  readonly log?: (line: string) => void
  /**
   * Called when the exchange fails by itself, after which it answers nothing; close it then. When left out,
   * the error is thrown, as one that nothing catches.
   */
  readonly failed?: (error: Error) => void
}

export interface ApiKey {
  readonly apiKey: string
  /** For HMAC SHA-256. */
  readonly secretKey: string
}

export interface EmbeddedExchange {
  /** Base of REST, without a slash at the end: http://127.0.0.1:12345. */
  readonly url: string
  /** Base of streams, before /ws/<name> and /stream?streams=<names>: ws://127.0.0.1:12345. */
  readonly wsUrl: string
  /** The WebSocket API. */
  readonly wsApiUrl: string
  /** The operators' screen and actions, on the loopback address. */
  readonly adminUrl: string
  readonly port: number
  readonly folder: string
  /** By account: a key that reads and trades. */
  readonly accounts: Readonly<Record<string, ApiKey>>
  /** Stops it and gives back everything: port, handles, temporary folder. May be called again. */
  close(): Promise<void>
}

/** Resolves when the exchange serves clients. Rejects with a sentence about what is wrong. */
export type StartExchange = (options?: ExchangeOptions) => Promise<EmbeddedExchange>
