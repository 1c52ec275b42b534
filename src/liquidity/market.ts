/**
 * A symbol's rules as a client needs them, read from GET /api/v3/exchangeInfo, and the rounding of
 * prices and quantities to them.
 */
import { formatDecimal, parseInt64 } from '../base/fixed.ts'
import { type Int64, product } from '../base/int64.ts'
import { WIRE_DECIMALS } from '../base/limits.ts'

const WIRE_UNIT = 10 ** WIRE_DECIMALS

/** The multiples of a step between two bounds; a step of zero stands for the wire's smallest unit. */
export class Grid {
  private readonly step: number
  private readonly min: number
  private readonly max: number

  /** Decimal texts as filters hold them. */
  constructor(step: string, min: string, max: string) {
    this.step = Math.max(1, Number(wireUnits(step)))
    this.min = Math.ceil(Number(wireUnits(min)) / this.step)
    this.max = Number(BigInt(wireUnits(max)) / BigInt(this.step))
  }

  /** Returns the nearest multiple, as text. */
  near(value: number): string {
    return this.text(Math.round((value * WIRE_UNIT) / this.step))
  }

  /** Returns the smallest multiple not below the value, as text. */
  above(value: number): string {
    return this.text(Math.ceil((value * WIRE_UNIT) / this.step))
  }

  /** Returns the largest multiple not above the value, as text. */
  below(value: number): string {
    return this.text(Math.floor((value * WIRE_UNIT) / this.step))
  }

  /** Whether an order may have this value. */
  holds(text: string): boolean {
    const units = BigInt(wireUnits(text))
    const steps = units / BigInt(this.step)
    return steps * BigInt(this.step) === units && steps >= this.min && steps <= this.max
  }

  private text(steps: number): string {
    const inside = Math.min(this.max, Math.max(this.min, steps))
    return formatDecimal(product(inside, this.step), WIRE_DECIMALS)
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

/** The part of exchangeInfo's `symbols` rows that is read here. */
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

/** Returns the least allowed quantity whose notional at the price is enough, as text. */
export function quantityFor({ quantities, minNotional }: Market, notional: number, price: number) {
  return quantities.above(Math.max(notional, minNotional) / price)
}

function wireUnits(text: string): Int64 {
  const units = parseInt64(text, WIRE_DECIMALS)
  if (units < 0) throw new RangeError(`${text} is no decimal of the wire`)
  return units
}
