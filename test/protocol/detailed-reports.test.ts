/** What user streams say of orders with more to them than plain terms (user-data-stream.md). */
import { describe, expect, test } from 'vitest'
import { NOW_MS, trader } from '../../bench/workloads/fake-context.ts'
import { noExtras } from '../../bench/workloads/no-extras.ts'
import {
  type DetailsSectionFields,
  type OrderDecrementedRecord,
  type OrderTriggeredRecord,
  writeOrderDecremented,
  writeOrderReleased,
  writeOrderTriggered,
  writeReplaceResult,
} from '../../scripts/layout/codecs.gen.ts'
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
  Atoms,
  Lots,
  Ms,
  OrderId,
  OrderListId,
  QuoteAtoms,
  SymbolId,
  Ticks,
} from '../../src/base/units.ts'
import {
  accepted,
  amended,
  buyLimit,
  closed,
  type Fields,
  paysOtherwise,
  replaceResult,
  trade,
  type Write,
  whole,
} from './records.ts'
import { report, reportsOf } from './reports.ts'

const { WORKING, UNTRIGGERED, PENDING } = OrderPhase
const { EXPIRE_MAKER, DECREMENT } = SelfTradePrevention
const typed = (type: OrderType) =>
  packTerms(Side.BUY, type, TimeInForce.GTC, EXPIRE_MAKER) | DETAILED
const detailedLimit = buyLimit | DETAILED
const stopLimit = typed(OrderType.STOP_LOSS_LIMIT)
const stopMarket = typed(OrderType.STOP_LOSS)

const header = { symbolId: SymbolId(0), gateway: 0, correlation: 0, timeMs: NOW_MS, sequence: 10 }
const order = {
  account: trader.id,
  terms: stopLimit,
  orderId: OrderId(41),
  priceTicks: Ticks(5_000_000),
  lots: Lots(1_000),
  quoteAtoms: QuoteAtoms(0),
}

type Turn = Fields<OrderTriggeredRecord>
const began = (write: typeof writeOrderTriggered, fields: Turn): Write => {
  const turn = { heldAtoms: Atoms(0), createdMs: Ms(NOW_MS - 5_000), clientOrderId: 'mine' }
  const record: OrderTriggeredRecord = { ...header, ...order, ...turn }
  return (buffer) => write(buffer, 0, whole(record, fields))
}
const triggered = (fields: Turn = {}) => began(writeOrderTriggered, fields)
const released = (fields: Turn = {}) => began(writeOrderReleased, fields)

const decremented =
  (fields: Fields<OrderDecrementedRecord> = {}): Write =>
  (buffer) => {
    const record: OrderDecrementedRecord = {
      ...header,
      ...order,
      filledLots: Lots(0),
      filledAtoms: QuoteAtoms(0),
      preventedLots: Lots(250),
      createdMs: Ms(NOW_MS - 5_000),
      removedLots: Lots(250),
      updateId: 101,
      releasedAtoms: Atoms(0),
      clientOrderId: 'mine',
    }
    writeOrderDecremented(buffer, 0, whole(record, fields))
  }

const eventsOf = (...writes: Write[]) => reportsOf(writes).map(({ event }) => event)
const lastOf = (...writes: Write[]) => eventsOf(...writes).at(-1)!

/** A stop at 51000.00 of list 5, labelled; trails. */
const stopDetails: Partial<DetailsSectionFields> = {
  orderListId: OrderListId(5),
  stopTicks: Ticks(5_100_000),
  icebergLots: Lots(100),
  strategyId: 0,
  strategyType: 1_000_000,
  trailingDelta: 25,
  phase: UNTRIGGERED,
  workingMs: Ms(-1),
}
/** That stop once it has triggered. */
const worksDetails = { ...stopDetails, phase: WORKING, workingMs: NOW_MS }

test('a peg has what was asked for and its price, a plain order nothing of it', () => {
  const details = { pegPriceType: 2, pegLevels: 1, pegLimitTicks: Ticks(0) }
  expect(lastOf(accepted({ details }))).toMatchObject({
    p: '0.00000000',
    gP: 'MARKET_PEG',
    gOT: 'PRICE_LEVEL',
    gOV: 1,
    gp: '50000.00000000',
  })
  expect(
    lastOf(accepted({ details: { ...details, pegLevels: 0, pegLimitTicks: Ticks(-1) } })),
  ).toEqual({ ...report, gP: 'MARKET_PEG', W: NOW_MS - 3_000 })
  expect(lastOf(accepted())).not.toHaveProperty('gP')
})

describe('a stop', () => {
  const placed = [accepted({ terms: stopLimit, details: stopDetails })]
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
    const details = { ...stopDetails, trailingMs: Ms(NOW_MS - 9) }
    expect(eventsOf(accepted({ terms: stopLimit, details }))).toEqual([
      { ...stopped, D: NOW_MS - 9 },
    ])
  })

  test('is new again as it triggers, and then trades as its turn says', () => {
    const details = { ...worksDetails, trailingMs: Ms(NOW_MS - 9) }
    const fill = { takerTerms: stopLimit, takerFilledLots: Lots(1_000), takerDetails: details }
    const made = eventsOf(triggered({ details }), trade(fill))
    const working = { ...stopped, D: NOW_MS - 9, w: true, W: NOW_MS, O: NOW_MS - 5_000 }
    expect(made[0]).toEqual(working)
    expect(made[1]).toMatchObject({ x: 'TRADE', X: 'FILLED', g: 5, W: NOW_MS, P: working.P })
  })

  test('of a market type is on the book only as it triggers', () => {
    const terms = stopMarket
    const ended = { status: OrderStatus.EXPIRED, reason: ExpiryReason.INSUFFICIENT_LIQUIDITY }
    const made = eventsOf(
      triggered({ terms, priceTicks: Ticks(0), details: worksDetails }),
      trade({ takerTerms: terms, takerDetails: worksDetails }),
      closed({ ...ended, terms, filledLots: Lots(400), details: worksDetails }),
    )
    expect(made.map(({ x, w, W }) => [x, w, W])).toEqual([
      ['NEW', true, NOW_MS],
      ['TRADE', false, NOW_MS],
      ['TRADE', true, NOW_MS - 60_000],
      ['EXPIRED', false, NOW_MS],
    ])
  })

  test('canceled before it works has never worked', () => {
    const canceled = lastOf(closed({ terms: stopLimit, details: stopDetails }))
    expect(canceled).toMatchObject({ x: 'CANCELED', g: 5, P: '51000.00000000', w: false })
    expect(canceled).not.toHaveProperty('W')
  })

  test('refused as it triggers ends in its turn', () => {
    const status = OrderStatus.EXPIRED
    const reason = ExpiryReason.REJECTED
    const expired = closed({ terms: stopLimit, status, reason, details: worksDetails })
    const made = eventsOf(triggered({ details: worksDetails }), expired)
    expect(made.map(({ x, eR, W }) => [x, eR, W])).toEqual([
      ['NEW', undefined, NOW_MS],
      ['EXPIRED', 'REJECTED', NOW_MS],
    ])
  })
})

describe('a pending leg', () => {
  const pending = { orderListId: OrderListId(5), phase: PENDING, workingMs: Ms(-1) }

  test('is new, but pending', () => {
    const placed = lastOf(accepted({ terms: detailedLimit, details: pending }))
    expect(placed).toMatchObject({ x: 'NEW', X: 'PENDING_NEW', w: false, g: 5 })
    expect(placed).not.toHaveProperty('W')
  })

  test.each<[string, number, Partial<DetailsSectionFields>, object]>([
    ['a limit order works', detailedLimit, worksDetails, { X: 'NEW', w: true, W: NOW_MS }],
    ['a stop waits', stopLimit, stopDetails, { X: 'NEW', w: false }],
  ])('released: %s', (_, terms, details, members) => {
    const made = lastOf(released({ terms, details }))
    expect(made).toMatchObject(members)
    expect('W' in made).toBe('W' in members)
  })

  test.each([
    [OrderStatus.CANCELED, 'CANCELED', undefined],
    [OrderStatus.EXPIRED, 'EXPIRED', 'OTO_PHASE_ONE_EXPIRED'],
  ])('ends with its working order as %i', (status, x, eR) => {
    const reason = ExpiryReason.OTO_PHASE_ONE_EXPIRED
    const made = lastOf(closed({ terms: detailedLimit, status, reason, details: pending }))
    expect([made.x, made.X, made.eR, made.w]).toEqual([x, x, eR, false])
    expect(made).not.toHaveProperty('W')
  })
})

describe('legs that enter together', () => {
  test('keep their own details while one of them trades', () => {
    const leg = (orderId: number, phase: OrderPhase, icebergLots: Lots): Write[] => [
      accepted({
        orderId: OrderId(orderId),
        clientOrderId: `leg${orderId}`,
        details: { orderListId: OrderListId(5), phase, icebergLots, workingMs: Ms(-1) },
      }),
    ]
    const made = eventsOf(
      ...leg(41, WORKING, Lots(100)),
      ...leg(42, PENDING, Lots(200)),
      ...leg(43, PENDING, Lots(300)),
      trade({
        takerClientOrderId: 'leg41',
        takerFilledLots: Lots(1_000),
        takerDetails: { orderListId: OrderListId(5), icebergLots: Lots(100) },
      }),
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
  const maker = { orderListId: OrderListId(6), icebergLots: Lots(500) }
  const makerTerms = packTerms(Side.SELL, OrderType.LIMIT, TimeInForce.GTC, 1) | DETAILED
  const since = NOW_MS - 1_000

  test('says them, and when it began to work', () => {
    const [, made] = eventsOf(
      trade({ makerTerms, makerDetails: { ...maker, workingMs: Ms(since) } }),
    )
    expect(made).toMatchObject({ i: 9, m: true, g: 6, F: '0.00500000', W: since, w: true })
  })

  test('is filled when what prevention took was the rest', () => {
    const makerDetails = { ...maker, preventedLots: Lots(1_500) }
    const [, made] = eventsOf(trade({ makerTerms, makerDetails }))
    expect(made).toMatchObject({ X: 'FILLED', w: false, z: '0.00500000', q: '0.02000000' })
  })
})

test('a commission in another asset is that of its own side', () => {
  const made = eventsOf(trade(paysOtherwise('taker')), trade(paysOtherwise('maker')))
  expect(made.map(({ n, N }) => [n, N])).toEqual([
    ['0.00010000', 'ETH'],
    ['0.23999520', 'USDT'],
    ['0.00000600', 'BTC'],
    ['0.00010000', 'ETH'],
  ])
})

describe('an amendment', () => {
  test('is a replacement under the new id', () => {
    expect(
      eventsOf(amended({ filledLots: Lots(100), filledAtoms: QuoteAtoms(5_000_000_000) })),
    ).toEqual([
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
    const details = { ...stopDetails, phase: PENDING }
    const made = lastOf(amended({ terms: stopLimit, details }))
    expect(made).toMatchObject({ x: 'REPLACED', X: 'PENDING_NEW', w: false })
    expect(made).not.toHaveProperty('W')
  })
})

describe('decrement', () => {
  const terms = packTerms(Side.BUY, OrderType.LIMIT, TimeInForce.GTC, DECREMENT) | DETAILED
  const prevention = { preventedMatchId: 4, lastPreventedLots: Lots(250), matchLots: Lots(250) }
  const details = { workingMs: Ms(NOW_MS - 5_000), preventedLots: Lots(250) }

  test('an order that continues says what it lost, and is as open as before', () => {
    const made = lastOf(decremented({ orderId: OrderId(9), terms, prevention, details }))
    const { v, A, B, U, pl, pL, pY, x, X, w, l, L, Y } = made
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
      decremented({ terms, prevention, details }),
      trade({ takerTerms: terms, takerFilledLots: Lots(750), takerDetails: details }),
    )
    expect(made.map(({ i, X, w }) => [i, X, w]).slice(0, 3)).toEqual([
      [41, 'NEW', true],
      [41, 'NEW', true],
      [41, 'FILLED', false],
    ])
  })

  test('an order that has nothing left expires', () => {
    const status = OrderStatus.EXPIRED_IN_MATCH
    const made = lastOf(closed({ terms: buyLimit, status, preventedLots: Lots(1_000), prevention }))
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
        ...noExtras,
        stopTicks: Ticks(5_100_000),
        strategyId: 7,
        trailingDelta: 10,
        cancelReason: 0,
        orderReason: RejectReason.INSUFFICIENT_BALANCE,
      })
    })
    expect(made).toMatchObject({ P: '51000.00000000', d: 10, j: 7, g: -1 })
    expect(made).not.toHaveProperty('D')
  })
})
