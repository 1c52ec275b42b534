/**
 * Queries of the past against a real process: what was answered can be queried at once, by every kind
 * of query, and again after a kill, and from an archive that is applied again.
 */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'

type Json = Record<string, unknown>
type Params = Record<string, string | number>

let exchange: ExchangeProcess | undefined
afterAll(() => exchange?.remove())

const limit = (side: string, price: string, quantity: string): Params => ({
  symbol: 'BTCUSDT',
  type: 'LIMIT',
  timeInForce: 'GTC',
  newOrderRespType: 'RESULT',
  side,
  price,
  quantity,
})

const pair: Params = {
  symbol: 'BTCUSDT',
  side: 'SELL',
  quantity: '0.002',
  aboveType: 'LIMIT_MAKER',
  abovePrice: '70000',
  belowType: 'STOP_LOSS_LIMIT',
  belowStopPrice: '50000',
  belowPrice: '49900',
  belowTimeInForce: 'GTC',
  listClientOrderId: 'pair',
}

const chain: Params = {
  symbol: 'BTCUSDT',
  workingType: 'LIMIT',
  workingSide: 'BUY',
  workingPrice: '59000',
  workingQuantity: '0.003',
  workingTimeInForce: 'GTC',
  pendingType: 'LIMIT',
  pendingSide: 'SELL',
  pendingPrice: '65000',
  pendingQuantity: '0.003',
  pendingTimeInForce: 'GTC',
  listClientOrderId: 'chain',
}

test('what was answered can be queried', async () => {
  exchange = await ExchangeProcess.start()
  const { keys, url } = { keys: exchange.keys(), url: exchange.url }
  const maker = new SignedClient(url, keys.maker!)
  const taker = new SignedClient(url, keys.taker!)
  const ask = async (client: SignedClient, method: string, route: string, params?: Params) => {
    const { status, body } = await client.send(method, `/api/v3/${route}`, params)
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }
  const query = (route: string, params?: Params) => ask(taker, 'GET', route, params)
  const rowsOf = async (route: string, params?: Params) =>
    (await query(route, params)) as unknown as Json[]

  const sold = await ask(maker, 'POST', 'order', limit('SELL', '60000', '0.01'))
  const bought = await ask(taker, 'POST', 'order', limit('BUY', '60000', '0.005'))
  expect(bought.status).toBe('FILLED')
  expect(await rowsOf('myTrades', { symbol: 'BTCUSDT' })).toMatchObject([
    { orderId: bought.orderId, orderListId: -1, qty: '0.00500000', commissionAsset: 'BTC' },
  ])

  const placed = await ask(taker, 'POST', 'orderList/oco', pair)
  const { orderReports: _, ...list } = placed
  expect(await query('orderList', { orderListId: list.orderListId as number })).toEqual(list)
  expect(await query('orderList', { origClientOrderId: 'pair' })).toEqual(list)
  const { orderReports: __, ...second } = await ask(taker, 'POST', 'orderList/oto', chain)
  expect(await rowsOf('openOrderList')).toEqual([list, second])
  expect(await rowsOf('allOrderList', { fromId: second.orderListId as number })).toEqual([second])
  const since = { startTime: list.transactionTime as number }
  expect(await rowsOf('allOrderList', since)).toEqual([list, second])

  const resting = await ask(taker, 'POST', 'order', limit('SELL', '61000', '0.006'))
  const orderId = resting.orderId as number
  const amended = await ask(taker, 'PUT', 'order/amend/keepPriority', {
    symbol: 'BTCUSDT',
    orderId,
    newQty: '0.004',
    newClientOrderId: 'less',
  })
  expect(await rowsOf('order/amendments', { symbol: 'BTCUSDT', orderId })).toEqual([
    {
      symbol: 'BTCUSDT',
      orderId,
      executionId: amended.executionId,
      origClientOrderId: resting.clientOrderId,
      newClientOrderId: 'less',
      origQty: '0.00600000',
      newQty: '0.00400000',
      time: amended.transactTime,
    },
  ])

  // The maker's order at 60000 is met first; then the taker's own, which expires.
  const own = await ask(taker, 'POST', 'order', limit('BUY', '61000', '0.007'))
  const prevented = await rowsOf('myPreventedMatches', { symbol: 'BTCUSDT', orderId })
  expect(prevented).toMatchObject([
    {
      takerOrderId: own.orderId,
      makerOrderId: orderId,
      selfTradePreventionMode: 'EXPIRE_MAKER',
      price: '61000.00000000',
      makerPreventedQuantity: '0.00400000',
      transactTime: own.transactTime,
    },
  ])
  const { preventedMatchId } = prevented[0]!
  const byId = { symbol: 'BTCUSDT', preventedMatchId: preventedMatchId as number }
  expect(await rowsOf('myPreventedMatches', byId)).toEqual(prevented)

  const canceled = await ask(taker, 'DELETE', 'orderList', {
    symbol: 'BTCUSDT',
    orderListId: list.orderListId as number,
  })
  const ended = { listStatusType: 'ALL_DONE', listOrderStatus: 'ALL_DONE' }
  expect(canceled).toMatchObject(ended)
  expect(await query('orderList', { origClientOrderId: 'pair' })).toEqual({ ...list, ...ended })
  expect(await rowsOf('openOrderList')).toEqual([second])

  const everything = async () => ({
    orders: await rowsOf('allOrders', { symbol: 'BTCUSDT' }),
    sold: await ask(maker, 'GET', 'order', {
      symbol: 'BTCUSDT',
      orderId: sold.orderId as number,
    }),
    trades: await rowsOf('myTrades', { symbol: 'BTCUSDT' }),
    lists: await rowsOf('allOrderList'),
    open: await rowsOf('openOrderList'),
    amendments: await rowsOf('order/amendments', { symbol: 'BTCUSDT', orderId }),
    prevented: await rowsOf('myPreventedMatches', byId),
  })
  const before = await everything()
  expect(before.orders.map((it) => [it.type, it.status, it.orderListId])).toEqual([
    ['LIMIT', 'FILLED', -1],
    ['STOP_LOSS_LIMIT', 'CANCELED', list.orderListId],
    ['LIMIT_MAKER', 'CANCELED', list.orderListId],
    ['LIMIT', 'NEW', second.orderListId],
    ['LIMIT', 'PENDING_NEW', second.orderListId],
    ['LIMIT', 'EXPIRED_IN_MATCH', -1],
    ['LIMIT', 'PARTIALLY_FILLED', -1],
  ])
  await exchange.stop('SIGKILL')
  await exchange.run()
  expect(await everything()).toEqual(before)
  await exchange.stop()
  rmSync(path.join(exchange.data, 'archive'), { recursive: true })
  await exchange.run()
  expect(await everything()).toEqual(before)
})
