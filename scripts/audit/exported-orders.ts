/** Orders as the last event says that they stand; those that have not ended are kept in memory. */
import { unpackClientOrderId } from '../../src/base/client-order-id.ts'
import { OrderStatus } from '../../src/base/codes.ts'
import type { Lots, QuoteAtoms, Ticks } from '../../src/base/units.ts'
import { OrderFold, OrderSide } from '../../src/layout/order-fold.ts'
import type { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { RecordType } from '../../src/layout/records.gen.ts'

const { FILLED, CANCELED, EXPIRED, EXPIRED_IN_MATCH } = OrderStatus
const ended = new Set<number>([FILLED, CANCELED, EXPIRED, EXPIRED_IN_MATCH])

export interface OrderRow {
  readonly symbolId: number
  readonly orderId: number
  readonly account: number
  readonly quoteAtoms: QuoteAtoms
  readonly createdMs: number
  /** The order's own. */
  readonly clientOrderId: string
  readonly terms: number
  readonly priceTicks: Ticks
  readonly lots: Lots
  readonly filledLots: Lots
  readonly filledAtoms: QuoteAtoms
  readonly preventedLots: Lots
  readonly status: number
  readonly reason: number
  readonly updatedMs: number
}

export class ExportedOrders {
  /** By symbol id, then by order id. */
  readonly #open = new Map<number, Map<number, OrderRow>>()
  #ended: OrderRow[] = []
  readonly #fold = new OrderFold()

  /** Folds one event. */
  fold(type: number, records: RecordBuffer, at: number): void {
    if (!this.#fold.read(records, at)) return
    this.#keep(records)
    if (type !== RecordType.Trade) return
    this.#fold.read(records, at, OrderSide.MAKER)
    this.#keep(records)
  }

  /** The orders that have ended since they were last taken. */
  takeEnded(): readonly OrderRow[] {
    const taken = this.#ended
    this.#ended = []
    return taken
  }

  /** The orders that are open, by symbol and id. */
  *left(): Iterable<OrderRow> {
    for (const [, orders] of [...this.#open].sort(([a], [b]) => a - b)) {
      yield* [...orders.values()].sort((a, b) => a.orderId - b.orderId)
    }
  }

  #keep({ i32 }: RecordBuffer): void {
    const { symbolId, orderId, account, quoteAtoms, createdMs, updatedMs, terms } = this.#fold
    const { priceTicks, lots, filledLots, filledAtoms, preventedLots, status, reason } = this.#fold
    const row = {
      ...{ symbolId, orderId, account, quoteAtoms, createdMs, updatedMs, terms, priceTicks, lots },
      ...{ filledLots, filledAtoms, preventedLots, status, reason },
      clientOrderId: unpackClientOrderId(i32, this.#fold.ownIdAt),
    }
    const orders = this.#open.get(symbolId) ?? new Map<number, OrderRow>()
    this.#open.set(symbolId, orders)
    if (ended.has(status)) {
      orders.delete(orderId)
      this.#ended.push(row)
    } else orders.set(orderId, row)
  }
}
