/** What user streams say of orders with more to them than plain terms (supplement 2e.2). */
import { describe, expect, test } from 'vitest'
import { NOW_MS, trader } from '../../bench/workloads/fake-context.ts'
import {
  DETAILED,
  ExpiryReason,
  OrderPhase,
  OrderStatus,
  OrderType,
  packTerms,
  RejectReason,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../src/base/codes.ts'
import {
  type OrderDecrementedRecord,
  type OrderDetailsRecord,
  type OrderTriggeredRecord,
  writeOrderDecremented,
  writeOrderReleased,
  writeOrderTriggered,
  writeReplaceResult,
} from '../../src/layout/records.gen.ts'
import {
  accepted,
  amended,
  buyLimit,
  closed,
  details,
  paysOtherwise,
  prevented,
  replaceResult,
  trade,
  type Write,
} from './records.ts'
import { flaggedLast, report, reportsOf } from './reports.ts'

const { WORKING, UNTRIGGERED, PENDING } = OrderPhase
const { EXPIRE_MAKER, DECREMENT } = SelfTradePrevention
const typed = (type: OrderType) =>
  packTerms(Side.BUY, type, TimeInForce.GTC, EXPIRE_MAKER) | DETAILED
const detailedLimit = buyLimit | DETAILED
const stopLimit = typed(OrderType.STOP_LOSS_LIMIT)
const stopMarket = typed(OrderType.STOP_LOSS)

const header = { symbolId: 0, gateway: 0, correlation: 0, timeMs: NOW_MS, sequence: 10 }
const order = {
  account: trader.id,
  terms: stopLimit,
  orderId: 41,
  priceTicks: 5_000_000,
  lots: 1_000,
  quoteAtoms: 0,
}

type Turn = Partial<OrderTriggeredRecord>
const began = (write: typeof writeOrderTriggered, fields: Turn): Write => {
  const turn = { heldAtoms: 0, createdMs: NOW_MS - 5_000, clientOrderId: 'mine' }
  return (buffer) => write(buffer, 0, { ...header, ...order, ...turn, ...fields })
}
const triggered = (fields: Turn = {}) => began(writeOrderTriggered, fields)
const released = (fields: Turn = {}) => began(writeOrderReleased, fields)

const decremented =
  (fields: Partial<OrderDecrementedRecord> = {}): Write =>
  (buffer) => {
    writeOrderDecremented(buffer, 0, {
      ...header,
      ...order,
      filledLots: 0,
      filledAtoms: 0,
      preventedLots: 250,
      createdMs: NOW_MS - 5_000,
      removedLots: 250,
      updateId: 101,
      releasedAtoms: 0,
      clientOrderId: 'mine',
      ...fields,
    })
  }

const eventsOf = (...writes: Write[]) => reportsOf(writes).map(({ event }) => event)
const lastOf = (...writes: Write[]) => eventsOf(...writes).at(-1)!

/** A stop at 51000.00 of list 5, labelled; trails. */
const stopDetails: Partial<OrderDetailsRecord> = {
  orderListId: 5,
  stopTicks: 5_100_000,
  icebergLots: 100,
  strategyId: 0,
  strategyType: 1_000_000,
  trailingDelta: 25,
  phase: UNTRIGGERED,
  workingMs: -1,
}

describe('a stop', () => {
  const placed = [details(stopDetails), accepted({ terms: stopLimit })]
  const { W: _, ...unworked } = report
  const stopped = {
    ...unworked,
    o: 'STOP_LOSS_LIMIT',
    P: '51000.00000000',
    F: '0.00100000',
    g: 5,
    d: 25,
    j: 0,
    J: 1_000_000,
    w: false,
  }

  test('is new, but does not work', () => {
    expect(eventsOf(...placed)).toEqual([stopped])
  })

  test('says when it began to track the price', () => {
    const tracking = details({ ...stopDetails, trailingMs: NOW_MS - 9 })
    expect(eventsOf(tracking, accepted({ terms: stopLimit }))).toEqual([
      { ...stopped, D: NOW_MS - 9 },
    ])
  })

  test('is new again as it triggers, and then trades as its turn says', () => {
    const made = eventsOf(
      details({ ...stopDetails, trailingMs: NOW_MS - 9 }),
      triggered(),
      flaggedLast(trade({ takerTerms: stopLimit, takerFilledLots: 1_000 })),
    )
    const working = { ...stopped, D: NOW_MS - 9, w: true, W: NOW_MS, O: NOW_MS - 5_000 }
    expect(made[0]).toEqual(working)
    expect(made[1]).toMatchObject({ x: 'TRADE', X: 'FILLED', g: 5, W: NOW_MS, P: working.P })
  })

  test('of a market type is on the book only as it triggers', () => {
    const terms = stopMarket
    const made = eventsOf(
      details(stopDetails),
      triggered({ terms, priceTicks: 0 }),
      trade({ takerTerms: terms }),
      flaggedLast(closed({ terms, status: OrderStatus.EXPIRED, reason: 7, filledLots: 400 })),
    )
    expect(made.map(({ x, w, W }) => [x, w, W])).toEqual([
      ['NEW', true, NOW_MS],
      ['TRADE', false, NOW_MS],
      ['TRADE', true, NOW_MS - 60_000],
      ['EXPIRED', false, NOW_MS],
    ])
  })

  test('canceled before it works has never worked', () => {
    const canceled = lastOf(details(stopDetails), closed({ terms: stopLimit }))
    expect(canceled).toMatchObject({ x: 'CANCELED', g: 5, P: '51000.00000000', w: false })
    expect(canceled).not.toHaveProperty('W')
  })

  test('refused as it triggers ends in its turn', () => {
    const status = OrderStatus.EXPIRED
    const expired = closed({ terms: stopLimit, status, reason: ExpiryReason.REJECTED })
    const made = eventsOf(details(stopDetails), triggered(), flaggedLast(expired))
    expect(made.map(({ x, eR, W }) => [x, eR, W])).toEqual([
      ['NEW', undefined, NOW_MS],
      ['EXPIRED', 'REJECTED', NOW_MS],
    ])
  })
})

describe('a pending leg', () => {
  const pending = { orderListId: 5, phase: PENDING, workingMs: -1 }

  test('is new, but pending', () => {
    const placed = lastOf(details(pending), accepted({ terms: detailedLimit }))
    expect(placed).toMatchObject({ x: 'NEW', X: 'PENDING_NEW', w: false, g: 5 })
    expect(placed).not.toHaveProperty('W')
  })

  test.each<[string, number, object]>([
    ['a limit order works', detailedLimit, { x: 'NEW', X: 'NEW', w: true, W: NOW_MS }],
    ['a stop waits', stopLimit, { x: 'NEW', X: 'NEW', w: false }],
  ])('released: %s', (_, terms, members) => {
    const made = lastOf(details(pending), released({ terms }))
    expect(made).toMatchObject(members)
    expect('W' in made).toBe('W' in members)
  })

  test.each([
    [OrderStatus.CANCELED, 'CANCELED', undefined],
    [OrderStatus.EXPIRED, 'EXPIRED', 'OTO_PHASE_ONE_EXPIRED'],
  ])('ends with its working order as %i', (status, x, eR) => {
    const reason = ExpiryReason.OTO_PHASE_ONE_EXPIRED
    const made = lastOf(details(pending), closed({ terms: detailedLimit, status, reason }))
    expect([made.x, made.X, made.eR, made.w]).toEqual([x, x, eR, false])
    expect(made).not.toHaveProperty('W')
  })
})

describe('legs that enter together', () => {
  test('keep their own details while one of them trades', () => {
    const leg = (orderId: number, phase: OrderPhase, icebergLots: number): Write[] => [
      details({ orderId, orderListId: 5, phase, icebergLots, workingMs: -1 }),
      accepted({ orderId, terms: detailedLimit, clientOrderId: `leg${orderId}` }),
    ]
    const made = eventsOf(
      ...leg(41, WORKING, 100),
      ...leg(42, PENDING, 200),
      ...leg(43, PENDING, 300),
      flaggedLast(trade({ takerTerms: detailedLimit, takerFilledLots: 1_000 })),
    )
    expect(made.slice(0, 4).map(({ i, X, c, F }) => [i, X, c, F])).toEqual([
      [41, 'NEW', 'leg41', '0.00100000'],
      [42, 'PENDING_NEW', 'leg42', '0.00200000'],
      [43, 'PENDING_NEW', 'leg43', '0.00300000'],
      [41, 'FILLED', 'leg41', '0.00100000'],
    ])
  })
})

describe('a maker with details', () => {
  const maker = { orderId: 9, account: 8, orderListId: 6, icebergLots: 500 }
  const makerTerms = packTerms(Side.SELL, OrderType.LIMIT, TimeInForce.GTC, 1) | DETAILED
  const since = NOW_MS - 1_000

  test('says them, and when it began to work', () => {
    const its = details({ ...maker, workingMs: since })
    const [, , made] = eventsOf(accepted(), its, trade({ makerTerms }))
    expect(made).toMatchObject({ i: 9, m: true, g: 6, F: '0.00500000', W: since, w: true })
  })

  test('is filled when what prevention took was the rest', () => {
    const its = details({ ...maker, preventedLots: 1_500 })
    const [, , made] = eventsOf(accepted(), its, trade({ makerTerms }))
    expect(made).toMatchObject({ X: 'FILLED', w: false, z: '0.00500000', q: '0.02000000' })
  })

  test('makes no report for who came after its details', () => {
    const made = reportsOf([trade({ makerTerms })])
    expect(made).toEqual([])
  })
})

test('commissions in another asset are those of the next trade only', () => {
  const made = eventsOf(accepted(), paysOtherwise(false), trade(), trade({ tradeId: 78 }))
  expect(made.slice(1).map(({ n, N }) => [n, N])).toEqual([
    ['0.00010000', 'ETH'],
    ['0.23999520', 'USDT'],
    ['0.00000600', 'BTC'],
    ['0.23999520', 'USDT'],
  ])
  const ofMaker = eventsOf(accepted(), paysOtherwise(true), trade())
  expect(ofMaker.map(({ N }) => N)).toEqual([null, 'BTC', 'ETH'])
})

describe('an amendment', () => {
  test('is a replacement under the new id', () => {
    expect(eventsOf(amended({ filledLots: 100, filledAtoms: 5_000_000_000 }))).toEqual([
      {
        ...report,
        x: 'REPLACED',
        X: 'PARTIALLY_FILLED',
        c: 'renamed',
        C: '',
        q: '0.00800000',
        z: '0.00100000',
        Z: '50.00000000',
        I: 26,
        O: NOW_MS - 5_000,
        W: NOW_MS - 5_000,
      },
    ])
  })

  test('leaves a waiting order waiting', () => {
    const its = details({ ...stopDetails, phase: PENDING })
    const made = lastOf(its, amended({ terms: stopLimit }))
    expect(made).toMatchObject({ x: 'REPLACED', X: 'PENDING_NEW', w: false })
    expect(made).not.toHaveProperty('W')
  })
})

describe('decrement', () => {
  const terms = packTerms(Side.BUY, OrderType.LIMIT, TimeInForce.GTC, DECREMENT) | DETAILED
  const match = prevented({
    takerTerms: terms,
    takerPreventedLots: 250,
    makerPreventedLots: 250,
    matchLots: 250,
    preventedMatchId: 4,
  })
  const since = { workingMs: NOW_MS - 5_000 }

  test('an order that goes on says what it lost, and is as open as before', () => {
    const made = eventsOf(
      accepted({ terms: terms & ~DETAILED }),
      match,
      details({ orderId: 9, preventedLots: 0, ...since }),
      decremented({ orderId: 9, terms, preventedLots: 250 }),
    )
    const { v, A, B, U, pl, pL, pY, x, X, w, l, L, Y } = made[1]!
    expect([x, X, w, l, L, Y]).toEqual([
      'TRADE_PREVENTION',
      'NEW',
      true,
      '0.00000000',
      '0.00000000',
      '0.00000000',
    ])
    expect([v, A, B, U]).toEqual([4, '0.00250000', '0.00250000', 41])
    expect([pl, pL, pY]).toEqual(['0.00250000', '49999.00000000', '124.99750000'])
  })

  test('what is left of the taker is filled by the rest', () => {
    const made = eventsOf(
      accepted({ terms: terms & ~DETAILED }),
      match,
      details(since),
      decremented({ terms, preventedLots: 250 }),
      flaggedLast(trade({ takerTerms: terms, takerFilledLots: 750 })),
    )
    expect(made.map(({ i, X, w }) => [i, X, w]).slice(0, 3)).toEqual([
      [41, 'NEW', true],
      [41, 'NEW', true],
      [41, 'FILLED', false],
    ])
  })

  test('an order that has nothing left expires', () => {
    const status = OrderStatus.EXPIRED_IN_MATCH
    const ended = closed({ terms: buyLimit, status, orderId: 9, preventedLots: 1_000 })
    const made = lastOf(accepted(), match, flaggedLast(ended))
    expect(made).toMatchObject({ X: 'EXPIRED_IN_MATCH', A: '0.01000000', B: '0.00250000' })
  })
})

describe('a refused replacement', () => {
  const { W: _, ...unworked } = report
  const refusal = { ...unworked, c: 'new', x: 'REJECTED', X: 'REJECTED', i: -1, I: -1, w: false }

  test.each([
    [RejectReason.INSUFFICIENT_BALANCE, 'INSUFFICIENT_BALANCES'],
    [RejectReason.WOULD_TRIGGER_IMMEDIATELY, 'STOP_PRICE_WOULD_TRIGGER_IMMEDIATELY'],
    [RejectReason.WOULD_MATCH_IMMEDIATELY, 'WOULD_MATCH_IMMEDIATELY'],
    [RejectReason.PRICES_NOT_RELATED, 'OCO_BAD_PRICES'],
    [RejectReason.DUPLICATE_ORDER, 'NONE'],
  ])('because of %i says %s', (reason, r) => {
    expect(reportsOf([replaceResult(0, reason)])).toEqual([
      { account: trader.id, event: { ...refusal, r } },
    ])
  })

  test.each([
    ['succeeded', 0],
    ['was not attempted', -1],
  ])('makes no report when it %s', (_, reason) => {
    expect(reportsOf([replaceResult(RejectReason.UNKNOWN_ORDER, reason)])).toEqual([])
  })

  test('of a stop says its stop price', () => {
    const made = lastOf((buffer) => {
      writeReplaceResult(buffer, 0, {
        ...header,
        ...order,
        clientOrderId: 'new',
        stopTicks: 5_100_000,
        icebergLots: 0,
        strategyId: 7,
        trailingDelta: 10,
        strategyType: 0,
        cancelReason: 0,
        orderReason: RejectReason.INSUFFICIENT_BALANCE,
      })
    })
    expect(made).toMatchObject({ P: '51000.00000000', d: 10, j: 7, g: -1 })
    expect(made).not.toHaveProperty('D')
  })
})
