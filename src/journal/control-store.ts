/**
 * The control journal: operators' decisions (assets, symbols, accounts, keys, deposits), as JSON values
 * numbered from 1, each on the disk before `append` returns, and on the quorum, if there is one, before
 * that. Small; a start reads all of it. Only the admin server writes it.
 *
 *   DATA/control/data.mdb    the values, by their number
 *   DATA/control/last        the number of the last one, and the CRC-32 of all up to it, one behind the other
 *
 * LMDB has no checksums, and falls back to the transaction before when its last one cannot be read. So `last`,
 * written behind each transaction, proves all values and where they end. Values that it does not know yet are of
 * an append that a kill interrupted.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { orClose } from '../base/closing.ts'
import { storeFault } from '../base/file-fault.ts'
import { ControlKey } from '../layout/keys.gen.ts'
import {
  checkLength,
  Environment,
  type EnvironmentFigures,
  flushFolder,
  StorageError,
  Sync,
  type Table,
} from './environment.ts'
import { provePages } from './lmdb-pages.ts'
import { writeWholeFile } from './whole-file.ts'

/** Brings values to the quorum, numbered from `first`. Throws StorageError when that fails. */
export type BeforeAppend = (first: number, texts: readonly string[]) => void

export interface ControlOptions {
  readonly before?: BeforeAppend | undefined
  /** Gets what is wrong with the values, where a quorum has them; without it a StorageError is thrown. */
  readonly doubted?: ((sentence: string) => void) | undefined
  /** Whether another thread may write it meanwhile: that one has proven its pages, which change while it writes. */
  readonly isWritten?: boolean
}

/** The last value, and the checksum of all up to it. */
interface End {
  readonly sequence: number
  readonly sum: number
}

const NOTHING: End = { sequence: 0, sum: 0 }
const MARK = 'last'
/** Overwritten as a whole: one sector. */
const MARK_BYTES = 64
const WAY_OUT =
  'Put a whole copy of the folder control in its place, or restore a backup (ringbook restore).'

/** Returns the checksum of all values up to `text`, which follows those of the checksum `before`. */
export const controlSum = (text: Uint8Array, before: number): number =>
  crc32(text, before >>> 0) | 0

export class ControlStore {
  private readonly folder: string
  private readonly environment: Environment
  private readonly table: Table
  private before: BeforeAppend | undefined
  private end = NOTHING
  /** Undefined when there is no readable mark. */
  private readonly marked: End | undefined
  private file: number | undefined = undefined
  private isClosed = false
  /** Logs that the mark is missing or damaged, so that nothing proves the values; the next append writes it again. */
  readonly markFault: string | undefined

  /** Opens or creates the control journal. Throws StorageError with one clear sentence. */
  static open(dataFolder: string, options: ControlOptions = {}): ControlStore {
    return new ControlStore(dataFolder, options)
  }

  private constructor(dataFolder: string, { before, doubted, isWritten }: ControlOptions) {
    this.before = before
    const folder = path.join(dataFolder, 'control')
    this.folder = folder
    checkLength(folder)
    if (isWritten !== true) provePages(folder)
    this.environment = new Environment({ folder, mapBytes: 1 << 20 })
    this.table = this.environment.table()
    this.marked = orClose([this.environment], () => {
      this.environment.flush()
      flushFolder(folder)
      flushFolder(dataFolder)
      const marked = readMark(folder)
      const fault = this.readValues(marked)
      if (fault === undefined) return marked
      const sentence = `${path.join(folder, 'data.mdb')} ${fault}`
      if (doubted === undefined) throw new StorageError(`${sentence} ${WAY_OUT}`)
      doubted(sentence)
      return marked
    })
    const isUnproven = this.marked === undefined && this.end.sequence > 0
    const what = fs.existsSync(markFile(folder)) ? 'is damaged' : 'is missing'
    this.markFault = isUnproven ? `${markFile(folder)} ${what}.` : undefined
  }

  /** This member leads from now on: values are brought to the quorum before they are appended. */
  lead(before: BeforeAppend): void {
    this.before = before
  }

  get lastSequence(): number {
    return this.end.sequence
  }

  /** Appends a value and returns its sequence. Throws StorageError when the disk refuses. */
  append(value: unknown): number {
    return this.appendAll([value])
  }

  /** Appends several values, all or none. Returns the sequence of the last. */
  appendAll(values: readonly unknown[]): number {
    return this.appendTexts(values.map((value) => JSON.stringify(value)))
  }

  /** As `appendAll`, for values that are JSON already. */
  appendTexts(texts: readonly string[]): number {
    const first = this.end.sequence + 1
    // This journal never has what the quorum lacks, so a start need not take anything back.
    this.before?.(first, texts)
    let end = this.end
    this.environment.write(() => {
      for (const text of texts) {
        const bytes = Buffer.from(text)
        end = { sequence: end.sequence + 1, sum: controlSum(bytes, end.sum) }
        this.table.append(new ControlKey().of(end.sequence), bytes)
      }
    }, Sync.DISK)
    this.end = end
    // Values that a quorum has yet to bring stay wanted.
    if (end.sequence >= (this.marked?.sequence ?? 0)) this.mark()
    return end.sequence
  }

  /** Returns every value in sequence. Throws StorageError when one is missing or is not JSON. */
  *entries(): Iterable<unknown> {
    let sequence = 0
    for (const text of this.texts()) yield parse(text, ++sequence)
  }

  /** Returns the JSON of every value in sequence. Throws StorageError when one is missing. */
  *texts(): Iterable<string> {
    for (const value of this.values()) yield Buffer.from(value).toString('utf8')
  }

  figures(): EnvironmentFigures {
    return this.environment.figures()
  }

  /** A second call does nothing: the descriptor may be another file's then. */
  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    if (this.file !== undefined) fs.closeSync(this.file)
    this.environment.close()
  }

  private *values(): Iterable<Uint8Array> {
    let sequence = 0
    try {
      for (const { key, value } of this.table.rows({})) {
        sequence++
        if (ControlKey.sequence(key) !== sequence) {
          throw new StorageError(`Entry ${sequence} of the control journal is missing. ${WAY_OUT}`)
        }
        yield value
      }
    } finally {
      this.environment.release()
    }
  }

  /** Reads to the end. Returns how the mark contradicts it. */
  private readValues(marked: End | undefined): string | undefined {
    let fault: string | undefined
    let { sequence, sum } = NOTHING
    for (const value of this.values()) {
      sequence++
      sum = controlSum(value, sum)
      if (sequence !== marked?.sequence || sum === marked.sum) continue
      fault = `is damaged: its first ${sequence} entries do not match control/${MARK}.`
    }
    this.end = { sequence, sum }
    if (marked === undefined || sequence >= marked.sequence) return fault
    return `ends with entry ${sequence}, and control/${MARK} names entry ${marked.sequence}: what is between was lost.`
  }

  /** Survives a kill; after a power loss it may name an earlier value. */
  private mark(): void {
    const text = markText(this.end)
    try {
      if (this.file === undefined) {
        const file = markFile(this.folder)
        if (this.marked === undefined) writeWholeFile(file, text)
        this.file = fs.openSync(file, 'r+')
      }
      fs.writeSync(this.file, text, 0)
    } catch (error) {
      throw new StorageError(storeFault(markFile(this.folder), 'written', error), { cause: error })
    }
  }
}

const markFile = (folder: string): string => path.join(folder, MARK)

function markText({ sequence, sum }: End): string {
  const text = `${sequence} ${sum}`
  return `${text} ${crc32(text)}`.padEnd(MARK_BYTES - 1).concat('\n')
}

/** Returns undefined when it is missing or damaged. Throws the file system's error. */
function readMark(folder: string): End | undefined {
  if (!fs.existsSync(markFile(folder))) return undefined
  const text = fs.readFileSync(markFile(folder), 'latin1')
  const [sequence = 0, sum = 0] = text.split(' ').map(Number)
  return text === markText({ sequence, sum }) ? { sequence, sum } : undefined
}

function parse(text: string, sequence: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StorageError(`Entry ${sequence} of the control journal is not JSON.`)
  }
}
