/**
 * What a cancel did, put together from its events (supplement 2a.3, 2a.4): a cancel record for each
 * order, and for the orders of a list one report of the whole list. What is closed after another
 * order's placement began is that order's affair.
 */

import { OrderAccepted, OrderClosed, OrderListChanged } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { type OrderClosedRecord, readOrderClosed } from '../../layout/records.gen.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { timeOf } from './decimals.ts'
import { detailMembers, listIdOf } from './order-details.ts'
import { listStateOf, orderListText } from './order-list.ts'
import { canceledAmountMembers } from './order-record.ts'
import { preventionName } from './terms.ts'
import { JoinedTexts } from './whole-texts.ts'

/** Canceled legs of one list, by order id: the id that each had, and its record. */
type CanceledLegs = Map<number, { readonly ownId: string; readonly record: string }>

export class CancelReport {
  readonly #spec: SymbolSpec
  readonly #microseconds: boolean
  readonly #texts = new JoinedTexts()
  #lists: Map<number, CanceledLegs> | undefined
  #placing = false

  constructor(spec: SymbolSpec, microseconds: boolean) {
    this.#spec = spec
    this.#microseconds = microseconds
  }

  /** Takes in the next event of the command. */
  add(buffer: RecordBuffer, at: number): void {
    switch (recordType(buffer, at)) {
      case OrderClosed.type:
        if (!this.#placing) this.#closed(readOrderClosed(buffer, at))
        break
      case OrderListChanged.type:
        this.#listChanged(buffer, at)
        break
      case OrderAccepted.type:
        this.#placing = true
        break
    }
  }

  /** One object for each order without a list, and one for each list, joined by commas. */
  text(): string {
    return this.#texts.text()
  }

  #closed(closed: OrderClosedRecord): void {
    const { details } = closed
    const record = cancelRecord(this.#spec, closed, this.#microseconds)
    if (details === undefined || details.orderListId < 0) {
      this.#texts.add(record)
      return
    }
    this.#lists ??= new Map()
    const legs: CanceledLegs = this.#lists.get(details.orderListId) ?? new Map()
    legs.set(closed.orderId, { ownId: closed.origClientOrderId, record })
    this.#lists.set(details.orderListId, legs)
  }

  #listChanged(buffer: RecordBuffer, at: number): void {
    const list = listStateOf(buffer, at)
    const legs = this.#lists?.get(list.orderListId)
    if (legs === undefined) return
    // Under the ids that the client knows them by: the cancel's stands on each leg's record.
    const orders = list.orders.map((leg) => ({
      ...leg,
      clientOrderId: legs.get(leg.orderId)?.ownId ?? leg.clientOrderId,
    }))
    const reports = [...legs.values()].map(({ record }) => record).join()
    this.#texts.add(orderListText(this.#spec, { ...list, orders }, this.#microseconds, reports))
  }
}

function cancelRecord(spec: SymbolSpec, closed: OrderClosedRecord, microseconds: boolean): string {
  const { details } = closed
  const listId = listIdOf(details)
  const more = details === undefined ? '' : detailMembers(spec, details, microseconds)
  return (
    `{"symbol":"${spec.name}","origClientOrderId":"${closed.origClientOrderId}",` +
    `"orderId":${closed.orderId},"orderListId":${listId},` +
    `"clientOrderId":"${closed.clientOrderId}",` +
    `"transactTime":${timeOf(closed.timeMs, microseconds)},` +
    `${canceledAmountMembers(spec, closed)}${more},` +
    `"selfTradePreventionMode":"${preventionName(closed.terms)}"}`
  )
}
