/**
 * Histograms of durations and sizes: counts in log-linear buckets, in shared memory. Each matcher and
 * each gateway has a block that it alone writes, plainly; readers add the blocks up. Every histogram is
 * one row below.
 *
 *   blocks     matcher 0, gateway 0, matcher 1, gateway 1, …
 *   histogram  56 cells, each an f64: 52 buckets, one for all that is larger, the sum, 2 unused
 *
 * A bucket counts the values up to its bound, above the bound before. In steps of the row the bounds
 * are 1, 2, 3, 4, 6, 8, 12, 16, …: two in each power of two, up to 2^26.
 */
import { assert } from '../base/assert.ts'

export type HistogramScope = 'matcher' | 'gateway'
type HistogramRow = readonly [unit: 'ns' | 'commands', step: number, meaning: string]

/** 256 ns to 17 s. */
export const TIME_STEP_NS = 256

const matcherRows = {
  batchCommands: ['commands', 1, 'commands in one batch'],
  flush: ['ns', TIME_STEP_NS, 'appending and flushing one block of the journal'],
} as const satisfies Record<string, HistogramRow>

/** The stages are those of pipeline/receipts.ts. */
const gatewayRows = {
  parse: ['ns', TIME_STEP_NS, 'from the arrival of a request until its command is in the ring'],
  ring: ['ns', TIME_STEP_NS, 'from there until the engine begins with it'],
  match: ['ns', TIME_STEP_NS, 'in the engine'],
  journal: ['ns', TIME_STEP_NS, 'from there until the block that holds its events is written'],
  publish: ['ns', TIME_STEP_NS, 'from there until gateways can read its events'],
  answer: ['ns', TIME_STEP_NS, 'from there until the answer is handed to the socket'],
  order: ['ns', TIME_STEP_NS, 'from the arrival of a request until its answer is at the socket'],
  loopDelay: ['ns', TIME_STEP_NS, 'by which a timer of the event loop is late'],
} as const satisfies Record<string, HistogramRow>

const scopes: readonly {
  readonly scope: HistogramScope
  readonly rows: Readonly<Record<string, HistogramRow>>
  readonly blockOf: (index: number) => number
}[] = [
  { scope: 'matcher', rows: matcherRows, blockOf: (index) => 2 * index },
  { scope: 'gateway', rows: gatewayRows, blockOf: (index) => 2 * index + 1 },
]
const [matcherScope, gatewayScope] = scopes

/** Which histogram of a block. */
export const MatcherHistogram = idsOf(matcherRows)
export const GatewayHistogram = idsOf(gatewayRows)

export const BUCKETS = 52
const SUM_CELL = BUCKETS + 1
const HISTOGRAM_CELLS = 56
const BLOCK_HISTOGRAMS = 8
const BLOCK_CELLS = BLOCK_HISTOGRAMS * HISTOGRAM_CELLS
for (const { rows } of scopes) {
  assert(Object.keys(rows).length <= BLOCK_HISTOGRAMS, 'a block has room for its histograms')
}

/** Returns steps; a value at the bound is counted in its bucket. */
export const boundOf = (bucket: number): number =>
  bucket < 2 ? bucket + 1 : 2 ** (bucket >> 1) * ((bucket & 1) === 0 ? 1.5 : 2)

/** Upper bounds of the buckets of durations, ns. */
export const timeBounds: readonly number[] = Array.from(
  { length: BUCKETS },
  (_, bucket) => TIME_STEP_NS * boundOf(bucket),
)

/** Returns the bytes of shared memory for these threads. */
export const histogramsBytes = (matchers: number, gateways: number): number =>
  2 * Math.max(matchers, gateways) * BLOCK_CELLS * 8

/** The histograms of one matcher or gateway: only its own thread may write through it. */
export class ThreadHistograms {
  private readonly cells: Float64Array
  private readonly scales: Float64Array

  private constructor(
    memory: SharedArrayBuffer,
    { rows, blockOf }: (typeof scopes)[number],
    index: number,
  ) {
    this.cells = new Float64Array(memory, blockOf(index) * BLOCK_CELLS * 8, BLOCK_CELLS)
    this.scales = Float64Array.from(Object.values(rows), ([, step]) => 1 / step)
  }

  /** For rows named by MatcherHistogram. */
  static ofMatcher(memory: SharedArrayBuffer, index: number): ThreadHistograms {
    return new ThreadHistograms(memory, matcherScope!, index)
  }

  /** For rows named by GatewayHistogram. */
  static ofGateway(memory: SharedArrayBuffer, index: number): ThreadHistograms {
    return new ThreadHistograms(memory, gatewayScope!, index)
  }

  /** Counts `value`, in the row's unit, not negative. */
  observe(row: number, value: number): void {
    const cells = this.cells
    const first = row * HISTOGRAM_CELLS
    const cell = first + bucketOf(value * this.scales[row]!)
    cells[cell] = cells[cell]! + 1
    cells[first + SUM_CELL] = cells[first + SUM_CELL]! + value
  }
}

/** Returns the bucket; BUCKETS for values above the last bound. */
export function bucketOf(steps: number): number {
  const last = Math.ceil(steps) - 1
  if (last < 2) return last < 1 ? 0 : 1
  if (last >= 2 ** (BUCKETS / 2)) return BUCKETS
  const power = 31 - Math.clz32(last)
  return 2 * power + ((last >>> (power - 1)) & 1)
}

/** One histogram, of all threads together. */
export interface HistogramReading {
  readonly scope: HistogramScope
  readonly name: string
  readonly unit: HistogramRow[0]
  readonly meaning: string
  /** Upper bounds of the buckets, in the unit. */
  readonly bounds: readonly number[]
  /** By bucket; one more for values above the last bound. */
  readonly counts: readonly number[]
  /** Sum of all values, in the unit. */
  readonly sum: number
}

/** Returns the bound below which this share of the values lies; undefined without values. */
export function quantileOf(
  { bounds, counts }: Pick<HistogramReading, 'bounds' | 'counts'>,
  share: number,
): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let reached = 0
  const bucket = counts.findIndex((count) => {
    reached += count
    return reached >= share * total
  })
  return bounds[bucket] ?? bounds.at(-1)
}

/** Every histogram of the first `matchers` and `gateways` blocks, in the order of the tables. */
export function readHistograms(
  memory: SharedArrayBuffer,
  matchers: number,
  gateways: number,
): HistogramReading[] {
  const cells = new Float64Array(memory)
  const readings: HistogramReading[] = []
  for (const { scope, rows, blockOf } of scopes) {
    const threads = scope === 'matcher' ? matchers : gateways
    for (const [row, [name, [unit, step, meaning]]] of Object.entries(rows).entries()) {
      const bounds = Array.from({ length: BUCKETS }, (_, bucket) => step * boundOf(bucket))
      const counts: number[] = new Array(BUCKETS + 1).fill(0)
      let sum = 0
      for (let index = 0; index < threads; index++) {
        const first = blockOf(index) * BLOCK_CELLS + row * HISTOGRAM_CELLS
        for (let bucket = 0; bucket <= BUCKETS; bucket++) counts[bucket]! += cells[first + bucket]!
        sum += cells[first + SUM_CELL]!
      }
      readings.push({ scope, name, unit, meaning, bounds, counts, sum })
    }
  }
  return readings
}

function idsOf<T extends Record<string, HistogramRow>>(
  rows: T,
): { readonly [Name in keyof T]: number } {
  const ids: Record<string, number> = {}
  for (const name of Object.keys(rows)) ids[name] = Object.keys(ids).length
  return ids as { readonly [Name in keyof T]: number }
}
