/**
 * Seeds the views of symbols' trades from the archive: at the start, after missed records, and for newly
 * listed symbols. Used on the gateway's thread.
 */

import { ArchiveBehind } from '../../api/history-failure.ts'
import { pause, type Time } from '../../base/time.ts'
import { SymbolId, TradeId } from '../../base/units.ts'
import type { LastPrices } from '../../core/ledger/last-prices.ts'
import { type DayWindow, type MomentsQuery, windowFrom } from '../../core/views/day-window.ts'
import { MinuteMoments } from '../../core/views/minute-moments.ts'
import { TAPE_TRADES } from '../../core/views/tape.ts'
import type { HistoryQueries } from '../../history/queries.ts'
import { DAY_MS, MINUTE_MS } from '../../market/intervals.ts'
import type { Markets } from './markets.ts'

const RETRY_MS = 1_000
/** Two queries of each wait in the queue of the history threads. */
const SYMBOLS_AT_ONCE = 32
/** Trades in one result of the archive: applying it blocks the event loop for about a millisecond. */
const TRADES_PER_ANSWER = 1_000

export interface TradeSeedsParts {
  readonly markets: Pick<Markets, 'tapes' | 'dayWindows'>
  readonly history: Pick<HistoryQueries, 'publicTrades' | 'day'>
  readonly lastPrices: LastPrices
  readonly clock: Time
  readonly warn: (fields: object, message: string) => void
}

export class TradeSeeds {
  private readonly parts: TradeSeedsParts
  private isServing = false
  private isReadingMoments = false
  private closed = false
  /** Symbols whose trades are being read; those that wait follow in their order. */
  private underWay = 0
  private readonly waiting: (() => void)[] = []

  constructor(parts: TradeSeedsParts) {
    this.parts = parts
  }

  /** From now on a failed query of the archive is retried until it succeeds. */
  clientsAreServed(): void {
    this.isServing = true
  }

  close(): void {
    this.closed = true
  }

  /**
   * Resolves when the symbol's trades reach back. Once clients are served, a failed query of the archive
   * is retried: it is behind under load, which is also when records are missed. An archive that is far
   * behind delays no start: the symbol has its last price, and its trades once the archive serves queries.
   */
  async seed(symbolId: SymbolId): Promise<void> {
    const { markets, lastPrices } = this.parts
    markets.tapes[symbolId]!.begin(lastPrices.ticksOf(symbolId))
    try {
      await this.ask(symbolId)
    } catch (error) {
      if (error instanceof ArchiveBehind) void this.askAgain(symbolId, error)
      else if (this.isServing) await this.askAgain(symbolId, error)
      else throw error
    }
  }

  private async askAgain(symbolId: SymbolId, failure: unknown): Promise<void> {
    for (let last: unknown = failure; last !== undefined && !this.closed; ) {
      if (!(last instanceof ArchiveBehind)) {
        const { message: reason } = last as Error
        this.parts.warn({ symbolId, reason }, 'recent trades were not to be had; asking again')
      }
      await pause(this.parts.clock.wall, RETRY_MS)
      last = await this.ask(symbolId).catch((error: unknown) => error)
    }
  }

  /** Symbols that wait in a queue keep the archive's queue short. */
  private async ask(symbolId: SymbolId): Promise<void> {
    if (this.underWay === SYMBOLS_AT_ONCE) {
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    } else this.underWay++
    try {
      await this.read(symbolId)
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.underWay--
      else next()
    }
  }

  private async read(symbolId: SymbolId): Promise<void> {
    const { markets, history, clock } = this.parts
    const fromMs = windowFrom(clock.nowMs(), DAY_MS)
    const dayWindow = markets.dayWindows[symbolId]!
    const query = dayWindow.asked()
    const [trades, day] = await Promise.all([
      history.publicTrades({ symbolId, limit: TAPE_TRADES }),
      history.day({ symbolId, fromMs }),
    ])
    // Records were missed since, or a later query runs: its result is the one to begin with.
    if (!dayWindow.awaits(query)) return
    markets.tapes[symbolId]!.seed(trades)
    dayWindow.seed(day)
    await this.readMoments(symbolId, dayWindow)
  }

  /**
   * Once a second: reads, one symbol after the other, the trades of the minutes in which windows of 24
   * hours will begin soon. Minutes are read before they are needed; a failed read is retried.
   */
  async tend(): Promise<void> {
    if (this.isReadingMoments) return
    this.isReadingMoments = true
    const { dayWindows } = this.parts.markets
    try {
      for (let symbolId = 0; symbolId < dayWindows.length && !this.closed; symbolId++) {
        const window = dayWindows[symbolId]!
        if (window.seeded) await this.readMoments(SymbolId(symbolId), window)
      }
    } catch (error) {
      const { message: reason } = error as Error
      if (!(error instanceof ArchiveBehind) && !this.closed) {
        this.parts.warn({ reason }, 'trades of 24 hours ago could not be read; trying again')
      }
    } finally {
      this.isReadingMoments = false
    }
  }

  private async readMoments(symbolId: SymbolId, window: DayWindow): Promise<void> {
    const { clock } = this.parts
    for (;;) {
      const query = window.wantedMoments(clock.nowMs())
      if (query === undefined || this.closed) return
      window.putMoments(query.minute, await this.momentsOf(symbolId, query))
    }
  }

  private async momentsOf(symbolId: SymbolId, query: MomentsQuery): Promise<MinuteMoments> {
    const { history } = this.parts
    const { minute, firstTradeId, lastTradeId } = query
    const moments = new MinuteMoments(lastTradeId)
    for (let fromId = firstTradeId; fromId <= lastTradeId; ) {
      const limit = Math.min(TRADES_PER_ANSWER, lastTradeId - fromId + 1)
      const trades = await history.publicTrades({ symbolId, fromId, limit })
      for (const trade of trades) {
        if (Math.floor(trade.timeMs / MINUTE_MS) === minute) moments.add(trade)
      }
      const last = trades.at(-1)
      // Retention may have removed earlier trades.
      if (last === undefined) break
      fromId = TradeId(last.tradeId + 1)
    }
    moments.finish()
    return moments
  }
}
