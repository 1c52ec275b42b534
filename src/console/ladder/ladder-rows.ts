/** What a ladder shows: rows of both sides around the spread. Pure, so that tests compare it. */
import type { LocalBook } from '../book/local-book.ts'
import { groupLevels, groupPrice, type PriceGroup } from '../book/price-groups.ts'

export interface LadderRows {
  /** The best first, on both sides. */
  readonly asks: readonly PriceGroup[]
  readonly bids: readonly PriceGroup[]
  /** The largest total of both sides, for bars. */
  readonly totalMax: number
}

export function ladderRows(book: LocalBook, step: number, rows: number): LadderRows {
  const asks = groupLevels(book.asks, false, step, rows)
  const bids = groupLevels(book.bids, true, step, rows)
  const totalMax = Math.max(asks.at(-1)?.total ?? 0, bids.at(-1)?.total ?? 0)
  return { asks, bids, totalMax }
}

/** An own open order, in the symbol's units. */
export interface OwnLevel {
  readonly price: number
  readonly quantity: number
  readonly isBid: boolean
}

/** Returns the own quantity of each group: keys are as `b100` and `a101`. */
export function ownByGroup(orders: readonly OwnLevel[], step: number): ReadonlyMap<string, number> {
  const byGroup = new Map<string, number>()
  for (const { price, quantity, isBid } of orders) {
    const key = `${isBid ? 'b' : 'a'}${groupPrice(price, isBid, step)}`
    byGroup.set(key, (byGroup.get(key) ?? 0) + quantity)
  }
  return byGroup
}
