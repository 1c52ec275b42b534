/** The exchange that is under siege: its process, its memory, its end. */
import { readFileSync } from 'node:fs'
import { readToken } from '../../src/control/token.ts'
import type { ExchangeProcess } from '../exchange/exchange-process.ts'
import type { KeyText } from './provisions.ts'

const SAMPLE_MS = 100
const BYTES_PER_MB = 1024 * 1024
/** Anonymous memory, and what the system took of it or lets other processes see. */
const ANONYMOUS = ['RssAnon', 'RssShmem', 'VmSwap']

/** A column of an operator act's table. */
export type Row = Readonly<Record<string, string | number | boolean>>

export class Server {
  private readonly exchange: ExchangeProcess
  private sampler: NodeJS.Timeout | undefined = undefined
  private peakBytes = 0

  constructor(exchange: ExchangeProcess) {
    this.exchange = exchange
  }

  get url(): string {
    return this.exchange.url
  }

  get wsUrl(): string {
    return this.exchange.wsUrl
  }

  get output(): string {
    return this.exchange.output
  }

  /** Resolves at the process's end, with a sentence about how it ended. */
  async ended(): Promise<string> {
    const { code, signal } = await this.exchange.ended()
    return signal === null ? `it exited with code ${code}` : `${signal} ended it`
  }

  /** The largest sample of anonymous memory since the last start, MB. */
  get peakMb(): number {
    return Math.round(this.peakBytes / BYTES_PER_MB)
  }

  /** Starts it with these flags beside its own. Rejects with its log when it exits instead. */
  async start(flags: readonly string[] = []): Promise<void> {
    await this.exchange.run(flags)
    this.peakBytes = 0
    this.sample()
    this.sampler = setInterval(() => this.sample(), SAMPLE_MS)
    void this.exchange.ended().then(() => clearInterval(this.sampler))
  }

  /** Sends the signal and waits for the end. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.exchange.isRunning) await this.exchange.stop(signal)
  }

  /** Carries out an operator act. Rejects with its sentence when it is refused. */
  async act(name: string, given: object): Promise<readonly Row[]> {
    const { data, adminPort } = this.exchange
    const response = await fetch(`http://127.0.0.1:${adminPort}/actions/${name}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${readToken(data)}` },
      body: JSON.stringify(given),
    })
    const answer = (await response.json()) as { error?: string; rows?: readonly Row[] }
    if (!response.ok) throw new Error(`${name}: ${answer.error}`)
    return answer.rows ?? []
  }

  /** A key of the demo's account of that name. */
  demoKey(account: string): KeyText {
    const key = this.exchange.keys()[account]
    if (key === undefined) throw new Error(`the demo has no account ${account}`)
    return key
  }

  private sample(): void {
    try {
      const status = readFileSync(`/proc/${this.exchange.pid}/status`, 'utf8')
      const kilobytes = ANONYMOUS.map((name) =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0),
      )
      const bytes = 1024 * kilobytes.reduce((sum, value) => sum + value, 0)
      this.peakBytes = Math.max(this.peakBytes, bytes)
    } catch {
      // The process ended between two samples; `ended` reports it.
    }
  }
}
