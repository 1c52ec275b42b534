/** DECREMENT and TRANSFER (supplement 2c.7, faqs/stp_faq.md) as tapes; 3 and 4 are one trade group. */
import { describe, expect, test } from 'vitest'
import { AccountId, AssetId } from '../../../../src/base/units.ts'
import { BALANCE_WORDS } from '../../../../src/core/ledger/balances.ts'
import { check } from './check-tapes.ts'
import { Tape } from './tape.ts'

describe('DECREMENT', () => {
  check([
    [
      'scenario G: the taker ends, the maker continues',
      ['1 BUY 6 @ 2', '1 SELL 2 @ 2 decrement'],
      [
        'accepted 2: 2, held 2',
        'prevented 0 of 2 and 1: taker 2, maker 2',
        'decremented 1: prevented 2, released 4',
        'closed 2: EXPIRED_IN_MATCH, filled 0, prevented 2, released 2',
      ],
    ],
    [
      'the maker ends, the taker continues and rests',
      ['1 BUY 2 @ 2', '1 SELL 6 @ 2 decrement'],
      [
        'accepted 2: 6, held 6',
        'prevented 0 of 2 and 1: taker 2, maker 2',
        'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 2, released 4',
        'decremented 2: prevented 2, released 2',
        'rested 2: 4 @ 2',
      ],
    ],
    [
      'both end',
      ['1 BUY 2 @ 2', '1 SELL 2 @ 2 decrement'],
      [
        'accepted 2: 2, held 2',
        'prevented 0 of 2 and 1: taker 2, maker 2',
        'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 2, released 4',
        'closed 2: EXPIRED_IN_MATCH, filled 0, prevented 2, released 2',
      ],
    ],
    [
      'what is left trades on',
      ['1 BUY 2 @ 3', '2 BUY 9 @ 2', '1 SELL 6 @ 2 decrement'],
      [
        'accepted 3: 6, held 6',
        'prevented 0 of 3 and 1: taker 2, maker 2',
        'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 2, released 6',
        'decremented 3: prevented 2, released 2',
        'trade 3 with 2: 4 @ 2',
      ],
    ],
    [
      'a MARKET order holds for its trades alone',
      ['1 SELL 2 @ 10', '2 SELL 9 @ 20', '1 BUY 6 decrement'],
      [
        'accepted 3: 6, held 80',
        'prevented 0 of 3 and 1: taker 2, maker 2',
        'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 2, released 2',
        'decremented 3: prevented 2, released 0',
        'trade 3 with 2: 4 @ 20',
      ],
    ],
    [
      'FOK counts trades alone',
      ['1 SELL 2 @ 10', '2 SELL 4 @ 10', '1 BUY 6 @ 10 FOK decrement'],
      [
        'accepted 3: 6, held 60',
        'closed 3: EXPIRED UNFILLED_FOK_ORDER_EXPIRED, filled 0, released 60',
      ],
    ],
    [
      'an iceberg loses what it hides first',
      ['1 BUY 6 @ 2 show 2', '1 SELL 5 @ 2 decrement', 'query book'],
      ['BookBegin', 'level bid 1 @ 2', 'BookEnd'],
    ],
    [
      'a decremented order is queried with what it lost',
      ['1 BUY 6 @ 2', '1 SELL 2 @ 2 decrement', '1 query 1'],
      ['order 1: 0 of 6 @ 2'],
    ],
    [
      'and released of what is left',
      ['1 BUY 6 @ 2', '1 SELL 2 @ 2 decrement', '1 cancel 1'],
      ['closed 1: CANCELED, filled 0, prevented 2, released 8'],
    ],
  ])
})

describe('TRANSFER', () => {
  check([
    [
      'within one account is DECREMENT',
      ['3 BUY 6 @ 2 transfer', '3 SELL 2 @ 2 transfer'],
      [
        'accepted 2: 2, held 2',
        'prevented 0 of 2 and 1: taker 2, maker 2',
        'decremented 1: prevented 2, released 4',
        'closed 2: EXPIRED_IN_MATCH, filled 0, prevented 2, released 2',
      ],
    ],
    [
      'so it is when only the taker asks for it',
      ['3 BUY 2 @ 2', '4 SELL 2 @ 2 transfer'],
      [
        'accepted 2: 2, held 2',
        'prevented 0 of 2 and 1: taker 2, maker 2, group 7',
        'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 2, released 4',
        'closed 2: EXPIRED_IN_MATCH, filled 0, prevented 2, released 2',
      ],
    ],
    [
      'a BUY pays the price of the maker',
      ['3 SELL 2 @ 10 transfer', '4 BUY 5 @ 12 transfer'],
      [
        'accepted 2: 5, held 60',
        'prevented 0 of 2 and 1: taker 2, maker 2, transferred 2, group 7',
        'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 2, released 0',
        'decremented 2: prevented 2, released 0',
        'rested 2: 3 @ 12',
      ],
    ],
    [
      'a MARKET order holds for what it is transferred',
      ['3 SELL 2 @ 10 transfer', '2 SELL 1 @ 20', '4 BUY 3 transfer'],
      [
        'accepted 3: 3, held 40',
        'prevented 0 of 3 and 1: taker 2, maker 2, transferred 2, group 7',
        'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 2, released 0',
        'decremented 3: prevented 2, released 0',
        'trade 3 with 2: 1 @ 20',
      ],
    ],
    [
      'ends the other leg of an OCO, which could not be paid for',
      ['3 oco SELL 5 stop 8 transfer | SELL 5 @ 10 MAKER transfer', '4 BUY 2 @ 10 transfer'],
      [
        'accepted 3: 2, held 20',
        'prevented 0 of 3 and 2: taker 2, maker 2, transferred 2, group 7',
        'decremented 2: prevented 2, released 0',
        'closed 1: EXPIRED OCO_TRIGGER, filled 0, released 0',
        'closed 3: EXPIRED_IN_MATCH, filled 0, prevented 2, released 0',
        'list 1: EXEC_STARTED',
      ],
    ],
  ])

  test('scenario H: quantity and its price change hands', () => {
    const tape = new Tape()
    tape.run('3 BUY 6 @ 2 transfer')
    expect(tape.run('4 SELL 2 @ 2 transfer')).toEqual([
      'accepted 2: 2, held 2',
      'prevented 0 of 2 and 1: taker 2, maker 2, transferred 2, group 7',
      'decremented 1: prevented 2, released 0',
      'closed 2: EXPIRED_IN_MATCH, filled 0, prevented 2, released 0',
    ])
    const words = new Int32Array(BALANCE_WORDS)
    const balance = (account: number, asset: number) => {
      tape.balances.read(AccountId(account), AssetId(asset), words)
      return [words[1], words[3]]
    }
    expect([balance(3, 0), balance(3, 1)]).toEqual([
      [1002, 0],
      [99_988, 8],
    ])
    expect([balance(4, 0), balance(4, 1)]).toEqual([
      [998, 0],
      [100_004, 0],
    ])
  })
})
