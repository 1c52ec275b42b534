/**
 * Carries the blocks of one journal from its tail into LMDB, many in a transaction. Beside a running
 * matcher it makes room in the tail; at a start it saves blocks that the last run left there. One thread
 * at a time carries a journal.
 */
import fs from 'node:fs'
import { orClose } from '../base/closing.ts'
import { BlockReader, JournalDamage } from './block.ts'
import { BlockChain } from './chain.ts'
import type { EnvironmentFigures } from './environment.ts'
import { journalFolder, LmdbStore, placeOf } from './lmdb-store.ts'
import { SEGMENT_COUNT, type TailCells } from './tail-cells.ts'
import { TailReader } from './tail-reader.ts'
import { SEGMENT_BYTES, segmentFile } from './tail-writer.ts'

/**
 * A transaction ends after the block that reaches this. The kernel writes its pages in one go, without
 * giving the processor to a matcher that wakes.
 */
const TRANSACTION_BYTES = SEGMENT_BYTES / 16

export class Carrier {
  readonly #folder: string
  readonly #store: LmdbStore
  readonly #tail: TailReader
  readonly #cells: TailCells
  readonly #chain: BlockChain
  readonly #block = new BlockReader()

  /** For the journal whose tail a TailWriter with the same cells has opened. */
  constructor(dataFolder: string, matcher: number, cells: TailCells) {
    this.#folder = journalFolder(dataFolder, matcher)
    this.#cells = cells
    const store = new LmdbStore(this.#folder)
    this.#store = store
    const { place, epoch } = orClose([store], () => store.last())
    this.#tail = orClose([store], () => new TailReader(this.#folder, cells))
    this.#chain = new BlockChain(matcher, place, epoch)
  }

  /**
   * Carries written blocks, at most one transaction. Calls `breathe` before each block. Returns the
   * number of blocks. Throws StorageError, or JournalDamage when the tail's bytes have changed.
   */
  carry(breathe: () => void = () => {}): number {
    const { written, carried } = this.#cells
    if (written === carried) return 0
    this.#store.append(
      untilFull(() => {
        if (this.#chain.position >= written) return undefined
        breathe()
        return this.#next()
      }),
    )
    this.#cells.setCarried(this.#store.lastPosition)
    return this.#store.lastPosition - carried
  }

  /** Removes blocks that were moved to files, at most one transaction. Returns their number. */
  removeMoved(): number {
    return this.#store.removeUpTo(this.#cells.moved, TRANSACTION_BYTES)
  }

  figures(): EnvironmentFigures {
    return this.#store.figures()
  }

  close(): void {
    this.#tail.close()
    this.#store.close()
  }

  #next(): Uint8Array {
    const position = this.#chain.position + 1
    const place = placeOf(this.#folder, position)
    const bytes = this.#tail.block(position)
    if (bytes === undefined) throw new JournalDamage(`${place} is not in the tail.`)
    this.#block.open(bytes, place)
    this.#chain.check(this.#block, place)
    this.#chain.advance(this.#block)
    return bytes
  }
}

/**
 * Carries the blocks that an earlier run left in the tail: those behind LMDB's last one, up to the first
 * that is not whole or not the next. Returns their number. Only while no thread has the journal open.
 * Throws StorageError.
 */
export function recoverTail(dataFolder: string, matcher: number): number {
  const folder = journalFolder(dataFolder, matcher)
  if (!hasTail(folder)) return 0
  const store = new LmdbStore(folder)
  try {
    return carryLeft(store, folder, matcher)
  } finally {
    store.close()
  }
}

function carryLeft(store: LmdbStore, folder: string, matcher: number): number {
  const before = store.lastPosition
  const { place, epoch } = store.last()
  const tail = TailReader.ofLeftTail(folder, before)
  const chain = new BlockChain(matcher, place, epoch)
  const block = new BlockReader()
  const next = (): Uint8Array | undefined => {
    const bytes = tail.block(chain.position + 1)
    if (bytes === undefined || !follows(block, bytes, chain)) return undefined
    chain.advance(block)
    return bytes
  }
  let last = -1
  try {
    while (last < store.lastPosition) {
      last = store.lastPosition
      store.append(untilFull(next))
    }
  } finally {
    tail.close()
  }
  return last - before
}

/** All segments are made before the first block: where one is missing, there is no block. */
function hasTail(folder: string): boolean {
  return Array.from({ length: SEGMENT_COUNT }, (_, segment) => segmentFile(folder, segment)).every(
    (file) => fs.existsSync(file),
  )
}

/** A block that a power loss tore, or that was never written, is the end, not an error. */
function follows(block: BlockReader, bytes: Uint8Array, chain: BlockChain): boolean {
  try {
    block.open(bytes, '')
    chain.check(block, '')
    return true
  } catch (error) {
    if (error instanceof JournalDamage) return false
    throw error
  }
}

/** Returns blocks of `next` until they fill a transaction. */
function untilFull(next: () => Uint8Array | undefined): () => Uint8Array | undefined {
  let bytes = 0
  return () => {
    if (bytes >= TRANSACTION_BYTES) return undefined
    const block = next()
    bytes += block?.length ?? 0
    return block
  }
}
