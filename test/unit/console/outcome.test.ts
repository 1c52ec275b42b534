/** What an order that was placed is said to have become. */
import { expect, test } from 'vitest'
import type { MarketSymbol } from '../../../src/console/market/symbols.ts'
import { ApiError } from '../../../src/console/net/api-error.ts'
import { type OrderAnswer, outcomeOf } from '../../../src/console/trade/outcome.ts'

const symbol = { baseAsset: 'BTC', quoteAsset: 'USDT' } as MarketSymbol
const filled = { executedQty: '0.8', cummulativeQuoteQty: '40050', origQty: '50.00000000' }
const fills = [
  { commission: '0.0003', commissionAsset: 'BTC' },
  { commission: '0.0005', commissionAsset: 'BTC' },
]

test.each<[answer: OrderAnswer, outcome: string, isAsMeant: boolean]>([
  [{ status: 'NEW', executedQty: '0.00000000', origQty: '50' }, '', true],
  [
    { ...filled, status: 'FILLED', origQty: '0.8', fills },
    'Filled 0.8 BTC at an average of 50062.5, fee 0.0008 BTC.',
    true,
  ],
  [
    { ...filled, status: 'PARTIALLY_FILLED' },
    'Filled 0.8 of 50 BTC at an average of 50062.5. The rest is open: 49.2 BTC.',
    true,
  ],
  [
    { ...filled, status: 'EXPIRED', fills },
    'Filled 0.8 of 50 BTC at an average of 50062.5, fee 0.0008 BTC. The rest expired: 49.2 BTC.',
    false,
  ],
  [
    { ...filled, status: 'EXPIRED', origQty: '0.8', origQuoteOrderQty: '100000' },
    'Filled 0.8 BTC at an average of 50062.5. The rest expired: 59950 USDT.',
    false,
  ],
  [
    { status: 'EXPIRED_IN_MATCH', executedQty: '0', origQty: '1' },
    'Nothing was filled. The order expired against an own order: 1 BTC.',
    false,
  ],
  [{ listOrderStatus: 'EXECUTING' }, '', true],
  [{ listOrderStatus: 'ALL_DONE' }, '', false],
  [
    { orderReports: [{ status: 'EXPIRED', executedQty: '0', origQty: '1' }] },
    'Nothing was filled. The order expired: 1 BTC.',
    false,
  ],
])('%j', (answer, outcome, isAsMeant) => {
  const status = answer.status ?? 'done'
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
