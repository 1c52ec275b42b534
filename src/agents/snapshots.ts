/**
 * Makes and chooses snapshots. A snapshot is made by recovery: from the newest snapshot and the journals
 * behind it, as far as they are in LMDB, so that a power loss can undo nothing in it. The books of that
 * recovery are discarded afterwards. Matchers are not involved. A snapshot holds the effects of all
 * events on balances; deposits are the control journal's.
 */

import { assetsMaxOf } from '../base/limits.ts'
import { OrderListId, SymbolId } from '../base/units.ts'
import { Book, type BookShape } from '../core/book/book.ts'
import { EffectSums } from '../core/ledger/effect-sums.ts'
import { EventApplier } from '../core/matching/event-applier.ts'
import { OpenCounts } from '../core/matching/open-counts.ts'
import { OrderListIds } from '../core/matching/order-list-ids.ts'
import { readSymbol, writeSymbol } from '../core/matching/symbol-image.ts'
import { SymbolState } from '../core/matching/symbol-state.ts'
import { JournalDamage } from '../journal/block.ts'
import type { JournalPlace } from '../journal/chain.ts'
import { checkPlaces, type JournalMerge, journalsIn, openMerge } from '../journal/recovery.ts'
import {
  pruneSnapshots,
  type Section,
  SectionKind,
  SnapshotDamage,
  SnapshotFile,
  snapshotsIn,
  writeSnapshot,
} from '../journal/snapshot.ts'
import { ImageWriter } from '../layout/image.ts'
import type { RecordBuffer } from '../layout/record-buffer.ts'
import type { SymbolSpec } from '../market/listing.ts'
import { advanced, type Covered, NOTHING_COVERED, readCovered, writeCovered } from './covered.ts'
import { type Recovering, type Replayed, type ReplayOptions, replaySteps } from './replay.ts'

/** A snapshot to begin from, if it is of this layout. */
export class Snapshot {
  readonly covered: Covered
  private readonly file: SnapshotFile

  /** Throws SnapshotDamage, or what the file system throws. */
  constructor(dataFolder: string, number: number) {
    this.file = new SnapshotFile(dataFolder, number)
    const image = this.file.section(SectionKind.JOURNALS)
    if (image === undefined) {
      throw new SnapshotDamage(`Snapshot ${this.number} does not say what it covers.`)
    }
    this.covered = readCovered(image)
  }

  get number(): number {
    return this.file.number
  }

  /** Whether it can be begun from; one of an older layout only shows what it covers. */
  get isCurrent(): boolean {
    return this.file.isCurrent
  }

  get symbolIds(): readonly number[] {
    return this.file.symbolIds
  }

  /** What the events in it did to balances is added to the sums. */
  readLedger(sums: EffectSums): void {
    const image = this.file.section(SectionKind.LEDGER)
    if (image !== undefined) sums.read(image)
  }

  /** Fills an empty state. The state of a symbol that was listed after the snapshot stays empty. */
  readSymbol(symbolId: SymbolId, state: SymbolState): void {
    const image = this.file.section(SectionKind.SYMBOL, symbolId)
    if (image !== undefined) readSymbol(state, image)
  }

  close(): void {
    this.file.close()
  }
}

/**
 * Returns the newest whole snapshot; undefined when there is none. `log` gets one sentence for each newer
 * one that is not used. Throws JournalDamage when the journals lack a block that it covers: a block is on
 * the disk before it is in a snapshot, so the block was lost, and no start may ignore that.
 */
export function newestSnapshot(
  dataFolder: string,
  symbolCount: number,
  log: (sentence: string) => void,
): Snapshot | undefined {
  for (const number of snapshotsIn(dataFolder)) {
    let snapshot: Snapshot | undefined
    try {
      snapshot = new Snapshot(dataFolder, number)
      checkJournals(dataFolder, snapshot)
      if (!snapshot.isCurrent)
        throw new SnapshotDamage(`Snapshot ${number} was written in an older layout.`)
      if (snapshot.symbolIds.every((id) => id < symbolCount)) return snapshot
      throw new SnapshotDamage(`Snapshot ${number} has a symbol that is not listed.`)
    } catch (error) {
      snapshot?.close()
      if (!(error instanceof SnapshotDamage)) throw error
      log(`${error.message} Snapshot ${number} is passed over.`)
    }
  }
  return undefined
}

function checkJournals(dataFolder: string, { covered, number }: Snapshot): void {
  try {
    checkPlaces(dataFolder, covered.places)
  } catch (error) {
    if (!(error instanceof JournalDamage)) throw error
    const lost = `${error.message} It is in snapshot ${number}, so it was lost since.`
    throw new JournalDamage(`${lost} Put the journal back, or remove the snapshots to do without.`)
  }
}

/**
 * Returns by matcher the last block of its journal that every snapshot covers, so that no start needs
 * those before it; an empty list without snapshots, or, for blocks that are to be removed, with one that no
 * start can begin from. Throws SnapshotDamage when the oldest cannot be used, or the file system's error.
 */
export function coveredByAll(
  dataFolder: string,
  isForRemoval = false,
): ReadonlyMap<number, JournalPlace> {
  const oldest = snapshotsIn(dataFolder).at(-1)
  if (oldest === undefined) return new Map()
  const snapshot = new Snapshot(dataFolder, oldest)
  snapshot.close()
  return isForRemoval && !snapshot.isCurrent ? new Map() : snapshot.covered.places
}

export interface RecoveryOptions {
  readonly dataFolder: string
  /** Called once the end of reading is known: returns all symbols whose events the journals may hold. */
  readonly symbols: () => readonly SymbolSpec[]
  readonly accountsMax: number
  readonly shapeOf: (spec: SymbolSpec) => BookShape
  /** Of the hash of client order ids. */
  readonly idSalt: number
  readonly log: (sentence: string) => void
}

export interface SnapshotOptions extends RecoveryOptions {
  /** The number of snapshots to keep. */
  readonly kept: number
  /** Called between pieces of work; false gives up. */
  readonly goesOn: () => boolean
}

export interface MadeSnapshot {
  readonly number: number
  readonly covered: Covered
  /** Events behind the snapshot that it began from. */
  readonly replayedEvents: number
  /** Of the file. */
  readonly bytes: number
  /** Shared memory reserved meanwhile; little of it was touched. */
  readonly reservedBytes: number
}

/**
 * Makes a snapshot of the journals in LMDB. Returns undefined when they have nothing since the last one,
 * or it gave up. Throws SnapshotDamage for events of a symbol that is not given, JournalDamage,
 * StorageError, or the file system's error.
 */
export function makeSnapshot({ goesOn, ...options }: SnapshotOptions): MadeSnapshot | undefined {
  const steps = snapshotSteps(options)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    if (goesOn()) continue
    steps.return(undefined)
    return undefined
  }
}

/** The same as a generator, which yields between pieces of work: `return` gives up. */
export function* snapshotSteps(
  options: Omit<SnapshotOptions, 'goesOn'>,
): Generator<undefined, MadeSnapshot | undefined, void> {
  const { dataFolder, kept } = options
  const { merge, base, close } = openJournals(options)
  try {
    if (merge.blocksLeft() === 0) return undefined
    const { applied, sums, orderListIds, replayed } = yield* recoverySteps(options, merge, base)
    const { covered = NOTHING_COVERED } = base ?? {}
    const now = advanced(covered, replayed, OrderListId(orderListIds.last))
    const number = (snapshotsIn(dataFolder)[0] ?? 0) + 1
    const bytes = writeSnapshot(dataFolder, number, sectionsOf(now, sums, applied))
    pruneSnapshots(dataFolder, kept)
    const reservedBytes = applied.reduce((sum, symbol) => sum + symbol.reservedBytes, 0)
    return { number, covered: now, replayedEvents: replayed.events, bytes, reservedBytes }
  } finally {
    close()
  }
}

/**
 * Recovers a folder that no exchange runs on, and discards the books: a start would do the same. A generator that
 * yields between pieces of work. Throws as makeSnapshot does, and NoRoomError for a book that is too small.
 */
export function* trialSteps(options: RecoveryOptions): Generator<undefined, void, void> {
  const { merge, base, close } = openJournals(options)
  try {
    yield* recoverySteps(options, merge, base)
  } finally {
    close()
  }
}

interface OpenJournals {
  readonly merge: JournalMerge
  /** The newest snapshot that can be begun from. */
  readonly base: Snapshot | undefined
  readonly close: () => void
}

/** Opens the journals behind the newest snapshot. */
function openJournals({ dataFolder, symbols, log }: RecoveryOptions): OpenJournals {
  const base = newestSnapshot(dataFolder, symbols().length, log)
  const merge = openMerge(dataFolder, journalsIn(dataFolder), base?.covered.places)
  const close = () => {
    merge.close()
    base?.close()
  }
  return { merge, base, close }
}

interface Recovered {
  /** By symbol id. */
  readonly applied: readonly RecoveredSymbol[]
  readonly sums: EffectSums
  readonly orderListIds: OrderListIds
  readonly replayed: Replayed
}

function* recoverySteps(
  options: RecoveryOptions,
  merge: JournalMerge,
  base: Snapshot | undefined,
): Generator<undefined, Recovered, void> {
  const { accountsMax } = options
  const symbols = options.symbols()
  const sums = new EffectSums(accountsMax, assetsMaxOf(accountsMax))
  const orderListIds = new OrderListIds(new SharedArrayBuffer(OrderListIds.bytes))
  orderListIds.recovered((base?.covered ?? NOTHING_COVERED).orderListId)
  const applied = symbols.map((spec) => new RecoveredSymbol(spec, options, orderListIds))
  base?.readLedger(sums)
  for (const [id, { state }] of applied.entries()) base?.readSymbol(SymbolId(id), state)
  const replayed = yield* pieces({ merge, recovering: applied, symbols, sums })
  if (replayed.events !== replayed.records) {
    throw new SnapshotDamage('The journals have a symbol that is not listed.')
  }
  return { applied, sums, orderListIds, replayed }
}

/** Replays, and yields before each block. */
function* pieces(options: Omit<ReplayOptions, 'goesOn'>): Generator<undefined, Replayed, void> {
  const steps = replaySteps(options)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    yield
  }
}

/** One symbol, as far as recovery brings it. */
export class RecoveredSymbol implements Recovering {
  readonly state: SymbolState
  readonly reservedBytes: number
  private readonly applier: EventApplier

  constructor(
    spec: SymbolSpec,
    options: Pick<RecoveryOptions, 'shapeOf' | 'accountsMax' | 'idSalt'>,
    orderListIds: OrderListIds,
  ) {
    const shape = options.shapeOf(spec)
    const bookMemory = new SharedArrayBuffer(Book.bytesFor(shape))
    const countMemory = new SharedArrayBuffer(OpenCounts.bytesFor(options.accountsMax))
    const book = new Book(bookMemory, shape, options.idSalt)
    this.state = new SymbolState(spec, book, new OpenCounts(countMemory))
    this.reservedBytes = bookMemory.byteLength + countMemory.byteLength
    this.applier = new EventApplier(this.state, orderListIds)
  }

  recover(events: RecordBuffer, at: number): void {
    this.applier.apply(events, at)
  }
}

function* sectionsOf(
  covered: Covered,
  sums: EffectSums,
  applied: readonly RecoveredSymbol[],
): Iterable<Section> {
  yield { kind: SectionKind.JOURNALS, id: 0, image: writeCovered(covered) }
  const ledger = new ImageWriter()
  sums.write(ledger)
  yield { kind: SectionKind.LEDGER, id: 0, image: ledger }
  for (const [id, { state }] of applied.entries()) {
    yield { kind: SectionKind.SYMBOL, id, image: writeSymbol(state) }
  }
}
