/**
 * The summary of the archive that retention of journals leaves behind: an archive of the blocks up to some
 * place of each journal, in one file that never changes. Another archive begins from it, since the blocks
 * that it was applied from may be gone. The snapshots' thread makes it, by the archive's own writer.
 *
 *   DATA/archive-base/data.mdb    the summary, flushed before it has this name
 *   DATA/archive-base.partial     the next one, which begins as a copy
 */
import * as fs from 'node:fs'
import path from 'node:path'
import type { Ms } from '../base/units.ts'
import type { JournalPoint } from '../journal/chain.ts'
import { Environment, flushFolder, Sync } from '../journal/environment.ts'
import { provePages } from '../journal/lmdb-pages.ts'
import { journalFolder } from '../journal/lmdb-store.ts'
import { type JournalBlock, journalsIn, openMerge } from '../journal/recovery.ts'
import { archiveBaseFile, beginningOf } from '../journal/sealed-segments.ts'
import { detailsOfLayout8 } from '../layout/from-layout-8.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { VersionValue } from '../layout/rows.gen.ts'
import { proveArchive, UNCHECKED_VERSION, versionOf } from './archive-proof.ts'
import { ArchiveWriter } from './archive-writer.ts'
import type { RetentionSettings } from './retention.ts'
import { ARCHIVE_VERSION, archiveOptions, TableName, VERSION_KEY } from './tables.ts'
import type { Valuation } from './volumes.ts'

const DATA_FILE = 'data.mdb'

/**
 * Lets an archive that is not there yet begin from the summary, if there is one. Throws StorageError when the
 * summary is damaged.
 */
export function beginFromBase(dataFolder: string, folder: string): void {
  const base = archiveBaseFile(dataFolder)
  const file = path.join(folder, path.basename(base))
  if (!fs.existsSync(base) || fs.existsSync(file)) return
  prepareBase(dataFolder)
  fs.mkdirSync(folder, { recursive: true })
  // A copy that a kill or a power loss ends is begun again.
  const partial = `${file}.partial`
  fs.copyFileSync(base, partial)
  const descriptor = fs.openSync(partial, 'r')
  fs.fsyncSync(descriptor)
  fs.closeSync(descriptor)
  fs.renameSync(partial, file)
}

/** Proves the summary, whose blocks may be gone; brings the rows of an earlier version to this one first. */
function prepareBase(dataFolder: string): void {
  const folder = path.dirname(archiveBaseFile(dataFolder))
  provePages(folder)
  const version = versionOf(folder)
  if (version >= UNCHECKED_VERSION && version < ARCHIVE_VERSION) convertBase(folder, version)
  proveArchive(folder)
}

/** The first version whose details have what layout 9 has more. */
const PEGGED_VERSION = 11

/** Rows get checksums, which those of version 9 lack, and details what layout 9 has more. */
function convertBase(folder: string, version: number): void {
  const partial = `${folder}.partial`
  const isOld = version < PEGGED_VERSION
  fs.rmSync(partial, { recursive: true, force: true })
  const from = new Environment({
    ...archiveOptions(folder),
    isChecked: version > UNCHECKED_VERSION,
  })
  const to = new Environment(archiveOptions(partial))
  try {
    for (const name of Object.values(TableName)) {
      const table = to.table(name)
      to.write(() => {
        for (const { key, value } of from.table(name).rows({}))
          table.append(key, isOld && name === TableName.DETAILS ? detailsOfLayout8(value) : value)
      }, Sync.KERNEL)
    }
    noteVersion(to)
    to.flush()
  } finally {
    from.close()
    to.close()
  }
  fs.renameSync(path.join(partial, DATA_FILE), path.join(folder, DATA_FILE))
  flushFolder(folder)
  fs.rmSync(partial, { recursive: true })
}

function noteVersion(environment: Environment): void {
  const table = environment.table(TableName.PROGRESS)
  const row = RecordBuffer.allocate(VersionValue.bytes)
  row.bytes.set(table.get(VERSION_KEY)!)
  environment.release()
  VersionValue.setVersion(row, 0, ARCHIVE_VERSION)
  environment.write(() => table.put(VERSION_KEY, row.bytes), Sync.KERNEL)
}

/** Whether the summary has removed blocks that an archive with these points lacks, and never finds again. */
export const isBehindBase = (
  dataFolder: string,
  journals: readonly number[],
  points: ReadonlyMap<number, JournalPoint>,
): boolean =>
  fs.existsSync(archiveBaseFile(dataFolder)) &&
  journals.some((journal) => {
    const { position } = beginningOf(journalFolder(dataFolder, journal))
    return (points.get(journal)?.position ?? 0) < position
  })

export interface BaseOptions {
  readonly dataFolder: string
  readonly valuation: Valuation
  /** Days for which the archive keeps its rows. */
  readonly retention: RetentionSettings
  readonly nowMs: Ms
  /** Whether the summary may have the block. */
  readonly isWanted: (block: JournalBlock) => boolean
  /** Called before each block; false ends the work for now. */
  readonly goesOn: () => boolean
}

/**
 * Extends the summary by the blocks that are wanted, a transaction at each step. Returns its points once it
 * is on the disk under its name. Throws ArchiveDamage when the summary cannot be extended, JournalDamage, or the file system's error; the
 * summary is then as it was.
 */
export function* extendBase(
  options: BaseOptions,
): Generator<void, ReadonlyMap<number, JournalPoint>, void> {
  const { dataFolder, valuation, retention } = options
  const base = archiveBaseFile(dataFolder)
  const folder = path.dirname(base)
  const partial = path.join(`${folder}.partial`, path.basename(base))
  fs.rmSync(path.dirname(partial), { recursive: true, force: true })
  fs.mkdirSync(path.dirname(partial))
  if (fs.existsSync(base)) {
    prepareBase(dataFolder)
    fs.copyFileSync(base, partial)
  }
  const writer = ArchiveWriter.open(path.dirname(partial), valuation, retention, true)
  let isApplied = false
  try {
    yield* applyWanted(writer, options)
    isApplied = true
  } finally {
    if (!isApplied) writer.abandon()
  }
  writer.close()
  fs.mkdirSync(folder, { recursive: true })
  fs.renameSync(partial, base)
  flushFolder(folder)
  flushFolder(dataFolder)
  fs.rmSync(path.dirname(partial), { recursive: true })
  return writer.points
}

function* applyWanted(writer: ArchiveWriter, options: BaseOptions): Generator<void, void, void> {
  const { dataFolder, nowMs, isWanted, goesOn } = options
  const merge = openMerge(dataFolder, journalsIn(dataFolder), writer.points)
  const next = () => (goesOn() ? merge.next(isWanted) : undefined)
  try {
    for (let first = next(); first !== undefined; first = next()) {
      writer.trim(nowMs, writer.apply(first, next))
      merge.refresh()
      yield
    }
  } finally {
    merge.close()
  }
}
