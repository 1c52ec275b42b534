/**
 * Positions that the threads of one journal's write-ahead log share. They are those of blocks, and only grow.
 *
 * Their places and writers: WalCell in layout/schema/heads.ts.
 *
 * A segment is overwritten only when all its blocks are checkpointed. So a block past `checkpointed` is
 * where it was written, and a read of it is whole if `checkpointed` has not reached it afterwards.
 */
import { elapsedMs, type Time } from '../base/time.ts'
import { WalCell } from '../layout/cells.gen.ts'

const { WRITTEN, CHECKPOINTED, FIRST, SEALED } = WalCell

/**
 * Segments of one write-ahead log: one is written, two may wait to be checkpointed, one is room for a
 * slow disk.
 */
export const SEGMENT_COUNT = WalCell.FIRST_COUNT
export const WAL_CELLS_BYTES = WalCell.bytes

export class WalCells {
  private readonly cells: BigInt64Array

  /** `memory` is zeroed before its first use and has WAL_CELLS_BYTES. */
  constructor(memory = new SharedArrayBuffer(WAL_CELLS_BYTES)) {
    this.cells = new BigInt64Array(memory)
  }

  get written(): number {
    return Number(Atomics.load(this.cells, WRITTEN))
  }

  get checkpointed(): number {
    return Number(Atomics.load(this.cells, CHECKPOINTED))
  }

  /** Blocks up to it are in sealed segments on the disk: they may be removed from LMDB. */
  get sealed(): number {
    return Number(Atomics.load(this.cells, SEALED))
  }

  /** First block of the segment's present content, 0 when there is none. */
  firstOf(segment: number): number {
    return Number(Atomics.load(this.cells, FIRST + segment))
  }

  /** Complete segments that wait to be checkpointed. */
  fullSegments(): number {
    const { checkpointed } = this
    let count = 0
    for (let segment = 0; segment < SEGMENT_COUNT; segment++) {
      // Then the segment before this one has a block that is not checkpointed.
      if (this.firstOf(segment) > checkpointed + 1) count++
    }
    return count
  }

  setWritten(position: number): void {
    Atomics.store(this.cells, WRITTEN, BigInt(position))
  }

  /** Stores the position and wakes the threads that wait for it. */
  setCheckpointed(position: number): void {
    Atomics.store(this.cells, CHECKPOINTED, BigInt(position))
    Atomics.notify(this.cells, CHECKPOINTED)
  }

  /** Call it once the segment that ends with it is on the disk. */
  setSealed(position: number): void {
    Atomics.store(this.cells, SEALED, BigInt(position))
  }

  /** Call it before the first byte of the block is written. */
  setFirst(segment: number, position: number): void {
    Atomics.store(this.cells, FIRST + segment, BigInt(position))
  }

  /** A worker: sleeps until the position is checkpointed. Returns false when that takes longer. */
  waitCheckpointed(time: Time, position: number, timeoutMs: number): boolean {
    const deadlineMs = elapsedMs(time) + timeoutMs
    for (;;) {
      const checkpointed = Atomics.load(this.cells, CHECKPOINTED)
      if (checkpointed >= position) return true
      const leftMs = deadlineMs - elapsedMs(time)
      if (leftMs <= 0) return false
      time.wait(this.cells, CHECKPOINTED, checkpointed, leftMs)
    }
  }
}
