/** Pegged orders: faqs/pegged_orders.md. */
import { describe, expect, test } from 'vitest'
import { SymbolStatus } from '../../../../src/base/codes.ts'
import { AccountId, Lots, OrderId, Ticks } from '../../../../src/base/units.ts'
import { Book } from '../../../../src/core/book/book.ts'
import { readSymbol, writeSymbol } from '../../../../src/core/matching/symbol-image.ts'
import { stateHash } from '../../../../src/core/state-hash.ts'
import { ImageReader, ImageWriter } from '../../../../src/layout/image.ts'
import { recordLength } from '../../../../src/layout/record-buffer.ts'
import { specifySymbol } from '../../../../src/market/listing.ts'
import { check } from './check-tapes.ts'
import { Tape, tapeSymbol } from './tape.ts'

const book = ['1 SELL 5 @ 102', '1 SELL 5 @ 104', '2 BUY 5 @ 98', '2 BUY 5 @ 95']

describe('a LIMIT and a LIMIT_MAKER enter at the price of a level', () => {
  check([
    [
      'the best of its own side',
      [...book, '3 BUY 4 primary'],
      ['accepted 5: 4, held 392, pegged @ 98', 'rested 5: 4 @ 98'],
    ],
    [
      'the best of the other side, of which it takes that price alone',
      [...book, '3 BUY 8 market IOC'],
      [
        'accepted 5: 8, held 816, pegged @ 102',
        'trade 5 with 1: 5 @ 102',
        'closed 5: EXPIRED UNFILLED_IOC_QUANTITY_EXPIRED, filled 5, released 306',
      ],
    ],
    [
      'levels behind the best, which count as they exist',
      [...book, '3 SELL 4 primary+1'],
      ['accepted 5: 4, held 4, pegged @ 104', 'rested 5: 4 @ 104'],
    ],
    [
      'levels of the other side',
      [...book, '3 SELL 7 market+1 FOK'],
      ['accepted 5: 7, held 7, pegged @ 95', 'trade 5 with 3: 5 @ 98', 'trade 5 with 4: 2 @ 95'],
    ],
    [
      'beyond the last level, it is refused',
      [...book, '3 BUY 4 primary+2'],
      ['refused PEG_LIQUIDITY'],
    ],
    ['and in an empty book', ['3 BUY 4 market'], ['refused PEG_LIQUIDITY']],
    [
      'a LIMIT_MAKER at the best of its side',
      [...book, '3 SELL 4 MAKER primary'],
      ['accepted 5: 4, held 4, pegged @ 102', 'rested 5: 4 @ 102'],
    ],
    [
      'own orders count',
      [...book, '2 BUY 4 primary'],
      ['accepted 5: 4, held 392, pegged @ 98', 'rested 5: 4 @ 98'],
    ],
    [
      'with a limit, the less aggressive of both: of a BUY the lower',
      [...book, '3 BUY 4 @ 96 primary'],
      ['accepted 5: 4, held 384, pegged @ 96', 'rested 5: 4 @ 96'],
    ],
    [
      'of a SELL the higher',
      [...book, '3 SELL 4 @ 90 market IOC'],
      ['accepted 5: 4, held 4, pegged @ 98', 'trade 5 with 3: 4 @ 98'],
    ],
    [
      'it pays what the price costs',
      [...book, '3 BUY 1000 primary'],
      ['accepted 5: 1000, held 98000, pegged @ 98', 'rested 5: 1000 @ 98'],
    ],
    ['or is refused', [...book, '3 BUY 1100 primary'], ['refused INSUFFICIENT_BALANCE']],
    [
      'the price is fixed: it does not follow the best one',
      [...book, '3 BUY 4 primary', '2 BUY 1 @ 100', 'query 5'].slice(0, -1).concat('3 query 5'),
      ['order 5: 0 of 4 @ 98'],
    ],
    [
      'another in its place is priced once the first is gone',
      [...book, '2 BUY 1 @ 100', '2 replace 5 | BUY 1 primary'],
      [
        'closed 5: CANCELED, filled 0, released 100',
        'accepted 6: 1, held 98, pegged @ 98',
        'rested 6: 1 @ 98',
        'replaced: cancel done, order done',
      ],
    ],
  ])
})

const traded = [...book, '4 SELL 1 @ 98']
describe('a stop has the price of the book as it is triggered', () => {
  check([
    [
      'and holds until then what it would without a price',
      [...traded, '3 BUY 4 stop 103 primary'],
      ['accepted 6: 4, held 412'],
    ],
    [
      'then what that price costs',
      [...traded, '3 BUY 4 stop 103 primary', '4 BUY 6 @ 104'],
      [
        'accepted 7: 6, held 624',
        'trade 7 with 1: 5 @ 102',
        'trade 7 with 2: 1 @ 104',
        'then triggered 6: held -20, pegged @ 98',
        'rested 6: 4 @ 98',
      ],
    ],
    [
      'or more',
      [...traded, '3 BUY 4 stop 101 market', '2 BUY 4 @ 99', '4 BUY 5 @ 102'],
      [
        'accepted 8: 5, held 510',
        'trade 8 with 1: 5 @ 102',
        'then triggered 6: held 12, pegged @ 104',
        'trade 6 with 2: 4 @ 104',
      ],
    ],
    [
      'with a limit, at most that',
      [...traded, '3 BUY 4 @ 97 stop 103 primary', '4 BUY 6 @ 104'],
      [
        'accepted 7: 6, held 624',
        'trade 7 with 1: 5 @ 102',
        'trade 7 with 2: 1 @ 104',
        'then triggered 6: held 0, pegged @ 97',
        'rested 6: 4 @ 97',
      ],
    ],
    [
      'without such a level it expires',
      [...traded, '3 SELL 4 stop 96 market+3', '4 SELL 5 @ 95'],
      [
        'accepted 7: 5, held 5',
        'trade 7 with 3: 4 @ 98',
        'trade 7 with 4: 1 @ 95',
        'then triggered 6: held 0',
        'closed 6: EXPIRED REJECTED, filled 0, released 4',
      ],
    ],
    [
      'and without the money',
      [...traded, '3 BUY 960 stop 103 market', '4 BUY 9 @ 104', '1 SELL 5 @ 110'].slice(0, -1),
      [
        'accepted 7: 9, held 936',
        'trade 7 with 1: 5 @ 102',
        'trade 7 with 2: 4 @ 104',
        'then triggered 6: held 960, pegged @ 104',
        'trade 6 with 2: 1 @ 104',
        'rested 6: 959 @ 104',
      ],
    ],
    [
      'which it lacks',
      [...traded, '3 BUY 965 stop 103 market', '4 BUY 9 @ 104'],
      [
        'accepted 7: 9, held 936',
        'trade 7 with 1: 5 @ 102',
        'trade 7 with 2: 4 @ 104',
        'then triggered 6: held 0, pegged @ 104',
        'closed 6: EXPIRED REJECTED, filled 0, released 99395',
      ],
    ],
  ])
})

describe('in lists', () => {
  check([
    [
      'a LIMIT_MAKER of an OCO enters at once',
      [...traded, '3 oco SELL 4 stop 90 | SELL 4 MAKER primary'],
      [
        'accepted 6: 4, held 4',
        'accepted 7: 4, held 0, pegged @ 102',
        'list 1: EXEC_STARTED',
        'rested 7: 4 @ 102',
      ],
    ],
    [
      'on the right side of the last price only',
      [...traded, '2 BUY 1 @ 103 IOC', '3 oco SELL 4 stop 90 | SELL 4 MAKER primary'],
      ['refused PRICES_NOT_RELATED'],
    ],
    [
      'a working order of an OTO at once, and a pending one when it is released',
      [...traded, '3 oto BUY 2 primary+1 | SELL 2 primary', '1 SELL 4 @ 98', '1 SELL 7 @ 95'],
      [
        'accepted 9: 7, held 7',
        'trade 9 with 4: 5 @ 95',
        'trade 9 with 6: 2 @ 95',
        'list 1: EXEC_STARTED',
        'then released 7: held 2, pegged @ 102',
        'rested 7: 2 @ 102',
        'list 1: EXEC_STARTED',
      ],
    ],
    [
      'a pair of an OTOCO when it is released',
      [...traded, '3 otoco BUY 2 @ 98 | SELL 2 stop 90 | SELL 2 MAKER primary+1', '1 SELL 6 @ 98'],
      [
        'accepted 9: 6, held 6',
        'trade 9 with 3: 4 @ 98',
        'trade 9 with 6: 2 @ 98',
        'list 1: EXEC_STARTED',
        'then released 7: held 2',
        'list 1: EXEC_STARTED',
        'then released 8: held 0, pegged @ 104',
        'rested 8: 2 @ 104',
        'list 1: EXEC_STARTED',
      ],
    ],
    [
      'a pair without a level expires',
      [...traded, '3 otoco BUY 2 @ 98 | SELL 2 stop 90 | SELL 2 MAKER primary+5', '1 SELL 6 @ 98'],
      [
        'accepted 9: 6, held 6',
        'trade 9 with 3: 4 @ 98',
        'trade 9 with 6: 2 @ 98',
        'list 1: EXEC_STARTED',
        'then closed 7: EXPIRED REJECTED, filled 0, released 0',
        'closed 8: EXPIRED REJECTED, filled 0, released 0',
        'list 1: ALL_DONE',
      ],
    ],
  ])
})

const { id, name, base, quote, status, preventionModes, preventionDefault, filters } = tapeSymbol
const filtered = (...more: (typeof filters)[number][]) =>
  specifySymbol({
    id,
    name,
    base,
    quote,
    status,
    preventionModes,
    preventionDefault,
    filters: [...filters, ...more],
  })

describe('the price passes the filters', () => {
  test('PRICE_FILTER, which may have changed since the level was made', () => {
    const tape = new Tape()
    for (const line of book) tape.run(line)
    tape.engine.respecify({ ...tapeSymbol, priceTicksMax: Ticks(103) })
    expect(tape.run('3 SELL 4 primary')).toContain('accepted 5: 4, held 4, pegged @ 102')
    expect(tape.run('3 SELL 4 primary+1')).toEqual(['refused PRICE_FILTER'])
    tape.engine.respecify({ ...tapeSymbol, priceTicksMin: Ticks(96) })
    expect(tape.run('3 BUY 4 primary+1')).toEqual(['refused PRICE_FILTER'])
  })

  test('NOTIONAL', () => {
    const spec = filtered({ filterType: 'MIN_NOTIONAL', minNotional: '0.00000392' })
    const tape = new Tape(spec)
    for (const line of book.map((it) => it.replace(' 5 ', ' 9 '))) tape.run(line)
    expect(tape.run('3 BUY 4 primary')).toContain('accepted 5: 4, held 392, pegged @ 98')
    expect(tape.run('3 BUY 4 primary+1')).toEqual(['refused NOTIONAL_TOO_SMALL'])
  })

  test.each([
    ['PERCENT_PRICE', { multiplierUp: '1.04', multiplierDown: '0.5' }],
    [
      'PERCENT_PRICE_BY_SIDE',
      {
        bidMultiplierUp: '1',
        bidMultiplierDown: '1',
        askMultiplierUp: '1.04',
        askMultiplierDown: '0.5',
      },
    ],
  ])('%s, of the average of the minutes before', (filterType, multipliers) => {
    const narrower = JSON.parse(JSON.stringify(multipliers).replaceAll('1.04', '1.03')) as object
    const near = new Tape(filtered({ filterType, ...narrower, avgPriceMins: 1 }))
    for (const line of [...book, '4 SELL 1 @ 98', '4 BUY 1 @ 102']) near.run(line)
    // The average is 100; 104 is within three parts in a hundred of the last price alone.
    expect(near.run('3 SELL 4 primary+1')).toEqual([`refused ${filterType}`])
    const tape = new Tape(filtered({ filterType, ...multipliers, avgPriceMins: 1 }))
    for (const line of [...book, '4 SELL 1 @ 98', '4 BUY 1 @ 102']) tape.run(line)
    // The average is 100.
    expect(tape.run('3 SELL 4 primary+1')).toContain('accepted 7: 4, held 4, pegged @ 104')
    tape.run('4 SELL 1 @ 98')
    expect(tape.run('3 SELL 4 primary+1')).toEqual([`refused ${filterType}`])
    // A minute later the last price stands for it; a trade at 102 is the only one then.
    tape.nowMs = tape.engine.state.timeMs
    tape.nowMs = (tape.nowMs + 60_001) as typeof tape.nowMs
    tape.run('4 BUY 1 @ 102')
    expect(tape.run('3 SELL 4 primary+1')).toContain('accepted 10: 4, held 4, pegged @ 104')
  })

  const near = { filterType: 'PERCENT_PRICE', multiplierUp: '1.03', multiplierDown: '0.5' }

  test('of an average that has the trades of auctions', () => {
    const spec = filtered({ ...near, avgPriceMins: 1 })
    const tape = new Tape(spec)
    tape.respecify({ ...spec, status: SymbolStatus.AUCTION_MATCH })
    for (const line of ['1 BUY 4 @ 100', '2 SELL 4 @ 100', '1 SELL 5 @ 104']) tape.run(line)
    tape.respecify({ ...spec, status: SymbolStatus.TRADING })
    for (const line of ['1 SELL 1 @ 102', '2 BUY 1 @ 102']) tape.run(line)
    expect(tape.run('3 SELL 4 primary')).toEqual(['refused PERCENT_PRICE'])
  })

  test('of an average that a start has from events', () => {
    const spec = filtered({ ...near, avgPriceMins: 1 })
    const tape = new Tape(spec)
    const other = new Tape(spec)
    for (const line of [...book, '4 SELL 1 @ 98', '4 BUY 1 @ 102']) {
      tape.run(line)
      const { events, eventsEnd } = tape.output
      for (let at = 0; at < eventsEnd; at += recordLength(events, at))
        other.engine.recover(events, at)
    }
    other.nowMs = tape.nowMs
    expect(other.run('3 SELL 4 primary+1')).toEqual(['refused PERCENT_PRICE'])
  })

  test('of an average that a start has from a snapshot', () => {
    const spec = filtered({ ...near, avgPriceMins: 1 })
    const [tape, other] = [new Tape(spec), new Tape(spec)]
    for (const line of [...book, '4 SELL 1 @ 98', '4 BUY 1 @ 102']) tape.run(line)
    const image = new ImageWriter()
    writeSymbol(tape.engine.state, image)
    readSymbol(other.engine.state, new ImageReader(image.bytes()))
    other.nowMs = tape.nowMs
    expect(other.engine.state.averagePrice(1)).toEqual(tape.engine.state.averagePrice(1))
    expect(other.run('3 SELL 4 primary+1')).toEqual(['refused PERCENT_PRICE'])
    // A symbol that lost the filter meanwhile has no use for the sums.
    readSymbol(new Tape().engine.state, new ImageReader(image.bytes()))
  })
})

describe('a start', () => {
  const lines = [
    ...traded,
    '3 BUY 4 @ 200 stop 103 primary',
    '3 SELL 4 stop 60 market+1',
    '3 otoco BUY 2 @ 97 | SELL 2 stop 90 | SELL 2 MAKER primary+1',
    '1 BUY 3 MAKER primary',
    '2 BUY 6 @ 104',
    '1 SELL 14 @ 97',
  ]

  test('continues from events with the same prices', () => {
    const tape = new Tape()
    const other = new Tape()
    for (const line of lines) {
      tape.run(line)
      const { events, eventsEnd } = tape.output
      for (let at = 0; at < eventsEnd; at += recordLength(events, at))
        other.engine.recover(events, at)
      expect(stateHash([other.engine], tape.balances)).toBe(stateHash([tape.engine], tape.balances))
    }
    // Of the stop that waits, of the one of the pair, and of the other of the pair.
    expect(tape.run('3 query all').filter((line) => line.startsWith('order'))).toEqual([
      'order 7: 0 of 4 @ 0',
      'order 9: 0 of 2 @ 0',
      'order 10: 0 of 2 @ 104',
    ])
  })

  test('continues from a snapshot with the same prices', () => {
    const tape = new Tape()
    for (const line of lines) tape.run(line)
    const image = new ImageWriter()
    writeSymbol(tape.engine.state, image)
    const other = new Tape()
    readSymbol(other.engine.state, new ImageReader(image.bytes()))
    expect(stateHash([other.engine], tape.balances)).toBe(stateHash([tape.engine], tape.balances))
  })
})

test('only an order that stands aside gets another price', () => {
  const shape = { priceTicksMax: 1_000, ordersMax: 8, accountsMax: 2 }
  const levels = new Book(new SharedArrayBuffer(Book.bytesFor(shape)), shape)
  const slot = levels.rest(0, Ticks(5), Lots(1), OrderId(1), AccountId(1))
  expect(() => levels.reprice(slot, Ticks(6))).toThrow('an order that has a level keeps its price')
})
