/** Calls, their auctions and interruptions, as lines (tape.ts); docs/phases.md has the rules. */
import { describe, expect, test, vi } from 'vitest'
import { SymbolStatus } from '../../../../src/base/codes.ts'
import {
  EXECUTION_MATCHES_MAX,
  MATCH_WEIGHT_MAX,
  OWN_ORDERS_LOOKED_MAX,
} from '../../../../src/base/limits.ts'
import { Ms, QuoteAtoms } from '../../../../src/base/units.ts'
import { Counter } from '../../../../src/core/matching/counters.ts'
import type { PhaseSettings } from '../../../../src/market/listing.ts'
import { noPhases } from '../../../../src/market/listing.ts'
import { Tape, type TapeLimits } from './tape.ts'

const { TRADING, AUCTION_MATCH, PRE_TRADING, POST_TRADING, HALT, BREAK, CANCEL_ONLY } = SymbolStatus

/** A symbol in a call, after orders; answers of the lines are dropped. */
function call(lines: readonly string[], status: SymbolStatus = AUCTION_MATCH, limits?: TapeLimits) {
  const tape = new Tape({ status }, limits)
  for (const line of lines) tape.run(line)
  return tape
}

const uncross = (tape: Tape) => tape.respecify({ status: TRADING })

test('a call takes orders that cross, and matches nothing', () => {
  const tape = call([])
  expect(tape.run('1 BUY 5 @ 110')).toEqual(['accepted 1: 5, held 550', 'rested 1: 5 @ 110'])
  expect(tape.run('2 SELL 5 @ 100')).toEqual(['accepted 2: 5, held 5', 'rested 2: 5 @ 100'])
  expect(tape.run('1 amend 1 to 3')).toEqual(['amended 1: 5 to 3, shown -2, released 220'])
  expect(tape.run('query book')).toEqual([
    'BookBegin',
    'level bid 3 @ 110',
    'level ask 5 @ 100',
    'BookEnd',
  ])
})

test('its end lets them trade at one price, by price and time, and then trading goes on', () => {
  const tape = call(['1 BUY 5 @ 110', '2 BUY 5 @ 105', '3 SELL 4 @ 100', '7 SELL 4 @ 101'])
  expect(uncross(tape)).toEqual([
    'then AuctionUncrossed',
    'then trade 3 with 1: 4 @ 105',
    'then trade 4 with 1: 1 @ 105',
    'then trade 4 with 2: 3 @ 105',
    'then PhaseChanged',
  ])
  expect(tape.run('3 SELL 2 @ 105')).toEqual(['accepted 5: 2, held 2', 'trade 5 with 2: 2 @ 105'])
})

test('the event says price, volume, what is left and the last order that takes part', () => {
  const tape = call(['1 BUY 5 @ 110', '2 BUY 5 @ 105', '3 SELL 8 @ 100', '1 BUY 1 @ 1'])
  tape.engine.respecify({ ...tape.engine.spec, status: TRADING })
  expect(tape.goOn()[0]).toMatchObject({
    name: 'AuctionUncrossed',
    priceTicks: 105,
    volume: 8,
    surplus: 2,
    cutOrderId: 4,
    lastPriceTicks: 0,
    nextPhase: TRADING,
    last: true,
  })
})

test('the older order is the maker, whichever side it is on', () => {
  const sellFirst = call(['1 SELL 1 @ 100', '2 BUY 1 @ 100'])
  expect(uncross(sellFirst)[1]).toBe('then trade 2 with 1: 1 @ 100')
  const buyFirst = call(['1 BUY 1 @ 100', '2 SELL 1 @ 100'])
  expect(uncross(buyFirst)[1]).toBe('then trade 2 with 1: 1 @ 100')
})

test('buyers get back what the price is below their own', () => {
  const tape = call(['1 BUY 5 @ 110', '2 SELL 5 @ 100', '3 SELL 5 @ 104'])
  tape.engine.respecify({ ...tape.engine.spec, status: TRADING })
  const [, trade] = tape.goOn()
  expect(trade).toMatchObject({
    name: 'Trade',
    priceTicks: 101,
    quoteAtoms: 505,
    buyerReleasedAtoms: 45,
    'auction.makerPriceTicks': 110,
  })
})

test('icebergs count in full, and trade slice by slice', () => {
  const tape = call(['1 BUY 6 @ 100 show 2', '2 BUY 2 @ 100', '3 SELL 8 @ 100'])
  expect(uncross(tape)).toEqual([
    'then AuctionUncrossed',
    'then trade 3 with 1: 2 @ 100',
    'shows 1: 2 @ 100',
    'then trade 3 with 2: 2 @ 100',
    'then trade 3 with 1: 2 @ 100',
    'shows 1: 2 @ 100',
    'then trade 3 with 1: 2 @ 100',
    'then PhaseChanged',
  ])
})

describe('of two orders of one owner', () => {
  const modes: readonly [string, string, readonly string[]][] = [
    [
      'the later expires',
      ' taker',
      [
        'prevented 0 of 2 and 1: taker 5, maker 0',
        'closed 2: EXPIRED_IN_MATCH, filled 0, prevented 5, released 5',
      ],
    ],
    [
      'the older expires',
      '',
      [
        'prevented 0 of 2 and 1: taker 0, maker 5',
        'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 5, released 550',
        'rested 2: 5 @ 99',
      ],
    ],
    [
      'both expire',
      ' both',
      [
        'prevented 0 of 2 and 1: taker 5, maker 5',
        'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 5, released 550',
        'closed 2: EXPIRED_IN_MATCH, filled 0, prevented 5, released 5',
      ],
    ],
    [
      'both lose',
      ' decrement',
      [
        'prevented 0 of 2 and 1: taker 5, maker 5',
        'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 5, released 550',
        'closed 2: EXPIRED_IN_MATCH, filled 0, prevented 5, released 5',
      ],
    ],
    ['both rest', ' none', ['rested 2: 5 @ 99']],
  ]
  test.each(modes)('%s as the later enters', (_, mode, lines) => {
    const tape = call(['1 BUY 5 @ 110'])
    expect(tape.run(`1 SELL 5 @ 99${mode}`).slice(1)).toEqual(lines)
  })

  test('those that both rest trade', () => {
    const tape = call(['1 BUY 5 @ 110', '1 SELL 5 @ 99 none'])
    expect(uncross(tape)[1]).toBe('then trade 2 with 1: 5 @ 104')
  })

  test('the best across comes first, of one price the oldest, up to what the order has', () => {
    const tape = call(['1 SELL 2 @ 101', '1 SELL 2 @ 100', '2 SELL 9 @ 99', '1 SELL 2 @ 100'])
    expect(tape.run('1 BUY 5 @ 101 decrement').slice(1)).toEqual([
      'prevented 0 of 5 and 2: taker 2, maker 2',
      'closed 2: EXPIRED_IN_MATCH, filled 0, prevented 2, released 2',
      'decremented 5: prevented 2, released 202',
      'prevented 1 of 5 and 4: taker 2, maker 2',
      'closed 4: EXPIRED_IN_MATCH, filled 0, prevented 2, released 2',
      'decremented 5: prevented 4, released 202',
      'prevented 2 of 5 and 1: taker 1, maker 1',
      'decremented 1: prevented 1, released 1',
      'closed 5: EXPIRED_IN_MATCH, filled 0, prevented 5, released 101',
    ])
  })

  test('what the owner rests later is found, too, and what it canceled is not', () => {
    const tape = call(['1 BUY 1 @ 90', '2 SELL 1 @ 80', '1 BUY 1 @ 85', '1 SELL 1 @ 95'])
    tape.run('1 cancel 4')
    tape.run('2 BUY 1 @ 70')
    expect(tape.run('1 BUY 1 @ 96').slice(1)).toEqual(['rested 6: 1 @ 96'])
    expect(tape.run('1 SELL 1 @ 96').slice(1, 3)).toEqual([
      'prevented 0 of 7 and 6: taker 0, maker 1',
      'closed 6: EXPIRED_IN_MATCH, filled 0, prevented 1, released 96',
    ])
  })

  test('an execution has room for so many, and not for one more', () => {
    const own = Array.from(
      { length: EXECUTION_MATCHES_MAX / MATCH_WEIGHT_MAX },
      () => '1 SELL 1 @ 100',
    )
    const tape = call(own, AUCTION_MATCH, { ordersMax: 1_000 })
    tape.run('2 SELL 1 @ 99')
    tape.run('1 SELL 1 @ 101')
    expect(tape.run('1 BUY 1 @ 101')).toEqual(['refused TOO_MANY_MATCHES'])
    expect(tape.run('1 BUY 1 @ 101 taker').slice(1, 2)).toEqual([
      'prevented 0 of 515 and 1: taker 1, maker 0',
    ])
    expect(tape.run('1 BUY 1 @ 100').filter((line) => line.startsWith('prevented'))).toHaveLength(
      512,
    )
  })

  test('an order that is refused, or that its first match ends, puts none of its own in order', () => {
    const own = Array.from({ length: 1_000 }, (_, i) => `1 SELL 1 @ ${100 + ((i * 7919) % 997)}`)
    const tape = call(own, AUCTION_MATCH, { ordersMax: 1_100 })
    const found = vi.spyOn(tape.engine.book, 'findOrder')
    expect(tape.run('1 BUY 1 @ 5000')).toEqual(['refused TOO_MANY_MATCHES'])
    expect(found.mock.calls.length).toBeLessThan(10)
    expect(tape.run('1 BUY 1 @ 5000 taker')[1]).toBe('prevented 0 of 1001 and 1: taker 1, maker 0')
    expect(found.mock.calls.length).toBeLessThan(4_000)
  })

  test('an owner with too many open orders to look through enters none that crosses', () => {
    const open = Array.from({ length: OWN_ORDERS_LOOKED_MAX }, () => '1 BUY 1 @ 1')
    const tape = call(open, AUCTION_MATCH, { ordersMax: OWN_ORDERS_LOOKED_MAX + 10 })
    tape.run('2 SELL 1 @ 5')
    expect(tape.run('1 BUY 1 @ 5')).toEqual(['refused TOO_MANY_MATCHES'])
    tape.run('1 cancel 1')
    expect(tape.run('1 BUY 1 @ 5').at(-1)).toMatch(/^rested/)
  })

  test('two that became of one owner meanwhile are prevented as one is amended, by the later one', () => {
    const tape = call(['1 BUY 5 @ 110', '2 SELL 5 @ 99'])
    tape.join(1, 2)
    expect(tape.run('1 amend 1 to 4').slice(1)).toEqual([
      'prevented 0 of 2 and 1: taker 0, maker 4, group 9',
      'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 4, released 440',
    ])
  })

  test('or at the uncrossing, whose price they do not move: others trade there or where the older one stands', () => {
    // 10 at 104 without prevention: the seller's partner goes, and the buyer at 103 meets what it leaves.
    const tape = call(['1 BUY 10 @ 104', '2 BUY 4 @ 103', '3 SELL 10 @ 100'])
    tape.join(1, 3)
    expect(uncross(tape)).toEqual([
      'then AuctionUncrossed',
      'then prevented 0 of 3 and 1: taker 0, maker 10, group 9',
      'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 10, released 1040',
      'then trade 3 with 2: 4 @ 103',
      'then PhaseChanged',
    ])
  })
})

test('what a working order receives in it is locked for its pending order', () => {
  const tape = new Tape()
  tape.run('4 opo BUY 2 @ 98 | SELL 0 @ 120')
  tape.respecify({ status: PRE_TRADING })
  tape.run('7 SELL 2 @ 90')
  expect(uncross(tape)).toEqual([
    'then AuctionUncrossed',
    'then trade 3 with 1: 2 @ 94',
    'funded 2: held 2',
    'list 1: EXEC_STARTED',
    'then PhaseChanged',
    'then released 2: held 0',
    'rested 2: 2 @ 120',
    'list 1: EXEC_STARTED',
  ])
})

test('stops and pending legs act after it, by its price', () => {
  const tape = new Tape()
  tape.run('1 BUY 1 @ 100')
  tape.run('2 SELL 1 @ 100')
  tape.run('3 SELL 2 @ 95 stop 99')
  tape.run('4 oto BUY 1 @ 98 | SELL 1 @ 120')
  expect(tape.respecify({ status: PRE_TRADING })).toEqual(['then PhaseChanged'])
  tape.run('1 BUY 1 @ 96')
  tape.run('7 SELL 2 @ 90')
  expect(tape.respecify({ status: AUCTION_MATCH })).toEqual(['then PhaseChanged'])
  expect(uncross(tape)).toEqual([
    'then AuctionUncrossed',
    'then trade 7 with 4: 1 @ 96',
    'list 1: EXEC_STARTED',
    'then trade 7 with 6: 1 @ 96',
    'then PhaseChanged',
    'then released 5: held 1',
    'rested 5: 1 @ 120',
    'list 1: EXEC_STARTED',
    'then triggered 3: held 0',
    'rested 3: 2 @ 95',
  ])
})

test('the closing auction ends in POST_TRADING, where nothing acts until TRADING', () => {
  const tape = call(['1 BUY 1 @ 100', '2 SELL 1 @ 100'])
  expect(tape.respecify({ status: POST_TRADING })).toEqual([
    'then AuctionUncrossed',
    'then trade 2 with 1: 1 @ 100',
    'then PhaseChanged',
  ])
  expect(tape.run('1 BUY 1 @ 1')).toEqual(['refused PHASE_REFUSES_TYPE'])
})

test('a halt leaves the book as it is; trading begins with an auction then', () => {
  const tape = call(['1 BUY 1 @ 100', '2 SELL 1 @ 90', '3 BUY 1 @ 80'])
  for (const status of [HALT, BREAK, CANCEL_ONLY]) {
    expect(tape.respecify({ status })).toEqual(['then PhaseChanged'])
  }
  expect(tape.run('3 BUY 1 @ 1')).toEqual(['refused MARKET_CLOSED'])
  expect(tape.run('3 cancel 3')).toEqual(['closed 3: CANCELED, filled 0, released 80'])
  expect(uncross(tape)).toEqual([
    'then AuctionUncrossed',
    'then trade 2 with 1: 1 @ 95',
    'then PhaseChanged',
  ])
})

test('a call whose book is not crossed just ends', () => {
  expect(uncross(call(['1 BUY 1 @ 99', '2 SELL 1 @ 100']))).toEqual(['then PhaseChanged'])
})

test.each(Object.values(SymbolStatus))('cancels work in phase %i', (status) => {
  const tape = new Tape()
  tape.run('1 BUY 1 @ 1')
  tape.run('1 BUY 1 @ 2')
  tape.run('2 oto BUY 1 @ 1 | SELL 1 @ 9')
  tape.respecify({ status })
  expect(tape.run('1 cancel 1')).toEqual(['closed 1: CANCELED, filled 0, released 1'])
  expect(tape.run('1 cancel all')).toEqual(['closed 2: CANCELED, filled 0, released 2'])
  expect(tape.run('2 cancel list 1')).toHaveLength(3)
})

describe('a random end', () => {
  const phases: PhaseSettings = { ...noPhases, randomEndMs: 1000, seed: 7 }

  test('is in the event, within its bound, and ends the call when its time has come', () => {
    const tape = call(['1 BUY 1 @ 100', '2 SELL 1 @ 100'])
    tape.engine.respecify({ ...tape.engine.spec, phases, status: TRADING })
    const [event] = tape.goOn()
    expect(event).toMatchObject({ name: 'PhaseChanged', phase: AUCTION_MATCH, nextPhase: TRADING })
    const endsMs = Number(event!.endsMs)
    expect(endsMs).toBeGreaterThanOrEqual(tape.nowMs)
    expect(endsMs).toBeLessThanOrEqual(tape.nowMs + 1000)
    expect(tape.engine.phaseEndsMs).toBe(endsMs)
    expect(tape.engine.isUnfinished).toBe(false)
    expect(tape.run('3 BUY 1 @ 101')).toEqual(['accepted 3: 1, held 101', 'rested 3: 1 @ 101'])
    tape.nowMs = Ms(endsMs)
    expect(tape.endPhase()).toEqual([
      'then AuctionUncrossed',
      'then trade 3 with 2: 1 @ 101',
      'then PhaseChanged',
    ])
  })

  test('counts from when the end was due: one that was missed is at once', () => {
    const tape = call(['1 BUY 1 @ 100', '2 SELL 1 @ 100'])
    const late = { ...tape.engine.spec, phases, status: TRADING }
    tape.engine.respecify({ ...late, statusMs: Ms(tape.nowMs - 1001) })
    expect(tape.goOn().map(({ name }) => name)).toEqual([
      ...['AuctionUncrossed', 'Trade', 'PhaseChanged'],
    ])
    const other = call([])
    const dueMs = Ms(other.nowMs - 1)
    other.engine.respecify({ ...other.engine.spec, phases, status: TRADING, statusMs: dueMs })
    const inTime = call([])
    inTime.engine.respecify({ ...inTime.engine.spec, phases, status: TRADING })
    expect(Number(other.goOn()[0]!.endsMs)).toBe(Number(inTime.goOn()[0]!.endsMs) - 1)
  })

  test('differs by seed', () => {
    const ends = [1, 2, 3, 4].map((seed) => {
      const tape = call([])
      tape.engine.respecify({ ...tape.engine.spec, phases: { ...phases, seed }, status: TRADING })
      return tape.goOn()[0]!.endsMs
    })
    expect(new Set(ends).size).toBeGreaterThan(2)
  })
})

test('its commissions are by its own rate', () => {
  const phases = { ...noPhases, auctionRate: 10_000_000 }
  const tape = call(['6 BUY 20 @ 100', '1 SELL 20 @ 100'])
  tape.engine.respecify({ ...tape.engine.spec, phases, status: TRADING })
  const trade = tape.goOn().find(({ name }) => name === 'Trade')
  expect(trade).toMatchObject({ takerCommissionAtoms: 200, makerCommissionAtoms: 2 })
})

test('batches bound its trades, and no command comes between', () => {
  const buys = Array.from({ length: 6 }, () => '1 BUY 1 @ 100')
  const tape = call([...buys, '2 SELL 6 @ 100'], AUCTION_MATCH, { batchBytes: 600 })
  tape.engine.respecify({ ...tape.engine.spec, status: TRADING })
  let batches = 0
  let trades = 0
  while (tape.engine.isUnfinished) {
    trades += tape.goOn().filter(({ name }) => name === 'Trade').length
    batches++
  }
  expect(trades).toBe(6)
  expect(batches).toBeGreaterThan(2)
})

describe('an interruption', () => {
  const phases: PhaseSettings = {
    ...noPhases,
    interruptionBasisPoints: 1_000,
    interruptionWindowMs: 60_000,
    interruptionCallMs: 5_000,
  }

  /** The last price is 100: trades from 90 to 110 are no interruption. */
  function trading(settings: Partial<PhaseSettings> = {}, notionalAtomsMin = 0) {
    const least = { notionalAtomsMin: QuoteAtoms(notionalAtomsMin) }
    const tape = new Tape({ phases: { ...phases, ...settings }, ...least })
    for (const line of ['1 BUY 1 @ 100', '2 SELL 1 @ 100']) tape.run(line)
    for (const line of ['1 SELL 2 @ 108', '1 SELL 2 @ 111']) tape.run(line)
    return tape
  }

  test('stops the order before a price that is too far, and lets what is left rest', () => {
    const tape = trading()
    expect(tape.run('3 BUY 5 @ 120')).toEqual([
      'accepted 5: 5, held 600',
      'trade 5 with 3: 2 @ 108',
      'PhaseChanged',
      'rested 5: 3 @ 120',
    ])
    expect(tape.engine.phaseEndsMs).toBe(tape.nowMs + 5_000)
    expect(tape.engine.isUnfinished).toBe(false)
    expect(tape.run('3 BUY 1')).toEqual(['refused PHASE_REFUSES_TYPE'])
    expect(tape.endPhase()).toEqual([
      'then AuctionUncrossed',
      'then trade 5 with 4: 2 @ 120',
      'then PhaseChanged',
    ])
    // Prices are measured from that of the auction.
    tape.run('2 SELL 2 @ 121')
    expect(tape.run('3 BUY 2 @ 121')).toContain('trade 7 with 6: 2 @ 121')
  })

  test('needs a window', () => {
    const tape = new Tape({ phases: { ...phases, interruptionWindowMs: 0 } })
    expect(tape.engine.counters[Counter.sequence]).toBe(0)
  })

  const reason = 'EXPIRED EXECUTION_RULE_PRICE_RANGE_EXCEEDED'

  test('expires what cannot rest, which has traded for the least notional', () => {
    const closed = `closed 5: ${reason}, filled 2, released`
    const lines = ['trade 5 with 3: 2 @ 108', 'PhaseChanged']
    expect(trading().run('3 BUY 5').slice(1)).toEqual([...lines, `${closed} 0`])
    expect(trading().run('3 BUY 5 @ 120 IOC').slice(1)).toEqual([...lines, `${closed} 360`])
    expect(trading().run('3 BUY for 700').slice(1)).toEqual([...lines, `${closed} 0`])
    expect(trading({}, 216).run('3 BUY 5').slice(1)).toEqual([...lines, `${closed} 0`])
    expect(trading({}, 217).run('3 BUY 5').slice(1)).toEqual([lines[0], `${closed} 0`])
  })

  test('is not begun by an order that does not rest and has traded nothing', () => {
    for (const order of ['3 BUY 5 @ 120 IOC', '3 BUY 5']) {
      const tape = trading()
      tape.run('3 BUY 2 @ 108')
      expect(tape.run(order).slice(1)).toEqual([
        expect.stringContaining(`closed 6: ${reason}, filled 0`),
      ])
    }
  })

  test("is not begun by an owner's orders alone, which prevention takes as within the band", () => {
    const tape = trading()
    tape.run('3 BUY 2 @ 108')
    tape.run('1 cancel 4')
    tape.run('3 SELL 1 @ 112')
    expect(tape.run('3 BUY 1 @ 120 IOC').at(-1)).toMatch(/UNFILLED_IOC/)
    expect(tape.run('3 BUY 1').at(-1)).toMatch(/INSUFFICIENT_LIQUIDITY/)
    expect(tape.run('3 BUY 1 @ 120').slice(1)).toEqual([
      'prevented 0 of 9 and 6: taker 0, maker 1',
      'closed 6: EXPIRED_IN_MATCH, filled 0, prevented 1, released 1',
      'rested 9: 1 @ 120',
    ])
  })

  test("begins behind the owner's orders that come first, and takes those behind into the call", () => {
    const tape = trading()
    for (const line of ['3 BUY 2 @ 108', '3 SELL 1 @ 110', '3 SELL 1 @ 112', '3 SELL 1 @ 130'])
      tape.run(line)
    expect(tape.run('3 BUY 5 @ 120').slice(1)).toEqual([
      'prevented 0 of 9 and 6: taker 0, maker 1',
      'closed 6: EXPIRED_IN_MATCH, filled 0, prevented 1, released 1',
      'PhaseChanged',
      'prevented 1 of 9 and 7: taker 0, maker 1',
      'closed 7: EXPIRED_IN_MATCH, filled 0, prevented 1, released 1',
      'rested 9: 5 @ 120',
    ])
  })

  test("weighs the owner's orders that came to rest since it was last asked", () => {
    const bounds = { executionMatchesMax: 2 * MATCH_WEIGHT_MAX, levelLotsMax: 1_000 }
    const tape = new Tape({ phases }, { bounds })
    for (const line of ['1 BUY 1 @ 100', '2 SELL 1 @ 100', '2 SELL 1 @ 105']) tape.run(line)
    expect(tape.run('3 BUY 1 @ 120')).toContain('trade 4 with 3: 1 @ 105')
    for (const line of ['3 SELL 1 @ 112', '3 SELL 1 @ 112', '3 SELL 1 @ 112']) tape.run(line)
    expect(tape.run('3 BUY 3 @ 120')).toEqual(['refused TOO_MANY_MATCHES'])
    tape.run('3 cancel 7')
    expect(tape.run('3 BUY 3 @ 120').at(-1)).toBe('rested 8: 3 @ 120')
  })

  test('comes of no order that would not trade, nor of a FOK order', () => {
    const tape = trading()
    expect(tape.run('3 SELL 1 @ 120')).not.toContain('PhaseChanged')
    expect(tape.run('3 BUY 1 @ 109')).not.toContain('PhaseChanged')
    expect(tape.run('3 BUY 4 @ 120 FOK').at(-1)).toMatch(/^closed .* UNFILLED_FOK/)
    expect(tape.run('3 BUY 1 @ 111 MAKER')).toEqual(['refused WOULD_MATCH_IMMEDIATELY'])
  })

  test('is measured from the last price once the window has ended', () => {
    const tape = trading()
    tape.run('3 BUY 1 @ 108')
    tape.nowMs = Ms(tape.nowMs + 60_000)
    expect(tape.run('3 BUY 3 @ 111')).toEqual([
      'accepted 6: 3, held 333',
      'trade 6 with 3: 1 @ 108',
      'trade 6 with 4: 2 @ 111',
    ])
  })

  test.each([
    [3_599_999, 0],
    [3_600_000, 5_000],
  ])('waits for an operator where the one before began %i ms ago', (agoMs, callMs) => {
    const tape = trading({ hourlyInterruptions: 1 })
    tape.run('3 BUY 5 @ 120')
    const beganMs = tape.nowMs
    tape.nowMs = Ms(beganMs + 5_000)
    tape.endPhase()
    tape.nowMs = Ms(beganMs + agoMs)
    tape.run('2 SELL 1 @ 140')
    expect(tape.run('3 BUY 1 @ 140')).toContain('PhaseChanged')
    expect(tape.engine.isWaiting).toBe(callMs === 0)
    expect(tape.engine.phaseEndsMs).toBe(callMs === 0 ? 0 : tape.nowMs + callMs)
  })

  test('does not let stops act that its last trades have woken, until it ends', () => {
    const tape = trading()
    tape.run('4 BUY 1 @ 109 stop 108')
    expect(tape.run('3 BUY 5 @ 120')).toHaveLength(4)
    expect(tape.engine.isUnfinished).toBe(false)
    expect(tape.run('4 cancel 5')).toHaveLength(1)
  })
})

describe('the corridor', () => {
  const phases: PhaseSettings = { ...noPhases, extensionMs: 5_000 }

  /** A call after an auction at 100 and then a trade at `last`, in which one lot meets at `price`. */
  function meeting(last: number, price: number, settings: Partial<PhaseSettings>) {
    const tape = call(['1 BUY 1 @ 100', '2 SELL 1 @ 100'])
    uncross(tape)
    tape.run(`1 BUY 1 @ ${last}`)
    tape.run(`2 SELL 1 @ ${last}`)
    const set = { phases: { ...phases, ...settings } }
    tape.respecify({ ...set, status: AUCTION_MATCH })
    tape.run(`3 BUY 1 @ ${price}`)
    tape.run(`7 SELL 1 @ ${price}`)
    return { tape, lines: tape.respecify({ ...set, status: TRADING }) }
  }
  const traded = (price: number) => [
    ...['then AuctionUncrossed', `then trade 6 with 5: 1 @ ${price}`, 'then PhaseChanged'],
  ]

  test.each<[last: number, price: number, settings: Partial<PhaseSettings>, isIn: boolean]>([
    [100, 105, { corridorBasisPoints: 500 }, true],
    [100, 106, { corridorBasisPoints: 500 }, false],
    [100, 95, { corridorBasisPoints: 500 }, true],
    [100, 94, { corridorBasisPoints: 500 }, false],
    // 5 % of 110 is 5.5: whole ticks within.
    [110, 105, { corridorBasisPoints: 500 }, true],
    [110, 104, { corridorBasisPoints: 500 }, false],
    [110, 110, { staticCorridorBasisPoints: 1_000 }, true],
    [110, 111, { staticCorridorBasisPoints: 1_000 }, false],
    [108, 111, { corridorBasisPoints: 500, staticCorridorBasisPoints: 1_000 }, false],
    [108, 110, { corridorBasisPoints: 500, staticCorridorBasisPoints: 1_000 }, true],
    [108, 102, { corridorBasisPoints: 500, staticCorridorBasisPoints: 1_000 }, false],
  ])('after %i, a price of %i, %j', (last, price, settings, isIn) => {
    const { tape, lines } = meeting(last, price, { ...settings, extensionsMax: 1 })
    expect(lines).toEqual(isIn ? traded(price) : ['then PhaseChanged'])
    expect(tape.engine.phaseEndsMs).toBe(isIn ? 0 : tape.nowMs + 5_000)
  })

  test('around the last price wins where both cannot hold', () => {
    const both = { corridorBasisPoints: 100, staticCorridorBasisPoints: 1_000 }
    expect(meeting(200, 198, both).lines).toEqual(traded(198))
    expect(meeting(200, 150, both).lines).not.toContain('then trade 6 with 5: 1 @ 150')
  })

  test('bounds nothing where no price is known', () => {
    const tape = call(['1 BUY 1 @ 900', '2 SELL 1 @ 900'])
    const both = { corridorBasisPoints: 1, staticCorridorBasisPoints: 1, extensionsMax: 9 }
    const set = { phases: { ...phases, ...both } }
    tape.respecify({ ...set, status: AUCTION_MATCH })
    expect(tape.respecify({ ...set, status: TRADING })).toContain('then trade 2 with 1: 1 @ 900')
  })

  test('extends a call so often, and no oftener, and leaves a crossed book to a day that ends', () => {
    const settings = { corridorBasisPoints: 500, extensionsMax: 2 }
    const { tape, lines } = meeting(100, 120, settings)
    expect(lines).toEqual(['then PhaseChanged'])
    tape.nowMs = tape.engine.phaseEndsMs
    expect(tape.endPhase()).toEqual(['then PhaseChanged'])
    tape.nowMs = tape.engine.phaseEndsMs
    // At 105 nothing trades: the seller asks 120.
    expect(tape.endPhase()).toEqual([
      'then AuctionUncrossed',
      expect.stringMatching(/^then closed 6: EXPIRED EXECUTION_RULE_PRICE_RANGE_EXCEEDED/),
      'then PhaseChanged',
    ])
    const closing = meeting(100, 120, { ...settings, extensionsMax: 0 }).tape
    expect(closing.engine.state.phase).toBe(TRADING)
    closing.respecify({
      status: AUCTION_MATCH,
      phases: { ...phases, ...settings, extensionsMax: 0 },
    })
    closing.run('7 SELL 1 @ 120')
    expect(
      closing.respecify({
        status: POST_TRADING,
        phases: { ...phases, ...settings, extensionsMax: 0 },
      }),
    ).toEqual(['then AuctionUncrossed', 'then PhaseChanged'])
    expect(closing.engine.state.isCrossed).toBe(true)
  })
})
