/**
 * Order amend keep priority, by its public FAQ and the REST API's documents: quantity falls, the place
 * in the queue stays.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import { readByEveryGateway } from '../every-gateway.ts'
import type { Frame } from '../frame-log.ts'
import { stageExchange } from '../staged-exchange.ts'
import { type Params, Trader } from '../trader.ts'
import { CLIENT_ID, ID, queried, refusal, report, TIME, ZERO } from './payloads.ts'

const SYMBOL = 'BTCUSDT'
const PATH = '/api/v3/order/amend/keepPriority'
const LIMIT = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC' }

let exchange: ExchangeProcess
let you: Trader
let userA: Trader
let userB: Trader
let userC: Trader

beforeAll(async () => {
  const funds = { BTC: 1000, USDT: 10_000_000 }
  exchange = await stageExchange({
    assets: ['BTC', 'USDT'],
    symbols: [
      {
        name: SYMBOL,
        filters: [{ filterType: 'MAX_NUM_ORDER_AMENDS', maxNumOrderAmends: 2 }],
      },
    ],
    accounts: { you: { funds }, userA: { funds }, userB: { funds }, userC: { funds } },
  })
  await exchange.run()
  you = new Trader(exchange, 'you')
  userA = new Trader(exchange, 'userA')
  userB = new Trader(exchange, 'userB')
  userC = new Trader(exchange, 'userC')
})
afterAll(() => exchange?.remove())

beforeEach(async () => {
  for (const trader of [you, userA, userB, userC])
    await trader.send('DELETE', '/api/v3/openOrders', { symbol: SYMBOL })
})

const amend = (params: Params) => you.ask('PUT', PATH, { symbol: SYMBOL, ...params })

/** What an amendment answers of its order, with the names that only it uses. */
const amended = (fields: Frame): Frame => ({
  symbol: SYMBOL,
  orderId: ID,
  orderListId: -1,
  clientOrderId: CLIENT_ID,
  executedQty: ZERO,
  preventedQty: ZERO,
  quoteOrderQty: ZERO,
  cumulativeQuoteQty: ZERO,
  status: 'NEW',
  timeInForce: 'GTC',
  type: 'LIMIT',
  workingTime: TIME,
  selfTradePreventionMode: 'EXPIRE_MAKER',
  ...fields,
})

/** All bids, once every gateway shows it: any of them may be queried. */
async function bids(): Promise<unknown> {
  await readByEveryGateway(exchange, exchange.keys().you!)
  const response = await fetch(`${exchange.url}/api/v3/depth?symbol=${SYMBOL}`)
  return ((await response.json()) as Frame).bids
}

test('the example: 5.50 becomes 5.00, second in the queue before and after', async () => {
  const bid = { ...LIMIT, side: 'BUY', price: '87000' }
  await userA.place({ ...bid, quantity: '1' })
  const order = await you.place({ ...bid, quantity: '5.5', newClientOrderId: 'yours' })
  await userB.place({ ...bid, quantity: '4' })
  await userC.place({ ...bid, price: '86999', quantity: '2' })
  await you.follow()
  const before = await you.balances()

  const orderId = Number(order.orderId)
  const answer = await amend({ orderId, newQty: '5' })
  const amendedOrder = amended({
    orderId,
    origClientOrderId: 'yours',
    price: '87000.00000000',
    qty: '5.00000000',
    side: 'BUY',
    workingTime: order.transactTime,
  })
  expect(answer).toEqual({ transactTime: TIME, executionId: ID, amendedOrder })
  const { clientOrderId } = answer.amendedOrder as Frame
  expect(await you.order(SYMBOL, orderId)).toEqual(
    queried({
      symbol: SYMBOL,
      orderId,
      clientOrderId,
      price: '87000.00000000',
      origQty: '5.00000000',
      side: 'BUY',
      time: order.transactTime,
      workingTime: order.transactTime,
    }),
  )
  expect(await bids()).toEqual([
    ['87000.00000000', '10.00000000'],
    ['86999.00000000', '2.00000000'],
  ])
  const [replaced, position] = await you.events(2)
  expect(replaced).toEqual(
    report({
      s: SYMBOL,
      c: clientOrderId,
      S: 'BUY',
      q: '5.00000000',
      p: '87000.00000000',
      x: 'REPLACED',
      i: orderId,
      T: answer.transactTime,
      I: answer.executionId,
      O: order.transactTime,
      W: order.transactTime,
    }),
  )
  const freed = (Number(before.USDT?.free) + 43_500).toFixed(8)
  expect((position as Frame).B).toContainEqual({ a: 'USDT', f: freed, l: '435000.00000000' })

  const sold = await userC.place({ ...LIMIT, side: 'SELL', price: '87000', quantity: '2' })
  expect(sold.fills).toMatchObject([{ qty: '1.00000000' }, { qty: '1.00000000' }])
  expect(await you.order(SYMBOL, orderId)).toMatchObject({
    status: 'PARTIALLY_FILLED',
    executedQty: '1.00000000',
  })
  expect(await userB.ask('GET', '/api/v3/openOrders')).toMatchObject([{ status: 'NEW' }])
  await you.leave()
})

test('amendments of an order are listed, oldest first', async () => {
  const order = await you.place({
    ...LIMIT,
    side: 'SELL',
    price: '6',
    quantity: '5',
    newClientOrderId: 'first-name',
  })
  const orderId = Number(order.orderId)
  const one = await amend({ origClientOrderId: 'first-name', newQty: '4' })
  const secondName = (one.amendedOrder as Frame).clientOrderId
  const two = await amend({ orderId, newQty: '3', newClientOrderId: 'third-name' })
  const rows = [
    {
      symbol: SYMBOL,
      orderId,
      executionId: one.executionId,
      origClientOrderId: 'first-name',
      newClientOrderId: secondName,
      origQty: '5.00000000',
      newQty: '4.00000000',
      time: one.transactTime,
    },
    {
      symbol: SYMBOL,
      orderId,
      executionId: two.executionId,
      origClientOrderId: secondName,
      newClientOrderId: 'third-name',
      origQty: '4.00000000',
      newQty: '3.00000000',
      time: two.transactTime,
    },
  ]
  const query = { symbol: SYMBOL, orderId }
  expect(await you.ask('GET', '/api/v3/order/amendments', query)).toEqual(rows)
  const last = { ...query, fromExecutionId: Number(two.executionId) }
  expect(await you.ask('GET', '/api/v3/order/amendments', last)).toEqual(rows.slice(1))
  const newest = { ...query, limit: 1 }
  expect(await you.ask('GET', '/api/v3/order/amendments', newest)).toEqual(rows.slice(1))
  const oldest = { ...newest, fromExecutionId: 0 }
  expect(await you.ask('GET', '/api/v3/order/amendments', oldest)).toEqual(rows.slice(0, 1))
  const socket = await you.askSocket('order.amendments', query)
  expect(socket.result).toEqual(rows)
  await you.leave()
  const third = await you.send('PUT', PATH, { symbol: SYMBOL, orderId, newQty: '2' })
  expect([third.status, third.body]).toEqual([
    400,
    refusal(-2038, 'Filter failure: MAX_NUM_ORDER_AMENDS'),
  ])
})
