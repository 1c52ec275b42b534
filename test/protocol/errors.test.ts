/**
 * Every error that checks, handlers and engine can raise in this protocol, each with its HTTP status
 * and its message to the letter. A row of the error table that no case here meets fails the test;
 * what the gateway raises is tested there.
 */

import { afterAll, describe, expect, test } from 'vitest'
import {
  btcusdt,
  FakeContext,
  NOW_MS,
  tapeTrade,
  trader,
} from '../../bench/workloads/fake-context.ts'
import { writeWalletRejected } from '../../scripts/layout/codecs.gen.ts'
import { errorRows } from '../../src/api/answers/errors.ts'
import { textOf } from '../../src/api/answers/json.ts'
import { type ErrorId, errorOfReject, errorStatus, errors, Fault } from '../../src/api/errors.ts'
import { ARCHIVED_AFTER_MS } from '../../src/api/handlers/query-order.ts'
import { HistoryFailure } from '../../src/api/history-failure.ts'
import { OrderStatus, RejectReason, WalletRefusal } from '../../src/base/codes.ts'
import { AccountId, Lots, Ms, Ticks } from '../../src/base/units.ts'
import { WALLET } from '../../src/market/listing.ts'
import { coinContext } from './coin-context.ts'
import { answerCommand, type FakeResponder, send } from './fake-responder.ts'
import { goodLists } from './order-refusals.ts'
import { closed, listRejected, orderRow, rejected, replaceResult } from './records.ts'
import { refusals, rowsLike } from './refusals.ts'
import { good } from './request-refusals.ts'
import { bounded, specialContext } from './special-symbols.ts'

const visited = new Set<string>()

/** Remembers which row an answer is of, and answers `status code message`. */
function lineOf(responder: FakeResponder): string {
  const { status, body } = responder.answer ?? { status: 0, body: '{}' }
  const { code, msg } = JSON.parse(body) as { code: number; msg: string }
  const line = `${status} ${code} ${msg}`
  for (const id of rowsLike(line)) visited.add(id)
  return line
}

describe.each(refusals)('%s', (_, cases) => {
  const owned = cases.map(([operation, query, line, owner]) => ({ operation, query, line, owner }))
  test.each(owned)('$operation $query', ({ operation, query, line, owner = trader }) => {
    const context = specialContext()
    context.tape(bounded.id).seed([tapeTrade(Ticks(10_000))])
    expect(lineOf(send(context, operation, query, { account: owner }))).toBe(line)
    expect(context.sent).toEqual([])
  })
})

describe('what the engine refuses', () => {
  const lines = `
    DUPLICATE_ORDER 400 -2010 Duplicate order sent.
    MARKET_CLOSED 400 -2010 Market is closed.
    INSUFFICIENT_BALANCE 400 -2010 Account has insufficient balance for requested action.
    WOULD_MATCH_IMMEDIATELY 400 -2010 Order would immediately match and take.
    NO_DEPTH 400 -1112 No orders on book for symbol.
    LIQUIDITY_BELOW_LOT_SIZE 400 -2010 Order book liquidity is less than \`LOT_SIZE\` filter minimum quantity.
    LIQUIDITY_BELOW_MARKET_LOT_SIZE 400 -2010 Order book liquidity is less than \`MARKET_LOT_SIZE\` filter minimum quantity.
    LIQUIDITY_BELOW_MINIMUM 400 -2010 Order book liquidity is less than symbol minimum quantity.
    TIMESTAMP_OUTSIDE_WINDOW 400 -1021 Timestamp for this request is outside of the recvWindow.
    BOOK_FULL 400 -2010 Order book is full.
    TOO_MANY_MATCHES 400 -2010 Order would match too many orders.
    LEVEL_FULL 400 -2010 Order exceeds the quantity that its price level can hold.
    NOTIONAL_TOO_LARGE 400 -1013 Filter failure: NOTIONAL
    AMOUNT_TOO_LARGE 400 -1108 Price * QTY overflowed.
    MARKET_QUANTITY_TOO_LARGE 400 -1013 Filter failure: MARKET_LOT_SIZE
    CLIENT_ORDER_ID_INVALID 400 -1100 Illegal characters found in a parameter.
    ACCOUNT_DISABLED 400 -2010 This action is disabled on this account.
    UNKNOWN_ORDER 400 -2011 Unknown order sent.
    CANCEL_RESTRICTED 400 -2011 Order was not canceled due to cancel restrictions.
    NO_SUCH_ORDER 400 -2013 Order does not exist.
    WOULD_TRIGGER_IMMEDIATELY 400 -2010 Order would trigger immediately.
    PRICES_NOT_RELATED 400 -2010 The relationship of the prices for the orders is not correct.
    PHASE_REFUSES_TYPE 400 -2010 This order type is not possible in this trading phase.
    PHASE_REQUIRES_GTC 400 -2010 Limit orders require GTC for this phase.
    MAX_NUM_ORDERS 400 -2010 Filter failure: MAX_NUM_ORDERS
    MAX_NUM_ALGO_ORDERS 400 -2010 Filter failure: MAX_ALGO_ORDERS
    MAX_NUM_ICEBERG_ORDERS 400 -2010 Filter failure: MAX_NUM_ICEBERG_ORDERS
    MAX_NUM_ORDER_LISTS 400 -2010 Filter failure: MAX_NUM_ORDER_LISTS
    MAX_ASSET 400 -1013 Filter failure: MAX_ASSET
    PEG_LIQUIDITY 400 -2010 Order book liquidity is too low for this pegged order.
    PRICE_FILTER 400 -1013 Filter failure: PRICE_FILTER
    PERCENT_PRICE 400 -1013 Filter failure: PERCENT_PRICE
    PERCENT_PRICE_BY_SIDE 400 -1013 Filter failure: PERCENT_PRICE_BY_SIDE
    NOTIONAL_IS_ZERO 400 -2010 Price * QTY is zero or less.
    MAX_POSITION 400 -2010 Filter failure: MAX_POSITION
    EXCHANGE_MAX_NUM_ORDERS 400 -2010 Filter failure: EXCHANGE_MAX_NUM_ORDERS
    EXCHANGE_MAX_NUM_ALGO_ORDERS 400 -2010 Filter failure: EXCHANGE_MAX_ALGO_ORDERS
    EXCHANGE_MAX_NUM_ICEBERG_ORDERS 400 -2010 Filter failure: EXCHANGE_MAX_NUM_ICEBERG_ORDERS
    EXCHANGE_MAX_NUM_ORDER_LISTS 400 -2010 Filter failure: EXCHANGE_MAX_NUM_ORDER_LISTS
    AMEND_INCREASES 400 -2038 Order amend (quantity increase) is not supported.
    AMEND_PENDING 400 -2038 Order amend (pending OPO order) is not supported.
    AMEND_CHANGES_NOTHING 400 -2038 The requested action would change no state; rejecting
    MAX_NUM_ORDER_AMENDS 400 -2038 Filter failure: MAX_NUM_ORDER_AMENDS
    NOTIONAL_TOO_SMALL 400 -1013 Filter failure: NOTIONAL
    NO_ROOM_FOR_ANSWER 503 -1008 Server is currently overloaded with other requests. Please try again in a few minutes.
    PROTECTED 400 -2010 The account's protection has tripped; reset it first.
    NO_PROTECTION 400 -2011 There is no protection to reset.
    NO_EXTERNAL_PRICE 400 -2043 This symbol doesn't have a reference price.
    ID_FORGOTTEN 503 -1008 Server is currently overloaded with other requests. Please try again in a few minutes.
    SYMBOL_BUSY 503 -1008 Server is currently overloaded with other requests. Please try again in a few minutes.
  `
    .trim()
    .split('\n')
    .map((line): [reason: RejectReason, line: string] => {
      const [name, ...words] = line.trim().split(' ')
      return [RejectReason[name as keyof typeof RejectReason], words.join(' ')]
    })
  const ofCancels = [RejectReason.UNKNOWN_ORDER, RejectReason.CANCEL_RESTRICTED]
  const ofAmendments = [
    RejectReason.AMEND_INCREASES,
    RejectReason.AMEND_PENDING,
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

  const commands: readonly (readonly [operation: string, query: string])[] = [
    ['placeOrder', good],
    ['cancelOrder', 'symbol=BTCUSDT&orderId=5'],
    ['cancelOrderList', 'symbol=BTCUSDT&orderListId=5'],
    ['replaceOrder', `${good}&cancelReplaceMode=ALLOW_FAILURE&cancelOrderId=5`],
    ['amendOrder', 'symbol=BTCUSDT&orderId=5&newQty=1'],
    ['queryOrder', 'symbol=BTCUSDT&orderId=5'],
    ['openOrders', ''],
    ...goodLists,
  ]

  test.each([
    ...commands,
    ['cancelOpenOrders', 'symbol=BTCUSDT'] as const,
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
      '504 -1007 Timeout waiting for response from backend server. Send status unknown; ' +
        'execution status unknown.',
    ],
    ['SHUTTING_DOWN', '503 -1016 This service is no longer available.'],
  ])('a lost answer: %s', (id, line) => {
    for (const [operation, query] of commands) {
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

describe('withdrawals', () => {
  const good = `coin=USDT&address=${`0x${'a'.repeat(40)}`}&amount=25`
  const key = { apiKey: 'k', canRead: true, canTrade: true, canWithdraw: true }
  const fewer = '400 -4022 Not less than the minimum pick-up quantity 2.00000000.'

  test.each([
    ['depositAddress', 'coin=NONE', "400 -4018 We don't have this asset."],
    ['depositAddress', 'coin=BTC', '400 -4042 This asset cannot get deposit address again.'],
    ['withdraw', `${good}&network=NONE`, '400 -4019 Current asset is not open for withdrawal.'],
    ['deposits', 'startTime=2&endTime=1', '400 -4047 Time interval must be within 0-90 days'],
  ])('%s %s', (operation, query, line) => {
    expect(lineOf(send(coinContext(), operation, query, { key }))).toBe(line)
  })

  test('to an address that the key has not listed', () => {
    const bound = { ...key, withdrawTo: ['0x1'] }
    expect(lineOf(send(coinContext(), 'withdraw', good, { key: bound }))).toBe(
      '400 -4035 This address is not on the whitelist. Please join and try again.',
    )
  })

  test.each<[reason: number, line: string, query?: string]>([
    [WalletRefusal.BAD_ADDRESS, '400 -4007 Address validation is not passed.'],
    [WalletRefusal.BAD_TAG, '400 -4008 Address tag validation is not passed.'],
    [WalletRefusal.FULL, '400 -4005 Too many new requests.'],
    [WalletRefusal.ABOVE_MAXIMUM, '400 -4015 Withdraw is limited.'],
    [
      WalletRefusal.NOT_A_MULTIPLE,
      '400 -4021 Asset withdrawal must be an integer multiple of 0.00001000.',
    ],
    [WalletRefusal.BELOW_MINIMUM, fewer],
    [
      WalletRefusal.BELOW_MINIMUM,
      '400 -4028 The amount of withdrawal must be greater than the Commission.',
      good.replace('25', '1'),
    ],
    [
      WalletRefusal.ABOVE_DAY_LIMIT,
      '400 -4023 Within 24 hours, the withdrawal exceeds the maximum amount.',
    ],
    [WalletRefusal.IN_DEBT, '400 -4025 The number of hold asset is less than zero.'],
    [WalletRefusal.INSUFFICIENT_BALANCE, '400 -4026 You have insufficient balance.'],
    [
      WalletRefusal.NOT_UNLOCKED,
      '400 -4060 As your deposit has not reached the required block confirmations, ' +
        'we have temporarily locked USDT asset',
    ],
    [WalletRefusal.OTHER_CONTENT, '400 -4115 Another withdrawal has this withdrawOrderId.'],
  ])('that the wallet refuses for reason %i', (reason, line, query = good) => {
    const context = coinContext()
    const responder = send(context, 'withdraw', query, { key })
    answerCommand(context, (buffer) =>
      writeWalletRejected(buffer, 0, {
        ...{ symbolId: WALLET, gateway: 0, correlation: 1 },
        ...{ reason, spare: 0 },
      }),
    )
    expect(lineOf(responder)).toBe(line)
  })

  test('that the wallet refuses as another transfer', () => {
    const context = new FakeContext()
    context.accounts = [{ ...trader, id: AccountId(11), name: 'bot', master: trader.id }]
    const emails = 'fromEmail=trader@ringbook.invalid&toEmail=bot@ringbook.invalid'
    const responder = send(context, 'subAccountTransfer', `${emails}&asset=USDT&amount=5`)
    answerCommand(context, (buffer) =>
      writeWalletRejected(buffer, 0, {
        ...{ symbolId: WALLET, gateway: 0, correlation: 1 },
        ...{ reason: WalletRefusal.OTHER_CONTENT, spare: 0 },
      }),
    )
    expect(lineOf(responder)).toBe('400 -4115 Another transfer has this clientTranId.')
  })
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
  const canceled = { status: OrderStatus.CANCELED, filledLots: Lots(0) }
  const old = Ms(NOW_MS - ARCHIVED_AFTER_MS - 1)

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
    ['filled in part', { ...canceled, filledLots: Lots(1), updatedMs: old }],
    ['not so long ago', { ...canceled, updatedMs: Ms(old + 1) }],
    ['filled', { status: OrderStatus.FILLED, filledLots: Lots(0), updatedMs: old }],
  ])('%s it is still shown', async (_, row) => {
    expect(await query('orderId=41', orderRow(row))).toMatch(/^200 /)
  })
})

describe('the table', () => {
  test('bodies are JSON whatever fills them', () => {
    expect(textOf(errorRows('ILLEGAL_CHARACTERS', ['a"b\\', '\n']))).toBe(
      '{"code":-1100,"msg":"Illegal characters found in parameter \'a\\"b\\\\\'; legal range is \'\\n\'."}',
    )
    expect(textOf(errorRows('INVALID_SYMBOL'))).toBe('{"code":-1121,"msg":"Invalid symbol."}')
    expect(errorStatus('TOO_MANY_REQUESTS')).toBe(429)
  })

  test('codes are negative and statuses those of the protocol', () => {
    for (const row of Object.values(errors)) {
      expect(row.code).toBeLessThan(0)
      expect([400, 401, 409, 406, 413, 418, 429, 503, 504]).toContain(row.status)
    }
  })

  afterAll(() => {
    const missed = Object.entries(errors)
      .filter(([id, row]) => row.origin !== 'gateway' && !visited.has(id))
      .map(([id]) => id)
    expect(missed, 'rows that no case meets').toEqual([])
  })
})
