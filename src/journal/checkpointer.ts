/**
 * Checkpoints the blocks of one journal from its write-ahead log into LMDB, many in a transaction. Beside
 * a running matcher it makes room in the write-ahead log; at a start it saves blocks that the last run
 * left there. One thread at a time checkpoints a journal.
 */
import path from 'node:path'
import { orClose } from '../base/closing.ts'
import { BlockReader, JournalDamage } from './block.ts'
import { BlockChain } from './chain.ts'
import type { EnvironmentFigures } from './environment.ts'
import {
  blocksLeftInWal,
  type DerivedBlocks,
  endByOthers,
  hasWal,
  type WalEnd,
} from './left-wal.ts'
import { blockName, journalFolder, LmdbStore } from './lmdb-store.ts'
import type { WalCells } from './wal-cells.ts'
import { emptyNote, type WalNote, WalState } from './wal-note.ts'
import { WalReader } from './wal-reader.ts'
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
    const { point, epoch } = orClose([store], () => store.last())
    this.wal = orClose([store], () => WalReader.beside(this.folder, cells))
    this.chain = new BlockChain(matcher, point, epoch)
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
    const name = blockName(this.folder, position)
    const bytes = this.wal.block(position)
    if (bytes === undefined) throw new JournalDamage(`${name} is not in the write-ahead log.`)
    this.block.open(bytes, name)
    this.chain.check(this.block, name)
    this.chain.advance(this.block)
    return bytes
  }
}

/** What a start does about how write-ahead logs end. */
export interface RecoveryWays extends DerivedBlocks {
  /** Gets a sentence for each log whose last blocks are given up, and whether one may have been acknowledged. */
  readonly gaveUp?: (sentence: string, isDoubtful: boolean) => void
  /** Gets the damage of a log whose blocks a quorum has; without it damage is thrown. */
  readonly damaged?: (sentence: string) => void
}

const WAY_OUT =
  'Put back what is missing, or restore a backup; ringbook salvage says what a start without it would lose.'

/**
 * Checkpoints the blocks that the last run left in the write-ahead logs of these matchers, which then hold
 * nothing that counts. Returns their number. Only while no thread has a journal open. Throws StorageError,
 * and JournalDamage, with nothing changed, when blocks were lost.
 */
export function recoverLogs(
  dataFolder: string,
  matchers: readonly number[],
  { gaveUp = () => {}, damaged, ...derived }: RecoveryWays = {},
): number {
  const logs = matchers.map((matcher) => new LeftLog(dataFolder, matcher, derived))
  for (const log of logs) {
    const { damage } = log.end
    if (damage === undefined) log.report(gaveUp)
    else if (damaged === undefined || !log.isMembers)
      throw new JournalDamage(`${damage} ${WAY_OUT}`)
    else damaged(damage)
  }
  return logs.reduce((sum, log) => sum + log.checkpoint(), 0)
}

/** `recoverLogs` for one matcher. */
export const recoverWal = (dataFolder: string, matcher: number): number =>
  recoverLogs(dataFolder, [matcher])

/** The write-ahead log that the last run left in one journal. Looking at it changes nothing. */
export class LeftLog {
  readonly end: WalEnd
  readonly folder: string
  readonly matcher: number
  readonly note: WalNote | undefined
  /** Whether LMDB has all of it. */
  private readonly isCheckpointed: boolean

  constructor(dataFolder: string, matcher: number, { archived, snapshots }: DerivedBlocks = {}) {
    this.folder = journalFolder(dataFolder, matcher)
    this.matcher = matcher
    const store = new LmdbStore(this.folder)
    try {
      this.note = store.walNote()
      const blocks = this.blocks(store)
      let step = blocks.next()
      while (step.done !== true) step = blocks.next()
      this.end = endByOthers(step.value, this.folder, this.note, {
        archived: archived?.get(matcher) ?? 0,
        inSnapshots: snapshots?.get(matcher) ?? 0,
      })
      this.isCheckpointed = this.end.position === store.lastPosition
    } finally {
      store.close()
    }
  }

  /** Whether a member of a quorum wrote it. */
  get isMembers(): boolean {
    return this.note?.durability === 'replicated'
  }

  /** Whether it has blocks that LMDB lacks, and that were written, and acknowledged, without a quorum. */
  get hasOwnBlocks(): boolean {
    return this.note?.durability !== undefined && !this.isMembers && !this.isCheckpointed
  }

  report(gaveUp: NonNullable<RecoveryWays['gaveUp']>): void {
    const { position, givenUp, isExact } = this.end
    if (givenUp === undefined) return
    const first = position + 1
    const isOne = givenUp === first
    const what = isOne ? `block ${first}` : `blocks ${first} to ${givenUp}`
    const isDoubtful = !isExact || this.note?.durability === 'committed'
    const why = isDoubtful
      ? 'no flush is known to have covered it, and it may have been acknowledged before power was lost'
      : 'it was never acknowledged'
    gaveUp(`gave up ${what} of ${path.basename(this.folder)}: ${why}`, isDoubtful)
  }

  /** Returns the number of blocks. A log that is damaged is not noted as empty: the quorum is read first. */
  checkpoint(): number {
    const { note, end } = this
    const isLeft = note === undefined ? hasWal(this.folder) : note.state === WalState.IN_USE
    const isEmptied = isLeft && end.damage === undefined
    if (this.isCheckpointed && !isEmptied) return 0
    const store = new LmdbStore(this.folder)
    const before = store.lastPosition
    const left = this.blocks(store)
    try {
      while (store.lastPosition < end.position) {
        store.append(untilFull(() => blockOf(left.next())?.bytes))
      }
      if (isEmptied) store.noteWal(emptyNote(note?.durability))
      return store.lastPosition - before
    } finally {
      left.return(end)
      store.close()
    }
  }

  /** Iterates over the blocks that the log adds to LMDB's. Each is valid until the next one. */
  *left(): Generator<BlockReader, void> {
    const store = new LmdbStore(this.folder)
    try {
      yield* this.blocks(store)
    } finally {
      store.close()
    }
  }

  private blocks(store: LmdbStore): Generator<BlockReader, WalEnd> {
    const { point, epoch } = store.last()
    return blocksLeftInWal(this.folder, new BlockChain(this.matcher, point, epoch), this.note)
  }
}

const blockOf = <T>(step: IteratorResult<T, unknown>): T | undefined =>
  step.done === true ? undefined : step.value

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
