/**
 * A matcher's journal as the matcher sees it: every block is written to the write-ahead log, and with
 * 'flushed' is on the disk when `append` returns, by one flush of the device. The checkpointer
 * checkpoints the blocks into LMDB (checkpointer.ts).
 *
 * - 'flushed': an appended block survives a power loss.
 * - 'replicated': it survives the loss of the machine as well. The flush and the way to the quorum run
 *   side by side, and `append` waits for both.
 * - 'committed': an appended block is in the kernel's hands, so a killed process loses nothing. A power
 *   loss may cost blocks that are neither flushed nor checkpointed, never a middle.
 */
import { assert } from '../base/assert.ts'
import { BLOCK_BYTES_MAX } from '../base/limits.ts'
import { Checkpointer, recoverWal } from './checkpointer.ts'
import { journalFolder, LmdbStore } from './lmdb-store.ts'
import type { Durability, JournalStore } from './store.ts'
import { WalCells } from './wal-cells.ts'
import { emptyNote, WalState } from './wal-note.ts'
import { SEGMENT_BYTES, WalWriter, type WalWriterOptions } from './wal-writer.ts'

/** The most blocks that 'committed' leaves unflushed; the caller may flush sooner. */
const UNFLUSHED_BLOCKS_MAX = 512
const UNFLUSHED_BYTES_MAX = 16 << 20

/** Connects the write-ahead log's writer with the thread that checkpoints it. */
export interface WalParts {
  readonly cells: WalCells
  /** Called when a segment is begun: the one before can be checkpointed. */
  readonly segmentBegun: () => void
  /** Called when no segment is free: returns once the block is checkpointed, or throws. */
  readonly makeRoom: (position: number) => void
  /** Length of a segment (WalWriterOptions). */
  readonly segmentBytes?: number
  /** Whether a quorum decides which blocks there are: the journal is that of a member. */
  readonly isMembers?: boolean
  /** Called when a flush is over. With it flushes run beside the caller; there is no quorum then. */
  readonly flushed?: (() => void) | undefined
}

/** The quorum, as a journal sees it. */
export interface JournalQuorum {
  /** Sends the block on its way. */
  offer(block: Uint8Array, position: number): void
  /** Returns once the quorum has the block. Throws StorageError when that takes too long. */
  wait(position: number): void
}

/**
 * Opens or creates the journal of a matcher, for its one writer. With `parts` another thread checkpoints.
 * Without them the journal checkpoints itself whenever its write-ahead log is full, and when it is
 * closed. First it saves blocks that an earlier run left in the write-ahead log. Throws StorageError with
 * one clear sentence.
 */
export function openJournal(
  dataFolder: string,
  matcher: number,
  durability: Durability,
  parts?: WalParts,
  quorum?: JournalQuorum,
): Journal {
  recoverWal(dataFolder, matcher)
  const folder = journalFolder(dataFolder, matcher)
  const cells = parts?.cells ?? new WalCells()
  const isMembers = quorum !== undefined || parts?.isMembers === true
  const begun = (options: Omit<WalWriterOptions, 'folder' | 'cells'>) =>
    beginWal({ folder, cells, ...options }, isMembers ? 'replicated' : durability)
  if (parts !== undefined) {
    const { flushed } = parts
    return new Journal({ ...begun(parts), cells, durability, quorum, flushed })
  }
  const checkpointAll = () => {
    while (checkpointer.checkpoint() > 0);
  }
  const wal = begun({ segmentBegun: () => {}, makeRoom: checkpointAll })
  const checkpointer = new Checkpointer(dataFolder, matcher, cells)
  const closed = () => {
    checkpointAll()
    checkpointer.close()
  }
  return new Journal({ ...wal, cells, durability, quorum, closed })
}

/**
 * Begins an empty write-ahead log behind LMDB's last block. LMDB notes this before and after: a start that comes
 * between ignores the files, and one that comes later refuses a log that is not whole.
 */
function beginWal(
  options: WalWriterOptions,
  durability: Durability,
): Pick<JournalOptions, 'wal' | 'lastChecksum'> {
  const { folder, cells, segmentBytes = SEGMENT_BYTES } = options
  const store = new LmdbStore(folder)
  try {
    const { point } = store.last()
    cells.setWritten(point.position)
    cells.setCheckpointed(point.position)
    if (store.walNote()?.state !== WalState.EMPTY) store.noteWal(emptyNote(durability))
    const wal = new WalWriter(options)
    store.noteWal({ state: WalState.IN_USE, durability, segmentBytes })
    return { wal, lastChecksum: point.checksum }
  } finally {
    store.close()
  }
}

interface JournalOptions {
  readonly wal: WalWriter
  readonly cells: WalCells
  readonly durability: Durability
  readonly lastChecksum: number
  readonly quorum: JournalQuorum | undefined
  readonly closed?: () => void
  readonly flushed?: (() => void) | undefined
}

export class Journal implements JournalStore {
  readonly cells: WalCells
  /** Checksum of the last block at opening, which the next one names; 0 for none. */
  readonly lastChecksum: number
  /** Left out where flushes block the caller. */
  readonly beginFlush: (() => void) | undefined
  private readonly wal: WalWriter
  private flushesEach: boolean
  private quorum: JournalQuorum | undefined
  private readonly closed: () => void
  /** Nothing may be appended: an append failed, or its flush is under way. */
  private failed = false
  /** Beside the caller: whether a flush is under way, and why the last one failed. */
  private flushing = false
  private refusal: Error | undefined = undefined
  private unflushedBytes = 0
  private _lastPosition: number
  private _flushedPosition: number

  constructor(options: JournalOptions) {
    this.cells = options.cells
    this.lastChecksum = options.lastChecksum
    this.wal = options.wal
    this.flushesEach = options.durability !== 'committed'
    this.quorum = options.quorum
    this.closed = options.closed ?? (() => {})
    const { flushed } = options
    this.beginFlush = flushed && (() => this.flushBeside(flushed))
    assert(flushed === undefined || options.quorum === undefined, 'a quorum blocks its matcher')
    this._lastPosition = this.cells.written
    this._flushedPosition = this._lastPosition
  }

  get lastPosition(): number {
    return this._lastPosition
  }

  get flushedPosition(): number {
    return this._flushedPosition
  }

  append(block: Uint8Array): void {
    // A flush that ended behind a blocking one: its refusal is the disk's, and no defect of the caller.
    if (this.refusal !== undefined) throw this.refusal
    assert(!this.failed, 'nothing is appended after a failed append')
    assert(block.length <= BLOCK_BYTES_MAX, 'a block is within its bound')
    this.failed = true
    const position = this._lastPosition + 1
    this.wal.write(block, position)
    this.quorum?.offer(block, position)
    this._lastPosition = position
    this.unflushedBytes += block.length
    if (this.flushesEach || this.isDue()) {
      if (this.beginFlush !== undefined) {
        this.beginFlush()
        return
      }
      this.flushWal()
    }
    // Other threads see the block only now: the checkpointer and the indexer too.
    this.quorum?.wait(position)
    this.cells.setWritten(position)
    this.failed = false
  }

  /**
   * This member leads from now on: each further block is flushed and brought to the quorum. What it has
   * followed is flushed first.
   */
  lead(quorum: JournalQuorum): void {
    this.flush()
    this.flushesEach = true
    this.quorum = quorum
  }

  flush(): void {
    if (this.refusal !== undefined) throw this.refusal
    if (this._flushedPosition === this._lastPosition) return
    assert(!this.failed || this.flushing, 'nothing is flushed after a failed append')
    this.flushing = false
    this.failed = true
    this.flushWal()
    this.cells.setWritten(this._lastPosition)
    this.failed = false
  }

  isFlushing(): boolean {
    if (this.refusal !== undefined) throw this.refusal
    return this.flushing
  }

  private flushBeside(flushed: () => void): void {
    this.failed = true
    this.flushing = true
    const position = this._lastPosition
    this.wal.beginFlush((refusal) => {
      if (refusal === undefined && (!this.flushing || position !== this._lastPosition)) return
      try {
        // The system reports a failure once: a flush that blocked meanwhile may have seen none.
        if (refusal !== undefined) throw refusal
        this.noteFlushed()
        this.cells.setWritten(position)
        this.failed = false
      } catch (error) {
        this.refusal = error as Error
        this.failed = true
      }
      this.flushing = false
      flushed()
    })
  }

  close(): void {
    if (!this.failed || this.flushing) this.flush()
    this.wal.close()
    if (!this.failed) this.closed()
  }

  /** Other matchers may spend earnings only after the flush, so it cannot wait forever. */
  private isDue(): boolean {
    const blocks = this._lastPosition - this._flushedPosition
    return blocks >= UNFLUSHED_BLOCKS_MAX || this.unflushedBytes >= UNFLUSHED_BYTES_MAX
  }

  private flushWal(): void {
    // Checkpointed blocks are on the disk already.
    if (this.cells.checkpointed < this._lastPosition) this.wal.flush()
    this.noteFlushed()
  }

  private noteFlushed(): void {
    this._flushedPosition = this._lastPosition
    this.unflushedBytes = 0
    this.wal.markFlushed(this._lastPosition)
  }
}
