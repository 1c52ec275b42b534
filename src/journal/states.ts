/**
 * Saved states of a sandbox, each a copy of the data folder as it was at one moment, in a folder below it:
 *
 *   DATA/states/NAME   a backup (backup.ts) with the files of keys, and with the archive when that is small
 *   DATA/forks/NAME    the same as a data folder, which another exchange may have started on
 *
 *   DATA/marks/        what an exchange within a program has for its mark; gone when it ends
 *
 * The first two share one space of names. A name that ends in ".partial" is of a copy that was interrupted.
 */
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import path from 'node:path'
import { asStorageError, flushAll, MANIFEST, readManifest } from './backup.ts'
import { diskBytes } from './content.ts'
import { flushFolder, makeFolders, StorageError } from './environment.ts'
import { lockFolder } from './folder-lock.ts'
import { copyFolder } from './replacing.ts'

export const stateKinds = ['state', 'fork'] as const
export type StateKind = (typeof stateKinds)[number]

/** Ends the name of a copy that is under way, for so long at most. */
const COPY = '.copy'
const COPY_MS_MAX = 3_600_000

const folders: Readonly<Record<StateKind, string>> = { state: 'states', fork: 'forks' }
/** Stands in a fork for the manifest of a backup, which a data folder is not. */
export const FORK_MANIFEST = 'fork.json'
/** States and forks of one data folder. */
export const STATES_MAX = 32
/** Bytes of all states and forks together. */
export const STATES_BYTES_MAX = 8 * 2 ** 30
/** A larger archive is made again from the journals. */
export const ARCHIVE_BYTES_MAX = 256 << 20

/** A folder outside of the data folder is a state, too: it is named by its path. */
export const isStatePath = (name: string): boolean => path.isAbsolute(name)

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/
/** How a name is spelled, for a refusal. */
export const NAME_FORM = 'letters, digits, _ and -, at most 32, a letter or digit first'
export const isStateName = (name: string): boolean => NAME.test(name)

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

/** Returns the state in this folder. Throws StorageError when it is none, or of a layout that is not read. */
export const stateAt = (folder: string): SavedState => ({
  kind: 'state',
  name: folder,
  timeMs: readManifest(folder).timeMs,
  bytes: diskBytes(folder),
})

/**
 * Copies a whole state to a path, where it appears as a whole. Rejects with StorageError, and leaves nothing there. What
 * a killed copy left goes with the next one.
 */
export async function installState(state: string, target: string, nowMs: number): Promise<void> {
  const copy = `${target}.${randomBytes(4).toString('hex')}${COPY}`
  try {
    sweepCopies(target, nowMs)
    await copyFolder(state, copy, () => true)
    flushAll(copy)
    // Another process may have been faster.
    if (fs.existsSync(target)) throw new StorageError(`${target} exists already.`)
    fs.renameSync(copy, target)
    flushFolder(path.dirname(target))
  } catch (error) {
    fs.rmSync(copy, { recursive: true, force: true })
    throw asStorageError(target, error)
  }
}

function sweepCopies(target: string, nowMs: number): void {
  const folder = path.dirname(target)
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name)
    if (!file.startsWith(`${target}.`) || !name.endsWith(COPY)) continue
    if (nowMs - fs.statSync(file).mtimeMs < COPY_MS_MAX) continue
    fs.rmSync(file, { recursive: true, force: true })
  }
}

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
  flushFolder(path.dirname(folder))
  fs.rmSync(partial, { recursive: true, force: true })
}

/** Where the copies of a mark are. */
export const marksFolder = (dataFolder: string): string => path.join(dataFolder, 'marks')

/** Removes what a process that was killed left of its mark. */
export function removeMarks(dataFolder: string): void {
  fs.rmSync(marksFolder(dataFolder), { recursive: true, force: true })
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

function namesIn(dataFolder: string, kind: StateKind): readonly string[] {
  const folder = path.join(dataFolder, folders[kind])
  return fs.existsSync(folder) ? fs.readdirSync(folder).sort() : []
}
