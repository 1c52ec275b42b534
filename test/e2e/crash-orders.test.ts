/**
 * Kill -9 with every kind of order open: afterwards all of it is shown as before, and continues working:
 * stops trigger, trailing stops remember how far the price went, lists and icebergs end as they must.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'
import type { Frame } from './frame-log.ts'
import { stageExchange } from './staged-exchange.ts'
import { type Params, Trader } from './trader.ts'

const SYMBOL = 'BTCUSDT'
const LIMIT = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC' }

let exchange: ExchangeProcess
let own: Trader
let seller: Trader
let buyer: Trader

beforeAll(async () => {
  const funds = { BTC: 1000, USDT: 1_000_000 }
  const stage = {
    assets: ['BTC', 'USDT'],
    symbols: [{ name: SYMBOL }],
    accounts: { own: { funds }, seller: { funds }, buyer: { funds } },
  }
  // With one gateway the book that is shown has every order that was answered.
  exchange = await stageExchange(stage, ['--gateways', '1'])
  await exchange.run()
  own = new Trader(exchange, 'own')
  seller = new Trader(exchange, 'seller')
  buyer = new Trader(exchange, 'buyer')
})
afterAll(() => exchange?.remove())

async function tradeAt(price: string): Promise<void> {
  await seller.place({ ...LIMIT, side: 'SELL', quantity: '0.01', price })
  const answer = await buyer.place({ ...LIMIT, side: 'BUY', quantity: '0.01', price })
  expect(answer.status).toBe('FILLED')
}

/** All that the owner can ask for, and all public data. */
async function everything(): Promise<unknown> {
  const depth = await eventually('a book', async () => {
    const response = await fetch(`${exchange.url}/api/v3/depth?symbol=${SYMBOL}`)
    const found = (await response.json()) as { bids: unknown[]; asks: unknown[] }
    return found.asks.length > 0 ? found : undefined
  })
  return {
    depth,
    balances: await own.balances(),
    open: await own.ask('GET', '/api/v3/openOrders'),
    orders: await own.ask('GET', '/api/v3/allOrders', { symbol: SYMBOL }),
    lists: await own.ask('GET', '/api/v3/openOrderList'),
    allLists: await own.ask('GET', '/api/v3/allOrderList'),
  }
}

const stop = (params: Params) =>
  own.place({ symbol: SYMBOL, side: 'SELL', quantity: '1', ...params })
const sellLimit = { timeInForce: 'GTC', type: 'STOP_LOSS_LIMIT' }

test('everything open is found again after kill -9, and continues', async () => {
  await tradeAt('100')
  const fixed = await stop({ ...sellLimit, stopPrice: '90', price: '89' })
  const market = await stop({ type: 'STOP_LOSS', stopPrice: '90' })
  const trailing = await stop({ ...sellLimit, trailingDelta: 1000, price: '130' })
  const iceberg = await own.place({
    ...LIMIT,
    side: 'SELL',
    price: '150',
    quantity: '10',
    icebergQty: '2',
  })
  const oco = await own.ask('POST', '/api/v3/orderList/oco', {
    symbol: SYMBOL,
    side: 'SELL',
    quantity: '1',
    aboveType: 'LIMIT_MAKER',
    abovePrice: '140',
    belowType: 'STOP_LOSS_LIMIT',
    belowStopPrice: '80',
    belowPrice: '79',
    belowTimeInForce: 'GTC',
  })
  const otoco = await own.ask('POST', '/api/v3/orderList/otoco', {
    symbol: SYMBOL,
    workingType: 'LIMIT',
    workingSide: 'BUY',
    workingPrice: '85',
    workingQuantity: '2',
    workingTimeInForce: 'GTC',
    pendingSide: 'SELL',
    pendingQuantity: '2',
    pendingAboveType: 'TAKE_PROFIT',
    pendingAboveStopPrice: '130',
    pendingBelowType: 'STOP_LOSS',
    pendingBelowTrailingDelta: 500,
  })
  const amended = await own.place({ ...LIMIT, side: 'BUY', price: '50', quantity: '5' })
  await own.ask('PUT', '/api/v3/order/amend/keepPriority', {
    symbol: SYMBOL,
    orderId: Number(amended.orderId),
    newQty: '4',
  })
  // The trailing stop has seen 120; two and a half slices of the iceberg are gone.
  await tradeAt('120')
  await tradeAt('110')
  await buyer.place({ ...LIMIT, side: 'BUY', price: '140', quantity: '0.4' })
  await buyer.place({ ...LIMIT, side: 'BUY', price: '150', quantity: '5.6' })

  const before = await everything()
  await exchange.stop('SIGKILL')
  await exchange.run()
  expect(await everything()).toEqual(before)

  const shows = async (order: Frame, expected: Frame) =>
    expect(await own.order(SYMBOL, order.orderId)).toMatchObject(expected)
  const legs = async (list: Frame) => {
    const orders = list.orders as Frame[]
    const found = await Promise.all(orders.map(({ orderId }) => own.order(SYMBOL, orderId)))
    return found.map(({ status }) => status)
  }
  // Its limit leg was filled by both orders of the buyer, the iceberg by the second one.
  expect(await legs(oco)).toEqual(['EXPIRED', 'FILLED'])
  await shows(iceberg, { status: 'PARTIALLY_FILLED', executedQty: '5.00000000' })
  await tradeAt('135.01')
  await shows(trailing, { isWorking: false })
  // 10 % below 150, which the last order of the buyer paid.
  await tradeAt('135')
  await shows(trailing, { isWorking: true, status: 'NEW' })
  await buyer.place({ ...LIMIT, side: 'BUY', price: '130', quantity: '1' })
  await shows(trailing, { status: 'FILLED' })

  await buyer.place({ ...LIMIT, side: 'BUY', price: '88', quantity: '1' })
  await tradeAt('90')
  await shows(fixed, { isWorking: true, status: 'NEW' })
  await shows(market, { status: 'FILLED', cummulativeQuoteQty: '88.00000000' })

  await seller.place({ ...LIMIT, side: 'SELL', price: '85', quantity: '2' })
  expect(await legs(otoco)).toEqual(['FILLED', 'NEW', 'NEW'])
  await shows(amended, { origQty: '4.00000000', executedQty: '0.00000000' })
  await tradeAt('88')

  const again = await everything()
  await exchange.stop('SIGKILL')
  await exchange.run()
  expect(await everything()).toEqual(again)
  await buyer.place({ ...LIMIT, side: 'BUY', price: '83', quantity: '2' })
  await tradeAt('83.61')
  expect(await legs(otoco)).toEqual(['FILLED', 'NEW', 'NEW'])
  // 5 % below 88, the highest since the pair went live.
  await tradeAt('83.6')
  expect(await legs(otoco)).toEqual(['FILLED', 'FILLED', 'EXPIRED'])
  expect(await own.ask('GET', '/api/v3/openOrderList')).toEqual([])
  expect(await own.ask('GET', '/api/v3/openOrders')).toHaveLength(3)
})
