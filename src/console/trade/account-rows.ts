/** Rows of an account as REST and the user data stream give them. */

/** An order as REST shows it. */
export interface OrderRow {
  readonly symbol: string
  readonly orderId: number
  readonly orderListId: number
  readonly clientOrderId: string
  readonly price: string
  readonly origQty: string
  readonly executedQty: string
  readonly cummulativeQuoteQty: string
  readonly status: string
  readonly timeInForce: string
  readonly type: string
  readonly side: string
  readonly stopPrice?: string
  readonly trailingDelta?: number
  readonly icebergQty?: string
  readonly time: number
  readonly updateTime: number
}

/** An executionReport. */
export interface OrderEvent {
  readonly s: string
  readonly c: string
  readonly C: string
  readonly S: string
  readonly o: string
  readonly f: string
  readonly q: string
  readonly p: string
  readonly P: string
  readonly F: string
  readonly g: number
  readonly x: string
  readonly X: string
  readonly r: string
  readonly i: number
  readonly l: string
  readonly z: string
  readonly L: string
  readonly n: string
  readonly N: string | null
  readonly T: number
  readonly O: number
  readonly Z: string
  readonly d?: number
}

export interface BalanceRow {
  readonly asset: string
  readonly free: string
  readonly locked: string
}

export interface TradeRow {
  readonly symbol: string
  readonly id: number
  readonly orderId: number
  readonly price: string
  readonly qty: string
  readonly commission: string
  readonly commissionAsset: string
  readonly time: number
  readonly isBuyer: boolean
  readonly isMaker: boolean
}

export interface ListRow {
  readonly orderListId: number
  readonly contingencyType: string
  readonly listStatusType: string
  readonly listOrderStatus: string
  readonly transactionTime: number
  readonly symbol: string
  readonly orders: readonly { readonly orderId: number }[]
}

export interface AccountAnswer {
  readonly commissionRates: { readonly maker: string; readonly taker: string }
  readonly canTrade: boolean
  readonly balances: readonly BalanceRow[]
}

const CLOSED = ['FILLED', 'CANCELED', 'EXPIRED', 'EXPIRED_IN_MATCH', 'REJECTED']
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
