/**
 * Every error that checks, handlers and engine can raise in this protocol, each with its HTTP status
 * and its message to the letter. A row of the error table that no case here meets fails the test;
 * what the gateway's door raises is tested there.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { type ErrorId, errorBody, errorOfReject, errorStatus, errors, Fault } from '#api/errors.ts'
import { ARCHIVED_AFTER_MS } from '#api/handlers/query-order.ts'
import { HistoryFailure } from '#api/history-failure.ts'
import { UNKNOWN_PARAMETERS_MAX } from '#api/params.ts'
import { OrderStatus, RejectReason } from '#base/codes.ts'
import {
  answerCommand,
  btcusdt,
  FakeContext,
  type FakeResponder,
  NOW_MS,
  send,
  trader,
} from './fake-context.ts'
import {
  accountFaults,
  type Case,
  changeFaults,
  filterFaults,
  goodLists,
  listFaults,
  typeFaults,
} from './order-refusals.ts'
import { closed, listRejected, orderRow, rejected, replaceResult } from './records.ts'
import { bounded, specialContext } from './special-symbols.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const visited = new Set<string>()

/** Remembers which row an answer is of, and answers `status code message`. */
function lineOf(responder: FakeResponder): string {
  const { status, body } = responder.answer ?? { status: 0, body: '{}' }
  const { code, msg } = JSON.parse(body) as { code: number; msg: string }
  for (const [id, row] of Object.entries(errors)) {
    const pattern = row.message
      .split(/\{\d\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')
    if (row.code !== code || row.status !== status) continue
    if (new RegExp(`^${pattern}$`, 's').test(msg)) visited.add(id)
  }
  return `${status} ${code} ${msg}`
}

const limit = 'symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC'
const good = `${limit}&quantity=0.01&price=50000`
const maker = 'symbol=BTCUSDT&side=SELL&type=LIMIT_MAKER'
const market = 'symbol=BTCUSDT&side=BUY&type=MARKET'
const DECIMALS = '^([0-9]{1,20})(\\.[0-9]{1,20})?$'
const CLIENT_IDS = '^[a-zA-Z0-9-_.:/]{1,36}$'
const unknown = Array.from({ length: UNKNOWN_PARAMETERS_MAX + 1 }, (_, i) => `u${i}=`).join('&')

const syntax: readonly Case[] = [
  [
    'depth',
    'symbol=btcusdt',
    "400 -1100 Illegal characters found in parameter 'symbol'; legal range is '^[A-Z0-9-_.]{1,20}$'.",
  ],
  [
    'tickerPrice',
    'symbols=["BTCUSDT", "ETHBTC"]',
    `400 -1100 Illegal characters found in parameter 'symbols'; legal range is '^\\[("[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,}){0,1}\\]$'.`,
  ],
  [
    'queryOrder',
    'symbol=BTCUSDT&orderId=1.5',
    "400 -1100 Illegal characters found in parameter 'orderId'; legal range is '^[0-9]{1,20}$'.",
  ],
  [
    'placeOrder',
    `${limit}&price=1&quantity=1e3`,
    `400 -1100 Illegal characters found in parameter 'quantity'; legal range is '${DECIMALS}'.`,
  ],
  [
    'placeOrder',
    `${limit}&price=1&quantity=${'1'.repeat(40)}`,
    `400 -1100 Illegal characters found in parameter 'quantity'; legal range is '${DECIMALS}'.`,
  ],
  [
    'placeOrder',
    `${good}&newClientOrderId=sp%20ace`,
    `400 -1100 Illegal characters found in parameter 'newClientOrderId'; legal range is '${CLIENT_IDS}'.`,
  ],
  [
    'placeOrder',
    `${good}&newClientOrderId=${'x'.repeat(37)}`,
    `400 -1100 Illegal characters found in parameter 'newClientOrderId'; legal range is '${CLIENT_IDS}'.`,
  ],
  ['depth', 'symbol=%E0%A4%A', '400 -1100 Illegal characters found in a parameter.'],
  ['depth', 'symbol=A&symbol=A', '400 -1101 Duplicate values for a parameter detected.'],
  ['ping', unknown, '400 -1101 Too many parameters sent for this endpoint.'],
]

const demands: readonly Case[] = [
  [
    'depth',
    '',
    "400 -1102 Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.",
  ],
  [
    'placeOrder',
    'symbol=BTCUSDT&side=&type=LIMIT',
    "400 -1102 Mandatory parameter 'side' was not sent, was empty/null, or malformed.",
  ],
  [
    'placeOrder',
    `${limit}&quantity=1`,
    "400 -1102 Mandatory parameter 'price' was not sent, was empty/null, or malformed.",
  ],
  [
    'placeOrder',
    'symbol=BTCUSDT&side=BUY&type=LIMIT&quantity=1&price=1',
    "400 -1102 Mandatory parameter 'timeInForce' was not sent, was empty/null, or malformed.",
  ],
  [
    'placeOrder',
    market,
    "400 -1102 Param 'quantity' or 'quoteOrderQty' must be sent, but both were empty/null!",
  ],
  [
    'queryOrder',
    'symbol=BTCUSDT',
    "400 -1102 Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!",
  ],
  [
    'depth',
    'symbol=BTCUSDT&Limit=5',
    "400 -1104 Not all sent parameters were read; read '1' parameter(s) but was sent '2'.",
  ],
  [
    'placeOrder',
    `${good}&timestamp=1&signature=x&strategy=1`,
    "400 -1104 Not all sent parameters were read; read '8' parameter(s) but was sent '9'.",
  ],
  ['placeOrder', `${limit}&quantity=1&price=`, "400 -1105 Parameter 'price' was empty."],
  ['placeOrder', `${good}&newClientOrderId=`, '400 -1118 New client order ID was empty.'],
  ['placeOrder', `${good}&clOrdId=`, '400 -1118 New client order ID was empty.'],
  [
    'cancelOrder',
    'symbol=BTCUSDT&origClientOrderId=',
    '400 -1119 Original client order ID was empty.',
  ],
  [
    'placeOrder',
    `${market}&quantity=1&price=1`,
    "400 -1106 Parameter 'price' sent when not required.",
  ],
  ['placeOrder', `${good}&stopPrice=1`, "400 -1106 Parameter 'stopPrice' sent when not required."],
  [
    'placeOrder',
    `${limit}&quantity=99999999999&price=1`,
    "400 -1108 Parameter 'quantity' overflowed.",
  ],
  [
    'queryOrder',
    'symbol=BTCUSDT&orderId=99999999999999999999',
    "400 -1108 Parameter 'orderId' overflowed.",
  ],
  [
    'placeOrder',
    'symbol=ETHBTC&side=BUY&type=MARKET&quoteOrderQty=90000000',
    "400 -1108 Parameter 'quoteOrderQty' overflowed.",
  ],
  [
    'placeOrder',
    `${limit}&quantity=0.123456789&price=1`,
    "400 -1111 Parameter 'quantity' has too much precision.",
  ],
  [
    'placeOrder',
    `${maker}&quantity=1&price=1&timeInForce=GTC`,
    '400 -1114 TimeInForce parameter sent when not required.',
  ],
  [
    'placeOrder',
    'symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTD',
    '400 -1115 Invalid timeInForce.',
  ],
  ['placeOrder', 'symbol=BTCUSDT&side=BUY&type=Limit', '400 -1116 Invalid orderType.'],
  ['placeOrder', 'symbol=BTCUSDT&side=HOLD&type=LIMIT', '400 -1117 Invalid side.'],
  ['tickerPrice', 'symbolStatus=AUCTION_MATCH', '400 -1122 Invalid symbolStatus.'],
  ['klines', 'symbol=BTCUSDT&interval=1D', '400 -1120 Invalid interval.'],
  ['ticker24hr', 'symbol=BTCUSDT&type=LIMIT', '400 -1139 Invalid ticker type.'],
  [
    'placeOrder',
    `${good}&newOrderRespType=ALL`,
    "400 -1130 Data sent for parameter 'newOrderRespType' is not valid.",
  ],
  ['trades', 'symbol=BTCUSDT&limit=0', "400 -1130 Data sent for parameter 'limit' is not valid."],
  [
    'exchangeInfo',
    'permissions=FLYING',
    "400 -1130 Data sent for parameter 'permissions' is not valid.",
  ],
  [
    'cancelOrder',
    'symbol=BTCUSDT&orderId=1&cancelRestrictions=NONE',
    '400 -1145 Invalid cancelRestrictions',
  ],
]

const combination = '400 -1128 Combination of optional parameters invalid.'
const combinations: readonly Case[] = [
  ['placeOrder', `${market}&quantity=1&quoteOrderQty=1`, combination],
  ['placeOrder', `${good}&newClientOrderId=a&clOrdId=b`, combination],
  ['cancelOrder', 'symbol=BTCUSDT&origClientOrderId=a&origClOrdId=a', combination],
  ['tickerBook', 'symbol=BTCUSDT&symbols=["BTCUSDT"]', combination],
  ['exchangeInfo', 'symbol=BTCUSDT&permissions=SPOT', combination],
  ['exchangeInfo', 'symbols=["BTCUSDT"]&symbolStatus=TRADING', combination],
  ['myTrades', 'symbol=BTCUSDT&orderId=1&startTime=1', combination],
  ['myTrades', 'symbol=BTCUSDT&fromId=1&endTime=1', combination],
  [
    'myTrades',
    `symbol=BTCUSDT&startTime=1&endTime=${DAY_MS + 2}`,
    '400 -1127 More than 24 hours between startTime and endTime.',
  ],
  [
    'allOrders',
    `symbol=BTCUSDT&startTime=1&endTime=${DAY_MS + 2}`,
    '400 -1127 More than 24 hours between startTime and endTime.',
  ],
]

const symbolNames: readonly Case[] = [
  ...['depth', 'trades', 'avgPrice', 'tickerPrice', 'tickerBook', 'exchangeInfo'],
  ...['openOrders', 'cancelOpenOrders', 'allOrders', 'myTrades', 'commission', 'tradeFee'],
].map((operation): Case => [operation, 'symbol=DOGE', '400 -1121 Invalid symbol.'])

const symbolFaults: readonly Case[] = [
  ['placeOrder', good.replace('BTCUSDT', 'DOGE'), '400 -1121 Invalid symbol.'],
  ['queryOrder', 'symbol=DOGE&orderId=1', '400 -1121 Invalid symbol.'],
  ['cancelOrder', 'symbol=DOGE&orderId=1', '400 -1121 Invalid symbol.'],
  ['tickerPrice', 'symbols=["BTCUSDT","DOGE"]', '400 -1121 Invalid symbol.'],
  [
    'tickerPrice',
    'symbols=["BTCUSDT","BTCUSDT"]',
    '400 -1151 Symbol is present multiple times in the list.',
  ],
  [
    'tickerPrice',
    `symbols=${JSON.stringify(Array.from({ length: 101 }, (_, i) => `S${i}`))}`,
    "400 -1101 Too many values sent for parameter 'symbols', maximum allowed up to 100.",
  ],
  [
    'depth',
    'symbol=ETHBTC&symbolStatus=TRADING',
    "400 -1220 The symbol's status does not match the requested symbolStatus.",
  ],
  [
    'tickerBook',
    'symbol=BTCUSDT&symbolStatus=BREAK',
    "400 -1220 The symbol's status does not match the requested symbolStatus.",
  ],
]

const orderFaults: readonly Case[] = [
  ['placeOrder', `${limit}&quantity=0&price=1`, '400 -1013 Invalid quantity.'],
  ['placeOrder', `${market}&quoteOrderQty=0.0`, '400 -1013 Invalid quantity.'],
  ['placeOrder', `${limit}&quantity=1&price=0.00`, '400 -1013 Invalid price.'],
  ['placeOrder', `${limit}&quantity=1&price=1.005`, '400 -1013 Filter failure: PRICE_FILTER'],
  ['placeOrder', `${limit}&quantity=1&price=1000001`, '400 -1013 Filter failure: PRICE_FILTER'],
  ['placeOrder', `${limit}&quantity=0.000001&price=1`, '400 -1013 Filter failure: LOT_SIZE'],
  ['placeOrder', `${limit}&quantity=9001&price=1`, '400 -1013 Filter failure: LOT_SIZE'],
  ['placeOrder', `${market}&quantity=101`, '400 -1013 Filter failure: MARKET_LOT_SIZE'],
  ['placeOrder', `${limit}&quantity=1&price=4.99`, '400 -1013 Filter failure: NOTIONAL'],
  ['placeOrder', `${limit}&quantity=9000&price=1000.01`, '400 -1013 Filter failure: NOTIONAL'],
  ['placeOrder', `${market}&quoteOrderQty=4.99999999`, '400 -1013 Filter failure: NOTIONAL'],
  ['placeOrder', `${market}&quantity=1`, '400 -1013 Filter failure: NOTIONAL'],
  [
    'placeOrder',
    'symbol=ETHBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.0001&price=0.5',
    '400 -1013 Filter failure: MIN_NOTIONAL',
  ],
  ['testOrder', `${limit}&quantity=1&price=1.005`, '400 -1013 Filter failure: PRICE_FILTER'],
  [
    'placeOrder',
    `${good}&selfTradePreventionMode=NONE`,
    '400 -1013 This symbol does not allow the specified self-trade prevention mode.',
  ],
  [
    'cancelOrder',
    'symbol=BTCUSDT',
    '400 -2011 Cancel order is invalid. Check origClOrdId and orderId.',
  ],
  ['cancelOrder', 'symbol=BTCUSDT&orderId=0', '400 -2011 Unknown order sent.'],
  ['queryOrder', 'symbol=BTCUSDT&orderId=0', '400 -2013 Order does not exist.'],
  ['keepListenKeyAlive', 'listenKey=nobody', '400 -1125 This listenKey does not exist.'],
  ['closeListenKey', 'listenKey=nobody', '400 -1125 This listenKey does not exist.'],
]

describe.each([
  ['parameter syntax', syntax],
  ['mandatory, unknown and misplaced parameters', demands],
  ['combinations', combinations],
  ['symbols', [...symbolNames, ...symbolFaults]],
  ['orders', orderFaults],
  ['what types demand', typeFaults],
  ['filters and features', filterFaults],
  ['accounts', accountFaults],
  ['order lists', listFaults],
  ['replacements and amendments', changeFaults],
])('%s', (_, cases) => {
  const owned = cases.map(([operation, query, line, owner]) => ({ operation, query, line, owner }))
  test.each(owned)('$operation $query', ({ operation, query, line, owner = trader }) => {
    const context = specialContext()
    context
      .tape(bounded.id)
      .seed([{ tradeId: 1, priceTicks: 10_000, lots: 1, timeMs: NOW_MS, isBuyerMaker: true }])
    expect(lineOf(send(context, operation, query, { account: owner }))).toBe(line)
    expect(context.sent).toEqual([])
  })
})

describe('what the engine refuses', () => {
  const lines: readonly (readonly [reason: RejectReason, line: string])[] = [
    [RejectReason.DUPLICATE_ORDER, '400 -2010 Duplicate order sent.'],
    [RejectReason.MARKET_CLOSED, '400 -2010 Market is closed.'],
    [
      RejectReason.INSUFFICIENT_BALANCE,
      '400 -2010 Account has insufficient balance for requested action.',
    ],
    [RejectReason.WOULD_MATCH_IMMEDIATELY, '400 -2010 Order would immediately match and take.'],
    [RejectReason.NO_DEPTH, '400 -1112 No orders on book for symbol.'],
    [
      RejectReason.LIQUIDITY_BELOW_LOT_SIZE,
      '400 -2010 Order book liquidity is less than `LOT_SIZE` filter minimum quantity.',
    ],
    [
      RejectReason.LIQUIDITY_BELOW_MARKET_LOT_SIZE,
      '400 -2010 Order book liquidity is less than `MARKET_LOT_SIZE` filter minimum quantity.',
    ],
    [
      RejectReason.LIQUIDITY_BELOW_MINIMUM,
      '400 -2010 Order book liquidity is less than symbol minimum quantity.',
    ],
    [
      RejectReason.TIMESTAMP_OUTSIDE_WINDOW,
      '400 -1021 Timestamp for this request is outside of the recvWindow.',
    ],
    [RejectReason.BOOK_FULL, '400 -2010 Filter failure: EXCHANGE_MAX_NUM_ORDERS'],
    [RejectReason.NOTIONAL_TOO_LARGE, '400 -1013 Filter failure: NOTIONAL'],
    [RejectReason.MARKET_QUANTITY_TOO_LARGE, '400 -1013 Filter failure: MARKET_LOT_SIZE'],
    [RejectReason.CLIENT_ORDER_ID_INVALID, '400 -1100 Illegal characters found in a parameter.'],
    [RejectReason.ACCOUNT_DISABLED, '400 -2010 This action is disabled on this account.'],
    [RejectReason.UNKNOWN_ORDER, '400 -2011 Unknown order sent.'],
    [
      RejectReason.CANCEL_RESTRICTED,
      '400 -2011 Order was not canceled due to cancel restrictions.',
    ],
    [RejectReason.NO_SUCH_ORDER, '400 -2013 Order does not exist.'],
    [RejectReason.WOULD_TRIGGER_IMMEDIATELY, '400 -2010 Order would trigger immediately.'],
    [
      RejectReason.PRICES_NOT_RELATED,
      '400 -2010 The relationship of the prices for the orders is not correct.',
    ],
    [
      RejectReason.PHASE_REFUSES_TYPE,
      '400 -2010 This order type is not possible in this trading phase.',
    ],
    [RejectReason.PHASE_REQUIRES_GTC, '400 -2010 Limit orders require GTC for this phase.'],
    [RejectReason.MAX_NUM_ORDERS, '400 -2010 Filter failure: MAX_NUM_ORDERS'],
    [RejectReason.MAX_NUM_ALGO_ORDERS, '400 -2010 Filter failure: MAX_ALGO_ORDERS'],
    [RejectReason.MAX_NUM_ICEBERG_ORDERS, '400 -2010 Filter failure: MAX_NUM_ICEBERG_ORDERS'],
    [RejectReason.MAX_NUM_ORDER_LISTS, '400 -2010 Filter failure: MAX_NUM_ORDER_LISTS'],
    [RejectReason.MAX_POSITION, '400 -2010 Filter failure: MAX_POSITION'],
    [RejectReason.EXCHANGE_MAX_NUM_ORDERS, '400 -2010 Filter failure: EXCHANGE_MAX_NUM_ORDERS'],
    [
      RejectReason.EXCHANGE_MAX_NUM_ALGO_ORDERS,
      '400 -2010 Filter failure: EXCHANGE_MAX_ALGO_ORDERS',
    ],
    [
      RejectReason.EXCHANGE_MAX_NUM_ICEBERG_ORDERS,
      '400 -2010 Filter failure: EXCHANGE_MAX_NUM_ICEBERG_ORDERS',
    ],
    [
      RejectReason.EXCHANGE_MAX_NUM_ORDER_LISTS,
      '400 -2010 Filter failure: EXCHANGE_MAX_NUM_ORDER_LISTS',
    ],
    [RejectReason.AMEND_INCREASES, '400 -2038 Order amend (quantity increase) is not supported.'],
    [
      RejectReason.AMEND_CHANGES_NOTHING,
      '400 -2038 The requested action would change no state; rejecting',
    ],
    [RejectReason.MAX_NUM_ORDER_AMENDS, '400 -2038 Filter failure: MAX_NUM_ORDER_AMENDS'],
    [RejectReason.NOTIONAL_TOO_SMALL, '400 -1013 Filter failure: NOTIONAL'],
  ]
  const ofCancels = [RejectReason.UNKNOWN_ORDER, RejectReason.CANCEL_RESTRICTED]
  const ofAmendments = [
    RejectReason.AMEND_INCREASES,
    RejectReason.AMEND_CHANGES_NOTHING,
    RejectReason.MAX_NUM_ORDER_AMENDS,
    RejectReason.NOTIONAL_TOO_SMALL,
  ]
  const amendment = 'symbol=BTCUSDT&orderId=5&newQty=1'

  /** The request that the engine may refuse for this reason. */
  function requestFor(reason: RejectReason): readonly [operation: string, query: string] {
    if (ofCancels.some((cancel) => cancel === reason))
      return ['cancelOrder', 'symbol=BTCUSDT&orderId=5']
    if (ofAmendments.some((amend) => amend === reason)) return ['amendOrder', amendment]
    const isQuery = reason === RejectReason.NO_SUCH_ORDER
    return isQuery ? ['queryOrder', 'symbol=BTCUSDT&orderId=5'] : ['placeOrder', good]
  }

  test.each(lines)('reason %s', async (reason, line) => {
    const context = new FakeContext()
    const responder = send(context, ...requestFor(reason))
    answerCommand(context, rejected(reason))
    await Promise.resolve()
    await new Promise((resolve) => setImmediate(resolve))
    expect(lineOf(responder)).toBe(line)
  })

  test.each([
    [RejectReason.UNKNOWN_ORDER, '400 -2038 Unknown order sent.'],
    [RejectReason.DUPLICATE_ORDER, '400 -2038 Duplicate order sent.'],
    [
      RejectReason.TIMESTAMP_OUTSIDE_WINDOW,
      '400 -1021 Timestamp for this request is outside of the recvWindow.',
    ],
  ])('of an amendment: reason %s', (reason, line) => {
    const context = new FakeContext()
    const responder = send(context, 'amendOrder', amendment)
    answerCommand(context, rejected(reason))
    expect(lineOf(responder)).toBe(line)
  })

  const replacement = `${good}&cancelReplaceMode=STOP_ON_FAILURE&cancelOrderId=5`
  const refused = rejected(RejectReason.MAX_NUM_ORDERS)
  const listRefused = listRejected({ reason: RejectReason.MAX_NUM_ORDERS })
  const lists = goodLists.map(([operation, query]) => [operation, query, listRefused] as const)
  test.each([
    ['replaceOrder', replacement, refused] as const,
    ['cancelOrderList', 'symbol=BTCUSDT&orderListId=5', refused] as const,
    ...lists,
  ])('as a whole: %s', (operation, query, reply) => {
    const context = new FakeContext()
    const responder = send(context, operation, query)
    answerCommand(context, reply)
    expect(lineOf(responder)).toBe('400 -2010 Filter failure: MAX_NUM_ORDERS')
  })

  test.each([
    [RejectReason.UNKNOWN_ORDER, -1, '400 -2022 Order cancel-replace failed.'],
    [0, RejectReason.DUPLICATE_ORDER, '409 -2021 Order cancel-replace partially failed.'],
  ])('a replacement: cancel %s, order %s', (cancelReason, orderReason, line) => {
    const context = new FakeContext()
    const responder = send(context, 'replaceOrder', replacement)
    const events = cancelReason === 0 ? [closed()] : []
    answerCommand(context, ...events, replaceResult(cancelReason, orderReason))
    expect(lineOf(responder)).toBe(line)
  })

  test.each([
    [0, '429 -2021 Order cancel-replace partially failed.'],
    [RejectReason.UNKNOWN_ORDER, '429 -2022 Order cancel-replace failed.'],
  ])('a replacement that may only cancel: reason %s', (reason, line) => {
    const context = new FakeContext()
    context.orderFault = new Fault('TOO_MANY_ORDERS', 10, 1, 'SECOND')
    const query = `${replacement}&orderRateLimitExceededMode=CANCEL_ONLY`
    const responder = send(context, 'replaceOrder', query)
    answerCommand(context, reason === 0 ? closed() : rejected(reason))
    expect(lineOf(responder)).toBe(line)
  })

  test('every reason has its line', () => {
    expect(new Set(lines.map(([reason]) => reason))).toEqual(new Set(Object.values(RejectReason)))
    for (const reason of Object.values(RejectReason))
      expect(errors[errorOfReject(reason)]).toBeDefined()
  })
})

describe('what went wrong on the way', () => {
  const overloaded =
    '503 -1008 Server is currently overloaded with other requests. Please try again in a few minutes.'

  test.each<readonly [operation: string, query: string]>([
    ['placeOrder', good],
    ['cancelOrder', 'symbol=BTCUSDT&orderId=5'],
    ['cancelOpenOrders', 'symbol=BTCUSDT'],
    ['cancelOrderList', 'symbol=BTCUSDT&orderListId=5'],
    ['replaceOrder', `${good}&cancelReplaceMode=ALLOW_FAILURE&cancelOrderId=5`],
    ['amendOrder', 'symbol=BTCUSDT&orderId=5&newQty=1'],
    ['queryOrder', 'symbol=BTCUSDT&orderId=5'],
    ['openOrders', ''],
    ...goodLists,
  ])('a full ring: %s', (operation, query) => {
    const context = new FakeContext()
    context.ringIsFull = true
    expect(lineOf(send(context, operation, query))).toBe(overloaded)
  })

  test.each(['depth', 'tickerBook'])('a book that is not synced: %s', (operation) => {
    const context = new FakeContext()
    context.depth(btcusdt.id).invalidate()
    expect(lineOf(send(context, operation, 'symbol=BTCUSDT'))).toBe(overloaded)
  })

  test.each<[id: ErrorId, line: string]>([
    [
      'TIMEOUT',
      '504 -1007 Timeout waiting for response from backend server. Send status unknown; execution status unknown.',
    ],
    ['SHUTTING_DOWN', '503 -1016 This service is no longer available.'],
  ])('a lost answer: %s', (id, line) => {
    const queries: readonly (readonly [string, string])[] = [
      ['placeOrder', good],
      ['cancelOrder', 'symbol=BTCUSDT&orderId=5'],
      ['cancelOrderList', 'symbol=BTCUSDT&orderListId=5'],
      ['replaceOrder', `${good}&cancelReplaceMode=ALLOW_FAILURE&cancelOrderId=5`],
      ['amendOrder', 'symbol=BTCUSDT&orderId=5&newQty=1'],
      ['queryOrder', 'symbol=BTCUSDT&orderId=5'],
      ['openOrders', ''],
      ...goodLists,
    ]
    for (const [operation, query] of queries) {
      const context = new FakeContext()
      const responder = send(context, operation, query)
      for (const { collector } of context.sent) collector.failed(id)
      expect(lineOf(responder)).toBe(line)
    }
  })

  test.each([
    [new HistoryFailure('TIMEOUT', 'late'), /^504 -1007 /],
    [new HistoryFailure('SERVER_BUSY', 'full'), /^503 -1008 /],
    [new Error('unplanned'), /^504 -1007 /],
  ])('an archive that does not answer: %s', async (failure, line) => {
    const queries: readonly (readonly [operation: string, query: string])[] = [
      ['allOrders', 'symbol=BTCUSDT'],
      ['myTrades', 'symbol=BTCUSDT'],
      ['myPreventedMatches', 'symbol=BTCUSDT&orderId=1'],
      ['amendments', 'symbol=BTCUSDT&orderId=1'],
      ['orderList', 'orderListId=1'],
      ['allOrderLists', ''],
      ['openOrderLists', ''],
    ]
    for (const [operation, query] of queries) {
      const context = new FakeContext()
      context.historyFailure = failure
      const responder = send(context, operation, query)
      await new Promise((resolve) => setImmediate(resolve))
      expect(lineOf(responder)).toMatch(line)
    }
  })
})

test('a list that is not in the archive', async () => {
  const responder = send(new FakeContext(), 'orderList', 'orderListId=1')
  await new Promise((resolve) => setImmediate(resolve))
  expect(lineOf(responder)).toBe('400 -2018 Order list does not exist.')
})

describe('orders that are archived, or go by another id', () => {
  async function query(text: string, row = orderRow({})): Promise<string> {
    const context = new FakeContext()
    context.rows = [row]
    const responder = send(context, 'queryOrder', `symbol=BTCUSDT&${text}`)
    answerCommand(context, rejected(RejectReason.NO_SUCH_ORDER))
    await new Promise((resolve) => setImmediate(resolve))
    return lineOf(responder)
  }
  const canceled = { status: OrderStatus.CANCELED, filledLots: 0 }
  const old = NOW_MS - ARCHIVED_AFTER_MS - 1

  test('ids that disagree', async () => {
    expect(await query('orderId=41&origClientOrderId=other')).toBe(
      '400 -2039 Client order ID is not correct for this order ID.',
    )
  })

  test('long closed without a fill', async () => {
    expect(await query('orderId=41', orderRow({ ...canceled, updatedMs: old }))).toBe(
      '400 -2026 Order was canceled or expired with no executed qty over 90 days ago and has been archived.',
    )
  })

  test.each([
    ['filled in part', { ...canceled, filledLots: 1, updatedMs: old }],
    ['not so long ago', { ...canceled, updatedMs: old + 1 }],
    ['filled', { status: OrderStatus.FILLED, filledLots: 0, updatedMs: old }],
  ])('%s it is still shown', async (_, row) => {
    expect(await query('orderId=41', orderRow(row))).toMatch(/^200 /)
  })
})

describe('the table', () => {
  test('bodies are JSON whatever fills them', () => {
    expect(errorBody('ILLEGAL_CHARACTERS', ['a"b\\', '\n'])).toBe(
      '{"code":-1100,"msg":"Illegal characters found in parameter \'a\\"b\\\\\'; legal range is \'\\n\'."}',
    )
    expect(errorBody('INVALID_SYMBOL')).toBe('{"code":-1121,"msg":"Invalid symbol."}')
    expect(errorStatus('TOO_MANY_REQUESTS')).toBe(429)
  })

  test('codes are negative and statuses those of the protocol', () => {
    for (const row of Object.values(errors)) {
      expect(row.code).toBeLessThan(0)
      expect([400, 401, 409, 418, 429, 503, 504]).toContain(row.status)
    }
  })

  afterAll(() => {
    const missed = Object.entries(errors)
      .filter(([id, row]) => row.origin !== 'door' && !visited.has(id))
      .map(([id]) => id)
    expect(missed, 'rows that no case meets').toEqual([])
  })
})
