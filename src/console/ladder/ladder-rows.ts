/** What a ladder shows: rows of both sides around the spread. Pure, so that tests compare it. */
import { ATOMS, cut, grouped, shownAtoms, shownUnits } from '../book/decimals.ts'
import type { LocalBook } from '../book/local-book.ts'
import { groupLevels, groupPrice, type PriceGroup, sumsTo } from '../book/price-groups.ts'
import type { IndicativePrice, MarketSymbol } from '../market/symbols.ts'

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

/** The sides that a ladder shows. */
export const SIDES = ['both', 'bids', 'asks'] as const
export type ShownSides = (typeof SIDES)[number]

/** How a ladder fills its height: CSS pixels. */
export interface LadderShape {
  /** Rows of each side that is shown; they share what the spread leaves. */
  readonly rows: number
  readonly rowHeight: number
  /** Where the spread begins and ends. Asks lie above it, bids below it. */
  readonly spreadTop: number
  readonly spreadEnd: number
}

export const SPREAD_HEIGHT = 34
const ROW_HEIGHT = 20

export function shapeOf(height: number, sides: ShownSides): LadderShape {
  const share = Math.max(ROW_HEIGHT, (height - SPREAD_HEIGHT) / (sides === 'both' ? 2 : 1))
  const rows = Math.floor(share / ROW_HEIGHT)
  const spreadTop = sides === 'bids' ? 0 : share
  return { rows, rowHeight: share / rows, spreadTop, spreadEnd: spreadTop + SPREAD_HEIGHT }
}

/** The group that lies at a height of the canvas; undefined in the spread and beyond the last one. */
export function groupAt({ asks, bids }: LadderRows, shape: LadderShape, y: number) {
  const isBid = y >= shape.spreadEnd
  if (!isBid && y >= shape.spreadTop) return undefined
  const distance = isBid ? y - shape.spreadEnd : shape.spreadTop - y
  const group = (isBid ? bids : asks)[Math.floor(distance / shape.rowHeight)]
  return group === undefined ? undefined : { group, isBid }
}

/** What the levels up to a group come to: `0.5 BTC, 25,000 USDT, average 50,000.00`. */
export function sumsText(
  book: LocalBook,
  symbol: MarketSymbol,
  step: number,
  { group, isBid }: { readonly group: PriceGroup; readonly isBid: boolean },
): string {
  const { quantity, amount } = sumsTo(isBid ? book.bids : book.asks, isBid, step, group.price)
  if (quantity === 0n) return ''
  const { priceScale, priceDecimals, quantityScale, quantityDecimals } = symbol
  const atoms = (amount * 10n ** BigInt(ATOMS)) / 10n ** BigInt(priceScale + quantityScale)
  const size = shownUnits(Number(quantity), quantityScale, quantityDecimals)
  const average = shownUnits(Number(amount / quantity), priceScale, priceDecimals)
  return `${size} ${symbol.baseAsset}, ${shownAtoms(atoms)} ${symbol.quoteAsset}, average ${average}`
}

export function ladderRows(
  book: LocalBook,
  step: number,
  rows: number,
  sides: ShownSides = 'both',
): LadderRows {
  const asks = sides === 'bids' ? [] : groupLevels(book.asks, false, step, rows)
  const bids = sides === 'asks' ? [] : groupLevels(book.bids, true, step, rows)
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
