/** A stream of klines: the current one at the stream's speed, and each soon after it has closed. */
import { Rows } from '../../../api/answers/answer.ts'
import { klineFrame } from '../../../api/answers/market-streams.ts'
import { Ms } from '../../../base/units.ts'
import { KlineView } from '../../../core/views/kline-view.ts'
import type { TakenTrade } from '../../../core/views/trade-row.ts'
import type { KlineRow } from '../../../history/market-history.ts'
import type { Interval } from '../../../market/intervals.ts'
import type { SymbolSpec } from '../../../market/listing.ts'
import { type Feed, type FeedParts, hasKlines, type Send } from './feed.ts'
import { SeededTrades } from './seeded-trades.ts'

/** Time for trades to arrive from the matcher after their interval has ended. */
const CLOSE_DELAY_MS = 100
/** Klines of one query of the archive: more than end during the query. */
const SEED_KLINES = 10

export class KlineFeed implements Feed {
  private readonly parts: FeedParts
  private readonly spec: SymbolSpec
  private readonly send: Send
  private readonly interval: Interval
  private readonly trades: SeededTrades<readonly KlineRow[]>
  private view: KlineView | undefined

  constructor(
    parts: FeedParts,
    spec: SymbolSpec,
    interval: Interval,
    offsetMs: number,
    send: Send,
  ) {
    this.parts = parts
    this.spec = spec
    this.send = send
    this.interval = interval
    const query = { symbolId: spec.id, interval, offsetMs, limit: SEED_KLINES }
    this.trades = new SeededTrades({
      time: parts.clock,
      ask: () => parts.history.klines({ ...query, nowMs: parts.clock.nowMs() }),
      lastTradeIdOf: (rows) => Math.max(0, ...rows.map(({ lastTradeId }) => lastTradeId)),
      begin: (rows) => {
        this.view = new KlineView(interval, offsetMs, rows)
      },
      take: (trade) => this.view!.add(trade),
      caughtUp: () => {},
      warn: parts.warn,
    })
  }

  traded(trade: TakenTrade): void {
    this.trades.add(trade)
  }

  tick(nowMs: Ms, isDue: boolean): void {
    const view = this.growing
    if (view === undefined) return
    for (const row of view.takeClosed(Ms(nowMs - CLOSE_DELAY_MS))) this.publish(row, true, nowMs)
    const current = isDue ? view.current() : undefined
    if (current !== undefined) this.publish(current, false, nowMs)
  }

  isIdle(): boolean {
    return this.growing?.closesMs === undefined
  }

  ownFrameMs(): number {
    return (this.growing?.closesMs ?? Number.POSITIVE_INFINITY) + CLOSE_DELAY_MS
  }

  /** The view, once it is loaded, and unless klines stand still. */
  private get growing(): KlineView | undefined {
    return hasKlines(this.parts, this.spec) ? this.view : undefined
  }

  close(): void {
    this.trades.close()
  }

  private publish(kline: KlineRow, isClosed: boolean, eventMs: Ms): void {
    const interval = this.interval
    const row = { spec: this.spec, eventMs, kline: { ...kline, interval, isClosed } }
    this.send((microseconds) => new Rows(klineFrame, row, { microseconds }))
  }
}
