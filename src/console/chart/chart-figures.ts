/** What the candle chart works out: averages of candles, and own fills by candle. Pure. */
import { parseAtoms } from '../book/decimals.ts'
import type { Candle } from '../market/candle.ts'
import type { FillRow } from '../trade/account-rows.ts'

/** Returns the average of the candles up to this one; undefined while there are fewer. */
export function averageAt(
  rows: readonly Candle[],
  at: number,
  length: number,
  of: 'close' | 'volume',
): number | undefined {
  if (at < length - 1 || at >= rows.length) return undefined
  let sum = 0
  for (let i = at - length + 1; i <= at; i++) sum += rows[i]![of]
  return sum / length
}

/** Own fills of one side in one candle. */
export interface FillMark {
  readonly timeMs: number
  readonly isBuyer: boolean
  /** Atoms of the base asset. */
  readonly quantity: bigint
}

/** Returns marks, the oldest first; fills before the first candle have none. */
export function marksOf(fills: readonly FillRow[], rows: readonly Candle[]): FillMark[] {
  const marks = new Map<string, FillMark>()
  for (const { time, isBuyer, qty } of fills) {
    const candle = rows[indexAt(rows, time)]
    if (candle === undefined) continue
    const { timeMs } = candle
    const key = `${timeMs} ${isBuyer}`
    const quantity = (marks.get(key)?.quantity ?? 0n) + (parseAtoms(qty) ?? 0n)
    marks.set(key, { timeMs, isBuyer, quantity })
  }
  return [...marks.values()].sort((a, b) => a.timeMs - b.timeMs)
}

/** Returns the index of the last candle that does not begin later; -1 for none. */
function indexAt(rows: readonly Candle[], timeMs: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rows[middle]!.timeMs <= timeMs) low = middle + 1
    else high = middle
  }
  return low - 1
}
