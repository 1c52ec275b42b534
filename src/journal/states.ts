/**
 * Saved states of a sandbox, each a copy of the data folder as it was at one moment, in a folder below it:
 *
 *   DATA/states/NAME   a backup (backup.ts) with the files of keys, and with the archive when that is small
 *   DATA/forks/NAME    the same as a data folder, which another exchange may have started on
 *
 * The two share one space of names. A name that ends in ".partial" is of a copy that was interrupted.
 */
import fs from 'node:fs'
import path from 'node:path'
import { MANIFEST, readManifest } from './backup.ts'
import { flushFolder, makeFolders, StorageError } from './environment.ts'
import { lockFolder } from './folder-lock.ts'
import { journalFolder } from './lmdb-store.ts'
import { journalsIn } from './recovery.ts'

export const stateKinds = ['state', 'fork'] as const
export type StateKind = (typeof stateKinds)[number]

const folders: Readonly<Record<StateKind, string>> = { state: 'states', fork: 'forks' }
/** Stands in a fork for the manifest of a backup, which a data folder is not. */
export const FORK_MANIFEST = 'fork.json'
/** States and forks of one data folder. */
export const STATES_MAX = 32
/** Of all of them together. */
export const STATES_BYTES_MAX = 8 * 2 ** 30
/** A larger archive is made again from the journals. */
export const ARCHIVE_BYTES_MAX = 256 << 20

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/
/** How a name is spelled, for a refusal. */
export const NAME_FORM = 'letters, digits, _ and -, at most 32, a letter or digit first'
export const isStateName = (name: string): boolean => NAME.test(name)

/** Files of keys in the clear, which stand beside the journals. */
const KEY_FILE = /^[a-z]+-keys\.json$/
export const isKeyFile = (name: string): boolean => KEY_FILE.test(name)
export const keyFilesIn = (dataFolder: string): readonly string[] =>
  fs.readdirSync(dataFolder).filter(isKeyFile)

export interface SavedState {
  readonly kind: StateKind
  readonly name: string
  /** The moment that it shows, in ms since 1970. */
  readonly timeMs: number
  /** What its files take of the disk. */
  readonly bytes: number
}

export const stateFolder = (dataFolder: string, kind: StateKind, name: string): string =>
  path.join(dataFolder, folders[kind], name)

/** Returns whole states and forks by kind and name. */
export function statesIn(dataFolder: string): readonly SavedState[] {
  return stateKinds.flatMap((kind) =>
    namesIn(dataFolder, kind)
      .filter(isStateName)
      .map((name) => {
        const folder = stateFolder(dataFolder, kind, name)
        const file = kind === 'state' ? MANIFEST : FORK_MANIFEST
        return { kind, name, timeMs: readManifest(folder, file).timeMs, bytes: diskBytes(folder) }
      }),
  )
}

/** Makes the folder of a new state's folder. */
export function makeStatesFolder(dataFolder: string, kind: StateKind): void {
  makeFolders(path.join(dataFolder, folders[kind]), 0o700)
}

/** Removes a state. Throws StorageError for a fork on which an exchange runs. */
export function removeState(dataFolder: string, kind: StateKind, name: string): void {
  const folder = stateFolder(dataFolder, kind, name)
  if (kind === 'fork' && process.platform === 'linux') {
    const lock = lockFolder(folder)
    lock.close()
    if (lock.isTaken) throw new StorageError(`An exchange runs on ${folder}. Stop it first.`)
  }
  // A removal that is interrupted leaves no half of a state under its name.
  const partial = `${folder}.partial`
  fs.rmSync(partial, { recursive: true, force: true })
  fs.renameSync(folder, partial)
  fs.rmSync(partial, { recursive: true, force: true })
  flushFolder(path.dirname(folder))
}

/** Removes what interrupted copies and removals left. */
export function removePartialStates(dataFolder: string): void {
  for (const kind of stateKinds) {
    for (const name of namesIn(dataFolder, kind)) {
      if (isStateName(name)) continue
      fs.rmSync(stateFolder(dataFolder, kind, name), { recursive: true, force: true })
    }
  }
}

/** Returns about how many bytes a state of the data folder takes. */
export function stateBytes(dataFolder: string): number {
  const journals = journalsIn(dataFolder).map((matcher) => journalFolder(dataFolder, matcher))
  const files = [path.join(dataFolder, 'control'), ...journals].map((folder) =>
    path.join(folder, 'data.mdb'),
  )
  const others = ['old-journals', 'archive-base'].map((name) => path.join(dataFolder, name))
  return [...files, ...others].reduce((sum, it) => sum + diskBytes(it), 0)
}

function namesIn(dataFolder: string, kind: StateKind): readonly string[] {
  const folder = path.join(dataFolder, folders[kind])
  return fs.existsSync(folder) ? fs.readdirSync(folder).sort() : []
}

/** Of a file, or of all files in a folder; 0 when there is none. */
function diskBytes(file: string): number {
  const found = fs.statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.blocks * 512
  return fs.readdirSync(file).reduce((sum, name) => sum + diskBytes(path.join(file, name)), 0)
}
