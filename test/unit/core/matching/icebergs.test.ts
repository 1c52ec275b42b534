/** Icebergs (supplement 2c.5) as tapes. */
import { describe } from 'vitest'
import { check } from './check-tapes.ts'

describe('icebergs', () => {
  check([
    [
      'show a slice and hold for all',
      ['1 SELL 7 @ 100 show 3'],
      ['accepted 1: 7, held 7', 'rested 1: 3 @ 100'],
    ],
    [
      'so does depth',
      ['1 SELL 7 @ 100 show 3', 'query book'],
      ['BookBegin', 'level ask 3 @ 100', 'BookEnd'],
    ],
    [
      'the next slice joins the end of the level',
      ['1 SELL 7 @ 100 show 3', '2 SELL 2 @ 100', '3 BUY 8 @ 100'],
      [
        'accepted 3: 8, held 800',
        'trade 3 with 1: 3 @ 100',
        'shows 1: 3 @ 100',
        'trade 3 with 2: 2 @ 100',
        'trade 3 with 1: 3 @ 100',
        'shows 1: 1 @ 100',
      ],
    ],
    [
      'the last slice is what is left, and then it is filled',
      ['1 SELL 4 @ 100 show 3', '3 BUY 4 @ 100'],
      [
        'accepted 2: 4, held 400',
        'trade 2 with 1: 3 @ 100',
        'shows 1: 1 @ 100',
        'trade 2 with 1: 1 @ 100',
      ],
    ],
    [
      'as takers they match whole, then show a slice',
      ['2 SELL 5 @ 100', '1 BUY 9 @ 100 show 3'],
      ['accepted 2: 9, held 900', 'trade 2 with 1: 5 @ 100', 'rested 2: 3 @ 100'],
    ],
    [
      'canceled: the hidden part is released too',
      ['1 BUY 7 @ 100 show 3', '2 SELL 1 @ 100', '1 cancel 1'],
      ['closed 1: CANCELED, filled 1, released 600'],
    ],
    [
      'a MARKET order by amount is paid for hidden parts as well',
      ['1 SELL 4 @ 100 show 1', '2 SELL 1 @ 101', '3 BUY for 501'],
      [
        'accepted 3: 5, held 501',
        'trade 3 with 1: 1 @ 100',
        'shows 1: 1 @ 100',
        'trade 3 with 1: 1 @ 100',
        'shows 1: 1 @ 100',
        'trade 3 with 1: 1 @ 100',
        'shows 1: 1 @ 100',
        'trade 3 with 1: 1 @ 100',
        'trade 3 with 2: 1 @ 101',
      ],
    ],
    [
      'what they hide behind an own order is not reached',
      ['1 SELL 4 @ 100 show 1', '3 SELL 1 @ 100', '3 BUY 4 taker'],
      [
        'accepted 3: 4, held 100',
        'trade 3 with 1: 1 @ 100',
        'shows 1: 1 @ 100',
        'prevented 0 of 3 and 2: taker 3, maker 0',
        'closed 3: EXPIRED_IN_MATCH, filled 1, prevented 3, released 0',
      ],
    ],
    [
      'expire whole when they meet their owner',
      ['1 SELL 4 @ 100 show 1', '1 BUY 1 @ 100'],
      [
        'accepted 2: 1, held 100',
        'prevented 0 of 2 and 1: taker 0, maker 4',
        'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 4, released 4',
        'rested 2: 1 @ 100',
      ],
    ],
  ])
})
