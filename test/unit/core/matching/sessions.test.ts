/** Orders that end with a session, as tapes: canceled together, with nothing else. */
import { describe, expect, test } from 'vitest'
import { sessionOwners } from '../../../../src/core/matching/session-orders.ts'
import { check } from './check-tapes.ts'
import { Tape } from './tape.ts'

const canceled = (orderId: number, released: number, filled = 0) =>
  `closed ${orderId}: CANCELED, filled ${filled}, released ${released}`

describe('the end of a session', () => {
  check([
    [
      'cancels its orders, oldest first, and no others',
      [
        '1 BUY 5 @ 100 session 7',
        '1 BUY 5 @ 101',
        '1 BUY 5 @ 102 session 8',
        '2 BUY 5 @ 103 session 7',
        '1 BUY 5 @ 104 session 7',
        '1 cancel session 7',
      ],
      [canceled(1, 500), canceled(5, 520)],
    ],
    [
      'without open orders is refused',
      ['1 BUY 5 @ 100', '1 cancel session 7'],
      ['refused UNKNOWN_ORDER'],
    ],
    [
      'cancels what waits: stops, and all legs of a list once',
      [
        '7 SELL 1 @ 100',
        '6 BUY 1 @ 100',
        '1 BUY 5 stop 120 session 7',
        '1 oco SELL 5 stop 90 session 7 | SELL 5 @ 110 MAKER session 7',
        '1 otoco BUY 4 @ 95 session 7 | SELL 5 stop 90 session 7 | SELL 5 @ 110 MAKER session 7',
        '1 cancel session 7',
      ],
      [
        canceled(3, 600),
        canceled(4, 0),
        canceled(5, 5),
        canceled(6, 380),
        canceled(7, 0),
        canceled(8, 0),
        'list 1: ALL_DONE',
        'list 2: ALL_DONE',
      ],
    ],
    [
      'cancels what is left of an order, an iceberg, one that was amended or whose stop was met',
      [
        '1 SELL 5 @ 100 session 2097151',
        '1 SELL 9 @ 101 show 3 session 2097151',
        '1 SELL 6 @ 102 session 2097151',
        '1 amend 3 to 4',
        '1 SELL 2 @ 130 profit 100 session 2097151',
        '2 BUY 2 @ 100',
        '1 cancel session 2097151',
      ],
      [canceled(1, 3, 2), canceled(2, 9), canceled(3, 4), canceled(4, 2)],
    ],
    [
      'cancels what replaced an order',
      ['1 BUY 5 @ 100', '1 replace 1 | BUY 5 @ 99 session 7', '1 cancel session 7'],
      [canceled(2, 495)],
    ],
    [
      'finds nothing more the second time',
      ['1 BUY 5 @ 100 session 7', '1 cancel session 7', '1 cancel session 7'],
      ['refused UNKNOWN_ORDER'],
    ],
  ])
})

test('a start finds whose orders to cancel, the oldest first', () => {
  const tape = new Tape()
  for (const line of [
    '2 BUY 5 @ 99',
    '2 BUY 5 @ 100 session 9',
    '1 SELL 5 @ 120 session 3',
    '1 BUY 5 stop 130 session 8',
    '1 BUY 5 @ 101 session 3',
    '1 BUY 5 @ 98 session 9',
  ]) {
    tape.run(line)
  }
  expect(sessionOwners(tape.engine.state)).toMatchObject([
    { account: 2, session: 9 },
    { account: 1, session: 3 },
    { account: 1, session: 8 },
    { account: 1, session: 9 },
  ])
})
