/**
 * LONG parameters are 64-bit integers: what lies beyond every id and time is valid, and finds what there
 * is to find. Over REST and the WebSocket API.
 */
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { operations } from '../../src/api/operations/index.ts'
import { type ParamName, parameters, paramNames } from '../../src/api/parameters.ts'
import { eventually } from '../fixtures/eventually.ts'
import { LoopExchange } from '../fixtures/loop-exchange.ts'
import { type Params, Trader } from './trader.ts'

let exchange: LoopExchange
let trader: Trader
let orderId: number

const limit = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01' }

beforeAll(async () => {
  exchange = await LoopExchange.start()
  trader = new Trader(exchange, 'trader1')
  const maker = new Trader(exchange, 'maker')
  for (const price of ['60000', '60001']) await maker.place({ ...limit, side: 'SELL', price })
  orderId = Number((await trader.place({ ...limit, side: 'BUY', price: '60000' })).orderId)
})
afterAll(async () => {
  await trader?.leave()
  await exchange?.remove()
})

/** What is answered: a code, no rows, or some. */
type Outcome = number | 'none' | 'some'
type Row = readonly [operation: string, name: ParamName, outcome: Outcome, more?: Params]

const symbol = { symbol: 'BTCUSDT' }
const interval = { ...symbol, interval: '1m' }
const stop = { ...symbol, side: 'SELL', type: 'STOP_LOSS', quantity: '0.01' }
const mode = { cancelReplaceMode: 'STOP_ON_FAILURE' }
const replaced = { ...limit, ...mode, side: 'BUY', price: '50000' }
const oldOco = { ...symbol, side: 'SELL', quantity: '0.01', price: '70000' }
const pair = { ...symbol, side: 'SELL', quantity: '0.01' }
const above = {
  ...pair,
  side: 'BUY',
  aboveType: 'STOP_LOSS',
  belowType: 'LIMIT_MAKER',
  belowPrice: '50000',
}
const below = { ...pair, aboveType: 'LIMIT_MAKER', abovePrice: '70000', belowType: 'STOP_LOSS' }
const working = {
  ...symbol,
  workingType: 'LIMIT',
  workingSide: 'BUY',
  workingPrice: '50000',
  workingQuantity: '0.01',
  workingTimeInForce: 'GTC',
  pendingSide: 'SELL',
  pendingQuantity: '0.01',
}
const { pendingQuantity: _, ...opo } = working
const aboveStop = {
  pendingAboveType: 'TAKE_PROFIT',
  pendingBelowType: 'STOP_LOSS',
  pendingBelowStopPrice: '40000',
}
const belowStop = {
  pendingAboveType: 'LIMIT_MAKER',
  pendingAbovePrice: '70000',
  pendingBelowType: 'STOP_LOSS',
}
const pendingAbove = {
  ...working,
  pendingSide: 'BUY',
  pendingAboveType: 'STOP_LOSS',
  pendingBelowType: 'LIMIT_MAKER',
  pendingBelowPrice: '50000',
}
const pendingBelow = {
  ...working,
  pendingAboveType: 'LIMIT_MAKER',
  pendingAbovePrice: '70000',
  pendingBelowType: 'STOP_LOSS',
}
const TRAILING_DELTA = -1013
const PEG_LEVELS = -1108
const peg = { pegPriceType: 'PRIMARY_PEG', pegOffsetType: 'PRICE_LEVEL' }
const pegOf = (leg: string): Params => ({
  [`${leg}PegPriceType`]: 'PRIMARY_PEG',
  [`${leg}PegOffsetType`]: 'PRICE_LEVEL',
})
const resting = { pendingType: 'LIMIT', pendingPrice: '70000', pendingTimeInForce: 'GTC' }
const oto = { ...working, ...resting }
const oneLeg = { ...opo, ...resting }

const listed = (operation: string, outcome: Outcome, more: Params = {}): readonly Row[] =>
  (['startTime', 'endTime', 'offset', 'limit'] as const).map((name) => [
    operation,
    name,
    outcome,
    more,
  ])

const rows: readonly Row[] = [
  ['depth', 'limit', 'some', symbol],
  ['trades', 'limit', 'some', symbol],
  ['historicalTrades', 'limit', 'some', symbol],
  ['historicalTrades', 'fromId', 'none', symbol],
  ['historicalBlockTrades', 'fromId', 'none', symbol],
  ['historicalBlockTrades', 'limit', 'none', { ...symbol, fromId: 1 }],
  ['aggTrades', 'fromId', 'none', symbol],
  ['aggTrades', 'startTime', 'none', symbol],
  ['aggTrades', 'endTime', 'some', symbol],
  ['aggTrades', 'limit', 'some', symbol],
  ['klines', 'startTime', 'none', interval],
  ['klines', 'endTime', 'some', interval],
  ['klines', 'limit', 'some', interval],
  ['uiKlines', 'startTime', 'none', interval],
  ['uiKlines', 'endTime', 'some', interval],
  ['uiKlines', 'limit', 'some', interval],
  ['placeOrder', 'trailingDelta', TRAILING_DELTA, stop],
  ['placeOrder', 'pegOffsetValue', PEG_LEVELS, { ...limit, ...peg, side: 'BUY' }],
  ['testOrder', 'trailingDelta', TRAILING_DELTA, stop],
  ['testOrder', 'pegOffsetValue', PEG_LEVELS, { ...limit, ...peg, side: 'BUY' }],
  ['queryOrder', 'orderId', -2013, symbol],
  ['cancelOrder', 'orderId', -2011, symbol],
  ['replaceOrder', 'cancelOrderId', -2022, replaced],
  ['replaceOrder', 'trailingDelta', TRAILING_DELTA, { ...stop, ...mode, cancelOrderId: 1 }],
  ['replaceOrder', 'pegOffsetValue', PEG_LEVELS, { ...replaced, ...peg }],
  ['setCountdown', 'countdownTime', -1108],
  ['setProtection', 'windowMs', -1108, { ...symbol, maxFills: 1 }],
  ['setProtection', 'maxFills', -1108, { ...symbol, windowMs: 1_000 }],
  ['amendOrder', 'orderId', -2038, { ...symbol, newQty: '0.001' }],
  ['myAllocations', 'startTime', 'none', symbol],
  ['myAllocations', 'endTime', 'none', symbol],
  ['myAllocations', 'fromAllocationId', 'none', symbol],
  ['myAllocations', 'limit', 'none', symbol],
  ['myAllocations', 'orderId', 'none', symbol],
  ['placeOldOco', 'trailingDelta', TRAILING_DELTA, oldOco],
  ['placeOco', 'aboveTrailingDelta', TRAILING_DELTA, above],
  ['placeOco', 'belowTrailingDelta', TRAILING_DELTA, below],
  ['placeOco', 'abovePegOffsetValue', PEG_LEVELS, { ...below, ...pegOf('above') }],
  ['placeOco', 'belowPegOffsetValue', PEG_LEVELS, { ...above, ...pegOf('below') }],
  ['placeOto', 'pendingTrailingDelta', TRAILING_DELTA, { ...working, pendingType: 'STOP_LOSS' }],
  ['placeOto', 'workingPegOffsetValue', PEG_LEVELS, { ...oto, ...pegOf('working') }],
  ['placeOto', 'pendingPegOffsetValue', PEG_LEVELS, { ...oto, ...pegOf('pending') }],
  ['placeOtoco', 'pendingAboveTrailingDelta', TRAILING_DELTA, pendingAbove],
  ['placeOtoco', 'pendingBelowTrailingDelta', TRAILING_DELTA, pendingBelow],
  ['placeOtoco', 'workingPegOffsetValue', PEG_LEVELS, { ...pendingBelow, ...pegOf('working') }],
  [
    'placeOtoco',
    'pendingAbovePegOffsetValue',
    PEG_LEVELS,
    { ...pendingBelow, ...pegOf('pendingAbove') },
  ],
  [
    'placeOtoco',
    'pendingBelowPegOffsetValue',
    PEG_LEVELS,
    { ...pendingAbove, ...pegOf('pendingBelow') },
  ],
  ['placeOpo', 'pendingTrailingDelta', TRAILING_DELTA, { ...opo, pendingType: 'STOP_LOSS' }],
  ['placeOpo', 'workingPegOffsetValue', PEG_LEVELS, { ...oneLeg, ...pegOf('working') }],
  ['placeOpo', 'pendingPegOffsetValue', PEG_LEVELS, { ...oneLeg, ...pegOf('pending') }],
  ['placeOpoco', 'pendingAboveTrailingDelta', TRAILING_DELTA, { ...opo, ...aboveStop }],
  ['placeOpoco', 'pendingBelowTrailingDelta', TRAILING_DELTA, { ...opo, ...belowStop }],
  [
    'placeOpoco',
    'workingPegOffsetValue',
    PEG_LEVELS,
    { ...opo, ...belowStop, ...pegOf('working') },
  ],
  [
    'placeOpoco',
    'pendingAbovePegOffsetValue',
    PEG_LEVELS,
    { ...opo, ...belowStop, ...pegOf('pendingAbove') },
  ],
  [
    'placeOpoco',
    'pendingBelowPegOffsetValue',
    PEG_LEVELS,
    { ...opo, ...aboveStop, ...pegOf('pendingBelow') },
  ],
  ['cancelOrderList', 'orderListId', -2011, symbol],
  ['allOrders', 'orderId', 'none', symbol],
  ['allOrders', 'startTime', 'none', symbol],
  ['allOrders', 'endTime', 'some', symbol],
  ['allOrders', 'limit', 'some', symbol],
  ['myTrades', 'orderId', 'none', symbol],
  ['myTrades', 'startTime', 'none', symbol],
  ['myTrades', 'endTime', 'some', symbol],
  ['myTrades', 'fromId', 'none', symbol],
  ['myTrades', 'limit', 'some', symbol],
  ['myPreventedMatches', 'preventedMatchId', 'none', symbol],
  ['myPreventedMatches', 'orderId', 'none', symbol],
  ['myPreventedMatches', 'fromPreventedMatchId', 'none', { ...symbol, orderId: 1 }],
  [
    ...(['myPreventedMatches', 'limit', 'none'] as const),
    { ...symbol, orderId: 1, fromPreventedMatchId: 1 },
  ],
  ['amendments', 'orderId', 'none', symbol],
  ['amendments', 'fromExecutionId', 'none', { ...symbol, orderId: 1 }],
  ['amendments', 'limit', 'none', { ...symbol, orderId: 1 }],
  ['orderList', 'orderListId', -2018],
  ['allOrderLists', 'fromId', 'none'],
  ['allOrderLists', 'startTime', 'none'],
  ['allOrderLists', 'endTime', 'none'],
  ['allOrderLists', 'limit', 'none'],
  ['distributions', 'startTime', 'none'],
  ['distributions', 'endTime', 'none'],
  ['distributions', 'limit', 'none'],
  ['dividends', 'startTime', 'none'],
  ['dividends', 'endTime', 'none'],
  ['dividends', 'limit', 'none'],
  ...listed('deposits', 'none'),
  ...listed('withdrawals', 'none'),
  ...['subAccountDeposits', 'subDeposits'].flatMap((operation) =>
    listed(operation, -4003, { email: 'none@example.com' }),
  ),
  ['subAccounts', 'page', 'some'],
  ['subAccounts', 'limit', 'some'],
  ['subAccountWorths', 'page', 'some'],
  ['subAccountWorths', 'size', 'some'],
  ['subUsers', 'page', 'some'],
  ['subUsers', 'limit', 'some'],
  ...(['startTime', 'endTime', 'page', 'limit'] as const).flatMap((name): Row[] => [
    ['subAccountTransfers', name, 'some'],
    ['universalTransfers', name, 'some'],
    ['spotTransfers', name, 'none'],
  ]),
]

const LONG_MAX = String(2n ** 63n - 1n)
const values = [String(2 ** 53), LONG_MAX]

/** Labels are echoed digit for digit, as records hold them; a type of strategies is an INT. */
const isOther = (name: ParamName) => /strategy(?:Id|Type)$/i.test(name) || name === 'timestamp'

test('each LONG and each count of each operation has a row', () => {
  const taken = operations.flatMap(({ id, params }) =>
    params
      .map(({ slot }) => paramNames[slot]!)
      .filter((name) => ['LONG', 'INT'].includes(parameters[name].kind.label) && !isOther(name))
      .map((name) => `${id} ${name}`),
  )
  expect(rows.map(([id, name]) => `${id} ${name}`).sort()).toEqual(taken.sort())
})

const outcomeOf = (body: unknown): Outcome => {
  const { code, asks, rows: within } = body as Record<string, unknown>
  if (typeof code === 'number') return code
  const list = [body, asks, within].find(Array.isArray) ?? [body]
  return list.length === 0 ? 'none' : 'some'
}

test.each(rows.map((row) => [row[0], row[1], row] as const))('%s, %s', async (id, name, row) => {
  const [, , outcome, more = {}] = row
  const { method, path, wsMethod, signed } = operations.find((row) => row.id === id)!
  for (const value of values) {
    const params = { ...more, [name]: value }
    const over = signed
      ? (await trader.send(method, path, params)).body
      : await publicly(path, params)
    expect(outcomeOf(over), JSON.stringify(over)).toBe(outcome)
    if (wsMethod === undefined) continue
    const answer = signed
      ? await trader.askSocket(wsMethod, params)
      : await trader.askPlain(wsMethod, params)
    expect(outcomeOf(answer.error ?? answer.result), JSON.stringify(answer)).toBe(outcome)
  }
})

async function publicly(path: string, params: Params): Promise<unknown> {
  const query = new URLSearchParams(params as Record<string, string>)
  const headers = { 'X-MBX-APIKEY': exchange.keys().trader1!.apiKey }
  return (await fetch(`${exchange.url}${path}?${query}`, { headers })).json()
}

test('an end far ahead gives the rows up to now', async () => {
  for (const endTime of values) {
    const { body } = await trader.send('GET', '/api/v3/allOrders', { ...symbol, endTime })
    expect(body).toMatchObject([{ orderId }])
  }
})

test('a timestamp in nanoseconds is out of the window, not missing', async () => {
  const timestamp = `${exchange.nowMs()}000000`
  for (const sent of [timestamp, LONG_MAX]) {
    const query = `timestamp=${sent}&signature=x`
    const headers = { 'X-MBX-APIKEY': exchange.keys().trader1!.apiKey }
    const answer = await fetch(`${exchange.url}/api/v3/account?${query}`, { headers })
    expect([answer.status, ((await answer.json()) as { code: number }).code]).toEqual([400, -1021])
    const params = { ...headersOf(), timestamp: sent, signature: 'x' }
    expect(await trader.askPlain('account.status', params)).toMatchObject({
      error: { code: -1021 },
    })
  }
})
const headersOf = () => ({ apiKey: exchange.keys().trader1!.apiKey })

test('a subscription of a huge id is none', async () => {
  const answer = await trader.askPlain('userDataStream.unsubscribe', { subscriptionId: LONG_MAX })
  expect(answer).toMatchObject({ error: { code: -2036 } })
})

/** A request whose answer is read as text: JSON.parse would round what is tested. */
async function textOf(method: string, path: string, params: Params): Promise<string> {
  const query = signer().sign(params as Record<string, string>)
  const headers = { 'X-MBX-APIKEY': exchange.keys().trader1!.apiKey }
  return (await fetch(`${exchange.url}/api/v3/${path}?${query}`, { method, headers })).text()
}
const signer = () => new SignedClient(exchange.url, exchange.keys().trader1!)

const labelsIn = (text: string): string[] =>
  [...text.matchAll(/"(?:strategyId|j)":(\d+)/g)].map((match) => match[1]!)

test.each([
  String(2 ** 53 - 1),
  String(2n ** 53n + 1n),
  LONG_MAX,
])('strategyId %s is echoed digit for digit', async (strategyId) => {
  const socket = new WebSocket(`${exchange.wsUrl}/ws-api/v3`)
  const frames: string[] = []
  socket.on('message', (data) => frames.push(String(data)))
  await once(socket, 'open')
  const send = (method: string, params: Params) =>
    socket.send(JSON.stringify({ id: method, method, params: trader.sign(params) }))
  send('userDataStream.subscribe.signature', {})
  await eventually('the subscription', () => frames[0])
  const order = { ...limit, side: 'BUY', price: '50000', strategyId, newOrderRespType: 'FULL' }
  const expectLabels = (text: string, count = 1) =>
    expect([text, labelsIn(text)]).toEqual([text, Array(count).fill(strategyId)])
  const placed = await textOf('POST', 'order', order)
  expectLabels(placed)
  const { orderId } = JSON.parse(placed)
  const own = { ...symbol, orderId }
  expectLabels(await textOf('GET', 'order', own))
  expectLabels(await textOf('GET', 'openOrders', symbol))
  const replacing = { ...order, ...mode, cancelOrderId: orderId }
  expectLabels(await textOf('POST', 'order/cancelReplace', replacing), 2)
  const listed = { ...below, aboveStrategyId: strategyId, belowStrategyId: strategyId }
  const list = { ...listed, belowStopPrice: '40000', newOrderRespType: 'FULL' }
  expectLabels(await textOf('POST', 'orderList/oco', list), 2)
  expectLabels(await textOf('DELETE', 'openOrders', symbol), 3)
  const archived = labelsIn(await textOf('GET', 'allOrders', symbol))
  expect(archived.filter((label) => label === strategyId)).toHaveLength(4)
  send('order.place', { ...order, type: 'LIMIT', quantity: '0.02' })
  const answer = await eventually('the answer', () =>
    frames.find((it) => it.includes('"id":"order.place"')),
  )
  expectLabels(answer)
  const reports = await eventually('reports of all orders', () => {
    const found = frames.filter((it) => it.includes('"executionReport"'))
    return found.length >= 9 ? found : undefined
  })
  for (const report of reports) expectLabels(report)
  await textOf('DELETE', 'openOrders', symbol)
  socket.terminate()
})

test('beyond 64 bits a number overflows', async () => {
  const beyond = { ...symbol, orderId: String(2n ** 63n) }
  const { status, body } = await trader.send('GET', '/api/v3/order', beyond)
  expect([status, body]).toEqual([400, { code: -1108, msg: "Parameter 'orderId' overflowed." }])
  const labeled = { ...limit, side: 'BUY', price: '50000', strategyId: String(2n ** 63n) }
  expect(await trader.send('POST', '/api/v3/order', labeled)).toMatchObject({
    body: { code: -1108, msg: "Parameter 'strategyId' overflowed." },
  })
})
