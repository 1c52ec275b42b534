/** The market makers' plan for each symbol: the tables of a liquidity file (docs/liquidity.md). */

/** Quotes and takes around a price of its own. */
export interface KeepPlan {
  readonly kind: 'keep'
  readonly symbol: string
  readonly seed: number
  /** The price that it returns to; undefined for the last one traded. */
  readonly price: number | undefined
  /** Acts a second, on average; a share of them take, the others quote. */
  readonly intensity: number
  readonly takerShare: number
  /** Between the best two prices, and from one level to the next: 1/100 % of the price. */
  readonly spreadBps: number
  readonly stepBps: number
  readonly levels: number
  /** Of one order, in the quote asset; undefined for 50 times the symbol's least. */
  readonly notional: number | undefined
  /** Standard deviation of the price after an hour, 1/100 %. */
  readonly volatilityBps: number
}
/** Plays recorded trades and depth back into the book. */
export interface ReplayPlan {
  readonly kind: 'replay'
  readonly symbol: string
  readonly file: string
  /** The symbol in the recording. */
  readonly recordedSymbol: string
  /** How much faster than it was recorded. */
  readonly speed: number
  /** Whether it begins again after its end. */
  readonly repeat: boolean
}
/** Cancels the orders that an earlier start left open, and does no more. */
export interface LeavePlan {
  readonly kind: 'leave'
  readonly symbol: string
}
export type LiquidityPlan = KeepPlan | ReplayPlan

/** What is wrong with a liquidity file, in one sentence for the operator. */
export class PlanError extends Error {
  override readonly name = 'PlanError'
}

/** The demo's symbols: the price that each returns to, and the size of an order, in the quote asset. */
const usualMarkets: Readonly<
  Record<string, { readonly price: number; readonly notional: number }>
> = {
  BTCUSDT: { price: 60_000, notional: 5_000 },
  ETHUSDT: { price: 3_000, notional: 5_000 },
  SOLUSDT: { price: 150, notional: 5_000 },
  ETHBTC: { price: 0.05, notional: 0.1 },
  BNBUSDT: { price: 600, notional: 5_000 },
  ADAUSDT: { price: 0.5, notional: 5_000 },
}

const INTENSITY_MAX = 1_000
const LEVELS_MAX = 1_000
const BPS_MAX = 5_000
const AMOUNT_MAX = 1e12
const SPEED_MAX = 1_000

/** Returns the plans without a liquidity file: for listed symbols of the demo. */
export function usualPlans(symbols: readonly string[], seed: number): readonly LiquidityPlan[] {
  const known = symbols.filter((symbol) => usualMarkets[symbol] !== undefined)
  return known.map((symbol) => {
    const { notional } = usualMarkets[symbol]!
    return planOf(symbol, { notional }, seed)
  })
}

/** Reads the file's tables, one for each symbol. Throws PlanError. */
export function plansOf(
  tables: Readonly<Record<string, unknown>>,
  symbols: readonly string[],
  seed: number,
): readonly LiquidityPlan[] {
  return Object.entries(tables).map(([symbol, table]) => {
    if (!symbols.includes(symbol)) throw new PlanError(`There is no symbol ${symbol} to quote.`)
    if (typeof table !== 'object' || table === null || Array.isArray(table)) {
      throw new PlanError(`${symbol} must be a table, as in [${symbol}].`)
    }
    return planOf(symbol, table as Readonly<Record<string, unknown>>, seed)
  })
}

function planOf(
  symbol: string,
  table: Readonly<Record<string, unknown>>,
  seed: number,
): LiquidityPlan {
  const values = new Values(symbol, table)
  const plan = values.has('replay') ? replayPlan(symbol, values) : keepPlan(symbol, values, seed)
  values.end()
  return plan
}

const replayPlan = (symbol: string, values: Values): ReplayPlan => ({
  kind: 'replay',
  symbol,
  file: values.text('replay', ''),
  recordedSymbol: values.text('recorded-symbol', symbol),
  speed: values.number('speed', 1, SPEED_MAX),
  repeat: values.flag('repeat', false),
})

const keepPlan = (symbol: string, values: Values, seed: number): KeepPlan => ({
  kind: 'keep',
  symbol,
  seed: values.integer('seed', seedOf(symbol, seed), 2 ** 32),
  price: values.number('price', usualMarkets[symbol]?.price, AMOUNT_MAX),
  intensity: values.number('intensity', 1, INTENSITY_MAX),
  takerShare: values.number('taker-share', 0.3, 0.95),
  spreadBps: values.number('spread-bps', 4, BPS_MAX),
  stepBps: values.number('step-bps', 2, BPS_MAX),
  levels: values.integer('levels', 10, LEVELS_MAX),
  notional: values.number('notional', undefined, AMOUNT_MAX),
  volatilityBps: values.number('volatility-bps', 50, BPS_MAX),
})

/** Returns a seed of the symbol's own. */
function seedOf(symbol: string, seed: number): number {
  let mixed = seed
  for (const letter of symbol) mixed = (Math.imul(mixed, 31) + letter.charCodeAt(0)) >>> 0
  return mixed || 1
}

/** The entries of one table; unread ones are refused at the end. */
class Values {
  readonly #symbol: string
  readonly #left: Map<string, unknown>

  constructor(symbol: string, table: Readonly<Record<string, unknown>>) {
    this.#symbol = symbol
    this.#left = new Map(Object.entries(table))
  }

  has(name: string): boolean {
    return this.#left.has(name)
  }

  text(name: string, usual: string): string {
    const value = this.#take(name) ?? usual
    if (typeof value === 'string' && value !== '') return value
    return this.#refuse(`${name} must be a text`)
  }

  flag(name: string, usual: boolean): boolean {
    const value = this.#take(name) ?? usual
    return typeof value === 'boolean' ? value : this.#refuse(`${name} must be true or false`)
  }

  /** Above zero, at most `max`. */
  number<Usual extends number | undefined>(name: string, usual: Usual, max: number) {
    const value = this.#take(name)
    if (value === undefined) return usual
    if (typeof value === 'number' && value > 0 && value <= max) return value
    return this.#refuse(`${name} must be a number above 0, at most ${max}`)
  }

  integer(name: string, usual: number, max: number): number {
    const value = this.number(name, usual, max)
    return Number.isInteger(value) ? value : this.#refuse(`${name} must be a whole number`)
  }

  end(): void {
    const [name] = this.#left.keys()
    if (name !== undefined) this.#refuse(`${name} is not known there`)
  }

  #take(name: string): unknown {
    const value = this.#left.get(name)
    this.#left.delete(name)
    return value
  }

  #refuse(why: string): never {
    throw new PlanError(`In the table ${this.#symbol} of the liquidity file, ${why}.`)
  }
}
