/** One account's side of a conversation with an exchange: signed requests, and its user stream. */
import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import type { DemoKey } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import type { ServedExchange } from '../fixtures/loop-exchange.ts'
import { type Frame, FrameLog } from './frame-log.ts'

export type Params = Readonly<Record<string, string | number>>

export interface TraderAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Frame
}

export class Trader {
  private readonly exchange: ServedExchange
  private readonly key: DemoKey
  private readonly signer: SignedClient
  private log: FrameLog | undefined = undefined
  private eventsRead = 0
  private requests = 0

  constructor(exchange: ServedExchange, account: string) {
    const key = exchange.keys()[account]
    if (key === undefined) throw new Error(`there is no account ${account}`)
    this.exchange = exchange
    this.key = key
    this.signer = new SignedClient(exchange.url, key, () => exchange.nowMs())
  }

  /** Any signed request, with `more` headers, whatever the answer. */
  async send(
    method: string,
    path: string,
    params: Params = {},
    more: Readonly<Record<string, string>> = {},
  ): Promise<TraderAnswer> {
    const response = await fetch(`${this.exchange.url}${path}?${this.signer.sign(params)}`, {
      method,
      headers: { ...more, 'X-MBX-APIKEY': this.key.apiKey },
    })
    const { status, headers } = response
    return { status, headers, body: (await response.json()) as Frame }
  }

  /** The answer's body; fails with it when the request was refused. */
  async ask(method: string, path: string, params: Params = {}): Promise<Frame> {
    const { status, body } = await this.send(method, path, params)
    expect(status, `${method} ${path}: ${JSON.stringify(body)}`).toBe(200)
    return body
  }

  place(params: Params): Promise<Frame> {
    return this.ask('POST', '/api/v3/order', params)
  }

  /** GET order. */
  order(symbol: string, orderId: unknown): Promise<Frame> {
    return this.ask('GET', '/api/v3/order', { symbol, orderId: Number(orderId) })
  }

  /** `free` and `locked` as the wire shows them, by asset. */
  async balances(): Promise<Record<string, { free: string; locked: string }>> {
    const { balances } = await this.ask('GET', '/api/v3/account')
    const rows = balances as { asset: string; free: string; locked: string }[]
    return Object.fromEntries(rows.map(({ asset, free, locked }) => [asset, { free, locked }]))
  }

  /** A request over the WebSocket API; its whole answer, limits left out. */
  async askSocket(method: string, params: Params = {}): Promise<Frame> {
    const log = await this.socket()
    const id = ++this.requests
    return log.ask({ id, method, params: this.sign({ ...params, returnRateLimits: 'false' }) })
  }

  /** A request by a method that is not signed; its whole answer. */
  async askPlain(method: string, params: Readonly<Record<string, unknown>>): Promise<Frame> {
    const log = await this.socket()
    return log.ask({ id: ++this.requests, method, params })
  }

  /**
   * Begins to listen to the account's user stream, from now on: the gateway that it listens at may be
   * behind the one that answered before, and would tell of what was answered. What matchers answer
   * through it comes behind that.
   */
  async follow(): Promise<void> {
    expect(await this.askSocket('openOrders.status')).toMatchObject({ status: 200 })
    const answer = await this.askSocket('userDataStream.subscribe.signature')
    expect(answer).toMatchObject({ status: 200 })
  }

  /**
   * The next events of the user stream; fails when the requests that were answered so far caused more.
   * The answer to one more request comes behind all of them.
   */
  async events(count: number): Promise<Frame[]> {
    const log = await this.socket()
    const found = () => log.frames.filter((frame) => 'subscriptionId' in frame)
    await eventually(
      `${count} more events`,
      () => found().length >= this.eventsRead + count || undefined,
    )
    expect(await this.askSocket('openOrders.status')).toMatchObject({ status: 200 })
    const next = found()
      .slice(this.eventsRead)
      .map((frame) => frame.event as Frame)
    this.eventsRead += next.length
    expect(next.map(kindOf)).toHaveLength(count)
    return next
  }

  /** All events of the user stream so far, once they satisfy. */
  async eventsUntil(satisfied: (events: readonly Frame[]) => boolean): Promise<readonly Frame[]> {
    const log = await this.socket()
    return eventually('the events waited for', () => {
      const found = log.frames.filter((frame) => 'subscriptionId' in frame)
      const events = found.map((frame) => frame.event as Frame)
      return satisfied(events) ? events : undefined
    })
  }

  async leave(): Promise<void> {
    await this.log?.close()
    this.log = undefined
    this.eventsRead = 0
  }

  private async socket(): Promise<FrameLog> {
    this.log ??= await FrameLog.open(`${this.exchange.wsUrl}/ws-api/v3`)
    return this.log
  }

  /** With key, time and signature, over the sorted names, as the WebSocket API wants (2f). */
  sign(params: Params): Params {
    const { apiKey, secretKey } = this.key
    const all: Params = { ...params, apiKey, timestamp: this.exchange.nowMs() }
    const payload = Object.entries(all)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
    return { ...all, signature: createHmac('sha256', secretKey).update(payload).digest('hex') }
  }
}

/** Execution type and status of a report; else the event's type. */
export function kindOf({ e, x, X }: Frame): string {
  return e === 'executionReport' ? `${x} ${X}` : `${e}`
}
