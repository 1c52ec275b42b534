/** What an order would move in the quote asset, by the fields that its kind shows. Pure. */

import { ATOMS, formatAtoms, multiplyAtoms, parseAtoms } from '../book/decimals.ts'
import type { BookSide } from '../book/local-book.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import { isLimit, isPending, isStop } from './market-checks.ts'
import { groupsOf, type Values } from './order-kinds.ts'

/** What the book would fill of a market order at once, in atoms of 10^-8. */
export interface Estimate {
  readonly filled: bigint
  readonly cost: bigint
}

/** Goes through the levels of a side, the best one first, until `quantity` atoms are filled. */
export function estimateOf(symbol: MarketSymbol, side: BookSide, quantity: bigint): Estimate {
  const priceUnit = 10n ** BigInt(ATOMS - symbol.priceScale)
  const lotUnit = 10n ** BigInt(ATOMS - symbol.quantityScale)
  let [filled, cost] = [0n, 0n]
  for (let at = side.size - 1; at >= 0 && filled < quantity; at--) {
    const offered = BigInt(side.quantities[at]!) * lotUnit
    const taken = offered < quantity - filled ? offered : quantity - filled
    filled += taken
    cost += multiplyAtoms(BigInt(side.prices[at]!) * priceUnit, taken)
  }
  return { filled, cost }
}

/** Without an `estimate` the total of a market order is not known. */
export function totalText(
  symbol: MarketSymbol,
  kind: string,
  values: Values,
  estimate: ((quantity: bigint) => Estimate) | undefined,
): string {
  const names = groupsOf(symbol, kind, values)
    .flatMap(({ fields }) => fields.map(({ name }) => name))
    .filter((name) => !isPending(name))
  const typed = (name: string) => parseAtoms(values[name] ?? '') ?? 0n
  const text = (atoms: bigint) => `${formatAtoms(atoms)} ${symbol.quoteAsset}`
  const amount = names.includes('quoteOrderQty') ? typed('quoteOrderQty') : 0n
  if (amount > 0n) return text(amount)
  const quantity = typed(names.find((name) => /^(quantity|workingQuantity)$/.test(name)) ?? '')
  if (quantity === 0n) return '–'
  if (kind === 'MARKET') return marketText(symbol, quantity, estimate?.(quantity), text)
  const pricesOf = (isWanted: (name: string) => boolean) =>
    names
      .filter(isWanted)
      .map(typed)
      .filter((price) => price > 0n)
  const limits = pricesOf(isLimit)
  const prices = names.some(isLimit) ? limits : pricesOf(isStop)
  if (prices.length === 0) return '–'
  const highest = prices.reduce((most, price) => (price > most ? price : most))
  // A stop without a limit price fills at what the market has then.
  const sign = limits.length === 0 ? '≈ ' : limits.length > 1 ? 'up to ' : ''
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
    ? `Only ${formatAtoms(filled)} ${baseAsset} in the book`
    : `≈ ${text(cost)}`
}
