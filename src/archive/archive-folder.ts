/**
 * Where the archive is: in `archive`, or, once it was made again while the exchange ran, in `archive-2`,
 * `archive-3` and so on. Threads may still have the file before it open, and LMDB shares open files among
 * the threads of a process. So a new archive needs a new file. The archive is the folder with the highest
 * number; folders with lower numbers are remains.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

const NAME = /^archive(?:-([2-9]|[1-9]\d+))?$/

/** Numbers of the archives in the data folder, ascending. */
function archivesIn(dataFolder: string): readonly number[] {
  if (!existsSync(dataFolder)) return []
  return readdirSync(dataFolder)
    .map((name) => NAME.exec(name))
    .filter((match) => match !== null)
    .map(([, digits]) => Number(digits ?? 1))
    .sort((a, b) => a - b)
}

/** The number of the archive; 1 when there is none yet. */
export const newestArchive = (dataFolder: string): number => archivesIn(dataFolder).at(-1) ?? 1

/** The folder of the archive of that number; without one, of the newest. */
export const archiveFolder = (dataFolder: string, number = newestArchive(dataFolder)): string =>
  path.join(dataFolder, number === 1 ? 'archive' : `archive-${number}`)

/** Removes all archives but one. What the system does not remove is left to the next call. */
export function removeOtherArchives(dataFolder: string, number: number): void {
  for (const other of archivesIn(dataFolder)) {
    if (other === number) continue
    try {
      rmSync(archiveFolder(dataFolder, other), { recursive: true, force: true })
    } catch {
      // Nothing reads it any more.
    }
  }
}
