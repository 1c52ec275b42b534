/**
 * Outer limits of another venue's filters, lowered to the range that this exchange keeps exactly: no order needs a
 * price of 2^31 ticks, and many venues leave such a maxPrice to symbols that trade far below it.
 */

import { isTable, type Table } from '../base/cold-input.ts'
import { formatBigDecimal } from '../base/fixed.ts'
import { INT64_MAX } from '../base/int64.ts'
import { PRICE_TICKS_MAX, QTY_LOTS_MAX, WIRE_DECIMALS } from '../base/limits.ts'

/** By type: the field, and the step and most steps that bound it besides 64 bits. */
const outerLimits: Readonly<
  Record<string, readonly [field: string, step?: string, most?: number]>
> = {
  PRICE_FILTER: ['maxPrice', 'tickSize', PRICE_TICKS_MAX],
  LOT_SIZE: ['maxQty', 'stepSize', QTY_LOTS_MAX],
  MARKET_LOT_SIZE: ['maxQty'],
  NOTIONAL: ['maxNotional'],
  MAX_POSITION: ['maxPosition'],
}

const DECIMAL = /^(\d{1,40})(?:\.(\d{1,8})0*)?$/

/** Returns the text in 10^-8; undefined where it is no decimal of 8 places. */
function unitsIn(value: unknown): bigint | undefined {
  const [, whole, fraction = ''] = DECIMAL.exec(String(value)) ?? []
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(WIRE_DECIMALS, '0'))
}

export interface FittedFilters {
  readonly filters: unknown
  /** What was lowered, and to what. */
  readonly lowered: readonly string[]
}

/** Filters that are no filters stay as they are: their reader refuses them. */
export function fittedFilters(given: unknown): FittedFilters {
  if (!Array.isArray(given)) return { filters: given, lowered: [] }
  const lowered: string[] = []
  const filters = given.map((filter) => {
    const limit = isTable(filter) ? outerLimits[String(filter.filterType)] : undefined
    return limit === undefined ? filter : fitted(filter, limit, lowered)
  })
  return { filters, lowered }
}

function fitted(
  filter: Table,
  [field, stepField = '', mostSteps = 0]: (typeof outerLimits)[string],
  lowered: string[],
): Table {
  const units = unitsIn(filter[field])
  const step = unitsIn(filter[stepField]) ?? 0n
  if (units === undefined) return filter
  const room = step === 0n ? INT64_MAX : INT64_MAX / step
  const steps = step > 0n && room > BigInt(mostSteps) ? BigInt(mostSteps) : room
  const most = step === 0n ? room : steps * step
  if (units <= most) return filter
  const by = step === 0n ? '64 bits' : `${steps} steps`
  lowered.push(`${filter.filterType}.${field} lowered to ${by}`)
  return { ...filter, [field]: formatBigDecimal(most, WIRE_DECIMALS) }
}
