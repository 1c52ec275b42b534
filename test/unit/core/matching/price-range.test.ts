/**
 * The execution rule PRICE_RANGE, as tapes: the questions of faqs/price_range_execution_rules.md with their numbers,
 * and what it does with each kind of order.
 */
import { describe, expect, test } from 'vitest'
import { ReferenceCalculation, SymbolStatus } from '../../../../src/base/codes.ts'
import { Ms } from '../../../../src/base/units.ts'
import { readSymbol, writeSymbol } from '../../../../src/core/matching/symbol-image.ts'
import { stateHash } from '../../../../src/core/state-hash.ts'
import { ImageReader, ImageWriter } from '../../../../src/layout/image.ts'
import {
  noPhases,
  noRange,
  noReference,
  type PriceRange,
  type ReferenceSettings,
} from '../../../../src/market/listing.ts'
import { Tape } from './tape.ts'

const external: ReferenceSettings = { ...noReference, calculation: ReferenceCalculation.EXTERNAL }
const mean: ReferenceSettings = {
  ...noReference,
  calculation: ReferenceCalculation.ARITHMETIC_MEAN,
  bucketCount: 10,
  bucketWidthMs: 1_000,
}
const times = (multiplier: number) => Math.round(multiplier * 10_000)
const ranged = (bidUp: number, bidDown: number, askUp = bidUp, askDown = bidDown): PriceRange => ({
  bidUp: times(bidUp),
  bidDown: times(bidDown),
  askUp: times(askUp),
  askDown: times(askDown),
})
/** That of the FAQ. */
const faq = ranged(2, 0.5)

const END = 'EXPIRED EXECUTION_RULE_PRICE_RANGE_EXCEEDED'

interface Rules {
  readonly priceRange?: PriceRange
  readonly reference?: ReferenceSettings
}

function tapeOf(lines: readonly string[], rules: Rules = {}): Tape {
  const tape = new Tape({ reference: external, priceRange: faq, ...rules })
  for (const line of lines) tape.run(line)
  return tape
}

/** The last line of what comes of an order whose maker is at a price; the reference price is 10. */
function meeting(order: string, maker: string, rules: Rules = {}, price = '10'): string {
  const tape = tapeOf(price === '' ? [] : [`0 reference ${price}`], rules)
  tape.run(maker)
  return tape.run(order).at(-1)!
}

describe('a reference price of 10.00 with multipliers of 2.0000 and 0.5000', () => {
  test.each([
    ['lets BUY trade at 20', '2 BUY 2', '1 SELL 2 @ 20', 'trade 2 with 1: 2 @ 20'],
    ['lets BUY trade at 5', '2 BUY 2', '1 SELL 2 @ 5', 'trade 2 with 1: 2 @ 5'],
    ['expires BUY at 21', '2 BUY 2', '1 SELL 2 @ 21', `closed 2: ${END}, filled 0, released 0`],
    ['expires BUY at 4', '2 BUY 2', '1 SELL 2 @ 4', `closed 2: ${END}, filled 0, released 0`],
    ['lets SELL trade at 20', '2 SELL 2', '1 BUY 2 @ 20', 'trade 2 with 1: 2 @ 20'],
    ['lets SELL trade at 5', '2 SELL 2', '1 BUY 2 @ 5', 'trade 2 with 1: 2 @ 5'],
    ['expires SELL at 21', '2 SELL 2', '1 BUY 2 @ 21', `closed 2: ${END}, filled 0, released 0`],
    ['expires SELL at 4', '2 SELL 2', '1 BUY 2 @ 4', `closed 2: ${END}, filled 0, released 0`],
    ['expires LIMIT', '2 BUY 2 @ 30', '1 SELL 2 @ 21', `closed 2: ${END}, filled 0, released 60`],
    ['lets LIMIT rest that meets none', '2 BUY 2 @ 30', '1 SELL 2 @ 31', 'rested 2: 2 @ 30'],
  ])('%s', (_, order, maker, expected) => {
    expect(meeting(order, maker)).toBe(expected)
  })
})

describe('nothing is enforced', () => {
  const far = 'trade 2 with 1: 2 @ 90'
  test.each([
    ['without a rule and a reference price', { priceRange: noRange }, '', far],
    ['without a rule', { priceRange: noRange }, '10', far],
    ['without a reference price', { reference: noReference }, '', far],
    ['before the first reference price', {}, '', far],
    ['while the reference price is null', {}, 'none', far],
    ['upwards without that multiplier', { priceRange: { ...faq, bidUp: 0 } }, '10', far],
    ['by multipliers of the other side', { priceRange: { ...noRange, askUp: 1 } }, '10', far],
  ] as const)('%s', (_, rules, price, expected) => {
    expect(meeting('2 BUY 2', '1 SELL 2 @ 90', rules, price)).toBe(expected)
  })

  test('downwards without that multiplier', () => {
    const priceRange = { ...faq, bidDown: 0 }
    expect(meeting('2 BUY 2', '1 SELL 2 @ 1', { priceRange })).toBe('trade 2 with 1: 2 @ 1')
  })
})

describe('an order', () => {
  const asks = ['0 reference 100', '1 SELL 2 @ 100', '1 SELL 2 @ 110', '1 SELL 2 @ 111']
  const rules = { priceRange: ranged(1.1, 0.9) }
  const lines = ['trade 4 with 1: 2 @ 100', 'trade 4 with 2: 2 @ 110']
  const run = (order: string) => tapeOf(asks, rules).run(order).slice(1)

  test('that reaches beyond keeps its trades, and expires whatever its kind', () => {
    expect(run('2 BUY 5')).toEqual([...lines, `closed 4: ${END}, filled 4, released 0`])
    expect(run('2 BUY 5 @ 120')).toEqual([...lines, `closed 4: ${END}, filled 4, released 120`])
    expect(run('2 BUY 5 @ 120 IOC')).toEqual([...lines, `closed 4: ${END}, filled 4, released 120`])
  })

  test('that ends within the range is as ever', () => {
    expect(run('2 BUY 4')).toEqual(lines)
    expect(run('2 BUY 5 @ 110')).toEqual([...lines, 'rested 4: 1 @ 110'])
    expect(run('2 BUY 5 @ 110 IOC').at(-1)).toMatch(/UNFILLED_IOC/)
  })

  test('by quote amount is sized within it', () => {
    expect(run('2 BUY for 900')).toEqual([...lines, `closed 4: ${END}, filled 4, released 0`])
    expect(run('2 BUY for 420')).toEqual(lines)
    const beyond = tapeOf(['0 reference 10', ...asks.slice(1)], rules)
    expect(beyond.run('2 BUY for 900')).toEqual(['refused LIQUIDITY_BELOW_MINIMUM'])
  })

  test('that is FOK foresees it', () => {
    expect(run('2 BUY 5 @ 120 FOK').at(-1)).toMatch(/UNFILLED_FOK_ORDER_EXPIRED, filled 0/)
    expect(run('2 BUY 4 @ 120 FOK')).toEqual(lines)
  })

  test("ends at its owner's order, too", () => {
    expect(run('1 BUY 2 @ 110').at(-1)).toBe('rested 4: 2 @ 110')
    expect(run('1 BUY 2 @ 120').at(-1)).toBe(`closed 4: ${END}, filled 0, released 240`)
    const tape = tapeOf(['0 reference 10', '1 SELL 2 @ 100'], rules)
    expect(tape.run('1 BUY 2 @ 120').at(-1)).toBe(`closed 2: ${END}, filled 0, released 240`)
  })

  test('of the kind LIMIT_MAKER takes nothing, and is not bounded', () => {
    const tape = tapeOf(['0 reference 10'], rules)
    expect(tape.run('1 SELL 2 @ 100 MAKER').at(-1)).toBe('rested 1: 2 @ 100')
    expect(tape.run('2 BUY 2 @ 100 MAKER')).toEqual(['refused WOULD_MATCH_IMMEDIATELY'])
  })

  test('that was triggered is bounded by the reference price of then', () => {
    const tape = tapeOf([...asks, '2 BUY 5 stop 105', '2 BUY 5 @ 120 stop 105'], rules)
    const took = tape.run('3 BUY 3')
    expect(took.filter((line) => line.includes('closed'))).toEqual([
      `closed 4: ${END}, filled 1, released 0`,
      `closed 5: ${END}, filled 0, released 600`,
    ])
  })

  test('has its range fixed as it begins to take, though its trades move the mean', () => {
    const tape = new Tape({ reference: mean, priceRange: ranged(1.1, 0.9) })
    for (const line of ['1 BUY 2 @ 100', '2 SELL 2 @ 100']) tape.run(line)
    for (const at of [108, 110, 111]) tape.run(`1 SELL 2 @ ${at}`)
    expect(tape.run('2 BUY 9 @ 120').slice(1)).toEqual([
      ...['trade 6 with 3: 2 @ 108', 'trade 6 with 4: 2 @ 110'],
      `closed 6: ${END}, filled 4, released 600`,
    ])
    // The mean is 106 now.
    expect(tape.run('2 BUY 2 @ 120').at(-1)).toBe('trade 7 with 5: 2 @ 111')
  })
})

describe('beside interruptions', () => {
  const phases = {
    ...noPhases,
    interruptionBasisPoints: 1_000,
    interruptionWindowMs: 60_000,
    interruptionCallMs: 5_000,
  }
  const book = ['1 BUY 1 @ 100', '2 SELL 1 @ 100', '1 SELL 2 @ 108', '1 SELL 2 @ 112']

  function beside(up: number): Tape {
    const tape = new Tape({ reference: external, priceRange: ranged(up, 0.5), phases })
    for (const line of ['0 reference 100', ...book]) tape.run(line)
    return tape
  }

  test.each([
    ['wins at equal bounds', 1.1],
    ['wins where it is narrower', 1.09],
    ['wins where the trade is beyond both', 1.11],
  ])('the range %s: it stops no trade that would happen', (_, up) => {
    const after = beside(up).run('3 BUY 5 @ 120').slice(1)
    expect(after).toEqual(['trade 5 with 3: 2 @ 108', `closed 5: ${END}, filled 2, released 360`])
  })

  test('a trade within the range and beyond the band interrupts', () => {
    const after = beside(1.12).run('3 BUY 5 @ 120').slice(1)
    expect(after).toEqual(['trade 5 with 3: 2 @ 108', 'PhaseChanged', 'rested 5: 3 @ 120'])
  })
})

test('an uncrossing is not bounded, and counts one trade for each pair', () => {
  const tape = new Tape({ reference: mean, priceRange: faq, status: SymbolStatus.AUCTION_MATCH })
  for (const line of ['1 BUY 4 @ 100', '2 SELL 2 @ 100', '2 SELL 2 @ 100']) tape.run(line)
  const lines = tape.respecify({ reference: mean, priceRange: faq })
  expect(lines.filter((line) => line.includes('trade'))).toHaveLength(2)
  expect(tape.engine.state.reference.image.buckets).toMatchObject([{ trades: 2, tickSum: 200 }])
  const call = new Tape({ reference: external, priceRange: faq })
  call.run('0 reference 1')
  call.respecify({ reference: external, priceRange: faq, status: SymbolStatus.AUCTION_MATCH })
  for (const line of ['1 BUY 4 @ 100', '2 SELL 4 @ 100']) call.run(line)
  expect(call.respecify({ reference: external, priceRange: faq })).toContain(
    'then trade 2 with 1: 4 @ 100',
  )
})

describe('a price from outside', () => {
  test('is refused where trades make the price, or nothing does', () => {
    expect(tapeOf([], { reference: mean }).run('0 reference 10')).toEqual([
      'refused NO_EXTERNAL_PRICE',
    ])
    expect(tapeOf([], { reference: noReference }).run('0 reference 10')).toEqual([
      'refused NO_EXTERNAL_PRICE',
    ])
  })

  test('is an event', () => {
    expect(tapeOf([]).records('0 reference 10.5')).toMatchObject([
      { name: 'ReferenceChanged', calculation: 2, priceUnits: 1_050_000_000, last: true },
    ])
  })

  test('and buckets are in a snapshot', () => {
    for (const reference of [external, mean]) {
      const tape = tapeOf(['0 reference 10', '1 BUY 1 @ 10', '2 SELL 1 @ 10'], { reference })
      const image = new ImageWriter()
      writeSymbol(tape.engine.state, image)
      const next = new Tape()
      readSymbol(next.engine.state, new ImageReader(image.bytes()))
      expect(stateHash([next.engine], next.balances)).not.toBe(0)
      expect(next.engine.state.reference.image).toEqual(tape.engine.state.reference.image)
      expect(next.engine.state.reference.unitsAt(Ms(1_000))).toBe(10 ** 9)
    }
  })
})
