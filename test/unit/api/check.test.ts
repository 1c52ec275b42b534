import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkParams,
  checkRows,
  checkSyntax,
  frameParams,
  noShared,
} from '../../../src/api/check.ts'
import { Fault } from '../../../src/api/errors.ts'
import { operations } from '../../../src/api/operations/index.ts'
import { Param, paramNames } from '../../../src/api/parameters.ts'
import { type Params, RawParams } from '../../../src/api/params.ts'
import { operationNamed } from '../../protocol/fake-responder.ts'

function checked(operationId: string, query: string, overWebSocket = false): Params | string {
  const raw = RawParams.parse(query, '')
  if (raw instanceof Fault) return raw.id
  const params = checkSyntax(raw)
  if (params instanceof Fault) return params.id
  const shared = overWebSocket ? frameParams : noShared
  return checkParams(operationNamed(operationId), params, shared)?.id ?? params
}

const replacement = 'symbol=A&side=BUY&type=MARKET&quantity=1&cancelReplaceMode=ALLOW_FAILURE'
/** A legal text of each parameter that an operation with times demands. */
const textOf: Readonly<Record<string, string>> = { symbol: 'A', interval: '1m' }

const goodPairs: readonly (readonly [string, string])[] = [
  ['symbol', 'A'],
  ['side', 'BUY'],
  ['type', 'LIMIT'],
  ['timeInForce', 'GTC'],
  ['quantity', '1.5'],
  ['price', '2'],
  ['newClientOrderId', 'x'],
  ['origClientOrderId', 'y'],
  ['origClOrdId', 'z'],
  ['orderId', '7'],
  ['limit', '5'],
  ['startTime', '1700000000000000'],
  ['endTime', '1700000000001999'],
  ['timestamp', '1'],
  ['recvWindow', '5'],
  ['signature', 's'],
  ['apiKey', 'k'],
]

describe('what is counted as read', () => {
  test.each<[operation: string, query: string, overWebSocket: boolean, fault: string | undefined]>([
    ['ping', '', false, undefined],
    ['ping', 'apiKey=x', false, 'MORE_PARAMETERS_THAN_TAKEN'],
    ['ping', 'apiKey=x&returnRateLimits=false', true, undefined],
    ['ping', 'timestamp=1', false, 'MORE_PARAMETERS_THAN_TAKEN'],
    ['ping', 'timestamp=1', true, 'UNREAD_PARAMETERS'],
    ['ping', 'a=1&b=2&c=3&d=4', true, 'MORE_PARAMETERS_THAN_TAKEN'],
    ['account', 'timestamp=1&recvWindow=5&signature=x', false, undefined],
    ['account', 'timestamp=1&signature=x&apiKey=x', true, undefined],
    ['account', 'timestamp=1&signature=x&apiKey=x', false, 'UNREAD_PARAMETERS'],
    ['cancelOrder', 'symbol=A&origClOrdId=x&clOrdId=y', false, undefined],
    ['openOrders', 'clOrdId=y', false, 'UNREAD_PARAMETERS'],
  ])('%s?%s over WebSocket %s', (operation, query, overWebSocket, fault) => {
    const result = checked(operation, query, overWebSocket)
    expect(typeof result === 'string' ? result : undefined).toBe(fault)
  })
})

test('another spelling stands under the main name', () => {
  const params = checked('cancelOrder', 'symbol=A&origClOrdId=x&clOrdId=y') as Params
  expect(params.text(Param.origClientOrderId)).toBe('x')
  expect(params.text(Param.newClientOrderId)).toBe('y')
  expect(params.has(Param.clOrdId)).toBe(false)
})

describe('two alternatives that are both sent empty', () => {
  test.each([
    ['queryOrder', 'symbol=A&orderId=&origClientOrderId='],
    ['queryOrder', 'symbol=A&origClOrdId=&orderId='],
    ['cancelOrder', 'symbol=A&orderId=&origClientOrderId='],
    ['amendOrder', 'symbol=A&newQty=1&orderId=&origClientOrderId='],
    ['replaceOrder', `${replacement}&cancelOrderId=&cancelOrigClientOrderId=`],
    ['cancelOrderList', 'symbol=A&orderListId=&listClientOrderId='],
    ['orderList', 'orderListId=&origClientOrderId='],
    ['ticker', 'symbol=&symbols='],
    ['tickerTradingDay', 'symbol=&symbols='],
  ])('%s?%s', (operation, query) => {
    expect(checked(operation, query)).toBe('ONE_OF_TWO_PARAMETERS')
  })

  test.each([
    ['queryOrder', 'symbol=A&orderId=1&origClientOrderId=', 'EMPTY_ORIG_CLIENT_ORDER_ID'],
    ['queryOrder', 'symbol=A&orderId=&origClientOrderId=x', 'PARAMETER_EMPTY'],
    ['queryOrder', 'symbol=A&orderId=', 'PARAMETER_EMPTY'],
  ])('one alone has its own error: %s?%s', (operation, query, fault) => {
    expect(checked(operation, query)).toBe(fault)
  })
})

describe('startTime and endTime are in ms or µs', () => {
  const timed = operations.filter(({ params }) =>
    params.some((row) => row.slot === Param.startTime),
  )

  test.each(timed)('$id', ({ id, params }) => {
    const needed = params.filter(({ mandatory }) => mandatory)
    const texts = needed.map(({ slot }) => `${paramNames[slot]}=${textOf[paramNames[slot]!]}&`)
    const read = (startTime: number, endTime: number) => {
      const query = `${texts.join('')}startTime=${startTime}&endTime=${endTime}`
      const found = checked(id, query) as Params
      return [found.number(Param.startTime), found.number(Param.endTime)]
    }
    expect(read(1_700_000_000_000, 1_700_000_000_001)).toEqual([
      1_700_000_000_000, 1_700_000_000_001,
    ])
    expect(read(1_700_000_000_000_001, 1_700_000_000_001_999)).toEqual([
      1_700_000_000_001, 1_700_000_000_001,
    ])
    expect(read(1_700_000_000_000_000, 1_700_000_000_001_000)).toEqual([
      1_700_000_000_000, 1_700_000_000_001,
    ])
    expect(read(999_999_999_999_999, 10 ** 15)).toEqual([999_999_999_999_999, 10 ** 12])
  })
})

test('values are read in their units', () => {
  const query =
    'symbol=A&side=SELL&type=MARKET&quantity=1.5&timestamp=1700000000000123&recvWindow=5000.25'
  const params = checked('placeOrder', query) as Params
  expect(params.number(Param.quantity)).toBe(150_000_000)
  expect(params.number(Param.side)).toBe(1)
  expect(params.number(Param.type)).toBe(1)
  expect(params.number(Param.timestamp)).toBe(1_700_000_000_000_123)
  expect(params.number(Param.recvWindow)).toBe(5_000_250)
  expect(params.number(Param.price)).toBeUndefined()
  expect(params.flag(Param.omitZeroBalances, true)).toBe(true)
})

test('no texts whatever make a check throw', () => {
  const names = fc.constantFrom(...paramNames, 'unknown', '__proto__', 'constructor')
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('', '0', '-1', '1e9', '1.', '.1', '9'.repeat(40), '[]', '["A"]', 'NaN'),
  )
  const query = fc.uniqueArray(fc.tuple(names, texts), { selector: ([name]) => name })
  fc.assert(
    fc.property(fc.constantFrom(...operations), query, (operation, pairs) => {
      const raw = RawParams.parse(new URLSearchParams(pairs).toString(), '') as RawParams
      const weight = typeof operation.weight === 'number' ? operation.weight : operation.weight(raw)
      expect(weight).toBeGreaterThan(0)
      expect(() => checked(operation.id, new URLSearchParams(pairs).toString())).not.toThrow()
    }),
  )
})

/** Legal and illegal texts of common parameters, so that many requests are good. */
const pairs = fc.uniqueArray(
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...goodPairs) },
    fc.tuple(fc.constantFrom(...paramNames, 'unknown'), fc.constantFrom('', '1', 'A', '1.5', '{')),
  ),
  { selector: ([name]) => name, maxLength: 14 },
)

const row = fc.constantFrom(...operations)
const carried = fc.constantFrom(noShared, frameParams)
const textOfPairs = (sent: readonly (readonly [string, string])[]) =>
  sent.map(([name, text]) => `${name}=${text}`).join('&')

test('comparing bits says the same as the rows, one by one', () => {
  let good = 0
  fc.assert(
    fc.property(row, pairs, fc.nat(14), carried, (operation, sent, inQuery, shared) => {
      const [query, body] = [sent.slice(0, inQuery), sent.slice(inQuery)].map(textOfPairs)
      const [params, others] = [1, 2].map(() =>
        checkSyntax(RawParams.parse(query!, body!) as RawParams),
      )
      if (params instanceof Fault || others instanceof Fault) return
      const fault = checkParams(operation, params!, shared)
      expect(fault).toEqual(checkRows(operation, others!, shared))
      if (fault !== undefined) return
      good++
      expect(params!.raw.values).toEqual(others!.raw.values)
      expect(params!.numbers).toEqual(others!.numbers)
    }),
    { numRuns: 20_000 },
  )
  expect(good).toBeGreaterThan(100)
})
