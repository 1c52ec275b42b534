/**
 * Watches the data folder's disk, on the main thread: warns when little of it is free, and when its journals
 * would soon fill it. Has gateways refuse new orders once only the reserve is left. Every threshold lets go
 * only a quarter above itself, so that a disk at its edge changes nothing to and fro.
 */

import { statfsSync } from 'node:fs'
import { type Clock, elapsedMs, type Time, type Timer } from '../../base/time.ts'
import type { Config } from '../../config/config.ts'
import { besideJournalsBytes } from '../../journal/content.ts'
import { JournalBytes } from '../../journal/journal-bytes.ts'
import { type DiskCells, DiskLevel, type DiskReading, hoursLeft } from '../../shared/disk.ts'
import { Growth } from './growth.ts'

/** Between two looks: the fastest disk writes less than the reserve meanwhile. */
const LOOK_MS = 1_000
/** Between two samples of the growth. */
const SAMPLE_MS = 60_000
/** Shares of the disk, by DiskLevel. */
const FREE_SHARES = [1, 0.1, 0.05] as const
/** Hours in which journals alone would fill the disk: time enough to give them another one. */
const JOURNAL_HOURS = 72
const LET_GO = 1.25

/** Blocks of the file system, as statfs counts them. */
export interface DiskBlocks {
  readonly bsize: number
  readonly blocks: number
  readonly bfree: number
  /** Free blocks that this process may write. */
  readonly bavail: number
}

export interface DiskWatchParts {
  readonly reserveBytes: number
  readonly cells: DiskCells
  /** Throws the file system's error. */
  readonly readDisk: () => DiskBlocks
  /** Bytes of the journals. Throws the file system's error. */
  readonly readJournals: () => number
  /** Bytes of the folder's other content. Throws the file system's error. */
  readonly readOthers: () => number
  readonly clock: Clock
  readonly log: Record<'info' | 'warn', (fields: object, sentence: string) => void>
}

export class DiskWatch {
  private readonly parts: DiskWatchParts
  private readonly disk = new Growth()
  private readonly journals = new Growth()
  private readonly store = new Growth()
  private journalBytes = 0
  private storeBytes = 0
  private sampledMs = Number.NEGATIVE_INFINITY
  private timer: Timer | undefined = undefined

  constructor(parts: DiskWatchParts) {
    this.parts = parts
  }

  /** Watches an exchange's data folder from now on. It has looked once when this returns. */
  static begin(
    config: Config,
    cells: DiskCells,
    time: Time,
    log: DiskWatchParts['log'],
  ): DiskWatch {
    const journals = new JournalBytes(config.data)
    const watch = new DiskWatch({
      reserveBytes: config.diskReserveMb * 2 ** 20,
      readDisk: () => statfsSync(config.data),
      readJournals: () => journals.read(),
      readOthers: () => besideJournalsBytes(config.data),
      clock: time,
      cells,
      log,
    })
    watch.look()
    watch.timer = time.every(LOOK_MS, () => watch.look())
    return watch
  }

  stop(): void {
    this.timer?.cancel()
  }

  /** A disk that cannot be read stays as it was last: who writes to it will learn why. */
  look(): void {
    const { cells, reserveBytes } = this.parts
    const free = this.read()
    if (free === undefined) return
    const room = { ...free, reserveBytes }
    const before = cells.read()
    const now = { ...room, ...this.growth(), ...this.judge(room, before) }
    cells.write(now)
    this.report(before, now)
  }

  private read(): Pick<DiskReading, 'freeBytes' | 'totalBytes'> | undefined {
    try {
      const { bsize, blocks, bfree, bavail } = this.parts.readDisk()
      const [freeBytes, usedBytes] = [bavail * bsize, (blocks - bfree) * bsize]
      this.sample(usedBytes)
      return { freeBytes, totalBytes: freeBytes + usedBytes }
    } catch {
      return undefined
    }
  }

  private sample(usedBytes: number): void {
    const nowMs = elapsedMs(this.parts.clock)
    if (nowMs - this.sampledMs < SAMPLE_MS) return
    this.sampledMs = nowMs
    this.journalBytes = this.parts.readJournals()
    this.storeBytes = this.journalBytes + this.parts.readOthers()
    this.disk.add(nowMs, usedBytes)
    this.journals.add(nowMs, this.journalBytes)
    this.store.add(nowMs, this.storeBytes)
  }

  private growth() {
    const [bytesAnHour, journalBytesAnHour] = [this.disk.anHour, this.journals.anHour]
    const { journalBytes, storeBytes } = this
    const storeBytesAnHour = this.store.anHour
    return { journalBytes, bytesAnHour, journalBytesAnHour, storeBytes, storeBytesAnHour }
  }

  private judge(
    room: Pick<DiskReading, 'freeBytes' | 'totalBytes' | 'reserveBytes'>,
    before: DiskReading,
  ): Pick<DiskReading, 'isRefusing' | 'level' | 'hasJournalAlarm'> {
    const { freeBytes, totalBytes, reserveBytes } = room
    const share = freeBytes / totalBytes
    const isBelow = (value: number, threshold: number, isHeld: boolean) =>
      value <= threshold * (isHeld ? LET_GO : 1)
    const isAt = (level: DiskLevel) => isBelow(share, FREE_SHARES[level], before.level >= level)
    const hours = hoursLeft(room, this.journals.anHour) ?? Number.POSITIVE_INFINITY
    return {
      isRefusing: reserveBytes > 0 && isBelow(freeBytes, reserveBytes, before.isRefusing),
      level: [DiskLevel.VERY_LOW, DiskLevel.LOW].find(isAt) ?? DiskLevel.FINE,
      hasJournalAlarm: isBelow(hours, JOURNAL_HOURS, before.hasJournalAlarm),
    }
  }

  private report(before: DiskReading, now: DiskReading): void {
    const { log } = this.parts
    const { freeBytes, totalBytes, journalBytes, level } = now
    const left = hoursLeft(now, now.bytesAnHour)
    const fields = { freeBytes, totalBytes, ...(left && { hoursLeft: Math.floor(left) }) }
    if (level > before.level) {
      log.warn(fields, `at most ${100 * FREE_SHARES[level]} % of the disk is free`)
    } else if (level < before.level) log.info(fields, 'more of the disk is free again')
    if (now.hasJournalAlarm && !before.hasJournalAlarm) {
      const journals = { journalBytes, journalBytesAnHour: now.journalBytesAnHour }
      const why = `the journals alone would fill the disk within ${JOURNAL_HOURS} hours`
      log.warn({ ...fields, ...journals }, why)
    }
    if (now.isRefusing === before.isRefusing) return
    if (now.isRefusing) {
      log.warn(
        fields,
        'only the reserve of the disk is left: new orders are refused, cancels continue',
      )
    } else log.info(fields, 'the disk has more than its reserve again: new orders are taken')
  }
}
