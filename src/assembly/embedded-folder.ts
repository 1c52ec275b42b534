/** The data folder of an exchange within another program. */
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A file system in memory: nothing there waits for a disk. */
const MEMORY = '/dev/shm'
/** Free bytes from which on it is used. */
const MEMORY_BYTES_MIN = 1 << 30

export interface EmbeddedFolder {
  readonly path: string
  /** Removes it, if it is temporary. */
  remove(): void
}

/** A given folder stays. */
export function openEmbeddedFolder(given: string | undefined): EmbeddedFolder {
  if (given !== undefined) return { path: given, remove: () => {} }
  const where = isMemoryUsable() ? MEMORY : os.tmpdir()
  const folder = mkdtempSync(path.join(where, `ringbook-embedded-${process.pid}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // Also when the program ends without a close.
  process.once('exit', remove)
  return {
    path: folder,
    remove: () => {
      process.off('exit', remove)
      remove()
    },
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
