/**
 * The answer to an amendment (faqs/order_amend_keep_priority.md), put together from its events. Of an OCO pair both
 * legs are amended; the answer shows the one that was asked for, and their list.
 */
import type { OrderId } from '../../base/units.ts'
import { OrderAmended, OrderListChanged } from '../../layout/accessors.gen.ts'
import { executionIdOf } from '../../layout/execution-id.ts'
import { OrderView } from '../../layout/order-view.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import { type OrderAmendedRecord, readOrderAmended } from '../../layout/records.gen.ts'
import { type AnyRows, Rows } from '../answers/answer.ts'
import type { Form } from '../answers/element.ts'
import { amendedOrder, isWorking } from '../answers/orders.ts'
import { type ListState, listStateOf } from './order-list.ts'
import { asSent, atRest } from './viewed-order.ts'

export class AmendedOrder {
  private readonly form: Form
  private readonly isAskedFor: (orderId: OrderId, clientOrderId: string) => boolean
  private readonly view = new OrderView()
  private amended: OrderAmendedRecord | undefined = undefined
  private list: Omit<ListState, 'timeMs'> | undefined = undefined

  /** `isAskedFor`: whether the order of this id, and that client id so far, is the one to show. */
  constructor(form: Form, isAskedFor: (orderId: OrderId, clientOrderId: string) => boolean) {
    this.form = form
    this.isAskedFor = isAskedFor
  }

  /** Takes in the next event of the command. */
  add(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === OrderAmended.type) this.amend(buffer, at)
    if (type === OrderListChanged.type) this.list = listStateOf(buffer, at)
  }

  /** The amended order's list when its events do not contain it, because no id has changed; else -1. */
  get missingListId(): number {
    return this.list === undefined ? (this.amended?.details?.orderListId ?? -1) : -1
  }

  /** The list as the archive has it. */
  setList(list: Omit<ListState, 'timeMs'>): void {
    this.list = list
  }

  /** The answer, once the last event was added. */
  answer(): AnyRows {
    const amended = this.amended!
    const { details, timeMs, createdMs } = amended
    // A plain order works from its acceptance on.
    const begunMs = details !== undefined && details.workingMs >= 0 ? details.workingMs : createdMs
    const workingMs = isWorking(details) ? begunMs : undefined
    const row = {
      timeMs,
      executionId: executionIdOf(amended.sequence),
      order: { ...atRest(asSent(amended)), status: this.view.status, workingMs },
      list: this.list,
    }
    return new Rows(amendedOrder, row, this.form)
  }

  private amend(buffer: RecordBuffer, at: number): void {
    const amended = readOrderAmended(buffer, at)
    if (!this.isAskedFor(amended.orderId, amended.origClientOrderId)) return
    this.amended = amended
    this.view.read(buffer, at)
  }
}
