/**
 * Makes and chooses snapshots. A snapshot is made by recovery: from the newest snapshot and the journals
 * behind it, as far as they are in LMDB, so that a power loss can undo nothing in it. The next one continues
 * from the books of that recovery. Matchers are not involved. A snapshot holds the effects of all
 * events on balances; deposits are the control journal's.
 */

import { assetsMaxOf } from '../base/limits.ts'
import { OrderListId, SymbolId } from '../base/units.ts'
import { untouchedMemory } from '../base/untouched-memory.ts'
import { Book, type BookShape } from '../core/book/book.ts'
import { EffectSums } from '../core/ledger/effect-sums.ts'
import { EventApplier } from '../core/matching/event-applier.ts'
import { OpenCounts } from '../core/matching/open-counts.ts'
import { OrderListIds } from '../core/matching/order-list-ids.ts'
import { readSymbol, writeSymbol } from '../core/matching/symbol-image.ts'
import { SymbolState } from '../core/matching/symbol-state.ts'
import { WalletState } from '../core/wallet/wallet-state.ts'
import { JournalDamage } from '../journal/block.ts'
import type { JournalPoint } from '../journal/chain.ts'
import { type JournalMerge, journalsIn, openMerge, verifyPoints } from '../journal/recovery.ts'
import {
  pruneSnapshots,
  removeSnapshot,
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
import { type Recovering, replaySteps } from './replay.ts'

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
    if (image !== undefined) readSymbol(state, image, this.file.layout)
  }

  /** Fills an empty state, which stays empty where the snapshot has no wallet. */
  readWallet(state: WalletState): void {
    const image = this.file.section(SectionKind.WALLET)
    if (image !== undefined) state.read(image)
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
        throw new SnapshotDamage(
          `Snapshot ${number} was made in an older layout, or before a correction of the clock.`,
        )
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
    verifyPoints(dataFolder, covered.points)
  } catch (error) {
    if (!(error instanceof JournalDamage)) throw error
    const lost = `${error.message} It is in snapshot ${number}, so it was lost since.`
    const wayOut = 'Put the journal back, or restore a backup'
    throw new JournalDamage(
      `${lost} ${wayOut}; ringbook salvage says what a start without it loses.`,
    )
  }
}

/** Returns by matcher the last block that any whole snapshot covers, whatever the journals have. */
export function blocksInSnapshots(dataFolder: string): ReadonlyMap<number, number> {
  const blocks = new Map<number, number>()
  for (const { covered } of wholeSnapshots(dataFolder)) {
    for (const [matcher, { position }] of covered.points)
      blocks.set(matcher, Math.max(position, blocks.get(matcher) ?? 0))
  }
  return blocks
}

/**
 * Removes the snapshots that cover more of a journal than `ends`, by matcher. None comes back: once the journal has
 * grown again, it would refuse every start.
 */
export function removeSnapshotsBehind(dataFolder: string, ends: ReadonlyMap<number, number>): void {
  for (const { number, covered } of wholeSnapshots(dataFolder)) {
    const points = [...covered.points]
    if (points.some(([matcher, { position }]) => position > (ends.get(matcher) ?? position)))
      removeSnapshot(dataFolder, number)
  }
}

function* wholeSnapshots(dataFolder: string): Generator<Snapshot> {
  for (const number of snapshotsIn(dataFolder)) {
    try {
      const snapshot = new Snapshot(dataFolder, number)
      snapshot.close()
      yield snapshot
    } catch (error) {
      if (!(error instanceof SnapshotDamage)) throw error
    }
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
): ReadonlyMap<number, JournalPoint> {
  const oldest = snapshotsIn(dataFolder).at(-1)
  if (oldest === undefined) return new Map()
  const snapshot = new Snapshot(dataFolder, oldest)
  snapshot.close()
  return isForRemoval && !snapshot.isCurrent ? new Map() : snapshot.covered.points
}

export interface RecoveryOptions {
  readonly dataFolder: string
  /** Called once the end of reading is known: returns all symbols whose events the journals may hold. */
  readonly symbols: () => readonly SymbolSpec[]
  readonly accountsMax: number
  readonly shapeOf: (spec: SymbolSpec) => BookShape
  /** Salts the hashes of client order ids and of prices. */
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
  /** Length of the file. */
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
  const steps = new SnapshotMaker(options).steps()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    if (goesOn()) continue
    steps.return(undefined)
    return undefined
  }
}

/**
 * Makes one snapshot after another of a folder. What it recovered stays for the next one, which continues
 * behind it: each book's memory is taken once, and no snapshot is read again.
 */
export class SnapshotMaker {
  private readonly options: Omit<SnapshotOptions, 'goesOn'>
  /** What the last snapshot recovered; undefined before the first, and after one that failed. */
  private recovery: Recovery | undefined = undefined
  private readonly image = new ImageWriter()

  constructor(options: Omit<SnapshotOptions, 'goesOn'>) {
    this.options = options
  }

  /** Makes a snapshot as makeSnapshot does; yields between pieces of work: `return` gives up. */
  *steps(): Generator<undefined, MadeSnapshot | undefined, void> {
    const { dataFolder, kept } = this.options
    const { merge, base, close } = openJournals(this.options, this.recovery)
    try {
      if (merge.blocksLeft() === 0) return undefined
      const recovery = this.recovery ?? new Recovery(this.options, base)
      // One that stops midway has no block's end that the next could continue behind.
      this.recovery = undefined
      const replayedEvents = yield* recovery.steps(merge)
      const { covered, reservedBytes } = recovery
      const number = (snapshotsIn(dataFolder)[0] ?? 0) + 1
      const bytes = writeSnapshot(dataFolder, number, recovery.sections(this.image))
      pruneSnapshots(dataFolder, kept)
      this.recovery = recovery
      return { number, covered, replayedEvents, bytes, reservedBytes }
    } finally {
      close()
    }
  }
}

/**
 * Recovers a folder that no exchange runs on, and discards the books: a start would do the same. A generator that
 * yields between pieces of work. Throws as makeSnapshot does, and NoRoomError for a book that is too small.
 */
export function* trialSteps(options: RecoveryOptions): Generator<undefined, void, void> {
  const { merge, base, close } = openJournals(options)
  try {
    yield* new Recovery(options, base).steps(merge)
  } finally {
    close()
  }
}

interface OpenJournals {
  readonly merge: JournalMerge
  /** The newest snapshot that can be begun from; undefined with `recovery`. */
  readonly base: Snapshot | undefined
  readonly close: () => void
}

/** Opens the journals behind what was recovered, or else behind the newest snapshot. */
function openJournals(
  { dataFolder, symbols, log }: RecoveryOptions,
  recovery?: Recovery,
): OpenJournals {
  const base =
    recovery === undefined ? newestSnapshot(dataFolder, symbols().length, log) : undefined
  const { points } = (recovery ?? base)?.covered ?? NOTHING_COVERED
  const merge = openMerge(dataFolder, journalsIn(dataFolder), points)
  const close = () => {
    merge.close()
    base?.close()
  }
  return { merge, base, close }
}

/** The symbols and sums of a folder, as far as its journals were applied. */
class Recovery {
  private readonly options: RecoveryOptions
  /** By symbol id. */
  private readonly applied: RecoveredSymbol[] = []
  private readonly wallet = new WalletState()
  private readonly sums: EffectSums
  private readonly orderListIds = new OrderListIds(new SharedArrayBuffer(OrderListIds.bytes))
  private _covered: Covered

  /** Begins from a snapshot, or from nothing. */
  constructor(options: RecoveryOptions, base: Snapshot | undefined) {
    const { accountsMax } = options
    this.options = options
    this.sums = new EffectSums(accountsMax, assetsMaxOf(accountsMax))
    this._covered = base?.covered ?? NOTHING_COVERED
    this.orderListIds.recovered(this._covered.orderListId)
    base?.readLedger(this.sums)
    base?.readWallet(this.wallet)
    this.takeSymbols()
    for (const [id, { state }] of this.applied.entries()) base?.readSymbol(SymbolId(id), state)
  }

  get covered(): Covered {
    return this._covered
  }

  get reservedBytes(): number {
    return this.applied.reduce((sum, symbol) => sum + symbol.reservedBytes, 0)
  }

  /** Applies the blocks of `merge`, and yields before each. Returns their events. */
  *steps(merge: JournalMerge): Generator<undefined, number, void> {
    this.takeSymbols()
    const symbols = this.options.symbols()
    const wallet = { recover: (events: RecordBuffer, at: number) => this.wallet.apply(events, at) }
    const given = { merge, recovering: this.applied, symbols, wallet, sums: this.sums }
    const steps = replaySteps(given)
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) yield
    const replayed = step.value
    if (replayed.events !== replayed.records) {
      throw new SnapshotDamage('The journals have a symbol that is not listed.')
    }
    this._covered = advanced(this._covered, replayed, OrderListId(this.orderListIds.last))
    return replayed.events
  }

  /** Sections of a snapshot, one after another in the same image. */
  *sections(image: ImageWriter): Iterable<Section> {
    writeCovered(this._covered, image.clear())
    yield { kind: SectionKind.JOURNALS, id: 0, image }
    this.sums.write(image.clear())
    yield { kind: SectionKind.LEDGER, id: 0, image }
    this.wallet.write(image.clear())
    yield { kind: SectionKind.WALLET, id: 0, image }
    for (const [id, { state }] of this.applied.entries()) {
      writeSymbol(state, image.clear())
      yield { kind: SectionKind.SYMBOL, id, image }
    }
  }

  /** Takes those that were listed since. */
  private takeSymbols(): void {
    for (const spec of this.options.symbols().slice(this.applied.length)) {
      this.applied.push(new RecoveredSymbol(spec, this.options, this.orderListIds))
    }
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
    const bookMemory = untouchedMemory(Book.bytesFor(shape))
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
