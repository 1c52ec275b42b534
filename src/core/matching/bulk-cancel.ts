/**
 * Cancels all open orders of an account, or those of one of its sessions, in pieces: where the batch is
 * full the rest waits for the next one. Each piece cancels whole orders and whole lists. The engine
 * executes no other command meanwhile. A crash between two pieces forgets the rest, which was not
 * answered.
 */
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import { RejectReason, sessionOf } from '../../base/codes.ts'
import { AccountId } from '../../base/units.ts'
import type { OrderBook } from '../book/order-book.ts'
import { ADMITTED, type Verdict } from './decision.ts'
import type { EventWriter } from './event-writer.ts'
import type { OpenOrders } from './open-orders.ts'
import type { OrderCloser } from './order-closer.ts'

/** For `begin`: orders of all sessions, and of none. */
export const ANY_SESSION = -1

export class BulkCancel {
  private readonly terms: Int32Array
  private readonly open: OpenOrders
  private readonly closer: OrderCloser
  private readonly events: EventWriter
  private readonly clientOrderId = new Int32Array(CLIENT_ORDER_ID_WORDS)
  private _account = AccountId(0)
  private session = ANY_SESSION
  /** The order that is canceled next; 0 when all are. */
  private slot = 0

  constructor(book: OrderBook, open: OpenOrders, closer: OrderCloser, events: EventWriter) {
    this.terms = book.terms
    this.open = open
    this.closer = closer
    this.events = events
  }

  /** Whether orders are left for the next batch. */
  get isUnfinished(): boolean {
    return this.slot !== 0
  }

  get account(): AccountId {
    return this._account
  }

  /** Cancels the first piece, under the id at idWords[idAt]. Refuses when there is no such order. */
  begin(account: AccountId, session: number, idWords: Int32Array, idAt: number): Verdict {
    this._account = account
    this.session = session
    this.clientOrderId.set(idWords.subarray(idAt, idAt + CLIENT_ORDER_ID_WORDS))
    this.open.collect(account)
    this.slot = this.next()
    if (this.slot === 0) return RejectReason.UNKNOWN_ORDER
    this.cancelPiece()
    return ADMITTED
  }

  /** Cancels the next piece. */
  goOn(): void {
    this.cancelPiece()
  }

  /** Begins with the order that was found last; looks for the next one before it stops. */
  private cancelPiece(): void {
    do {
      this.closer.cancel(this.slot, this.clientOrderId, 0)
      this.slot = this.next()
    } while (this.isUnfinished && !this.events.isBatchFull)
  }

  private next(): number {
    const open = this.open
    for (let slot = open.next(this._account); slot !== 0; slot = open.next(this._account)) {
      const session = sessionOf(this.terms[slot]!)
      if (this.session === ANY_SESSION || session === this.session) return slot
    }
    return 0
  }
}
