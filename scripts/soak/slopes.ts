/** Lines through samples by least squares, and the bounds that their slopes are held to. */
import type { Minute, Sample, SoakLog } from './samples.ts'

const MIB = 1024 * 1024
const SECONDS_PER_HOUR = 3600
/** The part of a run that is not judged, and the longest that it is. */
const WARM_UP_SHARE = 0.25
const WARM_UP_SECONDS_MAX = 1800

/** What is measured, and how fast it may grow. */
interface Row {
  readonly name: string
  readonly unit: 'bytes' | 'handles' | 'threads' | 'ms'
  /** Undefined in a sample that does not have it. */
  readonly of: (sample: Sample) => number | undefined
  /**
   * Most growth: in an hour, or for each byte of events that was journaled meanwhile. Or the largest value
   * that any sample may have.
   */
  readonly bound:
    | { readonly perHour: number }
    | { readonly perEventByte: number }
    | { readonly most: number }
  /** A growth in all that is within the noise. */
  readonly noise: number
}

export interface Slope {
  readonly name: string
  readonly unit: string
  readonly perHour: number
  /** Only of what may grow with the journal. */
  readonly perEventByte?: number
  /** Only of what has a largest value. */
  readonly most?: number
  readonly bound: number
  readonly isBroken: boolean
}

const folder = (name: string, isOf: (folder: string) => boolean, perEventByte: number): Row => ({
  name,
  unit: 'bytes',
  of: ({ folders }) => {
    const rows = Object.entries(folders).filter(([key]) => isOf(key))
    return rows.length === 0 ? undefined : rows.reduce((sum, [, bytes]) => sum + bytes, 0)
  },
  bound: { perEventByte },
  noise: 32 * MIB,
})

const steady = (name: string, mibPerHour: number, noiseMib: number, of: Row['of']): Row => ({
  name,
  unit: 'bytes',
  of,
  bound: { perHour: mibPerHour * MIB },
  noise: noiseMib * MIB,
})

const sumOf = (sample: Sample, family: RegExp): number | undefined => {
  const values = Object.entries(sample.gauges).filter(([name]) => family.test(name))
  return values.length === 0 ? undefined : values.reduce((sum, [, value]) => sum + value, 0)
}

const READER_AGE = /^ringbook_store_reader_age_ms/

export const rows: readonly Row[] = [
  // Bounded caches fill for hours: the indexer's rows by 11 MiB an hour at 20 requests a second, up to 32.
  steady('anonymous memory', 16, 64, ({ memory }) => memory.anonymous),
  steady('heaps of gateways', 8, 32, (sample) => sumOf(sample, /^ringbook_gateway_heap_bytes/)),
  steady('bytes unread', 1, 16, (sample) => sumOf(sample, /^ringbook_gateway_unread_bytes/)),
  {
    name: 'mapped databases',
    unit: 'bytes',
    of: ({ memory }) => memory.mappedDatabases,
    bound: { perEventByte: 16 },
    noise: 512 * MIB,
  },
  {
    name: 'open files',
    unit: 'handles',
    of: ({ handles }) => handles.files,
    bound: { perHour: 2 },
    noise: 8,
  },
  {
    name: 'open sockets',
    unit: 'handles',
    of: ({ handles }) => handles.sockets,
    bound: { perHour: 4 },
    noise: 24,
  },
  {
    name: 'threads',
    unit: 'threads',
    of: ({ handles }) => handles.threads,
    bound: { perHour: 1 },
    noise: 4,
  },
  folder('journals', (name) => name.startsWith('journal-'), 2),
  folder('archive', (name) => name === 'archive', 1.5),
  steady('control journal', 1, 4, ({ folders }) => folders.control),
  steady('snapshots', 4, 16, ({ folders }) => folders.snapshots ?? 0),
  steady('log', 2, 4, ({ folders }) => folders.log),
  {
    name: 'age of the oldest reader of a store',
    unit: 'ms',
    of: ({ gauges }) => {
      const ages = Object.entries(gauges).filter(([name]) => READER_AGE.test(name))
      return ages.length === 0 ? undefined : Math.max(...ages.map(([, ms]) => ms))
    },
    bound: { most: 30_000 },
    noise: 0,
  },
]

/** Slope of the least-squares line; 0 where all x are the same. */
export function leastSquares(points: readonly (readonly [x: number, y: number])[]): number {
  const count = points.length
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count
  let over = 0
  let under = 0
  for (const [x, y] of points) {
    over += (x - meanX) * (y - meanY)
    under += (x - meanX) ** 2
  }
  return under === 0 ? 0 : over / under
}

/** Seconds from the beginning that are not judged. */
export function warmUpSeconds({ samples }: SoakLog): number {
  return Math.min(WARM_UP_SECONDS_MAX, WARM_UP_SHARE * (samples.at(-1)?.atSeconds ?? 0))
}

/** One slope for each row that the samples have, and those of the orders' latencies. */
export function slopesOf(log: SoakLog): readonly Slope[] {
  const from = warmUpSeconds(log)
  const samples = log.samples.filter(({ atSeconds }) => atSeconds >= from)
  const found = rows.flatMap((row) => slopeOf(row, samples))
  const minutes = log.minutes.filter(({ atSeconds }) => atSeconds >= from)
  return [...found, ...latencySlopes(minutes)]
}

function slopeOf({ name, unit, of, bound, noise }: Row, samples: readonly Sample[]): Slope[] {
  const known = samples.flatMap((sample) => {
    const value = of(sample)
    return value === undefined ? [] : [[sample, value] as const]
  })
  if (known.length < 2) return []
  const perSecond = leastSquares(known.map(([sample, value]) => [sample.atSeconds, value]))
  const seconds = known.at(-1)![0].atSeconds - known[0]![0].atSeconds
  const isNoise = perSecond * seconds <= noise
  const perHour = perSecond * SECONDS_PER_HOUR
  if ('most' in bound) {
    const most = Math.max(...known.map(([, value]) => value))
    return [{ name, unit, perHour, most, bound: bound.most, isBroken: most > bound.most }]
  }
  if ('perHour' in bound) {
    const isBroken = !isNoise && perHour > bound.perHour
    return [{ name, unit, perHour, bound: bound.perHour, isBroken }]
  }
  const perEventByte = leastSquares(known.map(([sample, value]) => [sample.eventBytes, value]))
  const isBroken = !isNoise && perEventByte > bound.perEventByte
  return [{ name, unit, perHour, perEventByte, bound: bound.perEventByte, isBroken }]
}

/** Bounds of the median in ms, and of the p99 in times a timer's: other programs on the machine are in both. */
const P50_MS_PER_HOUR = 1
const P50_NOISE_MS = 3
const P99_TIMES_PER_HOUR = 1
const P99_NOISE_TIMES = 3
/** Below this a timer's lateness is its resolution. */
const LATE_MS_MIN = 1

function latencySlopes(minutes: SoakLog['minutes']): Slope[] {
  const slope = (
    name: string,
    unit: string,
    of: (minute: Minute) => number | undefined,
    bound: number,
    noise: number,
  ): Slope[] => {
    const points = minutes.flatMap((minute) => {
      const value = of(minute)
      return value === undefined ? [] : [[minute.atSeconds, value] as const]
    })
    if (points.length < 2) return []
    const perSecond = leastSquares(points)
    const perHour = perSecond * SECONDS_PER_HOUR
    const rise = perSecond * (points.at(-1)![0] - points[0]![0])
    return [{ name, unit, perHour, bound, isBroken: perHour > bound && rise > noise }]
  }
  const times = ({ p99Ms, lateP99Ms }: Minute) =>
    lateP99Ms === undefined ? undefined : p99Ms / Math.max(LATE_MS_MIN, lateP99Ms)
  return [
    ...slope('p50 of orders', 'ms', ({ p50Ms }) => p50Ms, P50_MS_PER_HOUR, P50_NOISE_MS),
    ...slope('p99 of orders over timers', 'times', times, P99_TIMES_PER_HOUR, P99_NOISE_TIMES),
  ]
}
