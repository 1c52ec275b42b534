/** The market maker's plan for each symbol: the tables of a liquidity file (docs/liquidity.md). */
import { isTable, type Table } from '../base/cold-input.ts'
import { TableReader } from '../config/table-reader.ts'

/** Quotes and takes around its own price. */
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
  /** Notional of one order, in the quote asset; undefined for 50 times the symbol's least. */
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
  tables: Table,
  symbols: readonly string[],
  seed: number,
): readonly LiquidityPlan[] {
  return Object.entries(tables).map(([symbol, table]) => {
    if (!symbols.includes(symbol)) throw new PlanError(`There is no symbol ${symbol} to quote.`)
    if (!isTable(table)) throw new PlanError(`${symbol} must be a table, as in [${symbol}].`)
    return planOf(symbol, table, seed)
  })
}

function planOf(symbol: string, table: Table, seed: number): LiquidityPlan {
  const where = `In the table ${symbol} of the liquidity file`
  const values = new TableReader(where, table, (of, why) => new PlanError(`${of}, ${why}.`))
  const plan = values.has('replay') ? replayPlan(symbol, values) : keepPlan(symbol, values, seed)
  values.end()
  return plan
}

const replayPlan = (symbol: string, values: TableReader): ReplayPlan => ({
  kind: 'replay',
  symbol,
  file: values.text('replay'),
  recordedSymbol: values.text('recorded-symbol', symbol),
  speed: values.number('speed', SPEED_MAX, 1),
  repeat: values.flag('repeat', false),
})

const keepPlan = (symbol: string, values: TableReader, seed: number): KeepPlan => ({
  kind: 'keep',
  symbol,
  seed: values.integer('seed', 2 ** 32, seedOf(symbol, seed)),
  price: values.maybeNumber('price', AMOUNT_MAX) ?? usualMarkets[symbol]?.price,
  intensity: values.number('intensity', INTENSITY_MAX, 1),
  takerShare: values.number('taker-share', 0.95, 0.3),
  spreadBps: values.number('spread-bps', BPS_MAX, 4),
  stepBps: values.number('step-bps', BPS_MAX, 2),
  levels: values.integer('levels', LEVELS_MAX, 10),
  notional: values.maybeNumber('notional', AMOUNT_MAX),
  volatilityBps: values.number('volatility-bps', BPS_MAX, 50),
})

/** Returns a seed of the symbol's own. */
function seedOf(symbol: string, seed: number): number {
  let mixed = seed
  for (const letter of symbol) mixed = (Math.imul(mixed, 31) + letter.charCodeAt(0)) >>> 0
  return mixed || 1
}
