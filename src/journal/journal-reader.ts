/**
 * Reads one journal from any thread, behind or beside its writer: carried blocks from LMDB, later ones
 * from the tail.
 */
import { orClose } from '../base/closing.ts'
import { LmdbReader } from './lmdb-store.ts'
import type { TailCells } from './tail-cells.ts'
import { TailReader } from './tail-reader.ts'

export class JournalReader {
  readonly folder: string
  readonly #lmdb: LmdbReader
  readonly #cells: TailCells | undefined
  readonly #tail: TailReader | undefined

  /** Without `cells` it sees carried blocks: all of them while no matcher has the journal open. */
  constructor(folder: string, cells?: TailCells) {
    this.folder = folder
    this.#lmdb = new LmdbReader(folder)
    this.#cells = cells
    this.#tail =
      cells === undefined ? undefined : orClose([this.#lmdb], () => new TailReader(folder, cells))
  }

  /** Returns the block, in memory that the next read overwrites; undefined past the last one. */
  block(position: number): Uint8Array | undefined {
    const cells = this.#cells
    if (cells === undefined) return this.#lmdb.block(position)
    if (position > cells.written) return undefined
    if (position > cells.carried) {
      const block = this.#tail!.block(position)
      // A block carried meanwhile may have been overwritten during the read.
      if (position > cells.carried) return block
    }
    const block = this.#lmdb.block(position)
    if (block !== undefined) return block
    this.#lmdb.refresh()
    return this.#lmdb.block(position)
  }

  /** Position of the last block in LMDB, 0 when there is none. */
  get lastCarried(): number {
    return this.#lmdb.lastPosition
  }

  /** Lets the next read see later blocks. Holds nothing until then. */
  refresh(): void {
    this.#lmdb.refresh()
  }

  close(): void {
    this.#lmdb.close()
    this.#tail?.close()
  }
}
