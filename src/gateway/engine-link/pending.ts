/**
 * Who waits for which answer of a matcher: correlation id → collector. Used by one gateway's thread
 * only. A place is used again under a new generation, so that an answer that comes too late finds
 * nobody. Bounded: when all places are taken, the answer is "busy".
 */
import type { Collector } from '../../api/context.ts'
import type { ErrorId } from '../../api/errors.ts'
import { RecordHeader } from '../../layout/accessors.gen.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import { recordFlags } from '../../layout/record-buffer.ts'
import { FLAG_LAST } from '../../layout/records.gen.ts'

const PLACE_BITS = 14
/** Commands that one gateway may have on the way. */
export const PENDING_MAX = 1 << PLACE_BITS
const GENERATIONS = 1 << (31 - PLACE_BITS)
/** After this long an answer is not waited for (-1007, supplement 2a.7). */
export const ANSWER_TIMEOUT_MS = 10_000

const QUERIES_MAX = 1_024
/** The part of a command ring that queries may fill. */
const QUERY_SHARE = 4

/** Queries that one gateway may have on the way, where its command rings have so many slots. */
export const queriesMax = (ringSlots: number): number =>
  Math.min(QUERIES_MAX, ringSlots / QUERY_SHARE)

export class Pending {
  readonly #collectors: (Collector | undefined)[] = new Array(PENDING_MAX).fill(undefined)
  readonly #generations = new Int32Array(PENDING_MAX)
  readonly #matchers = new Int32Array(PENDING_MAX)
  readonly #deadlinesMs = new Float64Array(PENDING_MAX)
  readonly #free = new Int32Array(PENDING_MAX)
  /** 1 for the place of a query. */
  readonly #isQuery = new Uint8Array(PENDING_MAX)
  #freeCount = PENDING_MAX
  #queries = 0

  constructor() {
    for (let i = 0; i < PENDING_MAX; i++) this.#free[i] = PENDING_MAX - 1 - i
  }

  get count(): number {
    return PENDING_MAX - this.#freeCount
  }

  /** How many of them are queries, which change nothing. */
  get queries(): number {
    return this.#queries
  }

  get isFull(): boolean {
    return this.#freeCount === 0
  }

  /**
   * The correlation id under which `collector` waits for the matcher from `passedMs` on, which is
   * monotonic. There must be room.
   */
  open(collector: Collector, matcher: number, passedMs: number, isQuery = false): number {
    const place = this.#free[--this.#freeCount]!
    this.#collectors[place] = collector
    this.#matchers[place] = matcher
    this.#isQuery[place] = isQuery ? 1 : 0
    if (isQuery) this.#queries++
    this.#deadlinesMs[place] = passedMs + ANSWER_TIMEOUT_MS
    return (this.#generations[place]! << PLACE_BITS) | place
  }

  /** Hands a record of this gateway to whoever waits for it. */
  deliver(buffer: RecordBuffer, at: number): void {
    const correlation = RecordHeader.correlation(buffer, at)
    const place = correlation & (PENDING_MAX - 1)
    const collector = this.#collectors[place]
    if (collector === undefined || correlation >>> PLACE_BITS !== this.#generations[place]) return
    collector.record(buffer, at)
    if ((recordFlags(buffer, at) & FLAG_LAST) === 0) return
    // The place first: what is done may ask again at once.
    this.#release(place)
    collector.done()
  }

  /** Fails those who have waited too long by the monotonic `passedMs`; returns how many. */
  expire(passedMs: number): number {
    return this.#fail('TIMEOUT', (place) => this.#deadlinesMs[place]! <= passedMs)
  }

  /** Fails all who wait for a matcher whose answers were lost. */
  failMatcher(matcher: number, id: ErrorId): void {
    this.#fail(id, (place) => this.#matchers[place] === matcher)
  }

  /** Fails all who wait. */
  failAll(id: ErrorId): void {
    this.#fail(id, () => true)
  }

  #fail(id: ErrorId, concerned: (place: number) => boolean): number {
    if (this.count === 0) return 0
    const failed: Collector[] = []
    for (let place = 0; place < PENDING_MAX; place++) {
      const collector = this.#collectors[place]
      if (collector === undefined || !concerned(place)) continue
      this.#release(place)
      failed.push(collector)
    }
    for (const collector of failed) collector.failed(id)
    return failed.length
  }

  #release(place: number): void {
    this.#collectors[place] = undefined
    this.#queries -= this.#isQuery[place]!
    this.#generations[place] = (this.#generations[place]! + 1) % GENERATIONS
    this.#free[this.#freeCount++] = place
  }
}
