/**
 * Power losses played over the real files of a journal, its write-ahead log and its LMDB environment, by
 * their worst: of all sectors that were written since they were last flushed, any may have reached the
 * disk and any may not. Power may fail between two blocks, within an append, while blocks are
 * checkpointed, while a start recovers, and while it empties the write-ahead log. Whatever happened,
 * recovery must find a prefix of what was appended that holds everything flushed.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import type { Prng } from '../../src/base/prng.ts'
import { Checkpointer } from '../../src/journal/checkpointer.ts'
import { Environment, PAGE_BYTES, Sync } from '../../src/journal/environment.ts'
import { flushMarkFile } from '../../src/journal/flush-mark.ts'
import { type Journal, openJournal } from '../../src/journal/journal.ts'
import { journalFolder, LmdbStore } from '../../src/journal/lmdb-store.ts'
import { readJournals, recoverWals } from '../../src/journal/recovery.ts'
import type { Durability } from '../../src/journal/store.ts'
import { SEGMENT_COUNT, WalCells } from '../../src/journal/wal-cells.ts'
import { segmentFile } from '../../src/journal/wal-writer.ts'

const SECTOR_BYTES = 512
/** LMDB's two meta pages. */
const META_BYTES = 2 * PAGE_BYTES
const CHECKPOINT_CHANCE = 0.05
const FLUSH_CHANCE = 0.02
const segments = Array.from({ length: SEGMENT_COUNT }, (_, segment) => segment)

/** What is appended: the block that follows the ones before it, and its checksum. */
export interface BlockSource {
  /** A life begins: its journal is open. */
  begin(journal: Journal, epoch: number): void
  /** Undefined when there is none any more. */
  next(position: number): { readonly block: Uint8Array; readonly checksum: number } | undefined
}

export interface Loss {
  /** Where power failed. */
  readonly moment: 'append' | 'checkpoint' | 'recovery' | 'emptying'
  readonly appended: number
  /** What had to survive, and what did. */
  readonly floor: number
  readonly survivors: number
  /** Whether a segment was written again in this life. */
  readonly isReused: boolean
}

/** What the disk holds when power has failed. */
interface Death {
  readonly moment: 'append' | 'checkpoint'
  readonly floor: number
  readonly appended: number
  readonly wals: readonly Buffer[]
  readonly mark: Buffer
  readonly mdb: Buffer
}

export interface PowerPlayOptions {
  /** Emptied first. */
  readonly folder: string
  readonly durability: Durability
  readonly random: Prng
  readonly source: BlockSource
  /** Looks at a data folder that was recovered, whose journal has that many blocks; throws. */
  readonly recovered?: (dataFolder: string, blocks: number) => void
}

export class PowerPlay {
  private readonly options: PowerPlayOptions
  /** Checksums of all blocks that survived so far. */
  private readonly checksums: number[] = []
  private folder: string
  private epoch = 0
  private folders = 0

  constructor(options: PowerPlayOptions) {
    this.options = options
    fs.rmSync(options.folder, { recursive: true, force: true })
    this.folder = this.newFolder()
  }

  /** Lives once and loses power; throws when more was lost than may be. Undefined: it is over. */
  lose(): Loss | undefined {
    const { durability } = this.options
    const begin = this.checksums.length
    const life = new JournalRun(this.folder, durability, this.options.source, ++this.epoch)
    expectSame(life.journal.lastPosition, begin, 'the next start continues from what was recovered')
    const disk = new Disk(this.folder)
    let died: Death | undefined
    try {
      died = this.live(life, disk)
    } finally {
      disk.restore()
      life.end()
    }
    if (died === undefined) return undefined
    this.reborn(died.wals, died.mdb, died.mark)
    const moment = this.interrupt() ?? died.moment
    const survivors = this.recover(died.floor)
    const isReused = life.cells.firstOf(0) > begin + 1
    return { moment, appended: died.appended, floor: died.floor, survivors, isReused }
  }

  /** Until power fails; undefined when there is nothing more to append. */
  private live(life: JournalRun, disk: Disk): Death | undefined {
    const { random } = this.options
    for (let left = random.below(random.pick([2, 20, 150])); left > 0; left--) {
      if (!life.append(this.checksums)) return undefined
      if (random.chance(CHECKPOINT_CHANCE)) life.checkpoint()
      if (random.chance(FLUSH_CHANCE)) life.journal.flush()
    }
    const end = this.end(life, disk)
    const appended = this.checksums.length
    return { ...end, appended, wals: disk.torn(random), mark: disk.tornMark(random) }
  }

  /** Power fails within an append whose writer gets no answer, or while blocks are checkpointed. */
  private end(life: JournalRun, disk: Disk): Pick<Death, 'moment' | 'floor' | 'mdb'> {
    const { random } = this.options
    const floor = Math.max(life.journal.flushedPosition, life.cells.checkpointed)
    disk.lose()
    if (random.chance(0.3)) {
      const before = disk.mdb.image
      life.checkpoint()
      return { moment: 'checkpoint', floor, mdb: tornCheckpoint(before, disk.mdb.written, random) }
    }
    life.append(this.checksums)
    // An append may have had to wait until blocks were checkpointed: what LMDB flushed is on the disk.
    return { moment: 'append', floor, mdb: disk.mdb.torn(random) }
  }

  /** Makes the data folder as it is once power is back, in a place where no process has it open. */
  private reborn(wals: readonly Buffer[], mdb: Buffer, mark: Buffer): void {
    const next = this.newFolder()
    const folder = journalFolder(next, 0)
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(path.join(folder, 'data.mdb'), mdb)
    for (const segment of segments) fs.writeFileSync(segmentFile(folder, segment), wals[segment]!)
    fs.writeFileSync(flushMarkFile(folder), mark)
    fs.rmSync(this.folder, { recursive: true })
    this.folder = next
  }

  /**
   * Now and then power fails again: while what the write-ahead log holds is saved, or while it is
   * emptied.
   */
  private interrupt(): 'recovery' | 'emptying' | undefined {
    const { random } = this.options
    if (!random.chance(0.4)) return undefined
    const folder = journalFolder(this.folder, 0)
    const file = path.join(folder, 'data.mdb')
    const wals = readWals(this.folder)
    const mark = readMark(this.folder)
    const mdb = new MdbDisk(folder)
    let transactions: [Buffer, Buffer][]
    try {
      transactions = recordTransactions(file, () => recoverWals(this.folder))
    } finally {
      mdb.restore()
    }
    if (random.chance(0.5)) {
      const [before, after] = random.pick(transactions)
      this.reborn(wals, tornCheckpoint(before, after, random), mark)
      return 'recovery'
    }
    const emptied = (wal: Buffer) => lose(wal, Buffer.alloc(wal.length), random.unit(), random)
    this.reborn(wals.map(emptied), mdb.torn(random), mark)
    return 'emptying'
  }

  private recover(floor: number): number {
    recoverWals(this.folder)
    const survivors = Array.from(readJournals(this.folder), ({ checksum }) => checksum)
    if (survivors.length < floor) {
      throw new Error(`${floor} blocks were flushed, and ${survivors.length} survived`)
    }
    const expected = this.checksums.slice(0, survivors.length)
    expectSame(survivors.join(), expected.join(), 'what survived is a prefix of what was appended')
    this.checksums.length = survivors.length
    this.options.recovered?.(this.folder, survivors.length)
    return survivors.length
  }

  private newFolder(): string {
    return path.join(this.options.folder, `power-${this.folders++}`)
  }
}

/** A journal's writer and its checkpointer on one thread, from a start to a power loss. */
export class JournalRun {
  readonly journal: Journal
  readonly cells = new WalCells()
  private readonly checkpointer: Checkpointer
  private readonly source: BlockSource

  constructor(folder: string, durability: Durability, source: BlockSource, epoch: number) {
    this.source = source
    this.journal = openJournal(folder, 0, durability, {
      cells: this.cells,
      segmentBegun: () => {},
      makeRoom: (position) => {
        while (this.cells.checkpointed < position) this.checkpoint()
      },
    })
    this.checkpointer = new Checkpointer(folder, 0, this.cells)
    source.begin(this.journal, epoch)
  }

  /** Appends the next block and notes its checksum; false when there is none. */
  append(checksums: number[]): boolean {
    const next = this.source.next(this.journal.lastPosition + 1)
    if (next === undefined) return false
    checksums.push(next.checksum)
    this.journal.append(next.block)
    return true
  }

  checkpoint(): void {
    this.checkpointer.checkpoint()
  }

  end(): void {
    this.checkpointer.close()
    this.journal.close()
  }
}

/** The write-ahead log as the disk has it: what each file held when it was last flushed. */
class Disk {
  private readonly folder: string
  private readonly images: Buffer[]
  private readonly marks: Buffer[]
  readonly mdb: MdbDisk
  private readonly flush = fs.fdatasyncSync
  /** Once this is set, nothing reaches the disk any more. */
  private isLost = false

  /** Call it for a write-ahead log that was just opened. */
  constructor(folder: string) {
    this.folder = folder
    this.images = readWals(folder)
    this.marks = [readMark(folder)]
    this.mdb = new MdbDisk(journalFolder(folder, 0))
    const files = walFiles(folder)
    const inodes = files.map((file) => fs.statSync(file).ino)
    fs.fdatasyncSync = (descriptor) => {
      const segment = inodes.indexOf(fs.fstatSync(descriptor).ino)
      if (!this.isLost) this.images[segment] = fs.readFileSync(files[segment]!)
    }
    syncBuiltinESMExports()
  }

  /** What the power loss leaves of each file. */
  torn(random: Prng): Buffer[] {
    const kept = random.pick([0, 0.5, 0.9, 0.99, 1])
    const written = readWals(this.folder)
    return written.map((after, segment) => lose(this.images[segment]!, after, kept, random))
  }

  /** The mark is never flushed: the disk has some state of it since the log was opened. */
  tornMark(random: Prng): Buffer {
    return random.pick(this.marks)
  }

  /** Nothing that is written from now on reaches the disk, and no flush returns. */
  lose(): void {
    this.isLost = true
    this.marks.push(readMark(this.folder))
  }

  restore(): void {
    fs.fdatasyncSync = this.flush
    syncBuiltinESMExports()
    this.mdb.restore()
  }
}

/**
 * An LMDB file as the disk has it: what it held after the last transaction or flush that has to return
 * when all is on the disk. That LMDB keeps this promise is for file-acts.test.ts to see.
 */
class MdbDisk {
  private readonly file: string
  private readonly real: Pick<Environment, 'write' | 'flush'>
  image: Buffer

  /** Call it while nothing of the folder's environment waits to be flushed. */
  constructor(folder: string) {
    this.file = path.join(folder, 'data.mdb')
    this.image = this.written
    const { write, flush } = Environment.prototype
    this.real = { write, flush }
    const flushed = (environment: Environment) => {
      if (environment.folder === folder) this.image = this.written
    }
    Environment.prototype.write = function (action, sync) {
      write.call(this, action, sync)
      if (sync === Sync.DISK) flushed(this)
    }
    Environment.prototype.flush = function () {
      flush.call(this)
      flushed(this)
    }
  }

  /** What the kernel has of it. */
  get written(): Buffer {
    return fs.readFileSync(this.file)
  }

  /** What a power loss leaves: any sector that was written since the last flush may be old. */
  torn(random: Prng): Buffer {
    const { image, written } = this
    return image.equals(written) ? image : lose(image, written, random.pick([0, 0.5, 1]), random)
  }

  restore(): void {
    Object.assign(Environment.prototype, this.real)
  }
}

const walFiles = (folder: string): string[] =>
  segments.map((segment) => segmentFile(journalFolder(folder, 0), segment))

const readMark = (folder: string): Buffer =>
  fs.readFileSync(flushMarkFile(journalFolder(folder, 0)))

const readWals = (folder: string): Buffer[] => walFiles(folder).map((file) => fs.readFileSync(file))

/** Keeps what was flushed of each sector, or what was written since; a file that grew may be short again. */
function lose(before: Buffer, after: Buffer, kept: number, random: Prng): Buffer {
  const disk = Buffer.alloc(random.chance(0.5) ? before.length : after.length)
  before.copy(disk)
  for (let at = 0; at < disk.length; at += SECTOR_BYTES) {
    if (at < after.length && random.chance(kept)) after.copy(disk, at, at, at + SECTOR_BYTES)
  }
  return disk
}

/** The file before and after each transaction of the action, at least one. */
function recordTransactions(file: string, action: () => void): [before: Buffer, after: Buffer][] {
  const transactions: [Buffer, Buffer][] = []
  const { append, noteWal } = LmdbStore.prototype
  const recorded = (write: () => void) => {
    const before = fs.readFileSync(file)
    write()
    transactions.push([before, fs.readFileSync(file)])
  }
  LmdbStore.prototype.append = function (next) {
    recorded(() => append.call(this, next))
  }
  LmdbStore.prototype.noteWal = function (note) {
    recorded(() => noteWal.call(this, note))
  }
  try {
    action()
  } finally {
    Object.assign(LmdbStore.prototype, { append, noteWal })
  }
  return transactions
}

/** LMDB flushes the pages of a transaction before it writes the one that leads to them. */
function tornCheckpoint(before: Buffer, after: Buffer, random: Prng): Buffer {
  if (random.chance(0.2)) return after
  const pages = lose(before.subarray(META_BYTES), after.subarray(META_BYTES), random.unit(), random)
  return Buffer.concat([before.subarray(0, META_BYTES), pages])
}

function expectSame<T>(found: T, expected: T, sentence: string): void {
  if (found !== expected) throw new Error(`${sentence}: ${found} is not ${expected}`)
}
