/**
 * The price of an auction: the one at which most lots trade; of several, that which leaves the least; of
 * several, the highest where only buyers are left and the lowest where only sellers are; else the nearest to
 * the last price. Arithmetic alone: who trades is the business of uncrossing.ts.
 *
 * ```
 * lots │ demand (BUY at this price or above) falls with the price, supply (SELL at or below) rises.
 *      │ ▔▔▔╲     ╱▔▔▔   Between two limits both stay the same, so one walk from the lowest SELL
 *      │     ╲▁▁▁╱       to the highest BUY compares stretches of prices, not prices.
 * ```
 */
import { type Int64, isMore, least, minus, negative, plus } from '../../base/int64.ts'
import { Ticks } from '../../base/units.ts'

/** Limit prices of one side that the other side meets, best first, with the lots at each. */
export class CrossingSide {
  readonly ticks: number[] = []
  readonly lots: Int64[] = []

  clear(): void {
    this.ticks.length = 0
    this.lots.length = 0
  }

  /** Prices come best first; lots at the same price come one behind another. */
  add(priceTicks: number, lots: number): void {
    const last = this.ticks.length - 1
    if (this.ticks[last] === priceTicks) {
      this.lots[last] = plus<Int64>(this.lots[last]!, lots)
      return
    }
    this.ticks.push(priceTicks)
    this.lots.push(lots)
  }
}

export interface AuctionPrice {
  readonly priceTicks: Ticks
  /** Lots that trade at it. */
  readonly volume: Int64
  /** Lots that are left at it: of buyers above zero, of sellers below. */
  readonly surplus: Int64
}

/** A stretch of prices, both ends within, where each trades as much and leaves as much. */
interface Stretch {
  low: number
  high: number
  volume: Int64
  leftLots: Int64
  surplusAtLow: Int64
  surplusAtHigh: Int64
}

/**
 * Returns the price, or undefined where the sides do not cross. `lastPriceTicks` is 0 for none: the middle of
 * what is left to choose from is taken then. Calls no code of the engine, so that a test can give it any book.
 */
export function auctionPriceOf(
  bids: CrossingSide,
  asks: CrossingSide,
  lastPriceTicks: number,
): AuctionPrice | undefined {
  const highest = bids.ticks[0]
  const lowest = asks.ticks[0]
  if (highest === undefined || lowest === undefined || highest < lowest) return undefined
  const best = bestStretch(bids, asks, lowest, highest)
  return auctionAt(bids, asks, Ticks(priceWithin(best, lastPriceTicks)))
}

function priceWithin(
  { low, high, surplusAtLow, surplusAtHigh }: Stretch,
  lastPriceTicks: number,
): number {
  // What is left falls as the price rises: both ends bound all between.
  if (surplusAtHigh > 0) return high
  if (surplusAtLow < 0) return low
  if (lastPriceTicks === 0) return Math.floor((low + high) / 2)
  return Math.min(Math.max(lastPriceTicks, low), high)
}

/** Compares the stretches from the lowest price to the highest, and joins equal ones that touch. */
function bestStretch(
  bids: CrossingSide,
  asks: CrossingSide,
  lowest: number,
  highest: number,
): Stretch {
  let bid = bids.ticks.length - 1
  let ask = 0
  let demand = bids.lots.reduce<Int64>((sum, lots) => plus(sum, lots), 0)
  let supply: Int64 = 0
  let best: Stretch | undefined
  for (let low = lowest; low <= highest; ) {
    for (; bids.ticks[bid]! < low; bid--) demand = minus(demand, bids.lots[bid]!)
    for (; asks.ticks[ask]! <= low; ask++) supply = plus(supply, asks.lots[ask]!)
    const high = Math.min(bids.ticks[bid]!, (asks.ticks[ask] ?? highest + 1) - 1)
    best = better(best, low, high, demand, supply)
    low = high + 1
  }
  return best!
}

function better(
  best: Stretch | undefined,
  low: number,
  high: number,
  demand: Int64,
  supply: Int64,
): Stretch {
  const volume = least(demand, supply)
  const surplus = minus(demand, supply)
  const leftLots = surplus < 0 ? negative(surplus) : surplus
  const isNew =
    best === undefined ||
    isMore(volume, best.volume) ||
    (!isMore(best.volume, volume) && isMore(best.leftLots, leftLots))
  if (isNew) return { low, high, volume, leftLots, surplusAtLow: surplus, surplusAtHigh: surplus }
  const isEqual = !isMore(best.volume, volume) && !isMore(leftLots, best.leftLots)
  if (isEqual) {
    best.high = high
    best.surplusAtHigh = surplus
  }
  return best
}

/** What trades at the price, and what is left of orders that accept it. */
export function auctionAt(bids: CrossingSide, asks: CrossingSide, price: Ticks): AuctionPrice {
  const demand = lotsOf(bids, (ticks) => ticks >= price)
  const supply = lotsOf(asks, (ticks) => ticks <= price)
  return { priceTicks: price, volume: least(demand, supply), surplus: minus(demand, supply) }
}

function lotsOf(side: CrossingSide, isIn: (ticks: number) => boolean): Int64 {
  let sum: Int64 = 0
  for (const [i, ticks] of side.ticks.entries()) if (isIn(ticks)) sum = plus(sum, side.lots[i]!)
  return sum
}
