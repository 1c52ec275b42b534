/**
 * Positions that the threads of one journal's tail share. They are those of blocks, and only grow.
 *
 * Their places and writers: TailCell in layout/schema/heads.ts.
 *
 * A segment is overwritten only when all its blocks are carried. So a block past `carried` is where it
 * was written, and a read of it is whole if `carried` has not reached it afterwards.
 */
import { TailCell } from '../layout/cells.gen.ts'

const { WRITTEN, CARRIED, FIRST, MOVED } = TailCell

/** Segments of one tail: one is written, two may wait to be carried, one is room for a slow disk. */
export const SEGMENT_COUNT = TailCell.FIRST_COUNT
export const TAIL_CELLS_BYTES = TailCell.bytes

export class TailCells {
  readonly #cells: BigInt64Array

  /** `memory` is zeroed before its first use and has TAIL_CELLS_BYTES. */
  constructor(memory = new SharedArrayBuffer(TAIL_CELLS_BYTES)) {
    this.#cells = new BigInt64Array(memory)
  }

  get written(): number {
    return Number(Atomics.load(this.#cells, WRITTEN))
  }

  get carried(): number {
    return Number(Atomics.load(this.#cells, CARRIED))
  }

  /** Blocks up to it may be removed from LMDB. */
  get moved(): number {
    return Number(Atomics.load(this.#cells, MOVED))
  }

  /** First block of the segment's present content, 0 when there is none. */
  firstOf(segment: number): number {
    return Number(Atomics.load(this.#cells, FIRST + segment))
  }

  /** Complete segments that wait to be carried. */
  fullSegments(): number {
    const { carried } = this
    let count = 0
    for (let segment = 0; segment < SEGMENT_COUNT; segment++) {
      // Then the segment before this one has a block that is not carried.
      if (this.firstOf(segment) > carried + 1) count++
    }
    return count
  }

  setWritten(position: number): void {
    Atomics.store(this.#cells, WRITTEN, BigInt(position))
  }

  /** Stores the position and wakes the threads that wait for it. */
  setCarried(position: number): void {
    Atomics.store(this.#cells, CARRIED, BigInt(position))
    Atomics.notify(this.#cells, CARRIED)
  }

  /** Call it once the blocks are on the disk in files. */
  setMoved(position: number): void {
    Atomics.store(this.#cells, MOVED, BigInt(position))
  }

  /** Call it before the first byte of the block is written. */
  setFirst(segment: number, position: number): void {
    Atomics.store(this.#cells, FIRST + segment, BigInt(position))
  }

  /** A worker: sleeps until the position is carried. Returns false when that takes longer. */
  waitCarried(position: number, timeoutMs: number): boolean {
    const deadlineMs = performance.now() + timeoutMs
    for (;;) {
      const carried = Atomics.load(this.#cells, CARRIED)
      if (carried >= position) return true
      const leftMs = deadlineMs - performance.now()
      if (leftMs <= 0) return false
      Atomics.wait(this.#cells, CARRIED, carried, leftMs)
    }
  }
}
