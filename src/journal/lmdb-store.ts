/**
 * A matcher's journal in a separate LMDB environment: key = position, 8 bytes, big-endian; value =
 * block. The row of position 0 is the note of the write-ahead log (wal-note.ts). Later blocks are in the journal's write-ahead log; with `--journal-kept snapshots` old ones are
 * in sealed segments. One thread at a time writes it; other threads read it through
 * JournalReader.
 *
 * Measured with lmdb 3.5 (strace and a clock): a synchronous transaction makes one fdatasync of its
 * pages and then one write of a meta page through a descriptor opened with O_DSYNC. After it, all its
 * blocks are on the disk, and the file is whole at every moment. These are two flushes of the device,
 * and more where the file grows, so no block has its own transaction (bench `latency`).
 * Transactions without flushes can ruin the file at a power loss, and are never made.
 */
import { statSync } from 'node:fs'
import path from 'node:path'
import { assert } from '../base/assert.ts'
import { orClose } from '../base/closing.ts'
import { BLOCK_BYTES_MAX } from '../base/limits.ts'
import { BlockKey } from '../layout/keys.gen.ts'
import { BlockReader, ofStoredBlock } from './block.ts'
import { BEGINNING, type JournalPoint } from './chain.ts'
import {
  checkLength,
  Environment,
  type EnvironmentFigures,
  flushFolder,
  Sync,
  type Table,
} from './environment.ts'
import { decodeNote, encodeNote, type WalNote } from './wal-note.ts'

/** Where a matcher's journal is. */
export const journalFolder = (dataFolder: string, matcher: number): string =>
  path.join(dataFolder, `journal-${matcher}`)

/** Whether the folder holds a journal. LMDB would make an empty file a new one, without a word. */
export const hasJournal = (folder: string): boolean =>
  (statSync(path.join(folder, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0) > 0

/** Where the note of the write-ahead log is: no block has this position. */
const NOTE_KEY = new BlockKey().of(0)
const FIRST_KEY = new BlockKey().of(1)

export interface LastBlock {
  readonly point: JournalPoint
  readonly epoch: number
}

/** The writing end. Throws StorageError with one clear sentence. */
export class LmdbStore {
  private readonly environment: Environment
  private readonly table: Table
  private readonly key = new BlockKey()
  private _lastPosition: number
  /** The first block that is there. */
  private firstPosition = 1

  /** Opens or creates the journal in the folder; one without blocks begins behind the position `before`. */
  constructor(folder: string, before = 0) {
    checkLength(folder)
    this.environment = new Environment({ folder })
    this.table = this.environment.table()
    this._lastPosition = orClose([this.environment], () => {
      // A new file is not flushed before its first transaction: a start could find any part of it.
      this.environment.flush()
      flushFolder(folder)
      flushFolder(path.dirname(folder))
      return this.environment.read(() => lastPositionIn(this.table)) || before
    })
  }

  get lastPosition(): number {
    return this._lastPosition
  }

  /** The last block's point and epoch. */
  last(): LastBlock {
    return this.environment.read(() =>
      lastBlockOf(this.table, this._lastPosition, this.environment.folder),
    )
  }

  /** What is noted of the write-ahead log; undefined when nothing is. Throws JournalDamage. */
  walNote(): WalNote | undefined {
    return this.environment.read(() => noteOf(this.table, this.environment.folder))
  }

  /** Returns when the note is on the disk. */
  noteWal(note: WalNote): void {
    this.environment.write(() => this.table.put(NOTE_KEY, encodeNote(note)), Sync.DISK)
  }

  /**
   * Appends the blocks that `next` returns, from lastPosition + 1 on until undefined, in one
   * transaction. Returns when they are on the disk. Appends nothing when `next` throws.
   */
  append(next: () => Uint8Array | undefined): void {
    let position = this._lastPosition
    this.environment.write(() => {
      for (let block = next(); block !== undefined; block = next()) {
        assert(block.length <= BLOCK_BYTES_MAX, 'a block is within its bound')
        this.table.append(this.key.of(++position), block)
      }
    }, Sync.DISK)
    this._lastPosition = position
  }

  /**
   * Removes blocks up to `position`, which must not be the last one, about `bytes` at most, in one
   * transaction. Returns their number.
   */
  removeUpTo(position: number, bytes: number): number {
    if (position < this.firstPosition) return 0
    assert(position < this._lastPosition, 'the last block of a journal stays in it')
    const first = this.environment.read(() => firstPositionIn(this.table))
    let next = first
    this.environment.write(() => {
      for (let removed = 0; next <= position && removed < bytes; next++) {
        removed += this.table.get(this.key.of(next))?.length ?? 0
        this.table.remove(this.key.of(next))
      }
    }, Sync.DISK)
    this.firstPosition = next
    return next - first
  }

  figures(): EnvironmentFigures {
    return this.environment.figures()
  }

  close(): void {
    this.environment.close()
  }
}

/** Blocks that one read transaction of a reader takes. */
const TRANSACTION_BLOCKS = 256

/**
 * The reading end, for any thread. It sees the blocks that were there at its last refresh, however long it
 * reads: a transaction for each few blocks keeps no pages from the writer.
 */
export class LmdbReader {
  private readonly environment: Environment
  private readonly table: Table
  private readonly key = new BlockKey()
  /** The last position at the last refresh; undefined until it is needed. */
  private _lastPosition: number | undefined = undefined
  private blocks = 0

  constructor(folder: string) {
    this.environment = new Environment({ folder })
    this.table = this.environment.table()
  }

  /** 0 when there is no block. */
  get lastPosition(): number {
    this._lastPosition ??= this.environment.read(() => lastPositionIn(this.table))
    return this._lastPosition
  }

  /** The point and epoch of the last block at the last refresh. */
  last(): LastBlock {
    return lastBlockOf(this.table, this.lastPosition, this.environment.folder)
  }

  /** As `LmdbStore.walNote`. */
  walNote(): WalNote | undefined {
    return noteOf(this.table, this.environment.folder)
  }

  /** Returns the block, in memory that the next read overwrites; undefined when LMDB does not hold it. */
  block(position: number): Uint8Array | undefined {
    if (position > this.lastPosition) return undefined
    if (++this.blocks % TRANSACTION_BLOCKS === 0) this.environment.release()
    return this.table.get(this.key.of(position))
  }

  /** Lets the next read see later blocks. Holds nothing until then. */
  refresh(): void {
    this._lastPosition = undefined
    this.environment.release()
  }

  close(): void {
    this.environment.close()
  }
}

/** Names a block in the sentence about its damage. */
export const blockName = (folder: string, position: number): string =>
  `Block ${position} of ${path.basename(folder)}`

const lastPositionIn = (table: Table): number => positionOf(table.keys({ reverse: true, limit: 1 }))
const firstPositionIn = (table: Table): number =>
  positionOf(table.keys({ start: FIRST_KEY, limit: 1 }))

/** 0 when there is no block. */
function positionOf(keys: Iterable<Uint8Array>): number {
  for (const key of keys) return BlockKey.position(key)
  return 0
}

function lastBlockOf(table: Table, position: number, folder: string): LastBlock {
  if (position === 0) return { point: BEGINNING, epoch: 0 }
  const block = table.get(new BlockKey().of(position))
  assert(block !== undefined, 'the last position has a block')
  const reader = new BlockReader()
  try {
    reader.open(block, blockName(folder, position))
  } catch (error) {
    throw ofStoredBlock(error)
  }
  return { point: { position, checksum: reader.checksum }, epoch: reader.epoch }
}

function noteOf(table: Table, folder: string): WalNote | undefined {
  const bytes = table.get(NOTE_KEY)
  return bytes && decodeNote(bytes, path.basename(folder))
}
