/**
 * Accounts that do everything at once, by chance: orders of every type, lists, replacements,
 * amendments and cancels under every prevention mode. Whatever came of it, everything that can be
 * asked agrees: one order with all orders and open ones, lists with their legs, the user streams with
 * all of them, the book with the orders in it, the money with what was deposited; and again after
 * kill -9.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Balance,
  type BalanceText,
  balancesFrom,
  units,
} from '../../scripts/exchange/amounts.ts'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { Prng } from '../../src/base/prng.ts'
import { eventually } from '../fixtures/eventually.ts'
import type { Frame } from './frame-log.ts'
import { randomRequest } from './random-requests.ts'
import { lotSize, priceFilter, stageExchange } from './staged-exchange.ts'
import { Trader } from './trader.ts'

const SEED = 20_262
const REQUESTS = 400
const SYMBOLS = ['PLAIN', 'ICEBERGS']
const ACCOUNTS = ['one', 'two', 'three']
const FUNDS = 1000n
/** Refusals that chance may meet: filters, the engine's, and what replacements make of them. */
const REFUSALS = new Set([-1013, -1112, -2010, -2011, -2021, -2022, -2038])
const OPEN = new Set(['NEW', 'PARTIALLY_FILLED', 'PENDING_NEW'])

let exchange: ExchangeProcess
const traders: Trader[] = []

beforeAll(async () => {
  const filters = [
    { ...priceFilter, tickSize: '1.00000000', minPrice: '1.00000000' },
    { ...lotSize, stepSize: '1.00000000', minQty: '1.00000000' },
  ]
  const funds = { BTC: Number(FUNDS), USDT: 100 * Number(FUNDS) }
  exchange = await stageExchange(
    {
      assets: ['BTC', 'USDT'],
      symbols: SYMBOLS.map((name) => ({ name, filters })),
      accounts: {
        one: { funds, tradeGroupId: 7 },
        two: { funds, tradeGroupId: 7 },
        three: { funds, makerRate: 100_000, takerRate: 200_000 },
      },
    },
    ['--matchers', '2', '--gateways', '2'],
  )
  await exchange.run()
  traders.push(...ACCOUNTS.map((name) => new Trader(exchange, name)))
})
afterAll(() => exchange?.remove())

test('everything that can be asked agrees, before and after kill -9', async () => {
  for (const trader of traders) await trader.follow()
  const prng = new Prng(SEED)
  const refused = await Promise.all(traders.map((trader) => act(trader, new Prng(prng.uint32()))))
  // Most of it is taken, and some of it is not.
  for (const codes of refused) expect(codes.length).toBeLessThan(REQUESTS / 2)

  const before: Owned[] = []
  for (const trader of traders) before.push(await expectAgreement(trader))
  await expectMoney()
  await expectBook()
  for (const [index, trader] of traders.entries()) await expectStream(trader, before[index]!)

  await Promise.all(traders.map((trader) => trader.leave()))
  await exchange.stop('SIGKILL')
  await exchange.run()
  for (const [index, trader] of traders.entries())
    expect(await expectAgreement(trader)).toEqual(before[index])
  await expectMoney()
  await expectBook()
})

/** One account's day; the codes of what was refused. */
async function act(trader: Trader, prng: Prng): Promise<number[]> {
  const refused: number[] = []
  for (let count = 0; count < REQUESTS; count++) {
    const symbol = prng.pick(SYMBOLS)
    const open = (await trader.ask('GET', '/api/v3/openOrders', { symbol })) as unknown as Frame[]
    const request = randomRequest(prng, symbol, symbol === 'ICEBERGS', open)
    const { method, path, params } = request
    const { status, body } = await trader.send(method, path, params)
    if (status === 200) continue
    const said = `${method} ${path} ${JSON.stringify(params)}: ${status} ${JSON.stringify(body)}`
    expect(REFUSALS.has(Number(body.code)), said).toBe(true)
    refused.push(Number(body.code))
  }
  return refused
}

interface Owned {
  readonly orders: readonly Frame[]
  readonly lists: readonly Frame[]
}

/** What the account receives of its orders and lists, from all sources. */
async function expectAgreement(trader: Trader): Promise<Owned> {
  const orders: Frame[] = []
  for (const symbol of SYMBOLS) {
    const all: Frame[] = []
    for (let orderId = 0; ; ) {
      const query = { symbol, orderId, limit: 1000 }
      const page = (await trader.ask('GET', '/api/v3/allOrders', query)) as unknown as Frame[]
      all.push(...page)
      if (page.length < 1000) break
      orderId = Number(page.at(-1)?.orderId) + 1
    }
    for (const order of all) expect(await trader.order(symbol, order.orderId)).toEqual(order)
    const open = await trader.ask('GET', '/api/v3/openOrders', { symbol })
    expect(open).toEqual(all.filter(({ status }) => OPEN.has(String(status))))
    orders.push(...all)
  }
  const lists = (await trader.ask('GET', '/api/v3/allOrderList')) as unknown as Frame[]
  const executing = lists.filter(({ listOrderStatus }) => listOrderStatus === 'EXECUTING')
  expect(await trader.ask('GET', '/api/v3/openOrderList')).toEqual(executing)
  for (const list of lists) {
    const { orderListId } = list
    const query = { orderListId: Number(orderListId) }
    expect(await trader.ask('GET', '/api/v3/orderList', query)).toEqual(list)
    const legs = orders.filter((order) => order.orderListId === orderListId)
    expect(legs.map(({ orderId }) => orderId)).toEqual(
      (list.orders as Frame[]).map(({ orderId }) => orderId),
    )
    const isOpen = legs.some(({ status }) => OPEN.has(String(status)))
    expect(list.listOrderStatus, JSON.stringify(legs)).toBe(isOpen ? 'EXECUTING' : 'ALL_DONE')
  }
  return { orders, lists }
}

/** Balances and all commissions together are what was deposited; nothing is locked without an owner. */
async function expectMoney(): Promise<void> {
  const total: Record<string, bigint> = { BTC: 0n, USDT: 0n }
  const add = (asset: unknown, amount: bigint) => {
    total[String(asset)] = (total[String(asset)] ?? 0n) + amount
  }
  for (const trader of traders) {
    const balances = await trader.balances()
    for (const [asset, { free, locked }] of Object.entries(balances)) {
      expect(free.startsWith('-') || locked.startsWith('-')).toBe(false)
      add(asset, units(free) + units(locked))
    }
    for (const symbol of SYMBOLS) {
      const query = { symbol, fromId: 0, limit: 1000 }
      const trades = (await trader.ask('GET', '/api/v3/myTrades', query)) as unknown as Frame[]
      expect(trades.length).toBeLessThan(1000)
      for (const { commission, commissionAsset } of trades)
        add(commissionAsset, units(String(commission)))
    }
  }
  const deposited = FUNDS * BigInt(ACCOUNTS.length) * 100_000_000n
  expect(total).toEqual({ BTC: deposited, USDT: 100n * deposited })
}

/** Without icebergs, a level is what its working orders have left. */
async function expectBook(): Promise<void> {
  const [symbol] = SYMBOLS as [string]
  const expected: Record<string, Record<string, bigint>> = { BUY: {}, SELL: {} }
  for (const trader of traders) {
    const open = (await trader.ask('GET', '/api/v3/openOrders', { symbol })) as unknown as Frame[]
    for (const order of open.filter(({ isWorking }) => isWorking === true)) {
      const left = ['origQty', 'executedQty', 'preventedQuantity'].map((name) =>
        units(String(order[name] ?? '0')),
      ) as [bigint, bigint, bigint]
      const side = expected[String(order.side)] as Record<string, bigint>
      const price = String(order.price)
      side[price] = (side[price] ?? 0n) + left[0] - left[1] - left[2]
    }
  }
  await eventually('a book of the working orders', async () => {
    const response = await fetch(`${exchange.url}/api/v3/depth?symbol=${symbol}&limit=1000`)
    const depth = (await response.json()) as Record<string, [string, string][]>
    const levels = (rows: [string, string][] = []) =>
      Object.fromEntries(rows.map(([price, quantity]) => [price, units(quantity)]))
    const found = { BUY: levels(depth.bids), SELL: levels(depth.asks) }
    return JSON.stringify(sorted(found)) === JSON.stringify(sorted(expected)) || undefined
  })
}

const sorted = (sides: Record<string, Record<string, bigint>>) =>
  Object.entries(sides).map(([side, levels]) => [
    side,
    Object.entries(levels)
      .map(([price, quantity]) => `${price} ${quantity}`)
      .sort(),
  ])

/** The last report of each order is how the order stands, and positions add up to the balances. */
async function expectStream(trader: Trader, { orders, lists }: Owned): Promise<void> {
  const { balances } = await trader.ask('GET', '/api/v3/account')
  const owned = balancesFrom(balances as BalanceText[])
  const events = await trader.eventsUntil((all) => {
    const told: Record<string, Balance> = {}
    for (const { e, B } of all) {
      if (e !== 'outboundAccountPosition') continue
      for (const { a, f, l } of B as { a: string; f: string; l: string }[])
        told[a] = { free: units(f), locked: units(l) }
    }
    return Object.entries(owned).every(
      ([asset, { free, locked }]) => told[asset]?.free === free && told[asset]?.locked === locked,
    )
  })
  const reports = new Map<string, Frame>()
  for (const event of events.filter(({ e, x }) => e === 'executionReport' && x !== 'REJECTED'))
    reports.set(`${event.s} ${event.i}`, event)
  for (const order of orders) {
    const report = reports.get(`${order.symbol} ${order.orderId}`) as Frame
    expect(shown(report), JSON.stringify(order)).toEqual(stands(order))
  }
  expect(reports.size).toBe(orders.length)
  const states = new Map<unknown, Frame>()
  for (const event of events.filter(({ e }) => e === 'listStatus')) states.set(event.g, event)
  for (const list of lists) {
    expect(states.get(list.orderListId)).toMatchObject({
      l: list.listStatusType,
      L: list.listOrderStatus,
      C: list.listClientOrderId,
    })
  }
}

const stands = (order: Frame): Frame => ({
  clientOrderId: order.clientOrderId,
  status: order.status,
  origQty: order.origQty,
  executedQty: order.executedQty,
  cummulativeQuoteQty: order.cummulativeQuoteQty,
  price: order.price,
  stopPrice: order.stopPrice,
  icebergQty: order.icebergQty,
  side: order.side,
  type: order.type,
  timeInForce: order.timeInForce,
  orderListId: order.orderListId,
  mode: order.selfTradePreventionMode,
  time: order.time,
  workingTime: order.workingTime === -1 ? undefined : order.workingTime,
  expiryReason: order.expiryReason,
  trailingDelta: order.trailingDelta,
  strategyId: order.strategyId,
  strategyType: order.strategyType,
})

const shown = (report: Frame): Frame => ({
  clientOrderId: report.c,
  status: report.X,
  origQty: report.q,
  executedQty: report.z,
  cummulativeQuoteQty: report.Z,
  price: report.p,
  stopPrice: report.P,
  icebergQty: report.F,
  side: report.S,
  type: report.o,
  timeInForce: report.f,
  orderListId: report.g,
  mode: report.V,
  time: report.O,
  workingTime: report.W,
  expiryReason: report.eR,
  trailingDelta: report.d,
  strategyId: report.j,
  strategyType: report.J,
})
