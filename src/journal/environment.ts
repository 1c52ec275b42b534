/**
 * One LMDB environment and its tables, with binary keys and values: the only file that uses the
 * lmdb package. Journals, the control journal and the archive stand on it. Each thread opens its own
 * handle; the threads of one process share the mapping beneath. At most one thread writes.
 *
 * All calls are synchronous, so they work in a thread whose event loop does not run; but the package sets a
 * timer for each read transaction, so such a thread must run its loop now and then. Reads see what was
 * committed when the first one behind the last `release` began.
 */

import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs'
import * as os from 'node:os'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { storeFault } from '../base/file-fault.ts'
import { type Clock, elapsedMsExactly } from '../base/time.ts'
import { type Database, open, type RootDatabase } from './lmdb.ts'

/** The disk, or LMDB, refused. The sentence names the environment and why. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
}

/** A read took too long and was ended: the state that it held kept pages from being used again. */
export class LongRead extends Error {
  override readonly name = 'LongRead'
}

/** Less of the disk is left than a transaction may take. */
class DiskFull extends Error {}

const MDB_READERS_FULL = -30790
/**
 * Codes, as names and as numbers, that prove nothing against the file: the same call may succeed later, or on
 * another disk.
 */
const REFUSALS: ReadonlySet<unknown> = new Set([
  MDB_READERS_FULL,
  ...(
    [
      ...(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO'] as const),
      ...(['EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'ENOMEM'] as const),
    ] as const
  ).flatMap((code) => [code, os.constants.errno[code]]),
])

/** Whether the disk took nothing, or rights were missing; false where the file itself is at fault. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'EIO' && syscall === 'read') return false
  return error instanceof DiskFull || REFUSALS.has(code) || isRefusal(error.cause)
}

export interface EnvironmentOptions {
  readonly folder: string
  /** Address space reserved at first; it grows on demand, and costs memory only where read. */
  readonly mapBytes?: number
  /** Names of the tables; one unnamed table when left out. */
  readonly tables?: readonly string[]
  /** The longest time that reads within one `read` may take; without it, any. */
  readonly readBound?: { readonly msMax: number; readonly clock: Pick<Clock, 'elapsedNs'> }
  /** Whether transactions write rows all over the file, so that its list of free pages grows long. */
  readonly isScattered?: boolean
  /** Whether each value ends with a checksum of its row, which readers never see: LMDB has none. */
  readonly isChecked?: boolean
}

/** Whether a transaction is on the disk, or only in the kernel's hands, when it returns. */
export const Sync = { DISK: 0, KERNEL: 1 } as const
export type Sync = (typeof Sync)[keyof typeof Sync]

export interface EnvironmentFigures {
  readonly fileBytes: number
  /** Pages of the file that no table uses. */
  readonly freePages: number
  /** Transactions whose freed pages LMDB lists and has not used again. */
  readonly freeEntries: number
  readonly lastTransaction: number
  /** The transaction whose state the oldest reader of any thread holds; undefined without readers. */
  readonly oldestReader: number | undefined
}

export const PAGE_BYTES = 4096

const MAP_BYTES = 64 << 20
const READERS_MAX = 256
/** Free bytes that the disk must have: more than any transaction takes. */
const ROOM_BYTES = 64 << 20
const PROBE = Buffer.from('Written to find out whether the disk takes anything.\n')
/** From this many pages to twice as many. */
const SPARE_PAGES = 64
const SPARE = Buffer.alloc(2 * SPARE_PAGES * PAGE_BYTES)
/** Within a transaction, beside the names of the tables. */
const SPARE_KEY = Buffer.from([0])
/** lmdb's flags for transactionSync: commit before returning; do not flush. */
const SYNCHRONOUS_COMMIT = 2
const NO_SYNC_FLUSH = 0x10000

/** An option of the package that it does not declare: entries of the list kept between transactions. */
const FREE_PAGES_OPTIONS = { maxFreeSpaceToRetain: 0 }
/** Members of the package that it does not declare. */
interface Undeclared {
  readonly env: { sync(): void }
  readonly db: { stat(): TreeStat }
  /** Figures of the unnamed table, with these of the environment. */
  getStats(): TreeStat & {
    readonly free: TreeStat
    readonly lastPageNumber: number
    readonly lastTxnId: number
  }
}
interface TreeStat {
  readonly entryCount: number
  readonly treeBranchPageCount: number
  readonly treeLeafPageCount: number
  readonly overflowPages: number
}
type Handle = Database<Uint8Array, Uint8Array>

export class Environment {
  readonly folder: string
  private readonly root: RootDatabase<Uint8Array, Uint8Array>
  private readonly tables = new Map<string, Table>()
  private readonly freePages: FreePages | undefined
  private readonly bound: ReadBound
  /** Whether a transaction has begun whose action has not ended. */
  private acting = false
  /** The file written before LMDB writes; opened with the first transaction. */
  private probe: number | undefined = undefined

  constructor(options: EnvironmentOptions) {
    this.folder = options.folder
    const names = options.tables ?? []
    this.root = this.guard(() => {
      mkdirSync(options.folder, { recursive: true })
      this.checkFile(path.join(options.folder, 'data.mdb'))
      return open<Uint8Array, Uint8Array>({
        path: options.folder,
        encoding: 'binary',
        keyEncoding: 'binary',
        mapSize: options.mapBytes ?? MAP_BYTES,
        pageSize: PAGE_BYTES,
        maxReaders: READERS_MAX,
        maxDbs: names.length + 1,
        overlappingSync: false,
        noSubdir: false,
        cache: false,
        ...(options.isScattered ? FREE_PAGES_OPTIONS : {}),
      })
    })
    const bound = new ReadBound(options)
    this.bound = bound
    const tableOf = (handle: Handle) => new Table(options, handle, bound)
    for (const name of names) {
      const binary = { encoding: 'binary', keyEncoding: 'binary' } as const
      this.tables.set(name, tableOf(this.guard(() => this.root.openDB(name, binary))))
    }
    if (names.length === 0) this.tables.set('', tableOf(this.root))
    if (options.isScattered) this.freePages = new FreePages(this.root)
    // To open a table is to read.
    this.release()
  }

  /** A table by its name; without a name, the only one. */
  table(name = ''): Table {
    const table = this.tables.get(name)
    if (table === undefined) throw new StorageError(`${this.folder} has no table ${name}`)
    return table
  }

  /**
   * Runs the action's writes as one transaction: all of them, or, when it throws, none. Throws
   * StorageError when the disk refuses them, or is almost full.
   */
  write(action: () => void, sync: Sync): void {
    const flags = sync === Sync.DISK ? SYNCHRONOUS_COMMIT : SYNCHRONOUS_COMMIT | NO_SYNC_FLUSH
    this.acting = true
    try {
      this.root.transactionSync(() => {
        action()
        this.acting = false
        this.freePages?.prepare()
        this.checkDisk()
      }, flags)
    } catch (error) {
      // The action's own error goes to the caller.
      throw this.acting ? error : this.wrapped(error)
    }
  }

  /** Returns when everything committed so far is on the disk. */
  flush(): void {
    this.guard(() => (this.root as unknown as Undeclared).env.sync())
  }

  /**
   * Runs reads that need one state of the tables, and holds nothing when they are done. Call it while no
   * iterator of an earlier read is open. Throws LongRead when they take too long.
   */
  read<T>(action: () => T): T {
    this.release()
    this.bound.begin()
    try {
      return action()
    } finally {
      this.bound.end()
      this.release()
    }
  }

  /**
   * Ends the read transaction that the last read began. A state that is held keeps its pages from being
   * used again, so a caller that stops reading calls this. The next read sees what is committed by then.
   */
  release(): void {
    this.root.resetReadTxn()
  }

  /**
   * Returns figures of the file, not within `write`. Leaves this handle without a reader.
   * `freePages` is true of a handle that names all tables of the file.
   */
  figures(): EnvironmentFigures {
    return this.guard(() => {
      this.release()
      const oldestReader = oldestIn(this.root.readerList())
      const root = (this.root as unknown as Undeclared).getStats()
      let usedPages = META_PAGES + pagesOf(root) + pagesOf(root.free)
      for (const [name, table] of this.tables) if (name !== '') usedPages += table.pages()
      this.release()
      return {
        fileBytes: statSync(path.join(this.folder, 'data.mdb')).size,
        freePages: root.lastPageNumber + 1 - usedPages,
        freeEntries: root.free.entryCount,
        lastTransaction: root.lastTxnId,
        oldestReader,
      }
    })
  }

  /** Copies the file as it is at one moment into a folder, which must exist, beside the writer. */
  async copyTo(folder: string): Promise<void> {
    try {
      await this.root.backup(folder, false)
    } catch (error) {
      throw this.wrapped(error)
    }
  }

  close(): void {
    this.closeProbe()
    void this.root.close()
  }

  private closeProbe(): void {
    if (this.probe !== undefined) closeSync(this.probe)
    this.probe = undefined
  }

  /** Checks it before LMDB opens it, or writes its first pages. */
  private checkFile(file: string): void {
    const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 }
    if (size > 0) {
      checkSignature(file)
      return
    }
    try {
      this.checkDisk()
    } finally {
      this.closeProbe()
    }
  }

  /**
   * Throws the error that a write of LMDB would meet. The package must not meet it: it writes the reason
   * into memory that is too small, which may end the process at any later moment.
   */
  private checkDisk(): void {
    this.probe ??= openSync(path.join(this.folder, 'probe'), 'w')
    writeSync(this.probe, PROBE, 0, PROBE.length, 0)
    const { bavail, bsize } = statfsSync(this.folder)
    if (bavail * bsize < ROOM_BYTES) {
      throw new DiskFull(`less than ${ROOM_BYTES >> 20} MiB of the disk are left`)
    }
  }

  private guard<T>(action: () => T): T {
    try {
      return action()
    } catch (error) {
      throw this.wrapped(error)
    }
  }

  private wrapped(error: unknown): StorageError {
    return unusable(this.folder, error)
  }
}

/**
 * Keeps LMDB's list of free pages sound against two faults of the package
 * (docs/decisions/lmdb.md).
 *
 * It keeps the list in memory between transactions, and writes back what it knows to have changed. It does
 * not know of runs of pages that a transaction took and gave back. What a transaction has read of the list,
 * it writes back as a whole. So no list is kept (FREE_PAGES_OPTIONS).
 *
 * It reads the list piece by piece, whenever it needs a page and has none left. If that happens while it
 * writes the list at the end of a transaction, it may read from a page that it has just emptied: a false
 * error, or the end of the process. So a run of pages is taken and given back before, which LMDB then has.
 */
class FreePages {
  private readonly root: Handle
  private count = 0

  constructor(root: Handle) {
    this.root = root
  }

  /** Within a transaction, as its last act. */
  prepare(): void {
    // Its length changes, so that about every other one fits no free run: LMDB reads the list to its end.
    this.count = (this.count + 37) % SPARE_PAGES
    this.root.putSync(SPARE_KEY, SPARE.subarray(this.count * PAGE_BYTES))
    this.root.removeSync(SPARE_KEY)
  }
}

function unusable(folder: string, error: unknown): StorageError {
  return new StorageError(storeFault(folder, 'used', error), { cause: error })
}

export interface Range {
  /** The first key wanted, and the first no longer wanted; in reverse, the other way round. */
  readonly start?: Uint8Array
  readonly end?: Uint8Array
  readonly limit?: number
  readonly reverse?: boolean
}

/** Reads between two looks at the clock. */
const LOOK_READS = 256

/** Ends reads that take too long. */
class ReadBound {
  private readonly folder: string
  private readonly bound: EnvironmentOptions['readBound']
  private untilMs = Number.POSITIVE_INFINITY
  private reads = 0

  constructor({ folder, readBound }: EnvironmentOptions) {
    this.folder = folder
    this.bound = readBound
  }

  begin(): void {
    if (this.bound === undefined) return
    this.untilMs = elapsedMsExactly(this.bound.clock) + this.bound.msMax
  }

  end(): void {
    this.untilMs = Number.POSITIVE_INFINITY
  }

  count(): void {
    if (this.bound === undefined || ++this.reads % LOOK_READS !== 0) return
    const { msMax, clock } = this.bound
    if (elapsedMsExactly(clock) <= this.untilMs) return
    throw new LongRead(`A read of ${this.folder} took over ${msMax} ms.`)
  }
}

/** Reading throws StorageError where LMDB, or a row's checksum, finds damage. */
export class Table {
  private readonly folder: string
  private readonly handle: Handle
  private readonly bound: ReadBound
  /** Undefined where values have no checksums. */
  private readonly seal: RowSeal | undefined

  constructor({ folder, isChecked }: EnvironmentOptions, handle: Handle, bound: ReadBound) {
    this.folder = folder
    this.handle = handle
    this.bound = bound
    this.seal = isChecked === true ? new RowSeal() : undefined
  }

  /** Returns the value, in memory that the next read overwrites; undefined when there is none. */
  get(key: Uint8Array): Uint8Array | undefined {
    this.bound.count()
    try {
      const bytes = this.handle.getBinaryFast(key)
      // The package's buffer is larger than the value, and only its `length` fits.
      return bytes && this.valueOf(key, bytes.subarray(0, bytes.length))
    } catch (error) {
      throw unusable(this.folder, error)
    }
  }

  /** Writes a row, within Environment.write. */
  put(key: Uint8Array, value: Uint8Array): void {
    const done: unknown = this.handle.putSync(key, this.storedOf(key, value))
    if (done !== true) throw new StorageError('A row was not written.')
  }

  /** Writes a row whose key is above all others, which fills pages fully. Throws when it is not. */
  append(key: Uint8Array, value: Uint8Array): void {
    const done: unknown = this.handle.putSync(key, this.storedOf(key, value), APPEND)
    if (done !== true) throw new StorageError('A row was not appended: its key is not the last.')
  }

  /** Removes a row, if there is one, within Environment.write. */
  remove(key: Uint8Array): void {
    this.handle.removeSync(key)
  }

  /** Removes all rows, within Environment.write. */
  clear(): void {
    this.handle.clearSync()
  }

  /** The number of pages that hold the rows and the tree above them. */
  pages(): number {
    return pagesOf((this.handle as unknown as Undeclared).db.stat())
  }

  /** Iterates over rows in the order of their keys, each in separate memory. */
  *rows(range: Range): Iterable<{ key: Uint8Array; value: Uint8Array }> {
    const rows = this.read(this.handle.getRange(range))
    if (this.seal === undefined) yield* rows
    else for (const { key, value } of rows) yield { key, value: this.valueOf(key, value) }
  }

  keys(range: Range): Iterable<Uint8Array> {
    return this.read(this.handle.getKeys(range))
  }

  private storedOf(key: Uint8Array, value: Uint8Array): Uint8Array {
    return this.seal === undefined ? value : this.seal.sealed(key, value)
  }

  private valueOf(key: Uint8Array, stored: Uint8Array): Uint8Array {
    return this.seal === undefined ? stored : unsealed(key, stored, this.folder)
  }

  private *read<T>(found: Iterable<T>): Iterable<T> {
    try {
      for (const row of found) {
        this.bound.count()
        yield row
      }
    } catch (error) {
      throw error instanceof LongRead ? error : unusable(this.folder, error)
    }
  }
}

const CHECKSUM_BYTES = 4

/** Seals values with the CRC-32 of key and value, in separate memory. */
class RowSeal {
  private buffer = Buffer.alloc(8_192)

  /** Valid until the next call. */
  sealed(key: Uint8Array, value: Uint8Array): Uint8Array {
    const { length } = value
    if (length + CHECKSUM_BYTES > this.buffer.length) this.buffer = Buffer.alloc(2 * length)
    this.buffer.set(value)
    this.buffer.writeUInt32LE(crc32(value, crc32(key)), length)
    return this.buffer.subarray(0, length + CHECKSUM_BYTES)
  }
}

/** Returns the value of a row with a checksum. Throws StorageError, which names the folder. */
export function unsealed(key: Uint8Array, stored: Uint8Array, folder: string): Uint8Array {
  const value = stored.subarray(0, -CHECKSUM_BYTES)
  const at = value.length
  const written =
    stored[at]! + (stored[at + 1]! << 8) + (stored[at + 2]! << 16) + stored[at + 3]! * 2 ** 24
  if (stored.length > CHECKSUM_BYTES && crc32(value, crc32(key)) === written) return value
  throw new StorageError(`A row of ${folder} does not match its checksum.`)
}

const APPEND = { append: true } as const

const META_PAGES = 2
const pagesOf = (tree: TreeStat): number =>
  tree.treeBranchPageCount + tree.treeLeafPageCount + tree.overflowPages

/**
 * Returns the oldest transaction in LMDB's list of readers; undefined when there is none. After a heading
 * the list has lines of process, thread and transaction, or "-" where a handle is not reading.
 */
function oldestIn(readers: string): number | undefined {
  let oldest: number | undefined
  for (const [, text] of readers.matchAll(/^ *\d+ +[0-9a-f]+ +(\d+)$/gm)) {
    const transaction = Number(text)
    if (oldest === undefined || transaction < oldest) oldest = transaction
  }
  return oldest
}

/** Offsets and values of an LMDB file's magic number and format. */
const SIGNATURE_AT = 24
const SIGNATURE = [0xbeefc0de, 2] as const

const isSigned = (head: Buffer): boolean =>
  SIGNATURE.every((word, i) => head.readUInt32LE(SIGNATURE_AT + 4 * i) === word)

/** Checks the file: the package ends the process over one that is not LMDB's. */
function checkSignature(file: string): void {
  const descriptor = openSync(file, 'r')
  const head = Buffer.alloc(SIGNATURE_AT + 8)
  readSync(descriptor, head)
  closeSync(descriptor)
  if (isSigned(head)) return
  throw new Error('data.mdb is not an LMDB file of the format in use')
}

/** Offsets of the last page and of the transaction in each of an LMDB file's first two pages. */
const LAST_PAGE_AT = 144
const TRANSACTION_AT = 152
/** Pages at the end that were given back before they were ever written. */
const UNWRITTEN_PAGES_MAX = 256

/**
 * For the writer, before it opens the file: throws StorageError when the file ends well before its last
 * page; fills a shorter lack with zeros. Reading behind the end would kill the process silently. Over a
 * page of zeros LMDB reports what it found, in an error. While it walks from page to page, it may fail
 * by its own assertion.
 */
export function checkLength(folder: string): void {
  const file = path.join(folder, 'data.mdb')
  if (!existsSync(file)) return
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r+')
    const lack = lackingBytes(descriptor)
    if (lack > UNWRITTEN_PAGES_MAX * PAGE_BYTES) throw new Error('data.mdb is cut short')
    if (lack > 0) ftruncateSync(descriptor, fstatSync(descriptor).size + lack)
  } catch (error) {
    throw unusable(folder, error)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/**
 * Returns the bytes missing from the pages that an LMDB file declares, any number without its first two; 0 for
 * an empty file and for any other than LMDB's.
 */
function lackingBytes(descriptor: number): number {
  const head = Buffer.alloc(META_PAGES * PAGE_BYTES)
  const length = readSync(descriptor, head)
  if (!isSigned(head)) return 0
  if (length < head.length) return Number.POSITIVE_INFINITY
  const [first, second] = [0, PAGE_BYTES].map((at) => ({
    lastPage: Number(head.readBigUInt64LE(at + LAST_PAGE_AT)),
    transaction: Number(head.readBigUInt64LE(at + TRANSACTION_AT)),
  }))
  const { lastPage } = first!.transaction > second!.transaction ? first! : second!
  return Math.max(0, (lastPage + 1) * PAGE_BYTES - fstatSync(descriptor).size)
}

/**
 * Makes a folder and those above it that are missing. Not by `recursive`, which tries forever where the
 * system answers ENOENT, as it does in /proc.
 */
export function makeFolders(folder: string, mode = 0o777): void {
  if (existsSync(folder)) return
  makeFolders(path.dirname(folder))
  mkdirSync(folder, { mode })
}

/** Makes the names in the folder survive a power loss. */
export function flushFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
