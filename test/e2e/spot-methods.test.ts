/**
 * Every method of the official connector, over REST and the WebSocket API, against a running exchange: each gets an
 * answer that its own types take (compiled-answers.ts).
 */
import { type Spot, SpotRestAPI } from '@binance/spot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LoopExchange } from '../fixtures/loop-exchange.ts'
import { folderPerTest } from '../fixtures/temporary-folder.ts'
import {
  type Before,
  type Call,
  callAll,
  compiled,
  type Library,
  methodsOf,
} from './compiled-answers.ts'
import { expectRouted, startGrouped } from './grouped-symbols.ts'
import { spotClient } from './spot-clients.ts'

const SYMBOL = 'BTCUSDT'
const folder = folderPerTest()
let exchange: LoopExchange
let client: Spot
let socket: Awaited<ReturnType<Spot['websocketAPI']['connect']>>

beforeAll(async () => {
  exchange = await startGrouped()
  await exchange.operate([
    'symbol-reference',
    SYMBOL,
    '--reference',
    'mean',
    '--buckets',
    '300',
    '--bucket-ms',
    '1000',
  ])
  await exchange.operate(['block-trade', SYMBOL, 'taker', 'trader1', '60000', '1', '--id', 'a'])
  client = spotClient(exchange, 'maker')
  await tradeOnce()
  socket = await client.websocketAPI.connect()
})
afterAll(async () => {
  await socket?.disconnect()
  await exchange?.remove()
})

/** So that market data have something to show. */
async function tradeOnce(): Promise<void> {
  const { GTC } = SpotRestAPI.NewOrderTimeInForceEnum
  const { BUY, SELL } = SpotRestAPI.NewOrderSideEnum
  const type = SpotRestAPI.NewOrderTypeEnum.LIMIT
  const order = { symbol: SYMBOL, type, timeInForce: GTC, quantity: 1, price: 60_000 }
  await client.restAPI.newOrder({ ...order, side: SELL })
  await spotClient(exchange, 'taker').restAPI.newOrder({ ...order, side: BUY })
}

const symbol = { symbol: SYMBOL }
const limit = { ...symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 1 }
const rest = { ...limit, price: 50_000 }
const ofOrder = (before: Before) => ({ ...symbol, orderId: last(before, 'order').orderId })
const ofList = (before: Before) => ({ orderListId: last(before, 'list').orderListId })
const last = (before: Before, what: string) => before[what]!

const oco = {
  ...symbol,
  side: 'SELL',
  quantity: 1,
  aboveType: 'LIMIT_MAKER',
  abovePrice: 80_000,
  belowType: 'STOP_LOSS',
  belowStopPrice: 30_000,
}
const working = {
  ...symbol,
  workingType: 'LIMIT',
  workingSide: 'BUY',
  workingPrice: 50_000,
  workingQuantity: 1,
  workingTimeInForce: 'GTC',
  pendingSide: 'SELL',
}
const pending = { pendingType: 'LIMIT_MAKER', pendingPrice: 90_000 }
const pendingPair = {
  pendingAboveType: 'LIMIT_MAKER',
  pendingAbovePrice: 90_000,
  pendingBelowType: 'STOP_LOSS',
  pendingBelowStopPrice: 20_000,
}
const asked = { ...symbol, quantity: 1, price: 70_000, side: 'SELL' }
const older = { ...asked, stopPrice: 40_000, stopLimitPrice: 39_000, stopLimitTimeInForce: 'GTC' }
const sor = { ...limit, price: 50_000 }
const klines = { ...symbol, interval: '1m' }
const replaced = (before: Before) => ({
  ...rest,
  cancelReplaceMode: 'STOP_ON_FAILURE',
  cancelOrderId: last(before, 'order').orderId,
})
const amended = (before: Before) => ({ ...ofOrder(before), newQty: 0.5 })

/** Those that trade come first, so that the others have something to show. */
const restCalls: readonly Call[] = [
  ['newOrder', rest],
  ['newOrder', { ...rest, newOrderRespType: 'RESULT' }],
  ['newOrder', { ...rest, newOrderRespType: 'ACK' }],
  ['getOrder', ofOrder],
  ['orderAmendKeepPriority', amended],
  ['orderAmendments', ofOrder],
  ['orderCancelReplace', replaced],
  ['orderTest', rest],
  ['orderTest', { ...rest, computeCommissionRates: true }],
  ['newOrder', { ...rest, side: 'SELL', price: 49_000 }],
  ['orderListOco', oco],
  ['getOrderList', ofList],
  ['openOrderList'],
  ['deleteOrderList', (before) => ({ ...symbol, ...ofList(before) })],
  ['orderOco', older],
  ['orderListOto', { ...working, ...pending, pendingQuantity: 1 }],
  ['orderListOtoco', { ...working, ...pendingPair, pendingQuantity: 1 }],
  ['orderListOpo', { ...working, ...pending }],
  ['orderListOpoco', { ...working, ...pendingPair }],
  ['allOrderList'],
  ['allOrders', symbol],
  ['getOpenOrders', symbol],
  ['myTrades', symbol],
  ['myPreventedMatches', (before) => ofOrder(before)],
  ['myFilters', symbol],
  ['getAccount'],
  ['accountCommission', symbol],
  ['rateLimitOrder'],
  ['newOrder', rest],
  ['deleteOrder', ofOrder],
  ['newOrder', rest],
  ['deleteOpenOrders', symbol],
  ['sorOrder', sor],
  ['myAllocations', symbol],
  ['sorOrderTest', sor],
  ['ping'],
  ['time'],
  ['exchangeInfo', symbol],
  ['executionRules', symbol],
  ['aggTrades', symbol],
  ['avgPrice', symbol],
  ['depth', symbol],
  ['getTrades', symbol],
  ['historicalBlockTrades', { ...symbol, fromId: 1 }],
  ['historicalTrades', symbol],
  ['klines', klines],
  ['uiKlines', klines],
  ['referencePrice', symbol],
  ['referencePriceCalculation', symbol],
  ['ticker', symbol],
  ['ticker', { symbols: [SYMBOL, 'ETHUSDT'] }],
  ['ticker24hr', symbol],
  ['ticker24hr', { ...symbol, type: 'MINI' }],
  ['tickerBookTicker', symbol],
  ['tickerPrice', symbol],
  ['tickerTradingDay', symbol],
]

const socketCalls: readonly Call[] = [
  ['orderPlace', rest],
  ['orderStatus', ofOrder],
  ['orderAmendKeepPriority', amended],
  ['orderAmendments', ofOrder],
  ['orderCancelReplace', replaced],
  ['orderTest', rest],
  ['orderListPlace', older],
  ['orderListStatus', ofList],
  ['openOrderListsStatus'],
  ['orderListCancel', (before) => ({ ...symbol, ...ofList(before) })],
  ['orderListPlaceOco', oco],
  ['orderListPlaceOto', { ...working, ...pending, pendingQuantity: 1 }],
  ['orderListPlaceOtoco', { ...working, ...pendingPair, pendingQuantity: 1 }],
  ['orderListPlaceOpo', { ...working, ...pending }],
  ['orderListPlaceOpoco', { ...working, ...pendingPair }],
  ['openOrdersStatus', symbol],
  ['allOrders', symbol],
  ['allOrderLists'],
  ['myTrades', symbol],
  ['myPreventedMatches', (before) => ofOrder(before)],
  ['myFilters', symbol],
  ['accountStatus'],
  ['accountCommission', symbol],
  ['accountRateLimitsOrders'],
  ['orderPlace', rest],
  ['orderCancel', ofOrder],
  ['orderPlace', rest],
  ['openOrdersCancelAll', symbol],
  ['sorOrderPlace', sor],
  ['myAllocations', symbol],
  ['sorOrderTest', sor],
  ['sessionStatus'],
  ['sessionSubscriptions'],
  ['ping'],
  ['time'],
  ['exchangeInfo', symbol],
  ['executionRules', symbol],
  ['avgPrice', symbol],
  ['blockTradesHistorical', { ...symbol, fromId: 1 }],
  ['depth', symbol],
  ['klines', klines],
  ['uiKlines', klines],
  ['referencePrice', symbol],
  ['referencePriceCalculation', symbol],
  ['ticker', symbol],
  ['ticker24hr', symbol],
  ['tickerBook', symbol],
  ['tickerPrice', symbol],
  // Its type is that of several symbols.
  ['tickerTradingDay', { symbols: [SYMBOL] }],
  ['tradesAggregate', symbol],
  ['tradesHistorical', symbol],
  ['tradesRecent', symbol],
]

/** They need a session: the tests of the user stream call them. */
const ofSessions = new Set([
  ...['sessionLogon', 'sessionLogout', 'userDataStreamSubscribe'],
  ...['userDataStreamSubscribeSignature', 'userDataStreamUnsubscribe'],
])

/** REST parses when it is asked to. */
interface Answer {
  readonly data: unknown
}

const library: Omit<Library, 'api'> = {
  dataOf: (answer) => {
    const { data } = answer as Answer
    return typeof data === 'function' ? data() : data
  },
  placing: /^(newOrder|orderPlace)$/,
  replacing: /^orderCancelReplace$/,
  // The connector's type is void; or knows no session without a logon, whose apiKey is null; or has a list of routed
  // orders (docs/api/decisions.md).
  untyped: new Set(['ping', 'sessionStatus', 'sorOrderPlace']),
}
/** Of the connection, and for any request. */
const general = /^(send\w*|on|off|disconnect|isConnected|pingServer)$/
const headOf = (api: string): string => `import type { Spot } from '@binance/spot'
type Api = ${api}
type Answer<Data> = Data extends () => Promise<infer Parsed> ? Parsed : Data
type Of<Api, Method extends keyof Api> =
  Api[Method] extends (...given: never[]) => Promise<{ data: infer Data }> ? Answer<Data> : never`

test('each method over REST gets an answer that its types take', async () => {
  const failed: string[] = []
  const api = client.restAPI
  const answers = await callAll({ ...library, api }, restCalls, failed)
  expect(failed).toEqual([])
  expectRouted(answers)
  const called = new Set(restCalls.map(([method]) => method))
  const methods = methodsOf(api).filter((name) => !general.test(name))
  expect(methods.filter((name) => !called.has(name))).toEqual([])
  expect(await compiled(folder(), headOf("Spot['restAPI']"), answers)).toBe('')
})

test('each method of the WebSocket API gets an answer that its types take', async () => {
  const failed: string[] = []
  const answers = await callAll({ ...library, api: socket }, socketCalls, failed)
  expect(failed).toEqual([])
  expectRouted(answers)
  const called = new Set([...socketCalls.map(([method]) => method), ...ofSessions])
  const methods = methodsOf(socket).filter((name) => !general.test(name))
  expect(methods.filter((name) => !called.has(name))).toEqual([])
  const api = "Awaited<ReturnType<Spot['websocketAPI']['connect']>>"
  expect(await compiled(folder(), headOf(api), answers)).toBe('')
})
