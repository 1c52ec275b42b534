/** What canceling and querying orders and trades send and answer, beside the documented examples. */
import { afterAll, describe, expect, test } from 'vitest'
import { tradingOperations } from '#api/operations/trading.ts'
import { RejectReason } from '#base/codes.ts'
import {
  CancelOpenOrders,
  CancelOrder,
  QueryOpenOrders,
  QueryOrder,
  readCancelOpenOrders,
  readCancelOrder,
  readQueryOrder,
  writeQueryEnd,
  writeRejected,
} from '#layout/records.gen.ts'
import { Asking, bodyOf, settled } from './asking.ts'
import { answerCommand, FakeContext, NOW_MS, trader } from './fake-context.ts'
import { closed, orderRow, state, type Write } from './records.ts'

const asking = new Asking()

const rejected =
  (reason: number): Write =>
  (buffer) => {
    writeRejected(buffer, 0, { symbolId: 0, gateway: 0, correlation: 0, reason, spare: 0 })
  }
const queryEnd: Write = (buffer) => {
  writeQueryEnd(buffer, 0, { symbolId: 0, gateway: 0, correlation: 0 })
}

describe('canceling', () => {
  const record = {
    symbol: 'BTCUSDT',
    origClientOrderId: 'mine',
    orderId: 41,
    orderListId: -1,
    clientOrderId: 'theCancel',
    transactTime: NOW_MS,
    price: '50000.00000000',
    origQty: '0.01000000',
    executedQty: '0.00400000',
    origQuoteOrderQty: '0.00000000',
    cummulativeQuoteQty: '199.99600000',
    status: 'CANCELED',
    timeInForce: 'GTC',
    type: 'LIMIT',
    side: 'BUY',
    selfTradePreventionMode: 'EXPIRE_MAKER',
  }

  test.each<[query: string, fields: object]>([
    ['orderId=41', { orderId: 41, origClientOrderId: '', restrictions: 0 }],
    [
      'origClOrdId=mine&clOrdId=theCancel&cancelRestrictions=ONLY_NEW',
      { orderId: 0, origClientOrderId: 'mine', clientOrderId: 'theCancel', restrictions: 1 },
    ],
    ['orderId=41&origClientOrderId=mine', { orderId: 41, origClientOrderId: 'mine' }],
  ])('one order: %s', (query, fields) => {
    const context = new FakeContext()
    const responder = asking.ask(context, 'cancelOrder', `symbol=BTCUSDT&${query}`)
    expect(context.sent[0]?.type).toBe(CancelOrder.type)
    expect(readCancelOrder(context.sent[0]!.buffer, 0)).toMatchObject({
      account: trader.id,
      expiresMs: NOW_MS + 5_000,
      ...fields,
    })
    answerCommand(context, closed())
    expect(bodyOf(responder)).toEqual(record)
  })

  test('all of a symbol', () => {
    const context = new FakeContext()
    const responder = asking.ask(context, 'cancelOpenOrders', 'symbol=BTCUSDT')
    expect(context.sent[0]?.type).toBe(CancelOpenOrders.type)
    expect(readCancelOpenOrders(context.sent[0]!.buffer, 0).account).toBe(trader.id)
    answerCommand(context, closed(), closed({ orderId: 42 }))
    expect(bodyOf(responder)).toEqual([record, { ...record, orderId: 42 }])
  })
})

describe('orders and trades', () => {
  const record = {
    symbol: 'BTCUSDT',
    orderId: 41,
    orderListId: -1,
    clientOrderId: 'mine',
    price: '50000.00000000',
    origQty: '0.01000000',
    executedQty: '0.00000000',
    cummulativeQuoteQty: '0.00000000',
    status: 'NEW',
    timeInForce: 'GTC',
    type: 'LIMIT',
    side: 'BUY',
    stopPrice: '0.00000000',
    icebergQty: '0.00000000',
    time: NOW_MS - 5_000,
    updateTime: NOW_MS - 4_000,
    isWorking: true,
    workingTime: NOW_MS - 5_000,
    origQuoteOrderQty: '0.00000000',
    selfTradePreventionMode: 'EXPIRE_MAKER',
  }
  const inPart = {
    ...record,
    executedQty: '0.00400000',
    cummulativeQuoteQty: '199.99600000',
    status: 'PARTIALLY_FILLED',
  }

  test.each<[query: string, fields: object]>([
    ['orderId=41', { orderId: 41, clientOrderId: '' }],
    ['origClientOrderId=mine', { orderId: 0, clientOrderId: 'mine' }],
    ['orderId=41&origClOrdId=mine', { orderId: 41, clientOrderId: '' }],
  ])('an open order: %s', (query, fields) => {
    const context = new FakeContext()
    const responder = asking.ask(context, 'queryOrder', `symbol=BTCUSDT&${query}`)
    expect(context.sent[0]?.type).toBe(QueryOrder.type)
    expect(readQueryOrder(context.sent[0]!.buffer, 0)).toMatchObject(fields)
    answerCommand(context, state())
    expect(bodyOf(responder)).toEqual(record)
  })

  test.each([
    'orderId=41',
    'origClientOrderId=mine',
    'orderId=41&origClientOrderId=mine',
  ])('a closed order: %s', async (query) => {
    const context = new FakeContext()
    context.rows = [orderRow({})]
    const responder = asking.ask(context, 'queryOrder', `symbol=BTCUSDT&${query}`)
    answerCommand(context, rejected(RejectReason.NO_SUCH_ORDER))
    await settled()
    expect(bodyOf(responder)).toEqual(inPart)
  })

  test('open orders of one symbol', () => {
    const context = new FakeContext()
    const responder = asking.ask(context, 'openOrders', 'symbol=BTCUSDT')
    expect(context.sent.map(({ type }) => type)).toEqual([QueryOpenOrders.type])
    answerCommand(context, state(), state({ orderId: 42, filledLots: 1 }), queryEnd)
    expect(bodyOf(responder)).toEqual([
      record,
      { ...record, orderId: 42, executedQty: '0.00001000', status: 'PARTIALLY_FILLED' },
    ])
  })

  test('open orders of all symbols are joined by symbol, whoever answers first', () => {
    const context = new FakeContext()
    const responder = asking.ask(context, 'openOrders')
    const [first, second] = context.sent.splice(0)
    context.sent.push(second!, first!)
    answerCommand(context, state({ orderId: 1 }), queryEnd)
    expect(responder.answer).toBeUndefined()
    answerCommand(context, state({ orderId: 2 }), queryEnd)
    const rows = bodyOf(responder) as { symbol: string; orderId: number }[]
    expect(rows.map(({ symbol, orderId }) => [symbol, orderId])).toEqual([
      ['BTCUSDT', 2],
      ['ETHBTC', 1],
    ])
  })
})

afterAll(() => {
  asking.expectAllOf(
    tradingOperations.filter(({ id }) => id !== 'placeOrder' && id !== 'testOrder'),
  )
})
