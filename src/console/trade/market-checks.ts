/**
 * Checks of an order against what the page knows beside the symbol's filters: the average price, and the
 * account's free funds. The exchange judges again. Pure.
 */
import { ATOMS, multiplyAtoms, parseAtoms, shown, shownUnits } from '../book/decimals.ts'
import { type Filter, filterOf, type MarketSymbol } from '../market/symbols.ts'
import type { FieldGroup, Values } from './order-kinds.ts'

export interface Known {
  readonly side: 'BUY' | 'SELL'
  /** The average price of the last 5 minutes, and the last price; '' for none. */
  readonly average: string
  readonly last: string
  /** Stands in place of both where there is one. */
  readonly reference: string
  /** By asset. Undefined while balances are not loaded. */
  readonly free: ((asset: string) => string) | undefined
  /** What a quantity costs in the book now, in atoms. Undefined while the book is not live. */
  readonly cost?: ((quantity: bigint) => bigint) | undefined
}

/** `avgPriceMins` of the average that the exchange publishes. */
const AVERAGE_MINUTES = 5
const AVERAGE = `${AVERAGE_MINUTES}-minute average`
const PENDING = /^pending/
const PRICE = /(^|[a-z])price$/i
const STOP = /stopprice$/i

/** Kinds of fields, by the names of their parameters. */
export const isPending = (name: string): boolean => PENDING.test(name)
export const isStop = (name: string): boolean => STOP.test(name)
export const isLimit = (name: string): boolean => PRICE.test(name) && !isStop(name)

/** Faults of a group of fields, by the name of the field. */
export function* marketFaults(
  symbol: MarketSymbol,
  { fields }: FieldGroup,
  values: Values,
  known: Known,
): Iterable<readonly [name: string, fault: string]> {
  const pendingSide = values.pendingSide === 'SELL' ? 'SELL' : 'BUY'
  const side = fields.some(({ name }) => isPending(name)) ? pendingSide : known.side
  for (const { name } of fields) {
    const price = isLimit(name) ? parseAtoms(values[name] ?? '') : undefined
    const fault = price === undefined ? undefined : percentFault(symbol, side, price, known)
    if (fault !== undefined) yield [name, fault]
  }
}

/** PERCENT_PRICE and PERCENT_PRICE_BY_SIDE; without a price around it that the page knows they are not checked. */
function percentFault(
  symbol: MarketSymbol,
  side: string,
  typed: bigint,
  known: Known,
): string | undefined {
  for (const type of ['PERCENT_PRICE', 'PERCENT_PRICE_BY_SIDE']) {
    const filter = filterOf(symbol, type)
    if (filter === undefined) continue
    const [what, text] = middleOf(Number(filter.avgPriceMins), known)
    const near = parseAtoms(text)
    if (near === undefined || near === 0n) continue
    const [down, up] = multipliers(filter, side)
    const [least, most] = [multiplyAtoms(near, down), multiplyAtoms(near, up)]
    if (typed >= least && (most === 0n || typed <= most)) continue
    // The bounds that a price on the symbol's steps can have.
    const unit = 10n ** BigInt(Math.max(0, ATOMS - symbol.priceDecimals))
    const { priceDecimals } = symbol
    const price = (atoms: bigint) => shownUnits(Number(atoms / unit), priceDecimals, priceDecimals)
    const lowest = price(least + unit - 1n)
    const range = most === 0n ? `at least ${lowest}` : `${lowest} to ${price(most)}`
    return `Price must be ${range} (${what} ${price(near)})`
  }
  return undefined
}

/** What prices are measured from: its name, and the price; '' where the page does not know it. */
function middleOf(minutes: number, { average, last, reference }: Known): readonly [string, string] {
  if (reference !== '') return ['reference price', reference]
  if (minutes === 0) return ['last price', last]
  return [AVERAGE, minutes === AVERAGE_MINUTES ? average : '']
}

function multipliers(filter: Filter, side: string): readonly [down: bigint, up: bigint] {
  const prefix = side === 'BUY' ? 'bidMultiplier' : 'askMultiplier'
  const read = (end: 'Down' | 'Up') =>
    parseAtoms(String(filter[`${prefix}${end}`] ?? filter[`multiplier${end}`] ?? '0')) ?? 0n
  return [read('Down'), read('Up')]
}

/**
 * Whether free funds cover the order: its quantity when it sells, price times quantity or the amount when
 * it buys. A market order that buys is compared with its cost in the book now; one that waits for a trigger is
 * left to the exchange. Pending ones hold nothing yet.
 */
export function* fundFaults(
  symbol: MarketSymbol,
  groups: readonly FieldGroup[],
  values: Values,
  { side, free, cost }: Known,
): Iterable<readonly [name: string, fault: string]> {
  if (free === undefined) return
  const names = groups
    .flatMap(({ fields }) => fields.map(({ name }) => name))
    .filter((name) => !isPending(name))
  const asset = side === 'BUY' ? symbol.quoteAsset : symbol.baseAsset
  const text = free(asset)
  const have = parseAtoms(text) ?? 0n
  const fault = `Insufficient balance: ${shown(text)} ${asset} available`
  const typed = (name: string) => parseAtoms(values[name] ?? '') ?? 0n
  const quantity = names.find((name) => /^(quantity|workingQuantity)$/.test(name))
  const lots = quantity === undefined ? 0n : typed(quantity)
  if (side === 'SELL') {
    if (lots > have) yield [quantity!, fault]
    return
  }
  const isDear = names.some((name) => isLimit(name) && multiplyAtoms(typed(name), lots) > have)
  if (isDear) yield [quantity!, fault]
  const isMarket = !names.some((name) => isLimit(name) || isStop(name))
  if (isMarket && cost !== undefined && cost(lots) > have) yield [quantity!, fault]
  if (names.includes('quoteOrderQty') && typed('quoteOrderQty') > have)
    yield ['quoteOrderQty', fault]
}
