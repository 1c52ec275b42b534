/** Commands of the large venue. */

import { noExtras } from '../../../bench/workloads/no-extras.ts'
import {
  DETAILED,
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../../src/base/codes.ts'
import {
  type AccountId,
  Lots,
  Ms,
  type OrderId,
  QuoteAtoms,
  SymbolId,
  Ticks,
} from '../../../src/base/units.ts'
import type { Command } from '../commands.ts'
import { MIDDLE_TICKS } from './venue-listing.ts'

const PREVENTION = SelfTradePrevention.EXPIRE_MAKER
/** Orders placed so far, so that each has its own client order id. */
let placed = 0
const noCaller = { gateway: -1, correlation: 0 } as const

/** Each field is named: to spread objects here takes half of all the time. */
export function limitOrder(
  symbolId: SymbolId,
  account: AccountId,
  side: Side,
  priceTicks: Ticks,
  lots: Lots,
  timeInForce: TimeInForce = TimeInForce.GTC,
): Command & { readonly name: 'PlaceOrder' } {
  const record = {
    symbolId,
    gateway: -1,
    correlation: 0,
    account,
    terms: packTerms(side, OrderType.LIMIT, timeInForce, PREVENTION),
    priceTicks,
    lots,
    clientOrderId: `v-${++placed}`,
    quoteAtoms: QuoteAtoms(0),
    expiresMs: Ms(0),
    ...noExtras,
  }
  return { name: 'PlaceOrder', record }
}

/** The index-th order of a deep book: one lot at its own level, on each side in turn. */
export function deepOrder(symbolId: SymbolId, account: AccountId, index: number): Command {
  const side = (index % 2) as Side
  const away = 1 + (index >> 1)
  const priceTicks = side === Side.BUY ? MIDDLE_TICKS - away : MIDDLE_TICKS + away
  return limitOrder(symbolId, account, side, Ticks(priceTicks), Lots(1))
}

/** Sells `lots`, one at a time shown. */
export function iceberg(
  symbolId: SymbolId,
  account: AccountId,
  priceTicks: Ticks,
  lots: Lots,
): Command {
  const { name, record } = limitOrder(symbolId, account, Side.SELL, priceTicks, lots)
  return { name, record: { ...record, terms: record.terms | DETAILED, icebergLots: Lots(1) } }
}

/** Sells a lot at `priceTicks` once the price falls to `stopTicks`. */
export function stopOrder(
  symbolId: SymbolId,
  account: AccountId,
  priceTicks: Ticks,
  stopTicks: Ticks,
): Command {
  const { name, record } = limitOrder(symbolId, account, Side.SELL, priceTicks, Lots(1))
  const terms = packTerms(Side.SELL, OrderType.STOP_LOSS_LIMIT, TimeInForce.GTC, PREVENTION)
  return { name, record: { ...record, terms: terms | DETAILED, stopTicks } }
}

export function cancelAll(symbolId: SymbolId, account: AccountId): Command {
  const record = {
    ...noCaller,
    symbolId,
    account,
    spare: 0,
    expiresMs: Ms(0),
    clientOrderId: 'all',
  }
  return { name: 'CancelOpenOrders', record }
}

export function openOrdersPage(
  symbolId: SymbolId,
  account: AccountId,
  afterOrderId: OrderId,
  untilOrderId: OrderId,
  limit: number,
): Command {
  const page = { account, limit, afterOrderId, untilOrderId }
  return { name: 'QueryOpenOrders', record: { ...noCaller, symbolId: SymbolId(symbolId), ...page } }
}
