/**
 * Integers of the engine as the wire's decimals: always eight places, never an exponent (supplement
 * 2a.3, Easily wrong). An answer holds up to a dozen of them, so they are put together from a table
 * of four-digit texts; bench/micro/codec.ts pays for it.
 */
import { formatBigDecimal } from '../../base/fixed.ts'
import { type Int64, product } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import type { Lots, Ms, Ticks } from '../../base/units.ts'
import type { SymbolSpec } from '../../market/listing.ts'

const FOUR_DIGITS = Array.from({ length: 10_000 }, (_, n) => String(n).padStart(4, '0'))
const UNIT = 10 ** WIRE_DECIMALS

export const ZERO = '0.00000000'

/** 10^-8 units, at least 0, as text: 150000000 → "1.50000000". */
export function unitsText(units: Int64): string {
  if (units === 0) return ZERO
  if (typeof units !== 'number') return formatBigDecimal(units, WIRE_DECIMALS)
  const whole = Math.floor(units / UNIT)
  const fraction = units - whole * UNIT
  const upper = (fraction / 10_000) | 0
  return `${whole}.${FOUR_DIGITS[upper]}${FOUR_DIGITS[fraction - upper * 10_000]}`
}

export const priceText = (spec: SymbolSpec, ticks: Ticks): string =>
  unitsText(product(ticks, spec.tickUnits))

export const quantityText = (spec: SymbolSpec, lots: Lots): string =>
  unitsText(product(lots, spec.lotUnits))

/** Milliseconds as the answer's time unit has them (supplement 2g, X-MBX-TIME-UNIT). */
export const timeOf = (timeMs: Ms, microseconds: boolean): number =>
  microseconds ? timeMs * 1000 : timeMs
