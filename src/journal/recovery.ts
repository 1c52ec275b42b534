/**
 * All journals of a data folder as one stream of blocks, however many matchers wrote them. A symbol's
 * events lie in one journal per epoch (one start of the exchange). So reading epoch by epoch, and
 * within one journal by journal, gives each symbol's events in order. Recovery reads to the end; the
 * indexer continues as the journals grow.
 *
 * No block is skipped: one that is damaged, missing or out of place ends the reading with
 * JournalDamage. The caller checks that each symbol's sequence has no gaps.
 */
import * as fs from 'node:fs'
import { orClose } from '../base/closing.ts'
import type { Correction } from '../base/corrections.ts'
import { Ms } from '../base/units.ts'
import type { RecordBuffer } from '../layout/record-buffer.ts'
import { BlockReader, JournalDamage, ofStoredBlock } from './block.ts'
import { BEGINNING, BlockChain, type JournalPoint } from './chain.ts'
import { type RecoveryWays, recoverLogs } from './checkpointer.ts'
import { readCorrections } from './corrections.ts'
import { JournalReader } from './journal-reader.ts'
import { provePages } from './lmdb-pages.ts'
import { blockName, hasJournal, journalFolder } from './lmdb-store.ts'
import { checkBeginning } from './sealed-segments.ts'
import type { WalCells } from './wal-cells.ts'

/** One block; its records lie in records.bytes[start .. end) until the next call. */
export interface JournalBlock {
  readonly matcher: number
  readonly epoch: number
  readonly position: number
  readonly timeMs: Ms
  readonly checksum: number
  readonly recordCount: number
  readonly records: RecordBuffer
  readonly start: number
  readonly end: number
}

/**
 * Checkpoints blocks that an earlier run left in the journals' write-ahead logs into the journals. Call
 * it once at start, before any thread opens a journal. Returns the number of blocks. Throws as recoverLogs.
 */
export const recoverWals = (dataFolder: string, ways?: RecoveryWays): number =>
  recoverLogs(dataFolder, journalsIn(dataFolder), ways)

/** Larger journals are proven at their ends only: a start does not read all of them. */
export const PROVEN_BYTES_MAX = 256 << 20

/**
 * Proves the pages of the journals in LMDB, and where retention has them begin, before any thread opens one. Throws
 * StorageError or JournalDamage, which names the file.
 */
export function proveJournals(dataFolder: string): void {
  for (const matcher of journalsIn(dataFolder)) {
    const folder = journalFolder(dataFolder, matcher)
    provePages(folder, PROVEN_BYTES_MAX)
    const reader = new JournalReader(folder)
    try {
      checkBeginning(folder, (position) => reader.block(position))
    } finally {
      reader.close()
    }
  }
}

/** Iterates over every block behind `points`, by matcher, in the order described above. */
export function* readJournals(
  dataFolder: string,
  points: ReadonlyMap<number, JournalPoint> = new Map(),
): Iterable<JournalBlock> {
  const merge = openMerge(dataFolder, journalsIn(dataFolder), points)
  try {
    for (let block = merge.next(); block !== undefined; block = merge.next()) yield block
  } finally {
    merge.close()
  }
}

/** Throws JournalDamage unless each journal, by matcher, still has the block of its point. */
export function verifyPoints(dataFolder: string, points: ReadonlyMap<number, JournalPoint>): void {
  const present = journalsIn(dataFolder)
  for (const matcher of points.keys()) {
    if (!present.includes(matcher)) {
      throw new JournalDamage(`journal-${matcher} is no longer there.`)
    }
  }
  openMerge(dataFolder, [...points.keys()], points).close()
}

/** The matchers that have a journal in the data folder, in ascending order. */
export function journalsIn(dataFolder: string): readonly number[] {
  if (!fs.existsSync(dataFolder)) return []
  return fs
    .readdirSync(dataFolder)
    .map((name) => /^journal-(\d+)$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b)
}

/** Returns the matchers among the first `count` whose journals are not in the data folder. */
export function missingJournals(dataFolder: string, count: number): readonly number[] {
  const matchers = Array.from({ length: count }, (_, matcher) => matcher)
  return matchers.filter((matcher) => !hasJournal(journalFolder(dataFolder, matcher)))
}

/** Whether any journal holds a block. Call it before any thread writes one. */
export function hasBlocks(dataFolder: string): boolean {
  return journalsIn(dataFolder).some((journal) => {
    const reader = new JournalReader(journalFolder(dataFolder, journal))
    const { lastCheckpointed } = reader
    reader.close()
    return lastCheckpointed > 0
  })
}

/** Time of the last block that any journal has in LMDB, as it is shown; 0 without one. */
export function lastBlockMs(dataFolder: string): Ms {
  let lastMs = Ms(0)
  const corrections = readCorrections(dataFolder)
  for (const journal of journalsIn(dataFolder)) {
    const folder = journalFolder(dataFolder, journal)
    const reader = new JournalReader(folder)
    const block = new BlockReader(corrections)
    const { lastCheckpointed: last } = reader
    const bytes = last === 0 ? undefined : reader.block(last)
    try {
      if (bytes !== undefined) block.open(bytes, blockName(folder, last))
    } catch (error) {
      throw ofStoredBlock(error)
    } finally {
      reader.close()
    }
    lastMs = Ms(Math.max(lastMs, block.timeMs))
  }
  return lastMs
}

/** Reads the journals of a folder. `wals` are the cells of those that are being written, by matcher. */
export const openMerge = (
  dataFolder: string,
  matchers: readonly number[],
  points?: ReadonlyMap<number, JournalPoint>,
  wals: readonly WalCells[] = [],
): JournalMerge =>
  new JournalMerge(
    matchers,
    (matcher) => new JournalReader(journalFolder(dataFolder, matcher), wals[matcher]),
    points,
    readCorrections(dataFolder),
  )

/** What is read of one journal: journal-reader.ts in production, memory in simulators. */
export type ReadableJournal = Pick<
  JournalReader,
  'folder' | 'block' | 'lastCheckpointed' | 'refresh' | 'close'
>

/** Reads several journals side by side, the lowest epoch first. */
export class JournalMerge {
  private readonly cursors: readonly JournalCursor[]
  private taken: JournalCursor | undefined = undefined

  constructor(
    matchers: readonly number[],
    open: (matcher: number) => ReadableJournal,
    points: ReadonlyMap<number, JournalPoint> = new Map(),
    corrections: readonly Correction[] = [],
  ) {
    const cursors: JournalCursor[] = []
    this.cursors = cursors
    orClose(cursors, () => {
      for (const matcher of matchers) {
        const reader = open(matcher)
        cursors.push(
          new JournalCursor(reader, matcher, points.get(matcher) ?? BEGINNING, corrections),
        )
      }
    })
  }

  /**
   * Returns the next block; undefined at the end of all journals, by the last refresh. With `isWanted` no
   * journal is read past its first block that is not, and none past the epoch of such a block.
   */
  next(isWanted: (block: JournalBlock) => boolean = () => true): JournalBlock | undefined {
    this.taken?.take()
    this.taken = undefined
    const loaded = this.cursors.filter((cursor) => cursor.load())
    const epoch = Math.min(...loaded.map(({ block }) => block.epoch))
    this.taken = loaded.find(({ block }) => block.epoch === epoch && isWanted(block))
    return this.taken?.block
  }

  /** Returns the number of blocks in LMDB that `next` has not returned yet. */
  blocksLeft(): number {
    return this.cursors.reduce((sum, cursor) => sum + cursor.blocksLeft(), 0)
  }

  /** Lets `next` see later blocks. Nothing is held until then. */
  refresh(): void {
    for (const cursor of this.cursors) cursor.refresh()
  }

  close(): void {
    for (const cursor of this.cursors) cursor.close()
  }
}

/** One journal, block after block, each checked against the one before. */
class JournalCursor {
  readonly block: BlockReader
  private readonly reader: ReadableJournal
  private readonly chain: BlockChain
  private loaded = false

  constructor(
    reader: ReadableJournal,
    matcher: number,
    point: JournalPoint,
    corrections: readonly Correction[],
  ) {
    this.block = new BlockReader(corrections)
    this.reader = reader
    this.chain = new BlockChain(matcher, point)
    if (point.position > 0) orClose([reader], () => this.verifyPoint(point))
  }

  blocksLeft(): number {
    return this.reader.lastCheckpointed - this.chain.position
  }

  /** Loads the next block. Returns false when there is none yet. */
  load(): boolean {
    if (this.loaded) return true
    const position = this.chain.position + 1
    const bytes = this.reader.block(position)
    if (bytes === undefined) return false
    const name = blockName(this.reader.folder, position)
    try {
      this.block.open(bytes, name)
      this.chain.check(this.block, name)
    } catch (error) {
      throw ofStoredBlock(error)
    }
    this.loaded = true
    return true
  }

  /** Passes over the loaded block. */
  take(): void {
    this.loaded = false
    this.chain.advance(this.block)
  }

  refresh(): void {
    this.reader.refresh()
  }

  close(): void {
    this.reader.close()
  }

  private verifyPoint(point: JournalPoint): void {
    const bytes = this.reader.block(point.position)
    const name = blockName(this.reader.folder, point.position)
    if (bytes === undefined) throw new JournalDamage(`${name} is no longer there.`)
    this.block.open(bytes, name)
    if (this.block.checksum !== point.checksum) {
      throw new JournalDamage(`${name} is not the one that was read before.`)
    }
  }
}
