/** What an order would move in the quote asset, by the fields that its kind shows. Pure. */

import { ATOMS, grouped, multiplyAtoms, parseAtoms, shownAtoms } from '../book/decimals.ts'
import type { BookSide } from '../book/local-book.ts'
import { filterOf, type MarketSymbol } from '../market/symbols.ts'
import { isLimit, isPending, isStop } from './market-checks.ts'
import { groupsOf, type Values } from './order-kinds.ts'

/** What the book would fill of a market order at once, in atoms of 10^-8. */
export interface Estimate {
  readonly filled: bigint
  readonly cost: bigint
  /** The best price; 0 while there is none. */
  readonly best: bigint
}

/** The size of a market order: a quantity, or an amount of the quote asset. */
export interface Wanted {
  readonly of: 'quantity' | 'amount'
  readonly atoms: bigint
}

/** Goes through the levels of a side, the best one first, until what is wanted is filled. */
export function estimateOf(symbol: MarketSymbol, side: BookSide, wanted: Wanted): Estimate {
  const priceUnit = 10n ** BigInt(ATOMS - symbol.priceScale)
  const lotUnit = 10n ** BigInt(ATOMS - symbol.quantityScale)
  let [filled, cost] = [0n, 0n]
  for (let at = side.size - 1; at >= 0; at--) {
    const price = BigInt(side.prices[at]!) * priceUnit
    const left = wanted.atoms - (wanted.of === 'quantity' ? filled : cost)
    if (left <= 0n) break
    const most = wanted.of === 'quantity' ? left : (left * 10n ** BigInt(ATOMS)) / price
    if (most === 0n) break
    const offered = BigInt(side.quantities[at]!) * lotUnit
    const taken = offered < most ? offered : most
    filled += taken
    cost += multiplyAtoms(price, taken)
  }
  return { filled, cost, best: BigInt(side.best ?? 0) * priceUnit }
}

/** What the fields of a market order want; undefined before they are typed. */
export function wantedOf(symbol: MarketSymbol, values: Values): Wanted | undefined {
  const names = groupsOf(symbol, 'MARKET', values).flatMap(({ fields }) => fields)
  for (const { name } of names) {
    const atoms = parseAtoms(values[name] ?? '') ?? 0n
    if (atoms > 0n) return { of: name === 'quantity' ? 'quantity' : 'amount', atoms }
  }
  return undefined
}

/** What a market order would do to its own price. */
export interface Impact {
  /** The average price, and what it is worse than the best price, in percent. */
  readonly average: string
  readonly slippage: number
  /** What the book leaves open, with its asset; '' when it fills all. */
  readonly rest: string
}

/** Undefined while the side of the book is empty. */
export function impactOf(
  symbol: MarketSymbol,
  { of, atoms }: Wanted,
  { filled, cost, best }: Estimate,
): Impact | undefined {
  if (filled === 0n || best === 0n) return undefined
  const average = Number(cost) / Number(filled)
  const rest = atoms - (of === 'quantity' ? filled : cost)
  // An amount seldom ends on a level: what is left buys less than a step.
  const step = of === 'quantity' ? 0n : multiplyAtoms(best, lotOf(symbol)) + 1n
  const asset = of === 'quantity' ? symbol.baseAsset : symbol.quoteAsset
  return {
    average: grouped(average.toFixed(symbol.priceDecimals)),
    slippage: Math.abs(average / (Number(best) / 10 ** ATOMS) - 1) * 100,
    rest: rest > step ? `${shownAtoms(rest)} ${asset}` : '',
  }
}

/** Names of the fields of orders that are placed at once: pending ones hold nothing yet. */
export const ordinaryNames = (symbol: MarketSymbol, kind: string, values: Values): string[] =>
  groupsOf(symbol, kind, values)
    .flatMap(({ fields }) => fields.map(({ name }) => name))
    .filter((name) => !isPending(name))

/** Prices that the order is counted at, the highest one last: stop prices where it has no limit. */
export const countedPrices = (names: readonly string[], values: Values): bigint[] =>
  names
    .filter(names.some(isLimit) ? isLimit : isStop)
    .map((name) => parseAtoms(values[name] ?? '') ?? 0n)
    .filter((price) => price > 0n)
    .sort((a, b) => (a < b ? -1 : 1))

const lotOf = (symbol: MarketSymbol): bigint =>
  parseAtoms(String(filterOf(symbol, 'LOT_SIZE')?.stepSize ?? '0')) ?? 0n

/** Without an `estimate` the total of a market order is not known. */
export function totalText(
  symbol: MarketSymbol,
  kind: string,
  values: Values,
  estimate: ((wanted: Wanted) => Estimate) | undefined,
): string {
  const names = ordinaryNames(symbol, kind, values)
  const typed = (name: string) => parseAtoms(values[name] ?? '') ?? 0n
  const text = (atoms: bigint) => `${shownAtoms(atoms)} ${symbol.quoteAsset}`
  const amount = names.includes('quoteOrderQty') ? typed('quoteOrderQty') : 0n
  if (amount > 0n) return text(amount)
  const quantity = typed(names.find((name) => /^(quantity|workingQuantity)$/.test(name)) ?? '')
  if (quantity === 0n) return '–'
  if (kind === 'MARKET')
    return marketText(symbol, quantity, estimate?.({ of: 'quantity', atoms: quantity }), text)
  const prices = countedPrices(names, values)
  const highest = prices.at(-1)
  if (highest === undefined) return '–'
  // A stop without a limit price fills at what the market has then.
  const sign = !names.some(isLimit) ? '≈ ' : prices.length > 1 ? 'up to ' : ''
  return sign + text(multiplyAtoms(highest, quantity))
}

function marketText(
  { baseAsset }: MarketSymbol,
  quantity: bigint,
  estimate: Estimate | undefined,
  text: (atoms: bigint) => string,
): string {
  if (estimate === undefined) return '–'
  const { filled, cost } = estimate
  return filled < quantity
    ? `Only ${shownAtoms(filled)} ${baseAsset} in the book`
    : `≈ ${text(cost)}`
}
