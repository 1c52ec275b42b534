/**
 * Requests that wait for a matcher: correlation id → collector. Used by one gateway's thread only. A
 * place is used again under a new generation, so that a late reply finds no collector, and only after all
 * other free places: an id comes back after 2^32 requests where all places are free, and after 2^18 where one
 * is. Bounded: when all places are taken, a request is refused as busy.
 */
import type { Collector } from '../../api/context.ts'
import type { ErrorId } from '../../api/errors.ts'
import { RecordHeader } from '../../layout/accessors.gen.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import { recordFlags } from '../../layout/record-buffer.ts'
import { FLAG_LAST } from '../../layout/records.gen.ts'

const PLACE_BITS = 14
/** Commands that one gateway may have under way. */
export const PENDING_MAX = 1 << PLACE_BITS
const INDEX_MASK = PENDING_MAX - 1
/** Bits of a generation. An id uses all 32 bits, and may be negative. */
const GENERATION_MASK = (1 << (32 - PLACE_BITS)) - 1
/** The longest wait for a reply (-1007, errors.md). */
export const ANSWER_TIMEOUT_MS = 10_000

const QUERIES_MAX = 1_024
/** The share of a command ring that queries may fill: one in this many slots. */
const QUERY_SHARE = 4

/** Returns the queries that one gateway may have under way, by the slots of its command rings. */
export const queriesMax = (ringSlots: number): number =>
  Math.min(QUERIES_MAX, ringSlots / QUERY_SHARE)

export class Pending {
  private readonly collectors: (Collector | undefined)[] = new Array(PENDING_MAX).fill(undefined)
  private readonly generations = new Int32Array(PENDING_MAX)
  private readonly matchers = new Int32Array(PENDING_MAX)
  private readonly deadlinesMs = new Float64Array(PENDING_MAX)
  /** The queue of free indexes, which begins at firstFree. */
  private readonly free = Int32Array.from({ length: PENDING_MAX }, (_, index) => index)
  /** 1 where a query waits. */
  private readonly isQuery = new Uint8Array(PENDING_MAX)
  private firstFree = 0
  private freeCount = PENDING_MAX
  private _queries = 0

  get count(): number {
    return PENDING_MAX - this.freeCount
  }

  /** The number of queries among them, which change nothing. */
  get queries(): number {
    return this._queries
  }

  get isFull(): boolean {
    return this.freeCount === 0
  }

  /**
   * Returns the correlation id under which `collector` waits for the matcher from the monotonic
   * `passedMs` on. There must be room.
   */
  open(collector: Collector, matcher: number, passedMs: number, isQuery = false): number {
    const index = this.free[this.firstFree]!
    this.firstFree = (this.firstFree + 1) & INDEX_MASK
    this.freeCount--
    this.collectors[index] = collector
    this.matchers[index] = matcher
    this.isQuery[index] = isQuery ? 1 : 0
    if (isQuery) this._queries++
    this.deadlinesMs[index] = passedMs + ANSWER_TIMEOUT_MS
    return (this.generations[index]! << PLACE_BITS) | index
  }

  /** Passes a record of this gateway to its collector. */
  deliver(buffer: RecordBuffer, at: number): void {
    const correlation = RecordHeader.correlation(buffer, at)
    const index = correlation & INDEX_MASK
    const collector = this.collectors[index]
    if (collector === undefined || correlation >>> PLACE_BITS !== this.generations[index]) return
    collector.record(buffer, at)
    if ((recordFlags(buffer, at) & FLAG_LAST) === 0) return
    // The place first: a finished collector may send a new command at once.
    this.release(index)
    collector.done()
  }

  /** Fails requests that have waited too long by the monotonic `passedMs`. Returns their number. */
  expire(passedMs: number): number {
    return this.fail('TIMEOUT', (index) => this.deadlinesMs[index]! <= passedMs)
  }

  /** Fails all requests that wait for a matcher whose records were lost. */
  failMatcher(matcher: number, id: ErrorId): void {
    this.fail(id, (index) => this.matchers[index] === matcher)
  }

  /** Fails all waiting requests. */
  failAll(id: ErrorId): void {
    this.fail(id, () => true)
  }

  private fail(id: ErrorId, concerned: (index: number) => boolean): number {
    if (this.count === 0) return 0
    const failed: Collector[] = []
    for (let index = 0; index < PENDING_MAX; index++) {
      const collector = this.collectors[index]
      if (collector === undefined || !concerned(index)) continue
      this.release(index)
      failed.push(collector)
    }
    for (const collector of failed) collector.failed(id)
    return failed.length
  }

  private release(index: number): void {
    this.collectors[index] = undefined
    this._queries -= this.isQuery[index]!
    this.generations[index] = (this.generations[index]! + 1) & GENERATION_MASK
    this.free[(this.firstFree + this.freeCount++) & INDEX_MASK] = index
  }
}
