/** Proves an archive that nothing writes: its pages, its rows, and where in the journals it is. */
import type { JournalPoint } from '../journal/chain.ts'
import { Environment, type Table } from '../journal/environment.ts'
import { provePages } from '../journal/lmdb-pages.ts'
import { ProgressKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { ProgressValue, VersionValue } from '../layout/rows.gen.ts'
import { ARCHIVE_VERSION, archiveOptions, TableName, VERSION_KEY } from './tables.ts'

/** Up to this version rows had no checksums. */
export const UNCHECKED_VERSION = 9

/**
 * Returns the last block of each journal that the archive in the folder has; undefined when it is of another
 * version. Throws StorageError, which names the folder.
 */
export function proveArchive(folder: string): ReadonlyMap<number, JournalPoint> | undefined {
  provePages(folder)
  if (versionOf(folder) !== ARCHIVE_VERSION) return undefined
  const environment = new Environment(archiveOptions(folder))
  try {
    for (const name of Object.values(TableName)) {
      const rows = environment.table(name).rows({})[Symbol.iterator]()
      while (rows.next().done !== true);
    }
    return placesIn(environment.table(TableName.PROGRESS))
  } finally {
    environment.close()
  }
}

/** Returns the version of the archive in the folder; 0 when it has none. */
export function versionOf(folder: string): number {
  const environment = new Environment({ ...archiveOptions(folder), isChecked: false })
  try {
    const stored = environment.table(TableName.PROGRESS).get(VERSION_KEY)
    if (stored === undefined) return 0
    const row = RecordBuffer.allocate(VersionValue.bytes)
    row.bytes.set(stored.subarray(0, VersionValue.bytes))
    return VersionValue.version(row, 0)
  } finally {
    environment.close()
  }
}

export function placesIn(progress: Table): Map<number, JournalPoint> {
  const points = new Map<number, JournalPoint>()
  const row = RecordBuffer.allocate(ProgressValue.bytes)
  for (const { key, value } of progress.rows({ start: new ProgressKey().of(0) })) {
    if (key.length !== ProgressKey.bytes) continue
    row.bytes.set(value)
    const position = ProgressValue.position(row, 0)
    const checksum = ProgressValue.checksum(row, 0)
    points.set(ProgressKey.matcher(key), { position, checksum })
  }
  return points
}
