/**
 * What one command may cause has a bound: an order that would meet too much is refused, what many
 * orders take part in continues in further batches.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  BATCH_EVENT_BYTES,
  BATCH_EVENT_BYTES_MAX,
  EXECUTION_EVENT_BYTES,
  EXECUTION_MATCHES_MAX,
  LEVEL_LOTS_MAX,
  MATCH_EVENT_BYTES,
} from '../../../../src/base/limits.ts'
import type { NamedRecord } from '../../../sim/records.ts'
import { type Case, check } from './check-tapes.ts'
import { Tape } from './tape.ts'

const bounds = { executionMatchesMax: 8, levelLotsMax: LEVEL_LOTS_MAX }
const asks = (count: number) => Array.from({ length: count }, () => '1 SELL 1 @ 10')
const filled = (count: number) =>
  Array.from({ length: count }, (_, i) => `trade ${count + 1} with ${i + 1}: 1 @ 10`)
const REFUSED = ['refused TOO_MANY_MATCHES']

describe('an order that would meet too much is refused', () => {
  const cases: readonly Case[] = [
    [
      'as many as there is room for',
      [...asks(8), '2 BUY 8 @ 10'],
      ['accepted 9: 8, held 80', ...filled(8)],
    ],
    ['one more', [...asks(9), '2 BUY 9 @ 10'], REFUSED],
    ['by market', [...asks(9), '2 BUY 9'], REFUSED],
    ['by quote amount', [...asks(9), '2 BUY for 90'], REFUSED],
    ['by quote amount, of a side that is deeper', [...asks(12), '2 BUY for 1000'], REFUSED],
    ['immediate or cancel', [...asks(9), '2 BUY 9 @ 10 IOC'], REFUSED],
    ['fill or kill', [...asks(9), '2 BUY 9 @ 10 FOK'], REFUSED],
    [
      'its quantity ends before',
      [...asks(9), '2 BUY 1 @ 10'],
      ['accepted 10: 1, held 10', 'trade 10 with 1: 1 @ 10'],
    ],
    [
      'its limit ends before',
      [...asks(3), ...asks(9).map(() => '1 SELL 1 @ 11'), '2 BUY 4 @ 10'],
      [
        'accepted 13: 4, held 40',
        ...[1, 2, 3].map((id) => `trade 13 with ${id}: 1 @ 10`),
        'rested 13: 1 @ 10',
      ],
    ],
    ['slices of an iceberg', ['1 SELL 5 @ 10 show 2', '2 BUY 5 @ 10'], REFUSED],
    [
      'two slices of it',
      ['1 SELL 5 @ 10 show 2', '2 BUY 4 @ 10'],
      [
        'accepted 2: 4, held 40',
        'trade 2 with 1: 2 @ 10',
        'shows 1: 2 @ 10',
        'trade 2 with 1: 2 @ 10',
        'shows 1: 1 @ 10',
      ],
    ],
    [
      'slices of two, by turns',
      ['1 SELL 2 @ 10 show 1', '3 SELL 2 @ 10 show 1', '2 BUY 3 @ 10'],
      REFUSED,
    ],
    [
      'own orders that expire',
      ['2 SELL 1 @ 10', '2 SELL 1 @ 10', '2 SELL 1 @ 10', '1 SELL 1 @ 10', '2 BUY 1 @ 10'],
      REFUSED,
    ],
    [
      'own orders behind the last that a quote amount takes',
      ['1 SELL 2 @ 10', '2 SELL 1 @ 11', '2 SELL 1 @ 12', '2 BUY for 100'],
      REFUSED,
    ],
    [
      'fewer of them',
      ['1 SELL 2 @ 10', '2 SELL 1 @ 11', '2 BUY for 100'],
      [
        'accepted 3: 2, held 20',
        'trade 3 with 1: 2 @ 10',
        'closed 3: EXPIRED INSUFFICIENT_LIQUIDITY, filled 2, released 0',
      ],
    ],
    [
      'own orders behind an order that a quote amount does not take whole',
      ['1 SELL 9 @ 10', ...asks(9).map(() => '2 SELL 1 @ 11'), '2 BUY for 20'],
      ['accepted 11: 2, held 20', 'trade 11 with 1: 2 @ 10'],
    ],
  ]
  check(cases, {}, { bounds })

  test('a triggered stop expires', () => {
    const tape = new Tape({}, { bounds })
    for (const line of ['1 SELL 1 @ 20', '3 BUY 9 @ 30 stop 20']) tape.run(line)
    for (const line of asks(9).map(() => '1 SELL 1 @ 25')) tape.run(line)
    expect(tape.run('2 BUY 1 @ 20')).toEqual([
      'accepted 12: 1, held 20',
      'trade 12 with 1: 1 @ 20',
      'then triggered 2: held 0',
      'closed 2: EXPIRED REJECTED, filled 0, released 270',
    ])
  })
})

describe('a price level holds what is an exact number', () => {
  const full = { executionMatchesMax: EXECUTION_MATCHES_MAX, levelLotsMax: 10 }
  check(
    [
      [
        'up to the bound',
        ['1 SELL 6 @ 10', '1 SELL 4 @ 10'],
        ['accepted 2: 4, held 4', 'rested 2: 4 @ 10'],
      ],
      ['beyond', ['1 SELL 6 @ 10', '1 SELL 5 @ 10'], ['refused LEVEL_FULL']],
      [
        'at another price',
        ['1 SELL 6 @ 10', '1 SELL 5 @ 11'],
        ['accepted 2: 5, held 5', 'rested 2: 5 @ 11'],
      ],
      ['slices that may show', ['1 SELL 6 @ 10 show 3', '1 SELL 5 @ 10'], ['refused LEVEL_FULL']],
      ['an iceberg, whole', ['1 SELL 6 @ 10', '1 SELL 5 @ 10 show 1'], ['refused LEVEL_FULL']],
      [
        'what does not rest',
        ['1 SELL 6 @ 10', '2 BUY 11 @ 10 IOC'],
        [
          'accepted 2: 11, held 110',
          'trade 2 with 1: 6 @ 10',
          'closed 2: EXPIRED UNFILLED_IOC_QUANTITY_EXPIRED, filled 6, released 50',
        ],
      ],
    ],
    {},
    { bounds: full },
  )
})

/** Batches of one line; each has a bound, and only the last one ends the answer. */
function batches(tape: Tape, line: string): readonly NamedRecord[][] {
  const all = [tape.records(line)]
  expect(tape.output.eventsEnd).toBeLessThanOrEqual(BATCH_EVENT_BYTES_MAX)
  while (tape.engine.isUnfinished) {
    expect(tape.output.eventsEnd).toBeGreaterThanOrEqual(BATCH_EVENT_BYTES)
    all.push(tape.goOn())
    expect(tape.output.eventsEnd).toBeLessThanOrEqual(BATCH_EVENT_BYTES_MAX)
  }
  return all
}

describe('many orders', () => {
  const many = { ordersMax: 8192 }

  test('a cancel of all goes in pieces, and the last one ends the answer', () => {
    const tape = new Tape({}, many)
    for (let i = 0; i < 4000; i++) tape.run('1 BUY 1 @ 5')
    const pieces = batches(tape, '1 cancel all')
    expect(pieces.length).toBeGreaterThan(3)
    const told = pieces.flat()
    expect(told.map(({ orderId }) => orderId)).toEqual(
      Array.from({ length: 4000 }, (_, i) => i + 1),
    )
    expect(told.filter(({ last }) => last)).toEqual([told.at(-1)])
    expect(new Set(told.map(({ gateway, correlation }) => `${gateway} ${correlation}`)).size).toBe(
      1,
    )
    expect(tape.engine.book.orderCount).toBe(0)
  })

  test('stops that one trade wakes go in pieces, oldest first', () => {
    const tape = new Tape({}, many)
    for (let i = 0; i < 1800; i++) tape.run(`${1 + (i % 2)} SELL 1 @ 4 stop 5`)
    tape.run('7 BUY 1 @ 5')
    const pieces = batches(tape, '4 SELL 1 @ 5')
    expect(pieces.length).toBeGreaterThan(2)
    const triggered = pieces.flat().filter(({ name }) => name === 'OrderTriggered')
    expect(triggered.map(({ orderId }) => orderId)).toEqual(
      Array.from({ length: 1800 }, (_, i) => i + 1),
    )
  })

  test('more slices than an execution has room for are refused; as many as it has fit a batch', () => {
    const tape = new Tape({}, many)
    for (let i = 0; i < 400; i++) tape.run(`${1 + (i % 4)} SELL 2 @ 5 show 1`)
    expect(tape.run('6 BUY 513 @ 5')).toEqual(REFUSED)
    tape.records('6 BUY 512 @ 5')
    expect(tape.output.eventsEnd).toBeGreaterThan(100_000)
    expect(tape.output.eventsEnd).toBeLessThanOrEqual(BATCH_EVENT_BYTES_MAX)
  })
})

const account = fc.constantFrom(1, 2, 3, 4)
const side = fc.constantFrom('BUY', 'SELL')
const lots = fc.integer({ min: 1, max: 30 })
const price = fc.integer({ min: 97, max: 103 })
const mode = fc.constantFrom('', ' none', ' taker', ' maker', ' both', ' decrement', ' transfer')
const wish = fc
  .tuple(account, side, lots, price, mode, fc.nat(5))
  .map(([of, how, n, at, stp, kind]) => {
    const away = how === 'SELL' ? [at - 9, at + 9] : [at + 9, at - 9]
    const pair = `${how} ${n} stop ${away[0]}${stp} | ${how} ${n} @ ${away[1]} MAKER${stp}`
    if (kind === 0)
      return `${of} oco ${how} ${n} stop ${away[0]}${stp} | ${how} ${n} @ ${at} MAKER${stp}`
    if (kind === 1) return `${of} otoco ${how} ${n} @ ${at}${stp} | ${pair}`
    if (kind === 2) return `${of} ${how} ${n} @ ${at} show ${Math.ceil(n / 4)}${stp}`
    if (kind === 3) return `${of} ${how} ${n}${stp}`
    return `${of} ${how} ${n} @ ${at}${stp}`
  })

test('no execution writes more than its bound, whatever it meets', () => {
  const most = bounds.executionMatchesMax * MATCH_EVENT_BYTES + EXECUTION_EVENT_BYTES
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 60, size: 'max' }), (lines) => {
      const tape = new Tape({}, { ordersMax: 64, batchBytes: 1, bounds })
      for (const line of lines) {
        tape.records(line)
        expect(tape.output.eventsEnd, line).toBeLessThanOrEqual(most)
        while (tape.engine.isUnfinished) {
          tape.goOn()
          expect(tape.output.eventsEnd, line).toBeLessThanOrEqual(most)
        }
      }
    }),
    { numRuns: 150 },
  )
})
