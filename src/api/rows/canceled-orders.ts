/**
 * What a cancel did, put together from its events (rest-api.md, New order): a record for each order, and
 * for the orders of a list one report of the whole list. Orders that close after another order's placement
 * began belong to that order's answer.
 */
import { OrderAccepted, OrderClosed, OrderListChanged } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { type OrderClosedRecord, readOrderClosed } from '../../layout/records.gen.ts'
import { type AnyRows, Rows } from '../answers/answer.ts'
import type { Form } from '../answers/element.ts'
import { canceledOrderList } from '../answers/order-lists.ts'
import { canceledOrder } from '../answers/orders.ts'
import { listStateOf } from './order-list.ts'
import { asSent, atRest } from './viewed-order.ts'

/** Canceled legs of one list, by order id. */
type CanceledLegs = Map<number, OrderClosedRecord>

export class CanceledOrders {
  /** One for each order without a list, and one for each list. */
  readonly reports: AnyRows[] = []
  private readonly form: Form
  private lists: Map<number, CanceledLegs> | undefined = undefined
  private placing = false

  constructor(form: Form) {
    this.form = form
  }

  /** Takes in the next event of the command. */
  add(buffer: RecordBuffer, at: number): void {
    switch (recordType(buffer, at)) {
      case OrderClosed.type:
        if (!this.placing) this.closed(atRest(asSent(readOrderClosed(buffer, at))))
        break
      case OrderListChanged.type:
        this.listChanged(buffer, at)
        break
      case OrderAccepted.type:
        this.placing = true
        break
    }
  }

  /** The report of a cancel of one order, or of one list. */
  answer(): AnyRows {
    return this.reports[0]!
  }

  private closed(closed: OrderClosedRecord): void {
    const { details } = closed
    if (details === undefined || details.orderListId < 0) {
      this.reports.push(new Rows(canceledOrder, closed, this.form))
      return
    }
    this.lists ??= new Map()
    const legs: CanceledLegs = this.lists.get(details.orderListId) ?? new Map()
    legs.set(closed.orderId, closed)
    this.lists.set(details.orderListId, legs)
  }

  private listChanged(buffer: RecordBuffer, at: number): void {
    const list = listStateOf(buffer, at)
    const legs = this.lists?.get(list.orderListId)
    if (legs === undefined) return
    // Under the ids that the client knows them by: the cancel's stands on each leg's record.
    const orders = list.orders.map((leg) => ({
      ...leg,
      clientOrderId: legs.get(leg.orderId)?.origClientOrderId ?? leg.clientOrderId,
    }))
    const row = { ...list, orders, orderReports: [...legs.values()] }
    this.reports.push(new Rows(canceledOrderList, row, this.form))
  }
}
