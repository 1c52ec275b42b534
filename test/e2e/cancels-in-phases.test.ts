/**
 * What each status of a symbol refuses and what it takes (enums.md, Symbol status): no money is locked without a way
 * out, so what takes quantity out of the book works in all of them.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LoopExchange } from '../fixtures/loop-exchange.ts'
import { act } from './admin-server.ts'
import { FrameLog } from './frame-log.ts'
import { type Params, Trader } from './trader.ts'

const SYMBOL = 'BTCUSDT'
const PHASE = 'This order type is not possible in this trading phase.'
const GTC = 'Limit orders require GTC for this phase.'
const CLOSED = 'Market is closed.'

interface Row {
  /** Refusals of a MARKET and of a LIMIT IOC order. */
  readonly market: string
  readonly ioc: string
  /** The refusal of a LIMIT GTC order; left out where it is taken. */
  readonly gtc?: string
  /** Whether the symbol's streams send frames. */
  readonly streams: boolean
}

const table: Readonly<Record<string, Row>> = {
  HALT: { market: CLOSED, ioc: CLOSED, gtc: CLOSED, streams: true },
  BREAK: { market: CLOSED, ioc: CLOSED, gtc: CLOSED, streams: false },
  CANCEL_ONLY: { market: CLOSED, ioc: CLOSED, gtc: CLOSED, streams: true },
  END_OF_DAY: { market: PHASE, ioc: PHASE, gtc: PHASE, streams: true },
  POST_TRADING: { market: PHASE, ioc: PHASE, gtc: PHASE, streams: true },
  PRE_TRADING: { market: PHASE, ioc: GTC, streams: true },
  AUCTION_MATCH: { market: PHASE, ioc: GTC, streams: true },
}

interface Operation {
  readonly method: string
  readonly path: string
}
const operations = {
  place: { method: 'POST', path: '/api/v3/order' },
  cancel: { method: 'DELETE', path: '/api/v3/order' },
  cancelAll: { method: 'DELETE', path: '/api/v3/openOrders' },
  cancelList: { method: 'DELETE', path: '/api/v3/orderList' },
  amend: { method: 'PUT', path: '/api/v3/order/amend/keepPriority' },
  replace: { method: 'POST', path: '/api/v3/order/cancelReplace' },
} as const satisfies Record<string, Operation>

let exchange: LoopExchange
let trader: Trader
beforeAll(async () => {
  exchange = await LoopExchange.start()
  trader = new Trader(exchange, 'trader1')
  // NOTIONAL of MARKET orders needs an average price.
  const traded = {
    symbol: SYMBOL,
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: 20_000,
    quantity: 0.01,
  }
  await new Trader(exchange, 'maker').place({ ...traded, side: 'SELL' })
  await new Trader(exchange, 'taker').place({ ...traded, side: 'BUY' })
})
afterAll(async () => {
  await trader?.leave()
  await exchange?.remove()
})

const setStatus = (status: string) => act(exchange, 'symbol-status', { symbol: SYMBOL, status })

const send = ({ method, path }: Operation, params: Params) => trader.send(method, path, params)

/** A bid that nothing meets. */
const BID = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '20000' }

async function rest(): Promise<number> {
  return Number((await trader.place({ ...BID, quantity: '0.002' })).orderId)
}
async function restList(): Promise<number> {
  const list = await trader.ask('POST', '/api/v3/orderList/oco', {
    symbol: SYMBOL,
    side: 'BUY',
    quantity: '0.002',
    belowType: 'LIMIT_MAKER',
    belowPrice: '19000',
    aboveType: 'STOP_LOSS_LIMIT',
    aboveTimeInForce: 'GTC',
    aboveStopPrice: '30000',
    abovePrice: '30000',
  })
  return Number(list.orderListId)
}

test.each(Object.entries(table))('%s', async (status, { market, ioc, gtc, streams }) => {
  await setStatus('TRADING')
  const [canceled, amended, replaced] = [await rest(), await rest(), await rest()]
  const listed = await restList()
  await rest()
  const changes = await FrameLog.open(`${exchange.wsUrl}/ws/btcusdt@depth@100ms`)
  await setStatus(status)

  const size = { symbol: SYMBOL, quantity: '0.002' }
  expect(await send(operations.place, { ...size, side: 'BUY', type: 'MARKET' })).toMatchObject({
    status: 400,
    body: { code: -2010, msg: market },
  })
  expect(await send(operations.place, { ...BID, ...size, timeInForce: 'IOC' })).toMatchObject({
    status: 400,
    body: { code: -2010, msg: ioc },
  })

  const placed = await send(operations.place, { ...BID, ...size })
  expect(placed).toMatchObject(
    gtc === undefined
      ? { status: 200, body: { status: 'NEW' } }
      : { status: 400, body: { code: -2010, msg: gtc } },
  )

  expect(await send(operations.cancel, { symbol: SYMBOL, orderId: canceled })).toMatchObject({
    status: 200,
    body: { orderId: canceled, status: 'CANCELED' },
  })
  expect(
    await send(operations.amend, { symbol: SYMBOL, orderId: amended, newQty: '0.001' }),
  ).toMatchObject({ status: 200, body: { amendedOrder: { qty: '0.00100000' } } })
  expect(
    await send(operations.replace, {
      ...size,
      side: 'BUY',
      type: 'MARKET',
      cancelOrderId: replaced,
      cancelReplaceMode: 'STOP_ON_FAILURE',
    }),
  ).toMatchObject({
    status: 409,
    body: {
      code: -2021,
      data: {
        cancelResult: 'SUCCESS',
        newOrderResult: 'FAILURE',
        cancelResponse: { orderId: replaced, status: 'CANCELED' },
        newOrderResponse: { code: -2010, msg: market },
      },
    },
  })
  expect(await send(operations.cancelList, { symbol: SYMBOL, orderListId: listed })).toMatchObject({
    status: 200,
    body: { orderListId: listed, listStatusType: 'ALL_DONE' },
  })
  expect((await send(operations.cancelAll, { symbol: SYMBOL })).status).toBe(200)
  expect(await trader.ask('GET', '/api/v3/openOrders', { symbol: SYMBOL })).toEqual([])
  const { USDT } = await trader.balances()
  expect(USDT?.locked).toBe('0.00000000')

  // What a stream sends at all, it sends by the time that another connection's frame is there.
  if (streams) await changes.first('a change of the book', ({ e }) => e === 'depthUpdate')
  else expect(changes.frames).toEqual([])
  await changes.close()
})

test('a replacement in HALT cancels, though nobody knows what its order is worth', async () => {
  const untraded = { symbol: 'ETHUSDT', side: 'BUY', quantity: '0.02' }
  const limit = { ...untraded, type: 'LIMIT', timeInForce: 'GTC', price: '1000' }
  const { orderId } = await trader.place(limit)
  await act(exchange, 'halt', { symbol: 'ETHUSDT' })
  const replaced = await send(operations.replace, {
    ...untraded,
    type: 'MARKET',
    cancelReplaceMode: 'STOP_ON_FAILURE',
    cancelOrderId: Number(orderId),
  })
  expect(replaced).toMatchObject({
    status: 409,
    body: {
      code: -2021,
      data: { cancelResult: 'SUCCESS', newOrderResponse: { code: -2010, msg: CLOSED } },
    },
  })
  expect(await trader.ask('GET', '/api/v3/openOrders', { symbol: 'ETHUSDT' })).toEqual([])
})

test('operators cancel in BREAK too', async () => {
  await setStatus('TRADING')
  const one = await rest()
  await rest()
  await setStatus('BREAK')
  await act(exchange, 'cancel-order', { account: 'trader1', symbol: SYMBOL, id: String(one) })
  await act(exchange, 'cancel-orders', { account: 'trader1', symbol: SYMBOL })
  expect(await trader.ask('GET', '/api/v3/openOrders', { symbol: SYMBOL })).toEqual([])
})
