/**
 * What a client must know of a symbol to place orders on it, read from GET /api/v3/exchangeInfo, and
 * the rounding of its prices and quantities to what its filters take.
 */
import { formatDecimal, parseDecimal } from '../base/fixed.ts'
import { WIRE_DECIMALS } from '../base/limits.ts'

const WIRE_UNIT = 10 ** WIRE_DECIMALS

/** The multiples of a step between two bounds; a step of zero stands for the wire's smallest unit. */
export class Grid {
  readonly #step: number
  readonly #min: number
  readonly #max: number

  /** Decimal texts as filters hold them. */
  constructor(step: string, min: string, max: string) {
    this.#step = Math.max(1, wireUnits(step))
    this.#min = Math.ceil(wireUnits(min) / this.#step)
    this.#max = Math.floor(wireUnits(max) / this.#step)
  }

  /** The nearest of them, as text. */
  near(value: number): string {
    return this.#text(Math.round((value * WIRE_UNIT) / this.#step))
  }

  /** The smallest of them that is not below the value, as text. */
  above(value: number): string {
    return this.#text(Math.ceil((value * WIRE_UNIT) / this.#step))
  }

  /** The largest of them that is not above the value, as text. */
  below(value: number): string {
    return this.#text(Math.floor((value * WIRE_UNIT) / this.#step))
  }

  /** Whether an order may name it. */
  holds(text: string): boolean {
    const units = wireUnits(text)
    const steps = units / this.#step
    return Number.isInteger(steps) && steps >= this.#min && steps <= this.#max
  }

  #text(steps: number): string {
    const inside = Math.min(this.#max, Math.max(this.#min, steps))
    return formatDecimal(inside * this.#step, WIRE_DECIMALS)
  }
}

export interface Market {
  readonly symbol: string
  readonly baseAsset: string
  readonly quoteAsset: string
  readonly isTrading: boolean
  readonly prices: Grid
  readonly quantities: Grid
  /** Least price × quantity of an order, in the quote asset; 0 for none. */
  readonly minNotional: number
}

/** A row of exchangeInfo's `symbols`, as far as it is read here. */
export interface SymbolInfo {
  readonly symbol: string
  readonly status: string
  readonly baseAsset: string
  readonly quoteAsset: string
  readonly filters: readonly Readonly<Record<string, unknown>>[]
}

/** Throws RangeError for a symbol without PRICE_FILTER or LOT_SIZE, or with one it cannot count in. */
export function marketOf({ symbol, status, baseAsset, quoteAsset, filters }: SymbolInfo): Market {
  const find = (type: string) => filters.find(({ filterType }) => filterType === type)
  const grid = (type: string, step: string, min: string, max: string): Grid => {
    const filter = find(type)
    if (filter === undefined) throw new RangeError(`${symbol} has no ${type}`)
    return new Grid(String(filter[step]), String(filter[min]), String(filter[max]))
  }
  const notional = (find('NOTIONAL') ?? find('MIN_NOTIONAL'))?.minNotional
  return {
    symbol,
    baseAsset,
    quoteAsset,
    isTrading: status === 'TRADING',
    prices: grid('PRICE_FILTER', 'tickSize', 'minPrice', 'maxPrice'),
    quantities: grid('LOT_SIZE', 'stepSize', 'minQty', 'maxQty'),
    minNotional: Number(notional ?? 0),
  }
}

/** The least quantity that makes an order of so much at the price, and is allowed; as text. */
export function quantityFor({ quantities, minNotional }: Market, notional: number, price: number) {
  return quantities.above(Math.max(notional, minNotional) / price)
}

function wireUnits(text: string): number {
  const units = parseDecimal(text, WIRE_DECIMALS)
  if (units < 0) throw new RangeError(`${text} is no decimal of the wire`)
  return units
}
