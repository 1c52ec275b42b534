/** Calls, their auctions and interruptions, as lines (tape.ts); docs/phases.md says the rules. */
import { describe, expect, test } from 'vitest'
import { SymbolStatus } from '../../../../src/base/codes.ts'
import { Ms } from '../../../../src/base/units.ts'
import type { PhaseSettings } from '../../../../src/market/listing.ts'
import { noPhases } from '../../../../src/market/listing.ts'
import { Tape, type TapeLimits } from './tape.ts'

const { TRADING, AUCTION_MATCH, PRE_TRADING, POST_TRADING, HALT, BREAK } = SymbolStatus

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
    ...{ name: 'AuctionUncrossed', priceTicks: 105, volume: 8, surplus: 2 },
    ...{ cutOrderId: 4, referenceTicks: 0, nextPhase: TRADING, last: true },
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
    ...{ name: 'Trade', priceTicks: 101, quoteAtoms: 505, buyerReleasedAtoms: 45 },
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
        'then trade 3 with 1: 5 @ 99',
      ],
    ],
    [
      'the older expires',
      '',
      [
        'prevented 0 of 2 and 1: taker 0, maker 5',
        'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 5, released 550',
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
    ['both trade', ' none', ['trade 2 with 1: 5 @ 99']],
  ]
  test.each(modes)('%s', (_, mode, lines) => {
    const tape = call(['1 BUY 5 @ 110', `1 SELL 5 @ 99${mode}`, '2 SELL 5 @ 99'])
    const [first, ...others] = lines
    expect(uncross(tape)).toEqual([
      'then AuctionUncrossed',
      `then ${first}`,
      ...others,
      'then PhaseChanged',
    ])
  })
})

test('prevention moves no price: who still meets trades there, or at the price of the older', () => {
  // 10 at 104 without prevention: the seller's own order goes, and the buyer at 103 meets what it leaves.
  const tape = call(['1 BUY 10 @ 104', '2 BUY 4 @ 103', '1 SELL 10 @ 100'])
  expect(uncross(tape)).toEqual([
    'then AuctionUncrossed',
    'then prevented 0 of 3 and 1: taker 0, maker 10',
    'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 10, released 1040',
    'then trade 3 with 2: 4 @ 103',
    'then PhaseChanged',
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
  for (const status of [HALT, BREAK]) {
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
    ...{ interruptionBasisPoints: 1_000, interruptionWindowMs: 60_000, interruptionCallMs: 5_000 },
  }

  /** The last price is 100: trades from 90 to 110 are no interruption. */
  function trading(settings: Partial<PhaseSettings> = {}) {
    const tape = new Tape({ phases: { ...phases, ...settings } })
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

  test('expires it by the setting, and always what cannot rest', () => {
    const reason = 'EXPIRED EXECUTION_RULE_PRICE_RANGE_EXCEEDED'
    const setting = trading({ interruptionRests: false })
    expect(setting.run('3 BUY 5 @ 120').at(-1)).toBe(`closed 5: ${reason}, filled 2, released 360`)
    expect(trading().run('3 BUY 5').slice(1)).toEqual([
      'trade 5 with 3: 2 @ 108',
      'PhaseChanged',
      `closed 5: ${reason}, filled 2, released 0`,
    ])
    expect(trading().run('3 BUY 5 @ 120 IOC').at(-1)).toBe(
      `closed 5: ${reason}, filled 2, released 360`,
    )
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

  test('does not let stops act that its last trades have woken, until it ends', () => {
    const tape = trading()
    tape.run('4 BUY 1 @ 109 stop 108')
    expect(tape.run('3 BUY 5 @ 120')).toHaveLength(4)
    expect(tape.engine.isUnfinished).toBe(false)
    expect(tape.run('4 cancel 5')).toHaveLength(1)
  })
})
