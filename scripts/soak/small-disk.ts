/** A small file system in memory for the data folder, where the machine permits the mount. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'

/** Returns what unmounts it; undefined where the machine does not permit it. */
export function mountSmallDisk(folder: string, mib: number): (() => void) | undefined {
  fs.mkdirSync(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
  } catch {
    return undefined
  }
  return () => {
    execFileSync('umount', [folder], { stdio: 'ignore' })
    fs.rmdirSync(folder)
  }
}
