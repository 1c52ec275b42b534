/**
 * What the ticket works out: shares of free funds, a quantity by its total, steps and presets of prices. Exact, in
 * atoms of 10^-8. Pure.
 */
import { ATOMS, formatAtoms, multiplyAtoms, parseAtoms } from '../book/decimals.ts'
import { filterOf, type MarketSymbol } from '../market/symbols.ts'
import { isLimit } from './market-checks.ts'
import type { Field, Values } from './order-kinds.ts'
import { countedPrices, type Estimate, ordinaryNames, type Wanted } from './order-total.ts'

const ONE = 10n ** BigInt(ATOMS)
const HUNDRED = 100n
const PERMILLE = 1_000n
export const QUANTITY = /^(quantity|workingQuantity)$/

const floorTo = (atoms: bigint, step: bigint): bigint => atoms - (atoms % step)

export const tickOf = ({ tick, priceScale }: MarketSymbol): bigint =>
  BigInt(tick) * 10n ** BigInt(ATOMS - priceScale)

/** The step of quantities; of a market order the coarser one of both filters. */
export function lotOf(symbol: MarketSymbol, kind: string): bigint {
  const steps = ['LOT_SIZE', kind === 'MARKET' ? 'MARKET_LOT_SIZE' : ''].map(
    (type) => parseAtoms(String(filterOf(symbol, type)?.stepSize ?? '0')) ?? 0n,
  )
  const finest = 10n ** BigInt(ATOMS - symbol.quantityDecimals)
  return steps.reduce((most, step) => (step > most ? step : most), finest)
}

/** The step of a field; undefined for one without. */
export function stepOf(symbol: MarketSymbol, kind: string, form: Field['form']) {
  if (form === 'price') return tickOf(symbol)
  return form === 'quantity' ? lotOf(symbol, kind) : undefined
}

/** Returns the next text so many steps away; one between two steps goes to the nearer end of its way. */
export function stepped(text: string, step: bigint, by: bigint): string {
  const atoms = parseAtoms(text) ?? 0n
  const at = by > 0n ? atoms / step : (atoms + step - 1n) / step
  return formatAtoms(at + by > 0n ? (at + by) * step : step)
}

/** The field that takes a share of free funds, and what all of them give. */
export interface Sizing {
  readonly name: string
  readonly most: bigint
  readonly step: bigint
}

/** Undefined while a price is missing. A market order that buys is sized by its amount. */
export function sizingOf(
  symbol: MarketSymbol,
  kind: string,
  side: 'BUY' | 'SELL',
  values: Values,
  free: bigint,
  estimate?: (wanted: Wanted) => Estimate,
): Sizing | undefined {
  const isBuy = side === 'BUY'
  if (isBuy && kind === 'MARKET' && symbol.quoteOrderQtyMarketAllowed) {
    return { name: 'quoteOrderQty', most: free, step: 1n }
  }
  const names = ordinaryNames(symbol, kind, kind === 'MARKET' ? {} : values)
  const name = names.find((it) => QUANTITY.test(it))
  const step = lotOf(symbol, kind)
  if (name === undefined) return undefined
  if (!isBuy) return { name, most: free, step }
  if (kind === 'MARKET') {
    const most = estimate?.({ of: 'amount', atoms: free }).filled
    return most === undefined ? undefined : { name, most, step }
  }
  const highest = countedPrices(names, values).at(-1)
  return highest === undefined ? undefined : { name, most: (free * ONE) / highest, step }
}

export const shareOf = ({ most, step }: Sizing, percent: number): string =>
  formatAtoms(floorTo((most * BigInt(percent)) / HUNDRED, step))

/** What is typed, as a share of all, in whole percent from 0 to 100. */
export function percentOf({ name, most }: Sizing, values: Values): number {
  const typed = parseAtoms(values[name] ?? '') ?? 0n
  if (most === 0n || typed === 0n) return 0
  const percent = (typed * PERMILLE + most * 5n) / (most * 10n)
  return Number(percent > HUNDRED ? HUNDRED : percent)
}

/** The price and the quantity whose product is the total, by their names; undefined where it has other parts. */
export function totalNames(symbol: MarketSymbol, kind: string, values: Values) {
  const names = ordinaryNames(symbol, kind, values)
  const prices = names.filter(isLimit)
  const quantity = names.find((it) => QUANTITY.test(it))
  if (prices.length !== 1 || quantity === undefined) return undefined
  return { price: prices[0]!, quantity }
}

/** Returns the quantity that costs no more than the total; '' while one of both is missing. */
export function quantityOf(symbol: MarketSymbol, total: string, price: string): string {
  const [paid, each] = [parseAtoms(total), parseAtoms(price) ?? 0n]
  if (paid === undefined || each === 0n) return ''
  return formatAtoms(floorTo((paid * ONE) / each, lotOf(symbol, '')))
}

export function productOf(price = '', quantity = ''): string {
  const [each, count] = [parseAtoms(price), parseAtoms(quantity)]
  return each === undefined || count === undefined ? '' : formatAtoms(multiplyAtoms(each, count))
}

/** Whether a stop price waits above the market: by its leg, or by what triggers such an order of this side. */
export function isTriggerAbove(kind: string, side: string, values: Values, name: string): boolean {
  if (/above/i.test(name)) return true
  if (/below/i.test(name)) return false
  const isPending = name.startsWith('pending')
  const type = isPending ? (values.pendingType ?? '') : kind
  const isBuy = (isPending ? (values.pendingSide ?? 'BUY') : side) === 'BUY'
  return isBuy === type.startsWith('STOP_LOSS')
}

/** Returns the price that is so many percent from another, on a step. */
export function awayBy(symbol: MarketSymbol, last: string, percent: number, isAbove: boolean) {
  const share = BigInt(isAbove ? 100 + percent : 100 - percent)
  return formatAtoms(floorTo(((parseAtoms(last) ?? 0n) * share) / HUNDRED, tickOf(symbol)))
}
