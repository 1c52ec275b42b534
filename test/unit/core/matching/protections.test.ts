/** Protections of one symbol, as tapes: what counts, when it trips, and what a kill or a snapshot keeps of it. */
import { describe, expect, test } from 'vitest'
import { SymbolStatus } from '../../../../src/base/codes.ts'
import { PROTECTION_MOMENTS } from '../../../../src/base/limits.ts'
import { Ms } from '../../../../src/base/units.ts'
import { applyEffects } from '../../../../src/core/ledger/effects.ts'
import { readSymbol, writeSymbol } from '../../../../src/core/matching/symbol-image.ts'
import { stateHash } from '../../../../src/core/state-hash.ts'
import { ImageReader, ImageWriter } from '../../../../src/layout/image.ts'
import { recordLength } from '../../../../src/layout/record-buffer.ts'
import { check } from './check-tapes.ts'
import { Tape, tapeSymbol } from './tape.ts'

const START_MS = 1_000
const SET = 'protection of 1 set'
const TRIPPED = 'protection of 1 tripped'
const trade = (taker: number, maker: number) => `trade ${taker} with ${maker}: 1 @ 100`
const canceled = (orderId: number, released: number, filled = 0) =>
  `closed ${orderId}: CANCELED, filled ${filled}, released ${released}`

function taped(lines: readonly string[], tape = new Tape()): Tape {
  for (const line of lines) tape.run(line)
  return tape
}
/** Runs one line a moment later. */
function later(tape: Tape, ms: number, line: string): string[] {
  tape.nowMs = Ms(tape.nowMs + ms)
  return tape.run(line)
}
const TAKE = '2 SELL 1 @ 100 IOC'
const status = (tape: Tape) => tape.run('1 protection')[0]

describe('a command', () => {
  check([
    ['sets one', ['1 protect 50 fills 2'], [SET]],
    ['ends it', ['1 protect 50 fills 2', '1 protect 0'], ['protection of 1 ended']],
    ['resets it', ['1 protect 50 fills 2', '1 reset'], [SET]],
    ['resets none', ['1 reset'], ['refused NO_PROTECTION']],
    ['that is late is refused', ['1 protect 50 until 999'], ['refused TIMESTAMP_OUTSIDE_WINDOW']],
    [
      'shows it',
      ['1 protect 50 fills 2 notional 7', '1 protection'],
      ['WATCHING 2 fills, 7 in 50'],
    ],
  ])
})

describe('a protection', () => {
  const set = ['1 protect 50 fills 2', '1 BUY 5 @ 100', '1 SELL 5 @ 120']

  test('trips at its bound, right behind the execution, and refuses orders until it is reset', () => {
    const tape = taped([...set, '2 BUY 5 @ 90', TAKE])
    expect(tape.run(TAKE)).toEqual([
      ...['accepted 5: 1, held 1', trade(5, 1)],
      ...[`then ${canceled(1, 300, 2)}`, canceled(2, 5), TRIPPED],
    ])
    expect(tape.run('1 BUY 5 @ 90')).toEqual(['refused PROTECTED'])
    expect(tape.run('2 BUY 5 @ 91')).toHaveLength(2)
    expect(status(tape)).toBe('TRIPPED 2 fills, 0 in 50')
    expect(tape.run('1 reset')).toEqual([SET])
    expect(tape.run('1 BUY 5 @ 90')).toHaveLength(2)
  })

  test('trips at its notional', () => {
    const tape = taped(['1 protect 50 notional 300', '1 BUY 5 @ 100', '2 SELL 1 @ 100', TAKE])
    expect(tape.run(TAKE).at(-1)).toBe(TRIPPED)
    const other = taped(['1 protect 50 notional 301', '1 BUY 5 @ 100', '2 SELL 2 @ 100'])
    expect(other.run(TAKE)).toHaveLength(2)
  })

  test('counts a fill until its window is over, and no longer', () => {
    const within = taped([...set, TAKE])
    expect(later(within, 49, TAKE).at(-1)).toBe(TRIPPED)
    const over = taped([...set, TAKE])
    expect(later(over, 50, TAKE)).toHaveLength(2)
    expect(later(over, 49, TAKE).at(-1)).toBe(TRIPPED)
  })

  test('counts fills of one share of its window as its last moment', () => {
    const windowMs = PROTECTION_MOMENTS * 10
    const tape = taped([`1 protect ${windowMs} fills 3`, '1 BUY 5 @ 100', TAKE])
    later(tape, 9, TAKE)
    // The first is over; the second, of the same share, keeps it.
    expect(later(tape, windowMs - 1, TAKE).at(-1)).toBe(TRIPPED)
  })

  test('counts what its account takes as nothing, and other accounts by their own', () => {
    const tape = taped(['1 protect 50 fills 1', '2 SELL 2 @ 100', '1 BUY 1 @ 100', '3 BUY 1 @ 100'])
    expect(status(tape)).toBe('WATCHING 1 fills, 0 in 50')
  })

  test('counts no prevented match', () => {
    const tape = taped(['3 protect 50 fills 1', '3 BUY 5 @ 100', '4 SELL 5 @ 100 decrement'])
    expect(tape.run('3 protection')).toEqual(['WATCHING 1 fills, 0 in 50'])
  })

  test('cancels before what the execution wakes trades', () => {
    const tape = taped(['1 protect 50 fills 1', '1 BUY 5 @ 100', '2 SELL 2 stop 100'])
    expect(tape.run('3 SELL 1 @ 100').slice(2)).toEqual([
      ...[`then ${canceled(1, 400, 1)}`, TRIPPED],
      ...['then triggered 2: held 0', 'closed 2: EXPIRED REJECTED, filled 0, released 2'],
    ])
  })

  test('counts both sides of an auction, and cancels behind its last trade', () => {
    const tape = new Tape({ status: SymbolStatus.AUCTION_MATCH })
    taped(['1 protect 50 fills 1', '2 BUY 1 @ 100', '1 SELL 1 @ 100', '1 BUY 5 @ 90'], tape)
    const lines = tape.respecify({ status: SymbolStatus.TRADING })
    expect(lines.slice(-3)).toEqual(['then PhaseChanged', `then ${canceled(3, 450)}`, TRIPPED])
  })

  test('begins to count again when it is set again', () => {
    const tape = taped([...set, TAKE, '1 protect 50 fills 2'])
    expect(tape.run(TAKE)).toHaveLength(2)
  })
})

/** Another tape, recovered from all that this one wrote. */
function recovered(lines: readonly string[], batchBytes: number): readonly [Tape, Tape] {
  const tape = new Tape({}, { batchBytes })
  const next = new Tape()
  for (const line of lines) {
    tape.run(line)
    const { events, eventsEnd } = tape.output
    for (let at = 0; at < eventsEnd; at += recordLength(events, at)) {
      next.engine.recover(events, at)
      applyEffects(events, at, tapeSymbol, next.balances)
    }
  }
  next.follow(tape)
  return [tape, next]
}
const hashOf = (tape: Tape) => stateHash([tape.engine], tape.balances)
const many = Array.from({ length: 4 }, () => '1 BUY 5 @ 100')

test('a start cancels what a kill has left, and refuses', () => {
  const [tape, next] = recovered(['1 protect 50 fills 1', ...many, TAKE], 1)
  expect([next.engine.isUnfinished, hashOf(next)]).toEqual([true, hashOf(tape)])
  const lines: string[] = []
  while (next.engine.isUnfinished) lines.push(...next.runOn())
  expect(lines).toEqual([
    ...[
      `then ${canceled(1, 400, 1)}`,
      canceled(2, 500),
      canceled(3, 500),
      canceled(4, 500),
      TRIPPED,
    ],
  ])
  expect(next.run('1 BUY 5 @ 90')).toEqual(['refused PROTECTED'])
})

test.each([
  ['counted fills', ['1 protect 50 fills 2', '1 BUY 5 @ 100', TAKE]],
  ['a trip', ['1 protect 50 fills 1', '1 BUY 5 @ 100', TAKE]],
])('a snapshot has %s', (_, lines) => {
  const tape = taped(lines)
  const image = new ImageWriter()
  writeSymbol(tape.engine.state, image)
  const read = new Tape()
  readSymbol(read.engine.state, new ImageReader(image.bytes()))
  read.follow(tape)
  expect(stateHash([read.engine], tape.balances)).toBe(hashOf(tape))
  expect([START_MS, status(read)]).toEqual([tape.nowMs, status(tape)])
})
