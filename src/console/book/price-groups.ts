/** Levels of one side joined by price step, the best group first, as a ladder shows them. */
import type { BookSide } from './local-book.ts'

export interface PriceGroup {
  /** The group's price: bids are rounded down to the step, asks up. */
  readonly price: number
  readonly quantity: number
  /** Quantities of this group and of all better ones. */
  readonly total: number
}

/** Returns at most `rows` groups. Levels of the last group are all in it. */
export function groupLevels(
  side: BookSide,
  isBid: boolean,
  step: number,
  rows: number,
): PriceGroup[] {
  const groups: PriceGroup[] = []
  const { prices, quantities } = side
  let price = 0
  let quantity = 0
  let total = 0
  const close = () => {
    if (quantity > 0) groups.push({ price, quantity, total })
  }
  for (let at = prices.length - 1; at >= 0; at--) {
    const group = groupPrice(prices[at]!, isBid, step)
    if (quantity > 0 && group !== price) {
      close()
      if (groups.length === rows) return groups
      quantity = 0
    }
    price = group
    quantity += quantities[at]!
    total += quantities[at]!
  }
  close()
  return groups
}

/** Sums from the best price on: quantity in the symbol's units, amount in products of its units. */
export interface BookSums {
  readonly quantity: bigint
  readonly amount: bigint
}

/** Returns what the groups up to the one of this price hold. */
export function sumsTo(side: BookSide, isBid: boolean, step: number, price: number): BookSums {
  let [quantity, amount] = [0n, 0n]
  for (let at = side.size - 1; at >= 0; at--) {
    const group = groupPrice(side.prices[at]!, isBid, step)
    if (isBid ? group < price : group > price) break
    const units = BigInt(side.quantities[at]!)
    quantity += units
    amount += units * BigInt(side.prices[at]!)
  }
  return { quantity, amount }
}

/** Returns the price of the group that a level belongs to. */
export function groupPrice(price: number, isBid: boolean, step: number): number {
  const rest = price % step
  if (rest === 0) return price
  return isBid ? price - rest : price - rest + step
}

/** Returns the steps that a ladder offers: 1, 2, 5, 10, ... ticks, up to a hundredth of the price. */
export function priceSteps(tick: number, price: number): number[] {
  const steps: number[] = []
  for (let factor = 1; factor <= 1e6; factor *= 10) {
    for (const part of [1, 2, 5]) {
      const step = tick * factor * part
      if (steps.length > 0 && step > price / 50) return steps
      steps.push(step)
    }
  }
  return steps
}
