/**
 * Reads one journal from any thread, behind or beside its writer, wherever its blocks are: in the write-ahead
 * log, in LMDB or in sealed segments (docs/journal.md).
 */
import { orClose } from '../base/closing.ts'
import { JournalDamage } from './block.ts'
import { blockName, LmdbReader } from './lmdb-store.ts'
import { beginningOf, SealedSegments, sealedFolder } from './sealed-segments.ts'
import type { WalCells } from './wal-cells.ts'
import type { WalNote } from './wal-note.ts'
import { WalReader } from './wal-reader.ts'

export class JournalReader {
  readonly folder: string
  private readonly lmdb: LmdbReader
  private readonly sealed: SealedSegments
  private readonly cells: WalCells | undefined
  private readonly wal: WalReader | undefined = undefined

  /** Without `cells` the reader sees checkpointed blocks: all of them while no matcher has the journal open. */
  constructor(folder: string, cells?: WalCells) {
    this.folder = folder
    this.lmdb = new LmdbReader(folder)
    this.sealed = new SealedSegments(folder)
    this.cells = cells
    this.wal =
      cells === undefined ? undefined : orClose([this.lmdb], () => WalReader.beside(folder, cells))
  }

  /**
   * Returns the block, in memory that the next read overwrites; undefined past the last one. Throws
   * JournalDamage when a block is lost.
   */
  block(position: number): Uint8Array | undefined {
    const cells = this.cells
    if (cells === undefined) return this.checkpointed(position)
    if (position > cells.written) return undefined
    if (position > cells.checkpointed) {
      const block = this.wal!.block(position)
      // A block checkpointed meanwhile may have been overwritten during the read.
      if (position > cells.checkpointed) return block
    }
    if (position > this.lmdb.lastPosition) this.lmdb.refresh()
    return this.checkpointed(position)
  }

  /** Position of the last block in LMDB, 0 when there is none. */
  get lastCheckpointed(): number {
    return this.lmdb.lastPosition
  }

  /** What is noted of the write-ahead log; undefined when nothing is. Throws JournalDamage. */
  walNote(): WalNote | undefined {
    return this.lmdb.walNote()
  }

  /** Lets the next read see later blocks. Holds nothing until then. */
  refresh(): void {
    this.lmdb.refresh()
  }

  close(): void {
    this.lmdb.close()
    this.wal?.close()
  }

  private checkpointed(position: number): Uint8Array | undefined {
    if (position > this.lmdb.lastPosition) return undefined
    const block = this.lmdb.block(position) ?? this.sealed.block(position)
    if (block !== undefined) return block
    const name = blockName(this.folder, position)
    const isRemoved = position <= beginningOf(this.folder).position
    throw new JournalDamage(
      isRemoved
        ? `${name} was removed with its segment (--keep-journal-days): a start needs a newer snapshot.`
        : `${name} is missing, also in ${sealedFolder(this.folder)}.`,
    )
  }
}
