/**
 * What a client is shown adds up, on listings whose tick × lot is finer than an atom: amounts of fills
 * are those of orders, trades, reports, balances, tickers and klines.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BalanceText, balancesFrom, units } from '../../scripts/exchange/amounts.ts'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { Prng } from '../../src/base/prng.ts'
import { eventually } from '../fixtures/eventually.ts'
import type { Frame } from './frame-log.ts'
import { stageExchange } from './staged-exchange.ts'
import { Trader } from './trader.ts'

const SEED = 20_261_122
const ORDERS = 60
const random = new Prng(SEED)

/** In 10^-8: tick and step, and the middle of the prices in ticks. */
const listings = Array.from({ length: 8 }, (_, index) => {
  const tick = 10 ** random.between(2, 5) * random.pick([1, 1, 2, 5])
  const step = 10 ** random.between(3, 5)
  return { name: `SYMBOL${index}`, tick, step, middle: random.between(20, 5_000) }
})

const decimal = (amount: number): string => (amount / 1e8).toFixed(8)

function filtersOf({ tick, step }: (typeof listings)[number]) {
  const tickSize = decimal(tick)
  const stepSize = decimal(step)
  return [
    { filterType: 'PRICE_FILTER', minPrice: tickSize, maxPrice: decimal(tick * 1e5), tickSize },
    { filterType: 'LOT_SIZE', minQty: stepSize, maxQty: '1000', stepSize },
  ]
}

let exchange: ExchangeProcess
let traders: readonly Trader[]

beforeAll(async () => {
  const funds = { BASE: 1_000_000, QUOTE: 1_000_000 }
  const rates = { makerRate: 100_000, takerRate: 150_000 }
  exchange = await stageExchange(
    {
      assets: ['BASE', 'QUOTE'],
      symbols: listings.map((listing) => ({ name: listing.name, filters: filtersOf(listing) })),
      accounts: { one: { ...rates, funds }, two: { ...rates, funds }, three: { funds } },
    },
    ['--matchers', '2', '--gateways', '1'],
  )
  await exchange.run()
  traders = ['one', 'two', 'three'].map((name) => new Trader(exchange, name))
  await Promise.all(traders.map((trader) => trader.follow()))
})

afterAll(() => exchange?.remove())

const sum = (rows: readonly Frame[], field: string): bigint =>
  rows.reduce((total, row) => total + units(String(row[field])), 0n)

async function placeRandomly({ name, tick, step, middle }: (typeof listings)[number]) {
  const trader = random.pick(traders)
  const side = random.pick(['BUY', 'SELL'])
  const quantity = decimal(step * random.between(1, 900))
  const price = decimal(tick * (middle + random.between(-4, 4)))
  const kinds = [
    { type: 'LIMIT', timeInForce: 'GTC', price, quantity },
    { type: 'LIMIT', timeInForce: 'GTC', price, quantity },
    { type: 'LIMIT', timeInForce: 'IOC', price, quantity },
    { type: 'MARKET', quantity },
    { type: 'MARKET', quoteOrderQty: decimal(random.between(1, tick * step * 1e-5 * middle)) },
    {
      type: 'LIMIT',
      timeInForce: 'GTC',
      price,
      quantity: decimal(step * 90),
      icebergQty: decimal(step * random.between(10, 40)),
    },
  ]
  const params = { symbol: name, side, ...random.pick(kinds), selfTradePreventionMode: 'NONE' }
  const { body } = await trader.send('POST', '/api/v3/order', params)
  if (body.code !== undefined)
    expect([-2010, -1013, -1112], JSON.stringify(body)).toContain(body.code)
}

describe.each(listings)('$name: tick $tick, step $step', (listing) => {
  const { name } = listing

  test(`sums of ${ORDERS} orders, seed ${SEED}`, async () => {
    const before = await Promise.all(traders.map(accountOf))
    for (let order = 0; order < ORDERS; order++) await placeRandomly(listing)
    for (const trader of traders) {
      await trader.send('DELETE', '/api/v3/openOrders', { symbol: name })
    }
    for (const [index, trader] of traders.entries()) {
      const trades = (await trader.ask('GET', '/api/v3/myTrades', {
        symbol: name,
        limit: 1000,
      })) as unknown as Frame[]
      const after = await accountOf(trader)
      expect(changeOf(before[index]!, after)).toEqual(moved(trades))
      await expectOrders(trader, name, trades)
      await expectReports(trader, name, trades)
    }
    await expectMarket(name)
  })
})

async function accountOf(trader: Trader): Promise<Record<string, bigint>> {
  const { balances } = await trader.ask('GET', '/api/v3/account')
  const rows = Object.entries(balancesFrom(balances as BalanceText[]))
  return Object.fromEntries(rows.map(([asset, { free, locked }]) => [asset, free + locked]))
}

const changeOf = (before: Record<string, bigint>, after: Record<string, bigint>) =>
  ['BASE', 'QUOTE'].map((asset) => after[asset]! - before[asset]!)

/** What the trades moved of BASE and of QUOTE. */
function moved(trades: readonly Frame[]): bigint[] {
  let base = 0n
  let quote = 0n
  for (const trade of trades) {
    const sign = trade.isBuyer === true ? 1n : -1n
    base += sign * units(String(trade.qty))
    quote -= sign * units(String(trade.quoteQty))
    const commission = units(String(trade.commission))
    if (trade.commissionAsset === 'BASE') base -= commission
    else quote -= commission
  }
  return [base, quote]
}

async function expectOrders(trader: Trader, symbol: string, trades: readonly Frame[]) {
  const orders = (await trader.ask('GET', '/api/v3/allOrders', {
    symbol,
    limit: 1000,
  })) as unknown as Frame[]
  for (const order of orders) {
    const own = trades.filter(({ orderId }) => orderId === order.orderId)
    expect(units(String(order.cummulativeQuoteQty))).toBe(sum(own, 'quoteQty'))
    expect(units(String(order.executedQty))).toBe(sum(own, 'qty'))
  }
}

async function expectReports(trader: Trader, symbol: string, trades: readonly Frame[]) {
  const isOwn = ({ e, s }: Frame) => e === 'executionReport' && s === symbol
  const events = await trader.eventsUntil(
    (all) => all.filter((it) => isOwn(it) && it.x === 'TRADE').length >= trades.length,
  )
  const reports = events.filter(isOwn)
  expect(sum(reports, 'Y')).toBe(sum(trades, 'quoteQty'))
  const paid = new Map<unknown, bigint>()
  for (const { i, Y, Z } of reports) {
    paid.set(i, (paid.get(i) ?? 0n) + units(String(Y)))
    expect(units(String(Z))).toBe(paid.get(i))
  }
}

async function expectMarket(symbol: string) {
  const get = async (path: string) => (await fetch(`${exchange.url}${path}`)).json()
  const trades = (await get(`/api/v3/trades?symbol=${symbol}&limit=1000`)) as Frame[]
  const worth = sum(trades, 'quoteQty')
  expect(trades.length).toBeGreaterThan(0)
  const ticker = (await get(`/api/v3/ticker/24hr?symbol=${symbol}`)) as Frame
  expect(units(String(ticker.quoteVolume))).toBe(worth)
  await eventually('klines of all trades', async () => {
    const rows = (await get(`/api/v3/klines?symbol=${symbol}&interval=1M`)) as unknown[][]
    const volume = rows.reduce((total, row) => total + units(String(row[7])), 0n)
    return volume === worth ? true : undefined
  })
  const fine = trades.filter(
    ({ price, qty, quoteQty }) =>
      units(String(price)) * units(String(qty)) !== units(String(quoteQty)) * 100_000_000n,
  )
  for (const { price, qty, quoteQty } of fine) {
    const exact = units(String(price)) * units(String(qty))
    expect(exact / 100_000_000n).toBe(units(String(quoteQty)))
  }
}

test('some fills were rounded', () => {
  expect(listings.some(({ tick, step }) => (tick * step) % 1e8 !== 0)).toBe(true)
})
