/**
 * What exchange information and the account's own filters say of symbols that differ, and times in
 * microseconds wherever the new payloads have some.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import { OrderType, SelfTradePrevention } from '../../../src/base/codes.ts'
import { FEW_THREADS } from '../../fixtures/few-threads.ts'
import { type Frame, FrameLog } from '../frame-log.ts'
import { lotSize, priceFilter, type Stage, stageExchange } from '../staged-exchange.ts'
import { type Params, Trader } from '../trader.ts'

const filters = [
  priceFilter,
  lotSize,
  { filterType: 'ICEBERG_PARTS', limit: 100 },
  {
    filterType: 'TRAILING_DELTA',
    minTrailingAboveDelta: 10,
    maxTrailingAboveDelta: 2000,
    minTrailingBelowDelta: 10,
    maxTrailingBelowDelta: 2000,
  },
  { filterType: 'MAX_NUM_ORDERS', maxNumOrders: 200 },
  { filterType: 'MAX_NUM_ORDER_LISTS', maxNumOrderLists: 20 },
  { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 5 },
  { filterType: 'MAX_NUM_ORDER_AMENDS', maxNumOrderAmends: 10 },
  { filterType: 'MAX_POSITION', maxPosition: '16000.00000000' },
]
const exchangeFilters = [
  { filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: 1000 },
  { filterType: 'EXCHANGE_MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 50 },
]
const assetFilters = [{ filterType: 'MAX_ASSET', asset: 'USDT', limit: '90000.00000000' }]

let exchange: ExchangeProcess
let own: Trader

beforeAll(async () => {
  const funds = { BTC: 100, USDT: 100_000 }
  const flags = ['--limits', 'on', '--weight-limit', '100000', '--orders-per-second', '1000']
  const stage: Stage = {
    assets: ['BTC', 'USDT'],
    symbols: [
      { name: 'ALL', filters },
      {
        name: 'LIMITED',
        features: {
          orderTypes: [OrderType.LIMIT, OrderType.MARKET],
          iceberg: false,
          oco: false,
          oto: false,
          opo: false,
          quoteOrderQtyMarket: false,
          trailingStop: false,
          cancelReplace: false,
          amend: false,
          pegInstructions: false,
        },
        preventionModes: [SelfTradePrevention.NONE],
        preventionDefault: SelfTradePrevention.NONE,
      },
    ],
    exchange: { filters: [...exchangeFilters, ...assetFilters] },
    accounts: { own: { funds } },
  }
  exchange = await stageExchange(stage, [...FEW_THREADS, ...flags])
  await exchange.run()
  own = new Trader(exchange, 'own')
})
afterAll(() => exchange?.remove())

async function info(): Promise<Frame> {
  const response = await fetch(`${exchange.url}/api/v3/exchangeInfo`)
  return (await response.json()) as Frame
}

const plain = {
  status: 'TRADING',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  baseAssetPrecision: 8,
  quotePrecision: 8,
  quoteAssetPrecision: 8,
  baseCommissionPrecision: 8,
  quoteCommissionPrecision: 8,
  pegInstructionsAllowed: true,
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: false,
  permissions: ['SPOT'],
  permissionSets: [['SPOT']],
}

test('exchange information shows what each symbol takes', async () => {
  const { symbols, exchangeFilters: shown } = await info()
  expect(shown).toEqual(exchangeFilters)
  expect(symbols).toEqual([
    {
      ...plain,
      symbol: 'ALL',
      orderTypes: expect.toSatisfy((types: string[]) => types.length === 7),
      icebergAllowed: true,
      ocoAllowed: true,
      otoAllowed: true,
      opoAllowed: true,
      quoteOrderQtyMarketAllowed: true,
      allowTrailingStop: true,
      cancelReplaceAllowed: true,
      amendAllowed: true,
      filters,
      defaultSelfTradePreventionMode: 'EXPIRE_MAKER',
      allowedSelfTradePreventionModes: expect.arrayContaining(Object.keys(SelfTradePrevention)),
    },
    {
      ...plain,
      symbol: 'LIMITED',
      pegInstructionsAllowed: false,
      orderTypes: ['LIMIT', 'MARKET'],
      icebergAllowed: false,
      ocoAllowed: false,
      otoAllowed: false,
      opoAllowed: false,
      quoteOrderQtyMarketAllowed: false,
      allowTrailingStop: false,
      cancelReplaceAllowed: false,
      amendAllowed: false,
      filters: [priceFilter, lotSize],
      defaultSelfTradePreventionMode: 'NONE',
      allowedSelfTradePreventionModes: ['NONE'],
    },
  ])
})

test('and an account its own filters', async () => {
  expect(await own.ask('GET', '/api/v3/myFilters', { symbol: 'ALL' })).toEqual({
    exchangeFilters,
    symbolFilters: filters,
    assetFilters,
  })
  const order = {
    symbol: 'LIMITED',
    side: 'SELL',
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: '3000',
  }
  const path = '/api/v3/order/test'
  expect(await own.ask('POST', path, { ...order, quantity: '30' })).toEqual({})
  expect((await own.send('POST', path, { ...order, quantity: '30.01' })).body).toMatchObject({
    code: -1013,
    msg: 'Filter failure: MAX_ASSET',
  })
  expect(await own.ask('GET', '/api/v3/myAllocations', { symbol: 'ALL' })).toEqual([])
})

describe('times in microseconds', () => {
  const limit = { symbol: 'ALL', type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }
  const micros = expect.toSatisfy((time: number) => String(time).length === 16)
  const headers = { 'X-MBX-TIME-UNIT': 'MICROSECOND' }
  const ask = async (method: string, path: string, params: Params) =>
    (await own.send(method, path, params, headers)).body

  test('of orders that wait, or trail, or were changed', async () => {
    const never = { workingTime: -1, trailingTime: -1 }
    const stop = { ...limit, side: 'SELL', type: 'STOP_LOSS_LIMIT', stopPrice: '90', price: '80' }
    const full = { trailingDelta: 100, newOrderRespType: 'FULL' }
    const placed = await ask('POST', '/api/v3/order', { ...stop, ...full })
    expect(placed).toMatchObject({ ...never, transactTime: micros })
    const query = { symbol: 'ALL', orderId: Number(placed.orderId) }
    const times = { ...never, time: micros, updateTime: micros }
    expect(await ask('GET', '/api/v3/order', query)).toMatchObject(times)
    expect(await ask('GET', '/api/v3/allOrders', { symbol: 'ALL' })).toMatchObject([times])
    const amended = await ask('PUT', '/api/v3/order/amend/keepPriority', {
      ...query,
      newQty: '0.5',
    })
    expect(amended).toMatchObject({ transactTime: micros })
    const amendments = await ask('GET', '/api/v3/order/amendments', query)
    expect(amendments).toMatchObject([{ time: micros }])
    const replaced = await ask('POST', '/api/v3/order/cancelReplace', {
      ...limit,
      side: 'SELL',
      price: '100',
      cancelReplaceMode: 'STOP_ON_FAILURE',
      cancelOrderId: query.orderId,
    })
    expect(replaced).toMatchObject({
      cancelResponse: { transactTime: micros, trailingTime: -1 },
      newOrderResponse: { transactTime: micros, workingTime: micros },
    })
    await ask('POST', '/api/v3/order', {
      ...limit,
      side: 'BUY',
      price: '100',
      selfTradePreventionMode: 'EXPIRE_TAKER',
    })
    const match = { symbol: 'ALL', preventedMatchId: 0 }
    const matches = await ask('GET', '/api/v3/myPreventedMatches', match)
    expect(matches).toMatchObject([{ transactTime: micros }])
  })

  test('of lists', async () => {
    const list = await ask('POST', '/api/v3/orderList/oco', {
      symbol: 'ALL',
      side: 'SELL',
      quantity: '1',
      aboveType: 'LIMIT_MAKER',
      abovePrice: '110',
      belowType: 'STOP_LOSS',
      belowStopPrice: '90',
    })
    expect(list).toMatchObject({
      transactionTime: micros,
      orderReports: [
        { transactTime: micros, workingTime: -1 },
        { transactTime: micros, workingTime: micros },
      ],
    })
    const query = { orderListId: Number(list.orderListId) }
    expect(await ask('GET', '/api/v3/orderList', query)).toMatchObject({ transactionTime: micros })
  })

  test('of the user stream', async () => {
    const log = await FrameLog.open(`${exchange.wsUrl}/ws-api/v3?timeUnit=microsecond`)
    // Behind this, its gateway has read what happened before.
    await log.ask({ id: 0, method: 'openOrders.status', params: own.sign({}) })
    const method = 'userDataStream.subscribe.signature'
    const subscribed = await log.ask({ id: 1, method, params: own.sign({}) })
    expect(subscribed).toMatchObject({ status: 200 })
    const trailing = { ...limit, side: 'SELL', type: 'STOP_LOSS', trailingDelta: 100 }
    const { timeInForce: _, ...params } = trailing
    await own.place({ ...params, stopPrice: '90' })
    const frame = await log.first('a report', ({ event }) => (event as Frame)?.x === 'NEW')
    const report = frame.event as Frame
    expect(report).toMatchObject({ E: micros, T: micros, O: micros })
    expect(report).not.toHaveProperty('W')
    expect([undefined, -1]).toContain(report.D)
    await log.close()
  })
})

test('the WebSocket API tells what a list added to the order count', async () => {
  const log = await FrameLog.open(`${exchange.wsUrl}/ws-api/v3`)
  const params = own.sign({
    symbol: 'ALL',
    side: 'SELL',
    quantity: '1',
    price: '120',
    stopPrice: '80',
  })
  const answer = await log.ask({ id: 'oco', method: 'orderList.place', params })
  expect(answer).toMatchObject({ status: 200, result: { contingencyType: 'OCO' } })
  const limits = answer.rateLimits as Frame[]
  expect(limits.map(({ rateLimitType }) => rateLimitType)).toEqual([
    'ORDERS',
    'ORDERS',
    'REQUEST_WEIGHT',
  ])
  const counts = await own.ask('GET', '/api/v3/rateLimit/order')
  expect(limits[1]).toEqual((counts as unknown as Frame[])[1])
  await log.close()
})
