/** The sentence about the outcome of an order that was placed. */
import { expect, test } from 'vitest'
import type { MarketSymbol } from '../../../src/console/market/symbols.ts'
import { ApiError } from '../../../src/console/net/api-error.ts'
import {
  amendOutcome,
  cancelAllOutcome,
  cancelOutcome,
  type OrderAnswer,
  outcomeOf,
  type ReplaceAnswer,
  replaceOutcome,
} from '../../../src/console/trade/outcome.ts'

const symbol = { baseAsset: 'BTC', quoteAsset: 'USDT' } as MarketSymbol
const filled = { executedQty: '0.8', cummulativeQuoteQty: '40050', origQty: '50.00000000' }
const fills = [
  { commission: '0.0003', commissionAsset: 'BTC' },
  { commission: '0.0005', commissionAsset: 'BTC' },
]

const leg: OrderAnswer = {
  type: 'LIMIT_MAKER',
  orderId: 7,
  side: 'SELL',
  executedQty: '0',
  origQty: '1',
}

test.each<[answer: OrderAnswer, outcome: string, isAsMeant: boolean]>([
  [{ status: 'NEW', executedQty: '0.00000000', origQty: '50' }, '', true],
  [
    { ...filled, status: 'FILLED', origQty: '0.8', fills },
    'Filled 0.8 BTC at an average of 50,062.5, fee 0.0008 BTC.',
    true,
  ],
  [
    { ...filled, status: 'PARTIALLY_FILLED' },
    'Filled 0.8 of 50 BTC at an average of 50,062.5. The rest is open: 49.2 BTC.',
    true,
  ],
  [
    { ...filled, status: 'EXPIRED', fills },
    'Filled 0.8 of 50 BTC at an average of 50,062.5, fee 0.0008 BTC. The rest expired: 49.2 BTC.',
    false,
  ],
  [
    { ...filled, status: 'EXPIRED', origQty: '0.8', origQuoteOrderQty: '100000' },
    'Filled 0.8 BTC at an average of 50,062.5. The rest expired: 59,950 USDT.',
    false,
  ],
  [
    { status: 'EXPIRED_IN_MATCH', executedQty: '0', origQty: '1' },
    'Nothing was filled. The order expired against an own order: 1 BTC.',
    false,
  ],
  [{ listOrderStatus: 'EXECUTING' }, '', true],
  [{ listOrderStatus: 'REJECT' }, '', false],
  [
    { listOrderStatus: 'ALL_DONE', orderReports: [{ ...leg, status: 'EXPIRED' }] },
    'Limit maker 7: Nothing was filled. The order expired: 1 BTC.',
    false,
  ],
  [
    {
      listOrderStatus: 'EXECUTING',
      orderReports: [
        { ...leg, status: 'NEW', price: '60000.00' },
        { ...leg, type: 'STOP_LOSS', orderId: 8, status: 'PENDING_NEW', stopPrice: '45000' },
        { ...leg, type: 'STOP_LOSS', orderId: 9, status: 'NEW', side: 'BUY', trailingDelta: 100 },
        { ...leg, ...filled, orderId: 10, status: 'FILLED', origQty: '0.8' },
      ],
    },
    'Limit maker 7: sell 1 BTC at 60,000, open. ' +
      'Stop loss 8: sell 1 BTC, trigger 45,000, pending. ' +
      'Stop loss 9: buy 1 BTC, trailing 100 bps, open. ' +
      'Limit maker 10: Filled 0.8 BTC at an average of 50,062.5.',
    true,
  ],
])('%j', (answer, outcome, isAsMeant) => {
  const status = answer.status ?? answer.listOrderStatus ?? 'done'
  expect(outcomeOf(symbol, answer)).toEqual({ status, outcome, isAsMeant })
})

test.each([
  ['no response', 0, 0, true],
  ['a response without its body', 200, 0, true],
  ['a gateway in between', 502, 0, true],
  ['a timeout inside the exchange', 504, -1007, true],
  ['a refusal', 400, -2010, false],
  ['an overload', 503, -1008, false],
  ['a page of a proxy', 403, 0, false],
])('%s: is the outcome unknown?', (_, status, code, isUnknown) => {
  expect(new ApiError(status, code, '').isUnknown).toBe(isUnknown)
})

test('a cancel, a reduced order and a cancel of all are told in figures', () => {
  const canceled: OrderAnswer = {
    status: 'CANCELED',
    executedQty: '0.4',
    origQty: '1',
    cummulativeQuoteQty: '20000',
  }
  expect(cancelOutcome(symbol, canceled)).toEqual({
    status: 'CANCELED',
    outcome: 'Filled 0.4 of 1 BTC at an average of 50,000. The rest was canceled: 0.6 BTC.',
    isAsMeant: true,
  })
  const amendedOrder = { status: 'NEW', qty: '0.50000000', executedQty: '0.10000000' } as const
  expect(amendOutcome(symbol, { amendedOrder }).outcome).toBe(
    'The quantity is now 0.5 BTC, 0.1 of it filled.',
  )
  const list = { orderReports: [canceled, canceled] }
  expect(cancelAllOutcome([canceled, list]).status).toBe('3 orders canceled')
})

type Half = ReplaceAnswer['cancelResponse']
type Results = Pick<ReplaceAnswer, 'cancelResult' | 'newOrderResult'>

test.each<[results: Results, canceled: Half, placed: Half, told: string]>([
  [
    { cancelResult: 'SUCCESS', newOrderResult: 'SUCCESS' },
    { ...leg, status: 'CANCELED' },
    { ...leg, orderId: 8, status: 'NEW', price: '31000' },
    'Limit maker 7: Nothing was filled. The order was canceled: 1 BTC. Limit maker 8: sell 1 BTC at 31,000, open.',
  ],
  [
    { cancelResult: 'SUCCESS', newOrderResult: 'FAILURE' },
    { ...leg, status: 'CANCELED' },
    { code: -2010, msg: 'Account has insufficient balance for requested action.' },
    'Limit maker 7: Nothing was filled. The order was canceled: 1 BTC. The new order was refused: Account has insufficient balance for requested action. (-2010)',
  ],
  [
    { cancelResult: 'SUCCESS', newOrderResult: 'FAILURE' },
    { ...leg, status: 'CANCELED' },
    { code: -1007, msg: 'Timeout waiting for response from backend server.' },
    'Limit maker 7: Nothing was filled. The order was canceled: 1 BTC. The new order has an unknown outcome: Timeout waiting for response from backend server. (-1007)',
  ],
  [
    { cancelResult: 'FAILURE', newOrderResult: 'NOT_ATTEMPTED' },
    { code: -2011, msg: 'Unknown order sent.' },
    null,
    'The cancel was refused: Unknown order sent. (-2011) The new order was not tried.',
  ],
])('both halves of a cancel-replace are told: %j', (results, cancelResponse, newOrderResponse, told) => {
  const answer = { ...results, cancelResponse, newOrderResponse }
  expect(replaceOutcome(symbol, answer).outcome).toBe(told)
})
