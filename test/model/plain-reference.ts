/**
 * The reference price of one symbol, plainly (faqs/price_range_execution_rules.md): each price is found by going
 * through all trades since the calculation began. Shares nothing with src/core.
 */
import { ReferenceCalculation } from '../../src/base/codes.ts'
import type { Int64 } from '../../src/base/int64.ts'
import type { ReferenceSettings } from '../../src/market/listing.ts'

export interface PlainReference {
  readonly settings: ReferenceSettings
  /** From outside; -1 for none. */
  readonly priceUnits: Int64
  readonly hasPriced: boolean
  /** All that count, oldest first. */
  readonly trades: readonly PlainPriced[]
}

interface PlainPriced {
  readonly ticks: bigint
  readonly timeMs: number
}

interface PlainBucket {
  readonly openMs: number
  readonly trades: number
  readonly tickSum: bigint
}

export const emptyReference: PlainReference = {
  settings: {
    calculation: ReferenceCalculation.NONE,
    bucketCount: 0,
    bucketWidthMs: 0,
    externalId: 0,
  },
  priceUnits: -1,
  hasPriced: false,
  trades: [],
}

export const isSameReference = (a: ReferenceSettings, b: ReferenceSettings): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())

/** A calculation that is another has no trades. */
export const changedReference = (
  before: PlainReference,
  settings: ReferenceSettings,
  priceUnits: Int64,
): PlainReference => ({
  settings,
  priceUnits,
  hasPriced: before.hasPriced || priceUnits !== -1,
  trades: isSameReference(before.settings, settings) ? before.trades : [],
})

export function tradedReference(
  before: PlainReference,
  ticks: bigint,
  timeMs: number,
): PlainReference {
  if (before.settings.calculation !== ReferenceCalculation.ARITHMETIC_MEAN) return before
  return { ...before, hasPriced: true, trades: [...before.trades, { ticks, timeMs }] }
}

/** The buckets that were held when the last trade was made. */
export function bucketsOf({ settings, trades }: PlainReference): PlainBucket[] {
  const { bucketCount, bucketWidthMs } = settings
  const openOf = ({ timeMs }: PlainPriced) => Math.floor(timeMs / bucketWidthMs) * bucketWidthMs
  const lastMs = trades.at(-1)?.timeMs ?? 0
  return [...new Set(trades.map(openOf))]
    .filter((openMs) => openMs + bucketWidthMs > lastMs - bucketCount * bucketWidthMs)
    .map((openMs) => {
      const its = trades.filter((trade) => openOf(trade) === openMs)
      return { openMs, trades: its.length, tickSum: its.reduce((all, it) => all + it.ticks, 0n) }
    })
}

/** In 10^-8 of the quote asset; undefined for none. */
export function referenceAt(
  reference: PlainReference,
  tickUnits: number,
  nowMs: number,
): bigint | undefined {
  const { settings, priceUnits } = reference
  const { bucketCount, bucketWidthMs, calculation } = settings
  if (calculation !== ReferenceCalculation.ARITHMETIC_MEAN) {
    return priceUnits === -1 ? undefined : BigInt(priceUnits)
  }
  const cutoffMs = nowMs - bucketCount * bucketWidthMs
  let count = 0n
  let sum = 0n
  for (const { openMs, trades, tickSum } of bucketsOf(reference)) {
    const left = openMs + bucketWidthMs - Math.max(openMs, cutoffMs)
    if (left <= 0) continue
    count += (BigInt(trades) * 10_000n * BigInt(left)) / BigInt(bucketWidthMs)
    sum += (tickSum * BigInt(tickUnits) * 10_000n * BigInt(left)) / BigInt(bucketWidthMs)
  }
  return count === 0n ? undefined : sum / count
}
