/** Filters that count what an account has open (filters.md), counted again each time. */
import { OrderPhase, RejectReason, Side } from '../../src/base/codes.ts'
import { exchangeBounds } from '../../src/market/filter-bounds.ts'
import type { PlainMarket } from './plain-market.ts'
import { isStop, type PlainOrder } from './plain-order.ts'

interface Open {
  readonly orders: number
  readonly algoOrders: number
  readonly icebergs: number
  readonly lists: number
}

function openOf(orders: readonly PlainOrder[], lists: number): Open {
  const isAlgo = (it: PlainOrder) => isStop(it.type) && it.phase !== OrderPhase.WORKING
  return {
    orders: orders.length,
    algoOrders: orders.filter(isAlgo).length,
    icebergs: orders.filter((it) => it.icebergLots > 0n).length,
    lists,
  }
}

function openOn(market: PlainMarket, account: number): Open {
  const lists = market.state.lists.filter((list) => list.account === account)
  return openOf(market.ofAccount(account), lists.length)
}

function sum(all: readonly Open[]): Open {
  const of = (what: keyof Open) => all.reduce((total, open) => total + open[what], 0)
  return {
    orders: of('orders'),
    algoOrders: of('algoOrders'),
    icebergs: of('icebergs'),
    lists: of('lists'),
  }
}

/**
 * Why these orders, and a list of them if `lists` is 1, would be too many; 0 when they are not. What
 * is bought by quote amount is judged against MAX_POSITION later, when its quantity is known.
 */
export function refuseCounts(
  market: PlainMarket,
  account: number,
  wished: readonly PlainOrder[],
  lists: number,
): number {
  const { bounds } = market.spec
  const asked = openOf(wished, lists)
  const here = sum([openOn(market, account), asked])
  const isOver = (what: keyof Open, all: Open, most: number) => asked[what] > 0 && all[what] > most
  if (isOver('orders', here, bounds.ordersMax)) return RejectReason.MAX_NUM_ORDERS
  if (isOver('algoOrders', here, bounds.algoOrdersMax)) return RejectReason.MAX_NUM_ALGO_ORDERS
  if (isOver('icebergs', here, bounds.icebergOrdersMax)) return RejectReason.MAX_NUM_ICEBERG_ORDERS
  if (isOver('lists', here, bounds.orderListsMax)) return RejectReason.MAX_NUM_ORDER_LISTS
  const isSized = wished.every(({ quoteAtoms }) => quoteAtoms === 0)
  if (isSized && isPositionOver(market, wished)) return RejectReason.MAX_POSITION
  const everywhere = sum([...market.world.markets.map((it) => openOn(it, account)), asked])
  const most = exchangeBounds(market.world.exchange.filters, refuse)
  const ownMax = market.world.accounts[account]!.limits?.openOrders
  if (isOver('orders', everywhere, ownMax ?? most.ordersMax))
    return RejectReason.EXCHANGE_MAX_NUM_ORDERS
  if (isOver('algoOrders', everywhere, most.algoOrdersMax)) {
    return RejectReason.EXCHANGE_MAX_NUM_ALGO_ORDERS
  }
  if (isOver('icebergs', everywhere, most.icebergOrdersMax)) {
    return RejectReason.EXCHANGE_MAX_NUM_ICEBERG_ORDERS
  }
  if (isOver('lists', everywhere, most.orderListsMax)) {
    return RejectReason.EXCHANGE_MAX_NUM_ORDER_LISTS
  }
  return 0
}

function refuse(why: string): never {
  throw new RangeError(why)
}

/** What the account owns of the base and bids for, these orders included, against MAX_POSITION. */
export function isPositionOver(market: PlainMarket, wished: readonly PlainOrder[]): boolean {
  const { spec, world, matcher } = market
  const most = spec.bounds.positionLotsMax
  if (most === Number.POSITIVE_INFINITY) return false
  if (!wished.some(({ side }) => side === Side.BUY)) return false
  const { account } = wished[0]!
  const bids = [...market.ofAccount(account), ...wished].filter(({ side }) => side === Side.BUY)
  const bidLots = bids.reduce((lots, order) => lots + order.open, 0n)
  const owned = world.ledger.owned(matcher, account, spec.base.id)
  const perLot = BigInt(spec.atomsPerLot)
  return owned + bidLots * perLot > BigInt(most) * perLot
}
