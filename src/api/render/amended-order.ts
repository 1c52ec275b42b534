/**
 * The answer to an amendment (supplement 2a.6), put together from its events. Of an OCO pair both
 * legs are amended; the answer shows the one that was asked for, and their list.
 */
import { type Lots, Ms, type OrderId } from '../../base/units.ts'
import { OrderAmended, OrderListChanged } from '../../layout/accessors.gen.ts'
import { executionIdOf } from '../../layout/execution-id.ts'
import { OrderFold } from '../../layout/order-fold.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { type OrderAmendedRecord, readOrderAmended } from '../../layout/records.gen.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { priceText, quantityText, timeOf, unitsText } from './decimals.ts'
import { detailMembers, isWorking, listIdOf, momentOf } from './order-details.ts'
import { amendedListText, type ListState, listStateOf } from './order-list.ts'
import { preventionName, statusNames, termsMembers } from './terms.ts'

export class AmendedOrder {
  readonly #spec: SymbolSpec
  readonly #isAskedFor: (orderId: OrderId, clientOrderId: string) => boolean
  readonly #microseconds: boolean
  readonly #fold = new OrderFold()
  #amended: OrderAmendedRecord | undefined
  #list: Omit<ListState, 'timeMs'> | undefined

  /** `isAskedFor`: whether the order of this id, and that client id so far, is the one to show. */
  constructor(
    spec: SymbolSpec,
    isAskedFor: (orderId: OrderId, clientOrderId: string) => boolean,
    microseconds: boolean,
  ) {
    this.#spec = spec
    this.#isAskedFor = isAskedFor
    this.#microseconds = microseconds
  }

  /** Takes in the next event of the command. */
  add(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === OrderAmended.type) this.#amend(buffer, at)
    if (type === OrderListChanged.type) this.#list = listStateOf(buffer, at)
  }

  /**
   * The list of the amended order when its events do not tell of it, because no id has changed; else
   * -1.
   */
  get untoldListId(): number {
    return this.#list === undefined ? listIdOf(this.#amended?.details) : -1
  }

  /** The list as the archive has it. */
  setList(list: Omit<ListState, 'timeMs'>): void {
    this.#list = list
  }

  /** The JSON text, once the last event was added. */
  text(): string {
    const amended = this.#amended as OrderAmendedRecord
    const time = timeOf(amended.timeMs, this.#microseconds)
    const id = executionIdOf(amended.sequence)
    return (
      `{"transactTime":${time},"executionId":${id},` +
      `"amendedOrder":${this.#order(amended)}${this.#listStatus()}}`
    )
  }

  #listStatus(): string {
    const list = this.#list
    return list === undefined ? '' : `,"listStatus":${amendedListText(this.#spec, list)}`
  }

  #amend(buffer: RecordBuffer, at: number): void {
    const amended = readOrderAmended(buffer, at)
    if (!this.#isAskedFor(amended.orderId, amended.origClientOrderId)) return
    this.#amended = amended
    this.#fold.read(buffer, at)
  }

  #order(amended: OrderAmendedRecord): string {
    const spec = this.#spec
    const { details } = amended
    const { status } = this.#fold
    const quantity = (lots: Lots) => quantityText(spec, lots)
    const more = details === undefined ? '' : detailMembers(spec, details, this.#microseconds)
    const working = isWorking(details) ? `,"workingTime":${this.#workingTime(amended)}` : ''
    return (
      `{"symbol":"${spec.name}","orderId":${amended.orderId},` +
      `"orderListId":${listIdOf(details)},"origClientOrderId":"${amended.origClientOrderId}",` +
      `"clientOrderId":"${amended.clientOrderId}",` +
      `"price":"${priceText(spec, amended.priceTicks)}","qty":"${quantity(amended.lots)}",` +
      `"executedQty":"${quantity(amended.filledLots)}",` +
      `"preventedQty":"${quantity(amended.preventedLots)}",` +
      `"quoteOrderQty":"${unitsText(amended.quoteAtoms)}",` +
      `"cumulativeQuoteQty":"${unitsText(amended.filledAtoms)}",` +
      `"status":"${statusNames[status]}",${termsMembers(amended.terms)}${more}${working},` +
      `"selfTradePreventionMode":"${preventionName(amended.terms)}"}`
    )
  }

  /** A plain order works from its acceptance on. */
  #workingTime(amended: OrderAmendedRecord): number {
    const workingMs = amended.details?.workingMs ?? Ms(-1)
    return momentOf(workingMs < 0 ? amended.createdMs : workingMs, this.#microseconds)
  }
}
