/** What the snapshots' worker is made of, whether it has a thread or shares an event loop. */
import { bookShape } from '../agents/book-memory.ts'
import { noteSealed, sealSegment } from '../agents/compactor.ts'
import { removeOldSegments } from '../agents/journal-retention.ts'
import { coveredByAll, type MadeSnapshot, type SnapshotOptions } from '../agents/snapshots.ts'
import { cutOf } from '../archive/retention.ts'
import { AssertionError } from '../base/assert.ts'
import { type Clock, elapsedMs } from '../base/time.ts'
import { AssetId } from '../base/units.ts'
import { readCorrections } from '../journal/corrections.ts'
import { WalCells } from '../journal/wal-cells.ts'
import type { AssetSpec, SymbolSpec } from '../market/listing.ts'
import type { ThreadReport, ThreadStart } from './thread-messages.ts'

/** The longest time that one round works on the archive's summary, so that snapshots stay due. */
const REMOVAL_MS = 300_000

type Report = (message: ThreadReport) => void

/** A sentence about the result. */
export type Attempt = { readonly said: string } | { readonly refused: string }

/** Options of a snapshot; `symbols` returns all that may have trades, by id. */
export const snapshotOptions = (
  { config, idSalt }: ThreadStart,
  symbols: () => readonly SymbolSpec[],
  report: Report,
): Omit<SnapshotOptions, 'goesOn'> => ({
  dataFolder: config.data,
  symbols,
  accountsMax: config.accounts,
  shapeOf: () => bookShape(config),
  idSalt,
  kept: config.snapshotsKept,
  log: (message) => report({ report: 'log', level: 'warn', fields: {}, message }),
})

/** Logs a snapshot that was made, if one was. */
export function attempted(made: MadeSnapshot | undefined, ms: number, report: Report): Attempt {
  if (made === undefined) return { said: 'There is nothing new to make a snapshot of.' }
  const { number: snapshot, covered, replayedEvents, bytes, reservedBytes } = made
  const seconds = Math.round(ms) / 1000
  const counts = { events: covered.events, replayedEvents, bytes, reservedBytes }
  const message = 'made a snapshot'
  report({ report: 'log', level: 'info', fields: { snapshot, ...counts, seconds }, message })
  return { said: `Snapshot ${snapshot} covers ${covered.events} events.` }
}

/** Logs why no snapshot was made. Throws the error again when it is a defect. */
export function refused(error: unknown, report: Report): Attempt {
  if (error instanceof AssertionError) throw error
  const { message: reason } = error as Error
  report({ report: 'log', level: 'warn', fields: { reason }, message: 'no snapshot was made' })
  return { refused: `No snapshot was made: ${reason}` }
}

/** Before the first snapshot, if old blocks are sealed. */
export function noteSealedAtStart({ config, regions }: ThreadStart): void {
  if (config.journalKept !== 'snapshots') return
  for (const [matcher, memory] of regions.wals.entries()) {
    noteSealed(config.data, matcher, new WalCells(memory))
  }
}

/** What the work on old blocks needs beside the start: all that changes while the exchange runs. */
export interface OldBlocksParts {
  /** By id, all that may have trades. */
  readonly symbols: () => readonly SymbolSpec[]
  /** What the archive counts trading volumes in. */
  readonly valuationAsset: () => AssetSpec | undefined
  readonly clock: Clock
  /** Called between blocks; false gives up. */
  readonly goesOn: () => boolean
}

/**
 * Seals blocks that all snapshots cover, then removes old segments, if the settings want that: a segment, or a
 * transaction of the archive's summary, at each step. Logs each segment.
 */
export function* oldBlocksSteps(
  start: ThreadStart,
  parts: OldBlocksParts,
  report: Report,
): Generator<void, void, void> {
  const { journalKept, keepJournalDays } = start.config
  try {
    if (journalKept === 'snapshots') yield* sealSteps(start, parts.goesOn, report)
    if (keepJournalDays > 0) yield* removalSteps(start, parts, report)
  } catch (error) {
    if (error instanceof AssertionError) throw error
    const { message: reason } = error as Error
    const message = 'old blocks stay where they are'
    report({ report: 'log', level: 'warn', fields: { reason }, message })
  }
}

function* sealSteps(
  { config, regions }: ThreadStart,
  goesOn: () => boolean,
  report: Report,
): Generator<void, void, void> {
  for (const [matcher, { position }] of coveredByAll(config.data)) {
    const memory = regions.wals[matcher]
    // A journal of an earlier start, of a matcher that is no more, stays as it is.
    if (memory === undefined) continue
    const cells = new WalCells(memory)
    const options = { dataFolder: config.data, matcher, cells, covered: position, goesOn }
    for (let made = sealSegment(options); made !== undefined; made = sealSegment(options)) {
      const message = 'sealed a segment of a journal, in old-journals'
      report({ report: 'log', level: 'info', fields: { journal: matcher, ...made }, message })
      yield
    }
  }
}

function* removalSteps(
  { config, retention, klines }: ThreadStart,
  { symbols, valuationAsset, clock, goesOn }: OldBlocksParts,
  report: Report,
): Generator<void, void, void> {
  const untilMs = elapsedMs(clock) + REMOVAL_MS
  const nowMs = clock.nowMs()
  const corrections = readCorrections(config.data).length
  const assetId = AssetId(valuationAsset()?.id ?? -1)
  const valuation = { symbols: symbols(), assetId, klines, corrections }
  const removed = yield* removeOldSegments({
    ...{ dataFolder: config.data, valuation, retention, nowMs },
    beforeMs: cutOf(nowMs, config.keepJournalDays),
    goesOn: () => goesOn() && elapsedMs(clock) < untilMs,
  })
  for (const fields of removed) {
    const message = 'removed old segments of a journal'
    report({ report: 'log', level: 'info', fields: { ...fields }, message })
  }
}
