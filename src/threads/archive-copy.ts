/** A copy of the archive for a saved state, made beside the indexer. */
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { archiveFolder } from '../archive/archive-folder.ts'
import { Environment, StorageError } from '../journal/environment.ts'
import { ARCHIVE_BYTES_MAX } from '../journal/states.ts'

/**
 * Copies the archive into `target`, in place of what is there. Makes no folder for one that is too large, or that
 * cannot be copied: it is made again from the journals then. `log` gets the reason.
 *
 * Copy it before the journals: one that is behind them catches up, and one that is ahead would be wrong.
 */
export async function copyArchive(
  dataFolder: string,
  target: string,
  log: (sentence: string) => void,
): Promise<void> {
  rmSync(target, { recursive: true, force: true })
  const folder = archiveFolder(dataFolder)
  const file = path.join(folder, 'data.mdb')
  if (!existsSync(file) || statSync(file).size > ARCHIVE_BYTES_MAX) return
  try {
    mkdirSync(target, { recursive: true, mode: 0o700 })
    const environment = new Environment({ folder })
    await environment.copyTo(target).finally(() => environment.close())
  } catch (error) {
    rmSync(target, { recursive: true, force: true })
    if (!(error instanceof StorageError)) throw error
    log(`The state is saved without the archive: ${error.message}`)
  }
}
