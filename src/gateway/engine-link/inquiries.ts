/**
 * Requests with many queries of matchers, as open orders: one is under way, and the others wait in a
 * queue. So their memory and their share of the reply rings are bounded per gateway, and none of them
 * takes the room of orders. An account's inquiries are paced, so that it takes a share of the gateway's
 * time, not all. Used by one gateway's thread only.
 */
import type { Inquiry } from '../../api/context.ts'
import type { ErrorId } from '../../api/errors.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'

/**
 * One at a time: the answers of several would be encoded in one tick, and delay orders by all of them
 * (`npm run siege -- --attacks order-status`).
 */
export const INQUIRIES_MAX = 1
/** Inquiries that wait in the queue; a further one is refused (-1008). */
export const INQUIRIES_WAITING_MAX = 1024
/** Of these, inquiries of one account. */
export const ACCOUNT_WAITING_MAX = 512
/** Rows that one account's inquiries may take in a second, on average: some 8 MB, encoded in 11 ms. */
export const ACCOUNT_ROWS_PER_SECOND = 16_384
/** What an account may take at once before it is paced, as time. */
const BURST_MS = 1_000
/** What a page costs beside its rows, as rows. */
const PAGE_ROWS = 16
/**
 * Rows that all inquiries under way hold together; an inquiry that needs more is refused. Encoded they
 * are some 200 MB.
 */
export const INQUIRY_ROWS_MAX = 400_000

export class Inquiries {
  private readonly counters: ThreadCounters
  private readonly rowsMax: number
  private readonly elapsedMs: () => number
  /** By account: when it may begin its next query, ms. */
  private readonly freeMs = new Map<number, number>()
  private waiting: Inquiry[] = []
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

  /** Inquiries under way or waiting. */
  get count(): number {
    return this.underWay + this.waiting.length
  }

  add(inquiry: Inquiry): void {
    if (!this.hasRoom(inquiry.account)) {
      this.counters.add(GatewayCounter.inquiriesFull, 1)
      inquiry.failed('SERVER_BUSY')
      return
    }
    this.waiting.push(inquiry)
    this.beginNext()
  }

  /** To be called several times a second: an account may have waited for long enough. */
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

  /** The exchange stops: no inquiry waits for its client any more. */
  stop(): void {
    this.isStopping = true
    this.beginNext()
  }

  /** Fails the waiting ones. Those under way fail with their queries of matchers. */
  failWaiting(id: ErrorId): void {
    const failed = this.waiting
    this.waiting = []
    for (const inquiry of failed) inquiry.failed(id)
  }

  /** An inquiry that ends while it begins does not begin the next one inside its own call. */
  private beginNext(): void {
    if (this.isBeginning) return
    this.isBeginning = true
    while (this.underWay < INQUIRIES_MAX) {
      const next = this.waiting.findIndex((inquiry) => this.isStopping || this.mayBegin(inquiry))
      if (next < 0) break
      this.begin(this.waiting.splice(next, 1)[0]!)
    }
    this.isBeginning = false
  }

  private hasRoom(account: number): boolean {
    if (this.waiting.length === INQUIRIES_WAITING_MAX) return false
    if (this.waiting.length < ACCOUNT_WAITING_MAX) return true
    const own = this.waiting.filter((inquiry) => inquiry.account === account)
    return own.length < ACCOUNT_WAITING_MAX
  }

  private pace(account: number, rows: number): void {
    const fromMs = Math.max(this.freeMs.get(account) ?? 0, this.elapsedMs())
    this.freeMs.set(account, fromMs + (rows / ACCOUNT_ROWS_PER_SECOND) * 1000)
  }

  private mayBegin(inquiry: Inquiry): boolean {
    const freeMs = this.freeMs.get(inquiry.account) ?? 0
    return freeMs <= this.elapsedMs() + BURST_MS && inquiry.isReading()
  }

  private begin(inquiry: Inquiry): void {
    let held = 0
    let taken = 0
    this.underWay++
    inquiry.begin({
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
        this.pace(inquiry.account, taken)
        this.underWay--
        this.beginNext()
      },
    })
  }
}
