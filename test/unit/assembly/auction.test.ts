/** Calls, auctions and interruptions of a whole exchange in this process, as clients and operators see them. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange } from '../../../src/assembly/options.ts'
import { act } from '../../e2e/admin-server.ts'
import { FrameLog } from '../../e2e/frame-log.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const SYMBOL = 'BTCUSDT'
const folder = folderPerTest()
let exchange: EmbeddedExchange
beforeEach(async () => {
  await start()
})
afterEach(() => exchange.close())

async function start(): Promise<void> {
  exchange = await startHere({
    folder: folder('data'),
    clock: 'virtual',
    accounts: { buyer: { USDT: '1000000' }, seller: { BTC: '100' } },
  })
}

const operate = (name: string, given: object = {}) =>
  act({ data: exchange.folder, adminPort: Number(new URL(exchange.adminUrl).port) }, name, {
    symbol: SYMBOL,
    ...given,
  })
const clientOf = (account: string) =>
  new SignedClient(exchange.url, { account, ...exchange.accounts[account]! }, () =>
    exchange.clock.now(),
  )
async function place(account: string, side: string, price: number, more: object = {}) {
  const order = { symbol: SYMBOL, side, type: 'LIMIT', timeInForce: 'GTC', quantity: '1', price }
  const { body } = await clientOf(account).send('POST', '/api/v3/order', { ...order, ...more })
  return body
}
async function get(path: string): Promise<Record<string, unknown>> {
  return (await (await fetch(`${exchange.url}${path}`)).json()) as Record<string, unknown>
}
async function statusShown(): Promise<unknown> {
  const { symbols } = await get(`/api/v3/exchangeInfo?symbol=${SYMBOL}`)
  return (symbols as { status: string }[])[0]!.status
}
/** Sets the status and waits until clients see it. */
async function enter(status: string): Promise<void> {
  await operate('symbol-status', { status })
  await expect.poll(statusShown).toBe(status)
}
async function tradeAt(price: number): Promise<void> {
  await place('seller', 'SELL', price)
  expect(await place('buyer', 'BUY', price)).toMatchObject({ status: 'FILLED' })
}
const auctionShown = () => get(`/api/v3/auction?symbol=${SYMBOL}`)
/** Prices of public trades, the oldest first. */
async function pricesShown(): Promise<number[]> {
  const trades = await (await fetch(`${exchange.url}/api/v3/trades?symbol=${SYMBOL}`)).json()
  return (trades as { price: string }[]).map(({ price }) => Number(price))
}
/** In a call after a trade at 20000: one lot meets at 20500, and two do at 22000. */
async function crossBeyondCorridor(): Promise<number> {
  await tradeAt(20_000)
  await enter('AUCTION_MATCH')
  await place('seller', 'SELL', 20_500)
  await place('seller', 'SELL', 22_000)
  const { orderId } = await place('buyer', 'BUY', 23_000, { quantity: '2' })
  return Number(orderId)
}

test('a call gathers orders and shows what they come to; its end lets them trade', async () => {
  await operate('symbol-status', { status: 'AUCTION_MATCH' })
  await expect.poll(statusShown).toBe('AUCTION_MATCH')
  const auctions = await FrameLog.open(`${exchange.wsUrl}/ws/btcusdt@auction`)
  const statuses = await FrameLog.open(`${exchange.wsUrl}/ws/btcusdt@status`)
  expect(await place('buyer', 'BUY', 21_000, { quantity: '2' })).toMatchObject({ status: 'NEW' })
  expect(await place('seller', 'SELL', 20_000)).toMatchObject({ status: 'NEW' })
  expect(await place('buyer', 'BUY', 19_000, { timeInForce: 'IOC' })).toEqual({
    code: -2010,
    msg: 'Limit orders require GTC for this phase.',
  })
  expect(await get(`/api/v3/depth?symbol=${SYMBOL}`)).toMatchObject({
    bids: [['21000.00000000', '2.00000000']],
    asks: [['20000.00000000', '1.00000000']],
  })
  await exchange.clock.advance('1s')
  const indicative = {
    price: '21000.00000000',
    quantity: '1.00000000',
    surplusQuantity: '1.00000000',
  }
  await expect
    .poll(() => get(`/api/v3/auction?symbol=${SYMBOL}`))
    .toMatchObject({
      symbol: SYMBOL,
      status: 'AUCTION_MATCH',
      indicative: { ...indicative, surplusSide: 'BUY' },
    })
  await auctions.first(
    'the indicative price',
    ({ i }) => (i as { p: string }).p === '21000.00000000',
  )
  await operate('symbol-status', { status: 'TRADING' })
  await statuses.first('its end', ({ X }) => X === 'TRADING')
  await auctions.first('the price', ({ l }) => (l as { p: string }).p === '21000.00000000')
  expect(await statusShown()).toBe('TRADING')
  expect(await get(`/api/v3/depth?symbol=${SYMBOL}`)).toMatchObject({
    bids: [['21000.00000000', '1.00000000']],
    asks: [],
  })
  const trade = { price: '21000.00000000', qty: '1.00000000', matchType: 'AUCTION' }
  const own = () => clientOf('seller').send('GET', '/api/v3/myTrades', { symbol: SYMBOL })
  await expect
    .poll(async () => (await own()).body)
    .toMatchObject([{ ...trade, isBuyer: false, isMaker: false }])
  const publicTrades = await get(`/api/v3/trades?symbol=${SYMBOL}`)
  expect(publicTrades).toMatchObject([{ price: '21000.00000000', isBuyerMaker: true }])
  expect(publicTrades).not.toHaveProperty('0.matchType')
  expect((await operate('audit', { symbol: undefined })).said).toBe('Every asset adds up.')
  for (const log of [auctions, statuses]) await log.close()
})

test('a random end comes with time', async () => {
  await operate('symbol-phases', { 'random-end': 30 })
  await operate('symbol-status', { status: 'AUCTION_MATCH' })
  await place('buyer', 'BUY', 21_000)
  await place('seller', 'SELL', 20_000)
  await operate('symbol-status', { status: 'TRADING' })
  expect(await statusShown()).toBe('AUCTION_MATCH')
  await exchange.clock.advance('31s')
  await expect.poll(statusShown).toBe('TRADING')
  expect(await get(`/api/v3/trades?symbol=${SYMBOL}`)).toHaveLength(1)
})

test('a price that is too far interrupts trading for a while', async () => {
  await operate('symbol-phases', { interruption: '0.05', window: 60, call: 10, rests: true })
  await place('seller', 'SELL', 20_000)
  await place('buyer', 'BUY', 20_000)
  await place('seller', 'SELL', 22_000)
  expect(await place('buyer', 'BUY', 23_000)).toMatchObject({
    status: 'NEW',
    executedQty: '0.00000000',
  })
  await expect.poll(statusShown).toBe('AUCTION_MATCH')
  const market = { symbol: SYMBOL, side: 'BUY', type: 'MARKET', quantity: '1' }
  const refused = await clientOf('buyer').send('POST', '/api/v3/order', market)
  expect(refused.body).toEqual({
    code: -2010,
    msg: 'This order type is not possible in this trading phase.',
  })
  await exchange.clock.advance('11s')
  await expect.poll(statusShown).toBe('TRADING')
  expect(await get(`/api/v3/trades?symbol=${SYMBOL}`)).toHaveLength(2)
})

test('the last auction and the close stand over a restart, and until something trades', async () => {
  await enter('AUCTION_MATCH')
  await place('buyer', 'BUY', 21_000, { quantity: '2' })
  await place('seller', 'SELL', 20_000)
  await enter('POST_TRADING')
  const { last, close } = await auctionShown()
  expect(last).toMatchObject({ price: '21000.00000000', quantity: '1.00000000' })
  expect(close).toMatchObject({ price: '21000.00000000' })
  await exchange.close()
  await start()
  expect(await auctionShown()).toMatchObject({ status: 'POST_TRADING', last, close })
  await exchange.clock.advance('1m')
  await enter('AUCTION_MATCH')
  await place('seller', 'SELL', 22_000)
  await enter('TRADING')
  await enter('POST_TRADING')
  expect(await auctionShown()).toMatchObject({ last, close })
})

test('each close is the last price of its day, also of a trade just before it', async () => {
  for (let day = 1; day <= 8; day++) {
    await enter('TRADING')
    await tradeAt(20_000 + day)
    await enter('POST_TRADING')
    expect(await auctionShown()).toMatchObject({ close: { price: `${20_000 + day}.00000000` } })
    await exchange.clock.advance('1m')
  }
})

test('after so many interruptions in an hour the next waits until the symbol is resumed', async () => {
  await operate('symbol-phases', { interruption: '0.05', window: 60, call: 10, 'hourly-calls': 1 })
  await tradeAt(20_000)
  await place('seller', 'SELL', 22_000)
  await place('buyer', 'BUY', 22_000)
  await expect.poll(statusShown).toBe('AUCTION_MATCH')
  await exchange.clock.advance('11s')
  await expect.poll(statusShown).toBe('TRADING')
  await place('seller', 'SELL', 25_000)
  await place('buyer', 'BUY', 25_000)
  await expect.poll(statusShown).toBe('AUCTION_MATCH')
  await exchange.clock.advance('10m')
  expect(await statusShown()).toBe('AUCTION_MATCH')
  expect((await operate('resume')).said).toBe(`The call of ${SYMBOL} ends.`)
  await expect.poll(statusShown).toBe('TRADING')
  expect(await pricesShown()).toEqual([20_000, 22_000, 25_000])
})

test('an auction out of its corridor is extended, and then held at the nearest bound', async () => {
  await operate('symbol-phases', { corridor: '0.05', extension: 10, extensions: 2 })
  const orderId = await crossBeyondCorridor()
  await operate('symbol-status', { status: 'TRADING' })
  for (let extension = 1; extension <= 2; extension++) {
    await exchange.clock.advance('8s')
    expect(await statusShown()).toBe('AUCTION_MATCH')
    expect(await pricesShown()).toEqual([20_000])
    await exchange.clock.advance('3s')
  }
  await expect.poll(statusShown).toBe('TRADING')
  expect(await pricesShown()).toEqual([20_000, 21_000])
  expect(await auctionShown()).toMatchObject({
    last: { price: '21000.00000000', quantity: '1.00000000' },
  })
  // What met beyond the bound does not stay crossed: the later order expires.
  const query = { symbol: SYMBOL, orderId }
  const order = await clientOf('buyer').send('GET', '/api/v3/order', query)
  expect(order.body).toMatchObject({ status: 'EXPIRED', executedQty: '1.00000000' })
  expect(await get(`/api/v3/depth?symbol=${SYMBOL}`)).toMatchObject({
    bids: [],
    asks: [['22000.00000000', '1.00000000']],
  })
  expect((await operate('audit', { symbol: undefined })).said).toBe('Every asset adds up.')
})

test('an auction out of its corridor may wait for an operator, for whom the price is free', async () => {
  const corridor = { corridor: '0.05', 'corridor-ends': 'operator' }
  await operate('symbol-phases', corridor)
  await crossBeyondCorridor()
  await operate('symbol-status', { status: 'TRADING' })
  await exchange.clock.advance('10m')
  expect(await statusShown()).toBe('AUCTION_MATCH')
  expect(await pricesShown()).toEqual([20_000])
  await operate('resume')
  await expect.poll(statusShown).toBe('TRADING')
  expect(await pricesShown()).toEqual([20_000, 22_000, 22_000])
})
