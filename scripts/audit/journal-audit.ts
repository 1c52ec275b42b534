/**
 * Whether the journals of a data folder are whole, and what they come to is sound. First every block
 * of every journal by itself and in its chain; where all are whole, everything is applied again from the
 * beginning, or from the oldest snapshot where blocks were removed (--keep-journal-days), into books and balances, compared with each snapshot at its place, and the money is
 * counted. Nothing is written.
 */
import type { Snapshot } from '../../src/agents/snapshots.ts'
import { assert } from '../../src/base/assert.ts'
import { ASSETS_MAX } from '../../src/base/limits.ts'
import { JournalDamage } from '../../src/journal/block.ts'
import type { JournalPoint } from '../../src/journal/chain.ts'
import { journalFolder } from '../../src/journal/lmdb-store.ts'
import { journalsIn, missingJournals } from '../../src/journal/recovery.ts'
import { beginningOf } from '../../src/journal/sealed-segments.ts'
import { recordLength } from '../../src/layout/record-buffer.ts'
import { AuditReplay } from './audit-replay.ts'
import type { DataFolder } from './data-folder.ts'
import { checkpointedBlocks, JournalWalk, leftBlocks } from './left-journal.ts'
import { compareSnapshot, openSnapshots } from './snapshot-audit.ts'

export interface AuditOptions {
  readonly data: DataFolder
  /** The exchange's settings (`--accounts`, `--orders-per-symbol`), or more. */
  readonly accountsMax: number
  readonly ordersMax: number
  /** Called for each block that was read; each is read twice. */
  readonly advanced: () => void
}

export interface AuditedJournal {
  readonly matcher: number
  /** Whole ones, and how many of them are in LMDB and not only in the write-ahead log. */
  readonly blocks: number
  readonly checkpointed: number
  readonly records: number
  /** The first block that is not as it was written, in one sentence. */
  readonly damage: string | undefined
}

export interface AuditReport {
  readonly journals: readonly AuditedJournal[]
  readonly events: number
  /** One number for the books and balances that the journals come to; 0 when they were not applied. */
  readonly hash: number
  /** Numbers of the snapshots that match the journals. */
  readonly snapshots: readonly number[]
  /** Everything that is wrong, in sentences, the first damage first. */
  readonly findings: readonly string[]
}

/** Throws what the file system or LMDB throws; everything else that is wrong is a finding. */
export function auditJournals(options: AuditOptions): AuditReport {
  const { data, advanced } = options
  const checkpointed = checkpointedBlocks(data.folder)
  const journals = journalsIn(data.folder).map((matcher) =>
    auditChain(data, matcher, checkpointed.get(matcher)!, advanced),
  )
  const missing = missingJournals(data.folder, data.journals)
  const damages = [
    ...missing.map((matcher) => `journal-${matcher} is no longer there.`),
    ...journals.flatMap(({ damage }) => damage ?? []),
  ]
  if (damages.length > 0) return { journals, events: 0, hash: 0, snapshots: [], findings: damages }
  return { journals, ...auditState(options) }
}

/** Reads one journal to its end or its first damage. */
function auditChain(
  { folder, epoch }: DataFolder,
  matcher: number,
  checkpointed: number,
  advanced: () => void,
): AuditedJournal {
  let blocks = 0
  let records = 0
  let timeMs = 0
  let damage: string | undefined
  try {
    for (const block of leftBlocks(folder, matcher)) {
      const place = `Block ${block.position} of journal-${matcher}`
      if (block.epoch > epoch) throw new JournalDamage(`${place} is of a start that never was.`)
      if (block.timeMs < timeMs) throw new JournalDamage(`${place} is earlier than the one before.`)
      timeMs = block.timeMs
      blocks++
      records += block.recordCount
      advanced()
    }
  } catch (error) {
    if (!(error instanceof JournalDamage)) throw error
    damage = error.message
  }
  return { matcher, blocks, checkpointed, records, damage }
}

/** Applies all events, stopping at the place of each snapshot. */
function auditState(options: AuditOptions): Omit<AuditReport, 'journals'> {
  const { data, accountsMax, ordersMax } = options
  const replay = new AuditReplay({ data, accountsMax, ordersMax, assetsMax: ASSETS_MAX })
  const findings: string[] = []
  const snapshots: number[] = []
  const places = new Map<number, JournalPoint>()
  const walk = new JournalWalk(data)
  const { opened, damages } = openSnapshots(data.folder)
  try {
    const isCut = journalsIn(data.folder).some((journal) => beginOf(data.folder, journal) > 0)
    const first = isCut ? opened.findIndex(({ isCurrent }) => isCurrent) : 0
    if (first < 0)
      throw new ReplayError('Blocks were removed, and no snapshot has what they came to.')
    if (isCut) beginWith(opened[first]!, replay, walk, places)
    for (const snapshot of opened.slice(first)) {
      applyTo(replay, walk, options, places, positionsOf(snapshot.covered.points))
      const differences = compareSnapshot(snapshot, replay, places)
      findings.push(...differences)
      if (differences.length === 0) snapshots.push(snapshot.number)
    }
    applyTo(replay, walk, options, places)
    findings.push(...replay.auditMoney())
  } catch (error) {
    if (!(error instanceof ReplayError)) throw error
    findings.push(error.message)
  } finally {
    walk.close()
    for (const snapshot of opened) snapshot.close()
  }
  findings.push(...damages)
  return { events: replay.events, hash: replay.hash(), snapshots, findings }
}

const beginOf = (folder: string, journal: number): number =>
  beginningOf(journalFolder(folder, journal)).position

/** Passes over the blocks that the snapshot has. */
function beginWith(
  snapshot: Snapshot,
  replay: AuditReplay,
  walk: JournalWalk,
  places: Map<number, JournalPoint>,
): void {
  const limits = positionsOf(snapshot.covered.points)
  for (let block = walk.next(limits); block !== undefined; block = walk.next(limits)) {
    places.set(block.matcher, { position: block.position, checksum: block.checksum })
  }
  replay.begin(snapshot)
}

/** An event that does not follow from those before it. */
class ReplayError extends Error {
  override readonly name = 'ReplayError'
}

const positionsOf = (places: ReadonlyMap<number, JournalPoint>) =>
  new Map([...places].map(([matcher, { position }]) => [matcher, position]))

/** Applies what is left within the limits, and notes in `places` the last block of each journal. */
function applyTo(
  replay: AuditReplay,
  walk: JournalWalk,
  { advanced }: AuditOptions,
  places: Map<number, JournalPoint>,
  limits?: ReadonlyMap<number, number>,
): void {
  for (let block = walk.next(limits); block !== undefined; block = walk.next(limits)) {
    const { matcher, position, checksum, records, end } = block
    let record = 0
    try {
      replay.beginBlock(block.timeMs)
      for (let at = block.start; at < end; at += recordLength(records, at)) {
        replay.apply(records, at)
        record++
      }
      replay.endBlock()
    } catch (error) {
      assert(error instanceof Error, 'what is thrown is an error')
      const place = `Record ${record} of block ${position} of journal-${matcher}`
      throw new ReplayError(`${place} cannot be: ${error.message}.`)
    }
    places.set(matcher, { position, checksum })
    advanced()
  }
}
