/**
 * The archivist: reads every journal behind its matcher and keeps the archive's tables. It alone
 * writes the archive, and the archived position of each journal, which history threads wait for. It
 * never writes a journal. Only queries of the archive wait for it.
 */

import { ArchiveWriter, type Log } from '../archive/archive-writer.ts'
import type { RetentionSettings } from '../archive/retention.ts'
import { ArchiveDamage } from '../archive/row-writer.ts'
import { noValuation, type Valuation } from '../archive/volumes.ts'
import { Ms } from '../base/units.ts'
import { INDICATOR_REFRESH_MS } from '../history/trading-indicators.ts'
import { JournalDamage } from '../journal/block.ts'
import { JournalMerge, journalsIn } from '../journal/recovery.ts'
import type { StoreWatch } from '../journal/store-watch.ts'
import type { TailCells } from '../journal/tail-cells.ts'
import { ARCHIVE_STORE } from '../shared/counters.ts'
import type { TradingLocks } from '../shared/trading-locks.ts'
import type { Agent } from './agent.ts'
import type { Pace } from './pace.ts'
import { countedWatch } from './store-watches.ts'

export interface ArchivistOptions {
  readonly dataFolder: string
  /** Matchers of this start; it also reads journals that earlier starts left. */
  readonly matchers: number
  /** By matcher: the cells of its journal's tail, while it is open. */
  readonly tails?: readonly TailCells[]
  /** By matcher: the last position archived. Written here. */
  readonly archived: BigInt64Array
  /** One cell, written here: 1 once the archive has reached the journals' end, 0 while it is behind. */
  readonly isCurrent?: Int32Array
  /** Asset of trading volumes; without it they are not counted. */
  readonly valuation?: Valuation
  /** Days after which rows are removed. */
  readonly retention?: RetentionSettings
  /** The wall clock; without it nothing is removed before `tend`. */
  readonly nowMs?: () => Ms
  /** Locks that follow from trading status, written here; without them no account is locked. */
  readonly locks?: TradingLocks
  /** Of shared/counters.ts: the block of the archive is written here. */
  readonly counters?: SharedArrayBuffer
  readonly log: Log
}

export class Archivist implements Agent {
  readonly name = 'archivist'
  readonly #options: ArchivistOptions
  readonly #writer: ArchiveWriter
  readonly #journals: readonly number[]
  readonly #watch: StoreWatch | undefined
  #valuation: Valuation
  #merge: JournalMerge
  #isCurrent = false
  #hasMore = false
  /** The time of the last trading status. */
  #refreshedMs = Ms(0)

  constructor(options: ArchivistOptions) {
    this.#options = options
    this.#valuation = options.valuation ?? noValuation
    const own = Array.from({ length: options.matchers }, (_, matcher) => matcher)
    this.#journals = [...new Set([...own, ...journalsIn(options.dataFolder)])]
    this.#writer = new ArchiveWriter(
      options.dataFolder,
      options.log,
      this.#valuation,
      options.retention,
    )
    const { counters, log } = options
    this.#watch =
      counters && countedWatch(counters, ARCHIVE_STORE, () => this.#writer.figures(), log)
    this.#merge = this.#open()
    this.#publish()
  }

  /**
   * Archives at most one transaction, at a pace if there is one, and has the disk take it. Returns the
   * number of events; 1 when it restarted from empty tables.
   */
  doWork(pace?: Pace): number {
    let events = 0
    try {
      this.#merge.refresh()
      pace?.begin()
      const next = () => {
        pace?.tread()
        return this.#merge.next()
      }
      const first = next()
      if (first !== undefined) events = this.#writer.fold(first, next)
      this.#writer.markProven()
      const { nowMs } = this.#options
      if (!this.#isCurrent && nowMs !== undefined) this.#writer.trim(nowMs(), events)
      this.#hasMore = first !== undefined && !this.#writer.reachedEnd
      if (!this.#hasMore) this.#tellCurrent(true)
    } catch (error) {
      if (!(error instanceof ArchiveDamage)) throw error
      this.#merge.close()
      this.#merge = this.#refold(error)
      events = 1
    }
    this.#publish()
    // Behind the publication: no query waits for the disk.
    if (events > 0) this.#writer.flush()
    this.#merge.refresh()
    return events
  }

  /** Whether the last transaction was full before the journals' end. */
  get hasMore(): boolean {
    return this.#hasMore
  }

  /** Whether it has reached the journals' end once since it was opened or restarted. */
  get isCurrent(): boolean {
    return this.#isCurrent
  }

  /**
   * Sets the listed symbols and the asset of trading volumes from now on. Call it before the first
   * event of a new symbol is journaled. Another asset folds the archive again.
   */
  setValuation(valuation: Valuation): void {
    const isAnother = valuation.assetId !== this.#valuation.assetId
    this.#valuation = valuation
    this.#writer.setValuation(valuation)
    if (!isAnother) return
    this.#merge.close()
    this.#merge = this.#restart('Trading volumes are counted in another asset.')
  }

  /** Returns the number of blocks in LMDB that are not archived. */
  blocksLeft(): number {
    return this.#merge.blocksLeft()
  }

  /** Work by the clock: trading status, every half minute, a step of retention, and a look at the file. */
  tend(nowMs: Ms): void {
    this.#watch?.look(performance.now())
    this.#writer.retain(nowMs)
    const spanMs = Ms(Math.floor(nowMs / INDICATOR_REFRESH_MS) * INDICATOR_REFRESH_MS)
    if (spanMs === this.#refreshedMs) return
    this.#refreshedMs = spanMs
    const { locks } = this.#options
    this.#writer.refreshTradingStatus(
      spanMs,
      locks && ((account, untilMs) => locks.lock(account, untilMs)),
    )
  }

  close(): void {
    this.#merge.close()
    this.#writer.close()
  }

  #open(): JournalMerge {
    const { dataFolder, tails } = this.#options
    try {
      return new JournalMerge(dataFolder, this.#journals, this.#writer.places, tails)
    } catch (error) {
      if (!(error instanceof JournalDamage) || this.#writer.places.size === 0) throw error
      return this.#refold(error)
    }
  }

  /** Restarts from empty tables, once: when that fold fails too, the journals are at fault. */
  #refold(reason: Error): JournalMerge {
    if (this.#writer.places.size === 0) throw reason
    return this.#restart(reason.message)
  }

  #restart(why: string): JournalMerge {
    const { dataFolder, tails, log } = this.#options
    log(`${why} The archive is folded again from the journals.`)
    this.#tellCurrent(false)
    // First: an admitted query finds its rows, or waits, but never an empty table.
    this.#publish(new Map())
    this.#writer.clear()
    this.#refreshedMs = Ms(0)
    return new JournalMerge(dataFolder, this.#journals, new Map(), tails)
  }

  #tellCurrent(isCurrent: boolean): void {
    // The last pass did not see what was folded behind it.
    if (isCurrent && !this.#isCurrent) this.#writer.retainAnew()
    this.#isCurrent = isCurrent
    const { isCurrent: cell } = this.#options
    if (cell !== undefined) Atomics.store(cell, 0, isCurrent ? 1 : 0)
  }

  #publish(places = this.#writer.places): void {
    const { archived, matchers } = this.#options
    for (let matcher = 0; matcher < matchers; matcher++) {
      const position = BigInt(places.get(matcher)?.position ?? 0)
      if (Atomics.load(archived, matcher) === position) continue
      Atomics.store(archived, matcher, position)
      Atomics.notify(archived, matcher)
    }
  }
}
