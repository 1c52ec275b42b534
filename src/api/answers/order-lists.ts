/** Answers about order lists (rest-api.md, order lists). */

import { Answer } from './answer.ts'
import { answer, describedBy, type Element, formSymbol, rows, symbolId, time } from './element.ts'
import {
  contingencyType,
  listClientOrderId,
  listedOrders,
  listId,
  listOrderStatus,
  listStatusType,
} from './order-elements.ts'
import { canceledOrder } from './orders.ts'
import { anyShape, list, shape } from './schema.ts'

const whole = <SymbolPart, TimePart>(
  symbol: Element<SymbolPart, string>,
  transactionTime: Element<TimePart, number>,
) =>
  ({
    orderListId: listId,
    contingencyType,
    listStatusType,
    listOrderStatus,
    listClientOrderId,
    transactionTime,
    symbol,
    orders: listedOrders,
  }) as const
const present = whole(formSymbol, time('timeMs'))

/** The list alone, as the archive has it; its time is when it was placed. */
export const orderList = new Answer(whole(symbolId('symbolId'), time('createdMs')))

export const placedOrderList = new Answer({
  ...present,
  orderReports: answer(list(anyShape('OrderAck', 'OrderResult', 'OrderFull')))('orderReports'),
})

export const canceledOrderList = new Answer({
  ...present,
  orderReports: describedBy(list(shape('CanceledOrder')), rows('orderReports', canceledOrder)),
})
