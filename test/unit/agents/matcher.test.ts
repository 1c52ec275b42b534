/** The bounds, the times and the order of a matcher's duty cycle, one cycle at a time. */
import { describe, expect, test } from 'vitest'
import { Matcher } from '../../../src/agents/matcher.ts'
import { AssertionError } from '../../../src/base/assert.ts'
import { RejectReason, Side } from '../../../src/base/codes.ts'
import { BATCH_COMMANDS_MAX } from '../../../src/base/limits.ts'
import { AccountId, AssetId, Ms, OrderId, SymbolId } from '../../../src/base/units.ts'
import { EngineOutput } from '../../../src/core/matching/output.ts'
import { OrderAccepted, OrderRested, Trade } from '../../../src/layout/accessors.gen.ts'
import { DEPOSIT, OneMatcher } from './one-matcher.ts'

const BATCH_EVENT_BYTES = 192 * 1024
const RESTING_BYTES = OrderAccepted.bytes + OrderRested.bytes
/** A resting order, and the one that fills it. */
const TAKING_BYTES = OrderAccepted.bytes + Trade.bytes
/** What one lot at 100 ticks costs, in atoms of the quote asset. */
const COST = 1_000_000n
const BASE_LOT = 1_000_000n

const times = (count: number, act: () => void) => {
  for (let i = 0; i < count; i++) act()
}

test('engines write where their matcher reads', () => {
  const { options } = new OneMatcher('flushed')
  expect(() => new Matcher({ ...options, output: new EngineOutput() })).toThrow(AssertionError)
})

describe('a batch is bounded', () => {
  test('by the number of commands, over all rings together', () => {
    const it = new OneMatcher('flushed')
    times(700, () => it.query(0))
    times(700, () => it.query(1))
    expect(it.matcher.doWork()).toBe(BATCH_COMMANDS_MAX)
    expect([0, 1].map((gateway) => it.readReplies(gateway).length)).toEqual([
      700,
      BATCH_COMMANDS_MAX - 700,
    ])
    expect(it.matcher.doWork()).toBe(1400 - BATCH_COMMANDS_MAX)
    expect(it.matcher.doWork()).toBe(0)
    expect(it.counter('batchCommandsMax')).toBe(BATCH_COMMANDS_MAX)
    expect([it.counter('commands'), ...it.histogram('batchCommands')]).toEqual([1400, 2, 1400])
  })

  test('by the bytes of its events, and what waits is executed next', () => {
    const it = new OneMatcher('flushed')
    let commands = 0
    let bytes = 0
    while (bytes < BATCH_EVENT_BYTES) bytes += commands++ % 2 === 0 ? RESTING_BYTES : TAKING_BYTES
    expect(commands).toBeLessThan(BATCH_COMMANDS_MAX)
    const pairs = Math.ceil(commands / 2) + 2
    times(pairs, () => {
      it.place(0, Side.BUY, 1)
      it.place(0, Side.SELL, 2)
    })
    expect(it.matcher.doWork()).toBe(commands)
    expect(it.matcher.hasWork()).toBe(true)
    expect(it.matcher.doWork()).toBe(2 * pairs - commands)
    expect(it.matcher.hasWork()).toBe(false)
    const orders = it.read().filter(({ name }) => name === 'OrderAccepted')
    expect(orders.map(({ orderId }) => orderId)).toEqual(
      Array.from({ length: 2 * pairs }, (_, i) => i + 1),
    )
    expect(it.counter('batchEventBytesMax')).toBe(bytes)
    expect(it.journal.lastPosition).toBe(2)
  })

  test('and a full batch from one ring does not keep the other waiting twice', () => {
    const it = new OneMatcher('flushed')
    times(2 * BATCH_COMMANDS_MAX, () => it.query(0))
    it.query(1)
    it.matcher.doWork()
    expect(it.readReplies(1)).toEqual([])
    it.matcher.doWork()
    expect(it.readReplies(1)[0]!.record.gateway).toBe(1)
  })
})

describe('what is due in the wallet', () => {
  const received = (it: OneMatcher, count: number) => {
    times(count, () => it.receive(0, 10))
    times(9, () => it.matcher.doWork())
  }
  const gained = (it: OneMatcher): bigint => it.free(AccountId(1), 0) - DEPOSIT

  test('takes turns with orders, and commands of the wallet wait for it', () => {
    const it = new OneMatcher('flushed')
    received(it, 40)
    it.nowMs = Ms(1_200)
    it.receive(1, 10)
    for (const gateway of [0, 0]) {
      it.place(gateway)
      const before = gained(it)
      it.matcher.doWork()
      expect(gained(it)).toBe(before + 160n)
      expect(it.matcher.doWork()).toBe(1)
      expect(it.options.wallet!.state.lastDepositId).toBe(40)
    }
    times(9, () => it.matcher.doWork())
    expect(gained(it)).toBe(400n)
    expect(it.options.wallet!.state.lastDepositId).toBe(41)
  })

  test('waits while the true time is awaited, and chains stand still', () => {
    const it = new OneMatcher('flushed', 4096, 1_000)
    it.steered.isAwaited = true
    received(it, 1)
    it.nowMs = Ms(10_000)
    received(it, 1)
    const { matcher } = it
    expect([gained(it), matcher.idleMsMax]).toEqual([0n, Number.POSITIVE_INFINITY])
    const heights = [...it.options.wallet!.state.deposits.values()].map(({ height }) => height)
    expect(heights).toEqual([11, 11])
    it.steered.isAwaited = false
    expect(matcher.idleMsMax).toBe(0)
    times(9, () => matcher.doWork())
    expect(gained(it)).toBe(20n)
  })
})

describe('a gateway that reads no replies', () => {
  test('has its commands wait, once not even a refusal has room, and no other gateway waits', () => {
    const it = new OneMatcher('flushed', 4096, 0, 1000, 1 << 10)
    times(1000, () => it.query(0))
    it.query(1)
    it.place(1)
    expect(it.matcher.doWork()).toBeLessThan(100)
    expect([it.readReplies(1).length, it.read().length]).toEqual([1, 2])
    expect(it.matcher.hasWork()).toBe(false)
    expect(it.matcher.doWork()).toBe(0)
    let answers = 0
    for (let read = -1; read !== 0; it.matcher.doWork()) {
      read = it.readReplies(0).length
      answers += read
      expect(it.matcher.hasWork()).toBe(answers < 1000)
    }
    expect(answers).toBe(1000)
  })

  test('has its query refused when the answer has no room, and nothing else happens', () => {
    const it = new OneMatcher('flushed', 4096, 0, 1000, 1 << 12)
    times(100, () => it.place(0, Side.BUY, 1))
    it.matcher.doWork()
    it.read()
    it.query(0, 1, 20)
    it.query(0, 1, 20)
    it.place(0)
    it.matcher.doWork()
    const names = it.readReplies(0).map(({ record }) => record.name)
    expect(names).toEqual([...Array(20).fill('OrderState'), 'QueryEnd', 'Rejected'])
    expect(it.read()).toHaveLength(2)
    expect(it.counter('answersWithoutRoom')).toBe(1)
  })
})

describe('time', () => {
  test.each([
    ['steps back', 0, [1000, 400, 999, 1001], [1000, 1000, 1000, 1001]],
    ['began behind the journal', 1500, [1000, 1600], [1500, 1600]],
  ])('never falls when the clock %s', (_, journaledMs, clock, batches) => {
    const it = new OneMatcher('flushed', 16, journaledMs)
    const seen = clock.map((nowMs) => {
      it.nowMs = Ms(nowMs)
      it.place(0)
      it.matcher.doWork()
      return it.read().map(({ timeMs }) => timeMs)
    })
    expect(seen).toEqual(batches.map((timeMs) => [timeMs, timeMs]))
    expect(it.blockTimes()).toEqual(batches)
  })
})

describe('a clock that was put right', () => {
  const HOUR = 3_600_000
  const START = 1_700_000_000_000

  test.each([
    ['while it ran', 0, START + HOUR],
    ['before it began', START + HOUR, START],
  ])('%s lets orders in at once, at the time of the journal', (_, journaledMs, firstMs) => {
    const it = new OneMatcher('flushed', 16, journaledMs, firstMs)
    it.place(0)
    it.matcher.doWork()
    it.read()
    it.nowMs = Ms(START + 5)
    it.place(0, Side.SELL, 2, 0, it.nowMs + 5_000)
    it.place(0, Side.SELL, 2, 0, it.nowMs - 1)
    it.matcher.doWork()
    expect(it.read()).toMatchObject([
      { name: 'OrderAccepted', timeMs: START + HOUR },
      { name: 'Trade', timeMs: START + HOUR },
    ])
    expect(it.readReplies(0).map(({ record }) => record)).toMatchObject([
      { name: 'Rejected', reason: RejectReason.TIMESTAMP_OUTSIDE_WINDOW },
    ])
    expect(it.counter('clockLagMs')).toBe(HOUR - 5)
  })

  test('is told of at the start, then once a minute, and when the clock has caught up', () => {
    const behind = (s: string) =>
      `the clock is ${s} s behind the journal's last time; trades carry that time until it catches up`
    const it = new OneMatcher('flushed', 16, START + HOUR, START + 60_000)
    expect(it.warnings).toEqual([behind('3,540')])
    const steps = [
      [START + 61_000, 1_000],
      [START + 119_000, 59_000],
      [START + 120_500, 60_500],
      [START + HOUR, 3_600_000],
      [START + HOUR + 1, 3_600_001],
    ] as const
    for (const [nowMs, elapsedMs] of steps) {
      it.nowMs = Ms(nowMs)
      it.elapsedNs = elapsedMs * 1_000_000
      it.matcher.doWork()
    }
    expect(it.warnings.slice(1)).toEqual([
      behind('3,480'),
      "the clock has caught up with the journal's last time",
    ])
    expect(it.counter('clockLagMs')).toBe(0)
  })

  test('goes unmentioned below a second', () => {
    const it = new OneMatcher('flushed', 16, START + 999, START)
    expect([it.counter('clockLagMs'), it.warnings]).toEqual([999, []])
  })
})

test('the price of the last trade is told when the trade is', () => {
  const it = new OneMatcher('flushed')
  it.place(0, Side.BUY, 1)
  it.matcher.doWork()
  expect(it.lastPrices.ticksOf(SymbolId(0))).toBe(0)
  it.place(0, Side.SELL, 2)
  expect(it.lastPrices.ticksOf(SymbolId(0))).toBe(0)
  it.matcher.doWork()
  expect(it.lastPrices.ticksOf(SymbolId(0))).toBe(100)
})

test('accounts are marked with the time of the batch that changed their balances', () => {
  const it = new OneMatcher('flushed')
  it.nowMs = Ms(1234)
  it.place(0, Side.BUY, 1)
  it.matcher.doWork()
  expect([it.balances.changedMs(AccountId(1)), it.balances.changedMs(AccountId(2))]).toEqual([
    1234, 0,
  ])
})

describe('what a cycle writes', () => {
  test('nothing at all when nothing waits', () => {
    const it = new OneMatcher('flushed')
    it.bells.fill(1)
    expect(it.matcher.doWork()).toBe(0)
    expect([...it.bells]).toEqual([1, 1])
    expect([it.journal.lastPosition, it.journal.flushCount]).toEqual([0, 0])
  })

  test('replies alone go to the gateway that asked, and are not journaled', () => {
    const it = new OneMatcher('flushed')
    it.bells.fill(1)
    it.query(1)
    expect(it.matcher.doWork()).toBe(1)
    expect(it.readReplies(1).map(({ record }) => record.name)).toEqual(['QueryEnd'])
    expect([it.read(), it.readReplies(0), ...it.bells]).toEqual([[], [], 1, 0])
    expect([it.journal.lastPosition, it.published[0]]).toEqual([0, 0n])
  })

  test('a reply says how many bytes of events stand before it', () => {
    const it = new OneMatcher('flushed')
    it.query(0)
    it.place(0)
    it.query(0)
    it.place(1)
    it.query(1)
    it.matcher.doWork()
    const positions = [0, 1].flatMap((gateway) =>
      it.readReplies(gateway).map(({ position }) => position),
    )
    expect(it.read()).toHaveLength(4)
    expect(positions).toEqual([0, it.position / 2, it.position])
  })

  test('one block a batch, and its position', () => {
    const it = new OneMatcher('flushed')
    it.place(0)
    it.place(1)
    it.matcher.doWork()
    expect(it.read().map(({ name }) => name)).toEqual([
      'OrderAccepted',
      'OrderRested',
      'OrderAccepted',
      'OrderRested',
    ])
    expect([it.journal.lastPosition, it.published[0]]).toEqual([1, 1n])
    expect(it.free(AccountId(1), 1)).toBe(DEPOSIT - 2n * COST)
    it.place(0)
    it.matcher.doWork()
    expect([it.journal.lastPosition, it.published[0]]).toEqual([2, 2n])
    expect(it.histogram('flush')).toEqual([2, 0])
  })

  test('before it rings, so that who wakes finds it', () => {
    const it = new OneMatcher('flushed')
    it.place(0)
    it.query(1)
    it.matcher.doWork()
    expect(it.rungFor).toEqual([true, true])
  })

  test('nothing when the disk refuses', () => {
    const it = new OneMatcher('flushed')
    it.bells.fill(1)
    it.journal.isRefusing = true
    it.place(0)
    it.query(0)
    expect(() => it.matcher.doWork()).toThrow('The disk is full.')
    expect(it.read()).toEqual([])
    expect([...it.bells]).toEqual([1, 1])
    expect([it.published[0], it.free(AccountId(1), 1)]).toEqual([0n, DEPOSIT])
  })

  test("and a command for another matcher's symbol is a programmer's error", () => {
    const it = new OneMatcher('flushed')
    it.place(0, Side.BUY, 1, 7)
    expect(() => it.matcher.doWork()).toThrow(AssertionError)
    expect(it.read()).toEqual([])
  })
})

describe('committed', () => {
  /** Accounts 1 and 2 trade one lot; account 2 has earned what it cost. */
  const traded = () => {
    const it = new OneMatcher('committed')
    it.place(0, Side.BUY, 1)
    it.place(0, Side.SELL, 2)
    expect(it.matcher.doWork()).toBe(2)
    return it
  }

  test('shows what is committed, and lets others spend it once an idle cycle flushed it', () => {
    const it = traded()
    expect([it.journal.lastPosition, it.journal.flushedPosition]).toEqual([1, 0])
    expect(it.free(AccountId(2), 1)).toBe(DEPOSIT + COST)
    expect(BigInt(it.balances.available(AccountId(2), AssetId(1)))).toBe(DEPOSIT)
    expect(it.matcher.doWork()).toBe(1)
    expect(it.journal.flushedPosition).toBe(1)
    expect(BigInt(it.balances.available(AccountId(2), AssetId(1)))).toBe(DEPOSIT + COST)
    expect(BigInt(it.balances.available(AccountId(1), AssetId(0)))).toBe(DEPOSIT + BASE_LOT)
    expect(it.matcher.doWork()).toBe(0)
    expect(it.journal.flushCount).toBe(1)
  })

  test('does not flush while there is work', () => {
    const it = traded()
    it.query(0)
    expect(it.matcher.doWork()).toBe(1)
    it.place(1)
    expect(it.matcher.doWork()).toBe(1)
    expect(it.journal.flushCount).toBe(0)
    expect(it.matcher.doWork()).toBe(1)
    expect([it.journal.flushCount, it.journal.flushedPosition]).toEqual([1, 2])
  })

  test('flushes what is left when it is closed', () => {
    const it = traded()
    it.matcher.close()
    expect([it.journal.flushedPosition, it.journal.isClosed]).toEqual([1, true])
    expect(BigInt(it.balances.available(AccountId(2), AssetId(1)))).toBe(DEPOSIT + COST)
  })
})

describe('an order that an operator cancels', () => {
  const order = { symbolId: SymbolId(0), account: AccountId(1), orderId: OrderId(1) }

  test('is closed in a batch of its own, and others stay', () => {
    const it = new OneMatcher('flushed')
    times(2, () => it.place(0))
    expect(it.matcher.doWork()).toBe(2)
    it.read()
    expect(it.matcher.cancelOrder(order, 'operator')).toBe(true)
    expect(it.read()).toMatchObject([{ name: 'OrderClosed', orderId: 1 }])
    expect(it.journal.flushedPosition).toBe(2)
  })

  test.each([
    ['another account', { account: AccountId(2) }],
    ['an order that is not open', { orderId: OrderId(9) }],
    ['a symbol of another matcher', { symbolId: SymbolId(1) }],
  ])('changes nothing for %s', (_, changes) => {
    const it = new OneMatcher('flushed')
    it.place(0)
    it.matcher.doWork()
    it.read()
    expect(it.matcher.cancelOrder({ ...order, ...changes }, 'operator')).toBe(false)
    expect(it.read()).toEqual([])
    expect(it.journal.lastPosition).toBe(1)
  })
})
