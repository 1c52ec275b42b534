/**
 * What timed requests of accounts took, by stage (pipeline/receipts.ts), in shared memory: a block of each gateway, which
 * it alone writes. Readers on any thread add the blocks up. A block has room for LATENCY_ACCOUNTS accounts; one more takes
 * the place of the account that was timed longest ago.
 *
 *   blocks     of gateways: heads, then rows
 *   head       i32: the row's account plus 1; 0 while the row is empty or is emptied for another account
 *   row        by `latencyNames`: a histogram
 *   histogram  f64: the buckets of shared/histograms.ts, one for all that is larger, the sum
 */
import { AccountId } from '../base/units.ts'
import { BUCKETS, bucketOf, quantileOf, TIME_STEP_NS, timeBounds } from './histograms.ts'

/** Accounts that a gateway keeps apart. */
export const LATENCY_ACCOUNTS = 256
/** The stages, and the whole time. */
export const latencyNames = [
  ...(['parse', 'ring', 'match', 'journal', 'publish', 'answer', 'order'] as const),
] as const
type LatencyName = (typeof latencyNames)[number]

const HISTOGRAM_CELLS = BUCKETS + 2
const ROW_CELLS = latencyNames.length * HISTOGRAM_CELLS
const HEAD_BYTES = 4 * LATENCY_ACCOUNTS
const BLOCK_BYTES = HEAD_BYTES + 8 * LATENCY_ACCOUNTS * ROW_CELLS

export const accountLatencyBytes = (gateways: number): number => gateways * BLOCK_BYTES

/** One stage of an account's requests, in ns. Percentiles are upper bounds of their buckets, 0 without values. */
export interface LatencyReading {
  readonly name: LatencyName
  readonly count: number
  readonly mean: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly p999: number
  /** Upper bound and count of each bucket that has some; null for beyond the last. */
  readonly buckets: readonly (readonly [bound: number | null, count: number])[]
}

interface Block {
  readonly heads: Int32Array
  readonly rows: Float64Array
}

const blockOf = (memory: SharedArrayBuffer, gateway: number): Block => ({
  heads: new Int32Array(memory, gateway * BLOCK_BYTES, LATENCY_ACCOUNTS),
  rows: new Float64Array(memory, gateway * BLOCK_BYTES + HEAD_BYTES, LATENCY_ACCOUNTS * ROW_CELLS),
})

/** The block of one gateway: only its thread may write through it. */
export class LatencyWriter {
  private readonly block: Block
  /** By account, the one that was timed longest ago first: its row. */
  private readonly rowByAccount = new Map<AccountId, number>()

  /** `memory` is zeroed before, and sized by accountLatencyBytes. */
  constructor(memory: SharedArrayBuffer, gateway: number) {
    this.block = blockOf(memory, gateway)
  }

  observe(account: AccountId, times: Readonly<Record<LatencyName, number>>): void {
    const { rows } = this.block
    const row = this.rowOf(account)
    for (const [index, name] of latencyNames.entries()) {
      const first = row * ROW_CELLS + index * HISTOGRAM_CELLS
      const cell = first + bucketOf(times[name] / TIME_STEP_NS)
      rows[cell] = rows[cell]! + 1
      const sum = first + BUCKETS + 1
      rows[sum] = rows[sum]! + times[name]
    }
  }

  private rowOf(account: AccountId): number {
    const { rowByAccount } = this
    const found = rowByAccount.get(account)
    rowByAccount.delete(account)
    const row = found ?? this.emptyRow(account)
    rowByAccount.set(account, row)
    return row
  }

  private emptyRow(account: AccountId): number {
    const { heads, rows } = this.block
    let row = this.rowByAccount.size
    if (row === LATENCY_ACCOUNTS) {
      const [[oldest, its]] = this.rowByAccount as unknown as [[AccountId, number]]
      this.rowByAccount.delete(oldest)
      row = its
    }
    // A reader that has begun with the row sees that it is another's, and leaves it.
    Atomics.store(heads, row, 0)
    rows.fill(0, row * ROW_CELLS, (row + 1) * ROW_CELLS)
    Atomics.store(heads, row, account + 1)
    return row
  }
}

/** Reads the blocks of all gateways. */
export class LatencyReader {
  private readonly blocks: readonly Block[]

  constructor(memory: SharedArrayBuffer) {
    const gateways = memory.byteLength / BLOCK_BYTES
    this.blocks = Array.from({ length: gateways }, (_, gateway) => blockOf(memory, gateway))
  }

  /** Accounts that any gateway keeps apart, by id. */
  accounts(): AccountId[] {
    const kept = this.blocks.flatMap(({ heads }) => [...heads].filter((head) => head > 0))
    return [...new Set(kept)].sort((a, b) => a - b).map((head) => AccountId(head - 1))
  }

  /** Returns a reading for each of `latencyNames`; all empty for an account that was not timed. */
  read(account: AccountId): readonly LatencyReading[] {
    const cells = new Float64Array(ROW_CELLS)
    for (const { heads, rows } of this.blocks) {
      const row = heads.indexOf(account + 1)
      if (row < 0) continue
      const own = rows.slice(row * ROW_CELLS, (row + 1) * ROW_CELLS)
      if (Atomics.load(heads, row) !== account + 1) continue
      for (const [at, count] of own.entries()) cells[at] = cells[at]! + count
    }
    return latencyNames.map((name, index) => {
      const first = index * HISTOGRAM_CELLS
      const counts = [...cells.subarray(first, first + BUCKETS + 1)]
      return readingOf(name, counts, cells[first + BUCKETS + 1]!)
    })
  }
}

function readingOf(name: LatencyName, counts: readonly number[], sum: number): LatencyReading {
  const count = counts.reduce((total, some) => total + some, 0)
  const at = (share: number) => quantileOf({ bounds: timeBounds, counts }, share) ?? 0
  const buckets = counts.flatMap((some, bucket) =>
    some === 0 ? [] : [[timeBounds[bucket] ?? null, some] as const],
  )
  const mean = count === 0 ? 0 : Math.round(sum / count)
  return { name, count, mean, p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), buckets }
}
