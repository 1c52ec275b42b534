/**
 * A copy of a data folder as it was at one moment, made while the exchange runs: the control journal and
 * all journals up to given positions, the newest snapshot before that moment, and the key that decrypts API
 * secrets. The archive follows from the journals, so it is not copied.
 *
 *   BACKUP/control, BACKUP/journal-0 …   as in a data folder
 *   BACKUP/snapshots                     one snapshot, or none
 *   BACKUP/old-journals, BACKUP/archive-base    what retention left of removed blocks, if any were
 *   BACKUP/secret.key                    mode 0600
 *   BACKUP/backup.json                   BackupManifest
 *
 * A saved state of the sandbox (states.ts) is such a copy with more in it: `BackupForm`.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { orClose } from '../base/closing.ts'
import { fileFault } from '../base/file-fault.ts'
import type { Ms } from '../base/units.ts'
import { isReadLayout } from '../layout/conversions.ts'
import { JOURNAL_LAYOUT, LayoutError } from './block.ts'
import type { JournalPoint } from './chain.ts'
import { CORRECTIONS, SECRET_KEY } from './content.ts'
import { ControlStore } from './control-store.ts'
import { checkFiles, type FileSums, sumFiles } from './copy-sums.ts'
import { flushFolder, StorageError } from './environment.ts'
import { JournalReader } from './journal-reader.ts'
import { blockName, hasJournal, journalFolder, LmdbStore } from './lmdb-store.ts'
import { journalsIn } from './recovery.ts'
import { archiveBaseFile, beginningOf, noteBeginning } from './sealed-segments.ts'
import { snapshotFile } from './snapshot.ts'
import type { WalCells } from './wal-cells.ts'

export const FORMAT = 1
export const MANIFEST = 'backup.json'
const PARTIAL = '.partial'
/** Bytes of blocks copied in one transaction. */
const PIECE_BYTES = 4 << 20

/** The moment that a backup shows. */
export interface BackupCut {
  readonly timeMs: Ms
  /** The last entry of the control journal. */
  readonly control: number
  /** By running matcher: the last block of its journal. */
  readonly positions: readonly number[]
  /** Number of the newest snapshot, which covers nothing later; 0 without one. */
  readonly snapshot: number
}

/** What a copy has beside, or in place of, what a backup has. */
export interface BackupForm {
  /** The name of the manifest; MANIFEST when left out. */
  readonly manifest?: string
  /** Files of the data folder that are copied when they are there. */
  readonly files?: readonly string[]
  /** A folder that becomes the archive of the copy; it is gone afterwards. */
  readonly archive?: string | undefined
}

/** Called by the copying between two pieces. */
export interface BackupEvents {
  goesOn(): boolean
  /** Blocks copied, of all. */
  copied(blocks: number, ofAll: number): void
}

export interface BackupManifest extends BackupCut {
  readonly format: number
  readonly layout: number
  /** Blocks of all journals together. */
  readonly blocks: number
  /** Sums of the files of a copy that never changes; copies of earlier versions have none. */
  readonly files?: FileSums
  /** CRC-32 of the text of the fields before it. */
  readonly sum?: number
}

/** What is copied where. */
export interface BackupParts {
  readonly dataFolder: string
  /** Must not exist; it has that name only once it is whole. */
  readonly target: string
  readonly cut: BackupCut
  readonly wals: readonly WalCells[]
  /** Called between two pieces, with the blocks copied, of all. */
  readonly copied: (blocks: number, ofAll: number) => void
  readonly form?: BackupForm
}

/** Copies the data folder into `target`. Throws StorageError. */
export function makeBackup(
  dataFolder: string,
  target: string,
  cut: BackupCut,
  wals: readonly WalCells[],
  { goesOn, copied }: BackupEvents,
  form?: BackupForm,
): BackupManifest {
  const steps = backupSteps({ dataFolder, target, cut, wals, copied, ...(form && { form }) })
  for (let step = steps.next(); ; step = goesOn() ? steps.next() : steps.throw(stopped())) {
    if (step.done === true) return step.value
  }
}

/** What ends a copy between two pieces of it. */
export const stopped = (): StorageError =>
  new StorageError('The exchange stops; there is no backup.')

/** `makeBackup` as a generator, which yields between pieces. */
export function* backupSteps(parts: BackupParts): Generator<void, BackupManifest, void> {
  const { dataFolder, target, cut, form = {} } = parts
  const { manifest: manifestName = MANIFEST, files = [], archive } = form
  if (fs.existsSync(target)) throw new StorageError(`${target} exists already.`)
  const partial = `${target}${PARTIAL}`
  try {
    fs.rmSync(partial, { recursive: true, force: true })
    fs.mkdirSync(partial, { mode: 0o700 })
    if (cut.snapshot > 0) copySnapshot(dataFolder, partial, cut.snapshot)
    copyControl(dataFolder, partial, cut.control)
    const blocks = yield* copyJournals({ ...parts, target: partial })
    // Behind the journals: it has all that was removed of them.
    copyArchiveBase(dataFolder, partial)
    const key = fs.readFileSync(path.join(dataFolder, SECRET_KEY))
    writeFlushed(path.join(partial, SECRET_KEY), key)
    for (const name of [CORRECTIONS, ...files]) copyFile(dataFolder, partial, name)
    if (archive !== undefined) fs.renameSync(archive, path.join(partial, 'archive'))
    flushAll(partial)
    const begun = { format: FORMAT, layout: JOURNAL_LAYOUT, ...cut, blocks }
    // A fork is a data folder: its files change.
    const isConstant = manifestName === MANIFEST
    const manifest = isConstant
      ? sealed({ ...begun, files: yield* sumFiles(partial, MANIFEST) })
      : begun
    writeFlushed(path.join(partial, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`)
    flushFolder(partial)
    fs.renameSync(partial, target)
    flushFolder(path.dirname(target))
    return manifest
  } catch (error) {
    fs.rmSync(partial, { recursive: true, force: true })
    if (archive !== undefined) fs.rmSync(archive, { recursive: true, force: true })
    throw asStorageError(target, error)
  }
}

const sumOf = (manifest: BackupManifest): number => crc32(JSON.stringify(manifest))
const sealed = (manifest: BackupManifest): BackupManifest => ({
  ...manifest,
  sum: sumOf(manifest),
})

function copyFile(dataFolder: string, target: string, name: string): void {
  const from = path.join(dataFolder, name)
  if (fs.existsSync(from)) fs.copyFileSync(from, path.join(target, name))
}

/** Throws StorageError when the folder is no backup that is read. */
export function readManifest(backup: string, name: string = MANIFEST): BackupManifest {
  let manifest: BackupManifest
  try {
    manifest = JSON.parse(fs.readFileSync(path.join(backup, name), 'utf8'))
  } catch {
    throw new StorageError(`${backup} is not a backup: it has no readable ${name}.`)
  }
  const { sum, ...rest } = manifest
  if (sum !== undefined && sum !== sumOf(rest)) {
    throw new StorageError(`${path.join(backup, name)} is damaged: use another copy.`)
  }
  if (manifest.format !== FORMAT) {
    throw new StorageError(`${backup} was made in another format (${manifest.format}).`)
  }
  if (!isReadLayout(manifest.layout)) {
    throw new StorageError(new LayoutError(backup, manifest.layout).message)
  }
  return manifest
}

/**
 * Checks all files of a backup or saved state against its manifest, and returns it. A generator that yields
 * between pieces. Throws StorageError, which names a file that is not as it was copied.
 */
export function* checkCopy(backup: string): Generator<void, BackupManifest, void> {
  const manifest = readManifest(backup)
  if (manifest.files !== undefined) yield* checkFiles(backup, manifest.files)
  return manifest
}

export const asStorageError = (target: string, error: unknown): StorageError =>
  error instanceof StorageError
    ? error
    : new StorageError(`${target} cannot be written: ${fileFault(error)}.`, { cause: error })

function copyControl(dataFolder: string, target: string, last: number): void {
  const from = ControlStore.open(dataFolder, { isWritten: true })
  const to = orClose([from], () => ControlStore.open(target))
  try {
    const entries: unknown[] = []
    for (const entry of from.entries()) {
      if (entries.length === last) break
      entries.push(entry)
    }
    to.appendAll(entries)
  } finally {
    from.close()
    to.close()
  }
}

function copyArchiveBase(dataFolder: string, target: string): void {
  const from = archiveBaseFile(dataFolder)
  if (!fs.existsSync(from)) return
  fs.mkdirSync(path.dirname(archiveBaseFile(target)))
  fs.copyFileSync(from, archiveBaseFile(target))
}

/** A start does without one that was deleted meanwhile. */
function copySnapshot(dataFolder: string, target: string, number: number): void {
  const to = snapshotFile(target, number)
  fs.mkdirSync(path.dirname(to))
  try {
    fs.copyFileSync(snapshotFile(dataFolder, number), to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Returns the number of blocks. */
function* copyJournals(parts: BackupParts): Generator<void, number, void> {
  const { dataFolder, target, wals, copied } = parts
  const { positions } = parts.cut
  const readers: Reading[] = []
  try {
    for (const matcher of journalsIn(dataFolder)) {
      const folder = journalFolder(dataFolder, matcher)
      if (!hasJournal(folder)) continue
      const reader = new JournalReader(folder, wals[matcher])
      // Without a position no matcher writes the journal.
      readers.push({ matcher, reader, last: positions[matcher] ?? reader.lastCheckpointed })
    }
    const ofAll = readers.reduce((sum, { last }) => sum + last, 0)
    let before = 0
    for (const reading of readers) {
      yield* copyJournal(target, reading, (blocks) => copied(before + blocks, ofAll))
      before += reading.last
    }
    return ofAll
  } finally {
    for (const { reader } of readers) reader.close()
  }
}

/** A journal that is copied, up to its last block of the cut. */
interface Reading {
  readonly matcher: number
  readonly reader: JournalReader
  readonly last: number
}

/** Starts again when retention removes blocks before they are copied: the summary contains them by then. */
function* copyJournal(
  target: string,
  reading: Reading,
  copied: (blocks: number) => void,
): Generator<void, void, void> {
  const { matcher, reader } = reading
  for (;;) {
    const beginning = beginningOf(reader.folder)
    try {
      yield* copyFrom(beginning, target, reading, copied)
      return
    } catch (error) {
      if (beginningOf(reader.folder).position === beginning.position) throw error
      fs.rmSync(journalFolder(target, matcher), { recursive: true })
    }
  }
}

function* copyFrom(
  beginning: JournalPoint,
  target: string,
  { matcher, reader, last }: Reading,
  copied: (blocks: number) => void,
): Generator<void, void, void> {
  const folder = journalFolder(target, matcher)
  if (beginning.position > 0) noteBeginning(folder, beginning)
  const store = new LmdbStore(folder, beginning.position)
  try {
    let next = beginning.position + 1
    while (next <= last) {
      yield
      let bytes = 0
      store.append(() => {
        if (next > last || bytes >= PIECE_BYTES) return undefined
        const block = reader.block(next)
        if (block === undefined)
          throw new StorageError(`${blockName(reader.folder, next)} is missing.`)
        next++
        bytes += block.length
        return block
      })
      reader.refresh()
      copied(next - 1)
    }
  } finally {
    store.close()
  }
}

function writeFlushed(file: string, content: string | Uint8Array): void {
  fs.writeFileSync(file, content, { mode: 0o600, flush: true })
}

/** Flushes files first, then the folder that names them. */
export function flushAll(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) flushAll(file)
    else {
      const descriptor = fs.openSync(file, 'r')
      fs.fsyncSync(descriptor)
      fs.closeSync(descriptor)
    }
  }
  flushFolder(folder)
}
