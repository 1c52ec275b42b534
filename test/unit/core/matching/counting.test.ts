/** Filters that count (supplement 2b) and symbol phases (2c.9) as tapes. */
import { describe, expect, test } from 'vitest'
import { SymbolStatus } from '../../../../src/base/codes.ts'
import { plainExchange } from '../../../../src/market/listing.ts'
import { check } from './check-tapes.ts'
import { Tape, tapeSymbol } from './tape.ts'

const boundedTo = (bounds: object) => ({ bounds: { ...tapeSymbol.bounds, ...bounds } })

describe('MAX_NUM_ORDERS', () =>
  check(
    [
      ['a third', ['1 BUY 1 @ 1', '1 SELL 1 stop 9', '1 BUY 1 @ 1'], ['refused MAX_NUM_ORDERS']],
      [
        'even one that would not rest',
        ['1 BUY 1 @ 1', '1 BUY 1 @ 1', '1 BUY 1 @ 1 IOC'],
        ['refused MAX_NUM_ORDERS'],
      ],
      [
        "another account's",
        ['1 BUY 1 @ 1', '1 BUY 1 @ 1', '2 BUY 1 @ 1'],
        ['accepted 3: 1, held 1', 'rested 3: 1 @ 1'],
      ],
      [
        'one that was filled has left',
        ['1 BUY 1 @ 1', '1 BUY 1 @ 1', '2 SELL 1 @ 1', '1 BUY 1 @ 1'],
        ['accepted 4: 1, held 1', 'rested 4: 1 @ 1'],
      ],
      [
        'pending legs count',
        ['1 oto BUY 1 @ 1 | SELL 1 @ 9', '1 BUY 1 @ 1'],
        ['refused MAX_NUM_ORDERS'],
      ],
      [
        'so do all legs of what is placed',
        ['1 BUY 1 @ 1', '1 oto BUY 1 @ 1 | SELL 1 @ 9'],
        ['refused MAX_NUM_ORDERS'],
      ],
    ],
    boundedTo({ ordersMax: 2 }),
  ))

describe('MAX_NUM_ALGO_ORDERS', () =>
  check(
    [
      ['a second', ['1 SELL 1 stop 9', '1 SELL 1 profit 99'], ['refused MAX_NUM_ALGO_ORDERS']],
      [
        'a plain one',
        ['1 SELL 1 stop 9', '1 BUY 1 @ 1'],
        ['accepted 2: 1, held 1', 'rested 2: 1 @ 1'],
      ],
      [
        'one that was triggered counts no more',
        ['1 SELL 1 @ 9 stop 9', '2 BUY 1 @ 8', '3 SELL 1 @ 8', '1 SELL 1 stop 5'],
        ['accepted 4: 1, held 1'],
      ],
    ],
    boundedTo({ algoOrdersMax: 1 }),
  ))

describe('MAX_NUM_ICEBERG_ORDERS', () =>
  check(
    [
      [
        'a second',
        ['1 SELL 4 @ 9 show 2', '1 SELL 4 @ 9 show 2'],
        ['refused MAX_NUM_ICEBERG_ORDERS'],
      ],
    ],
    boundedTo({ icebergOrdersMax: 1 }),
  ))

describe('MAX_NUM_ORDER_LISTS', () =>
  check(
    [
      [
        'a second',
        ['1 oto BUY 1 @ 1 | SELL 1 @ 9', '1 oto BUY 1 @ 1 | SELL 1 @ 9'],
        ['refused MAX_NUM_ORDER_LISTS'],
      ],
      [
        'after one that is done',
        [
          '1 oto BUY 1 @ 1 | SELL 1 @ 9',
          '1 cancel 1',
          '1 oto BUY 1 @ 1 | SELL 1 @ 9',
          '1 query all',
        ],
        ['order 3: 0 of 1 @ 1', 'order 4: 0 of 1 @ 9', 'QueryEnd'],
      ],
    ],
    boundedTo({ orderListsMax: 1 }),
  ))

describe('MAX_POSITION, of an account that owns 1000', () =>
  check(
    [
      ['just within', ['1 BUY 10 @ 1'], ['accepted 1: 10, held 10', 'rested 1: 10 @ 1']],
      ['over', ['1 BUY 11 @ 1'], ['refused MAX_POSITION']],
      [
        'open BUYs count, stops too',
        ['1 BUY 4 @ 1', '1 BUY 4 stop 5', '1 BUY 3 @ 1'],
        ['refused MAX_POSITION'],
      ],
      ['what is locked is owned', ['1 SELL 500 @ 9', '1 BUY 11 @ 1'], ['refused MAX_POSITION']],
      [
        'SELLs are not judged',
        ['2 SELL 500 @ 9'],
        ['accepted 1: 500, held 500', 'rested 1: 500 @ 9'],
      ],
      ['by amount: what it comes to', ['2 SELL 20 @ 2', '1 BUY for 22'], ['refused MAX_POSITION']],
    ],
    boundedTo({ positionLotsMax: 1010 }),
  ))

describe.each<[keyof typeof SymbolStatus, string, string]>([
  ['HALT', 'MARKET_CLOSED', 'MARKET_CLOSED'],
  ['BREAK', 'MARKET_CLOSED', 'MARKET_CLOSED'],
  ['CANCEL_ONLY', 'MARKET_CLOSED', 'MARKET_CLOSED'],
  ['END_OF_DAY', 'PHASE_REFUSES_TYPE', 'PHASE_REFUSES_TYPE'],
  ['POST_TRADING', 'PHASE_REFUSES_TYPE', 'PHASE_REFUSES_TYPE'],
])('in %s', (status, usual, immediate) =>
  check(
    [
      ['LIMIT GTC', ['1 BUY 1 @ 1'], [`refused ${usual}`]],
      ['LIMIT IOC', ['1 BUY 1 @ 1 IOC'], [`refused ${immediate}`]],
      ['MARKET', ['1 BUY 1'], [`refused ${usual}`]],
      ['a list', ['1 oto BUY 1 @ 1 FOK | SELL 1 @ 9'], [`refused ${immediate}`]],
    ],
    { status: SymbolStatus[status] },
  ))

describe.each(['PRE_TRADING', 'AUCTION_MATCH'] as const)('in %s', (status) =>
  check(
    [
      ['LIMIT GTC', ['1 BUY 1 @ 1'], ['accepted 1: 1, held 1', 'rested 1: 1 @ 1']],
      ['an iceberg', ['1 BUY 4 @ 1 show 2'], ['accepted 1: 4, held 4', 'rested 1: 2 @ 1']],
      ['LIMIT IOC', ['1 BUY 1 @ 1 IOC'], ['refused PHASE_REQUIRES_GTC']],
      ['LIMIT FOK', ['1 BUY 1 @ 1 FOK'], ['refused PHASE_REQUIRES_GTC']],
      ['LIMIT_MAKER', ['1 BUY 1 @ 1 MAKER'], ['refused PHASE_REFUSES_TYPE']],
      ['MARKET', ['1 BUY 1'], ['refused PHASE_REFUSES_TYPE']],
      ['a stop', ['1 SELL 1 stop 1'], ['refused PHASE_REFUSES_TYPE']],
      ['a list', ['1 oto BUY 1 @ 1 | SELL 1 @ 9'], ['refused PHASE_REFUSES_TYPE']],
    ],
    { status: SymbolStatus[status] },
  ))

test('filters of the exchange are those of the moment of the order', () => {
  const tape = new Tape()
  const bind = (maxNumOrders: number) => {
    const filters = [{ filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders }]
    tape.engine.setExchange({ ...plainExchange, filters }, [tapeSymbol])
  }
  expect(tape.run('1 BUY 1 @ 1')).toHaveLength(2)
  bind(1)
  expect(tape.run('1 BUY 1 @ 1')).toEqual(['refused EXCHANGE_MAX_NUM_ORDERS'])
  bind(2)
  expect(tape.run('1 BUY 1 @ 1')).toHaveLength(2)
  expect(tape.run('1 BUY 1 @ 1')).toEqual(['refused EXCHANGE_MAX_NUM_ORDERS'])
  tape.engine.setExchange(plainExchange, [tapeSymbol])
  expect(tape.run('1 BUY 1 @ 1')).toHaveLength(2)
})

test("an account's own most open orders stand in place of the exchange's", () => {
  const tape = new Tape()
  const filters = [{ filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: 1 }]
  tape.engine.setExchange({ ...plainExchange, filters }, [tapeSymbol])
  tape.accounts.openOrdersMax[1] = 2
  expect(tape.run('1 BUY 1 @ 1')).toHaveLength(2)
  expect(tape.run('1 BUY 1 @ 1')).toHaveLength(2)
  expect(tape.run('1 BUY 1 @ 1')).toEqual(['refused EXCHANGE_MAX_NUM_ORDERS'])
  tape.engine.setExchange(plainExchange, [tapeSymbol])
  expect(tape.run('1 BUY 1 @ 1')).toEqual(['refused EXCHANGE_MAX_NUM_ORDERS'])
  tape.accounts.openOrdersMax[1] = 0
  expect(tape.run('1 BUY 1 @ 1')).toHaveLength(2)
})
