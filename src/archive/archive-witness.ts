/**
 * How far the archive and its summary have applied each journal, for a start, an audit or a salvage. They apply
 * what was flushed, so a journal that ends before it has lost blocks. Reads the files without LMDB and changes
 * nothing.
 */
import path from 'node:path'
import { StorageError, unsealed } from '../journal/environment.ts'
import { type PageRow, rowsWithoutLmdb } from '../journal/lmdb-pages.ts'
import { archiveBaseFile } from '../journal/sealed-segments.ts'
import { OrderKey, ProgressKey, TapeKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { OrderValue, ProgressValue, TapeValue, VersionValue } from '../layout/rows.gen.ts'
import { archiveFolder } from './archive-folder.ts'
import { OpenMark } from './open-mark.ts'
import { ARCHIVE_VERSION, TableName, VERSION_KEY } from './tables.ts'

/**
 * Returns by matcher the last block that was applied. Nothing of an archive that is damaged, that was open when
 * power was lost, or that is of another version: it is made again.
 */
export function archivedBlocks(dataFolder: string): ReadonlyMap<number, number> {
  const blocks = new Map<number, number>()
  const archive = archiveFolder(dataFolder)
  const summary = path.dirname(archiveBaseFile(dataFolder))
  for (const folder of new OpenMark(archive).isKept ? [archive, summary] : [summary]) {
    for (const [matcher, position] of appliedIn(folder)) {
      blocks.set(matcher, Math.max(blocks.get(matcher) ?? 0, position))
    }
  }
  return blocks
}

/** What an archive has of orders and trades, for a salvage to report what journals no longer have. */
export interface ArchivedEntries {
  order(order: {
    readonly symbolId: number
    readonly orderId: number
    readonly account: number
  }): void
  trade(symbolId: number, tradeId: number): void
}

/** Reads all orders and trades of an archive. Nothing of one that is damaged. */
export function readArchived(dataFolder: string, entries: ArchivedEntries): void {
  const archive = archiveFolder(dataFolder)
  if (!new OpenMark(archive).isKept) return
  read(archive, TableName.ORDERS, (key, rows, end) => {
    for (let at = 0; at < end; at += OrderValue.bytes) {
      const orderId = OrderValue.orderId(rows, at)
      entries.order({ symbolId: OrderKey.symbolId(key), orderId, account: OrderKey.account(key) })
    }
  })
  read(archive, TableName.TAPE, (key, rows, end) => {
    for (let at = 0; at < end; at += TapeValue.bytes)
      entries.trade(TapeKey.symbolId(key), TapeValue.tradeId(rows, at))
  })
}

function read(
  folder: string,
  table: TableName,
  take: (key: Uint8Array, rows: RecordBuffer, end: number) => void,
): void {
  try {
    for (const row of rowsWithoutLmdb(folder, table)) {
      const value = unsealed(row.key, row.value, folder)
      take(row.key, rowOf(row, folder, value.length), value.length)
    }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
  }
}

function appliedIn(folder: string): readonly (readonly [number, number])[] {
  try {
    const rows = rowsWithoutLmdb(folder, TableName.PROGRESS)
    const version = rows.find(({ key }) => Buffer.compare(key, VERSION_KEY) === 0)
    if (version === undefined) return []
    if (VersionValue.version(rowOf(version, folder, VersionValue.bytes), 0) !== ARCHIVE_VERSION)
      return []
    return rows
      .filter(({ key }) => key.length === ProgressKey.bytes)
      .map((row) => [
        ProgressKey.matcher(row.key),
        ProgressValue.position(rowOf(row, folder, ProgressValue.bytes), 0),
      ])
  } catch (error) {
    if (error instanceof StorageError) return []
    throw error
  }
}

function rowOf({ key, value }: PageRow, folder: string, length: number): RecordBuffer {
  const row = RecordBuffer.allocate(length)
  row.bytes.set(unsealed(key, value, folder).subarray(0, length))
  return row
}
