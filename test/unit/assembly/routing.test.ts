/** Smart order routing of a whole exchange in this process: groups, answers, streams, history, over a start. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDataFolder } from '../../../scripts/audit/data-folder.ts'
import { exports } from '../../../scripts/audit/export-rows.ts'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { Activity } from '../../../src/archive/activity.ts'
import { archiveFolder } from '../../../src/archive/archive-folder.ts'
import { archiveOptions } from '../../../src/archive/tables.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange, ExchangeOptions } from '../../../src/assembly/options.ts'
import { Ms } from '../../../src/base/units.ts'
import { INDICATOR_WINDOW_MS } from '../../../src/history/trading-indicators.ts'
import { Environment } from '../../../src/journal/environment.ts'
import { act } from '../../e2e/admin-server.ts'
import { FrameLog } from '../../e2e/frame-log.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const quotes = ['USDT', 'USDC', 'USDP']
/** The symbols of faqs/sor_faq.md. */
const venue = `
assets = ["BTC", "USDT", "USDC", "USDP"]
${quotes
  .map(
    (quote) => `
[symbols.BTC${quote}]
base = "BTC"
quote = "${quote}"
template = "plain"
tick = "0.01"
step = "0.001"
price = "30000"
`,
  )
  .join('')}
[accounts.router]
[sors.BTC]
symbols = ["BTCUSDT", "BTCUSDC", "BTCUSDP"]
account = "router"
`
const rich = { BTC: '100', USDT: '1000000', USDC: '1000000', USDP: '1000000' }
const folder = folderPerTest()
let exchange: EmbeddedExchange

async function start(
  listed: Pick<ExchangeOptions, 'venue' | 'settings'> = { venue },
): Promise<void> {
  exchange = await startHere({
    folder: folder('data'),
    clock: 'virtual',
    ...listed,
    accounts: {
      alice: rich,
      bob: rich,
      router: { USDT: '1000000', USDC: '1000000', USDP: '1000000' },
    },
  })
}
beforeEach(() => start())
afterEach(() => exchange.close())

async function send(
  account: string,
  method: string,
  path: string,
  params: Record<string, string | number>,
) {
  const keys = { account, ...exchange.accounts[account]! }
  const client = new SignedClient(exchange.url, keys, () => exchange.clock.now())
  return (await client.send(method, `/api/v3/${path}`, params)).body
}
const limit = { type: 'LIMIT', timeInForce: 'GTC' }
async function placeBooks(): Promise<void> {
  for (const [symbol, quantity, price] of [
    ['BTCUSDT', 3, 30_800],
    ['BTCUSDT', 3, 30_500],
    ['BTCUSDC', 1, 30_000],
    ['BTCUSDC', 1, 28_000],
    ['BTCUSDP', 1, 35_000],
    ['BTCUSDP', 1, 29_000],
  ] as const) {
    const order = { symbol, side: 'SELL', ...limit, quantity, price }
    expect(await send('bob', 'POST', 'order', order)).toMatchObject({ status: 'NEW' })
  }
}
const order = { symbol: 'BTCUSDT', side: 'BUY', ...limit, quantity: 5, price: 31_000 }

test('the second example of the FAQ, as clients see it, over a start', async () => {
  await placeBooks()
  const timestamp = exchange.clock.now()
  const filled = await send('alice', 'POST', 'sor/order', { ...order, newClientOrderId: 'mine' })
  const fill = (price: string, qty: string, allocId: number) => ({
    matchType: 'ONE_PARTY_TRADE_REPORT',
    price,
    qty,
    commission: '0.00000000',
    commissionAsset: 'BTC',
    tradeId: -1,
    allocId,
  })
  expect(filled).toEqual({
    symbol: 'BTCUSDT',
    orderId: 4,
    orderListId: -1,
    clientOrderId: 'mine',
    transactTime: timestamp,
    price: '31000.00000000',
    origQty: '5.00000000',
    executedQty: '5.00000000',
    origQuoteOrderQty: '0.00000000',
    cummulativeQuoteQty: '148000.00000000',
    status: 'FILLED',
    timeInForce: 'GTC',
    type: 'LIMIT',
    side: 'BUY',
    workingTime: timestamp,
    fills: [
      fill('28000.00000000', '1.00000000', 0),
      fill('29000.00000000', '1.00000000', 1),
      fill('30000.00000000', '1.00000000', 2),
      fill('30500.00000000', '2.00000000', 3),
    ],
    workingFloor: 'SOR',
    selfTradePreventionMode: 'EXPIRE_MAKER',
    usedSor: true,
  })
  await exchange.close()
  await start()
  const found = await send('alice', 'GET', 'order', { symbol: 'BTCUSDT', orderId: 4 })
  expect(found).toMatchObject({ status: 'FILLED', workingFloor: 'SOR', usedSor: true })
  const allocations = await send('alice', 'GET', 'myAllocations', { symbol: 'BTCUSDT', orderId: 4 })
  expect(allocations).toHaveLength(4)
  expect((allocations as unknown as object[])[3]).toEqual({
    symbol: 'BTCUSDT',
    allocationId: 3,
    allocationType: 'SOR',
    orderId: 4,
    orderListId: -1,
    price: '30500.00000000',
    qty: '2.00000000',
    quoteQty: '61000.00000000',
    commission: '0.00000000',
    commissionAsset: 'BTC',
    time: timestamp,
    isBuyer: true,
    isMaker: false,
    isAllocator: false,
  })
  const from = { symbol: 'BTCUSDT', fromAllocationId: 1, limit: 2 }
  const ids = async (params: Record<string, string | number>) =>
    (
      (await send('alice', 'GET', 'myAllocations', params)) as unknown as { allocationId: number }[]
    ).map(({ allocationId }) => allocationId)
  expect(await ids(from)).toEqual([1, 2])
  expect(await ids({ symbol: 'BTCUSDT', limit: 3 })).toEqual([0, 1, 2])
  expect(await ids({ symbol: 'BTCUSDT', endTime: timestamp, limit: 3 })).toEqual([1, 2, 3])
  expect(await ids({ symbol: 'BTCUSDT', startTime: timestamp + 1 })).toEqual([])
  expect(await ids({ symbol: 'BTCUSDT', orderId: 4, fromAllocationId: 2 })).toEqual([2, 3])
  expect(await send('alice', 'GET', 'myTrades', { symbol: 'BTCUSDT' })).toEqual([])
})

test('exchangeInfo names the group, and a group ends with a start', async () => {
  const info = async () => (await exchange.fetch('/api/v3/exchangeInfo')).json()
  const sors = [{ baseAsset: 'BTC', symbols: ['BTCUSDT', 'BTCUSDC', 'BTCUSDP'] }]
  expect(await info()).toMatchObject({ sors })
  const admin = { data: exchange.folder, adminPort: Number(new URL(exchange.adminUrl).port) }
  await act(admin, 'sor-group', { base: 'BTC', symbols: 'none' })
  expect(await info()).toMatchObject({ sors })
  await exchange.close()
  await start({})
  expect(await info()).not.toHaveProperty('sors')
  expect(await send('alice', 'POST', 'sor/order', order)).toMatchObject({
    code: -2010,
    msg: 'SOR orders are not supported for this symbol.',
  })
})

test('streams show each allocation, and the trade in its own symbol', async () => {
  await placeBooks()
  const key = await exchange.fetch('/api/v3/userDataStream', {
    method: 'POST',
    headers: { 'X-MBX-APIKEY': exchange.accounts.alice!.apiKey },
  })
  const { listenKey } = (await key.json()) as { listenKey: string }
  const user = await FrameLog.open(`${exchange.wsUrl}/ws/${listenKey}`)
  const trades = await FrameLog.open(`${exchange.wsUrl}/stream?streams=btcusdt@trade/btcusdc@trade`)
  await send('alice', 'POST', 'sor/order', { ...order, quantity: 0.5 })
  const [report] = await user.atLeast(1, 'a fill', ({ x }) => x === 'TRADE')
  expect(report).toMatchObject({
    s: 'BTCUSDT',
    X: 'FILLED',
    l: '0.50000000',
    L: '28000.00000000',
    t: -1,
    Y: '14000.00000000',
    m: false,
    M: true,
    b: 'ONE_PARTY_TRADE_REPORT',
    a: 0,
    k: 'SOR',
    uS: true,
  })
  const [position] = await user.atLeast(1, 'balances', ({ e }) => e === 'outboundAccountPosition')
  expect(position!.B).toEqual([
    { a: 'BTC', f: '100.50000000', l: '0.00000000' },
    { a: 'USDT', f: '986000.00000000', l: '0.00000000' },
  ])
  const [trade] = await trades.atLeast(1, 'a trade', () => true)
  expect(trade).toMatchObject({ stream: 'btcusdc@trade', data: { p: '28000.00000000' } })
  expect(trades.frames).toHaveLength(1)
  user.close()
  trades.close()
})

test('what rests is on the floor of its own book, and is canceled there', async () => {
  await placeBooks()
  const rested = await send('alice', 'POST', 'sor/order', { ...order, price: 29_500, quantity: 3 })
  expect(rested).toMatchObject({ status: 'PARTIALLY_FILLED', executedQty: '2.00000000' })
  expect(rested).toMatchObject({ workingFloor: 'EXCHANGE', usedSor: true })
  const { orderId } = rested as { orderId: number }
  const open = await send('alice', 'GET', 'openOrders', { symbol: 'BTCUSDT' })
  expect(open).toMatchObject([{ orderId, workingFloor: 'EXCHANGE', usedSor: true }])
  const canceled = await send('alice', 'DELETE', 'order', { symbol: 'BTCUSDT', orderId })
  expect(canceled).toMatchObject({ workingFloor: 'EXCHANGE', usedSor: true })
})

test('prevention across symbols names both', async () => {
  const mine = { symbol: 'BTCUSDC', side: 'SELL', ...limit, quantity: 1, price: 27_000 }
  await send('alice', 'POST', 'order', mine)
  await placeBooks()
  const filled = await send('alice', 'POST', 'sor/order', { ...order, quantity: 1 })
  expect(filled).toMatchObject({
    status: 'FILLED',
    preventedMatches: [
      {
        preventedMatchId: 0,
        makerOrderId: 1,
        price: '27000.00000000',
        makerPreventedQuantity: '1.00000000',
      },
    ],
  })
  const { orderId } = filled as { orderId: number }
  const matches = await send('alice', 'GET', 'myPreventedMatches', { symbol: 'BTCUSDT', orderId })
  expect(matches).toMatchObject([{ symbol: 'BTCUSDT', makerSymbol: 'BTCUSDC', makerOrderId: 1 }])
  expect(await send('alice', 'GET', 'order', { symbol: 'BTCUSDC', orderId: 1 })).toMatchObject({
    status: 'EXPIRED_IN_MATCH',
  })
})

test("a match across symbols is none of the order with the maker's id in the taker's symbol", async () => {
  const resting = { side: 'BUY', ...limit, quantity: 1, price: 20_000 }
  await send('alice', 'POST', 'order', { symbol: 'BTCUSDT', ...resting })
  const mine = { symbol: 'BTCUSDC', ...resting, side: 'SELL', price: 27_000 }
  expect(await send('alice', 'POST', 'order', mine)).toMatchObject({ orderId: 1 })
  await send('alice', 'POST', 'sor/order', order)
  const matchesOf = (orderId: number) =>
    send('alice', 'GET', 'myPreventedMatches', { symbol: 'BTCUSDT', orderId })
  expect(await matchesOf(2)).toHaveLength(1)
  expect(await matchesOf(1)).toEqual([])
})

test('MIN_NOTIONAL of a MARKET order goes by the best price of the group before the first trade', async () => {
  for (const [symbol, price] of [
    ['BTCUSDT', 9_000],
    ['BTCUSDC', 1_000],
  ] as const) {
    await send('bob', 'POST', 'order', { symbol, side: 'SELL', ...limit, quantity: 1, price })
  }
  const market = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET' }
  const buy = (quantity: number) => send('alice', 'POST', 'sor/order', { ...market, quantity })
  expect(await buy(0.004)).toMatchObject({ code: -1013, msg: 'Filter failure: MIN_NOTIONAL' })
  expect(await buy(0.005)).toMatchObject({ status: 'FILLED', cummulativeQuoteQty: '5.00000000' })
})

test('an export has each allocation, whose commission the exchange received', async () => {
  const admin = { data: exchange.folder, adminPort: Number(new URL(exchange.adminUrl).port) }
  await act(admin, 'account-fees', { account: 'alice', maker: '0', taker: '0.001' })
  await placeBooks()
  await send('alice', 'POST', 'sor/order', order)
  await exchange.close()
  const data = await openDataFolder(folder('data'))
  const [first, ...others] = exports.allocations!.rows(data, () => {})
  expect(first).toMatchObject({
    ...{ symbol: 'BTCUSDT', allocationId: 0, price: '28000.00000000', quantity: '1.00000000' },
    ...{ quoteQuantity: '28000.00000000', side: 'BUY', account: 'alice', orderId: 4 },
    ...{ commission: '0.00100000', commissionAsset: 'BTC' },
    ...{ sourceSymbol: 'BTCUSDC', sourceTradeId: 1, sourceAccount: 'router' },
  })
  expect(others).toHaveLength(3)
  const [mine] = [...exports.orders!.rows(data, () => {})].filter(
    ({ account }) => account === 'alice',
  )
  expect(mine).toMatchObject({ orderId: 4, executedQuantity: '5.00000000', status: 'FILLED' })
  const moves = [...exports.ledger!.rows(data, () => {})]
  const received = moves.filter(
    ({ cause, account }) => cause === 'Allocation' && account === 'exchange',
  )
  const paid = [first!, ...others].map(({ commission }) => commission)
  expect(received.map(({ free }) => free)).toEqual(paid)
})

test('an order that got an allocation and then traded counts as one with fills', async () => {
  await placeBooks()
  await send('alice', 'POST', 'sor/order', { ...order, price: 29_500, quantity: 3 })
  const sold = { symbol: 'BTCUSDT', side: 'SELL', ...limit, quantity: 0.5, price: 29_500 }
  expect(await send('bob', 'POST', 'order', sold)).toMatchObject({ status: 'FILLED' })
  const { uid } = (await send('alice', 'GET', 'account', {})) as unknown as { uid: number }
  const placedMs = exchange.clock.now()
  await exchange.clock.advance('1m')
  await exchange.close()
  const environment = new Environment(archiveOptions(archiveFolder(folder('data'))))
  const tallies = new Activity(environment).window(Ms(placedMs + INDICATOR_WINDOW_MS))
  environment.close()
  const own = tallies.filter(({ account }) => account === uid)
  expect(own).toMatchObject([{ tally: { orders: 1, filled: 1 } }])
})

test('the archive drops a match across symbols with its taker, for both owners', async () => {
  await exchange.close()
  await start({ venue, settings: { 'keep-order-days': 1 } })
  const admin = { data: exchange.folder, adminPort: Number(new URL(exchange.adminUrl).port) }
  for (const account of ['alice', 'bob']) {
    await act(admin, 'account-trade-group', { account, 'trade-group': 7 })
  }
  await placeBooks()
  await send('alice', 'POST', 'sor/order', { ...order, timeInForce: 'IOC' })
  const match = () =>
    send('bob', 'GET', 'myPreventedMatches', { symbol: 'BTCUSDT', preventedMatchId: 0 })
  expect(await match()).toMatchObject([{ makerSymbol: 'BTCUSDC', tradeGroupId: 7 }])
  await exchange.clock.advance('3d')
  await eventually('its end', async () => JSON.stringify(await match()) === '[]' || undefined)
})
