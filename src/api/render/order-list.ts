/** Order lists as answers show them (supplement 2a.4): list reports, and the list alone. */
import { ListOrderStatus, ListStatusType, namesOf, OrderListKind } from '../../base/codes.ts'
import { type Ms, OrderId, OrderListId } from '../../base/units.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import { readOrderListChanged, readOrderListRejected } from '../../layout/records.gen.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { timeOf } from './decimals.ts'

export const listStatusNames = namesOf(ListStatusType)
export const listOrderStatusNames = namesOf(ListOrderStatus)

/** The wire knows no OTOCO. */
export const contingencyName = (kind: number): 'OCO' | 'OTO' =>
  kind === OrderListKind.OCO ? 'OCO' : 'OTO'

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

/** `"orders":[…]`: symbol and ids of each leg. */
const ordersMember = (spec: SymbolSpec, orders: readonly ListLeg[]): string =>
  `"orders":[${orders
    .map(
      ({ orderId, clientOrderId }) =>
        `{"symbol":"${spec.name}","orderId":${orderId},"clientOrderId":"${clientOrderId}"}`,
    )
    .join()}]`

/** The list alone, as queries answer it; with its legs' records, as placing and canceling do. */
export function orderListText(
  spec: SymbolSpec,
  list: ListState,
  microseconds: boolean,
  orderReports?: string,
): string {
  const reports = orderReports === undefined ? '' : `,"orderReports":[${orderReports}]`
  return (
    `{"orderListId":${list.orderListId},"contingencyType":"${contingencyName(list.kind)}",` +
    `"listStatusType":"${listStatusNames[list.statusType]}",` +
    `"listOrderStatus":"${listOrderStatusNames[list.orderStatus]}",` +
    `"listClientOrderId":"${list.listClientOrderId}",` +
    `"transactionTime":${timeOf(list.timeMs, microseconds)},"symbol":"${spec.name}",` +
    `${ordersMember(spec, list.orders)}${reports}}`
  )
}

/** What an amendment says of the amended order's list. */
export const amendedListText = (spec: SymbolSpec, list: Omit<ListState, 'timeMs'>): string =>
  `{"orderListId":${list.orderListId},"contingencyType":"${contingencyName(list.kind)}",` +
  `"listOrderStatus":"${listOrderStatusNames[list.orderStatus]}",` +
  `"listClientOrderId":"${list.listClientOrderId}","symbol":"${spec.name}",` +
  `${ordersMember(spec, list.orders)}}`
