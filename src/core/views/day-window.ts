/**
 * One symbol's trades of the last 24 hours, minute by minute, up to a cursor in its matcher's event
 * ring: what ticker/24hr is made from. Rolling windows begin at a whole minute. The window of 24 hours
 * begins at a millisecond: the minute that it begins in is known by its moments, which the gateway
 * reads from the archive before they are needed. Written by its gateway alone; handlers and streams
 * read it.
 */
import { Ms, Ticks, TradeId } from '../../base/units.ts'
import { Bar } from '../../history/bar.ts'
import type { DayRows, PublicTradeRow } from '../../history/market-history.ts'
import { Trade } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { DAY_MS, MINUTE_MS } from '../../market/intervals.ts'
import type { MinuteMoments } from './minute-moments.ts'
import { takenTradeAt } from './trade-row.ts'

/** Beside the whole minutes of a window: the one that it begins in, and the one under way. */
const MINUTES_AROUND = 2
const MINUTES = DAY_MS / MINUTE_MS + MINUTES_AROUND

/** Where the window of `nowMs` begins: at the start of the minute that holds its beginning. */
export const windowFrom = (nowMs: Ms, windowMs: number): Ms =>
  Ms(Math.floor((nowMs - windowMs) / MINUTE_MS) * MINUTE_MS)

/** Minutes whose moments are read before the window begins in them. */
const MINUTES_AHEAD = 2

/** Trades that must be known one by one: those of one minute. */
export interface MomentsQuery {
  readonly minute: number
  readonly firstTradeId: TradeId
  readonly lastTradeId: TradeId
}

/** What stands in all places of a symbol before its first trade. */
const noMinutes = new Float64Array(MINUTES).fill(-1)
const noBars: (Bar | undefined)[] = new Array(MINUTES).fill(undefined)

export class DayWindow {
  /** The bar of minute m stands at m modulo MINUTES, if `minutes` has m there. */
  private minutes = noMinutes
  private bars = noBars
  /** No minute before this one has trades here. A symbol that never traded has no minute at all. */
  private oldestMinute = Number.POSITIVE_INFINITY
  /** Trades seen before history came; undefined once it has. */
  private waiting: PublicTradeRow[] | undefined = []
  private _lastTradeId = TradeId(0)
  /** When the newest trade was, to the minute at least. A clock that was put back is behind it. */
  private lastMs = Ms(0)
  /** How often history was queried, or records were missed: only an answer to the last counts. */
  private queries = 0
  /** The newest minute that has lost its place, and its close. */
  private beforeMinute = -1
  private previousTicks = 0
  /** By minute: that in which the window begins, and those that follow. */
  private readonly moments = new Map<number, MinuteMoments>()

  /** Whether history has come: before that the window answers too little. */
  get seeded(): boolean {
    return this.waiting === undefined
  }

  /** Takes in one record of this symbol; all but trades change nothing, nor do trades known already. */
  apply(buffer: RecordBuffer, at: number): void {
    if (recordType(buffer, at) !== Trade.type) return
    this.take(takenTradeAt(buffer, at))
  }

  /** Records were missed: what follows waits for history again. */
  missed(): void {
    this.queries++
    this.waiting ??= []
  }

  /** Notes a query of history whose result will cover all waiting trades. Returns the query's number. */
  asked(): number {
    if (this.waiting !== undefined) this.waiting = []
    return ++this.queries
  }

  /** Whether the answer to the query has all that this window has not seen. */
  awaits(query: number): boolean {
    return query === this.queries
  }

  /** Takes in history's answer for the window. Trades that it does not know yet are added to it. */
  seed({ minutes, beforeTicks }: DayRows): void {
    const waiting = this.waiting ?? []
    this.waiting = undefined
    if (this.minutes !== noMinutes) this.minutes.fill(-1)
    this.oldestMinute = Number.POSITIVE_INFINITY
    this._lastTradeId = TradeId(0)
    this.lastMs = Ms(0)
    this.beforeMinute = -1
    this.previousTicks = beforeTicks
    for (const row of minutes) {
      this.index(row.openMs).read(row)
      this._lastTradeId = row.lastTradeId
      this.lastMs = row.openMs
    }
    for (const trade of waiting) this.take(trade)
  }

  /** Id of the newest trade; 0 when the window knows none. */
  get lastTradeId(): TradeId {
    return this._lastTradeId
  }

  /** Where a rolling window opens at `nowMs`, or at the newest trade if the clock is behind it. */
  openMs(nowMs: Ms, windowMs: number): Ms {
    return windowFrom(Ms(Math.max(nowMs, this.lastMs)), windowMs)
  }

  /**
   * Reads the bar of a rolling window before `nowMs`, 24 hours at most, into `into`. Returns where the
   * window opens.
   */
  read(nowMs: Ms, into: Bar, windowMs: number): Ms {
    const first = this.openMs(nowMs, windowMs) / MINUTE_MS
    into.clear()
    this.appendMinutes(first, first + windowMs / MINUTE_MS + MINUTES_AROUND, into)
    return Ms(first * MINUTE_MS)
  }

  /** Where the window of 24 hours opens, to the millisecond: its trades are later. */
  dayOpenMs(nowMs: Ms): Ms {
    return Ms(Math.max(nowMs, this.lastMs) - DAY_MS)
  }

  private firstMinute(nowMs: Ms): number {
    return Math.floor(this.dayOpenMs(nowMs) / MINUTE_MS)
  }

  /** Whether the window's first minute is known trade by trade. */
  knows(nowMs: Ms): boolean {
    return this.isKnown(this.firstMinute(nowMs))
  }

  /** The next minute whose moments are needed soon, or undefined. Forgets those that are not. */
  wantedMoments(nowMs: Ms): MomentsQuery | undefined {
    const first = this.firstMinute(nowMs)
    for (const minute of this.moments.keys()) if (minute < first) this.moments.delete(minute)
    for (let minute = first; minute <= first + MINUTES_AHEAD; minute++) {
      if (this.isKnown(minute)) continue
      const { firstTradeId, lastTradeId } = this.bars[minute % MINUTES]!
      return { minute, firstTradeId, lastTradeId }
    }
    return undefined
  }

  /** Takes in the answer to a query of `wantedMoments`. */
  putMoments(minute: number, moments: MinuteMoments): void {
    this.moments.set(minute, moments)
  }

  /** The bar of trades with nowMs - 24 h < T into `into`. To be called when `knows(nowMs)`. */
  readDay(nowMs: Ms, into: Bar): void {
    into.clear()
    this.appendFirst(nowMs, into)
    this.appendWholeMinutes(nowMs, into)
  }

  /** Adds what the window of 24 hours has of its first minute. */
  appendFirst(nowMs: Ms, into: Bar): void {
    const first = this.firstMinute(nowMs)
    if (this.minutes[first % MINUTES] !== first) return
    this.moments.get(first)?.appendAfter(this.dayOpenMs(nowMs), into)
  }

  /** Adds the minutes after its first. */
  appendWholeMinutes(nowMs: Ms, into: Bar): void {
    const first = this.firstMinute(nowMs)
    this.appendMinutes(first + 1, first + MINUTES, into)
  }

  /** Adds the minutes from `first` to before `end`. */
  private appendMinutes(first: number, end: number, into: Bar): void {
    for (let minute = Math.max(first, this.oldestMinute); minute < end; minute++) {
      const index = minute % MINUTES
      if (this.minutes[index] === minute) into.append(this.bars[index]!)
    }
  }

  /** Price of the last trade before the 24 hours of `nowMs`; 0 when there was none. */
  beforeTicks(nowMs: Ms): Ticks {
    const first = this.firstMinute(nowMs)
    const inFirst =
      this.minutes[first % MINUTES] === first
        ? this.moments.get(first)?.lastTicksUpTo(this.dayOpenMs(nowMs))
        : undefined
    return Ticks(inFirst ?? this.ticksBefore(first))
  }

  private ticksBefore(first: number): number {
    if (first <= this.oldestMinute) return this.previousTicks
    let latest = this.beforeMinute
    for (const minute of this.minutes) if (minute < first && minute > latest) latest = minute
    return latest === this.beforeMinute
      ? this.previousTicks
      : this.bars[latest % MINUTES]!.closeTicks
  }

  /** Whether the minute has no trades, or its moments are those of all it has. */
  private isKnown(minute: number): boolean {
    const index = minute % MINUTES
    if (this.minutes[index] !== minute) return true
    return this.moments.get(minute)?.lastTradeId === this.bars[index]!.lastTradeId
  }

  private take(trade: PublicTradeRow): void {
    if (this.waiting !== undefined) {
      this.waiting.push(trade)
      return
    }
    if (trade.tradeId <= this._lastTradeId) return
    this._lastTradeId = trade.tradeId
    this.lastMs = trade.timeMs
    const { tradeId, priceTicks, lots, quoteAtoms, timeMs, isBuyerMaker } = trade
    this.index(timeMs).add(tradeId, priceTicks, lots, quoteAtoms, isBuyerMaker)
  }

  /** The bar of the minute that holds `timeMs`; what stood in its place has left the window. */
  private index(timeMs: Ms): Bar {
    if (this.minutes === noMinutes) {
      this.minutes = noMinutes.slice()
      this.bars = noBars.slice()
    }
    const minute = Math.floor(timeMs / MINUTE_MS)
    const index = minute % MINUTES
    this.bars[index] ??= new Bar()
    const bar = this.bars[index]
    if (this.minutes[index] !== minute) {
      if (this.minutes[index]! > this.beforeMinute) {
        this.beforeMinute = this.minutes[index]!
        this.previousTicks = bar.closeTicks
      }
      this.minutes[index] = minute
      this.oldestMinute = Math.min(this.oldestMinute, minute)
      bar.clear()
    }
    return bar
  }
}
