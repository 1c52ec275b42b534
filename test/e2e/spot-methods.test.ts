/**
 * Every method of the official connector, over REST and the WebSocket API, against a running exchange: each gets an
 * answer that its own types take. The answers are written into a TypeScript file as constants, and the compiler checks it.
 */
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { NotFoundError, type Spot, SpotRestAPI } from '@binance/spot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LoopExchange } from '../fixtures/loop-exchange.ts'
import { folderPerTest } from '../fixtures/temporary-folder.ts'
import { spotClient } from './spot-clients.ts'

const SYMBOL = 'BTCUSDT'
const folder = folderPerTest()
let exchange: LoopExchange
let client: Spot
let socket: Awaited<ReturnType<Spot['websocketAPI']['connect']>>

beforeAll(async () => {
  exchange = await LoopExchange.start()
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

type Params = Readonly<Record<string, unknown>>
/** A call: the method, and its parameters by what was answered before. */
type Call = readonly [method: string, params?: Params | ((before: Before) => Params)]
type Before = Readonly<Record<string, never>>

const symbol = { symbol: SYMBOL }
const limit = { ...symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 1 }
const rest = { ...limit, price: 50_000 }
const ofOrder = (before: Before) => ({ ...symbol, orderId: last(before, 'order').orderId })
const ofList = (before: Before) => ({ orderListId: last(before, 'list').orderListId })
const last = (before: Before, what: string) => before[what] as unknown as Record<string, number>

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
const sor = { ...symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 1, price: 1 }
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
  ['myAllocations', symbol],
  ['myFilters', symbol],
  ['getAccount'],
  ['accountCommission', symbol],
  ['rateLimitOrder'],
  ['newOrder', rest],
  ['deleteOrder', ofOrder],
  ['newOrder', rest],
  ['deleteOpenOrders', symbol],
  ['sorOrder', sor],
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
  ['myAllocations', symbol],
  ['myFilters', symbol],
  ['accountStatus'],
  ['accountCommission', symbol],
  ['accountRateLimitsOrders'],
  ['orderPlace', rest],
  ['orderCancel', ofOrder],
  ['orderPlace', rest],
  ['openOrdersCancelAll', symbol],
  ['sorOrderPlace', sor],
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
/** What the exchange may lack (docs/api/differences.md). */
const mayLack = /^sorOrder/

/** REST parses when it is asked to. */
interface Answer {
  readonly data: unknown
}
/** The connector's type is void; or knows no session without a logon, whose apiKey is null. */
const untyped = new Set(['ping', 'sessionStatus'])

interface Answered {
  readonly method: string
  readonly data: unknown
}

/** The code of a refusal over the WebSocket API. */
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code
const UNKNOWN_METHOD = -1020

/** Makes the calls in their order. Adds a line to `failed` for each that has no answer. */
async function callAll(
  api: object,
  calls: readonly Call[],
  failed: string[],
): Promise<readonly Answered[]> {
  const before: Record<string, unknown> = {}
  const answered: Answered[] = []
  for (const [method, given] of calls) {
    const params = typeof given === 'function' ? given(before as Before) : given
    try {
      const call = (api as Record<string, (params?: Params) => Promise<Answer>>)[method]!
      const answer = await call.call(api, params)
      const data = typeof answer.data === 'function' ? await answer.data() : answer.data
      if (!untyped.has(method)) answered.push({ method, data })
      const row = data as Record<string, unknown> | undefined
      if (/^(newOrder|orderPlace)$/.test(method)) before.order = row
      if (/^orderCancelReplace$/.test(method)) before.order = row!.newOrderResponse
      if (row?.orderListId !== undefined && 'listOrderStatus' in row) before.list = row
    } catch (error) {
      const isLacked =
        mayLack.test(method) && (error instanceof NotFoundError || codeOf(error) === UNKNOWN_METHOD)
      if (!isLacked) failed.push(`${method}: ${error} ${codeOf(error)}`)
    }
  }
  return answered
}

const methodsOf = (api: object): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(api)).filter(
    (name) => !/^(constructor|send\w*|on|off|disconnect|isConnected|pingServer)$/.test(name),
  )

/** Returns what the compiler says of the answers. */
async function compiled(type: string, answers: readonly Answered[]): Promise<string> {
  const lines = answers.map(
    ({ method, data }, at) =>
      `const given${at} = ${JSON.stringify(data)} as const\n` +
      `declare const open${at}: Open<typeof given${at}>\n` +
      `export const taken${at}: Of<Api, '${method}'> = open${at}\n`,
  )
  const file = path.join(folder(), 'answers.ts')
  fs.mkdirSync(folder(), { recursive: true })
  fs.symlinkSync(path.resolve('node_modules'), path.join(folder(), 'node_modules'))
  fs.writeFileSync(
    file,
    `import type { Spot } from '@binance/spot'
type Api = ${type}
type Open<Value> =
  Value extends object ? { -readonly [Key in keyof Value]: Open<Value[Key]> } : Value
type Answer<Data> = Data extends () => Promise<infer Parsed> ? Parsed : Data
type Of<Api, Method extends keyof Api> =
  Api[Method] extends (...given: never[]) => Promise<{ data: infer Data }> ? Answer<Data> : never
${lines.join('')}`,
  )
  const flags = ['--strict', '--noEmit', '--skipLibCheck', '--ignoreConfig', '--module', 'nodenext']
  return promisify(execFile)(process.execPath, [
    'node_modules/typescript/bin/tsc',
    ...flags,
    file,
  ]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
}

test('each method over REST gets an answer that its types take', async () => {
  const failed: string[] = []
  const answers = await callAll(client.restAPI, restCalls, failed)
  expect(failed).toEqual([])
  const called = new Set(restCalls.map(([method]) => method))
  expect(methodsOf(client.restAPI).filter((name) => !called.has(name))).toEqual([])
  expect(await compiled("Spot['restAPI']", answers)).toBe('')
})

test('each method of the WebSocket API gets an answer that its types take', async () => {
  const failed: string[] = []
  const answers = await callAll(socket, socketCalls, failed)
  expect(failed).toEqual([])
  const called = new Set([...socketCalls.map(([method]) => method), ...ofSessions])
  expect(methodsOf(socket).filter((name) => !called.has(name))).toEqual([])
  expect(await compiled("Awaited<ReturnType<Spot['websocketAPI']['connect']>>", answers)).toBe('')
})
