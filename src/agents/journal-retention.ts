/**
 * Retention of journals, by sealed segment (`--keep-journal-days`). A segment goes once all of its blocks are
 * older than that, every snapshot covers them (no start needs them), and the archive's summary has them (no
 * archive does). Each step is on the disk before the next: the summary, where the journal then begins, the
 * removal. A crash between them leaves segments that the next round removes.
 */
import { type BaseOptions, extendBase } from '../archive/archive-base.ts'
import type { Ms } from '../base/units.ts'
import { BlockReader } from '../journal/block.ts'
import type { JournalPoint } from '../journal/chain.ts'
import { readCorrections } from '../journal/corrections.ts'
import { JournalReader } from '../journal/journal-reader.ts'
import { blockName, journalFolder } from '../journal/lmdb-store.ts'
import { journalsIn } from '../journal/recovery.ts'
import {
  noteBeginning,
  removeSegments,
  type Segment,
  segmentsIn,
} from '../journal/sealed-segments.ts'
import { coveredByAll } from './snapshots.ts'

export interface JournalRetentionOptions extends Omit<BaseOptions, 'isWanted'> {
  /** Blocks from this time on stay. */
  readonly beforeMs: Ms
}

export interface RemovedSegments {
  readonly journal: number
  readonly segments: number
  /** The last block that was removed. */
  readonly last: number
}

/**
 * Removes the segments that may go, in the steps of extendBase. Returns what was removed of each journal.
 * Throws what extendBase throws, also SnapshotDamage when the oldest snapshot cannot be used, or the file
 * system's error.
 */
export function* removeOldSegments(
  options: JournalRetentionOptions,
): Generator<void, readonly RemovedSegments[], void> {
  const { dataFolder, beforeMs } = options
  const covered = coveredByAll(dataFolder, true)
  const isOld = (journal: number, { last }: Segment) =>
    last < (covered.get(journal)?.position ?? 0) &&
    pointAndTime(dataFolder, journal, last).timeMs < beforeMs
  // Without it the summary would be copied for nothing.
  const isDue = journalsIn(dataFolder).some((journal) => {
    const [oldest] = segmentsIn(journalFolder(dataFolder, journal))
    return oldest !== undefined && isOld(journal, oldest)
  })
  if (!isDue) return []
  const summed = yield* extendBase({
    ...options,
    isWanted: ({ matcher, position, timeMs }) =>
      timeMs < beforeMs && position <= (covered.get(matcher)?.position ?? 0),
  })
  return [...summed].flatMap(([journal, { position }]) => {
    const folder = journalFolder(dataFolder, journal)
    // The summary's last block stays: an indexer that begins from the summary compares its checksum.
    const segments = segmentsIn(folder).filter(({ last }) => last < position)
    const last = segments.at(-1)?.last
    if (last === undefined) return []
    noteBeginning(folder, pointAndTime(dataFolder, journal, last).point)
    removeSegments(segments)
    return { journal, segments: segments.length, last }
  })
}

function pointAndTime(
  dataFolder: string,
  journal: number,
  position: number,
): { readonly point: JournalPoint; readonly timeMs: Ms } {
  const folder = journalFolder(dataFolder, journal)
  const reader = new JournalReader(folder)
  const block = new BlockReader(readCorrections(dataFolder))
  try {
    block.open(reader.block(position)!, blockName(folder, position))
    return { point: { position, checksum: block.checksum }, timeMs: block.timeMs }
  } finally {
    reader.close()
  }
}
