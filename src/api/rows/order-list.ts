/** Order lists by their events (rest-api.md, order lists). */
import { ListOrderStatus, ListStatusType } from '../../base/codes.ts'
import { type Ms, OrderId, OrderListId } from '../../base/units.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import { readOrderListChanged, readOrderListRejected } from '../../layout/records.gen.ts'

interface ListLeg {
  readonly orderId: OrderId
  readonly clientOrderId: string
}

/** A list as it stands, from an OrderListChanged event or from the archive. */
export interface ListState {
  readonly orderListId: OrderListId
  /** OrderListKind, ListStatusType and ListOrderStatus. */
  readonly kind: number
  readonly statusType: number
  readonly orderStatus: number
  readonly listClientOrderId: string
  readonly timeMs: Ms
  readonly orders: readonly ListLeg[]
}

export function listStateOf(buffer: RecordBuffer, at: number): ListState {
  const changed = readOrderListChanged(buffer, at)
  const orders = [
    { orderId: changed.orderId1, clientOrderId: changed.clientOrderId1 },
    { orderId: changed.orderId2, clientOrderId: changed.clientOrderId2 },
    { orderId: changed.orderId3, clientOrderId: changed.clientOrderId3 },
  ]
  return { ...changed, orders: orders.slice(0, changed.legs) }
}

/** One that was refused, from an OrderListRejected. */
export function refusedListOf(buffer: RecordBuffer, at: number): ListState {
  const refused = readOrderListRejected(buffer, at)
  const ids = [refused.clientOrderId1, refused.clientOrderId2, refused.clientOrderId3]
  return {
    ...refused,
    orderListId: OrderListId(-1),
    statusType: ListStatusType.RESPONSE,
    orderStatus: ListOrderStatus.REJECT,
    orders: ids.slice(0, refused.legs).map((clientOrderId) => ({
      orderId: OrderId(-1),
      clientOrderId,
    })),
  }
}
