/**
 * A matcher's journal in an LMDB environment of its own: key = position, 8 bytes, big-endian; value =
 * block. What is not yet there is in the journal's tail; what is no longer there, because the operator
 * wants it so, was moved to files (old-blocks.ts). One thread at a time writes it; others read it through
 * JournalReader.
 *
 * What was found about lmdb 3.5 by experiment (strace and a clock): a synchronous transaction makes
 * one fdatasync of its pages and then one write of a meta page through a descriptor opened with
 * O_DSYNC. After it, all its blocks are on the disk, and at no moment is the file anything but whole.
 * These are two flushes of the device, and more where the file grows, so they are not made for each
 * block (bench `latency`). Transactions without them can ruin the file when power is lost, and are not
 * made at all.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { assert } from '../base/assert.ts'
import { orClose } from '../base/closing.ts'
import { BLOCK_BYTES_MAX } from '../base/limits.ts'
import { BlockReader, JournalDamage } from './block.ts'
import { BEGINNING, type JournalPlace } from './chain.ts'
import { checkLength, Environment, flushFolder, Sync, type Table } from './environment.ts'
import { OldBlocks, oldFolder } from './old-blocks.ts'

/** Where a matcher's journal is. */
export const journalFolder = (dataFolder: string, matcher: number): string =>
  path.join(dataFolder, `journal-${matcher}`)

/** Whether the folder was made a journal, and is one still. */
export const hasJournal = (folder: string): boolean => existsSync(path.join(folder, 'data.mdb'))

const KEY_BYTES = 8

/** The writing end. Throws StorageError with one clear sentence. */
export class LmdbStore {
  readonly #environment: Environment
  readonly #table: Table
  readonly #key = positionKey()
  #lastPosition: number
  /** No block before it is there. */
  #firstPosition = 1

  /** Opens or creates the journal in the folder. */
  constructor(folder: string) {
    checkLength(folder)
    this.#environment = new Environment({ folder })
    this.#table = this.#environment.table()
    this.#lastPosition = orClose([this.#environment], () => {
      // A new file is not flushed before its first transaction: a start could find any part of it.
      this.#environment.flush()
      flushFolder(folder)
      flushFolder(path.dirname(folder))
      return lastPositionIn(this.#table)
    })
  }

  get lastPosition(): number {
    return this.#lastPosition
  }

  /** The last block's place and epoch. */
  last(): { readonly place: JournalPlace; readonly epoch: number } {
    const position = this.#lastPosition
    if (position === 0) return { place: BEGINNING, epoch: 0 }
    const block = this.#table.get(this.#key.at(position))
    assert(block !== undefined, 'the last position has a block')
    const reader = new BlockReader()
    reader.open(block, placeOf(this.#environment.folder, position))
    return { place: { position, checksum: reader.checksum }, epoch: reader.epoch }
  }

  /**
   * Appends blocks from lastPosition + 1 on, as `next` gives them until it gives no more, in one
   * transaction, and returns when they are on the disk. Nothing is appended when `next` throws.
   */
  append(next: () => Uint8Array | undefined): void {
    let position = this.#lastPosition
    this.#environment.write(() => {
      for (let block = next(); block !== undefined; block = next()) {
        assert(block.length <= BLOCK_BYTES_MAX, 'a block is within its bound')
        this.#table.append(this.#key.at(++position), block)
      }
    }, Sync.DISK)
    this.#lastPosition = position
  }

  /**
   * Removes blocks up to `position`, which must not be the last one, some `bytes` of them at most, in one
   * transaction. Answers how many.
   */
  removeUpTo(position: number, bytes: number): number {
    if (position < this.#firstPosition) return 0
    assert(position < this.#lastPosition, 'the last block of a journal stays in it')
    const first = firstPositionIn(this.#table)
    let next = first
    this.#environment.write(() => {
      for (let removed = 0; next <= position && removed < bytes; next++) {
        removed += this.#table.get(this.#key.at(next))?.length ?? 0
        this.#table.remove(this.#key.at(next))
      }
    }, Sync.DISK)
    this.#firstPosition = next
    return next - first
  }

  close(): void {
    this.#environment.close()
  }
}

/** The reading end, for any thread. It finds old blocks as well. */
export class LmdbReader {
  readonly #environment: Environment
  readonly #table: Table
  readonly #old: OldBlocks
  readonly #key = positionKey()

  constructor(folder: string) {
    this.#environment = new Environment({ folder })
    this.#table = this.#environment.table()
    this.#old = orClose([this.#environment], () => new OldBlocks(folder))
  }

  /** 0 when there is no block. */
  get lastPosition(): number {
    return lastPositionIn(this.#table)
  }

  /**
   * The block, in memory that the next read overwrites; undefined past the last one. Throws
   * JournalDamage when it was there once and is nowhere now.
   */
  block(position: number): Uint8Array | undefined {
    const block = this.#table.get(this.#key.at(position))
    if (block !== undefined || position > this.lastPosition) return block
    const old = this.#old.block(position)
    if (old !== undefined) return old
    const { folder } = this.#environment
    throw new JournalDamage(
      `${placeOf(folder, position)} is missing, also in ${oldFolder(folder)}.`,
    )
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

const lastPositionIn = (table: Table): number => endOf(table, true)
const firstPositionIn = (table: Table): number => endOf(table, false)

/** 0 when there is no block. */
function endOf(table: Table, reverse: boolean): number {
  for (const key of table.keys({ reverse, limit: 1 })) {
    return Number(Buffer.from(key).readBigUInt64BE(0))
  }
  return 0
}

/** A key that is written anew for each use. */
function positionKey() {
  const bytes = new Uint8Array(KEY_BYTES)
  const view = new DataView(bytes.buffer)
  return {
    at(position: number): Uint8Array {
      view.setUint32(0, Math.floor(position / 2 ** 32))
      view.setUint32(4, position >>> 0)
      return bytes
    },
  }
}
