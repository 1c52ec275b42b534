/**
 * The lock on a data folder (Linux). It holds over namespaces, which have their own abstract sockets, and
 * the kernel releases it however the process ends.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fileFault } from '../base/file-fault.ts'

/** Tells what to do about a folder that another process has. */
export const inUseText = (folder: string): string =>
  `${folder} is in use by a running Ringbook. Stop it or pass --data.`

export interface FolderLock {
  /** Whether another process has it. */
  readonly isTaken: boolean
  /** Why there is no lock; '' when there is one. */
  readonly fault: string
  close(): void
}

/**
 * Node.js cannot lock. A lock of flock belongs to what this process has open, not to the program that sets
 * it on an inherited descriptor. Throws the file system's error when the folder cannot be opened.
 */
export function lockFolder(folder: string): FolderLock {
  const opened = openSync(folder, 'r')
  const close = () => closeSync(opened)
  // The folder is the program's descriptor 3.
  const { status, error, stderr } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', opened],
  })
  if (status === 0) return { isTaken: false, fault: '', close }
  if (status === 1) return { isTaken: true, fault: '', close }
  const fault =
    error === undefined
      ? `its file system refuses a lock, ${String(stderr).trim()}`
      : `the program flock cannot be run, ${fileFault(error)}`
  return { isTaken: false, fault, close }
}
