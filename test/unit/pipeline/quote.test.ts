/** Mass quotes as clients meet them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, type Json, OneThreadExchange } from '../../fixtures/one-thread-exchange.ts'

let exchange: OneThreadExchange
beforeAll(async () => {
  exchange = await OneThreadExchange.start()
})
afterAll(() => exchange.close())
beforeEach(async () => {
  for (const account of [1, 2]) {
    await exchange.signed(account, 'DELETE', '/ringbook/v1/openOrders')
  }
})

type Pair = readonly [price: string, quantity: string]
interface Quoted {
  readonly bids?: readonly Pair[]
  readonly asks?: readonly Pair[]
  readonly [more: string]: unknown
}
const quote = ({ bids = [], asks = [], ...more }: Quoted): Promise<Answer> =>
  exchange.signed(1, 'POST', '/ringbook/v1/quote', {
    symbol: 'BTCUSDT',
    bids: JSON.stringify(bids),
    asks: JSON.stringify(asks),
    ...(more as Record<string, string>),
  })
interface LevelRow {
  readonly outcome: string
  readonly orderId?: number
  readonly executedQty: string
  readonly error?: Json
}
const sides = ({ status, body }: Answer): readonly (readonly LevelRow[])[] => {
  expect([status, body]).toMatchObject([200, { symbol: 'BTCUSDT' }])
  return [body.bids, body.asks] as unknown as readonly (readonly LevelRow[])[]
}
const outcomes = (answer: Answer) =>
  sides(answer).map((levels) => levels.map(({ outcome, error }) => error?.code ?? outcome))
const idsOf = (answer: Answer) => sides(answer).flatMap((side) => side.map((it) => it.orderId))

const open = async () => {
  const { body } = await exchange.signed(1, 'GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  const rows = body as unknown as readonly Json[]
  return rows.map(({ side, price, origQty, executedQty }) =>
    [side, Number(price), Number(origQty) - Number(executedQty)].join(' '),
  )
}
const takes = async (side: string, price: string, quantity: string) => {
  const { body } = await exchange.limitOrder(2, side, price, quantity)
  return body
}

describe('a quote', () => {
  test('replaces what it had before, and nothing else', async () => {
    await exchange.limitOrder(1, 'BUY', '90', '1')
    const first = await quote({
      bids: [
        ['100', '1'],
        ['99', '2'],
      ],
      asks: [['110', '1']],
    })
    expect(outcomes(first)).toEqual([['PLACED', 'PLACED'], ['PLACED']])
    await quote({ bids: [['95', '1']], quoteId: 'other' })
    const next = await quote({
      bids: [
        ['101', '1'],
        ['99', '2'],
      ],
      asks: [],
    })
    expect(outcomes(next)).toEqual([['PLACED', 'KEPT'], []])
    expect(next.body.canceled).toBe(2)
    expect(idsOf(next)[1]).toBe(idsOf(first)[1])
    expect(await open()).toEqual(['BUY 90 1', 'BUY 99 2', 'BUY 95 1', 'BUY 101 1'])
    await quote({})
    expect(await open()).toEqual(['BUY 90 1', 'BUY 95 1'])
  })

  test('keeps the place of an order whose quantity stays or falls, and of no other', async () => {
    const place = async (quantity: string) => {
      await quote({ bids: [['100', '3']] })
      await exchange.limitOrder(2, 'BUY', '100', '3')
      const again = await quote({ bids: [['100', quantity]] })
      const taken = await exchange.signed(2, 'POST', '/api/v3/order', {
        symbol: 'BTCUSDT',
        side: 'SELL',
        type: 'LIMIT',
        timeInForce: 'IOC',
        price: '100',
        quantity: '1',
        selfTradePreventionMode: 'EXPIRE_TAKER',
      })
      await exchange.signed(2, 'DELETE', '/ringbook/v1/openOrders')
      await quote({})
      return [...outcomes(again)[0]!, taken.body.status]
    }
    expect(await place('3')).toEqual(['KEPT', 'FILLED'])
    expect(await place('2')).toEqual(['LOWERED', 'FILLED'])
    // Behind the taker's own order, which its prevention meets first.
    expect(await place('4')).toEqual(['PLACED', 'EXPIRED_IN_MATCH'])
  })

  test('counts what is left of an order that was filled in part', async () => {
    await quote({ asks: [['110', '3']] })
    await takes('BUY', '110', '1')
    expect(outcomes(await quote({ asks: [['110', '2']] }))).toEqual([[], ['KEPT']])
    expect(outcomes(await quote({ asks: [['110', '1']] }))).toEqual([[], ['LOWERED']])
    expect(await open()).toEqual(['SELL 110 1'])
  })

  test('trades, and says how much', async () => {
    await exchange.limitOrder(2, 'SELL', '100', '1')
    await exchange.limitOrder(2, 'SELL', '101', '1')
    const answer = await quote({
      bids: [
        ['101', '1.5'],
        ['100', '1'],
      ],
      asks: [['102', '1']],
    })
    expect(sides(answer)[0]!.map(({ executedQty }) => Number(executedQty))).toEqual([1.5, 0])
    expect(await open()).toEqual(['BUY 100 1', 'SELL 102 1'])
  })

  test('does not meet the orders that it replaces', async () => {
    await quote({ asks: [['105', '1']] })
    const answer = await quote({ bids: [['106', '1']], asks: [['107', '1']] })
    expect(sides(answer)[0]![0]!.executedQty).toBe('0.00000000')
    expect(await open()).toEqual(['BUY 106 1', 'SELL 107 1'])
  })
})

describe('a level that is refused', () => {
  const far = '99999'
  test.each<[what: string, given: Quoted, code: number]>([
    [
      'by a filter',
      {
        bids: [
          ['100', '1'],
          ['99.001', '1'],
        ],
      },
      -1013,
    ],
    [
      'by funds',
      {
        bids: [
          ['100', '1'],
          [far, '9000'],
        ],
      },
      -2010,
    ],
    [
      'as it would trade',
      {
        bids: [
          ['100', '1'],
          ['109', '1'],
        ],
        postOnly: 'true',
      },
      -2010,
    ],
    [
      'as no number',
      {
        bids: [
          ['100', '1'],
          ['much', '1'],
        ],
      },
      -1100,
    ],
  ])('%s, alone, or with all of the quote', async (_, given, code) => {
    await exchange.limitOrder(2, 'SELL', '108', '1')
    await quote({ bids: [['97', '1']] })
    const whole = await quote({ ...given, refusal: 'WHOLE' })
    expect([whole.status, whole.body.code]).toEqual([400, code])
    expect(await open()).toEqual(['BUY 97 1'])
    expect(outcomes(await quote(given))).toEqual([['PLACED', code], []])
    expect(await open()).toEqual(['BUY 100 1'])
  })
})

describe('a quote is refused whole', () => {
  const one: Pair = ['100', '1']
  test.each<[what: string, given: Quoted]>([
    ['that is crossed', { bids: [one], asks: [one] }],
    ['with 21 levels', { bids: Array.from({ length: 21 }, (_, i): Pair => [`${i + 1}`, '1']) }],
    ['with a price twice', { bids: [one, ['100.0', '2']] }],
    ['whose id is long', { bids: [one], quoteId: 'thirteen-long' }],
    ['with a level that is no pair', { bids: [['100'] as unknown as Pair] }],
  ])('%s', async (_, given) => {
    await quote({ bids: [['97', '1']] })
    const { status, body } = await quote(given)
    expect([status, body.code]).toEqual([400, -1130])
    expect(await open()).toEqual(['BUY 97 1'])
  })
})
