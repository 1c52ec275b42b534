/**
 * Makes a data folder of a backup, in a folder that may be there already: a mount point, or one that a
 * service's user owns below a parent that it may not write. The files are copied into a folder within it,
 * and then moved to their places, the control journal last: without one no exchange starts there, and a
 * restore that was interrupted is begun again.
 */
import * as fs from 'node:fs'
import path from 'node:path'
import { asStorageError, type BackupManifest, checkCopy, flushAll, MANIFEST } from './backup.ts'
import { CONTROL, SECRET_KEY } from './content.ts'
import { ControlStore } from './control-store.ts'
import { flushFolder, makeFolders, StorageError } from './environment.ts'

/** Where files are copied to first. */
const STAGE = 'restore.partial'
const PIECE_BYTES = 4 << 20
/** What an empty folder may hold: a file system's own, and what a member that never followed has left. */
const ALLOWED: readonly string[] = [STAGE, 'lost+found', 'replica-member', 'admin-port']

/** Whether the folder has a control journal with a fact. Throws StorageError when it cannot be read. */
export function hasFacts(dataFolder: string): boolean {
  if (!fs.existsSync(path.join(dataFolder, CONTROL))) return false
  const control = ControlStore.open(dataFolder)
  const { lastSequence } = control
  control.close()
  return lastSequence > 0
}

/**
 * Copies a backup into a data folder that is empty, or holds the backup's own secret.key; makes it when it
 * is missing. No other process may use the folder meanwhile. Calls `copied` between pieces, with the
 * bytes so far. Throws StorageError with one clear sentence; then the folder is as it was.
 */
export function restoreBackup(
  backup: string,
  dataFolder: string,
  copied: (bytes: number, ofAll: number) => void = () => {},
): BackupManifest {
  const manifest = checked(backup)
  const folder = path.resolve(dataFolder)
  const isNew = !fs.existsSync(folder)
  const stage = path.join(folder, STAGE)
  const names = fs.readdirSync(backup).filter((name) => name !== MANIFEST)
  let moved: string[] = []
  try {
    makeFolders(folder, 0o700)
    checkEmpty(backup, folder, names)
    const hasKey = fs.existsSync(path.join(folder, SECRET_KEY))
    const own = names.filter((name) => name !== CONTROL && !(hasKey && name === SECRET_KEY))
    moved = [CONTROL, ...own]
    // Removes what an interrupted restore left, and a control journal without facts.
    removeAll(folder, [STAGE, ...moved])
    copyFiles(backup, stage, copied)
    flushAll(stage)
    for (const name of own) fs.renameSync(path.join(stage, name), path.join(folder, name))
    flushFolder(folder)
    fs.renameSync(path.join(stage, CONTROL), path.join(folder, CONTROL))
    removeAll(folder, [STAGE])
    flushFolder(folder)
    if (isNew) flushFolder(path.dirname(folder))
  } catch (error) {
    if (isNew) fs.rmSync(folder, { recursive: true, force: true })
    else if (moved.length > 0) removeAll(folder, [...moved, STAGE])
    throw asStorageError(dataFolder, error)
  }
  return manifest
}

function checked(backup: string): BackupManifest {
  const steps = checkCopy(backup)
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}

/** Throws StorageError when the folder has anything that a restore would not find there, or replace. */
function checkEmpty(backup: string, folder: string, names: readonly string[]): void {
  const present = fs.readdirSync(folder)
  const wasInterrupted = present.includes(STAGE)
  const key = fs.readFileSync(path.join(backup, SECRET_KEY))
  for (const name of present) {
    const file = path.join(folder, name)
    if (ALLOWED.includes(name)) continue
    if (name === SECRET_KEY) {
      if (fs.readFileSync(file).equals(key)) continue
      throw new StorageError(`${file} is not the one of the backup, whose API secrets need it.`)
    }
    if (name === CONTROL && !hasFacts(folder)) continue
    if (name !== CONTROL && wasInterrupted && names.includes(name)) continue
    throw new StorageError(
      `${folder} is not empty, it has ${name}; a backup is restored into an empty folder.`,
    )
  }
}

const removeAll = (folder: string, names: readonly string[]): void => {
  for (const name of names) fs.rmSync(path.join(folder, name), { recursive: true, force: true })
}

/** Copies all of a backup but its manifest, files in pieces. A folder of a backup may be empty. */
function copyFiles(
  backup: string,
  target: string,
  copied: (bytes: number, ofAll: number) => void,
): void {
  const entries = fs.readdirSync(backup, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== MANIFEST)
    .map(({ parentPath, name }) => path.join(parentPath, name))
  const ofAll = files.reduce((sum, file) => sum + fs.statSync(file).size, 0)
  fs.mkdirSync(target, { mode: 0o700 })
  for (const entry of entries.filter((it) => it.isDirectory())) {
    const folder = path.join(entry.parentPath, entry.name)
    fs.mkdirSync(path.join(target, path.relative(backup, folder)), { recursive: true, mode: 0o700 })
  }
  const piece = Buffer.alloc(PIECE_BYTES)
  let bytes = 0
  for (const file of files) {
    const restored = path.join(target, path.relative(backup, file))
    const from = fs.openSync(file, 'r')
    const to = fs.openSync(restored, 'w', 0o600)
    try {
      for (let read = fs.readSync(from, piece); read > 0; read = fs.readSync(from, piece)) {
        for (let done = 0; done < read; ) done += fs.writeSync(to, piece, done, read - done)
        bytes += read
        copied(bytes, ofAll)
      }
    } finally {
      fs.closeSync(from)
      fs.closeSync(to)
    }
  }
}
