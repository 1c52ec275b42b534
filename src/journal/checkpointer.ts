/**
 * Checkpoints the blocks of one journal from its write-ahead log into LMDB, many in a transaction. Beside
 * a running matcher it makes room in the write-ahead log; at a start it saves blocks that the last run
 * left there. One thread at a time checkpoints a journal.
 */
import { orClose } from '../base/closing.ts'
import { BlockReader, JournalDamage } from './block.ts'
import { BlockChain } from './chain.ts'
import type { EnvironmentFigures } from './environment.ts'
import { journalFolder, LmdbStore, placeOf } from './lmdb-store.ts'
import type { WalCells } from './wal-cells.ts'
import { blocksLeftInWal, hasWal, WalReader } from './wal-reader.ts'
import { SEGMENT_BYTES } from './wal-writer.ts'

/**
 * A transaction ends after the block that reaches this. The kernel writes its pages in one go, without
 * giving the processor to a matcher that wakes.
 */
const TRANSACTION_BYTES = SEGMENT_BYTES / 16

export class Checkpointer {
  private readonly folder: string
  private readonly store: LmdbStore
  private readonly wal: WalReader
  private readonly cells: WalCells
  private readonly chain: BlockChain
  private readonly block = new BlockReader()

  /** For the journal whose write-ahead log a WalWriter with the same cells has opened. */
  constructor(dataFolder: string, matcher: number, cells: WalCells) {
    this.folder = journalFolder(dataFolder, matcher)
    this.cells = cells
    const store = new LmdbStore(this.folder)
    this.store = store
    const { place, epoch } = orClose([store], () => store.last())
    this.wal = orClose([store], () => WalReader.beside(this.folder, cells))
    this.chain = new BlockChain(matcher, place, epoch)
  }

  /**
   * Checkpoints written blocks, at most one transaction. Calls `throttle` before each block. Returns the
   * number of blocks. Throws StorageError, or JournalDamage when the write-ahead log's bytes have changed.
   */
  checkpoint(throttle: () => void = () => {}): number {
    const { written, checkpointed } = this.cells
    if (written === checkpointed) return 0
    this.store.append(
      untilFull(() => {
        if (this.chain.position >= written) return undefined
        throttle()
        return this.next()
      }),
    )
    this.cells.setCheckpointed(this.store.lastPosition)
    return this.store.lastPosition - checkpointed
  }

  /** Removes blocks that are in sealed segments, at most one transaction. Returns their number. */
  removeSealed(): number {
    return this.store.removeUpTo(this.cells.sealed, TRANSACTION_BYTES)
  }

  figures(): EnvironmentFigures {
    return this.store.figures()
  }

  close(): void {
    this.wal.close()
    this.store.close()
  }

  private next(): Uint8Array {
    const position = this.chain.position + 1
    const place = placeOf(this.folder, position)
    const bytes = this.wal.block(position)
    if (bytes === undefined) throw new JournalDamage(`${place} is not in the write-ahead log.`)
    this.block.open(bytes, place)
    this.chain.check(this.block, place)
    this.chain.advance(this.block)
    return bytes
  }
}

/**
 * Checkpoints the blocks that the last run left in the write-ahead log. Returns their number. Only while no
 * thread has the journal open. Throws StorageError.
 */
export function recoverWal(dataFolder: string, matcher: number): number {
  const folder = journalFolder(dataFolder, matcher)
  if (!hasWal(folder)) return 0
  const store = new LmdbStore(folder)
  const before = store.lastPosition
  const { place, epoch } = orClose([store], () => store.last())
  const left = blocksLeftInWal(folder, new BlockChain(matcher, place, epoch))
  try {
    let last = -1
    while (last < store.lastPosition) {
      last = store.lastPosition
      store.append(untilFull(() => left.next().value?.bytes))
    }
    return last - before
  } finally {
    left.return(undefined)
    store.close()
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
