/**
 * Everything that listens while a load is on: the user data streams of its accounts, the diffs of its
 * symbols' books, and the readers of market streams; and the checks that compare what they receive.
 */
import { build } from 'hdr-histogram-js'
import { UsageError } from '../command-line/usage-error.ts'
import { type AccountAnswer, BalanceCheck, type Position } from './checks/balance-check.ts'
import { BookCheck } from './checks/book-check.ts'
import { type CheckResult, Findings, mergedChecks } from './checks/findings.ts'
import type { DepthDiff, DepthSnapshot } from './checks/local-book.ts'
import { isEnded, OrderCheck, type Report } from './checks/order-check.ts'
import { StreamCheck, type StreamFrame } from './checks/stream-check.ts'
import type { AccountKey } from './keys.ts'
import type { Options } from './options.ts'
import type { Scenario, SubscriberPlan } from './scenario.ts'
import { Socket } from './streams/socket.ts'
import { openUserStream, type UserEvent } from './streams/user-stream.ts'
import type { Target } from './target.ts'

/** Can be sent to a thread. */
export interface WatchPlan {
  readonly options: Options
  /** Text of the key file. */
  readonly keysText: string
  readonly scenario: Scenario
  readonly symbols: readonly string[]
}

export interface WatchParts {
  readonly target: Target
  readonly wsApiUrl: string
  readonly streamsUrl: string
  readonly symbols: readonly string[]
  readonly keys: readonly AccountKey[]
  readonly subscribers: readonly SubscriberPlan[]
  /** By symbol: the middle of a book that is empty and has not traded. */
  readonly prices: Readonly<Record<string, number>>
  /** Called before an order's report is compared. */
  readonly beforeReport: () => void
  /** Called with the report of each order's end, and the account that it is for. */
  readonly onEnded: (account: string, report: Report) => void
  /** Called with the middle of a symbol's book, or what stands for it while there is none. */
  readonly onMiddle: (symbol: string, middle: number) => void
}

/** How late frames of market streams were, by their event times; of clocks that agree. */
export interface StreamMeasure {
  readonly connections: number
  readonly frames: number
  /** Milliseconds. */
  readonly lagP50: number
  readonly lagP99: number
  readonly lagMax: number
}

const LAG_MS_MAX = 3_600_000
const SETTLE_ATTEMPTS = 1_200
const PAUSE_MS = 50

export class Watch {
  readonly orders = new OrderCheck()
  private readonly parts: WatchParts
  private readonly streamCheck = new StreamCheck()
  private readonly openFindings = new Findings('every stream stayed open')
  private readonly compared = new Findings('the target answered what was compared at the end')
  private readonly balances = new Map<string, BalanceCheck>()
  private readonly books = new Map<string, BookCheck>()
  private readonly sockets: Socket[] = []
  private readonly lags = build({ highestTrackableValue: LAG_MS_MAX, useWebAssembly: false })
  private connections = 0

  constructor(parts: WatchParts) {
    this.parts = parts
  }

  /** Requests over the WebSocket API. */
  get requests(): number {
    return this.balances.size
  }

  /** Resolves when everything is listened to. Rejects with UsageError. */
  async open(): Promise<void> {
    const { target, wsApiUrl, keys, symbols, subscribers } = this.parts
    const onLost = (why: string) => this.openFindings.failed(why)
    for (const key of keys) {
      const balances = new BalanceCheck(key.account)
      this.balances.set(key.account, balances)
      const onEvent = (event: UserEvent) => this.hear(key.account, balances, event)
      const parts = { target, url: wsApiUrl, key, onEvent, onLost }
      this.sockets.push(await openUserStream(parts))
    }
    for (const symbol of symbols) await this.openBook(symbol, onLost)
    for (const plan of subscribers) await this.subscribe(plan, onLost)
  }

  /** Once nothing is sent any more: waits for what is on its way, then compares. */
  async end(): Promise<void> {
    const { target, keys } = this.parts
    for (let i = 0; i < SETTLE_ATTEMPTS && this.orders.unsettled > 0; i++) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
    this.orders.end()
    try {
      for (const book of this.books.values()) await book.end()
      for (const key of keys) {
        const ask = () => target.ask<AccountAnswer>('/api/v3/account', { key })
        await this.balances.get(key.account)!.end(ask)
      }
      this.compared.agreed()
    } catch (error) {
      this.compared.failed((error as Error).message)
    }
    for (const socket of this.sockets) if (socket.isOpen) this.openFindings.agreed()
  }

  results(): readonly CheckResult[] {
    const checks = [
      this.orders,
      ...this.balances.values(),
      ...this.books.values(),
      this.streamCheck,
    ]
    return mergedChecks([
      ...checks.map((it) => it.results()),
      [this.openFindings.result(), this.compared.result()],
    ])
  }

  streams(): StreamMeasure {
    const at = (percentile: number) =>
      this.lags.totalCount === 0 ? 0 : this.lags.getValueAtPercentile(percentile)
    return {
      connections: this.connections,
      frames: this.streamCheck.frames,
      lagP50: at(50),
      lagP99: at(99),
      lagMax: this.lags.totalCount === 0 ? 0 : this.lags.maxValue,
    }
  }

  private hear(account: string, balances: BalanceCheck, event: UserEvent): void {
    if (event.e === 'executionReport') {
      const report = event as unknown as Report
      this.parts.beforeReport()
      this.orders.report(report)
      if (isEnded(report)) this.parts.onEnded(account, report)
    } else if (event.e === 'outboundAccountPosition') {
      balances.position(event as unknown as Position)
    }
  }

  private async openBook(symbol: string, onLost: (why: string) => void): Promise<void> {
    const { target, streamsUrl, prices, onMiddle } = this.parts
    const take = (limit: number) =>
      target.ask<DepthSnapshot>('/api/v3/depth', { params: { symbol, limit } })
    const book = new BookCheck(symbol, take)
    this.books.set(symbol, book)
    const url = `${streamsUrl}?streams=${symbol.toLowerCase()}@depth@100ms`
    let usual: number | undefined
    const onFrame = ({ data }: Readonly<Record<string, unknown>>) => {
      book.diff(data as DepthDiff)
      if (usual !== undefined) onMiddle(symbol, book.middle ?? usual)
    }
    this.sockets.push(await Socket.open(url, onFrame, onLost))
    await book.begin()
    const params = { symbol }
    const { price } = await target.ask<{ price: string }>('/api/v3/ticker/price', { params })
    usual = book.middle ?? (Number(price) || prices[symbol])
    if (usual === undefined) {
      throw new UsageError(`${symbol} has no price yet; the scenario must say one under [prices].`)
    }
    onMiddle(symbol, usual)
  }

  private async subscribe(plan: SubscriberPlan, onLost: (why: string) => void): Promise<void> {
    const { streamsUrl, symbols, target } = this.parts
    const names = plan.streams.flatMap((stream) =>
      stream.startsWith('!')
        ? [stream]
        : symbols.map((symbol) => `${symbol.toLowerCase()}@${stream}`),
    )
    for (let i = 0; i < plan.connections; i++) {
      const connection = ++this.connections
      const onFrame = (frame: Readonly<Record<string, unknown>>) => {
        const { data } = frame as unknown as StreamFrame
        this.streamCheck.frame(connection, frame as unknown as StreamFrame)
        if (typeof data.E !== 'number') return
        this.lags.recordValue(Math.min(LAG_MS_MAX, Math.max(0, target.nowMs() - data.E)))
      }
      const url = `${streamsUrl}?streams=${names.join('/')}`
      this.sockets.push(await Socket.open(url, onFrame, onLost))
    }
  }
}
