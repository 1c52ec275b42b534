/** Block trades as tapes: two accounts trade outside of the book. */
import { describe, expect, test } from 'vitest'
import { SymbolStatus } from '../../../../src/base/codes.ts'
import { BLOCK_TRADES_KNOWN_MAX } from '../../../../src/base/limits.ts'
import { AccountId, AssetId, Ms } from '../../../../src/base/units.ts'
import { newDeal } from '../../../../src/core/matching/block-trades.ts'
import { Counter } from '../../../../src/core/matching/counters.ts'
import { readSymbol, writeSymbol } from '../../../../src/core/matching/symbol-image.ts'
import { ImageReader, ImageWriter } from '../../../../src/layout/image.ts'
import { check } from './check-tapes.ts'
import { Tape } from './tape.ts'

const made = 'block 1: 5 @ 100 from 2 to 1, fees 0 and 0'

describe('a block trade', () => {
  check([
    ['moves base for quote', ['1 block 2 5 @ 100'], [made]],
    [
      'takes its fee of what each receives',
      ['1 block 2 5 @ 100 rate 20000000'],
      ['block 1: 5 @ 100 from 2 to 1, fees 1 and 100'],
    ],
    [
      'counts from 1',
      ['1 block 2 5 @ 100', '1 block 2 1 @ 1'],
      ['block 2: 1 @ 1 from 2 to 1, fees 0 and 0'],
    ],
    ['of more than the buyer has', ['1 block 2 999 @ 101'], ['refused INSUFFICIENT_BALANCE']],
    ['of more than the seller has', ['1 block 2 1001 @ 1'], ['refused INSUFFICIENT_BALANCE']],
    [
      'of what an order of the seller holds',
      ['2 SELL 996 @ 100', '1 block 2 5 @ 1'],
      ['refused INSUFFICIENT_BALANCE'],
    ],
    ['that is sent again', ['1 block 2 5 @ 100 #a', '1 block 2 5 @ 100 #a'], [`${made}, known`]],
    [
      'that differs from what its id made',
      ['1 block 2 5 @ 100 #a', '1 block 2 6 @ 100 #a'],
      ['refused DUPLICATE_ORDER'],
    ],
    ['whose id was refused before', ['1 block 2 1001 @ 1 #a', '1 block 2 5 @ 100 #a'], [made]],
  ])

  test('leaves a refused buyer with what it had', () => {
    const tape = new Tape()
    tape.run('1 block 2 1001 @ 1')
    expect(tape.run('1 BUY 1000 @ 100')[0]).toBe('accepted 1: 1000, held 100000')
  })

  test('pays each what the other gives', () => {
    const tape = new Tape()
    tape.run('1 block 2 5 @ 100 rate 20000000')
    const free = (account: number, asset: number) =>
      tape.balances.available(AccountId(account), AssetId(asset))
    expect([free(1, 0), free(1, 1)]).toEqual([1004, 99_500])
    expect([free(2, 0), free(2, 1)]).toEqual([995, 100_400])
    expect([free(0, 0), free(0, 1)]).toEqual([1, 100])
  })

  test('meets no order, moves no last price and triggers no stop', () => {
    const tape = new Tape()
    tape.run('3 SELL 1 @ 50')
    tape.run('3 BUY 1 @ 40')
    tape.run('1 SELL 1 stop 90')
    const before = [...tape.engine.counters]
    expect(tape.run('1 block 2 5 @ 45')).toHaveLength(1)
    const { counters, book } = tape.engine
    before[Counter.sequence] = counters[Counter.sequence]!
    expect([...counters]).toEqual(before)
    expect([book.bestBidTicks, book.bestAskTicks]).toEqual([40, 50])
  })
})

describe.each(Object.entries(SymbolStatus))('in %s', (name, status) => {
  check(
    [
      [
        'it is made, but not in BREAK',
        ['1 block 2 5 @ 100'],
        [name === 'BREAK' ? 'refused MARKET_CLOSED' : made],
      ],
    ],
    {
      status,
    },
  )
})

describe('ids', () => {
  const imageOf = (tape: Tape) => {
    const writer = new ImageWriter()
    writeSymbol(tape.engine.state, writer)
    return new ImageReader(writer.bytes())
  }

  test('are known after a snapshot', () => {
    const [before, after] = [new Tape(), new Tape()]
    before.run('1 block 2 5 @ 100 #a')
    readSymbol(after.engine.state, imageOf(before))
    expect(after.run('1 block 2 5 @ 100 #a')).toEqual([`${made}, known`])
    expect(after.run('1 block 2 1 @ 1')[0]).toContain('block 2:')
  })

  const words = (number: number) => Int32Array.of(number, 0, 0, 0, 0, 0, 0, 0)
  /** A tape with so many block trades, of which it knows the newest. */
  const tapeAfter = (count: number) => {
    const tape = new Tape()
    for (let blockTradeId = 1; blockTradeId <= count; blockTradeId++) {
      const requestId = words(blockTradeId)
      const trade = { ...newDeal(), blockTradeId, tradedMs: Ms(0), requestId }
      tape.engine.state.blockTrades.add(trade)
    }
    return tape
  }

  test('are forgotten when as many newer ones are known', () => {
    const known = (count: number, id: number) =>
      tapeAfter(count).engine.state.blockTrades.of(words(id), 0)?.blockTradeId
    expect(known(BLOCK_TRADES_KNOWN_MAX, 1)).toBe(1)
    expect(known(BLOCK_TRADES_KNOWN_MAX + 1, 1)).toBeUndefined()
    expect(known(BLOCK_TRADES_KNOWN_MAX + 1, 2)).toBe(2)
  })

  test.each([
    ['is new while none was forgotten', 0, 0, 'block 1025:'],
    ['may be a forgotten one', 3, 0, 'refused ID_FORGOTTEN'],
    ['may be the last forgotten one', 3, 2, 'refused ID_FORGOTTEN'],
    ['is new where the archive has all forgotten ones', 3, 3, 'block 1028:'],
  ])('an unknown id %s', (_, forgotten, archived, expected) => {
    const tape = tapeAfter(BLOCK_TRADES_KNOWN_MAX + forgotten)
    expect(tape.run(`1 block 2 5 @ 100 archived ${archived}`)[0]).toContain(expected)
  })

  test('are forgotten as before after a snapshot', () => {
    const after = new Tape()
    readSymbol(after.engine.state, imageOf(tapeAfter(BLOCK_TRADES_KNOWN_MAX + 3)))
    expect(after.run('1 block 2 5 @ 100 archived 2')).toEqual(['refused ID_FORGOTTEN'])
    expect(after.run('1 block 2 5 @ 100 archived 3')[0]).toContain('block 1028:')
  })
})
