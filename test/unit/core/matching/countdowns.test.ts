/** Countdowns of one symbol, as tapes: what fires, when, once, and what a kill or a snapshot keeps of them. */
import { describe, expect, test } from 'vitest'
import { Ms } from '../../../../src/base/units.ts'
import { applyEffects } from '../../../../src/core/ledger/effects.ts'
import { readSymbol, writeSymbol } from '../../../../src/core/matching/symbol-image.ts'
import { ImageReader, ImageWriter } from '../../../../src/layout/image.ts'
import { recordLength } from '../../../../src/layout/record-buffer.ts'
import { check } from './check-tapes.ts'
import { Tape, tapeSymbol } from './tape.ts'

const START_MS = 1_000

function taped(lines: readonly string[], batchBytes?: number): Tape {
  const tape = new Tape({}, batchBytes === undefined ? {} : { batchBytes })
  for (const line of lines) tape.run(line)
  return tape
}

const canceled = (orderId: number) => `closed ${orderId}: CANCELED, filled 0, released 500`
const two = ['1 BUY 5 @ 100', '2 BUY 5 @ 100', '1 BUY 5 @ 100']

describe('a command', () => {
  check([
    ['sets one', ['1 countdown 50'], ['countdown of 1 until 1050']],
    ['replaces it', ['1 countdown 50', '1 countdown 70'], ['countdown of 1 until 1070']],
    ['ends it', ['1 countdown 50', '1 countdown 0'], ['countdown of 1 ended']],
    ['ends one that does not run', ['1 countdown 0'], ['countdown of 1 ended']],
    ['that is late is refused', ['1 countdown 50 until 999'], ['refused TIMESTAMP_OUTSIDE_WINDOW']],
    [
      'shows both of the account',
      ['1 countdown 50', '1 countdown 70 all', '2 countdown 5', '1 countdowns'],
      ['until 1050 of 50, on all until 1070 of 70'],
    ],
    [
      'shows none that ended',
      ['1 countdown 50', '1 countdown 0', '1 countdowns'],
      ['until 0 of 0, on all until 0 of 0'],
    ],
  ])
})

describe('a countdown', () => {
  test('fires at its deadline and not before, and cancels the open orders of its account alone', () => {
    const tape = taped([...two, '1 countdown 50'])
    expect(tape.expire(START_MS + 49)).toEqual([])
    expect(tape.expire(START_MS + 50)).toEqual([
      ...[`then ${canceled(1)}`, canceled(3), 'countdown of 1 fired'],
    ])
    expect(tape.run('2 query 2')).toEqual(['order 2: 0 of 5 @ 100'])
  })

  test('fires once', () => {
    const tape = taped(['1 countdown 50'])
    expect(tape.expire(START_MS + 50)).toEqual(['then countdown of 1 fired'])
    tape.run('1 BUY 5 @ 100')
    expect(tape.expire(START_MS + 1_000)).toEqual([])
  })

  test('does not survive its renewal', () => {
    const tape = taped(['1 BUY 5 @ 100', '1 countdown 50'])
    tape.expire(START_MS + 49)
    tape.run('1 countdown 50')
    expect(tape.expire(START_MS + 98)).toEqual([])
    expect(tape.expire(START_MS + 99)).toHaveLength(2)
  })

  test('that its owner ended fires no more', () => {
    const tape = taped(['1 BUY 5 @ 100', '1 countdown 50', '1 countdown 0'])
    expect(tape.expire(START_MS + 1_000)).toEqual([])
  })

  test('of one symbol and one of all stand beside each other', () => {
    const tape = taped(['1 BUY 5 @ 100', '1 countdown 50', '1 countdown 70 all', '1 countdown 0'])
    expect(tape.expire(START_MS + 69)).toEqual([])
    expect(tape.expire(START_MS + 70)).toEqual([
      ...[`then ${canceled(1)}`, 'countdown of 1 on all fired'],
    ])
  })

  test('several fire in the order of their deadlines', () => {
    const tape = taped(['3 countdown 9', '2 countdown 7 all', '1 countdown 8', '2 countdown 9'])
    expect(tape.expire(START_MS + 10)).toEqual([
      ...['then countdown of 2 on all fired', 'then countdown of 1 fired'],
      ...['then countdown of 2 fired', 'then countdown of 3 fired'],
    ])
  })

  test('set after the clock was put back is not over yet', () => {
    const tape = taped(['1 countdown 50'])
    tape.expire(START_MS + 50)
    tape.nowMs = Ms(START_MS - 500)
    tape.run('1 countdown 50')
    expect(tape.engine.isUnfinished).toBe(false)
  })
})

describe('cancels that no batch has room for', () => {
  const many = Array.from({ length: 6 }, () => '1 BUY 5 @ 100')

  test('continue in the next ones, and the countdown ends behind the last', () => {
    const tape = taped([...many, '1 countdown 50'], 1)
    const lines = tape.expire(START_MS + 50)
    const ids = [1, 2, 3, 4, 5, 6]
    expect(lines.map((line) => line.replace('then ', ''))).toEqual([
      ...[...ids.map(canceled), 'countdown of 1 fired'],
    ])
  })

  test('are done by the next start where a kill has cut them', () => {
    const tape = new Tape({}, { batchBytes: 1 })
    const next = new Tape()
    const follow = () => {
      const { events, eventsEnd } = tape.output
      for (let at = 0; at < eventsEnd; at += recordLength(events, at)) {
        next.engine.recover(events, at)
        applyEffects(events, at, tapeSymbol, next.balances)
      }
    }
    for (const line of [...many, '1 countdown 50']) {
      tape.run(line)
      follow()
    }
    tape.nowMs = Ms(START_MS + 50)
    tape.engine.expireCountdowns(tape.nowMs)
    tape.goOn()
    follow()
    expect(next.engine.isUnfinished).toBe(false)
    const left = [2, 3, 4, 5, 6].map(canceled)
    expect(next.expire(START_MS + 50)).toEqual([
      ...[`then ${left[0]}`, ...left.slice(1), 'countdown of 1 fired'],
    ])
  })
})

test('a snapshot has those that run', () => {
  const tape = taped(['2 countdown 90 all', '1 countdown 70', '1 countdown 80 all'])
  const image = new ImageWriter()
  writeSymbol(tape.engine.state, image)
  const read = new Tape()
  readSymbol(read.engine.state, new ImageReader(image.bytes()))
  expect(read.run('1 countdowns')).toEqual(['until 1070 of 70, on all until 1080 of 80'])
  expect(read.expire(START_MS + 89)).toEqual([
    ...['then countdown of 1 fired', 'then countdown of 1 on all fired'],
  ])
  expect(read.engine.countdownMs).toBe(1_090)
})
