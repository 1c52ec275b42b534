/**
 * Positions that the threads of one journal's tail share. They are those of blocks, and only grow.
 *
 *   byte 0    written  i64  last block that the tail holds; written by the matcher
 *   byte 128  carried  i64  last block that LMDB holds on the disk; written by the carrier
 *   byte 256  first    i64  for each segment, its first block, 0 while it has none; by the matcher
 *   byte 384  moved    i64  last block that is in files of old blocks; written by the mover
 *
 * A segment is overwritten only when all its blocks are carried. So a block past `carried` is where it
 * was written, and a read of it is whole if `carried` has not reached it afterwards.
 */
const WRITTEN = 0
const CARRIED = 16
const FIRST = 32
const MOVED = 48

/** Segments of one tail: one is written, one carried, two are room for a slow disk. */
export const SEGMENT_COUNT = 4
export const TAIL_CELLS_BYTES = (MOVED + 1) * 8

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

  /** Whether a complete segment waits to be carried. */
  isSegmentFull(): boolean {
    let newest = 0
    for (let segment = 0; segment < SEGMENT_COUNT; segment++) {
      newest = Math.max(newest, this.firstOf(segment))
    }
    return newest > this.carried + 1
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
