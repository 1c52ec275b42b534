/** The engine's rules as tapes: lines in, and what the last line came to. */
import { describe, expect, test } from 'vitest'
import { SymbolStatus } from '../../../../src/base/codes.ts'
import { AccountId, AssetId, QuoteAtoms } from '../../../../src/base/units.ts'
import { check } from './check-tapes.ts'
import { Tape } from './tape.ts'

describe('limit orders', () => {
  check([
    ['rest', ['1 BUY 5 @ 100'], ['accepted 1: 5, held 500', 'rested 1: 5 @ 100']],
    [
      "trade at the maker's price",
      ['1 SELL 5 @ 90', '2 BUY 5 @ 100'],
      ['accepted 2: 5, held 500', 'trade 2 with 1: 5 @ 90'],
    ],
    [
      'meet the best price first, then the oldest',
      ['1 SELL 1 @ 101', '1 SELL 1 @ 100', '2 SELL 1 @ 100', '6 BUY 4 @ 101'],
      [
        'accepted 4: 4, held 404',
        'trade 4 with 2: 1 @ 100',
        'trade 4 with 3: 1 @ 100',
        'trade 4 with 1: 1 @ 101',
        'rested 4: 1 @ 101',
      ],
    ],
    [
      'IOC: the rest expires',
      ['1 SELL 2 @ 100', '2 BUY 5 @ 101 IOC'],
      [
        'accepted 2: 5, held 505',
        'trade 2 with 1: 2 @ 100',
        'closed 2: EXPIRED UNFILLED_IOC_QUANTITY_EXPIRED, filled 2, released 303',
      ],
    ],
    [
      'FOK: all of it',
      ['1 SELL 2 @ 100', '1 SELL 3 @ 101', '2 BUY 5 @ 101 FOK'],
      ['accepted 3: 5, held 505', 'trade 3 with 1: 2 @ 100', 'trade 3 with 2: 3 @ 101'],
    ],
    [
      'FOK: or nothing',
      ['1 SELL 2 @ 100', '2 BUY 5 @ 101 FOK'],
      [
        'accepted 2: 5, held 505',
        'closed 2: EXPIRED UNFILLED_FOK_ORDER_EXPIRED, filled 0, released 505',
      ],
    ],
    [
      'FOK does not count its own orders',
      ['2 SELL 3 @ 100', '1 SELL 2 @ 100', '2 BUY 3 @ 100 FOK'],
      [
        'accepted 3: 3, held 300',
        'closed 3: EXPIRED UNFILLED_FOK_ORDER_EXPIRED, filled 0, released 300',
      ],
    ],
    [
      'LIMIT_MAKER rests',
      ['1 SELL 2 @ 100', '2 BUY 5 @ 99 MAKER'],
      ['accepted 2: 5, held 495', 'rested 2: 5 @ 99'],
    ],
    [
      'LIMIT_MAKER crosses nothing, its own orders included',
      ['2 SELL 2 @ 100', '2 BUY 5 @ 100 MAKER'],
      ['refused WOULD_MATCH_IMMEDIATELY'],
    ],
  ])
})

describe('refusals', () => {
  check([
    ['too late', ['1 BUY 5 @ 100 until 999'], ['refused TIMESTAMP_OUTSIDE_WINDOW']],
    ['just in time', ['1 BUY 1 @ 1 until 1000'], ['accepted 1: 1, held 1', 'rested 1: 1 @ 1']],
    ['an account that may not trade', ['5 BUY 5 @ 100'], ['refused ACCOUNT_DISABLED']],
    ['a clashing id', ['1 BUY 1 @ 1 #a', '1 BUY 1 @ 1 #a'], ['refused DUPLICATE_ORDER']],
    [
      "another account's id",
      ['1 BUY 1 @ 1 #a', '2 BUY 1 @ 1 #a'],
      ['accepted 2: 1, held 1', 'rested 2: 1 @ 1'],
    ],
    [
      'an id that is free again',
      ['1 BUY 1 @ 1 #a', '1 cancel 1', '1 BUY 1 @ 1 #a'],
      ['accepted 2: 1, held 1', 'rested 2: 1 @ 1'],
    ],
    ['too little quote', ['1 BUY 1001 @ 100'], ['refused INSUFFICIENT_BALANCE']],
    ['too little base', ['1 SELL 1001 @ 100'], ['refused INSUFFICIENT_BALANCE']],
    [
      'what an open order locks',
      ['1 SELL 600 @ 100', '1 SELL 401 @ 100'],
      ['refused INSUFFICIENT_BALANCE'],
    ],
  ])
  describe('of size', () =>
    check([['too large', ['1 BUY 11 @ 100'], ['refused NOTIONAL_TOO_LARGE']]], {
      notionalAtomsMax: QuoteAtoms(1000),
    }))
  describe('of an amount that 64 bits do not carry, where no filter says a maximum', () =>
    check(
      [
        ['2^63', ['1 BUY 1024 @ 1'], ['refused AMOUNT_TOO_LARGE']],
        ['less', ['1 BUY 1023 @ 1'], ['refused INSUFFICIENT_BALANCE']],
        ['2^63 for base that is there', ['1 SELL 32 @ 32'], ['refused AMOUNT_TOO_LARGE']],
      ],
      { atomsPerTickLot: 2 ** 53 },
    ))
  describe('of a closed market', () => {
    check([['an order', ['1 BUY 1 @ 1'], ['refused MARKET_CLOSED']]], { status: SymbolStatus.HALT })
    test('but cancels always work', () => {
      const tape = new Tape()
      tape.run('1 BUY 1 @ 1')
      tape.respecify({ status: SymbolStatus.HALT })
      expect(tape.run('1 cancel 1')).toEqual(['closed 1: CANCELED, filled 0, released 1'])
    })
  })
  describe('of a full book', () =>
    check(
      [
        ['what would rest', ['1 BUY 1 @ 1', '1 BUY 1 @ 2', '1 BUY 1 @ 3'], ['refused BOOK_FULL']],
        [
          'not what trades whole',
          ['1 BUY 1 @ 1', '1 BUY 1 @ 2', '2 SELL 1 @ 2'],
          ['accepted 3: 1, held 1', 'trade 3 with 2: 1 @ 2'],
        ],
      ],
      {},
      { ordersMax: 2 },
    ))
})

describe('MARKET by quantity', () => {
  check([
    [
      'holds what the sweep costs',
      ['1 SELL 2 @ 100', '1 SELL 3 @ 110', '2 BUY 4'],
      ['accepted 3: 4, held 420', 'trade 3 with 1: 2 @ 100', 'trade 3 with 2: 2 @ 110'],
    ],
    [
      'expires when the book runs out',
      ['1 BUY 2 @ 100', '2 SELL 5'],
      [
        'accepted 2: 5, held 2',
        'trade 2 with 1: 2 @ 100',
        'closed 2: EXPIRED INSUFFICIENT_LIQUIDITY, filled 2, released 0',
      ],
    ],
    ['an empty other side', ['1 BUY 2 @ 100', '2 BUY 5'], ['refused NO_DEPTH']],
    [
      'is refused, not trimmed',
      ['1 SELL 900 @ 100', '6 SELL 200 @ 100', '2 BUY 1001'],
      ['refused INSUFFICIENT_BALANCE'],
    ],
  ])
})

describe('MARKET by quote amount', () => {
  check([
    [
      'the most lots that it pays for',
      ['1 SELL 2 @ 100', '1 SELL 9 @ 110', '2 BUY for 450'],
      ['accepted 3: 4, held 420', 'trade 3 with 1: 2 @ 100', 'trade 3 with 2: 2 @ 110'],
    ],
    [
      'SELL counts what it earns',
      ['1 BUY 2 @ 100', '1 BUY 9 @ 90', '2 SELL for 300'],
      ['accepted 3: 3, held 3', 'trade 3 with 1: 2 @ 100', 'trade 3 with 2: 1 @ 90'],
    ],
    [
      'filled when only an unspendable remainder is left',
      ['1 SELL 2 @ 100', '2 BUY for 299'],
      ['accepted 2: 2, held 200', 'trade 2 with 1: 2 @ 100'],
    ],
    [
      'expired when the book ran out',
      ['1 SELL 2 @ 100', '2 BUY for 300'],
      [
        'accepted 2: 2, held 200',
        'trade 2 with 1: 2 @ 100',
        'closed 2: EXPIRED INSUFFICIENT_LIQUIDITY, filled 2, released 0',
      ],
    ],
    ['an empty book', ['2 BUY for 300'], ['refused LIQUIDITY_BELOW_MINIMUM']],
    [
      'below the lot filter',
      ['1 SELL 9 @ 100', '2 BUY for 199'],
      ['refused LIQUIDITY_BELOW_LOT_SIZE'],
    ],
  ])
  describe('with a filter for markets', () =>
    check(
      [
        ['below', ['1 SELL 9 @ 1', '2 BUY for 3'], ['refused LIQUIDITY_BELOW_MARKET_LOT_SIZE']],
        ['above', ['1 SELL 9 @ 1', '2 BUY for 7'], ['refused MARKET_QUANTITY_TOO_LARGE']],
      ],
      { marketQtyLotsMin: 4, marketQtyLotsMax: 6 },
    ))
})

describe('a notional filter for MARKET is judged at the average price, before the engine', () => {
  const passing = ['accepted 2: 3, held 3', 'trade 2 with 1: 3 @ 1']
  check(
    [
      ['what a sweep comes to may be less', ['1 SELL 9 @ 1', '2 BUY 3'], passing],
      ['by amount too', ['1 SELL 9 @ 1', '2 BUY for 3'], passing],
    ],
    { notionalAtomsMin: QuoteAtoms(8) },
  )
  check(
    [
      [
        'or more',
        ['1 SELL 2 @ 300', '1 SELL 1 @ 400', '2 BUY 3'],
        ['accepted 3: 3, held 1000', 'trade 3 with 1: 2 @ 300', 'trade 3 with 2: 1 @ 400'],
      ],
    ],
    { notionalAtomsMax: QuoteAtoms(700) },
  )
})

describe('self-trade prevention beyond the scenarios of its FAQ', () => {
  check([
    [
      'accounts of one trade group are one owner; earlier fills stand',
      ['1 BUY 2 @ 9', '3 BUY 5 @ 8', '4 SELL 6 @ 8 taker'],
      [
        'accepted 3: 6, held 6',
        'trade 3 with 1: 2 @ 9',
        'prevented 0 of 3 and 2: taker 4, maker 0, group 7',
        'closed 3: EXPIRED_IN_MATCH, filled 2, prevented 4, released 4',
      ],
    ],
    [
      'by quote amount, an own order that ends the taker counts among what it wanted',
      ['1 SELL 2 @ 100', '2 SELL 5 @ 100', '2 BUY for 550 both'],
      [
        'accepted 3: 5, held 200',
        'trade 3 with 1: 2 @ 100',
        'prevented 0 of 3 and 2: taker 3, maker 5',
        'closed 2: EXPIRED_IN_MATCH, filled 0, prevented 5, released 5',
        'closed 3: EXPIRED_IN_MATCH, filled 2, prevented 3, released 0',
      ],
    ],
  ])
})

describe('cancels', () => {
  const canceled = ['closed 1: CANCELED, filled 0, released 500']
  const resting = '1 BUY 5 @ 100 #mine'
  check([
    ['by order id', [resting, '1 cancel 1'], canceled],
    ['by client id', [resting, '1 cancel #mine'], canceled],
    ['by both', [resting, '1 cancel 1 #mine'], canceled],
    ['by both that disagree', [resting, '1 cancel 1 #other'], ['refused UNKNOWN_ORDER']],
    ["another's order", [resting, '2 cancel 1'], ['refused UNKNOWN_ORDER']],
    ['none at all', [resting, '1 cancel'], ['refused UNKNOWN_ORDER']],
    ['twice', [resting, '1 cancel 1', '1 cancel 1'], ['refused UNKNOWN_ORDER']],
    ['too late', [resting, '1 cancel 1 until 999'], ['refused TIMESTAMP_OUTSIDE_WINDOW']],
    ['only new', [resting, '1 cancel 1 new'], canceled],
    ['only partially filled', [resting, '1 cancel 1 partial'], ['refused CANCEL_RESTRICTED']],
    [
      'only new, but it is filled in part',
      [resting, '2 SELL 1 @ 100', '1 cancel 1 new'],
      ['refused CANCEL_RESTRICTED'],
    ],
    [
      'filled in part',
      [resting, '2 SELL 1 @ 100', '1 cancel 1 partial'],
      ['closed 1: CANCELED, filled 1, released 400'],
    ],
    [
      'all, oldest first',
      ['1 BUY 1 @ 7', '2 BUY 1 @ 8', '1 SELL 2 @ 9', '1 cancel all'],
      ['closed 1: CANCELED, filled 0, released 7', 'closed 3: CANCELED, filled 0, released 2'],
    ],
    ['all of none', ['2 BUY 1 @ 8', '1 cancel all'], ['refused UNKNOWN_ORDER']],
  ])
})

describe('queries', () => {
  const lines = ['1 BUY 5 @ 100 #mine', '2 SELL 2 @ 100', '1 SELL 3 @ 120', '2 BUY 1 @ 90']
  check([
    ['one', [...lines, '1 query 1'], ['order 1: 2 of 5 @ 100']],
    ['one by client id', [...lines, '1 query #mine'], ['order 1: 2 of 5 @ 100']],
    ['ids that disagree', [...lines, '1 query 1 #other'], ['refused CLIENT_ORDER_ID_INVALID']],
    ['one that is closed', [...lines, '2 query 2'], ['refused NO_SUCH_ORDER']],
    ["another's", [...lines, '2 query 1'], ['refused NO_SUCH_ORDER']],
    [
      'all',
      [...lines, '1 query all'],
      ['order 1: 2 of 5 @ 100', 'order 3: 0 of 3 @ 120', 'QueryEnd'],
    ],
    [
      'the book',
      [...lines, 'query book'],
      ['BookBegin', 'level bid 3 @ 100', 'level bid 1 @ 90', 'level ask 3 @ 120', 'BookEnd'],
    ],
  ])
})

test('commissions come from what is received and go to account 0', () => {
  const tape = new Tape()
  tape.run('1 SELL 200 @ 100')
  const [, trade] = tape.records('6 BUY 200 @ 100')
  expect(trade).toMatchObject({ takerCommissionAtoms: 6, makerCommissionAtoms: 0 })
  tape.run('1 BUY 300 @ 100')
  const [, second] = tape.records('6 SELL 300')
  expect(second).toMatchObject({ takerCommissionAtoms: 600, makerCommissionAtoms: 0 })
  expect(tape.balances.available(AccountId(0), AssetId(0))).toBe(6)
  expect(tape.balances.available(AccountId(0), AssetId(1))).toBe(600)
})

test('every record carries who asked; only the last is flagged; events count without gaps', () => {
  const tape = new Tape()
  tape.run('1 SELL 1 @ 100')
  tape.run('1 SELL 1 @ 101')
  const records = tape.records('2 BUY 3 @ 101')
  expect(records.map((it) => [it.gateway, it.correlation, it.last, it.sequence])).toEqual([
    [2, 3, false, 5],
    [2, 3, false, 6],
    [2, 3, false, 7],
    [2, 3, true, 8],
  ])
  expect(records.slice(1).map((it) => it.updateId)).toEqual([3, 4, 5])
})
