/**
 * A matcher's journal as the matcher sees it: every block is written to the tail, and with 'flushed'
 * is on the disk when `append` returns, by one flush of the device. The carrier carries the blocks into
 * LMDB (carrier.ts).
 *
 * - 'flushed': an appended block survives a power loss.
 * - 'replicated': it survives the loss of the machine as well. The flush and the way to the quorum run
 *   side by side, and `append` waits for both.
 * - 'committed': an appended block is in the kernel's hands, so a killed process loses nothing. A power
 *   loss may cost blocks that are neither flushed nor carried, never a middle.
 */
import { assert } from '../base/assert.ts'
import { BLOCK_BYTES_MAX } from '../base/limits.ts'
import { Carrier, recoverTail } from './carrier.ts'
import type { JournalPlace } from './chain.ts'
import { journalFolder, LmdbStore } from './lmdb-store.ts'
import type { Durability, JournalStore } from './store.ts'
import { TailCells } from './tail-cells.ts'
import { TailWriter } from './tail-writer.ts'

/** The most blocks that 'committed' leaves unflushed; the caller may flush sooner. */
const UNFLUSHED_BLOCKS_MAX = 512
const UNFLUSHED_BYTES_MAX = 16 << 20

/** Connects the tail's writer with the thread that carries it. */
export interface TailParts {
  readonly cells: TailCells
  /** Called when a segment is begun: the one before can be carried. */
  readonly segmentBegun: () => void
  /** Called when no segment is free: returns once the block is carried, or throws. */
  readonly makeRoom: (position: number) => void
  /** Of tail-writer.ts. */
  readonly segmentBytes?: number
}

/** The quorum, as a journal sees it. */
export interface JournalQuorum {
  /** Sends the block on its way. */
  offer(block: Uint8Array, position: number): void
  /** Returns once the quorum has the block. Throws StorageError when that takes too long. */
  wait(position: number): void
}

/**
 * Opens or creates the journal of a matcher, for its one writer. With `parts` another thread carries.
 * Without them the journal carries itself whenever its tail is full, and when it is closed. First it
 * saves blocks that an earlier run left in the tail. Throws StorageError with one clear sentence.
 */
export function openJournal(
  dataFolder: string,
  matcher: number,
  durability: Durability,
  parts?: TailParts,
  quorum?: JournalQuorum,
): Journal {
  const folder = journalFolder(dataFolder, matcher)
  recoverTail(dataFolder, matcher)
  const place = lastPlaceIn(folder)
  const cells = parts?.cells ?? new TailCells()
  cells.setWritten(place.position)
  cells.setCarried(place.position)
  if (parts !== undefined) {
    const tail = new TailWriter({ folder, ...parts })
    return new Journal({ tail, cells, durability, lastChecksum: place.checksum, quorum })
  }
  const carryAll = () => {
    while (carrier.carry() > 0);
  }
  const tail = new TailWriter({ folder, cells, segmentBegun: () => {}, makeRoom: carryAll })
  const carrier = new Carrier(dataFolder, matcher, cells)
  const closed = () => {
    carryAll()
    carrier.close()
  }
  return new Journal({ tail, cells, durability, lastChecksum: place.checksum, quorum, closed })
}

function lastPlaceIn(folder: string): JournalPlace {
  const store = new LmdbStore(folder)
  try {
    return store.last().place
  } finally {
    store.close()
  }
}

interface JournalOptions {
  readonly tail: TailWriter
  readonly cells: TailCells
  readonly durability: Durability
  readonly lastChecksum: number
  readonly quorum: JournalQuorum | undefined
  readonly closed?: () => void
}

export class Journal implements JournalStore {
  readonly cells: TailCells
  /** Checksum of the last block at opening, which the next one names; 0 for none. */
  readonly lastChecksum: number
  readonly #tail: TailWriter
  #isFlushing: boolean
  #quorum: JournalQuorum | undefined
  readonly #closed: () => void
  #failed = false
  #unflushedBytes = 0
  #lastPosition: number
  #flushedPosition: number

  constructor(options: JournalOptions) {
    this.cells = options.cells
    this.lastChecksum = options.lastChecksum
    this.#tail = options.tail
    this.#isFlushing = options.durability !== 'committed'
    this.#quorum = options.quorum
    this.#closed = options.closed ?? (() => {})
    this.#lastPosition = this.cells.written
    this.#flushedPosition = this.#lastPosition
  }

  get lastPosition(): number {
    return this.#lastPosition
  }

  get flushedPosition(): number {
    return this.#flushedPosition
  }

  append(block: Uint8Array): void {
    assert(!this.#failed, 'nothing is appended after a failed append')
    assert(block.length <= BLOCK_BYTES_MAX, 'a block is within its bound')
    this.#failed = true
    const position = this.#lastPosition + 1
    this.#tail.write(block, position)
    this.#quorum?.offer(block, position)
    this.#lastPosition = position
    this.#unflushedBytes += block.length
    if (this.#isFlushing || this.#isDue()) this.#flushTail()
    // Other threads see the block only now: the carrier and the archivist too.
    this.#quorum?.wait(position)
    this.cells.setWritten(position)
    this.#failed = false
  }

  /**
   * This member leads from now on: each further block is flushed and brought to the quorum. What it has
   * followed is flushed first.
   */
  lead(quorum: JournalQuorum): void {
    this.flush()
    this.#isFlushing = true
    this.#quorum = quorum
  }

  flush(): void {
    if (this.#flushedPosition === this.#lastPosition) return
    assert(!this.#failed, 'nothing is flushed after a failed append')
    this.#failed = true
    this.#flushTail()
    this.#failed = false
  }

  close(): void {
    if (!this.#failed) this.flush()
    this.#tail.close()
    if (!this.#failed) this.#closed()
  }

  /** Other matchers may spend earnings only after the flush, so it cannot wait for ever. */
  #isDue(): boolean {
    const blocks = this.#lastPosition - this.#flushedPosition
    return blocks >= UNFLUSHED_BLOCKS_MAX || this.#unflushedBytes >= UNFLUSHED_BYTES_MAX
  }

  #flushTail(): void {
    // Carried blocks are on the disk already.
    if (this.cells.carried < this.#lastPosition) this.#tail.flush()
    this.#flushedPosition = this.#lastPosition
    this.#unflushedBytes = 0
  }
}
