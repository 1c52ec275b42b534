/** What a disk may do to the write-ahead logs of a data folder in which nothing runs. */
import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { journalFolder } from '../../src/journal/lmdb-store.ts'
import { journalsIn } from '../../src/journal/recovery.ts'
import { SEGMENT_COUNT } from '../../src/journal/wal-cells.ts'
import { segmentFile } from '../../src/journal/wal-writer.ts'

export const logDamages = ['removed', 'emptied', 'zeroed', 'flipped'] as const
export type LogDamage = (typeof logDamages)[number]

/** Returns whether a start must notice it: otherwise LMDB may have had all blocks. */
export function damageLogs(data: string, how: LogDamage): boolean {
  let isAny = false
  for (const journal of journalsIn(data)) {
    const folder = journalFolder(data, journal)
    for (let segment = 0; segment < SEGMENT_COUNT; segment++) {
      const file = segmentFile(folder, segment)
      if (!existsSync(file)) continue
      isAny = true
      damage(file, how)
    }
  }
  return isAny && (how === 'removed' || how === 'emptied')
}

function damage(file: string, how: LogDamage): void {
  if (how === 'removed') rmSync(file)
  else if (how === 'emptied') truncateSync(file, 0)
  else if (how === 'zeroed') writeFileSync(file, Buffer.alloc(statSync(file).size))
  else {
    const bytes = readFileSync(file)
    // In the first block of the segment, which may be in LMDB already.
    bytes[100]! ^= 1
    writeFileSync(file, bytes)
  }
}
