/**
 * Keeps other users of the machine from what is in the data folder, whatever its own mode is: an operator
 * may have made it, or a package, with 0755.
 */
import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileFault } from '../../base/file-fault.ts'

/** Rights of group and others. */
const SHARED = 0o077

/** New files and folders of the process are its user's alone. */
export const createPrivately = (): number => process.umask(SHARED)

/**
 * Takes the rights of group and others from the files and folders that an earlier process left. What is in
 * a folder that others cannot enter keeps its mode. Calls `warn` with a sentence for what stays readable.
 */
export function makePrivate(folder: string, warn: (sentence: string) => void): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (found === undefined || found.isSymbolicLink() || (found.mode & SHARED) === 0) continue
    try {
      chmodSync(file, found.mode & 0o777 & ~SHARED)
    } catch (error) {
      warn(`Other users may read ${file}: its mode cannot be changed, ${fileFault(error)}.`)
    }
  }
}
