/**
 * The archive, judged by the journaled events: every order, trade, deposit and withdrawal of every account, and nothing
 * else.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { OrderPhase, OrderStatus } from '../../../src/base/codes.ts'
import { Lots, Ms, QuoteAtoms } from '../../../src/base/units.ts'
import type {
  DepositRow,
  OrderRow,
  TradeRow,
  WithdrawalRow,
} from '../../../src/history/account-history.ts'
import type { PublicTradeRow } from '../../../src/history/market-history.ts'
import type { PlainOrder } from '../../model/plain-order.ts'
import type { NamedRecord } from '../records.ts'
import type { FalseHistory } from './false-history.ts'
import type { ExchangeTwin } from './twin.ts'

/** The most that one query is answered with. */
const LIMIT = 1000

interface PastOrder {
  readonly orderId: number
  filledLots: Lots
  filledAtoms: QuoteAtoms
  status: number
  clientOrderId: string
}

interface PastTrade {
  readonly tradeId: number
  readonly orderId: number
  readonly lots: Lots
  readonly isMaker: boolean
}

/** Returns how many orders were compared. Nothing may be on its way to the archive. */
export function checkPast(history: FalseHistory, twin: ExchangeTwin): number {
  let compared = 0
  for (const { spec, state } of twin.symbols) {
    const symbolId = spec.id
    const events = twin.events[symbolId]!
    const trades = events.filter(({ name }) => name === 'Trade')
    const told = history.now('publicTrades', { symbolId, limit: LIMIT }) as PublicTradeRow[]
    deepStrictEqual(
      told.map(({ tradeId, priceTicks, lots }) => ({ tradeId, priceTicks, lots })),
      trades.slice(-LIMIT).map(({ tradeId, priceTicks, tradeLots }) => {
        return { tradeId, priceTicks, lots: tradeLots }
      }),
      `the archived trades of ${spec.name}`,
    )
    const orders = ordersOf(events, state.orders)
    for (const { id: account } of twin.world.accounts) {
      const query = { account, symbolId, limit: LIMIT }
      const rows = history.now('allOrders', query) as OrderRow[]
      const own = orders.get(account) ?? []
      deepStrictEqual(rows.map(shownOrder), own.slice(-LIMIT), `archived orders of ${account}`)
      const mine = history.now('myTrades', query) as TradeRow[]
      deepStrictEqual(
        mine.map(({ tradeId, orderId, lots, isMaker }) => ({ tradeId, orderId, lots, isMaker })),
        tradesOf(account, trades).slice(-LIMIT),
        `archived trades of ${account}`,
      )
      compared += rows.length
    }
  }
  for (const { id: account } of twin.world.accounts) checkTransfers(account, history, twin)
  return compared
}

function checkTransfers(account: number, history: FalseHistory, { wallet }: ExchangeTwin): void {
  const endTime = Ms(Number.MAX_SAFE_INTEGER)
  const query = { account, startTime: Ms(0), endTime, offset: 0, limit: LIMIT }
  const newestFirst = <Row extends { readonly id: number; readonly account: number }>(
    rows: readonly Row[],
  ) => rows.filter((row) => row.account === account).reverse()
  const deposits = history.now('deposits', query) as DepositRow[]
  deepStrictEqual(
    deposits.map(({ depositId, status }) => [depositId, status]),
    newestFirst(wallet.plain.deposits).map(({ id, status }) => [id, status]),
    `archived deposits of ${account}`,
  )
  const withdrawals = history.now('withdrawals', query) as WithdrawalRow[]
  deepStrictEqual(
    withdrawals.map(({ withdrawalId, status, txId }) => [withdrawalId, status, txId]),
    newestFirst(wallet.plain.withdrawals).map(({ id, status, txId }) => [id, status, txId]),
    `archived withdrawals of ${account}`,
  )
}

const shownOrder = (row: OrderRow): PastOrder => ({
  orderId: row.orderId,
  filledLots: row.filledLots,
  filledAtoms: row.filledAtoms,
  status: row.status,
  clientOrderId: row.clientOrderId,
})

/** By account, by id. */
function ordersOf(
  events: readonly NamedRecord[],
  open: readonly PlainOrder[],
): ReadonlyMap<number, readonly PastOrder[]> {
  const all = new Map<number, PastOrder>()
  const ofAccounts = new Map<number, PastOrder[]>()
  const filled = (orderId: unknown, lots: unknown, atoms: unknown) => {
    const order = all.get(orderId as number)!
    order.filledLots = Lots(lots as number)
    order.filledAtoms = QuoteAtoms(atoms as number)
  }
  for (const event of events) {
    const orderId = event.orderId as number
    if (event.name === 'OrderAccepted') {
      const clientOrderId = event.clientOrderId as string
      const status = OrderStatus.FILLED
      const order = {
        orderId,
        filledLots: Lots(0),
        filledAtoms: QuoteAtoms(0),
        status,
        clientOrderId,
      }
      all.set(orderId, order)
      const own = ofAccounts.get(event.account as number)
      if (own === undefined) ofAccounts.set(event.account as number, [order])
      else own.push(order)
    } else if (event.name === 'Trade') {
      filled(event.takerOrderId, event.takerFilledLots, event.takerFilledAtoms)
      filled(event.makerOrderId, event.makerFilledLots, event.makerFilledAtoms)
    } else if (event.name === 'OrderAmended' || event.name === 'OrderClosed') {
      all.get(orderId)!.clientOrderId = event.clientOrderId as string
      if (event.name === 'OrderClosed') all.get(orderId)!.status = event.status as number
    }
  }
  for (const order of open) all.get(order.orderId)!.status = openStatus(order)
  return ofAccounts
}

function openStatus({ phase, filled }: PlainOrder): number {
  if (phase === OrderPhase.PENDING) return OrderStatus.PENDING_NEW
  return filled > 0n ? OrderStatus.PARTIALLY_FILLED : OrderStatus.NEW
}

/** Both sides of what an account traded with itself. */
function tradesOf(account: number, trades: readonly NamedRecord[]): readonly PastTrade[] {
  return trades.flatMap((trade) => {
    const tradeId = trade.tradeId as number
    const lots = trade.tradeLots as number
    const sides: PastTrade[] = []
    if (trade.takerAccount === account) {
      sides.push({
        tradeId,
        lots: Lots(lots),
        orderId: trade.takerOrderId as number,
        isMaker: false,
      })
    }
    if (trade.makerAccount === account) {
      sides.push({
        tradeId,
        lots: Lots(lots),
        orderId: trade.makerOrderId as number,
        isMaker: true,
      })
    }
    return sides.map(({ tradeId: id, orderId, lots: size, isMaker }) => {
      return { tradeId: id, orderId, lots: size, isMaker }
    })
  })
}
