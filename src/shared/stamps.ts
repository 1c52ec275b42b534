/**
 * Times at which a matcher finished each stage of a command. Only commands with the TIMED flag are
 * stamped. A gateway has a row for each command that it may have under way, found by the low bits of
 * the correlation id. The matcher that executes the command writes the row before it publishes the
 * events; the gateway reads the row after the events.
 *
 *   row  correlation, begun, matched, journaled, published: f64 each
 *
 * Times are ns of base/time.ts, which all threads share. A command that the gateway has given up may
 * write a row that belongs to another by then, so the row holds its correlation id.
 */
import { assert } from '../base/assert.ts'

const Cell = { CORRELATION: 0, BEGUN: 1, MATCHED: 2, JOURNALED: 3, PUBLISHED: 4 } as const
const ROW_CELLS = 5

/** Returns the bytes of shared memory for one gateway with `rows` rows, a power of two. */
export function stampsBytes(rows: number): number {
  assert(Number.isInteger(Math.log2(rows)), 'rows are found by the low bits of an id')
  return rows * ROW_CELLS * 8
}

const rowOf = (cells: Float64Array, correlation: number): number =>
  (correlation & (cells.length / ROW_CELLS - 1)) * ROW_CELLS

/** A matcher's end: notes the timed commands of a batch, then stamps them all at once. */
export class BatchStamps {
  /** By gateway. */
  private readonly gateways: readonly Float64Array[]
  private readonly noted: { readonly cells: Float64Array; readonly row: number }[] = []

  constructor(memories: readonly SharedArrayBuffer[]) {
    this.gateways = memories.map((memory) => new Float64Array(memory))
  }

  /** Whether the batch holds a timed command. */
  get isTimed(): boolean {
    return this.noted.length > 0
  }

  executed(gateway: number, correlation: number, begunNs: number, matchedNs: number): void {
    const cells = this.gateways[gateway]!
    const row = rowOf(cells, correlation)
    cells[row + Cell.CORRELATION] = correlation
    cells[row + Cell.BEGUN] = begunNs
    cells[row + Cell.MATCHED] = matchedNs
    this.noted.push({ cells, row })
  }

  journaled(nowNs: number): void {
    for (const { cells, row } of this.noted) cells[row + Cell.JOURNALED] = nowNs
  }

  /** Stamps the batch, just before it becomes visible, and ends it. */
  published(nowNs: number): void {
    for (const { cells, row } of this.noted) cells[row + Cell.PUBLISHED] = nowNs
    this.noted.length = 0
  }
}

export interface CommandStamps {
  readonly begunNs: number
  readonly matchedNs: number
  readonly journaledNs: number
  readonly publishedNs: number
}

/** A gateway's end. */
export class StampReader {
  private readonly cells: Float64Array

  constructor(memory: SharedArrayBuffer) {
    this.cells = new Float64Array(memory)
  }

  /** Returns the stamps; undefined when the row belongs to another command. */
  of(correlation: number): CommandStamps | undefined {
    const cells = this.cells
    const row = rowOf(cells, correlation)
    if (cells[row + Cell.CORRELATION] !== correlation) return undefined
    return {
      begunNs: cells[row + Cell.BEGUN]!,
      matchedNs: cells[row + Cell.MATCHED]!,
      journaledNs: cells[row + Cell.JOURNALED]!,
      publishedNs: cells[row + Cell.PUBLISHED]!,
    }
  }
}
