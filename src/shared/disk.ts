/**
 * The data folder's disk, in shared cells that every thread may read: whether new orders are refused, how
 * much is free, and how fast it fills. The main thread writes them (assembly/main/disk-watch.ts).
 */
import { DiskCell } from '../layout/cells.gen.ts'

/** How much of the disk is free: more than 10 %, at most that, at most 5 %. */
export const DiskLevel = { FINE: 0, LOW: 1, VERY_LOW: 2 } as const
export type DiskLevel = (typeof DiskLevel)[keyof typeof DiskLevel]

export interface DiskReading {
  readonly isRefusing: boolean
  readonly level: DiskLevel
  /** Whether the journals alone would soon fill the disk. */
  readonly hasJournalAlarm: boolean
  /** 0 before the first look. */
  readonly freeBytes: number
  readonly totalBytes: number
  /** Free bytes below which new orders are refused. */
  readonly reserveBytes: number
  readonly journalBytes: number
  /** By the last day at most; -1 before it is known. */
  readonly bytesAnHour: number
  readonly journalBytesAnHour: number
  /** Bytes of the data folder's content, the journals' among them. */
  readonly storeBytes: number
  readonly storeBytesAnHour: number
}

/** What operators and health read while new orders are refused. */
export const REFUSING_TEXT = 'no new orders: disk reserve'

const { REFUSING, LEVEL, JOURNAL_ALARM, GROWTH, JOURNAL_GROWTH } = DiskCell
const { FREE_BYTES, TOTAL_BYTES, RESERVE_BYTES, JOURNAL_BYTES } = DiskCell
const { STORE_BYTES, STORE_GROWTH } = DiskCell

export const DISK_BYTES = DiskCell.bytes

export class DiskCells {
  private readonly cells: Int32Array
  private readonly numbers: BigInt64Array

  /** A memory of all zeros refuses nothing. */
  constructor(memory: SharedArrayBuffer) {
    this.cells = new Int32Array(memory)
    this.numbers = new BigInt64Array(memory)
  }

  /** One load: gateways read it for each order. */
  get isRefusing(): boolean {
    return Atomics.load(this.cells, REFUSING) === 1
  }

  write(reading: DiskReading): void {
    const number = (cell: number, value: number) =>
      Atomics.store(this.numbers, cell, BigInt(Math.round(value)))
    number(FREE_BYTES, reading.freeBytes)
    number(TOTAL_BYTES, reading.totalBytes)
    number(RESERVE_BYTES, reading.reserveBytes)
    number(JOURNAL_BYTES, reading.journalBytes)
    number(GROWTH, reading.bytesAnHour)
    number(JOURNAL_GROWTH, reading.journalBytesAnHour)
    number(STORE_BYTES, reading.storeBytes)
    number(STORE_GROWTH, reading.storeBytesAnHour)
    Atomics.store(this.cells, LEVEL, reading.level)
    Atomics.store(this.cells, JOURNAL_ALARM, reading.hasJournalAlarm ? 1 : 0)
    Atomics.store(this.cells, REFUSING, reading.isRefusing ? 1 : 0)
  }

  read(): DiskReading {
    const number = (cell: number) => Number(Atomics.load(this.numbers, cell))
    return {
      isRefusing: this.isRefusing,
      level: Atomics.load(this.cells, LEVEL) as DiskLevel,
      hasJournalAlarm: Atomics.load(this.cells, JOURNAL_ALARM) === 1,
      freeBytes: number(FREE_BYTES),
      totalBytes: number(TOTAL_BYTES),
      reserveBytes: number(RESERVE_BYTES),
      journalBytes: number(JOURNAL_BYTES),
      bytesAnHour: number(GROWTH),
      journalBytesAnHour: number(JOURNAL_GROWTH),
      storeBytes: number(STORE_BYTES),
      storeBytesAnHour: number(STORE_GROWTH),
    }
  }
}

type Room = Pick<DiskReading, 'freeBytes' | 'reserveBytes'>

/** Returns the hours until only the reserve is free, at this growth; undefined without growth. */
export function hoursLeft({ freeBytes, reserveBytes }: Room, bytesAnHour: number) {
  if (bytesAnHour <= 0) return undefined
  return Math.max(0, freeBytes - reserveBytes) / bytesAnHour
}

/** Returns sentences about the disk for operators and health; undefined while there is room. */
export function diskWarning(reading: DiskReading): string | undefined {
  const { level, freeBytes, totalBytes, isRefusing, hasJournalAlarm } = reading
  if (level === DiskLevel.FINE && !isRefusing && !hasJournalAlarm) return undefined
  const percent = ((100 * freeBytes) / Math.max(1, totalBytes)).toFixed(1)
  const free = `${percent} % of the disk (${(freeBytes / 2 ** 30).toFixed(1)} GiB) is free.`
  const left = leftText('the disk', hoursLeft(reading, reading.bytesAnHour))
  const journals = hoursLeft(reading, reading.journalBytesAnHour)
  return free + left + (hasJournalAlarm ? leftText('the journals alone', journals) : '')
}

/** Returns a sentence with a space before it; '' without growth. */
const leftText = (what: string, hours: number | undefined): string =>
  hours === undefined
    ? ''
    : ` At the growth of the last day ${what} will reach the reserve in ${Math.floor(hours)} hours.`
