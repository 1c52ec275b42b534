/** What batches send and answer: commands in the order of their parts, and a list of what these came to. */
import { expect, test } from 'vitest'
import { FakeContext } from '../../bench/workloads/fake-context.ts'
import { readCancelOrder, readPlaceOrder } from '../../scripts/layout/codecs.gen.ts'
import { batchOperations } from '../../src/api/operations/batches.ts'
import { OrderType, QuoteOutcomeKind, RejectReason, typeOf } from '../../src/base/codes.ts'
import { OrderId } from '../../src/base/units.ts'
import { readQuote } from '../sim/quote-commands.ts'
import { Asking, bodyOf } from './asking.ts'
import { answerCommand } from './fake-responder.ts'
import { accepted, closed, quoteResult, rejected, replaceResult } from './records.ts'

const asking = new Asking()
const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '50000' }
const bid = (newClientOrderId: string) => ({ ...order, quantity: '0.01', newClientOrderId })
const queryOf = (parts: readonly object[]) => `orders=${encodeURIComponent(JSON.stringify(parts))}`

test('orders', () => {
  const context = new FakeContext()
  const query = queryOf([bid('a'), { ...bid('b'), newOrderRespType: 'ACK' }, {}])
  const responder = asking.ask(context, 'placeBatch', query)
  const ids = context.sent.map(({ buffer }) => readPlaceOrder(buffer, 0).clientOrderId)
  expect(ids).toEqual(['a', 'b'])
  answerCommand(context, accepted({ orderId: OrderId(1), clientOrderId: 'a' }))
  expect(responder.answer).toBeUndefined()
  answerCommand(context, accepted({ orderId: OrderId(2), clientOrderId: 'b' }))
  expect(bodyOf(responder)).toMatchObject([
    { orderId: 1, clientOrderId: 'a', fills: [] },
    { orderId: 2, clientOrderId: 'b' },
    { code: -1102 },
  ])
})

test('cancels', () => {
  const context = new FakeContext()
  const cancels = [40, 41].map((orderId) => ({ symbol: 'BTCUSDT', orderId }))
  const responder = asking.ask(context, 'cancelBatch', queryOf(cancels))
  expect(context.sent.map(({ buffer }) => readCancelOrder(buffer, 0).orderId)).toEqual([40, 41])
  answerCommand(context, closed({ orderId: OrderId(40) }))
  answerCommand(context, rejected(RejectReason.UNKNOWN_ORDER))
  expect(bodyOf(responder)).toMatchObject([{ orderId: 40, status: 'CANCELED' }, { code: -2011 }])
})

test('replacements', () => {
  const context = new FakeContext()
  const replace = { ...bid('next'), cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: 40 }
  const responder = asking.ask(context, 'replaceBatch', queryOf([replace, replace]))
  const halves = [closed({ orderId: OrderId(40) }), accepted({ orderId: OrderId(41) })]
  answerCommand(context, ...halves, replaceResult(0, 0))
  answerCommand(context, replaceResult(RejectReason.UNKNOWN_ORDER, -1))
  expect(bodyOf(responder)).toMatchObject([
    { cancelResult: 'SUCCESS', newOrderResult: 'SUCCESS' },
    { code: -2022, data: { cancelResult: 'FAILURE', newOrderResult: 'NOT_ATTEMPTED' } },
  ])
})

test('a quote', () => {
  const context = new FakeContext()
  const given = { bids: '[["50000","1"],["49999.001","1"]]', asks: '[["50001","1"]]' }
  const params = new URLSearchParams({
    symbol: 'BTCUSDT',
    quoteId: 'q',
    postOnly: 'true',
    ...given,
  })
  const responder = asking.ask(context, 'quoteOrders', params.toString())
  const { levels, ...command } = readQuote(context.sent[0]!.buffer, 0)
  expect(command).toMatchObject({ bids: 1, asks: 1, prefix: 'q-', isWhole: 0 })
  expect(typeOf(command.terms)).toBe(OrderType.LIMIT_MAKER)
  expect(levels.map(({ priceTicks, lots }) => [priceTicks, lots])).toEqual([
    [5_000_000, 100_000],
    [5_000_100, 100_000],
  ])
  for (const { clientOrderId } of levels) expect(clientOrderId).toMatch(/^q-generated/)
  answerCommand(
    context,
    quoteResult(
      3,
      [QuoteOutcomeKind.KEPT, 0, 7],
      [QuoteOutcomeKind.REFUSED, RejectReason.WOULD_MATCH_IMMEDIATELY, 0],
    ),
  )
  const filter = { code: -1013 }
  expect(bodyOf(responder)).toMatchObject({
    canceled: 3,
    bids: [
      { outcome: 'KEPT', orderId: 7, executedQty: '0.00000000' },
      { outcome: 'REFUSED', error: filter },
    ],
    asks: [{ outcome: 'REFUSED', error: { code: -2010 } }],
  })
})

test('every one was asked', () => asking.expectAllOf(batchOperations))
