/** Rows of an account as REST and the user data stream give them. */

import type { account } from '../../api/answers/account.ts'
import type { Wire } from '../../api/answers/element.ts'
import type { orderList } from '../../api/answers/order-lists.ts'
import type { accountTrade, order } from '../../api/answers/orders.ts'
import type { executionReport } from '../../api/answers/user-events.ts'

/** An order as REST shows it. */
export type OrderRow = Pick<
  Wire<typeof order>,
  | 'symbol'
  | 'orderId'
  | 'orderListId'
  | 'clientOrderId'
  | 'price'
  | 'origQty'
  | 'executedQty'
  | 'cummulativeQuoteQty'
  | 'status'
  | 'timeInForce'
  | 'type'
  | 'side'
  | 'time'
  | 'updateTime'
> &
  Partial<Pick<Wire<typeof order>, 'stopPrice' | 'trailingDelta' | 'icebergQty'>>

/** An executionReport. */
export type OrderEvent = Wire<typeof executionReport>

export type AccountAnswer = Wire<typeof account>
export type BalanceRow = AccountAnswer['balances'][number]
export type TradeRow = Wire<typeof accountTrade>
export type ListRow = Wire<typeof orderList>

const CLOSED: readonly string[] = ['FILLED', 'CANCELED', 'EXPIRED', 'EXPIRED_IN_MATCH', 'REJECTED']
export const isOpen = ({ status }: Pick<OrderRow, 'status'>): boolean => !CLOSED.includes(status)

/** The order as it stands after the event. */
export const orderOfEvent = (event: OrderEvent): OrderRow => ({
  symbol: event.s,
  orderId: event.i,
  orderListId: event.g,
  clientOrderId: event.C === '' ? event.c : event.C,
  price: event.p,
  origQty: event.q,
  executedQty: event.z,
  cummulativeQuoteQty: event.Z,
  status: event.X,
  timeInForce: event.f,
  type: event.o,
  side: event.S,
  stopPrice: event.P,
  ...(event.d === undefined ? {} : { trailingDelta: event.d }),
  icebergQty: event.F,
  time: event.O,
  updateTime: event.T,
})
