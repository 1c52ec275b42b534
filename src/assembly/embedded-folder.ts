/** The data folder of an exchange within another program. */
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import * as os from 'node:os'
import path from 'node:path'
import { type FolderLock, lockFolder } from '../journal/folder-lock.ts'

/** A file system in memory: nothing there waits for a disk. */
const MEMORY = '/dev/shm'
/** Free bytes from which on it is used. */
const MEMORY_BYTES_MIN = 1 << 30
/** The names of temporary folders begin with this; the pid of their process follows. */
const PREFIX = 'ringbook-embedded-'
const TEMPORARY = new RegExp(`^${PREFIX}(\\d+)-`)
/** Between the making of a folder and its lock another process takes it for one that was left. */
const UNLOCKED_MS_MAX = 10_000
/** A lock is a program: at most so many folders are looked at in one start. */
const SWEPT_MAX = 16

export interface EmbeddedFolder {
  readonly path: string
  /** Removes it, if it is temporary. */
  remove(): void
}

/** Temporary folders of this process and their locks. */
const temporary = new Map<string, FolderLock>()

/** A given folder stays. A temporary one goes at the latest when the process ends, or at the next start of another. */
export function openEmbeddedFolder(given: string | undefined, nowMs: number): EmbeddedFolder {
  if (given !== undefined) return { path: given, remove: () => {} }
  const where = isMemoryUsable() ? MEMORY : os.tmpdir()
  if (temporary.size === 0) process.once('exit', removeAll)
  for (const parent of new Set([MEMORY, os.tmpdir()])) sweep(parent, nowMs)
  const folder = mkdtempSync(path.join(where, `${PREFIX}${process.pid}-`))
  temporary.set(folder, lockFolder(folder))
  const remove = () => {
    close(folder)
    if (temporary.size === 0) process.off('exit', removeAll)
  }
  return { path: folder, remove }
}

function close(folder: string): void {
  removeWhole(folder)
  temporary.get(folder)?.close()
  temporary.delete(folder)
}

/** A thread may still copy files into it, as for a spare: under another name nobody adds any. */
function removeWhole(folder: string): void {
  const gone = `${folder}-gone`
  if (existsSync(folder)) renameSync(folder, gone)
  rmSync(gone, { recursive: true, force: true })
}

/** When the program ends without a close. */
function removeAll(): void {
  for (const folder of temporary.keys()) close(folder)
}

/**
 * Removes folders that processes have left, by a signal or a crash: those whose process is none of this machine's, and
 * that no process has locked. A process of another container looks as if it had ended, but has its lock.
 */
function sweep(where: string, nowMs: number): void {
  const left = foldersIn(where).filter((name) => {
    const [, pid] = TEMPORARY.exec(name) ?? []
    return pid !== undefined && !isAlive(Number(pid))
  })
  // From anywhere among them: folders that others hold do not keep those behind them.
  const first = Math.floor(Math.random() * left.length)
  const turned = [...left.slice(first), ...left.slice(0, first)]
  for (const name of turned.slice(0, SWEPT_MAX)) sweepFolder(path.join(where, name), nowMs)
}

function foldersIn(where: string): readonly string[] {
  try {
    return readdirSync(where)
  } catch {
    return []
  }
}

function sweepFolder(folder: string, nowMs: number): void {
  try {
    if (nowMs - statSync(folder).mtimeMs < UNLOCKED_MS_MAX) return
    const lock = lockFolder(folder)
    if (!lock.isTaken && lock.fault === '') rmSync(folder, { recursive: true, force: true })
    lock.close()
  } catch {
    // Another start has just removed it, or another user has it.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function isMemoryUsable(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= MEMORY_BYTES_MIN
  } catch {
    return false
  }
}
