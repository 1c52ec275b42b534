/** What user streams say of each event: reports and positions, beside their examples. */
import { describe, expect, test } from 'vitest'
import { btcusdt, NOW_MS, trader } from '../../bench/workloads/fake-context.ts'
import { readOrderRested, writeOrderRested } from '../../scripts/layout/codecs.gen.ts'
import { type Answer, Rows } from '../../src/api/answers/answer.ts'
import type { Elements, RowOf } from '../../src/api/answers/element.ts'
import { textOf } from '../../src/api/answers/json.ts'
import {
  accountPosition,
  eventStreamTerminated,
  listenKeyExpired,
} from '../../src/api/answers/user-events.ts'
import {
  ExpiryReason,
  OrderStatus,
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../src/base/codes.ts'
import { AccountId, Lots, Ms, OrderId, QuoteAtoms, Ticks } from '../../src/base/units.ts'
import { zeroRecord } from '../fixtures/zero-record.ts'
import { accepted, buyLimit, closed, trade, type Write } from './records.ts'
import { flaggedLast, report, reportsOf } from './reports.ts'

const takerTrade = {
  ...report,
  x: 'TRADE',
  X: 'PARTIALLY_FILLED',
  l: '0.00400000',
  z: '0.00400000',
  L: '49999.00000000',
  n: '0.00000600',
  N: 'BTC',
  t: 77,
  I: 22,
  M: true,
  Z: '199.99600000',
  Y: '199.99600000',
}

const makerTrade = {
  ...takerTrade,
  c: 'theirs',
  S: 'SELL',
  o: 'LIMIT_MAKER',
  q: '0.02000000',
  p: '49999.00000000',
  i: 9,
  z: '0.00500000',
  n: '0.23999520',
  N: 'USDT',
  I: 23,
  m: true,
  O: NOW_MS - 60_000,
  W: NOW_MS - 60_000,
  Z: '249.99500000',
  V: 'EXPIRE_TAKER',
}

const ended = {
  x: 'CANCELED',
  X: 'CANCELED',
  I: 24,
  w: false,
  O: NOW_MS - 5_000,
  W: NOW_MS - 5_000,
}
const soFar = { z: '0.00400000', Z: '199.99600000' }

describe('executionReport', () => {
  test('a new order that trades', () => {
    expect(reportsOf([accepted(), trade()])).toEqual([
      { account: trader.id, event: report },
      { account: trader.id, event: takerTrade },
      { account: AccountId(8), event: makerTrade },
    ])
  })

  test('the last fill takes the order off the book', () => {
    const fill = trade({ takerFilledLots: Lots(1_000), makerFilledLots: Lots(2_000) })
    const [, taker, maker] = reportsOf([accepted(), flaggedLast(fill)])
    expect(taker?.event).toMatchObject({ X: 'FILLED', w: false })
    expect(maker?.event).toMatchObject({ X: 'FILLED', w: false })
  })

  test('a fill of all that the book could give is not the end of an order that then expires', () => {
    const terms = packTerms(Side.BUY, OrderType.MARKET, TimeInForce.GTC, SelfTradePrevention.NONE)
    const market = accepted({ terms, priceTicks: Ticks(0), quoteAtoms: QuoteAtoms(500_000_000) })
    const takerStatus = OrderStatus.PARTIALLY_FILLED
    const fills = { takerFilledLots: Lots(1_000), makerFilledLots: Lots(2_000) }
    const fill = trade({ takerTerms: terms, takerStatus, ...fills })
    const expired = { terms, status: OrderStatus.EXPIRED, filledLots: Lots(1_000) }
    const reason = ExpiryReason.INSUFFICIENT_LIQUIDITY
    const reports = reportsOf([market, fill, flaggedLast(closed({ ...expired, reason }))])
    const states = reports.map(({ account, event }) => [account === trader.id, event.X])
    expect(states).toEqual([
      [true, 'NEW'],
      [true, 'PARTIALLY_FILLED'],
      [false, 'FILLED'],
      [true, 'EXPIRED'],
    ])
  })

  test('a MARKET order is on the book only when it is new', () => {
    const terms = packTerms(Side.BUY, OrderType.MARKET, TimeInForce.GTC, SelfTradePrevention.NONE)
    const market = accepted({ terms, priceTicks: Ticks(0), quoteAtoms: QuoteAtoms(500_000_000) })
    const fill = trade({ takerTerms: terms, takerQuoteAtoms: QuoteAtoms(500_000_000) })
    const [first, second] = reportsOf([market, fill])
    expect(first?.event).toMatchObject({ o: 'MARKET', p: '0.00000000', Q: '5.00000000', w: true })
    expect(second?.event).toMatchObject({ X: 'PARTIALLY_FILLED', w: false, Q: '5.00000000' })
  })

  test('resting makes no report', () => {
    const rested: Write = (buffer) => {
      writeOrderRested(buffer, 0, {
        ...zeroRecord(readOrderRested),
        sequence: 11,
        account: trader.id,
        terms: buyLimit,
        orderId: OrderId(41),
      })
    }
    expect(reportsOf([accepted(), rested])).toHaveLength(1)
  })

  test('a cancel renames the order', () => {
    expect(reportsOf([closed()])).toEqual([
      { account: trader.id, event: { ...report, ...ended, ...soFar, c: 'theCancel', C: 'mine' } },
    ])
  })

  test('an expiry says why', () => {
    const reason = ExpiryReason.UNFILLED_FOK_ORDER_EXPIRED
    const own = { clientOrderId: 'mine', origClientOrderId: 'mine' }
    expect(reportsOf([closed({ status: OrderStatus.EXPIRED, reason, ...own })])).toEqual([
      {
        account: trader.id,
        event: {
          ...report,
          ...ended,
          ...soFar,
          x: 'EXPIRED',
          X: 'EXPIRED',
          eR: 'UNFILLED_FOK_ORDER_EXPIRED',
        },
      },
    ])
  })

  test.each([
    [
      'the maker',
      { orderId: OrderId(9), preventedLots: Lots(1_500) },
      { counterOrderId: OrderId(41), lastPreventedLots: Lots(1_500) },
      { i: 9, A: '0.01500000', B: '0.01500000', U: 41 },
    ],
    [
      'the taker',
      { preventedLots: Lots(1_000) },
      { counterOrderId: OrderId(9), lastPreventedLots: Lots(1_000) },
      { i: 41, A: '0.01000000', B: '0.01000000', U: 9 },
    ],
  ])('a prevented match expires %s', (_, fields, sides, members) => {
    const prevention = { preventedMatchId: 5, tradeGroupId: 3, ...sides }
    const status = OrderStatus.EXPIRED_IN_MATCH
    const own = { clientOrderId: 'mine', origClientOrderId: 'mine' }
    const reports = reportsOf([closed({ status, ...own, ...fields, prevention })])
    expect(reports[0]).toEqual({
      account: trader.id,
      event: {
        ...report,
        ...ended,
        ...soFar,
        x: 'TRADE_PREVENTION',
        X: 'EXPIRED_IN_MATCH',
        v: 5,
        u: 3,
        Cs: 'BTCUSDT',
        pl: '0.01000000',
        pL: '49999.00000000',
        pY: '499.99000000',
        ...members,
      },
    })
  })

  test('without a trade group u is -1', () => {
    const status = OrderStatus.EXPIRED_IN_MATCH
    const reports = reportsOf([closed({ status, orderId: OrderId(9) })])
    expect(reports[0]?.event).toMatchObject({ u: -1 })
  })

  test('a fill of all that a quote amount came to is the end, when nothing says otherwise', () => {
    const terms = packTerms(Side.BUY, OrderType.MARKET, TimeInForce.GTC, SelfTradePrevention.NONE)
    const market = accepted({ terms, priceTicks: Ticks(0), quoteAtoms: QuoteAtoms(500_000_000) })
    const fill = trade({
      takerTerms: terms,
      takerFilledLots: Lots(1_000),
      makerFilledLots: Lots(2_000),
    })
    const siblings = closed({
      orderId: OrderId(77),
      terms,
      account: AccountId(8),
      status: OrderStatus.EXPIRED,
    })
    const states = reportsOf([market, fill, flaggedLast(siblings)]).map(({ event }) => event.X)
    expect(states).toEqual(['NEW', 'FILLED', 'FILLED', 'EXPIRED'])
  })

  test('times in microseconds', () => {
    const [first] = reportsOf([accepted()], true)
    expect(first?.event).toMatchObject({
      E: (NOW_MS + 2) * 1000,
      T: NOW_MS * 1000,
      O: NOW_MS * 1000,
      W: NOW_MS * 1000,
    })
  })
})

const shown = <E extends Elements>(answer: Answer<E>, row: RowOf<E>, microseconds: boolean) =>
  textOf(new Rows(answer, row, { microseconds }))

test('the other user events', () => {
  const balances = [{ asset: btcusdt.base, free: 100_000_000, locked: 0 }]
  const row = { balances, updateMs: NOW_MS, eventTimeMs: Ms(NOW_MS + 2) }
  expect(JSON.parse(shown(accountPosition, row, false))).toEqual({
    e: 'outboundAccountPosition',
    E: NOW_MS + 2,
    u: NOW_MS,
    B: [{ a: 'BTC', f: '1.00000000', l: '0.00000000' }],
  })
  expect(
    JSON.parse(shown(listenKeyExpired, { listenKey: 'key', eventTimeMs: NOW_MS }, true)),
  ).toEqual({
    e: 'listenKeyExpired',
    E: NOW_MS * 1000,
    listenKey: 'key',
  })
  expect(JSON.parse(shown(eventStreamTerminated, { eventTimeMs: NOW_MS }, false))).toEqual({
    e: 'eventStreamTerminated',
    E: NOW_MS,
  })
})
