/** Orders as the last event says that they stand; those that have not ended are kept in memory. */
import { isDetailed, OrderPhase, OrderStatus } from '../../src/base/codes.ts'
import type { RecordBuffer } from '../../src/layout/record-buffer.ts'
import {
  RecordType,
  readMatchPrevented,
  readOrderAccepted,
  readOrderAmended,
  readOrderClosed,
  readOrderDecremented,
  readOrderDetails,
  readOrderReleased,
  readTrade,
} from '../../src/layout/records.gen.ts'

export interface OrderRow {
  readonly symbolId: number
  readonly orderId: number
  readonly account: number
  readonly quoteAtoms: number
  readonly createdMs: number
  clientOrderId: string
  terms: number
  priceTicks: number
  lots: number
  filledLots: number
  filledAtoms: number
  preventedLots: number
  status: number
  reason: number
  updatedMs: number
}

export class ExportedOrders {
  /** By symbol id, then by order id. */
  readonly #open = new Map<number, Map<number, OrderRow>>()
  readonly #ended = new Set<OrderRow>()
  /** Whether the last details say that their order is a pending leg. */
  #isPending = false

  /** Folds one event. */
  fold(type: number, records: RecordBuffer, at: number): void {
    switch (type) {
      case RecordType.OrderDetails:
        this.#isPending = readOrderDetails(records, at).phase === OrderPhase.PENDING
        break
      case RecordType.OrderAccepted:
        this.#accepted(readOrderAccepted(records, at))
        break
      case RecordType.OrderTriggered:
      case RecordType.OrderReleased:
        this.#began(readOrderReleased(records, at))
        break
      case RecordType.Trade:
        this.#traded(readTrade(records, at))
        break
      case RecordType.MatchPrevented:
        this.#prevented(readMatchPrevented(records, at))
        break
      case RecordType.OrderAmended: {
        const { lots, clientOrderId, ...event } = readOrderAmended(records, at)
        this.#change(event, { lots, clientOrderId })
        break
      }
      case RecordType.OrderDecremented: {
        const { preventedLots, ...event } = readOrderDecremented(records, at)
        this.#change(event, { preventedLots })
        break
      }
      case RecordType.OrderClosed:
        this.#closed(readOrderClosed(records, at))
        break
    }
  }

  /**
   * The orders that have ended since they were last taken. Between two blocks only: an order whose
   * last quantity a trade and a prevented match shared is closed within the block of its trade.
   */
  takeEnded(): readonly OrderRow[] {
    const ended = [...this.#ended]
    for (const { symbolId, orderId } of ended) this.#open.get(symbolId)!.delete(orderId)
    this.#ended.clear()
    return ended
  }

  /** The orders that are open, by symbol and id. */
  *left(): Iterable<OrderRow> {
    for (const [, orders] of [...this.#open].sort(([a], [b]) => a - b)) {
      yield* [...orders.values()].sort((a, b) => a.orderId - b.orderId)
    }
  }

  #accepted(event: ReturnType<typeof readOrderAccepted>): void {
    const { symbolId, orderId, account, quoteAtoms, clientOrderId, terms, timeMs } = event
    const { priceTicks, lots } = event
    const isPending = isDetailed(terms) && this.#isPending
    let orders = this.#open.get(symbolId)
    if (orders === undefined) {
      orders = new Map()
      this.#open.set(symbolId, orders)
    }
    orders.set(orderId, {
      ...{ symbolId, orderId, account, quoteAtoms, clientOrderId, terms, priceTicks, lots },
      ...{ createdMs: timeMs, updatedMs: timeMs, filledLots: 0, filledAtoms: 0, preventedLots: 0 },
      status: isPending ? OrderStatus.PENDING_NEW : OrderStatus.NEW,
      reason: 0,
    })
  }

  #began(event: ReturnType<typeof readOrderReleased>): void {
    this.#change(event, { status: OrderStatus.NEW })
  }

  #traded(trade: ReturnType<typeof readTrade>): void {
    const { takerOrderId, takerFilledLots, takerFilledAtoms } = trade
    const { makerOrderId, makerFilledLots, makerFilledAtoms } = trade
    this.#filled(trade, takerOrderId, takerFilledLots, takerFilledAtoms)
    this.#filled(trade, makerOrderId, makerFilledLots, makerFilledAtoms)
  }

  #filled(
    { symbolId, timeMs }: { readonly symbolId: number; readonly timeMs: number },
    orderId: number,
    filledLots: number,
    filledAtoms: number,
  ): void {
    const row = this.#change({ symbolId, orderId, timeMs }, { filledLots, filledAtoms })
    const isWhole = filledLots + row.preventedLots === row.lots
    row.status = isWhole ? OrderStatus.FILLED : OrderStatus.PARTIALLY_FILLED
    if (isWhole) this.#ended.add(row)
  }

  /** What was transferred, or taken, is prevented quantity. */
  #prevented(event: ReturnType<typeof readMatchPrevented>): void {
    for (const [orderId, lots] of [
      [event.takerOrderId, event.takerPreventedLots],
      [event.makerOrderId, event.makerPreventedLots],
    ] as const) {
      if (lots > 0) this.#row(event.symbolId, orderId).preventedLots += lots
    }
  }

  #closed(event: ReturnType<typeof readOrderClosed>): void {
    const { status, reason, filledLots, filledAtoms, preventedLots, terms } = event
    const change = { status, reason, filledLots, filledAtoms, preventedLots, terms }
    this.#ended.add(this.#change(event, change))
  }

  #change(
    event: { symbolId: number; orderId: number; timeMs: number },
    change: Partial<OrderRow>,
  ): OrderRow {
    const row = this.#row(event.symbolId, event.orderId)
    return Object.assign(row, change, { updatedMs: event.timeMs })
  }

  #row(symbolId: number, orderId: number): OrderRow {
    const row = this.#open.get(symbolId)?.get(orderId)
    if (row === undefined) throw new Error(`Order ${orderId} of symbol ${symbolId} is not open.`)
    return row
  }
}
