/**
 * A matcher's journal in an LMDB environment of its own: key = position, 8 bytes, big-endian; value =
 * block. Written by that matcher alone; others read it through JournalReader.
 *
 * What was found about lmdb 3.5 by experiment, and so decided. The test
 * test/replay/store-durability.test.ts counts the flushes of both durabilities, kills writers, and
 * plays power losses; the rest was seen once, under strace and a clock.
 *
 * - A synchronous transaction makes one fdatasync of its pages and then one write of a meta page
 *   through a descriptor opened with O_DSYNC. After it, the block is on the disk: that is 'flushed'.
 * - A synchronous transaction that asks for no flush makes neither, whatever the environment's
 *   options; with `overlappingSync` it would make both after all. Its pages are in the kernel's
 *   hands when it returns, so a killed process loses nothing.
 * - Such commits reuse pages of older states and overwrite both meta pages, and the kernel writes
 *   them to the disk in any order: after a power loss the file can be ruined, not only short. So
 *   'committed' pins the state of the last flush, whose pages are then left alone, and keeps a copy
 *   of its meta pages (flush-mark.ts). After a power loss that state is put back: the tail is lost,
 *   the rest is whole.
 * - Writing zeros ahead of the file's end, so that a flush need not note a new length, shortened the
 *   median flush of blocks of 7 KB and 30 KB by about a sixth and that of small ones not at all; the
 *   slowest hundredth mostly became longer, up to eight times. One run; it is not done.
 * - Where the system has no boot id, the two cannot be told apart, and every append is flushed.
 */
import path from 'node:path'
import { assert } from '#base/assert.ts'
import { BLOCK_BYTES_MAX } from '#base/limits.ts'
import { BlockReader } from './block.ts'
import { Environment, Sync, type Table } from './environment.ts'
import { FlushMark, flushFolder, readBootId } from './flush-mark.ts'
import type { Durability, JournalStore } from './store.ts'

/** Where a matcher's journal is. */
export const journalFolder = (dataFolder: string, matcher: number): string =>
  path.join(dataFolder, `journal-${matcher}`)

const KEY_BYTES = 8
/** What 'committed' leaves unflushed at most; the caller may flush sooner, when it has time. */
const UNFLUSHED_BLOCKS_MAX = 512
const UNFLUSHED_BYTES_MAX = 16 << 20

/**
 * Opens or creates the journal of a matcher, for its one writer. `bootId` names this run of the
 * kernel. Throws StorageError with one clear sentence.
 */
export function openJournal(
  dataFolder: string,
  matcher: number,
  durability: Durability,
  bootId = readBootId(),
): LmdbStore {
  return new LmdbStore(journalFolder(dataFolder, matcher), durability, bootId)
}

export class LmdbStore implements JournalStore {
  readonly #environment: Environment
  readonly #table: Table
  readonly #mark: FlushMark
  readonly #bootId: string
  readonly #sync: Sync
  readonly #key = positionKey()
  readonly #put: () => void
  #block: Uint8Array = new Uint8Array(0)
  #failed = false
  #unflushedBytes = 0
  #lastPosition: number
  #flushedPosition: number

  constructor(folder: string, durability: Durability, bootId: string | undefined) {
    this.#bootId = bootId ?? ''
    const unflushed = durability === 'committed' && bootId !== undefined
    this.#sync = unflushed ? Sync.KERNEL : Sync.DISK
    this.#mark = new FlushMark(folder)
    this.#mark.restore(bootId)
    this.#environment = new Environment({ folder })
    this.#table = this.#environment.table()
    this.#put = () => this.#table.append(this.#key.bytes, this.#block)
    this.#lastPosition = lastPositionIn(this.#table)
    this.#flushedPosition = 0
    flushFolder(folder)
    flushFolder(path.dirname(folder))
    this.#flushAll()
    if (!unflushed) this.#mark.remove()
  }

  get lastPosition(): number {
    return this.#lastPosition
  }

  get flushedPosition(): number {
    return this.#flushedPosition
  }

  /** Checksum of the last block, which the next one names; 0 when there is none. */
  get lastChecksum(): number {
    if (this.#lastPosition === 0) return 0
    const block = this.#table.get(this.#key.at(this.#lastPosition))
    assert(block !== undefined, 'the last position has a block')
    const reader = new BlockReader()
    reader.open(block, placeOf(this.#environment.folder, this.#lastPosition))
    return reader.checksum
  }

  append(block: Uint8Array): void {
    assert(!this.#failed, 'nothing is appended after a failed append')
    assert(block.length <= BLOCK_BYTES_MAX, 'a block is within its bound')
    this.#failed = true
    this.#key.at(this.#lastPosition + 1)
    this.#block = block
    this.#environment.write(this.#put, this.#sync)
    this.#lastPosition++
    this.#unflushedBytes += block.length
    if (this.#sync === Sync.DISK) this.#flushedPosition = this.#lastPosition
    else if (this.#isDue()) this.#flushAll()
    this.#failed = false
  }

  flush(): void {
    if (this.#flushedPosition === this.#lastPosition) return
    assert(!this.#failed, 'nothing is flushed after a failed append')
    this.#failed = true
    this.#flushAll()
    this.#failed = false
  }

  *blocks(position: number): Iterable<{ readonly position: number; readonly block: Uint8Array }> {
    const last = this.#lastPosition
    for (let next = position; next <= last; next++) {
      const block = this.#table.get(this.#key.at(next))
      assert(block !== undefined, 'positions have no gaps')
      yield { position: next, block }
    }
  }

  close(): void {
    if (this.#failed) {
      this.#mark.close()
    } else {
      // All is on the disk: the next boot finds nothing to put back.
      this.flush()
      this.#mark.remove()
    }
    this.#environment.close()
  }

  /** Pages of the flushed state cannot be reused, so a file whose flush waits too long would grow. */
  #isDue(): boolean {
    const blocks = this.#lastPosition - this.#flushedPosition
    return blocks >= UNFLUSHED_BLOCKS_MAX || this.#unflushedBytes >= UNFLUSHED_BYTES_MAX
  }

  #flushAll(): void {
    if (this.#sync === Sync.DISK) this.#environment.flush()
    else this.#mark.advance(this.#environment, this.#bootId)
    this.#flushedPosition = this.#lastPosition
    this.#unflushedBytes = 0
  }
}

/** Reads a journal from any thread, behind or beside its writer. */
export class JournalReader {
  readonly folder: string
  readonly #environment: Environment
  readonly #table: Table
  readonly #key = positionKey()

  constructor(folder: string) {
    this.folder = folder
    this.#environment = new Environment({ folder })
    this.#table = this.#environment.table()
  }

  /** The block, in memory that the next read overwrites; undefined past the last one. */
  block(position: number): Uint8Array | undefined {
    return this.#table.get(this.#key.at(position))
  }

  /** Lets the next read see what was appended since. */
  refresh(): void {
    this.#environment.refresh()
  }

  close(): void {
    this.#environment.close()
  }
}

/** How a block is named in the sentence about its damage. */
export const placeOf = (folder: string, position: number): string =>
  `Block ${position} of ${path.basename(folder)}`

function lastPositionIn(table: Table): number {
  for (const key of table.keys({ reverse: true, limit: 1 })) {
    return Number(Buffer.from(key).readBigUInt64BE(0))
  }
  return 0
}

/** A key that is written anew for each use. */
function positionKey() {
  const bytes = new Uint8Array(KEY_BYTES)
  const view = new DataView(bytes.buffer)
  return {
    bytes,
    at(position: number): Uint8Array {
      view.setUint32(0, Math.floor(position / 2 ** 32))
      view.setUint32(4, position >>> 0)
      return bytes
    },
  }
}
