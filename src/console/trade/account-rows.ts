/** Rows of an account as REST and the user data stream give them. */

import type { account } from '../../api/answers/account.ts'
import type { Wire } from '../../api/answers/element.ts'
import type { orderList } from '../../api/answers/order-lists.ts'
import type { accountTrade, order } from '../../api/answers/orders.ts'
import type { executionReport, listStatus } from '../../api/answers/user-events.ts'
import { cut } from '../book/decimals.ts'

/** What only some orders have. */
type Detail =
  | ('stopPrice' | 'trailingDelta' | 'icebergQty' | 'selfTradePreventionMode')
  | ('strategyId' | 'strategyType')
  | ('pegPriceType' | 'pegOffsetType' | 'pegOffsetValue' | 'peggedPrice')

/** An order as queries show it. */
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
  Partial<Pick<Wire<typeof order>, Detail>>

/** An executionReport, with its labels where the order has some. */
export type OrderEvent = Wire<typeof executionReport> & {
  readonly j?: number
  readonly J?: number
}

export type AccountAnswer = Wire<typeof account>
export type BalanceRow = AccountAnswer['balances'][number]
export type FillRow = Pick<
  Wire<typeof accountTrade>,
  'id' | 'orderId' | 'price' | 'qty' | 'quoteQty' | 'commission' | 'commissionAsset' | 'time'
> &
  Pick<Wire<typeof accountTrade>, 'isBuyer' | 'isMaker'>
export type ListRow = Pick<
  Wire<typeof orderList>,
  'orderListId' | 'contingencyType' | 'listOrderStatus' | 'transactionTime' | 'symbol' | 'orders'
>
export type ListEvent = Wire<typeof listStatus>

const CLOSED: readonly string[] = ['FILLED', 'CANCELED', 'EXPIRED', 'EXPIRED_IN_MATCH', 'REJECTED']
export const isOpen = ({ status }: Pick<OrderRow, 'status'>): boolean => !CLOSED.includes(status)

/** The price that an order works at, or would: zero of a market order, and of a peg that waits without a limit. */
export const priceOf = ({ price, peggedPrice }: OrderRow): string => peggedPrice ?? price

/** Its price for people. */
export function priceText(order: OrderRow, decimals: number): string {
  const price = priceOf(order)
  if (Number(price) > 0) return cut(price, decimals)
  return order.pegPriceType === undefined ? 'market' : 'peg'
}

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
  selfTradePreventionMode: event.V,
  ...(event.j === undefined ? {} : { strategyId: event.j }),
  ...(event.J === undefined ? {} : { strategyType: event.J }),
  ...(event.gP === undefined ? {} : { pegPriceType: event.gP }),
  ...(event.gOT === undefined ? {} : { pegOffsetType: event.gOT }),
  ...(event.gOV === undefined ? {} : { pegOffsetValue: event.gOV }),
  ...(event.gp === undefined ? {} : { peggedPrice: event.gp }),
  time: event.O,
  updateTime: event.T,
})

export const fillOfEvent = (event: OrderEvent): FillRow => ({
  id: event.t,
  orderId: event.i,
  price: event.L,
  qty: event.l,
  time: event.T,
  quoteQty: String(event.Y),
  commission: event.n,
  commissionAsset: event.N ?? '',
  isBuyer: event.S === 'BUY',
  isMaker: event.m,
})

export const listOfEvent = (event: ListEvent): ListRow => ({
  orderListId: event.g,
  contingencyType: event.c,
  listOrderStatus: event.L,
  transactionTime: event.T,
  symbol: event.s,
  orders: event.O.map(({ s, i, c }) => ({ symbol: s, orderId: i, clientOrderId: c })),
})
