/**
 * Cancel-replace, by the table of outcomes of the REST API's documents (rest-api.md, cancelReplace), over REST and
 * over the WebSocket API: an outcome of each kind. protocol/replace-answers has all of them, and those of an
 * exceeded order count.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import type { Frame } from '../frame-log.ts'
import { stageExchange } from '../staged-exchange.ts'
import { kindOf, type Params, Trader } from '../trader.ts'
import { acknowledged, canceled, list, placed, refusal, report, TIME } from './payloads.ts'

const SYMBOL = 'BTCUSDT'
const PATH = '/api/v3/order/cancelReplace'

let exchange: ExchangeProcess
let own: Trader
let other: Trader

beforeAll(async () => {
  const funds = { BTC: 100, USDT: 100_000 }
  exchange = await stageExchange({
    assets: ['BTC', 'USDT'],
    symbols: [{ name: SYMBOL, filters: [{ filterType: 'MAX_NUM_ORDERS', maxNumOrders: 3 }] }],
    accounts: { own: { funds }, other: { funds } },
  })
  await exchange.run()
  own = new Trader(exchange, 'own')
  other = new Trader(exchange, 'other')
})
afterAll(() => exchange?.remove())

const LIMIT = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC' }
const MAKER = { symbol: SYMBOL, type: 'LIMIT_MAKER' }

let orderId: number

/** There is one own order to replace, and an ask at 200. */
beforeEach(async () => {
  for (const trader of [own, other])
    await trader.send('DELETE', '/api/v3/openOrders', { symbol: SYMBOL })
  await other.place({ ...LIMIT, side: 'SELL', quantity: '1', price: '200' })
  const old = { ...LIMIT, side: 'BUY', quantity: '1', price: '100', newClientOrderId: 'old' }
  orderId = Number((await own.place(old)).orderId)
})

const rests = { ...LIMIT, side: 'BUY', quantity: '2', price: '110' }
const crosses = { ...MAKER, side: 'BUY', quantity: '1', price: '200' }
const restsAsMaker = { ...MAKER, side: 'BUY', quantity: '1', price: '110' }

const cancelResponse = (): Frame =>
  canceled({
    symbol: SYMBOL,
    orderId,
    origClientOrderId: 'old',
    clientOrderId: 'the-cancel',
    price: '100.00000000',
    origQty: '1.00000000',
    side: 'BUY',
  })
const newOrderResponse = (): Frame =>
  placed({
    symbol: SYMBOL,
    orderId: expect.any(Number),
    clientOrderId: 'new',
    price: '110.00000000',
    origQty: '2.00000000',
    side: 'BUY',
  })
const shortResponse = (): Frame => acknowledged({ symbol: SYMBOL, clientOrderId: 'new' })
const unknown = () => refusal(-2011, 'Unknown order sent.')
const wouldTake = () => refusal(-2010, 'Order would immediately match and take.')

interface Row {
  readonly mode: 'STOP_ON_FAILURE' | 'ALLOW_FAILURE'
  readonly cancel: 'SUCCESS' | 'FAILURE'
  readonly order: 'SUCCESS' | 'FAILURE'
  readonly params: Params
  readonly status: number
  readonly newOrderResponse: () => Frame
}

const absent = { cancelOrderId: 999_999 }
const rows: readonly Row[] = [
  {
    mode: 'STOP_ON_FAILURE',
    cancel: 'SUCCESS',
    order: 'SUCCESS',
    params: rests,
    status: 200,
    newOrderResponse,
  },
  {
    mode: 'STOP_ON_FAILURE',
    cancel: 'SUCCESS',
    order: 'FAILURE',
    params: crosses,
    status: 409,
    newOrderResponse: wouldTake,
  },
  {
    mode: 'ALLOW_FAILURE',
    cancel: 'FAILURE',
    order: 'SUCCESS',
    params: { ...restsAsMaker, ...absent },
    status: 409,
    newOrderResponse: shortResponse,
  },
]

const paramsOf = ({ mode, params }: Pick<Row, 'mode' | 'params'>): Params => ({
  cancelReplaceMode: mode,
  cancelOrderId: orderId,
  cancelNewClientOrderId: 'the-cancel',
  newClientOrderId: 'new',
  ...params,
})

function bodyOf(row: Row): Frame {
  const data = {
    cancelResult: row.cancel,
    newOrderResult: row.order,
    cancelResponse: row.cancel === 'SUCCESS' ? cancelResponse() : unknown(),
    newOrderResponse: row.newOrderResponse(),
  }
  if (row.status === 200) return data
  return { code: -2021, msg: 'Order cancel-replace partially failed.', data }
}

describe.each(['DO_NOTHING', 'CANCEL_ONLY'])('within limits, %s', (exceeded) => {
  test.each(rows)('$mode: cancel $cancel, order $order', async (row) => {
    const params = { ...paramsOf(row), orderRateLimitExceededMode: exceeded }
    const answer = await own.send('POST', PATH, params)
    expect(answer.body).toEqual(bodyOf(row))
    expect(answer.status).toBe(row.status)
    const open = (await own.ask('GET', '/api/v3/openOrders')) as unknown as Frame[]
    expect(open.map(({ clientOrderId }) => clientOrderId)).toEqual([
      ...(row.cancel === 'FAILURE' ? ['old'] : []),
      ...(row.order === 'SUCCESS' ? ['new'] : []),
    ])
  })
})

test.each(rows)('over the WebSocket API, $mode: cancel $cancel, order $order', async (row) => {
  const { status } = row
  const answer = await own.askSocket('order.cancelReplace', paramsOf(row))
  const body = bodyOf(row)
  const expected = status === 200 ? { status, result: body } : { status, error: body }
  expect(answer).toEqual({ id: answer.id, ...expected })
  await own.leave()
})

test('a counting filter is judged before anything is canceled, the old order still counted', async () => {
  for (const price of ['90', '91']) {
    await own.place({ ...LIMIT, side: 'BUY', quantity: '1', price })
  }
  const answer = await own.send('POST', PATH, paramsOf({ mode: 'ALLOW_FAILURE', params: rests }))
  expect([answer.status, answer.body]).toEqual([
    400,
    refusal(-2010, 'Filter failure: MAX_NUM_ORDERS'),
  ])
  expect(await own.order(SYMBOL, orderId)).toMatchObject({ status: 'NEW' })
})

test('restrictions that the old order does not meet make the cancel fail', async () => {
  const params = { ...rests, cancelRestrictions: 'ONLY_PARTIALLY_FILLED' }
  const answer = await own.send('POST', PATH, paramsOf({ mode: 'STOP_ON_FAILURE', params }))
  expect([answer.status, answer.body]).toEqual([
    400,
    {
      code: -2022,
      msg: 'Order cancel-replace failed.',
      data: {
        cancelResult: 'FAILURE',
        newOrderResult: 'NOT_ATTEMPTED',
        cancelResponse: refusal(-2011, 'Order was not canceled due to cancel restrictions.'),
        newOrderResponse: null,
      },
    },
  ])
})

test('the new order may use what the cancel freed, and its client id', async () => {
  const { free } = (await own.balances()).USDT as { free: string }
  // All that is free and the 100 that the old order holds.
  const quantity = (Math.floor(Number(free)) + 100) / 100
  const params = { ...rests, price: '100', quantity, newClientOrderId: 'old' }
  const answer = await own.ask('POST', PATH, {
    ...paramsOf({ mode: 'STOP_ON_FAILURE', params }),
    newOrderRespType: 'RESULT',
  })
  expect(answer).toMatchObject({
    cancelResponse: { status: 'CANCELED', origClientOrderId: 'old' },
    newOrderResponse: { status: 'NEW', clientOrderId: 'old' },
  })
})

test('a leg of a list takes its list along', async () => {
  const trade = { ...LIMIT, quantity: '0.01', price: '150' }
  await other.place({ ...trade, side: 'SELL' })
  await own.place({ ...trade, side: 'BUY' })
  await own.ask('DELETE', '/api/v3/order', { symbol: SYMBOL, orderId })
  const pair = await own.ask('POST', '/api/v3/orderList/oco', {
    symbol: SYMBOL,
    side: 'SELL',
    quantity: '1',
    aboveType: 'LIMIT_MAKER',
    abovePrice: '160',
    belowType: 'STOP_LOSS',
    belowStopPrice: '140',
  })
  const [stopId] = (pair.orders as Frame[]).map((order) => Number(order.orderId))
  // Three open orders are too many, so the pair would not leave room for a fourth.
  const params = { ...rests, cancelOrderId: stopId as number }
  const answer = await own.ask('POST', PATH, paramsOf({ mode: 'STOP_ON_FAILURE', params }))
  expect(answer).toEqual({
    cancelResult: 'SUCCESS',
    newOrderResult: 'SUCCESS',
    cancelResponse: list({
      symbol: SYMBOL,
      orderListId: pair.orderListId,
      listClientOrderId: pair.listClientOrderId,
      listStatusType: 'ALL_DONE',
      listOrderStatus: 'ALL_DONE',
      orders: pair.orders,
      orderReports: [
        expect.objectContaining({ status: 'CANCELED', type: 'STOP_LOSS' }),
        expect.objectContaining({ status: 'CANCELED', type: 'LIMIT_MAKER' }),
      ],
    }),
    newOrderResponse: newOrderResponse(),
  })
})

test('a new order that fails is reported to the user stream as rejected', async () => {
  await own.follow()
  const row = { mode: 'STOP_ON_FAILURE', params: crosses } as const
  await own.send('POST', PATH, paramsOf(row))
  const events = await own.events(3)
  expect(events.map(kindOf).sort()).toEqual([
    'CANCELED CANCELED',
    'REJECTED REJECTED',
    'outboundAccountPosition',
  ])
  const rejected = events.find(({ x }) => x === 'REJECTED')
  expect(rejected).toMatchObject({
    s: SYMBOL,
    c: 'new',
    S: 'BUY',
    o: 'LIMIT_MAKER',
    q: '1.00000000',
    p: '200.00000000',
    r: 'WOULD_MATCH_IMMEDIATELY',
    T: TIME,
    w: false,
  })
  expect(Object.keys(rejected ?? {})).toEqual(
    expect.arrayContaining(Object.keys(report({})).filter((key) => key !== 'W')),
  )
  await own.leave()
})
