/**
 * The way of one journal's blocks to the quorum: its writer offers, the replica thread takes and
 * acknowledges. The writer waits for the acknowledgement before it offers again. So the bytes stay in
 * place until the quorum has them, also while the thread reconnects.
 *
 * In a member that follows it is the way back: the replica thread offers, and the matcher or the main
 * thread takes what it applies to its own journal, and acknowledges.
 *
 *   byte 0    ReplicaCell (layout/schema/heads.ts): first, length, offered, replicated
 *   byte 256  what is offered: one block of a matcher, or JSON lines, one for each control fact
 */

import { assert } from '../base/assert.ts'
import { BATCH_EVENT_BYTES_MAX } from '../base/limits.ts'
import { elapsedMs, type Time } from '../base/time.ts'
import { BLOCK_HEADER_BYTES } from '../journal/block.ts'
import { ReplicaCell } from '../layout/cells.gen.ts'

const { FIRST, LENGTH, OFFERED, REPLICATED, bytes: CONTROL_BYTES } = ReplicaCell
const ROOM = CONTROL_BYTES
/** Facts that one action of an operator notes, as JSON. */
export const CONTROL_BYTES_MAX = 8 << 20

/** The longest block of a matcher. */
export const BLOCK_ROOM_BYTES = BLOCK_HEADER_BYTES + BATCH_EVENT_BYTES_MAX

/** Returns the memory of a matcher's slot. */
export const blockSlot = (): SharedArrayBuffer => new SharedArrayBuffer(ROOM + BLOCK_ROOM_BYTES)
/** Returns the memory of the control journal's slot. */
export const controlSlot = (): SharedArrayBuffer => new SharedArrayBuffer(ROOM + CONTROL_BYTES_MAX)

/** What is offered and not acknowledged. */
export interface Offer {
  readonly first: number
  readonly last: number
  readonly bytes: Uint8Array
}

export class ReplicaSlot {
  private readonly cells: BigInt64Array
  private readonly room: Uint8Array

  /** `memory` is zeroed before its first use. */
  constructor(memory: SharedArrayBuffer) {
    this.cells = new BigInt64Array(memory, 0, CONTROL_BYTES >> 3)
    this.room = new Uint8Array(memory, ROOM)
  }

  get replicated(): number {
    return Number(Atomics.load(this.cells, REPLICATED))
  }

  /** The journal's writer: whether the bytes have room. */
  hasRoom(length: number): boolean {
    return length <= this.room.length
  }

  /** The journal's writer: offers the blocks `first` to `last`. */
  offer(first: number, last: number, bytes: Uint8Array): void {
    const cells = this.cells
    assert(this.offered <= this.replicated, 'a journal offers once the last offer is on the quorum')
    assert(this.hasRoom(bytes.length), 'what is offered has room')
    this.room.set(bytes)
    Atomics.store(cells, FIRST, BigInt(first))
    Atomics.store(cells, LENGTH, BigInt(bytes.length))
    Atomics.store(cells, OFFERED, BigInt(last))
  }

  /** The journal's writer: blocks until the block is on the quorum. Returns false when that takes longer. */
  wait(time: Time, position: number, timeoutMs: number): boolean {
    const deadlineMs = elapsedMs(time) + timeoutMs
    for (;;) {
      const replicated = Atomics.load(this.cells, REPLICATED)
      if (replicated >= position) return true
      const leftMs = deadlineMs - elapsedMs(time)
      if (leftMs <= 0) return false
      time.wait(this.cells, REPLICATED, replicated, leftMs)
    }
  }

  /** The replica thread: returns what waits for the quorum. */
  take(): Offer | undefined {
    const last = this.offered
    if (last <= this.replicated) return undefined
    const first = Number(Atomics.load(this.cells, FIRST))
    const length = Number(Atomics.load(this.cells, LENGTH))
    return { first, last, bytes: this.room.subarray(0, length) }
  }

  /** The replica thread: the blocks up to `position` are on the quorum. Wakes the writer. */
  acknowledge(position: number): void {
    Atomics.store(this.cells, REPLICATED, BigInt(position))
    Atomics.notify(this.cells, REPLICATED)
  }

  private get offered(): number {
    return Number(Atomics.load(this.cells, OFFERED))
  }
}
