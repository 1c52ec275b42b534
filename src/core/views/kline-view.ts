/**
 * The klines of one symbol and interval as they grow: the one under way, and each that has closed since
 * it was last read. It begins with what the archive has (archive/klines.ts), whose rules it keeps:
 * from the first trade on there is a kline for every interval, and one without a trade shows the close
 * before it. Written by its gateway's stream alone.
 *
 * Trades come in order, but may come after the clock has passed the end of their interval. Then all
 * klines from theirs on are reported again.
 */
import { Ms } from '../../base/units.ts'
import { Bar } from '../../history/bar.ts'
import { type KlineRow, type PublicTradeRow, quietBar } from '../../history/market-history.ts'
import { type Interval, intervalAfter, intervalOpen } from '../../market/intervals.ts'

/** After a pause that is longer than so many intervals, the oldest that closed are not reported. */
const CLOSED_MAX = 16

export class KlineView {
  private readonly interval: Interval
  private readonly offsetMs: number
  /** The newest kline that has a trade, and where it opens; without one, a bar of only a close. */
  private readonly bar = new Bar()
  private barOpenMs = Ms(-1)
  /** Where the kline under way opens; -1 before the first trade. */
  private openMs = Ms(-1)
  /** Trades from before the loaded history are known. */
  private fromMs = Ms(0)
  private closed: KlineRow[] = []

  /** `rows` are the newest klines, ascending; none when the symbol never traded. */
  constructor(interval: Interval, offsetMs: number, rows: readonly KlineRow[]) {
    this.interval = interval
    this.offsetMs = offsetMs
    for (const row of rows) {
      if (row.count > 0) {
        this.bar.read(row)
        this.barOpenMs = row.openMs
      } else if (this.barOpenMs < 0) this.bar.closeTicks = row.closeTicks
      this.openMs = row.openMs
    }
    this.fromMs = rows[0]?.openMs ?? Ms(0)
  }

  /** Adds a trade that is newer than all before. */
  add({ tradeId, priceTicks, lots, quoteAtoms, timeMs, isBuyerMaker }: PublicTradeRow): void {
    if (timeMs < this.fromMs) return
    const openMs = intervalOpen(this.interval, timeMs, this.offsetMs)
    if (this.openMs < 0 || openMs < this.openMs) this.openMs = openMs
    this.closeUntil(openMs)
    if (openMs !== this.barOpenMs) this.bar.clear()
    this.barOpenMs = openMs
    this.bar.add(tradeId, priceTicks, lots, quoteAtoms, isBuyerMaker)
  }

  /** Returns the klines that have closed since the last call, by `nowMs`. */
  takeClosed(nowMs: Ms): readonly KlineRow[] {
    if (this.openMs >= 0) {
      this.closeUntil(intervalOpen(this.interval, nowMs, this.offsetMs))
    }
    const closed = this.closed
    if (closed.length > 0) this.closed = []
    return closed
  }

  /** When the kline under way closes; undefined when nothing ever traded. */
  get closesMs(): Ms | undefined {
    return this.openMs < 0 ? undefined : this.after(this.openMs)
  }

  /** The kline under way; undefined when nothing ever traded. */
  current(): KlineRow | undefined {
    return this.openMs < 0 ? undefined : this.row(this.openMs)
  }

  private closeUntil(openMs: Ms): void {
    const oldestMs = intervalAfter(this.interval, openMs, this.offsetMs, -CLOSED_MAX)
    // However far the clock has stepped, no more than CLOSED_MAX are made.
    if (this.openMs < oldestMs) this.openMs = oldestMs
    while (this.openMs < openMs) {
      this.closed.push(this.row(this.openMs))
      this.openMs = this.after(this.openMs)
    }
  }

  private row(openMs: Ms): KlineRow {
    const bar = openMs === this.barOpenMs ? this.bar.row() : quietBar(this.bar.closeTicks)
    return { ...bar, openMs, closeMs: Ms(this.after(openMs) - 1) }
  }

  private after(openMs: Ms): Ms {
    return intervalAfter(this.interval, openMs, this.offsetMs, 1)
  }
}
