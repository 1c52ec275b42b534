/** Pegged orders by a client's requests: placed, queried while they are open and once they are not. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../fixtures/eventually.ts'
import { LoopExchange } from '../fixtures/loop-exchange.ts'
import { Trader } from './trader.ts'

const symbol = 'BTCUSDT'
let exchange: LoopExchange
let maker: Trader
let pegger: Trader

beforeAll(async () => {
  exchange = await LoopExchange.start()
  maker = new Trader(exchange, 'trader1')
  pegger = new Trader(exchange, 'trader2')
  const limit = { symbol, type: 'LIMIT', timeInForce: 'GTC', quantity: '0.1' }
  for (const price of ['49000', '49500']) await maker.place({ ...limit, side: 'BUY', price })
  for (const price of ['50500', '51000']) await maker.place({ ...limit, side: 'SELL', price })
})
afterAll(() => exchange?.remove())

const peg = { symbol, type: 'LIMIT', timeInForce: 'GTC', quantity: '0.02' }
const ask = (method: string, target: string, params: object) =>
  pegger.ask(method, target, params as never)

test('a symbol says that it takes them', async () => {
  const response = await fetch(`${exchange.url}/api/v3/exchangeInfo?symbol=${symbol}`)
  expect(await response.json()).toMatchObject({ symbols: [{ pegInstructionsAllowed: true }] })
})

test('the price that was sent stands beside that of the peg, open and canceled', async () => {
  const shown = { price: '0.00000000', pegPriceType: 'PRIMARY_PEG', peggedPrice: '49500.00000000' }
  const placed = await pegger.place({ ...peg, side: 'BUY', pegPriceType: 'PRIMARY_PEG' })
  expect(placed).toMatchObject({ ...shown, status: 'NEW', type: 'LIMIT' })
  expect(placed).not.toHaveProperty('pegOffsetType')
  const named = { symbol, orderId: placed.orderId as number }
  expect(await ask('GET', '/api/v3/order', named)).toMatchObject(shown)
  expect(await ask('GET', '/api/v3/openOrders', { symbol })).toMatchObject([shown])
  const amended = await ask('PUT', '/api/v3/order/amend/keepPriority', { ...named, newQty: '0.01' })
  expect(amended).toMatchObject({ amendedOrder: { ...shown, qty: '0.01000000' } })
  expect(await ask('DELETE', '/api/v3/order', named)).toMatchObject({
    ...shown,
    status: 'CANCELED',
  })
  await eventually('the archive', async () => {
    const [row] = (await ask('GET', '/api/v3/allOrders', named)) as unknown as object[]
    return (row as { status?: string } | undefined)?.status === 'CANCELED' || undefined
  })
  expect(await ask('GET', '/api/v3/allOrders', named)).toMatchObject([shown])
})

test('an offset, and a limit of its own', async () => {
  const offset = { pegOffsetType: 'PRICE_LEVEL', pegOffsetValue: 1 }
  const asked = { ...peg, ...offset, side: 'SELL', pegPriceType: 'PRIMARY_PEG' }
  expect(await pegger.place(asked)).toMatchObject({
    price: '0.00000000',
    peggedPrice: '51000.00000000',
    ...offset,
  })
  expect(await pegger.place({ ...asked, price: '52000' })).toMatchObject({
    price: '52000.00000000',
    peggedPrice: '52000.00000000',
  })
  const none = await ask('POST', '/api/v3/order/test', { ...asked, pegOffsetValue: 100 })
  expect(none).toEqual({})
  await ask('DELETE', '/api/v3/openOrders', { symbol })
})

test('the order in the place of another', async () => {
  const old = await pegger.place({ ...peg, side: 'BUY', price: '48000' })
  const answer = await ask('POST', '/api/v3/order/cancelReplace', {
    ...peg,
    side: 'BUY',
    pegPriceType: 'MARKET_PEG',
    timeInForce: 'IOC',
    cancelReplaceMode: 'STOP_ON_FAILURE',
    cancelOrderId: old.orderId,
  })
  expect(answer).toMatchObject({
    cancelResult: 'SUCCESS',
    newOrderResponse: {
      price: '0.00000000',
      pegPriceType: 'MARKET_PEG',
      peggedPrice: '50500.00000000',
      status: 'FILLED',
    },
  })
})

test('orders of lists: at once, and when they are released', async () => {
  const placed = await ask('POST', '/api/v3/orderList/oto', {
    symbol,
    workingType: 'LIMIT',
    workingSide: 'BUY',
    workingTimeInForce: 'GTC',
    workingQuantity: '0.01',
    workingPegPriceType: 'MARKET_PEG',
    pendingType: 'LIMIT_MAKER',
    pendingSide: 'SELL',
    pendingQuantity: '0.01',
    pendingPegPriceType: 'PRIMARY_PEG',
    pendingPegOffsetType: 'PRICE_LEVEL',
    pendingPegOffsetValue: 1,
    newOrderRespType: 'RESULT',
  })
  const [working, pending] = placed.orderReports as unknown as Record<string, unknown>[]
  expect(working).toMatchObject({ peggedPrice: '50500.00000000', status: 'FILLED' })
  expect(pending).toMatchObject({ price: '0.00000000', status: 'PENDING_NEW' })
  expect(pending).not.toHaveProperty('peggedPrice')
  const orderId = pending!.orderId as number
  expect(await ask('GET', '/api/v3/order', { symbol, orderId })).toMatchObject({
    peggedPrice: '51000.00000000',
    status: 'NEW',
    price: '0.00000000',
  })
})
