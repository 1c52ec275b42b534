/**
 * What was measured, in histograms of microseconds. Response time counts from the moment at which a request was
 * due: for the whole load, for each action and for each interval of time. Service time counts from the moment at
 * which a connection took it. Between them the generator is late, or waits for a free connection. And how requests
 * were answered.
 */
import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
} from 'hdr-histogram-js'

const MICROSECONDS_MAX = 600_000_000
/** Significant digits of the whole load's histogram, and of those of the hundreds of intervals. */
const DIGITS = 3
const INTERVAL_DIGITS = 2
const INTERVALS_WANTED = 300

const histogram = (digits: 2 | 3): Histogram =>
  build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: MICROSECONDS_MAX,
    numberOfSignificantValueDigits: digits,
    bitBucketSize: 32,
    autoResize: false,
    useWebAssembly: false,
  })

/** Microseconds; all 0 when nothing was recorded. */
export interface Latency {
  readonly count: number
  readonly mean: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly p999: number
  readonly p9999: number
  readonly max: number
}
export interface PercentilePoint {
  readonly percentile: number
  readonly microseconds: number
}
/** A piece of time; requests are those that were due in it. */
export interface Interval {
  readonly atSeconds: number
  readonly seconds: number
  /** Requests sent, and arrivals for which nothing was. */
  readonly due: number
  readonly withheld: number
  readonly answered: number
  readonly refused: number
  readonly limited: number
  readonly failed: number
  readonly latency: Latency
}
export interface ActionMeasure {
  readonly action: string
  readonly latency: Latency
  /** How often each outcome was met: `200`, `400 -2010`, `timeout`, …. */
  readonly outcomes: Readonly<Record<string, number>>
}

/** How a request went. LIMITED: refused by a rate limit. FAILED: never answered, or by 5xx. */
export type OutcomeKind = 'answered' | 'refused' | 'limited' | 'failed'

/** All of a measure, as it can be sent to another thread; histograms are in their own coding. */
export interface MeasureState {
  readonly pieceMs: number
  readonly due: number
  readonly done: number
  readonly withheld: number
  readonly all: string
  readonly service: string
  readonly lateness: string
  readonly queued: string
  readonly actions: readonly {
    readonly action: string
    readonly latencies: string
    readonly outcomes: readonly (readonly [outcome: string, count: number])[]
  }[]
  readonly pieces: readonly {
    readonly due: number
    readonly withheld: number
    readonly kinds: Readonly<Record<OutcomeKind, number>>
    readonly latencies: string
  }[]
}

/** When the generator came to a request, and when a connection took it, ms after the start. */
export interface Way {
  readonly begunMs: number
  readonly sentMs: number
}

class Piece {
  due = 0
  withheld = 0
  readonly kinds: Record<OutcomeKind, number> = { answered: 0, refused: 0, limited: 0, failed: 0 }
  readonly latencies = histogram(INTERVAL_DIGITS)
}

class Action {
  readonly latencies = histogram(DIGITS)
  readonly outcomes = new Map<string, number>()
}

export class Measure {
  private readonly all = histogram(DIGITS)
  private readonly actionsByName = new Map<string, Action>()
  private readonly pieces: Piece[] = []
  private pieceMs: number
  /** How late the generator itself was in sending. */
  private readonly latenessHistogram = histogram(DIGITS)
  private readonly queuedHistogram = histogram(DIGITS)
  private readonly serviceHistogram = histogram(DIGITS)
  private withheldTotal = 0
  private due = 0
  private doneCount = 0

  constructor(durationMs: number) {
    this.pieceMs = 1000 * Math.max(1, Math.ceil(durationMs / 1000 / INTERVALS_WANTED))
  }

  /** Several measures of the same duration in one; at least one. */
  static of(states: readonly MeasureState[]): Measure {
    const measure = new Measure(0)
    measure.pieceMs = states[0]!.pieceMs
    for (const state of states) measure.add(state)
    return measure
  }

  /** Requests that were sent and have not come to an end. */
  get inFlight(): number {
    return this.due - this.doneCount
  }

  /** A request is begun now that was due at this moment; both are ms after the start. */
  sent(dueMs: number, nowMs: number): void {
    this.due++
    this.piece(dueMs).due++
    this.latenessHistogram.recordValue(microseconds(nowMs - dueMs))
  }

  /** An arrival for which nothing was sent: the target demanded a pause, or is too far behind. */
  withheld(dueMs: number): void {
    this.withheldTotal++
    this.piece(dueMs).withheld++
  }

  /** A request is answered, or given up. It was begun and sent when it was due, unless `way` differs. */
  done(
    action: string,
    outcome: string,
    kind: OutcomeKind,
    dueMs: number,
    nowMs: number,
    { begunMs, sentMs }: Way = { begunMs: dueMs, sentMs: dueMs },
  ): void {
    this.doneCount++
    this.queuedHistogram.recordValue(microseconds(sentMs - begunMs))
    this.serviceHistogram.recordValue(microseconds(nowMs - sentMs))
    const latency = microseconds(nowMs - dueMs)
    this.all.recordValue(latency)
    const piece = this.piece(dueMs)
    piece.kinds[kind]++
    piece.latencies.recordValue(latency)
    const found = this.action(action)
    found.latencies.recordValue(latency)
    found.outcomes.set(outcome, (found.outcomes.get(outcome) ?? 0) + 1)
  }

  /** What is shown while the load runs. */
  shown() {
    const { answered, refused, limited, failed } = this.counts()
    const { p50, p99 } = this.recent()
    return { answered, waiting: this.inFlight, p50, p99, errors: refused + limited + failed }
  }

  state(): MeasureState {
    return {
      pieceMs: this.pieceMs,
      due: this.due,
      done: this.doneCount,
      withheld: this.withheldTotal,
      all: encoded(this.all),
      service: encoded(this.serviceHistogram),
      lateness: encoded(this.latenessHistogram),
      queued: encoded(this.queuedHistogram),
      actions: [...this.actionsByName].map(([action, { latencies, outcomes }]) => ({
        action,
        latencies: encoded(latencies),
        outcomes: [...outcomes],
      })),
      pieces: this.pieces.map(({ due, withheld, kinds, latencies }) => ({
        due,
        withheld,
        kinds: { ...kinds },
        latencies: encoded(latencies),
      })),
    }
  }

  private add(state: MeasureState): void {
    this.due += state.due
    this.doneCount += state.done
    this.withheldTotal += state.withheld
    this.all.add(decoded(state.all))
    this.serviceHistogram.add(decoded(state.service))
    this.latenessHistogram.add(decoded(state.lateness))
    this.queuedHistogram.add(decoded(state.queued))
    for (const { action, latencies, outcomes } of state.actions) {
      const own = this.action(action)
      own.latencies.add(decoded(latencies))
      for (const [outcome, count] of outcomes) {
        own.outcomes.set(outcome, (own.outcomes.get(outcome) ?? 0) + count)
      }
    }
    for (const [index, { due, withheld, kinds, latencies }] of state.pieces.entries()) {
      const piece = this.piece(index * this.pieceMs)
      piece.due += due
      piece.withheld += withheld
      for (const kind of Object.keys(kinds) as OutcomeKind[]) piece.kinds[kind] += kinds[kind]
      piece.latencies.add(decoded(latencies))
    }
  }

  total(): Latency {
    return latencyOf(this.all)
  }

  /** From when a connection took a request to its whole answer. */
  service(): Latency {
    return latencyOf(this.serviceHistogram)
  }

  /** By how much requests were begun after they were due: the generator's own time. */
  lateness(): Latency {
    return latencyOf(this.latenessHistogram)
  }

  /** How long requests that were begun waited for a free connection: all were waiting for answers. */
  queued(): Latency {
    return latencyOf(this.queuedHistogram)
  }

  get withheldCount(): number {
    return this.withheldTotal
  }

  counts(): Readonly<Record<OutcomeKind | 'due', number>> {
    const sum = { due: this.due, answered: 0, refused: 0, limited: 0, failed: 0 }
    for (const { kinds } of this.pieces) {
      for (const kind of Object.keys(kinds) as OutcomeKind[]) sum[kind] += kinds[kind]
    }
    return sum
  }

  actions(): readonly ActionMeasure[] {
    return [...this.actionsByName].map(([action, { latencies, outcomes }]) => ({
      action,
      latency: latencyOf(latencies),
      outcomes: Object.fromEntries([...outcomes].sort(([, a], [, b]) => b - a)),
    }))
  }

  intervals(): readonly Interval[] {
    return this.pieces.map(({ due, withheld, kinds, latencies }, index) => ({
      atSeconds: (index * this.pieceMs) / 1000,
      seconds: this.pieceMs / 1000,
      due,
      withheld,
      ...kinds,
      latency: latencyOf(latencies),
    }))
  }

  /** The last interval from which an answer came, without the one that has just begun. */
  recent(): Latency {
    const ended = this.pieces.slice(0, -1).findLast(({ latencies }) => latencies.totalCount > 0)
    return latencyOf(ended?.latencies ?? this.all)
  }

  /** The curve of all latencies, denser towards the slowest. */
  percentiles(): readonly PercentilePoint[] {
    return curveOf(this.all)
  }

  private action(name: string): Action {
    const found = this.actionsByName.get(name) ?? new Action()
    this.actionsByName.set(name, found)
    return found
  }

  private piece(dueMs: number): Piece {
    const index = Math.floor(dueMs / this.pieceMs)
    while (this.pieces.length <= index) this.pieces.push(new Piece())
    return this.pieces[index]!
  }
}

const encoded = (of: Histogram): string => encodeIntoCompressedBase64(of)
const decoded = (text: string): Histogram => decodeFromCompressedBase64(text, 32, false)

const microseconds = (ms: number): number =>
  Math.min(MICROSECONDS_MAX, Math.max(0, Math.round(ms * 1000)))

function latencyOf(of: Histogram): Latency {
  const at = (percentile: number) => (of.totalCount === 0 ? 0 : valueAt(of, percentile))
  return {
    count: of.totalCount,
    mean: of.totalCount === 0 ? 0 : Math.round(of.mean),
    p50: at(50),
    p90: at(90),
    p99: at(99),
    p999: at(99.9),
    p9999: at(99.99),
    max: of.totalCount === 0 ? 0 : of.maxValue,
  }
}

/** A histogram returns the upper end of a value's bucket, which may be above the largest value. */
const valueAt = (of: Histogram, percentile: number): number =>
  Math.min(of.maxValue, of.getValueAtPercentile(percentile))

/** Ten points for each further nine, as far as there are enough values to tell. */
function curveOf(of: Histogram): readonly PercentilePoint[] {
  if (of.totalCount === 0) return []
  const points: PercentilePoint[] = []
  const add = (percentile: number) =>
    points.push({ percentile, microseconds: valueAt(of, percentile) })
  for (let nines = 0; 10 ** nines <= of.totalCount; nines++) {
    for (let tenth = 0; tenth < 10; tenth++) add(100 * (1 - 10 ** -(nines + tenth / 10)))
  }
  points.push({ percentile: 100, microseconds: of.maxValue })
  return points
}
