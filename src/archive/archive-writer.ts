/**
 * The archive's one writer: applies journals into the tables, many blocks per transaction, and notes in
 * the same transaction how far each journal is applied. Transactions do not wait for the disk, since nothing
 * here is the only copy. An archive that was open when power was lost, or that a start did not
 * survive (open-mark.ts), one of another version, or one that does not fit the journals is not used: the
 * indexer makes another one (agents/indexer.ts).
 */

import { randomBytes } from 'node:crypto'
import { orClose } from '../base/closing.ts'
import type { Clock } from '../base/time.ts'
import type { AccountId, Ms } from '../base/units.ts'
import type { JournalPoint } from '../journal/chain.ts'
import {
  checkLength,
  Environment,
  type EnvironmentFigures,
  Sync,
  type Table,
} from '../journal/environment.ts'
import type { JournalBlock } from '../journal/recovery.ts'
import { ProgressKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { ProgressValue, SaltValue, VersionValue } from '../layout/rows.gen.ts'
import type { DistributionSpec } from '../market/listing.ts'
import { placesIn } from './archive-proof.ts'
import { DistributionWriter } from './distributions.ts'
import { IdHash } from './id-hash.ts'
import { OpenMark } from './open-mark.ts'
import { Projection } from './project.ts'
import { keepEverything, Retention, type RetentionSettings, STEP_ROWS } from './retention.ts'
import { ArchiveDamage } from './row-writer.ts'
import { storeSeeded } from './seeded-bars.ts'
import { ARCHIVE_VERSION, archiveOptions, SALT_KEY, TableName, VERSION_KEY } from './tables.ts'
import { TradingStatusWriter } from './trading-status.ts'
import { noValuation, type Valuation } from './volumes.ts'

/** A transaction ends after the block that reaches this many events. */
const TRANSACTION_EVENTS = 32_768

export class ArchiveWriter {
  readonly points: Map<number, JournalPoint>
  private _reachedEnd = false
  private readonly environment: Environment
  private readonly progress: Table
  private readonly projection: Projection
  private readonly mark: OpenMark
  private isProven = false
  private readonly status: TradingStatusWriter
  private readonly distributions: DistributionWriter
  private valuation: Valuation
  private readonly idHash: IdHash
  private readonly retention: Retention
  private readonly row = RecordBuffer.allocate(ProgressValue.bytes)
  private readonly version = RecordBuffer.allocate(VersionValue.bytes)

  private constructor(
    environment: Environment,
    mark: OpenMark,
    valuation: Valuation,
    retention: RetentionSettings,
  ) {
    this.environment = environment
    this.valuation = valuation
    this.mark = mark
    mark.begin()
    this.idHash = new IdHash(environment)
    this.retention = new Retention(environment, retention, this.idHash)
    this.progress = environment.table(TableName.PROGRESS)
    this.projection = new Projection(environment, valuation, this.idHash)
    this.distributions = new DistributionWriter(environment)
    this.status = new TradingStatusWriter(environment, this.projection.activity)
    const version = this.readVersion()
    if (version === 'other') {
      throw new ArchiveDamage('The archive is of another version, or counts in another asset.')
    }
    if (version === undefined) this.begin()
    this.points = placesIn(this.progress)
    this.environment.release()
  }

  /**
   * Opens or creates the archive in the folder. Throws StorageError when the folder cannot be used, and
   * ArchiveDamage when what is there is not to be used. `isTrusted`: this process has used it before.
   */
  static open(
    folder: string,
    valuation: Valuation = noValuation,
    retention: RetentionSettings = keepEverything,
    isTrusted = false,
    clock?: Clock,
  ): ArchiveWriter {
    const mark = new OpenMark(folder)
    const lost = isTrusted ? undefined : mark.lost()
    if (lost !== undefined) throw new ArchiveDamage(lost)
    checkLength(folder)
    const environment = new Environment(archiveOptions(folder, clock))
    return orClose([environment], () => new ArchiveWriter(environment, mark, valuation, retention))
  }

  /**
   * Applies `first` and the blocks that follow it, as many as one transaction takes, all of them or
   * none. Returns the number of events.
   */
  apply(first: JournalBlock, next: () => JournalBlock | undefined): number {
    const applied = new Map<number, JournalPoint>()
    let events = 0
    let reachedEnd = false
    this.projection.begin()
    this.environment.write(() => {
      let block: JournalBlock | undefined = first
      while (block !== undefined) {
        events += this.projection.apply(block.records, block.start, block.end)
        applied.set(block.matcher, { position: block.position, checksum: block.checksum })
        if (events >= TRANSACTION_EVENTS) break
        block = next()
      }
      reachedEnd = block === undefined
      this.projection.store()
      this.writePoints(applied)
    }, Sync.KERNEL)
    this.projection.written()
    this._reachedEnd = reachedEnd
    for (const [matcher, point] of applied) this.points.set(matcher, point)
    return events
  }

  /**
   * Has the disk take what was applied. The kernel would keep it for half a minute, and then write
   * hundreds of megabytes at once, which no flush of a journal passes (bench `tail`).
   */
  flush(): void {
    this.environment.flush()
  }

  /** Call it when a pass is done, or there was nothing to apply. */
  markProven(): void {
    if (this.isProven) return
    this.isProven = true
    this.mark.set()
  }

  /** Call it once the process has used the archive for long without an accident. */
  settle(): void {
    this.mark.settle()
  }

  /** Whether the last pass took all that the journals held. */
  get reachedEnd(): boolean {
    return this._reachedEnd
  }

  /**
   * Makes the API trading status of `nowMs`, a whole span (activity.ts). `lock` gets the end of each
   * account's last lock before queries can read it; without it no account is locked.
   */
  refreshTradingStatus(nowMs: Ms, lock?: (account: AccountId, untilMs: Ms) => void): void {
    this.environment.write(() => {
      this.status.refresh(nowMs, lock !== undefined)
      if (lock === undefined) return
      for (const [account, untilMs] of this.status.lockedUntilMs) lock(account, untilMs)
    }, Sync.KERNEL)
  }

  /** Stores operators' credits in a category that it does not have. They ascend by their ids. */
  distribute(distributions: readonly DistributionSpec[]): void {
    if (distributions.length === 0) return
    this.environment.write(() => this.distributions.store(distributions), Sync.KERNEL)
  }

  /** Removes a little of what is too old; false when nothing is left to look at. */
  retain(nowMs: Ms): boolean {
    const hasLooked = this.retention.step(nowMs)
    if (hasLooked) this.projection.forgetRows()
    return hasLooked
  }

  /**
   * Removes of what is too old about as many rows as events were applied, in passes that follow one
   * another: rows that are not kept take no room while journals are applied again.
   */
  trim(nowMs: Ms, events: number): void {
    for (let rows = 0; rows < events; rows += STEP_ROWS) {
      if (this.retain(nowMs)) continue
      this.retention.restart()
      return
    }
  }

  /** Has `retain` look at everything once more. */
  restartRetention(): void {
    this.retention.restart()
  }

  /** What is listed, and counted in, from now on. After another asset the archive is to be made again. */
  setValuation(valuation: Valuation): void {
    this.valuation = valuation
    this.projection.setValuation(valuation)
  }

  figures(): EnvironmentFigures {
    return this.environment.figures()
  }

  close(): void {
    this.flush()
    this.environment.close()
    this.mark.clear()
  }

  /** Closes an archive that failed: the next start looks at it as after a kill. */
  abandon(): void {
    this.environment.close()
  }

  /** Notes what the empty tables are applied for, draws a salt for client order ids, and stores klines of a seed. */
  private begin(): void {
    this.environment.write(() => {
      VersionValue.setVersion(this.version, 0, ARCHIVE_VERSION)
      VersionValue.setAssetId(this.version, 0, this.valuation.assetId)
      VersionValue.setCorrections(this.version, 0, this.valuation.corrections ?? 0)
      this.progress.put(VERSION_KEY, this.version.bytes)
      this.progress.put(SALT_KEY, randomBytes(SaltValue.bytes))
      const { klines = [], symbols } = this.valuation
      storeSeeded(this.environment.table(TableName.BARS), klines, symbols)
    }, Sync.KERNEL)
    this.environment.release()
    this.idHash.load()
  }

  /** Whether the stored version is this one; undefined without one. Rows of version 9 and before have no checksums. */
  private readVersion(): 'this' | 'other' | undefined {
    let stored: Uint8Array | undefined
    try {
      stored = this.progress.get(VERSION_KEY)
    } catch {
      return 'other'
    }
    if (stored === undefined) return undefined
    this.version.bytes.set(stored)
    const isVersion = VersionValue.version(this.version, 0) === ARCHIVE_VERSION
    const isAsset = VersionValue.assetId(this.version, 0) === this.valuation.assetId
    const { corrections = 0 } = this.valuation
    const isCorrected = VersionValue.corrections(this.version, 0) === corrections
    return isVersion && isAsset && isCorrected ? 'this' : 'other'
  }

  private writePoints(points: ReadonlyMap<number, JournalPoint>): void {
    for (const [matcher, { position, checksum }] of points) {
      ProgressValue.setPosition(this.row, 0, position)
      ProgressValue.setChecksum(this.row, 0, checksum)
      ProgressValue.setZero(this.row, 0, 0)
      this.progress.put(new ProgressKey().of(matcher), this.row.bytes)
    }
  }
}
