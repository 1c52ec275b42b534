/**
 * Requests with many queries of matchers, as open orders: one is under way, and the others wait in a
 * queue. So their memory and their share of the reply rings are bounded per gateway, and none of them
 * takes the room of orders. An account's bulk queries are paced, so that it takes a share of the gateway's
 * time, not all. Used by one gateway's thread only.
 */
import type { BulkQuery } from '../../api/context.ts'
import type { ErrorId } from '../../api/errors.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'

/**
 * One at a time: the answers of several would be encoded in one tick, and delay orders by all of them
 * (`npm run siege -- --attacks order-status`).
 */
export const INQUIRIES_MAX = 1
/** Bulk queries that wait in the queue; a further one is refused (-1008). */
export const INQUIRIES_WAITING_MAX = 1024
/** Bulk queries of one account that wait in the queue; a further one is refused. */
export const ACCOUNT_WAITING_MAX = 512
/** Rows that one account's bulk queries may take in a second, on average: some 8 MB, encoded in 11 ms. */
export const ACCOUNT_ROWS_PER_SECOND = 16_384
/** What an account may take at once before it is paced, as time. */
const BURST_MS = 1_000
/** What a page costs beside its rows, as rows. */
const PAGE_ROWS = 16
/**
 * Rows that all bulk queries under way hold together; a bulk query that needs more is refused. Encoded they
 * are some 200 MB.
 */
export const INQUIRY_ROWS_MAX = 400_000

export class BulkQueries {
  private readonly counters: ThreadCounters
  private readonly rowsMax: number
  private readonly elapsedMs: () => number
  /** By account: when it may begin its next query, ms. */
  private readonly freeMs = new Map<number, number>()
  private waiting: BulkQuery[] = []
  private underWay = 0
  private rows = 0
  private isBeginning = false
  private isStopping = false

  /** `elapsedMs` is a monotonic clock. */
  constructor(counters: ThreadCounters, elapsedMs: () => number, rowsMax = INQUIRY_ROWS_MAX) {
    this.counters = counters
    this.elapsedMs = elapsedMs
    this.rowsMax = rowsMax
  }

  /** Bulk queries under way or waiting. */
  get count(): number {
    return this.underWay + this.waiting.length
  }

  add(bulkQuery: BulkQuery): void {
    if (!this.hasRoom(bulkQuery.account)) {
      this.counters.add(GatewayCounter.inquiriesFull, 1)
      bulkQuery.failed('SERVER_BUSY')
      return
    }
    this.waiting.push(bulkQuery)
    this.beginNext()
  }

  /** Call it several times a second: an account may have waited for long enough. */
  tick(): void {
    if (this.freeMs.size === 0) return
    const nowMs = this.elapsedMs()
    for (const [account, ms] of this.freeMs) if (ms <= nowMs) this.freeMs.delete(account)
    if (this.waiting.length > 0) this.beginNext()
  }

  /** A client has read something, or is gone: what waited for that may begin. */
  clientRead(): void {
    if (this.waiting.length > 0) this.beginNext()
  }

  /** The exchange stops: no bulk query waits for its client any more. */
  stop(): void {
    this.isStopping = true
    this.beginNext()
  }

  /** Fails the waiting ones. Those under way fail with their queries of matchers. */
  failWaiting(id: ErrorId): void {
    const failed = this.waiting
    this.waiting = []
    for (const bulkQuery of failed) bulkQuery.failed(id)
  }

  /** A bulk query that ends while it begins does not begin the next one inside its own call. */
  private beginNext(): void {
    if (this.isBeginning) return
    this.isBeginning = true
    while (this.underWay < INQUIRIES_MAX) {
      const next = this.waiting.findIndex(
        (bulkQuery) => this.isStopping || this.mayBegin(bulkQuery),
      )
      if (next < 0) break
      this.begin(this.waiting.splice(next, 1)[0]!)
    }
    this.isBeginning = false
  }

  private hasRoom(account: number): boolean {
    if (this.waiting.length === INQUIRIES_WAITING_MAX) return false
    if (this.waiting.length < ACCOUNT_WAITING_MAX) return true
    const own = this.waiting.filter((bulkQuery) => bulkQuery.account === account)
    return own.length < ACCOUNT_WAITING_MAX
  }

  private pace(account: number, rows: number): void {
    const fromMs = Math.max(this.freeMs.get(account) ?? 0, this.elapsedMs())
    this.freeMs.set(account, fromMs + (rows / ACCOUNT_ROWS_PER_SECOND) * 1000)
  }

  private mayBegin(bulkQuery: BulkQuery): boolean {
    const freeMs = this.freeMs.get(bulkQuery.account) ?? 0
    return freeMs <= this.elapsedMs() + BURST_MS && bulkQuery.isReading()
  }

  private begin(bulkQuery: BulkQuery): void {
    let held = 0
    let taken = 0
    this.underWay++
    bulkQuery.begin({
      hold: (rows) => {
        if (this.rows + rows > this.rowsMax) {
          this.counters.add(GatewayCounter.inquiriesFull, 1)
          return false
        }
        this.rows += rows
        held += rows
        taken += PAGE_ROWS + rows
        return true
      },
      end: () => {
        this.rows -= held
        this.pace(bulkQuery.account, taken)
        this.underWay--
        this.beginNext()
      },
    })
  }
}
