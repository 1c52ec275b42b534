/**
 * The trades of one minute by millisecond, so that a window may begin anywhere in it. Made once, of the
 * minute's trades in their order; at most 60,000 moments.
 */
import type { Ms, Ticks, TradeId } from '../../base/units.ts'
import { Bar } from '../../history/bar.ts'
import type { PublicTradeRow } from '../../history/market-history.ts'

export class MinuteMoments {
  /** The last trade of the minute. */
  readonly lastTradeId: TradeId
  private readonly timesMs: Ms[] = []
  /** By moment: its trades, then, once finished, those of all that follow as well. */
  private readonly bars: Bar[] = []
  private readonly closeTicks: Ticks[] = []

  constructor(lastTradeId: TradeId) {
    this.lastTradeId = lastTradeId
  }

  /** Takes in the minute's next trade. One that is earlier than the last has the last one's time. */
  add({ tradeId, priceTicks, lots, quoteAtoms, timeMs, isBuyerMaker }: PublicTradeRow): void {
    const last = this.timesMs.at(-1)
    if (last === undefined || timeMs > last) {
      this.timesMs.push(timeMs)
      this.bars.push(new Bar())
      this.closeTicks.push(priceTicks)
    }
    this.bars.at(-1)!.add(tradeId, priceTicks, lots, quoteAtoms, isBuyerMaker)
    this.closeTicks[this.closeTicks.length - 1] = priceTicks
  }

  /** All trades are in: each bar becomes that of its moment and all that follow. */
  finish(): void {
    for (let i = this.bars.length - 2; i >= 0; i--) this.bars[i]!.append(this.bars[i + 1]!)
  }

  /** Adds the trades after `timeMs`. */
  appendAfter(timeMs: Ms, into: Bar): void {
    const next = this.bars[this.countUpTo(timeMs)]
    if (next !== undefined) into.append(next)
  }

  /** Price of the last trade up to `timeMs`; undefined when there is none. */
  lastTicksUpTo(timeMs: Ms): Ticks | undefined {
    return this.closeTicks[this.countUpTo(timeMs) - 1]
  }

  /** Moments up to `timeMs`. */
  private countUpTo(timeMs: Ms): number {
    let low = 0
    let high = this.timesMs.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.timesMs[middle]! <= timeMs) low = middle + 1
      else high = middle
    }
    return low
  }
}
