/** What changes and ends open orders, and the notices about it. */
import type { MarketSymbol } from '../market/symbols.ts'
import type { Account } from './account.ts'
import type { ListRow, OrderRow } from './account-rows.ts'
import {
  type AmendAnswer,
  type Assets,
  amendOutcome,
  cancelAllOutcome,
  cancelOutcome,
  type OrderAnswer,
  type ReplaceAnswer,
  replaceOutcome,
} from './outcome.ts'

export class OrderActions {
  private readonly account: Account
  private readonly symbols: () => readonly MarketSymbol[]

  constructor(account: Account, symbols: () => readonly MarketSymbol[]) {
    this.account = account
    this.symbols = symbols
  }

  cancel({ symbol, orderId }: OrderRow): Promise<boolean> {
    return this.account.act<OrderAnswer>({
      ...{ what: 'Cancel', method: 'DELETE', path: '/api/v3/order', params: { symbol, orderId } },
      outcomeOf: (answer) => cancelOutcome(this.assetsOf(symbol), answer),
    })
  }

  cancelList({ symbol, orderListId }: ListRow): Promise<boolean> {
    const params = { symbol, orderListId }
    return this.account.act<OrderAnswer>({
      ...{ what: 'Cancel list', method: 'DELETE', path: '/api/v3/orderList', params },
      outcomeOf: (answer) => cancelOutcome(this.assetsOf(symbol), answer),
    })
  }

  /** Cancels all open orders of a market, if there are any. */
  async cancelAll(symbol: string): Promise<void> {
    const { notices, openOrders } = this.account
    if (openOrders.count(symbol) === 0) {
      notices.say(`No open orders of ${symbol}.`, 'neutral')
      return
    }
    await this.account.act<readonly OrderAnswer[]>({
      ...{ what: `Cancel all of ${symbol}`, method: 'DELETE', path: '/api/v3/openOrders' },
      ...{ params: { symbol }, outcomeOf: cancelAllOutcome },
    })
  }

  /** Lowers an order's quantity; it keeps its place in the queue. */
  reduce({ symbol, orderId }: OrderRow, newQty: string): Promise<boolean> {
    return this.account.act<AmendAnswer>({
      ...{ what: 'Reduce', method: 'PUT', path: '/api/v3/order/amend/keepPriority' },
      params: { symbol, orderId, newQty },
      outcomeOf: (answer) => amendOutcome(this.assetsOf(symbol), answer),
    })
  }

  /** Cancels an order and places another one like it. */
  replace(order: OrderRow, price: string, quantity: string): Promise<boolean> {
    return this.account.act<ReplaceAnswer>({
      ...{ what: 'Replace', method: 'POST', path: '/api/v3/order/cancelReplace' },
      params: replacement(order, price, quantity),
      outcomeOf: (answer) => replaceOutcome(this.assetsOf(order.symbol), answer),
    })
  }

  private assetsOf(name: string): Assets {
    const found = this.symbols().find(({ symbol }) => symbol === name)
    return found ?? { baseAsset: '', quoteAsset: '' }
  }
}

/** The parameters of an order that is like this one at another price and quantity. */
export function replacement(order: OrderRow, price: string, quantity: string) {
  const { symbol, side, type, orderId, stopPrice = '0', trailingDelta, icebergQty = '0' } = order
  const isTimed = type === 'LIMIT' || type.endsWith('_LIMIT')
  return {
    ...{ symbol, side, type, cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: orderId },
    timeInForce: isTimed ? order.timeInForce : undefined,
    price: Number(order.price) > 0 ? price : undefined,
    quantity,
    stopPrice: Number(stopPrice) > 0 ? stopPrice : undefined,
    trailingDelta,
    icebergQty: Number(icebergQty) > 0 ? icebergQty : undefined,
    newOrderRespType: 'FULL',
  }
}
