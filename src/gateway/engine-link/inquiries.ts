/**
 * Requests with many queries of matchers, as open orders: one is under way, and the others wait in a
 * queue. So their memory and their share of the reply rings are bounded per gateway, and none of them
 * takes the room of orders. Used by one gateway's thread only.
 */
import type { Inquiry } from '../../api/context.ts'
import type { ErrorId } from '../../api/errors.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'

/**
 * One at a time: the pages of several would be rendered in one tick, and delay orders by all of them
 * (`npm run siege -- --attacks order-status`).
 */
export const INQUIRIES_MAX = 1
/** Inquiries that wait in the queue; a further one is refused (-1008). */
export const INQUIRIES_WAITING_MAX = 1024
/**
 * Rows that all inquiries under way hold together; an inquiry that needs more is refused. As text they
 * are some hundred MB, and a string has room for them.
 */
export const INQUIRY_ROWS_MAX = 400_000

export class Inquiries {
  readonly #counters: ThreadCounters
  readonly #rowsMax: number
  #waiting: Inquiry[] = []
  #underWay = 0
  #rows = 0
  #isBeginning = false
  #isStopping = false

  constructor(counters: ThreadCounters, rowsMax = INQUIRY_ROWS_MAX) {
    this.#counters = counters
    this.#rowsMax = rowsMax
  }

  /** Inquiries under way or waiting. */
  get count(): number {
    return this.#underWay + this.#waiting.length
  }

  add(inquiry: Inquiry): void {
    if (this.#waiting.length === INQUIRIES_WAITING_MAX) {
      this.#counters.add(GatewayCounter.inquiriesFull, 1)
      inquiry.failed('SERVER_BUSY')
      return
    }
    this.#waiting.push(inquiry)
    this.#beginNext()
  }

  /** A client has read something, or is gone: what waited for that may begin. */
  clientRead(): void {
    if (this.#waiting.length > 0) this.#beginNext()
  }

  /** The exchange stops: no inquiry waits for its client any more. */
  stop(): void {
    this.#isStopping = true
    this.#beginNext()
  }

  /** Fails the waiting ones. Those under way fail with their queries of matchers. */
  failWaiting(id: ErrorId): void {
    const failed = this.#waiting
    this.#waiting = []
    for (const inquiry of failed) inquiry.failed(id)
  }

  /** An inquiry that ends while it begins does not begin the next one inside its own call. */
  #beginNext(): void {
    if (this.#isBeginning) return
    this.#isBeginning = true
    while (this.#underWay < INQUIRIES_MAX) {
      const next = this.#waiting.findIndex((inquiry) => this.#isStopping || inquiry.isReading())
      if (next < 0) break
      this.#begin(this.#waiting.splice(next, 1)[0]!)
    }
    this.#isBeginning = false
  }

  #begin(inquiry: Inquiry): void {
    let held = 0
    this.#underWay++
    inquiry.begin({
      hold: (rows) => {
        if (this.#rows + rows > this.#rowsMax) {
          this.#counters.add(GatewayCounter.inquiriesFull, 1)
          return false
        }
        this.#rows += rows
        held += rows
        return true
      },
      end: () => {
        this.#rows -= held
        this.#underWay--
        this.#beginNext()
      },
    })
  }
}
