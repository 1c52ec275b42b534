/**
 * Figures that an operator's plots begin with: a few named series, a day of them by the second in memory and a month
 * by the minute in one file of the data folder. Written on the main thread alone, by the wall clock. No content of the
 * folder: backups, states, loads and resets know nothing of it, and a file that is damaged is made again.
 *
 *   header   4,096 bytes: magic, version, checksum of the series' names, checksum of these
 *   minutes  44,640 records of 128 bytes, each in the place of its minute modulo their number
 *   marks    512 records of 128 bytes, one after the other, round and round
 *   record   minute (u32), a number of each series (f32); or ms (f64), length (u8), text; then a checksum (u32)
 *
 * A record of zeros is empty. It lies in one sector, so that neither a kill nor a power loss tears it.
 */
import * as fs from 'node:fs'
import { crc32 } from 'node:zlib'
import { fileFault } from '../base/file-fault.ts'
import type { Clock } from '../base/time.ts'

/** How a minute sums its seconds up. */
type Sum = 'mean' | 'max'

/** Every series, in the order of the file. */
export const keptSeries = {
  orders: 'mean',
  trades: 'mean',
  requests: 'mean',
  refused: 'mean',
  slowClosed: 'mean',
  orderP50: 'mean',
  orderP99: 'max',
  flushP50: 'mean',
  flushP99: 'max',
  flushMax: 'max',
  openOrders: 'mean',
  connections: 'mean',
  pendingRequests: 'max',
  matcherBusiest: 'mean',
  gatewayBusiest: 'mean',
  ringFullest: 'max',
  archiveLag: 'max',
  checkpointerLag: 'max',
  residentBytes: 'max',
  gatewayHeapBytes: 'max',
  processors: 'mean',
  diskFreeBytes: 'mean',
  storeBytes: 'mean',
  readerAgeMs: 'max',
} as const satisfies Record<string, Sum>
export type KeptName = keyof typeof keptSeries
export const keptNames = Object.keys(keptSeries) as readonly KeptName[]

/** One second; NaN for what is not known. */
export type KeptValues = Readonly<Record<KeptName, number>>

export interface Mark {
  readonly timeMs: number
  readonly text: string
}

/** What the page requests: at most POINTS_MAX points of each series, and the marks between them. */
export interface KeptReading {
  /** Moment of the first point, ms since 1970, and ms between two points. */
  readonly beginMs: number
  readonly stepMs: number
  readonly series: Readonly<Record<KeptName, readonly (number | null)[]>>
  readonly marks: readonly Mark[]
}

export const KEPT_FILE = 'kept-figures'
export const POINTS_MAX = 720
export const MARKS_MAX = 512
const SERIES = keptNames.length
const DAY_SECONDS = 86_400
export const MONTH_MINUTES = 31 * 1_440
/** The longest span that is kept. */
export const SPAN_SECONDS_MAX = MONTH_MINUTES * 60
const MAGIC = 'RINGBOOK FIGURES'
const VERSION = 1
const HEADER_BYTES = 4_096
const RECORD_BYTES = 128
const CHECKSUM_AT = RECORD_BYTES - 4
const TEXT_AT = 9
const TEXT_BYTES_MAX = CHECKSUM_AT - TEXT_AT
const MARKS_AT = HEADER_BYTES + MONTH_MINUTES * RECORD_BYTES
export const FILE_BYTES = MARKS_AT + MARKS_MAX * RECORD_BYTES
/** A second in memory: its series and its time. */
export const MEMORY_BYTES = DAY_SECONDS * (SERIES * 4 + 4)

export class KeptFigures {
  private readonly clock: Pick<Clock, 'nowMs'>
  private readonly warn: (sentence: string) => void
  private readonly seconds = new Uint32Array(DAY_SECONDS)
  private readonly values = new Float32Array(DAY_SECONDS * SERIES)
  private file: number | undefined = undefined
  private minute = 0
  /** The oldest first. */
  private marks: Mark[] = []
  /** Marks that are not in the file yet, and the place of the next one. */
  private marksNew = 0
  private markIndex = 0

  /** Keeps in memory alone until it is opened. `clock` is that of the machine. */
  constructor(clock: Pick<Clock, 'nowMs'>, warn: (sentence: string) => void) {
    this.clock = clock
    this.warn = warn
    // All of it is resident from the start: memory that grows for a day would look like a leak.
    this.values.fill(Number.NaN)
    this.seconds.fill(0)
  }

  /** Opens the file, or makes it. A disk that refuses it leaves memory alone. */
  open(path: string): void {
    if (this.file !== undefined) return
    try {
      const fault = fs.existsSync(path) ? faultOf(path) : ''
      if (fault !== '') this.warn(`${path} is made again: ${fault}.`)
      if (fault !== '' || !fs.existsSync(path)) makeFile(path)
      this.file = fs.openSync(path, 'r+')
      this.readMarks(this.file)
    } catch (error) {
      this.giveUp(error)
    }
  }

  /** Notes the second that passed. */
  add(values: KeptValues): void {
    const second = Math.floor(this.clock.nowMs() / 1_000)
    const index = second % DAY_SECONDS
    this.seconds[index] = second
    for (const [at, name] of keptNames.entries()) this.values[index * SERIES + at] = values[name]
    const minute = Math.floor(second / 60)
    if (minute !== this.minute) this.flush()
    this.minute = minute
  }

  /** Marks the present moment on the plots. */
  mark(text: string): void {
    this.marks.push({ timeMs: this.clock.nowMs(), text })
    if (this.marks.length > MARKS_MAX) this.marks.shift()
    this.marksNew = Math.min(MARKS_MAX, this.marksNew + 1)
  }

  /** `spanSeconds` back from now, by the second where it is known so, by the minute elsewhere. */
  read(spanSeconds: number): KeptReading {
    const span = Math.min(SPAN_SECONDS_MAX, Math.max(1, Math.floor(spanSeconds)))
    const step = Math.ceil(span / POINTS_MAX)
    const count = Math.floor(span / step)
    const begin = Math.floor(this.clock.nowMs() / 1_000) - count * step + 1
    const points = new Points(begin, step, count)
    // A long point is read from few minutes, not from many seconds.
    const isLong = step > 60
    if (isLong) this.addMinutes(points)
    else this.addSeconds(points)
    points.close()
    if (isLong) this.addSeconds(points)
    else this.addMinutes(points)
    const beginMs = begin * 1_000
    const marks = this.marks.filter(({ timeMs }) => timeMs >= beginMs)
    return { beginMs, stepMs: step * 1_000, series: points.series(), marks }
  }

  /** Writes what is not in the file yet, and closes it. */
  close(): void {
    this.flush()
    if (this.file !== undefined) fs.closeSync(this.file)
    this.file = undefined
  }

  private addSeconds(points: Points): void {
    const { end } = points
    for (let second = Math.max(points.begin, end - DAY_SECONDS); second < end; second++) {
      const index = second % DAY_SECONDS
      if (this.seconds[index] !== second) continue
      const row = index * SERIES
      points.add(second, second, (at) => this.values[row + at]!)
    }
  }

  private addMinutes(points: Points): void {
    const file = this.file
    if (file === undefined) return
    const [first, last] = [Math.floor(points.begin / 60), Math.floor((points.end - 1) / 60)]
    const count = Math.min(MONTH_MINUTES, last - first + 1)
    const index = first % MONTH_MINUTES
    const ahead = Math.min(count, MONTH_MINUTES - index)
    try {
      const bytes = Buffer.concat([
        readRecords(file, HEADER_BYTES + index * RECORD_BYTES, ahead),
        readRecords(file, HEADER_BYTES, count - ahead),
      ])
      for (let record = 0; record < bytes.length; record += RECORD_BYTES) {
        const minute = bytes.readUInt32LE(record)
        if (!isSound(bytes, record)) continue
        const values = record + 4
        points.add(60 * minute, 60 * minute + 59, (at) => bytes.readFloatLE(values + 4 * at))
      }
    } catch (error) {
      this.giveUp(error)
    }
  }

  /** Writes the last minute and the marks since the one before. */
  private flush(): void {
    const file = this.file
    if (file === undefined || this.minute === 0) return
    try {
      const record = this.minuteRecord(this.minute)
      const index = this.minute % MONTH_MINUTES
      if (record !== undefined) writeRecord(file, HEADER_BYTES + index * RECORD_BYTES, record)
      for (const mark of this.marks.slice(this.marks.length - this.marksNew)) {
        writeRecord(file, MARKS_AT + this.markIndex * RECORD_BYTES, markRecord(mark))
        this.markIndex = (this.markIndex + 1) % MARKS_MAX
      }
      this.marksNew = 0
    } catch (error) {
      this.giveUp(error)
    }
  }

  /** Undefined when none of its seconds is known. */
  private minuteRecord(minute: number): Buffer | undefined {
    const points = new Points(60 * minute, 60, 1)
    this.addSeconds(points)
    if (points.isEmpty(0)) return undefined
    const record = Buffer.alloc(RECORD_BYTES)
    record.writeUInt32LE(minute, 0)
    for (let at = 0; at < SERIES; at++) record.writeFloatLE(points.valueOf(0, at), 4 + 4 * at)
    return record
  }

  private readMarks(file: number): void {
    const bytes = readRecords(file, MARKS_AT, MARKS_MAX)
    const found = Array.from({ length: MARKS_MAX }, (_, index) => ({
      index,
      mark: markOf(bytes.subarray(index * RECORD_BYTES, (index + 1) * RECORD_BYTES)),
    })).filter(({ mark }) => mark.timeMs > 0)
    found.sort((a, b) => a.mark.timeMs - b.mark.timeMs)
    this.marks = [...found.map(({ mark }) => mark), ...this.marks].slice(-MARKS_MAX)
    this.markIndex = ((found.at(-1)?.index ?? -1) + 1) % MARKS_MAX
  }

  /** What can be made again fails alone. */
  private giveUp(error: unknown): void {
    if (this.file !== undefined) fs.closeSync(this.file)
    this.file = undefined
    this.warn(`Figures are kept in memory alone until the next start: ${fileFault(error)}.`)
  }
}

const isMax = Object.values(keptSeries).map((sum) => sum === 'max')

/** Points of all series, which sum up what is added to them. */
class Points {
  readonly begin: number
  /** The second behind the last point. */
  readonly end: number
  private readonly step: number
  private readonly count: number
  private readonly sums: Float64Array
  private readonly counts: Uint32Array
  /** By point: whether it takes nothing more. */
  private readonly isFull: Uint8Array

  /** For `count` points of `step` seconds, the first at the second `begin`. */
  constructor(begin: number, step: number, count: number) {
    this.begin = begin
    this.end = begin + step * count
    this.step = step
    this.count = count
    this.sums = new Float64Array(count * SERIES)
    this.counts = new Uint32Array(count * SERIES)
    this.isFull = new Uint8Array(count)
  }

  /** Adds a row of values to the points of these seconds. */
  add(first: number, last: number, valueAt: (at: number) => number): void {
    const from = Math.max(0, Math.floor((first - this.begin) / this.step))
    const to = Math.min(this.count - 1, Math.floor((last - this.begin) / this.step))
    for (let point = from; point <= to; point++) {
      if (this.isFull[point] === 0) this.addTo(point * SERIES, valueAt)
    }
  }

  private addTo(row: number, valueAt: (at: number) => number): void {
    const { sums, counts } = this
    for (let at = 0; at < SERIES; at++) {
      const value = valueAt(at)
      if (Number.isNaN(value)) continue
      const cell = row + at
      if (!isMax[at]) sums[cell]! += value
      else if (counts[cell] === 0 || value > sums[cell]!) sums[cell] = value
      counts[cell]! += 1
    }
  }

  /** Points that have something take nothing more. */
  close(): void {
    for (let point = 0; point < this.count; point++)
      this.isFull[point] = this.isEmpty(point) ? 0 : 1
  }

  isEmpty(point: number): boolean {
    return !this.counts.subarray(point * SERIES, (point + 1) * SERIES).some((count) => count > 0)
  }

  /** NaN for what is not known. */
  valueOf(point: number, at: number): number {
    const cell = point * SERIES + at
    const count = this.counts[cell]!
    if (count === 0) return Number.NaN
    return isMax[at] ? this.sums[cell]! : this.sums[cell]! / count
  }

  series(): KeptReading['series'] {
    const valuesOf = (at: number) =>
      Array.from({ length: this.count }, (_, point) => shown(this.valueOf(point, at)))
    const all = keptNames.map((name, at) => [name, valuesOf(at)])
    return Object.fromEntries(all) as KeptReading['series']
  }
}

const shown = (value: number): number | null =>
  Number.isFinite(value) ? Number(value.toPrecision(6)) : null

function readRecords(file: number, at: number, count: number): Buffer {
  const bytes = Buffer.alloc(count * RECORD_BYTES)
  if (count > 0) fs.readSync(file, bytes, 0, bytes.length, at)
  return bytes
}

function writeRecord(file: number, at: number, record: Buffer): void {
  record.writeUInt32LE(checksumOf(record), CHECKSUM_AT)
  fs.writeSync(file, record, 0, RECORD_BYTES, at)
}

const checksumOf = (bytes: Buffer, record = 0): number =>
  crc32(bytes.subarray(record, record + CHECKSUM_AT))
const EMPTY = Buffer.alloc(RECORD_BYTES)
/** Whether the record at a byte is as it was written, or empty. */
const isSound = (bytes: Buffer, record: number): boolean =>
  bytes.readUInt32LE(record + CHECKSUM_AT) === checksumOf(bytes, record) ||
  bytes.compare(EMPTY, 0, RECORD_BYTES, record, record + RECORD_BYTES) === 0

function markRecord({ timeMs, text }: Mark): Buffer {
  const record = Buffer.alloc(RECORD_BYTES)
  record.writeDoubleLE(timeMs, 0)
  record.writeUInt8(record.write(text, TEXT_AT, TEXT_BYTES_MAX, 'utf8'), TEXT_AT - 1)
  return record
}

const markOf = (record: Buffer): Mark => ({
  timeMs: record.readDoubleLE(0),
  text: record.toString('utf8', TEXT_AT, TEXT_AT + record.readUInt8(TEXT_AT - 1)),
})

function header(): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.write(MAGIC, 'latin1')
  bytes.writeUInt32LE(VERSION, 16)
  bytes.writeUInt32LE(crc32(JSON.stringify(keptSeries)), 20)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 24)), 24)
  return bytes
}

/** Takes its place on the disk at once, so that no later write needs more of it. A failure leaves nothing behind. */
function makeFile(path: string): void {
  const bytes = Buffer.alloc(FILE_BYTES)
  header().copy(bytes)
  const partial = `${path}.partial`
  try {
    fs.writeFileSync(partial, bytes, { mode: 0o600 })
    fs.renameSync(partial, path)
  } catch (error) {
    fs.rmSync(partial, { force: true })
    throw error
  }
}

/** Returns what is wrong with the file; '' for nothing. */
function faultOf(path: string): string {
  const { size } = fs.statSync(path)
  if (size !== FILE_BYTES) return `it has ${size} bytes, not ${FILE_BYTES}`
  const bytes = fs.readFileSync(path)
  if (!bytes.subarray(0, HEADER_BYTES).equals(header())) return 'its head is of another file'
  for (let at = HEADER_BYTES; at < FILE_BYTES; at += RECORD_BYTES) {
    if (!isSound(bytes, at)) return 'a checksum is wrong'
  }
  return ''
}
