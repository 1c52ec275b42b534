/**
 * The indexer: reads every journal behind its matcher and keeps the archive's tables. It alone
 * writes the archive, and the archived position of each journal, which history threads wait for. It
 * never writes a journal. Only queries of the archive wait for it.
 *
 * Nothing that goes wrong with the archive leaves it: everything in it can be made again from the journals.
 *
 * | what goes wrong                            | what it does                                          |
 * |--------------------------------------------|-------------------------------------------------------|
 * | the system refuses a write                 | pauses, and opens the same archive again              |
 * | a journal cannot be read                   | the same: another archive would need that journal too |
 * | LMDB or its own code reports anything else | opens the same archive again, up to RETRIES times     |
 * | that did not help, or the archive is wrong | makes another one from the journals, in a new folder  |
 */

import { statSync } from 'node:fs'
import path from 'node:path'
import { beginFromBase, isBehindBase } from '../archive/archive-base.ts'
import { archiveFolder, newestArchive, removeOtherArchives } from '../archive/archive-folder.ts'
import { ArchiveWriter } from '../archive/archive-writer.ts'
import { OpenMark } from '../archive/open-mark.ts'
import type { RetentionSettings } from '../archive/retention.ts'
import { ArchiveDamage } from '../archive/row-writer.ts'
import { noValuation, type Valuation } from '../archive/volumes.ts'
import { orClose } from '../base/closing.ts'
import { elapsedMs, type Time } from '../base/time.ts'
import { Ms } from '../base/units.ts'
import { INDICATOR_REFRESH_MS } from '../history/trading-indicators.ts'
import { JournalDamage } from '../journal/block.ts'
import type { JournalPoint } from '../journal/chain.ts'
import { isRefusal } from '../journal/environment.ts'
import { pageSteps } from '../journal/lmdb-pages.ts'
import { type JournalBlock, type JournalMerge, journalsIn, openMerge } from '../journal/recovery.ts'
import type { StoreWatch } from '../journal/store-watch.ts'
import type { WalCells } from '../journal/wal-cells.ts'
import type { DistributionSpec } from '../market/listing.ts'
import { ArchiveCells, ArchiveState } from '../shared/archive-cells.ts'
import { ARCHIVE_STORE } from '../shared/counters.ts'
import type { TradingLocks } from '../shared/trading-locks.ts'
import { countedWatch } from './store-watches.ts'
import type { Throttle } from './throttle.ts'

/** Openings of one archive after failures without a transaction between them; then another is made. */
const RETRIES = 3
const RETRY_MS = 100
export const MISSING = 'There is no archive. It is made again from the journals.'
/** Longest piece of work in proving an archive's pages. */
const PROOF_PIECE_MS = 5
/**
 * The first pause before a refused archive, or one that failed again, is tried again; each is twice as
 * long.
 */
const PAUSE_MS = 1_000
const PAUSE_MS_MAX = 300_000
/** What fails after so long a time counts as a first failure. */
const SOUND_MS = 600_000

export interface IndexerOptions {
  readonly dataFolder: string
  /** Matchers of this start; it also reads journals that earlier starts left. */
  readonly matchers: number
  /** By matcher: the cells of its journal's write-ahead log, while it is open. */
  readonly wals?: readonly WalCells[]
  /** By matcher: the last position archived. Written here. */
  readonly archived: BigInt64Array
  /** Where queries find the archive, and whether it has all rows. Written here. */
  readonly cells?: ArchiveCells
  /** Asset of trading volumes; without it they are not counted. */
  readonly valuation?: Valuation
  /** Reads operators' credits in a category from the control journal; none without it. */
  readonly distributions?: () => readonly DistributionSpec[]
  /** Days after which rows are removed. */
  readonly retention?: RetentionSettings
  readonly time: Time
  /** Locks that follow from trading status, written here; without them no account is locked. */
  readonly locks?: TradingLocks
  /** The exchange's counters (shared/counters.ts): the archive's block of cells is written here. */
  readonly counters?: SharedArrayBuffer
  /** Reports what went wrong. */
  readonly log: (message: string) => void
  /** Reports that it works again. */
  readonly logMended?: (message: string) => void
  /** Called with why the archive is not what it should be, in a sentence; undefined once it is. */
  readonly degraded?: (why: string | undefined) => void
}

/** An archive that is open, and the journals behind what it has. */
interface OpenArchive {
  readonly writer: ArchiveWriter
  readonly merge: JournalMerge
  /** Monotonic. */
  readonly sinceMs: number
}

/** Marks what was thrown by a journal, not by the archive. */
class JournalFault extends Error {
  constructor(cause: unknown) {
    super((cause as Error).message, { cause })
  }
}

export class Indexer {
  private readonly options: IndexerOptions
  private readonly cells: ArchiveCells
  private readonly journals: readonly number[]
  private readonly watch: StoreWatch | undefined = undefined
  private valuation: Valuation
  private number: number
  /** The number of the archive that was opened last; 0 before. */
  private openedNumber = 0
  /** Proves the pages of an archive that this process has not used yet. */
  private proof: { readonly number: number; readonly steps: Generator<void> } | undefined =
    undefined
  private provenNumber = 0
  private archive: OpenArchive | undefined = undefined
  private _isCurrent = false
  private isSettled = false
  private _hasMore = false
  /** Monotonic: when it became current, and when the archive may be opened again. */
  private currentSinceMs = 0
  private dueMs = 0
  /** Failures of this archive since its last transaction; archives made again; pauses since a success. */
  private retries = 0
  private remakes = 0
  private pauses = 0
  /** The last sentence about what went wrong, until it is mended. */
  private fault: string | undefined = undefined
  /** The time of the last trading status. */
  private refreshedMs = Ms(0)

  /** Never throws. Where this process had an indexer before, which was lost, it makes another archive. */
  constructor(options: IndexerOptions) {
    const { dataFolder, cells = new ArchiveCells() } = options
    this.options = options
    this.cells = cells
    this.valuation = options.valuation ?? noValuation
    const own = Array.from({ length: options.matchers }, (_, matcher) => matcher)
    this.journals = [...new Set([...own, ...journalsIn(dataFolder)])]
    this.number = Math.max(newestArchive(dataFolder), cells.number)
    if (cells.number > 0) this.remake('The thread that wrote the archive was lost.')
    else removeOtherArchives(dataFolder, this.number)
    cells.setNumber(this.number)
    const { counters, log } = options
    this.watch =
      counters && countedWatch(counters, ARCHIVE_STORE, () => this.archive!.writer.figures(), log)
    const isMissing = isEmpty(path.join(archiveFolder(dataFolder, this.number), 'data.mdb'))
    if (!this.open()) return
    this.publish()
    // A folder without blocks never had one.
    if (isMissing && this.remakes === 0 && this.blocksLeft() > 0) options.log(MISSING)
  }

  /**
   * Archives at most one transaction, throttled if there is a throttle, and has the disk take it. Returns the
   * number of events; 1 when the archive failed and is worked on again at once.
   */
  doWork(throttle?: Throttle): number {
    this.cells.beat()
    this.heedQueries()
    if (!this.open()) return 0
    try {
      return this.apply(this.archive!, throttle)
    } catch (error) {
      this.failed(error)
      return this.waitMs === 0 ? 1 : 0
    }
  }

  /** Time until it tries again what failed; 0 when it may work. */
  get waitMs(): number {
    return Math.max(0, this.dueMs - elapsedMs(this.options.time))
  }

  /** Whether the last transaction was full before the journals' end. */
  get hasMore(): boolean {
    return this._hasMore
  }

  /** Whether it has reached the journals' end once since the archive was opened first or made again. */
  get isCurrent(): boolean {
    return this._isCurrent
  }

  /**
   * Sets the listed symbols and the asset of trading volumes from now on. Call it before the first
   * event of a new symbol is journaled. For another asset it makes another archive.
   */
  setValuation(valuation: Valuation): void {
    const isAnother = valuation.assetId !== this.valuation.assetId
    this.valuation = valuation
    if (isAnother) this.remake('Trading volumes are counted in another asset.')
    else this.archive?.writer.setValuation(valuation)
  }

  /** Stores an operator's credit in a category. An archive that is not open gets it once it is. */
  distribute(distribution: DistributionSpec): void {
    try {
      this.archive?.writer.distribute([distribution])
    } catch (error) {
      this.failed(error)
    }
  }

  /** Returns the number of blocks in LMDB that are not archived. */
  blocksLeft(): number {
    if (!this.open()) return 0
    try {
      return this.archive!.merge.blocksLeft()
    } catch (error) {
      this.failed(new JournalFault(error))
      return 0
    }
  }

  /** Work by the clock: trading status, every half minute, a step of retention, and a look at the file. */
  tend(nowMs: Ms): void {
    if (!this.open()) return
    try {
      this.tendOpen(this.archive!, nowMs)
    } catch (error) {
      this.failed(error)
    }
  }

  close(): void {
    const archive = this.archive
    this.archive = undefined
    this.proof?.steps.return(undefined)
    if (archive === undefined) return
    archive.merge.close()
    try {
      archive.writer.close()
    } catch (error) {
      this.options.log(`The archive was not closed: ${(error as Error).message}`)
    }
  }

  private apply({ writer, merge }: OpenArchive, throttle: Throttle | undefined): number {
    let events = 0
    reading(() => merge.refresh())
    throttle?.begin()
    const next = (): JournalBlock | undefined => {
      throttle?.tread()
      return reading(() => merge.next())
    }
    const first = next()
    if (first !== undefined) events = writer.apply(first, next)
    writer.markProven()
    if (!this._isCurrent) writer.trim(this.options.time.nowMs(), events)
    this._hasMore = first !== undefined && !writer.reachedEnd
    this.retries = 0
    if (!this._hasMore) this.becomeCurrent()
    this.publish()
    // Behind the publication: no query waits for the disk.
    if (events > 0) writer.flush()
    reading(() => merge.refresh())
    this.pauses = 0
    return events
  }

  private tendOpen({ writer, sinceMs }: OpenArchive, nowMs: Ms): void {
    this.watch?.look(elapsedMs(this.options.time))
    if (!this.isSettled && elapsedMs(this.options.time) - sinceMs > SOUND_MS) {
      this.isSettled = true
      writer.settle()
    }
    writer.retain(nowMs)
    const spanMs = Ms(Math.floor(nowMs / INDICATOR_REFRESH_MS) * INDICATOR_REFRESH_MS)
    if (spanMs === this.refreshedMs) return
    this.refreshedMs = spanMs
    const { locks } = this.options
    writer.refreshTradingStatus(
      spanMs,
      locks && ((account, untilMs) => locks.lock(account, untilMs)),
    )
  }

  /** Returns whether the archive is open: opens it, unless that is too early or fails. */
  private open(): boolean {
    if (this.archive !== undefined) return true
    if (this.waitMs > 0) return false
    const { dataFolder, wals, distributions } = this.options
    try {
      if (!this.prove()) return false
      const writer = this.openWriter()
      const merge = orClose([{ close: () => writer.abandon() }], () => {
        writer.distribute(reading(() => distributions?.() ?? []))
        return openJournals(dataFolder, this.journals, writer.points, wals)
      })
      this.archive = { writer, merge, sinceMs: elapsedMs(this.options.time) }
      this.isSettled = false
      if (!this._isCurrent) this.cells.setState(ArchiveState.BEHIND)
      return true
    } catch (error) {
      this.failed(error)
      return false
    }
  }

  /** Whether an archive that an earlier process left is at work to be proven. */
  get isProving(): boolean {
    return this.proof !== undefined
  }

  /**
   * Proves the archive's pages, a piece at a time: damage may hide rows. Returns whether that is done. Throws
   * ArchiveDamage, or what the system refused.
   */
  private prove(): boolean {
    const { number } = this
    const folder = archiveFolder(this.options.dataFolder, number)
    const isKnown = number === this.openedNumber || number === this.provenNumber
    // One that power was lost with is not used whatever its pages are.
    if (isKnown || new OpenMark(folder).lost() !== undefined) return true
    if (this.proof?.number !== number) this.proof = { number, steps: pageSteps(folder) }
    const { steps } = this.proof
    const untilMs = elapsedMs(this.options.time) + PROOF_PIECE_MS
    try {
      while (steps.next().done !== true) if (elapsedMs(this.options.time) > untilMs) return false
    } catch (error) {
      this.proof = undefined
      throw isRefusal(error) ? error : new ArchiveDamage((error as Error).message)
    }
    this.proof = undefined
    this.provenNumber = number
    return true
  }

  /** Throws ArchiveDamage where another archive has to be made, or what the system refused. */
  private openWriter(): ArchiveWriter {
    const { dataFolder, retention, time } = this.options
    const folder = archiveFolder(dataFolder, this.number)
    const isTrusted = this.number === this.openedNumber
    try {
      beginFromBase(dataFolder, folder)
      const writer = ArchiveWriter.open(folder, this.valuation, retention, isTrusted, time)
      this.openedNumber = this.number
      return writer
    } catch (error) {
      throw isRefusal(error) ? error : new ArchiveDamage((error as Error).message)
    }
  }

  /** Closes the archive, whatever state a failure left it in. */
  private abandon(): void {
    const archive = this.archive
    this.archive = undefined
    archive?.merge.close()
    archive?.writer.abandon()
  }

  private failed(error: unknown): void {
    this.abandon()
    const message = sentenceOf(error)
    if (error instanceof JournalFault || isRefusal(error)) {
      this.dueMs = elapsedMs(this.options.time) + pauseOf(this.pauses++)
      this.cells.setState(this._isCurrent ? ArchiveState.STALLED : ArchiveState.WAITING)
      this.note(`The archive takes no more rows for now: ${message}`)
    } else if (error instanceof ArchiveDamage || this.retries === RETRIES) {
      this.remake(message)
    } else {
      this.retries++
      this.dueMs = elapsedMs(this.options.time) + RETRY_MS
      this.note(`A transaction of the archive failed, and is tried again: ${message}`)
    }
  }

  /** A query may have found what the writer has not read. */
  private heedQueries(): void {
    if (this.cells.damaged === this.number) this.remake('A query found the archive damaged.')
  }

  /** Leaves the archive for a new one, which has no rows yet. No query reads the old one: it goes first. */
  private remake(why: string): void {
    const nowMs = elapsedMs(this.options.time)
    if (this._isCurrent && nowMs - this.currentSinceMs > SOUND_MS) this.remakes = 0
    this.abandon()
    this._isCurrent = false
    this._hasMore = false
    this.refreshedMs = Ms(0)
    this.cells.setState(ArchiveState.WAITING)
    // An admitted query finds its rows, or waits, but never an empty table.
    this.publish(new Map())
    this.number++
    this.cells.setNumber(this.number)
    removeOtherArchives(this.options.dataFolder, this.number)
    const pauseMs = this.remakes === 0 ? 0 : pauseOf(this.remakes - 1)
    this.remakes++
    this.retries = 0
    this.dueMs = nowMs + pauseMs
    const when = pauseMs === 0 ? '' : `, in ${pauseMs / 1_000} seconds`
    this.note(`${why} The archive is applied again from the journals${when}.`)
  }

  private becomeCurrent(): void {
    if (this._isCurrent && this.fault === undefined) return
    const { logMended, degraded } = this.options
    if (!this._isCurrent) {
      this.currentSinceMs = elapsedMs(this.options.time)
      // The last pass did not see what was applied behind it.
      this.archive!.writer.restartRetention()
    }
    this._isCurrent = true
    this.cells.setState(ArchiveState.CURRENT)
    if (this.fault !== undefined) logMended?.('The archive has all rows again.')
    this.fault = undefined
    degraded?.(undefined)
  }

  /** Logs a sentence once while it stays the same. */
  private note(fault: string): void {
    if (fault === this.fault) return
    this.fault = fault
    this.options.log(fault)
    this.options.degraded?.(fault)
  }

  private publish(points: ReadonlyMap<number, JournalPoint> = this.archive!.writer.points): void {
    const { archived, matchers } = this.options
    for (let matcher = 0; matcher < matchers; matcher++) {
      const position = BigInt(points.get(matcher)?.position ?? 0)
      if (Atomics.load(archived, matcher) === position) continue
      Atomics.store(archived, matcher, position)
      Atomics.notify(archived, matcher)
    }
  }
}

const isEmpty = (file: string): boolean =>
  (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0

const pauseOf = (before: number): number => Math.min(PAUSE_MS * 2 ** before, PAUSE_MS_MAX)

const sentenceOf = (error: unknown): string => (error as Error).message.replace(/[^.]$/, '$&.')

function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new JournalFault(error)
  }
}

/** Throws ArchiveDamage when the journals lack what the archive has. */
function openJournals(
  dataFolder: string,
  journals: readonly number[],
  points: ReadonlyMap<number, JournalPoint>,
  wals: readonly WalCells[] | undefined,
): JournalMerge {
  if (isBehindBase(dataFolder, journals, points)) {
    throw new ArchiveDamage('Blocks that the archive lacks were removed.')
  }
  try {
    return openMerge(dataFolder, journals, points, wals)
  } catch (error) {
    if (error instanceof JournalDamage && points.size > 0) throw new ArchiveDamage(error.message)
    throw new JournalFault(error)
  }
}
