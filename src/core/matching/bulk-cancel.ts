/**
 * Cancels all open orders of an account, or those of one of its sessions, in pieces: where the batch is
 * full the rest waits for the next one. Each piece cancels whole orders and whole lists. The engine
 * executes no other command meanwhile. A crash between two pieces forgets the rest, which was not
 * answered.
 */
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import { RejectReason, sessionOf } from '../../base/codes.ts'
import { ADMITTED, type Verdict } from './counting-filters.ts'
import type { Endings } from './endings.ts'
import type { EventWriter } from './event-writer.ts'
import type { OpenOrders } from './open-orders.ts'

/** For `begin`: orders of all sessions, and of none. */
export const ANY_SESSION = -1

export class BulkCancel {
  /** Whether orders are left for the next batch. */
  isUnfinished = false
  readonly #open: OpenOrders
  readonly #endings: Endings
  readonly #events: EventWriter
  readonly #clientOrderId = new Int32Array(CLIENT_ORDER_ID_WORDS)
  #account = 0
  #session = ANY_SESSION

  constructor(open: OpenOrders, endings: Endings, events: EventWriter) {
    this.#open = open
    this.#endings = endings
    this.#events = events
  }

  /** Cancels the first piece, under the id at idWords[idAt]. Refuses when there is no such order. */
  begin(account: number, session: number, idWords: Int32Array, idAt: number): Verdict {
    this.#account = account
    this.#session = session
    this.#clientOrderId.set(idWords.subarray(idAt, idAt + CLIENT_ORDER_ID_WORDS))
    this.#open.collect(account)
    if (!this.#next()) return RejectReason.UNKNOWN_ORDER
    this.#cancelPiece()
    return ADMITTED
  }

  /** Cancels the next piece. */
  goOn(): void {
    this.#cancelPiece()
  }

  /** Begins with the order that was found last; looks for the next one before it stops. */
  #cancelPiece(): void {
    const open = this.#open
    do {
      this.#endings.cancel(open.slot, open.row, this.#clientOrderId, 0)
      this.isUnfinished = this.#next()
    } while (this.isUnfinished && !this.#events.isBatchFull)
  }

  #next(): boolean {
    const open = this.#open
    while (open.next(this.#account)) {
      if (this.#session === ANY_SESSION || sessionOf(open.terms) === this.#session) return true
    }
    return false
  }
}
