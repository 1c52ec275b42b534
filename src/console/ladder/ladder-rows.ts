/** What a ladder shows: rows of both sides around the spread. Pure, so that tests compare it. */
import { cut, grouped, shownUnits } from '../book/decimals.ts'
import type { LocalBook } from '../book/local-book.ts'
import { groupLevels, groupPrice, type PriceGroup } from '../book/price-groups.ts'
import type { IndicativePrice } from '../market/market.ts'
import type { MarketSymbol } from '../market/symbols.ts'

export interface LadderRows {
  /** The best first, on both sides. */
  readonly asks: readonly PriceGroup[]
  readonly bids: readonly PriceGroup[]
  /** The largest total of both sides, for bars. */
  readonly totalMax: number
}

/**
 * Returns the distance of the best prices, however the rows are joined: `Spread 0.01 (0.000%)`; '' while a
 * side is empty. In an auction that is called, its indicative price and quantity: `Auction 50,100.00 (4)`.
 */
export function spreadText(
  { asks, bids }: LocalBook,
  symbol: MarketSymbol,
  auction?: IndicativePrice,
): string {
  if (auction !== undefined) {
    const price = grouped(cut(auction.price, symbol.priceDecimals))
    return `Auction ${price} (${cut(auction.quantity, symbol.quantityDecimals)})`
  }
  const [ask, bid] = [asks.best, bids.best]
  if (ask === undefined || bid === undefined) return ''
  if (ask <= bid) return 'Crossed'
  const spread = shownUnits(ask - bid, symbol.priceScale, symbol.priceDecimals)
  return `Spread ${spread} (${(((ask - bid) / ask) * 100).toFixed(3)}%)`
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

/** Own open orders of the symbol. */
export interface OwnOrders {
  /** Changes with the levels. */
  readonly version: () => number
  readonly levels: () => Iterable<OwnLevel>
}

type OwnGroups = ReadonlyMap<string, number>

/**
 * Returns a function that returns the own quantity of each group: keys are as `b100` and `a101`. The groups
 * are made again only when the orders or the step have changed.
 */
export function ownByGroup(own: OwnOrders): (step: number) => OwnGroups {
  let made:
    | { readonly version: number; readonly step: number; readonly groups: OwnGroups }
    | undefined
  return (step) => {
    const version = own.version()
    if (made?.version !== version || made.step !== step) {
      made = { version, step, groups: groupsOf(own.levels(), step) }
    }
    return made.groups
  }
}

function groupsOf(levels: Iterable<OwnLevel>, step: number): OwnGroups {
  const groups = new Map<string, number>()
  for (const { price, quantity, isBid } of levels) {
    const key = `${isBid ? 'b' : 'a'}${groupPrice(price, isBid, step)}`
    groups.set(key, (groups.get(key) ?? 0) + quantity)
  }
  return groups
}
