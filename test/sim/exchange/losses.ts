/** What of a dead process is closed, and what of its archive is left. */
import fs from 'node:fs'
import path from 'node:path'
import type { Prng } from '../../../src/base/prng.ts'

/** Closes what a dead process had open, whatever state it is in. */
export function buryAll(closers: readonly (() => void)[]): void {
  for (const close of [...closers].reverse()) {
    try {
      close()
    } catch {
      // It may be broken in any way.
    }
  }
}

/** The archive is not flushed while it is open: power loss leaves it in any state. Returns whether torn. */
export function tearArchive(dataFolder: string, prng: Prng): boolean {
  const mark = path.join(dataFolder, 'archive', 'open')
  if (!fs.existsSync(mark)) return false
  fs.writeFileSync(mark, 'another boot')
  const file = path.join(dataFolder, 'archive', 'data.mdb')
  if (!prng.chance(0.5) || !fs.existsSync(file)) return false
  fs.truncateSync(file, prng.below(fs.statSync(file).size))
  return true
}
