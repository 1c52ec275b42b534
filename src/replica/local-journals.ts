/** The journals of a data folder as the quorum sees them, while no other thread opens them. */
import * as fs from 'node:fs'
import path from 'node:path'
import { orClose } from '../base/closing.ts'
import { BlockReader } from '../journal/block.ts'
import { BlockChain } from '../journal/chain.ts'
import { LeftLog } from '../journal/checkpointer.ts'
import { ControlStore } from '../journal/control-store.ts'
import { flushFolder } from '../journal/environment.ts'
import { JournalReader } from '../journal/journal-reader.ts'
import { blockName, journalFolder, LmdbStore } from '../journal/lmdb-store.ts'
import { journalsIn } from '../journal/recovery.ts'
import { SEGMENT_COUNT } from '../journal/wal-cells.ts'
import { emptyNote } from '../journal/wal-note.ts'
import { formerSegmentFile, segmentFile } from '../journal/wal-writer.ts'
import { controlBlock } from './control-facts.ts'
import { CONTROL_JOURNAL, NO_POINT, type QuorumBlock, QuorumRefusal } from './quorum.ts'

/** A journal of the folder: blocks from 1 to `last`. */
export interface LocalJournal {
  readonly last: number
  /** Returns blocks behind `position`, in order. */
  read(position: number): Iterable<QuorumBlock>
  append(blocks: readonly QuorumBlock[]): void
  close(): void
}

/** `damaged` gets what the control journal has lost: the quorum has it. */
export const localJournal = (
  dataFolder: string,
  journal: number,
  damaged: (sentence: string) => void,
): LocalJournal =>
  journal === CONTROL_JOURNAL
    ? new LocalControl(dataFolder, damaged)
    : new LocalMatcherJournal(dataFolder, journal)

export const nameOf = (journal: number): string =>
  journal === CONTROL_JOURNAL ? 'The control journal' : `journal-${journal}`

class LocalControl implements LocalJournal {
  private readonly store: ControlStore

  constructor(dataFolder: string, doubted: (sentence: string) => void) {
    this.store = ControlStore.open(dataFolder, { doubted })
  }

  get last(): number {
    return this.store.lastSequence
  }

  *read(position: number): Iterable<QuorumBlock> {
    let end = NO_POINT
    for (const text of this.store.texts()) {
      const block = controlBlock(Buffer.from(text), end)
      if (block.position > position) yield block
      end = block
    }
  }

  append(blocks: readonly QuorumBlock[]): void {
    this.store.appendTexts(blocks.map(({ bytes }) => Buffer.from(bytes).toString('utf8')))
  }

  close(): void {
    this.store.close()
  }
}

class LocalMatcherJournal implements LocalJournal {
  private readonly folder: string
  private readonly store: LmdbStore
  private readonly chain: BlockChain

  constructor(dataFolder: string, matcher: number) {
    this.folder = journalFolder(dataFolder, matcher)
    this.store = new LmdbStore(this.folder)
    const { point, epoch } = orClose([this.store], () => this.store.last())
    this.chain = new BlockChain(matcher, point, epoch)
  }

  get last(): number {
    return this.store.lastPosition
  }

  *read(position: number): Iterable<QuorumBlock> {
    const reader = new JournalReader(this.folder)
    const block = new BlockReader()
    try {
      for (let next = position + 1; next <= this.last; next++) {
        const bytes = reader.block(next)!
        block.open(bytes, blockName(this.folder, next))
        // A copy: the next read overwrites the bytes.
        yield quorumBlock(block, new Uint8Array(bytes))
      }
    } finally {
      reader.close()
    }
  }

  append(blocks: readonly QuorumBlock[]): void {
    const checked = new BlockReader()
    for (const { bytes, position } of blocks) {
      const name = blockName(this.folder, position)
      checked.open(bytes, name)
      this.chain.check(checked, name)
      this.chain.advance(checked)
    }
    const left = blocks.values()
    this.store.append(() => left.next().value?.bytes)
  }

  close(): void {
    this.store.close()
  }
}

/** Returns the row of the block that the reader holds. */
export const quorumBlock = (
  { matcher, position, previous, checksum }: BlockReader,
  bytes: Uint8Array,
): QuorumBlock => ({ journal: matcher, position, previous, checksum, bytes })

const CONTROL_LOST =
  'The control journal of the data folder is empty, but it has journals of matchers: it was lost. Start on ' +
  'an empty folder with the same secret.key.'

const OWN_BLOCKS =
  'has blocks in its write-ahead log that a start without a quorum wrote: this folder continued by itself. ' +
  'Start on an empty folder with the same secret.key.'

/** Returns the names of a write-ahead log's segments, with those up to layout 4. */
const segmentFiles = (folder: string): readonly string[] =>
  [segmentFile, formerSegmentFile].flatMap((nameOf) =>
    Array.from({ length: SEGMENT_COUNT }, (_, segment) => nameOf(folder, segment)),
  )

/** Where a segment of a write-ahead log stays that a start has dropped. */
const droppedFile = (file: string): string =>
  path.join(path.dirname(file), `dropped-${path.basename(file)}`)

/**
 * Drops the blocks of all write-ahead logs, once it is known that the folder has the quorum's history,
 * with `facts` in its control journal. Each journal notes first that its log holds nothing that counts. The
 * files stay under another name until a later start drops write-ahead logs, or returns as the leader
 * (forgetDropped). `damaged` gets what was lost of a log. Throws QuorumRefusal, and drops nothing, when the
 * folder has no control journal that could be compared, or a log has blocks of a start without a quorum.
 */
export function dropWals(
  dataFolder: string,
  facts: number,
  damaged: (sentence: string) => void,
): void {
  const journals = journalsIn(dataFolder)
  if (facts === 0 && journals.length > 0) throw new QuorumRefusal(CONTROL_LOST)
  const logs = journals.map((journal) => new LeftLog(dataFolder, journal))
  for (const [i, { hasOwnBlocks }] of logs.entries()) {
    if (hasOwnBlocks) throw new QuorumRefusal(`journal-${journals[i]} ${OWN_BLOCKS}`)
  }
  for (const { end } of logs) if (end.damage !== undefined) damaged(end.damage)
  for (const journal of journals) {
    const folder = journalFolder(dataFolder, journal)
    const store = new LmdbStore(folder)
    try {
      store.noteWal(emptyNote('replicated'))
    } finally {
      store.close()
    }
    for (const file of segmentFiles(folder)) {
      if (fs.existsSync(file)) fs.renameSync(file, droppedFile(file))
    }
    flushFolder(folder)
  }
}

/** Removes what earlier starts dropped. */
export function forgetDropped(dataFolder: string): void {
  for (const journal of journalsIn(dataFolder)) {
    const folder = journalFolder(dataFolder, journal)
    for (const file of segmentFiles(folder)) fs.rmSync(droppedFile(file), { force: true })
  }
}
