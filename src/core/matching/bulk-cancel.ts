/**
 * Cancels all open orders of an account, or those that a command selects, in pieces: where the batch is
 * full the rest waits for the next one. Each piece cancels whole orders and whole lists. The engine
 * executes no other command meanwhile. A crash between two pieces forgets the rest, which was not
 * answered.
 */
import { beginsClientOrderId, CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import { RejectReason } from '../../base/codes.ts'
import { AccountId } from '../../base/units.ts'
import { CancelOrdersWhere } from '../../layout/accessors.gen.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import type { OrderBook } from '../book/order-book.ts'
import { ADMITTED, type Verdict } from './decision.ts'
import type { EventWriter } from './event-writer.ts'
import type { OpenOrders } from './open-orders.ts'
import type { OrderCloser } from './order-closer.ts'

/** Whether the order in a slot is to be canceled. With a leg, all of its list is. */
export type Selects = (slot: number) => boolean

export const selectsAll: Selects = () => true

/** Selects by the command at byte `at`, which is read now. */
export function selectsWhere(book: OrderBook, commands: RecordBuffer, at: number): Selects {
  const side = CancelOrdersWhere.side(commands, at)
  const minTicks = CancelOrdersWhere.minTicks(commands, at)
  const maxTicks = CancelOrdersWhere.maxTicks(commands, at)
  const prefixAt = CancelOrdersWhere.prefixAt(at)
  const prefix = commands.i32.slice(prefixAt, prefixAt + CLIENT_ORDER_ID_WORDS)
  return (slot) => {
    const ticks = book.priceTicksOf(slot)
    return (
      (side < 0 || book.sideOf(slot) === side) &&
      ticks >= minTicks &&
      ticks <= maxTicks &&
      beginsClientOrderId(prefix, 0, book.clientOrderId, book.clientOrderIdAt(slot))
    )
  }
}

export class BulkCancel {
  private readonly open: OpenOrders
  private readonly closer: OrderCloser
  private readonly events: EventWriter
  private readonly clientOrderId = new Int32Array(CLIENT_ORDER_ID_WORDS)
  private _account = AccountId(0)
  private selects = selectsAll
  /** The order that is canceled next; 0 when all are. */
  private slot = 0

  constructor(open: OpenOrders, closer: OrderCloser, events: EventWriter) {
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
  begin(account: AccountId, selects: Selects, idWords: Int32Array, idAt: number): Verdict {
    this._account = account
    this.selects = selects
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
      if (this.selects(slot)) return slot
    }
    return 0
  }
}
