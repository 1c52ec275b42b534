/** Orders as their last event has them; those that have not ended are kept in memory. */
import { unpackClientOrderId } from '../../src/base/client-order-id.ts'
import { OrderStatus } from '../../src/base/codes.ts'
import type { SymbolId } from '../../src/base/units.ts'
import type { OrderRow } from '../../src/history/account-history.ts'
import { orderRowOf } from '../../src/history/order-row.gen.ts'
import { OrderSide, OrderView } from '../../src/layout/order-view.ts'
import type { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { RecordType } from '../../src/layout/records.gen.ts'

const { FILLED, CANCELED, EXPIRED, EXPIRED_IN_MATCH } = OrderStatus
const ended = new Set<number>([FILLED, CANCELED, EXPIRED, EXPIRED_IN_MATCH])

/** Under the id that the order gave itself. */
export interface ExportedOrder extends OrderRow {
  readonly symbolId: SymbolId
}

export class ExportedOrders {
  /** By symbol id, then by order id. */
  private readonly open = new Map<number, Map<number, ExportedOrder>>()
  private ended: ExportedOrder[] = []
  private readonly view = new OrderView()

  /** Applies one event. */
  apply(type: number, records: RecordBuffer, at: number): void {
    if (!this.view.read(records, at)) return
    this.keep(records)
    if (type !== RecordType.Trade) return
    this.view.read(records, at, OrderSide.MAKER)
    this.keep(records)
  }

  /** The orders that have ended since they were last taken. */
  takeEnded(): readonly ExportedOrder[] {
    const taken = this.ended
    this.ended = []
    return taken
  }

  /** The orders that are open, by symbol and id. */
  *left(): Iterable<ExportedOrder> {
    for (const [, orders] of [...this.open].sort(([a], [b]) => a - b)) {
      yield* [...orders.values()].sort((a, b) => a.orderId - b.orderId)
    }
  }

  private keep({ i32 }: RecordBuffer): void {
    const { symbolId, orderId, status, ownIdAt } = this.view
    const clientOrderId = unpackClientOrderId(i32, ownIdAt)
    const row = { ...orderRowOf(this.view, 0, clientOrderId, undefined), symbolId }
    const orders = this.open.get(symbolId) ?? new Map<number, ExportedOrder>()
    this.open.set(symbolId, orders)
    if (ended.has(status)) {
      orders.delete(orderId)
      this.ended.push(row)
    } else orders.set(orderId, row)
  }
}
