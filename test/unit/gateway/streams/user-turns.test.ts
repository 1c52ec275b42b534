/** What listeners receive of an execution, in order, from records as a matcher publishes them. */

import { describe, expect, test } from 'vitest'
import { FakeContext, NOW_MS, trader } from '../../../../bench/workloads/fake-context.ts'
import { writeDebtPaid, writeFundsMoved } from '../../../../scripts/layout/codecs.gen.ts'
import type { AnyRows } from '../../../../src/api/answers/answer.ts'
import { textOf } from '../../../../src/api/answers/json.ts'
import {
  DETAILED,
  OrderPhase,
  OrderStatus,
  OrderType,
  packTerms,
  RejectReason,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../../../src/base/codes.ts'
import {
  AccountId,
  AssetId,
  Atoms,
  Lots,
  Ms,
  OrderId,
  OrderListId,
  QuoteAtoms,
  SymbolId,
  Ticks,
} from '../../../../src/base/units.ts'
import { type UserListener, UserStreams } from '../../../../src/gateway/streams/user-streams.ts'
import {
  DepositChanged,
  EventHeader,
  RecordHeader,
  WithdrawalChanged,
} from '../../../../src/layout/accessors.gen.ts'
import { addFlag, RecordBuffer, writeHead } from '../../../../src/layout/record-buffer.ts'
import { FLAG_LAST } from '../../../../src/layout/records.gen.ts'
import { EXCHANGE_ACCOUNT, WALLET } from '../../../../src/market/listing.ts'
import {
  accepted,
  amended,
  buyLimit,
  closed,
  listChanged,
  listRejected,
  paysOtherwise,
  queryEnd,
  replaceResult,
  trade,
  type Write,
} from '../../../protocol/records.ts'

const MAKER = 8

interface Heard {
  readonly e: string
  readonly [name: string]: unknown
}

class Streams {
  readonly heard: Heard[] = []
  private readonly streams: UserStreams
  private readonly listeners: UserListener[] = []

  constructor(accounts: readonly number[]) {
    const { symbols, assets } = new FakeContext()
    this.streams = new UserStreams({
      symbols,
      assets,
      matchers: 1,
      balance: (_, asset) => ({ asset, free: 100_000_000, locked: 0 }),
      clock: { nowMs: () => Ms(NOW_MS + 2), elapsedNs: () => 0 },
    })
    for (const account of accounts) this.listen(AccountId(account))
  }

  listen(account: AccountId): this {
    const event = (row: AnyRows) => this.heard.push({ ...JSON.parse(textOf(row)), account })
    const listener = { account, microseconds: false, event }
    this.streams.add(listener)
    this.listeners.push(listener)
    return this
  }

  /** The last listener left. */
  leave(): this {
    for (const listener of this.listeners.splice(0)) this.streams.remove(listener)
    return this
  }

  /** Records of one command, or of one execution; `isWhole`: the last has the LAST flag. */
  turn(writes: readonly Write[], isWhole = true, correlation = 1): this {
    for (const [i, write] of writes.entries()) {
      const buffer = RecordBuffer.allocate(1024)
      write(buffer)
      RecordHeader.setCorrelation(buffer, 0, correlation)
      if (isWhole && i === writes.length - 1) {
        addFlag(buffer, 0, FLAG_LAST)
      }
      this.streams.record(0, buffer, 0)
    }
    return this
  }

  /** An event of the wallet. */
  moved(write: (buffer: RecordBuffer) => void): this {
    const buffer = RecordBuffer.allocate(1024)
    write(buffer)
    this.streams.fundsMoved(buffer, 0)
    return this
  }

  overrun(): this {
    this.streams.overrun(0)
    return this
  }

  /** `NEW NEW`, `list EXECUTING`, `position USDT BTC`; of whom, when not the trader. */
  get told(): string[] {
    return this.heard.map(({ e, account, x, X, L, B }) => {
      const whose = account === trader.id ? '' : ` of ${account}`
      if (e === 'executionReport') return `${x} ${X}${whose}`
      if (e === 'listStatus') return `list ${L}${whose}`
      return `position ${(B as { a: string }[]).map(({ a }) => a).join(' ')}${whose}`
    })
  }
}

const leg = (orderId: OrderId, phase: OrderPhase): Write[] => [
  accepted({
    orderId: OrderId(orderId),
    terms: buyLimit | DETAILED,
    details: { orderListId: OrderListId(5), phase, workingMs: Ms(-1) },
  }),
]

test('a list is told of after its orders and before the position', () => {
  const { told, heard } = new Streams([trader.id, MAKER]).turn([
    ...leg(OrderId(41), OrderPhase.WORKING),
    ...leg(OrderId(42), OrderPhase.PENDING),
    listChanged(),
    trade({ takerDetails: {}, takerFilledLots: Lots(1_000) }),
    listChanged(),
  ])
  expect(told).toEqual([
    'NEW NEW',
    'NEW PENDING_NEW',
    'TRADE FILLED',
    `TRADE PARTIALLY_FILLED of ${MAKER}`,
    'list EXECUTING',
    'list EXECUTING',
    'position BTC USDT',
    `position BTC USDT of ${MAKER}`,
  ])
  expect(heard[4]).toEqual({
    account: trader.id,
    e: 'listStatus',
    E: NOW_MS + 2,
    s: 'BTCUSDT',
    g: 5,
    c: 'OCO',
    l: 'EXEC_STARTED',
    L: 'EXECUTING',
    r: 'NONE',
    C: 'theList',
    T: NOW_MS,
    O: [
      { s: 'BTCUSDT', i: 41, c: 'one' },
      { s: 'BTCUSDT', i: 42, c: 'two' },
    ],
  })
})

test('a list that was refused is told of, and moves nothing', () => {
  const { heard } = new Streams([trader.id]).turn([listRejected()], false)
  expect(heard).toEqual([
    {
      account: trader.id,
      e: 'listStatus',
      E: NOW_MS + 2,
      s: 'BTCUSDT',
      g: -1,
      c: 'OCO',
      l: 'RESPONSE',
      L: 'REJECT',
      r: 'INSUFFICIENT_BALANCES',
      C: 'theList',
      T: NOW_MS,
      O: [
        { s: 'BTCUSDT', i: -1, c: 'one' },
        { s: 'BTCUSDT', i: -1, c: 'two' },
      ],
    },
  ])
})

test('an amendment that frees nothing changes no position', () => {
  const { told } = new Streams([trader.id])
    .turn([amended({ releasedAtoms: Atoms(0) })])
    .turn([amended({ releasedAtoms: Atoms(5) })])
  expect(told).toEqual(['REPLACED NEW', 'REPLACED NEW', 'position BTC USDT'])
})

test('the asset of a discounted commission is in the position of who paid it', () => {
  const { told } = new Streams([trader.id, MAKER]).turn([accepted(), trade(paysOtherwise('taker'))])
  expect(told.slice(-2)).toEqual(['position BTC USDT ETH', `position BTC USDT of ${MAKER}`])
})

test('turns that follow from a turn are told of one by one', () => {
  const { told } = new Streams([trader.id])
    .turn([accepted()])
    .turn([closed({ status: OrderStatus.EXPIRED, reason: 5 })], true, 0)
    .turn([closed({ status: OrderStatus.EXPIRED, reason: 5 })], true, 0)
  expect(told).toEqual([
    'NEW NEW',
    'position BTC USDT',
    'EXPIRED EXPIRED',
    'position BTC USDT',
    'EXPIRED EXPIRED',
    'position BTC USDT',
  ])
})

test('a replacement ends with its reply, or with what follows it', () => {
  const canceled = [closed()]
  const refused = replaceResult(0, RejectReason.INSUFFICIENT_BALANCE)
  const alone = new Streams([trader.id]).turn(canceled, false).turn([refused])
  expect(alone.told).toEqual(['CANCELED CANCELED', 'REJECTED REJECTED', 'position BTC USDT'])
  const followed = new Streams([trader.id])
    .turn(canceled, false)
    .turn([accepted()], true, 2)
    .turn([queryEnd], true, 3)
    .turn([refused])
  expect(followed.told).toEqual([
    'CANCELED CANCELED',
    'position BTC USDT',
    'NEW NEW',
    'position BTC USDT',
    'REJECTED REJECTED',
  ])
})

test('a turn whose end was missed ends before a reply about another symbol', () => {
  const terms = packTerms(Side.BUY, OrderType.MARKET, TimeInForce.GTC, SelfTradePrevention.NONE)
  const market = accepted({ terms, priceTicks: Ticks(0), quoteAtoms: QuoteAtoms(500_000_000) })
  const fill = trade({
    takerTerms: terms,
    takerFilledLots: Lots(1_000),
    makerFilledLots: Lots(2_000),
  })
  const replyElsewhere: Write = (buffer) => {
    queryEnd(buffer)
    RecordHeader.setSymbolId(buffer, 0, SymbolId(1))
  }
  const streams = new Streams([trader.id])
    .turn([market, fill], false)
    .turn([replyElsewhere], true, 2)
  const reports = streams.heard.filter(({ e }) => e === 'executionReport')
  expect(reports.map(({ x, s }) => [x, s])).toEqual([
    ['NEW', 'BTCUSDT'],
    ['TRADE', 'BTCUSDT'],
  ])
})

test('after what was missed, each event is told of in full', () => {
  const streams = new Streams([trader.id])
    .turn([...leg(OrderId(41), OrderPhase.WORKING), listChanged()], false)
    .overrun()
    .turn([trade({ takerDetails: { orderListId: OrderListId(5) } })])
  expect(streams.told).toEqual(['NEW NEW', 'TRADE PARTIALLY_FILLED', 'position BTC USDT'])
  expect(streams.heard[1]).toMatchObject({ g: 5, q: '0.01000000' })
})

test('who begins to listen in the middle of a turn is told of the rest of it in full', () => {
  const streams = new Streams([])
    .turn([accepted()], false)
    .listen(trader.id)
    .listen(AccountId(MAKER))
  streams.turn([trade()])
  expect(streams.told).toEqual([
    'TRADE PARTIALLY_FILLED',
    `TRADE PARTIALLY_FILLED of ${MAKER}`,
    'position BTC USDT',
    `position BTC USDT of ${MAKER}`,
  ])
})

test('what a turn had begun with before the last listener left is forgotten', () => {
  const streams = new Streams([trader.id])
    .turn([...leg(OrderId(41), OrderPhase.WORKING), listChanged()], false)
    .leave()
    .turn([closed()])
    .listen(trader.id)
    .turn([accepted()])
  expect(streams.told).toEqual(['NEW NEW', 'NEW NEW', 'position BTC USDT'])
})

describe('money that the wallet moved is told to whom it moved, with the position behind it', () => {
  const usdt = AssetId(0)
  const head = { symbolId: WALLET, gateway: -1, correlation: 0, timeMs: NOW_MS, sequence: 1 }
  const moves = (streams: Streams) =>
    streams.heard.map(({ e, account, a, d, T, u, B }) =>
      e === 'balanceUpdate'
        ? [account, a, d, T]
        : [account, (B as { a: string }[]).map((balance) => balance.a).join(), u],
    )
  const position = (account: number) => [account, 'USDT', NOW_MS]
  const withdrawn = (movedAtoms: number, feeMovedAtoms: number) => (buffer: RecordBuffer) => {
    buffer.bytes.fill(0)
    writeHead(buffer, 0, WithdrawalChanged.type, WithdrawalChanged.bytes, 0)
    EventHeader.setTimeMs(buffer, 0, NOW_MS)
    WithdrawalChanged.setAccount(buffer, 0, trader.id)
    WithdrawalChanged.setAssetId(buffer, 0, usdt)
    WithdrawalChanged.setMovedAtoms(buffer, 0, Atoms(movedAtoms))
    WithdrawalChanged.setFeeMovedAtoms(buffer, 0, Atoms(feeMovedAtoms))
  }

  test('a withdrawal, and its fee once it is completed', () => {
    const streams = new Streams([trader.id, EXCHANGE_ACCOUNT])
    streams.moved(withdrawn(-5_100_000_000, 0)).moved(withdrawn(0, 100_000_000))
    expect(moves(streams)).toEqual([
      [trader.id, 'USDT', '-51.00000000', NOW_MS],
      position(trader.id),
      [EXCHANGE_ACCOUNT, 'USDT', '1.00000000', NOW_MS],
      position(EXCHANGE_ACCOUNT),
    ])
  })

  test('a deposit where it is credited, and what a debt takes of it', () => {
    const deposited = (movedAtoms: number) => (buffer: RecordBuffer) => {
      buffer.bytes.fill(0)
      writeHead(buffer, 0, DepositChanged.type, DepositChanged.bytes, 0)
      EventHeader.setTimeMs(buffer, 0, NOW_MS)
      DepositChanged.setAccount(buffer, 0, trader.id)
      DepositChanged.setMovedAtoms(buffer, 0, Atoms(movedAtoms))
    }
    const paid = (buffer: RecordBuffer) =>
      writeDebtPaid(buffer, 0, { ...head, account: trader.id, assetId: usdt, atoms: Atoms(300) })
    const streams = new Streams([trader.id])
    streams.moved(deposited(0)).moved(deposited(700)).moved(paid)
    expect(moves(streams)).toEqual([
      [trader.id, 'USDT', '0.00000700', NOW_MS],
      position(trader.id),
      [trader.id, 'USDT', '-0.00000300', NOW_MS],
      position(trader.id),
    ])
  })

  test('a movement, to both', () => {
    const streams = new Streams([trader.id, MAKER])
    streams.moved((buffer) =>
      writeFundsMoved(buffer, 0, {
        ...head,
        from: trader.id,
        to: AccountId(MAKER),
        assetId: usdt,
        master: trader.id,
        movementId: 1,
        atoms: Atoms(5),
        requestId: '',
      }),
    )
    expect(moves(streams)).toEqual([
      [trader.id, 'USDT', '-0.00000005', NOW_MS],
      position(trader.id),
      [MAKER, 'USDT', '0.00000005', NOW_MS],
      position(MAKER),
    ])
  })
})
