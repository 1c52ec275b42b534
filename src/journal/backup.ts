/**
 * A copy of a data folder as it was at one moment, made while the exchange runs: the control journal and
 * all journals up to given positions, and the key that decrypts API secrets. Archive and snapshots follow
 * from the journals, so they are not copied.
 *
 *   BACKUP/control, BACKUP/journal-0 …   as in a data folder
 *   BACKUP/secret.key                    mode 0600
 *   BACKUP/backup.json                   BackupManifest
 */
import fs from 'node:fs'
import path from 'node:path'
import { orClose } from '../base/closing.ts'
import type { Ms } from '../base/units.ts'
import { JOURNAL_LAYOUT } from './block.ts'
import { ControlStore } from './control-store.ts'
import { flushFolder, StorageError } from './environment.ts'
import { JournalReader } from './journal-reader.ts'
import { hasJournal, journalFolder, LmdbStore, placeOf } from './lmdb-store.ts'
import { journalsIn } from './recovery.ts'
import type { TailCells } from './tail-cells.ts'

const FORMAT = 1
const MANIFEST = 'backup.json'
const SECRET_KEY = 'secret.key'
const PARTIAL = '.partial'
/** Of blocks copied in one transaction. */
const PIECE_BYTES = 4 << 20

/** The moment that a backup shows. */
export interface BackupCut {
  readonly timeMs: Ms
  /** The last entry of the control journal. */
  readonly control: number
  /** By running matcher: the last block of its journal. */
  readonly positions: readonly number[]
}

export interface BackupManifest extends BackupCut {
  readonly format: number
  readonly layout: number
  /** Blocks of all journals together. */
  readonly blocks: number
}

/**
 * Copies the data folder into `target`, which must not exist; it has that name only once it is whole.
 * `goesOn` is asked between two pieces. Throws StorageError.
 */
export function makeBackup(
  dataFolder: string,
  target: string,
  cut: BackupCut,
  tails: readonly TailCells[],
  goesOn: () => boolean,
): BackupManifest {
  if (fs.existsSync(target)) throw new StorageError(`${target} exists already.`)
  const partial = `${target}${PARTIAL}`
  fs.rmSync(partial, { recursive: true, force: true })
  fs.mkdirSync(partial, { mode: 0o700 })
  try {
    copyControl(dataFolder, partial, cut.control)
    let blocks = 0
    for (const matcher of journalsIn(dataFolder)) {
      const end = { tail: tails[matcher], position: cut.positions[matcher] }
      blocks += copyJournal(dataFolder, partial, matcher, end, goesOn)
    }
    const key = fs.readFileSync(path.join(dataFolder, SECRET_KEY))
    writeFlushed(path.join(partial, SECRET_KEY), key)
    const manifest = { format: FORMAT, layout: JOURNAL_LAYOUT, ...cut, blocks }
    writeFlushed(path.join(partial, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`)
    flushFolder(partial)
    fs.renameSync(partial, target)
    flushFolder(path.dirname(target))
    return manifest
  } catch (error) {
    fs.rmSync(partial, { recursive: true, force: true })
    throw error
  }
}

/**
 * Copies a backup into a data folder that does not exist or is empty. Throws StorageError with one clear
 * sentence.
 */
export function restoreBackup(backup: string, dataFolder: string): BackupManifest {
  const manifest = readManifest(backup)
  const folder = path.resolve(dataFolder)
  if (fs.existsSync(folder) && (!isFolder(folder) || fs.readdirSync(folder).length > 0)) {
    throw new StorageError(`${dataFolder} is not empty; a backup is restored into a new folder.`)
  }
  const partial = `${folder}${PARTIAL}`
  fs.rmSync(partial, { recursive: true, force: true })
  fs.mkdirSync(partial, { recursive: true, mode: 0o700 })
  for (const name of fs.readdirSync(backup)) {
    if (name === MANIFEST) continue
    fs.cpSync(path.join(backup, name), path.join(partial, name), { recursive: true })
  }
  fs.chmodSync(path.join(partial, SECRET_KEY), 0o600)
  flushAll(partial)
  fs.renameSync(partial, folder)
  flushFolder(path.dirname(folder))
  return manifest
}

const isFolder = (file: string): boolean => fs.statSync(file).isDirectory()

function readManifest(backup: string): BackupManifest {
  let manifest: BackupManifest
  try {
    manifest = JSON.parse(fs.readFileSync(path.join(backup, MANIFEST), 'utf8'))
  } catch {
    throw new StorageError(`${backup} is not a backup: it has no readable ${MANIFEST}.`)
  }
  if (manifest.format !== FORMAT) {
    throw new StorageError(`${backup} was made in another format (${manifest.format}).`)
  }
  if (manifest.layout !== JOURNAL_LAYOUT) {
    throw new StorageError(`The journals of ${backup} have another layout (${manifest.layout}).`)
  }
  return manifest
}

function copyControl(dataFolder: string, target: string, last: number): void {
  const from = ControlStore.open(dataFolder)
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

/** Without a position it copies all: no matcher writes the journal. Returns the number of blocks. */
function copyJournal(
  dataFolder: string,
  target: string,
  matcher: number,
  { tail, position }: { tail: TailCells | undefined; position: number | undefined },
  goesOn: () => boolean,
): number {
  const folder = journalFolder(dataFolder, matcher)
  if (!hasJournal(folder)) return 0
  const reader = new JournalReader(folder, tail)
  const store = orClose([reader], () => new LmdbStore(journalFolder(target, matcher)))
  try {
    const last = position ?? reader.lastCarried
    let next = 1
    while (next <= last) {
      if (!goesOn()) throw new StorageError('The exchange stops; there is no backup.')
      let bytes = 0
      store.append(() => {
        if (next > last || bytes >= PIECE_BYTES) return undefined
        const block = reader.block(next)
        if (block === undefined) throw new StorageError(`${placeOf(folder, next)} is missing.`)
        next++
        bytes += block.length
        return block
      })
      reader.refresh()
    }
    return last
  } finally {
    reader.close()
    store.close()
  }
}

function writeFlushed(file: string, content: string | Uint8Array): void {
  fs.writeFileSync(file, content, { mode: 0o600, flush: true })
}

/** Files first, then the folder that names them. */
function flushAll(folder: string): void {
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
