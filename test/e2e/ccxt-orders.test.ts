/**
 * Every kind of order as ccxt's users place it: stops, trailing stops, edits, order lists; and what
 * ccxt makes of the answers.
 */
import { type binanceus, InvalidOrder, type Order, OrderNotFound } from 'ccxt'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../fixtures/eventually.ts'
import { LoopExchange } from '../fixtures/loop-exchange.ts'
import { restClient } from './ccxt-clients.ts'
import type { Frame } from './frame-log.ts'

const SYMBOL = 'BTC/USDT'
const ID = 'BTCUSDT'

let exchange: LoopExchange
let own: binanceus
let maker: binanceus
let taker: binanceus

beforeAll(async () => {
  exchange = await LoopExchange.start()
  own = restClient(exchange, 'trader1')
  maker = restClient(exchange, 'maker')
  taker = restClient(exchange, 'taker')
})
afterAll(() => exchange?.remove())

/** Nothing is open, and the last price is 50,000. */
beforeEach(async () => {
  for (const client of [own, maker, taker]) {
    const open = await client.fetchOpenOrders(SYMBOL)
    if (open.length > 0) await client.cancelAllOrders(SYMBOL)
  }
  await tradeAt(50_000)
})

async function tradeAt(price: number): Promise<void> {
  await maker.createOrder(SYMBOL, 'limit', 'sell', 0.01, price)
  const bought = await taker.createOrder(SYMBOL, 'limit', 'buy', 0.01, price)
  expect(bought.status).toBe('closed')
}

const idOf = (order: Order) => String(order.id)
const fetched = (order: Order) => own.fetchOrder(idOf(order), SYMBOL)

describe('orders that wait', () => {
  test('a stop-loss limit order waits, is found, and works once its price is met', async () => {
    const stop = await own.createOrder(SYMBOL, 'limit', 'sell', 0.1, 44_000, {
      stopLossPrice: 45_000,
    })
    expect(stop).toMatchObject({ type: 'limit', triggerPrice: 45_000, price: 44_000, filled: 0 })
    expect((await fetched(stop)).info).toMatchObject({
      type: 'STOP_LOSS_LIMIT',
      isWorking: false,
      stopPrice: '45000.00000000',
    })
    expect((await own.fetchOpenOrders(SYMBOL)).map(idOf)).toEqual([stop.id])
    await tradeAt(45_000)
    expect((await fetched(stop)).info).toMatchObject({ isWorking: true, status: 'NEW' })
    await taker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 44_000)
    expect(await fetched(stop)).toMatchObject({ status: 'closed', filled: 0.1, average: 44_000 })
    const trades = await own.fetchMyTrades(SYMBOL)
    expect(trades.at(-1)).toMatchObject({ order: stop.id, takerOrMaker: 'maker' })
  })

  test('a stop-loss market order sells what there is', async () => {
    const stop = await own.createOrder(SYMBOL, 'market', 'sell', 0.1, undefined, {
      stopLossPrice: 45_000,
    })
    await taker.createOrder(SYMBOL, 'limit', 'buy', 0.2, 44_500)
    await tradeAt(45_000)
    expect(await fetched(stop)).toMatchObject({ status: 'closed', filled: 0.1, average: 44_500 })
  })

  test('take-profits, limit and market', async () => {
    const limit = await own.createOrder(SYMBOL, 'limit', 'sell', 0.1, 56_000, {
      takeProfitPrice: 55_000,
    })
    const market = await own.createOrder(SYMBOL, 'market', 'sell', 0.1, undefined, {
      takeProfitPrice: 55_000,
    })
    expect((await fetched(limit)).info.type).toBe('TAKE_PROFIT_LIMIT')
    expect((await fetched(market)).info.type).toBe('TAKE_PROFIT')
    await taker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 54_000)
    await tradeAt(55_000)
    expect((await fetched(limit)).info.isWorking).toBe(true)
    expect(await fetched(market)).toMatchObject({ status: 'closed', average: 54_000 })
  })

  test('a trailing stop follows the price', async () => {
    const stop = await own.createOrder(SYMBOL, 'limit', 'sell', 0.1, 49_000, {
      trailingPercent: 5,
      stopLossOrTakeProfit: 'stopLoss',
    })
    expect((await fetched(stop)).info).toMatchObject({ trailingDelta: 500, isWorking: false })
    await tradeAt(60_000)
    await tradeAt(57_000.01)
    expect((await fetched(stop)).info.isWorking).toBe(false)
    await tradeAt(57_000)
    expect((await fetched(stop)).info.isWorking).toBe(true)
  })

  test('a stop that would trigger at once is refused', async () => {
    const params = { stopLossPrice: 50_000 }
    const placing = own.createOrder(SYMBOL, 'limit', 'sell', 0.1, 49_000, params)
    await expect(placing).rejects.toThrow('Order would trigger immediately.')
    await expect(placing).rejects.toThrow(InvalidOrder)
  })

  test('orders of every kind are canceled together', async () => {
    await own.createOrder(SYMBOL, 'limit', 'buy', 0.1, 40_000)
    await own.createOrder(SYMBOL, 'limit', 'sell', 0.1, 44_000, { stopLossPrice: 45_000 })
    await own.createOrder(SYMBOL, 'limit', 'buy', 0.1, 41_000, { postOnly: true })
    expect(await own.fetchOpenOrders(SYMBOL)).toHaveLength(3)
    const canceled = await own.cancelAllOrders(SYMBOL)
    expect(canceled.map(({ status }) => status)).toEqual(['canceled', 'canceled', 'canceled'])
    expect(await own.fetchOpenOrders(SYMBOL)).toEqual([])
    const history = (await own.fetchOrders(SYMBOL)).slice(-3)
    expect(history.map(({ status }) => status)).toEqual(['canceled', 'canceled', 'canceled'])
  })
})

describe('edits', () => {
  test('an order is replaced by another', async () => {
    const old = await own.createOrder(SYMBOL, 'limit', 'buy', 0.1, 40_000)
    const edited = await own.editOrder(idOf(old), SYMBOL, 'limit', 'buy', 0.2, 41_000)
    expect(edited).toMatchObject({ status: 'open', amount: 0.2, price: 41_000 })
    expect(edited.id).not.toBe(old.id)
    expect((await fetched(old)).status).toBe('canceled')
    expect((await own.fetchOpenOrders(SYMBOL)).map(idOf)).toEqual([edited.id])
  })

  test('what is not there cannot be replaced, and nothing is placed', async () => {
    const editing = own.editOrder('999999', SYMBOL, 'limit', 'buy', 0.2, 41_000)
    await expect(editing).rejects.toThrow('Order cancel-replace failed.')
    expect(await own.fetchOpenOrders(SYMBOL)).toEqual([])
  })

  test('an amended order keeps its id, though ccxt has no name for it', async () => {
    const order = await own.createOrder(SYMBOL, 'limit', 'buy', 0.2, 40_000)
    const params = { symbol: ID, orderId: idOf(order), newQty: '0.1' }
    const answer = await own.request('order/amend/keepPriority', 'private', 'PUT', params)
    expect(answer.amendedOrder).toMatchObject({ orderId: Number(order.id), qty: '0.10000000' })
    expect(await fetched(order)).toMatchObject({ status: 'open', amount: 0.1 })
    const query = { symbol: ID, orderId: idOf(order) }
    const amendments = await own.request('order/amendments', 'private', 'GET', query)
    expect(amendments).toMatchObject([{ origQty: '0.20000000', newQty: '0.10000000' }])
  })
})

describe('order lists, by the raw methods', () => {
  const oco = {
    symbol: ID,
    side: 'SELL',
    quantity: '0.1',
    aboveType: 'LIMIT_MAKER',
    abovePrice: '55000',
    belowType: 'STOP_LOSS_LIMIT',
    belowStopPrice: '45000',
    belowPrice: '44000',
    belowTimeInForce: 'GTC',
  }
  const working = {
    symbol: ID,
    workingType: 'LIMIT',
    workingSide: 'BUY',
    workingPrice: '49000',
    workingQuantity: '0.1',
    workingTimeInForce: 'GTC',
  }
  const legsOf = (list: Frame) => list.orderReports as Frame[]
  const statuses = async (list: Frame) => {
    const orders = await Promise.all(
      legsOf(list).map(({ orderId }) => own.fetchOrder(String(orderId), SYMBOL)),
    )
    return orders.map(({ info }) => info.status)
  }

  test('an OCO, old and new', async () => {
    const { symbol, side, quantity } = oco
    const old = await own.privatePostOrderOco({
      symbol,
      side,
      quantity,
      price: '55000',
      stopPrice: '45000',
      stopLimitPrice: '44000',
      stopLimitTimeInForce: 'GTC',
    })
    const recent = await own.privatePostOrderListOco(oco)
    for (const list of [old, recent]) {
      expect(list).toMatchObject({ contingencyType: 'OCO', listOrderStatus: 'EXECUTING' })
      expect(legsOf(list).map(({ type }) => type)).toEqual(['STOP_LOSS_LIMIT', 'LIMIT_MAKER'])
    }
    expect(await own.fetchOpenOrders(SYMBOL)).toHaveLength(4)
    const open = await own.privateGetOpenOrderList()
    expect(open.map((list: Frame) => list.orderListId)).toEqual([
      old.orderListId,
      recent.orderListId,
    ])
    await taker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 55_000)
    // Time priority: the older limit leg is met first.
    expect(await statuses(old)).toEqual(['EXPIRED', 'FILLED'])
    expect(await statuses(recent)).toEqual(['NEW', 'NEW'])
    const { orderListId } = recent
    const gone = await own.privateDeleteOrderList({ symbol: ID, orderListId })
    expect(gone).toMatchObject({ listOrderStatus: 'ALL_DONE' })
    expect(await statuses(recent)).toEqual(['CANCELED', 'CANCELED'])
    expect(await own.privateGetOrderList({ orderListId })).toMatchObject({
      listStatusType: 'ALL_DONE',
    })
    expect(await own.privateGetAllOrderList()).toHaveLength(2)
  })

  test('an OTO and an OTOCO', async () => {
    const oto = await own.privatePostOrderListOto({
      ...working,
      pendingType: 'LIMIT_MAKER',
      pendingSide: 'SELL',
      pendingPrice: '56000',
      pendingQuantity: '0.1',
    })
    const otoco = await own.privatePostOrderListOtoco({
      ...working,
      workingPrice: '48000',
      pendingSide: 'SELL',
      pendingQuantity: '0.1',
      pendingAboveType: 'TAKE_PROFIT',
      pendingAboveStopPrice: '57000',
      pendingBelowType: 'STOP_LOSS',
      pendingBelowStopPrice: '40000',
    })
    expect(await statuses(oto)).toEqual(['NEW', 'PENDING_NEW'])
    expect(await statuses(otoco)).toEqual(['NEW', 'PENDING_NEW', 'PENDING_NEW'])
    await taker.createOrder(SYMBOL, 'limit', 'sell', 0.2, 48_000)
    expect(await statuses(oto)).toEqual(['FILLED', 'NEW'])
    expect(await statuses(otoco)).toEqual(['FILLED', 'NEW', 'NEW'])
    await taker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 56_000)
    expect(await statuses(oto)).toEqual(['FILLED', 'FILLED'])
    await maker.createOrder(SYMBOL, 'limit', 'buy', 0.1, 55_000)
    await tradeAt(57_000)
    expect(await statuses(otoco)).toEqual(['FILLED', 'EXPIRED', 'FILLED'])
  })

  test('a leg that is canceled takes its list along', async () => {
    const list = await own.privatePostOrderListOco(oco)
    await own.cancelOrder(String(legsOf(list)[0]?.orderId), SYMBOL)
    expect(await statuses(list)).toEqual(['CANCELED', 'CANCELED'])
    const again = own.cancelOrder(String(legsOf(list)[1]?.orderId), SYMBOL)
    await expect(again).rejects.toThrow(OrderNotFound)
  })
})

test('icebergs show a slice', async () => {
  const iceberg = { icebergAmount: 0.1 }
  const order = await own.createOrder(SYMBOL, 'limit', 'sell', 0.5, 51_000, iceberg)
  const amounts = async () => {
    const { asks } = await taker.fetchOrderBook(SYMBOL)
    return asks.map(([, amount]) => amount)
  }
  await eventually('the slice', async () => ((await amounts())[0] === 0.1 ? true : undefined))
  await taker.createOrder(SYMBOL, 'limit', 'buy', 0.25, 51_000)
  await eventually('what is left of the third slice', async () =>
    (await amounts())[0] === 0.05 ? true : undefined,
  )
  expect(await fetched(order)).toMatchObject({ filled: 0.25, remaining: 0.25, status: 'open' })
  expect((await fetched(order)).info.icebergQty).toBe('0.10000000')
})

test('commissions and limits, by the raw methods', async () => {
  expect(await own.privateGetAccountCommission({ symbol: ID })).toMatchObject({
    symbol: ID,
    standardCommission: { maker: '0.00100000', taker: '0.00100000' },
  })
  expect(await own.privateGetRateLimitOrder(), 'no limits here').toEqual([])
  expect(await own.privateGetMyFilters({ symbol: ID })).toHaveProperty('symbolFilters')
})
