/** PERCENT_PRICE and PERCENT_PRICE_BY_SIDE (filters.md), compared exactly. */
import { Side } from '../base/codes.ts'
import type { Int64 } from '../base/int64.ts'
import { WIRE_DECIMALS } from '../base/limits.ts'
import type { Ticks } from '../base/units.ts'
import type { PercentPrice } from './filter-bounds.ts'

/** Multipliers of the average price are integers of this part of one. */
export const MULTIPLIER_UNIT = 10 ** WIRE_DECIMALS

/** An average price in ticks, as a fraction: Σ(ticks × lots) over Σ lots. */
export interface AveragePrice {
  readonly tickLots: bigint
  readonly lots: bigint
}

/** The reference price, in 10^-8 of the quote asset, in place of an average; undefined below zero: there is none. */
export const referenceAverage = (tickUnits: number, units: Int64): AveragePrice | undefined =>
  units < 0 ? undefined : { tickLots: BigInt(units), lots: BigInt(tickUnits) }

/** By which the filter bounds the prices of a side; an upper one of zero does not bound. */
export const multipliersOf = (
  { bidUp, bidDown, askUp, askDown }: PercentPrice,
  side: Side,
): readonly [up: number, down: number] => (side === Side.BUY ? [bidUp, bidDown] : [askUp, askDown])

/** Whether average × down ≤ price ≤ average × up. */
export function isWithinPercent(
  filter: PercentPrice,
  average: AveragePrice,
  side: Side,
  priceTicks: Ticks,
): boolean {
  const [up, down] = multipliersOf(filter, side)
  const price = BigInt(priceTicks) * average.lots * BigInt(MULTIPLIER_UNIT)
  if (price < average.tickLots * BigInt(down)) return false
  return up === 0 || price <= average.tickLots * BigInt(up)
}
