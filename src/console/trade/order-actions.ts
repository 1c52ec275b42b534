/** What changes and ends open orders, and the notices about it. */
import { formatAtoms } from '../book/decimals.ts'
import type { MarketSymbol } from '../market/symbols.ts'
import type { Account } from './account.ts'
import { isOpen, type ListRow, type OrderRow } from './account-rows.ts'
import { atomsOf, replacement, wayOf } from './changed-order.ts'
import type { Ask, OrderSender } from './order-sender.ts'
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
import { findList, findOrder, newId, placement } from './place-order.ts'

const CANCELS_AT_ONCE = 8

export class OrderActions {
  private readonly account: Account
  private readonly sender: OrderSender
  private readonly symbols: () => readonly MarketSymbol[]

  constructor(account: Account, sender: OrderSender, symbols: () => readonly MarketSymbol[]) {
    this.account = account
    this.sender = sender
    this.symbols = symbols
  }

  /** Returns the canceled order; undefined when it was not canceled. */
  cancel({ symbol, orderId }: OrderRow): Promise<OrderAnswer | undefined> {
    return this.sender.send<OrderAnswer>({
      what: 'Cancel',
      method: 'order.cancel',
      params: { symbol, orderId },
      outcomeOf: (answer) => cancelOutcome(this.assetsOf(symbol), answer),
      find: (ask) => findClosed(ask, symbol, orderId),
      without: `order ${orderId} was open: not canceled.`,
    })
  }

  async cancelList({ symbol, orderListId }: ListRow): Promise<void> {
    await this.sender.send<OrderAnswer>({
      what: 'Cancel list',
      method: 'orderList.cancel',
      params: { symbol, orderListId },
      outcomeOf: (answer) => cancelOutcome(this.assetsOf(symbol), answer),
      find: async (ask) => {
        const list = await findList(ask, { orderListId })
        return list?.listOrderStatus === 'EXECUTING' ? undefined : list
      },
      without: `list ${orderListId} was executing: not canceled.`,
    })
  }

  /** Cancels all open orders of a market, if there are any. Returns whether none of them is left. */
  async cancelAll(symbol: string): Promise<boolean> {
    const { notices, openOrders } = this.account
    const open = [...openOrders.all(symbol)]
    if (open.length === 0) {
      notices.say(`No open orders of ${symbol}.`, 'neutral')
      return true
    }
    const ids = new Set(open.map(({ orderId }) => orderId))
    const canceled = await this.sender.send<readonly OrderAnswer[]>({
      what: `Cancel all of ${symbol}`,
      method: 'openOrders.cancelAll',
      params: { symbol },
      outcomeOf: cancelAllOutcome,
      find: async (ask) => {
        const left = await ask<readonly OrderRow[]>('openOrders.status', { symbol })
        return left.some(({ orderId }) => ids.has(orderId)) ? undefined : open
      },
      without: 'orders that were to be canceled were open.',
    })
    return canceled !== undefined
  }

  /** Cancels all open orders of all markets, a few at a time. The notice at the end names those in which it failed. */
  async cancelEverywhere(): Promise<void> {
    const { notices, openOrders } = this.account
    const markets = [...openOrders.markets()]
    const queue = [...markets]
    const failed: string[] = []
    const work = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        if (!(await this.cancelAll(next))) failed.push(next)
      }
    }
    await Promise.all(Array.from({ length: CANCELS_AT_ONCE }, work))
    const text = `Cancel all: done in ${markets.length - failed.length} of ${markets.length} markets`
    const isDone = failed.length === 0
    notices.say(text, isDone ? 'good' : 'bad', isDone ? '' : `Not in ${failed.join(', ')}.`)
  }

  /**
   * Gives an order this price, and leaves this quantity open. A lower quantity at the same price is an amendment,
   * which keeps its place. Otherwise another order takes its place: of one that was not filled in one step, which
   * the exchange refuses once it has a fill; a partly filled one is canceled first, since only then its fills are
   * final. Returns whether the order is now as wanted.
   */
  async change(order: OrderRow, price: string, quantity: string): Promise<boolean> {
    const wanted = atomsOf(quantity)
    const way = wayOf(order, price, quantity)
    if (way === undefined) return false
    if (way === 'amend') return this.amend(order, wanted)
    if (way === 'replace') return this.replace(order, price, quantity)
    const canceled = await this.cancel(order)
    if (canceled === undefined) return false
    const filledSince = atomsOf(canceled.executedQty) - atomsOf(order.executedQty)
    const rest = wanted - filledSince
    if (rest <= 0n) {
      this.account.notices.say('Replace: it was filled before its cancel, nothing is left.', 'good')
      return true
    }
    const placing = {
      what: 'Replace',
      assets: this.assetsOf(order.symbol),
      params: this.like(order, price, formatAtoms(rest)),
    }
    return (await this.sender.send(placement(placing))) !== undefined
  }

  private async amend(order: OrderRow, wanted: bigint): Promise<boolean> {
    const { symbol, orderId } = order
    const newQty = formatAtoms(atomsOf(order.executedQty) + wanted)
    const amended = await this.sender.send<AmendAnswer>({
      what: 'Reduce',
      method: 'order.amend.keepPriority',
      params: { symbol, orderId, newQty },
      outcomeOf: (answer) => amendOutcome(this.assetsOf(symbol), answer),
      find: async (ask) => {
        const now = await findOrder(ask, symbol, { orderId })
        const { status = 'NEW', origQty = '0', executedQty = '0' } = now ?? {}
        if (atomsOf(origQty) !== atomsOf(newQty)) return undefined
        return { amendedOrder: { status, qty: origQty, executedQty } }
      },
      without: `order ${orderId} had another quantity: not reduced.`,
    })
    return amended !== undefined
  }

  private async replace(order: OrderRow, price: string, quantity: string): Promise<boolean> {
    const { symbol, orderId } = order
    const id = newId()
    const params = {
      cancelReplaceMode: 'STOP_ON_FAILURE',
      cancelRestrictions: 'ONLY_NEW',
      cancelOrderId: orderId,
      newClientOrderId: id,
      ...this.like(order, price, quantity),
    }
    const replaced = await this.sender.send<ReplaceAnswer>({
      what: 'Replace',
      method: 'order.cancelReplace',
      params,
      outcomeOf: (answer) => replaceOutcome(this.assetsOf(symbol), answer),
      find: async (ask) => {
        const newOrderResponse = await findOrder(ask, symbol, { origClientOrderId: id })
        if (newOrderResponse === undefined) return undefined
        const cancelResponse = (await findClosed(ask, symbol, orderId)) ?? null
        const result = { cancelResult: 'SUCCESS', newOrderResult: 'SUCCESS' } as const
        return { ...result, cancelResponse, newOrderResponse }
      },
      without: `the exchange had no order ${id}: not replaced.`,
    })
    return replaced !== undefined
  }

  private like(order: OrderRow, price: string, quantity: string) {
    const found = this.symbolOf(order.symbol)
    return replacement(order, price, quantity, found?.defaultSelfTradePreventionMode)
  }

  private assetsOf(name: string): Assets {
    return this.symbolOf(name) ?? { baseAsset: '', quoteAsset: '' }
  }

  private symbolOf(name: string): MarketSymbol | undefined {
    return this.symbols().find(({ symbol }) => symbol === name)
  }
}

async function findClosed(
  ask: Ask,
  symbol: string,
  orderId: number,
): Promise<OrderAnswer | undefined> {
  const order = await findOrder(ask, symbol, { orderId })
  return order === undefined || isOpen({ status: order.status ?? 'NEW' }) ? undefined : order
}
