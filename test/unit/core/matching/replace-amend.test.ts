/** Cancel-replace (supplement 2a.5) and amendments (2a.6) as tapes. */
import { describe } from 'vitest'
import { QuoteAtoms } from '../../../../src/base/units.ts'
import { check } from './check-tapes.ts'
import { tapeSymbol } from './tape.ts'

const boundedTo = (bounds: object) => ({ bounds: { ...tapeSymbol.bounds, ...bounds } })

describe('cancel-replace', () => {
  check([
    [
      'the new order may use what the old one held, and its id',
      ['1 BUY 1000 @ 100 #o2', '1 replace 1 | BUY 1000 @ 99'],
      [
        'closed 1: CANCELED, filled 0, released 100000',
        'accepted 2: 1000, held 99000',
        'rested 2: 1000 @ 99',
        'replaced: cancel done, order done',
      ],
    ],
    [
      'the old order is unknown: nothing is tried',
      ['1 replace 1 | BUY 1 @ 99'],
      ['replaced: cancel UNKNOWN_ORDER, order not tried'],
    ],
    [
      'unless it shall be anyway',
      ['1 replace 1 anyway | BUY 1 @ 99'],
      ['accepted 1: 1, held 99', 'rested 1: 1 @ 99', 'replaced: cancel UNKNOWN_ORDER, order done'],
    ],
    [
      'a new order that is refused leaves the old one canceled',
      ['1 BUY 1 @ 100', '1 replace 1 | BUY 2000 @ 99'],
      [
        'closed 1: CANCELED, filled 0, released 100',
        'replaced: cancel done, order INSUFFICIENT_BALANCE',
      ],
    ],
    [
      'consequences come after the answer',
      ['1 SELL 1 @ 80 stop 90', '2 BUY 2 @ 90', '3 BUY 1 @ 50', '3 replace 3 | SELL 1 @ 90'],
      [
        'closed 3: CANCELED, filled 0, released 50',
        'accepted 4: 1, held 1',
        'trade 4 with 2: 1 @ 90',
        'then triggered 1: held 0',
        'trade 1 with 2: 1 @ 90',
        'replaced: cancel done, order done',
      ],
    ],
    [
      'a leg takes its list with it',
      ['1 oto BUY 1 @ 50 | SELL 1 @ 60', '1 replace 2 | BUY 1 @ 40'],
      [
        'closed 1: CANCELED, filled 0, released 50',
        'closed 2: CANCELED, filled 0, released 0',
        'list 1: ALL_DONE',
        'accepted 3: 1, held 40',
        'rested 3: 1 @ 40',
        'replaced: cancel done, order done',
      ],
    ],
  ])
  describe('filters count the old order still', () =>
    check(
      [
        [
          'nothing is canceled',
          ['1 BUY 1 @ 1', '1 replace 1 | BUY 1 @ 2'],
          ['refused MAX_NUM_ORDERS'],
        ],
      ],
      boundedTo({ ordersMax: 1 }),
    ))
})

describe('amendments', () => {
  check([
    [
      'lower the quantity',
      ['1 BUY 5 @ 100', '1 amend 1 to 3'],
      ['amended 1: 5 to 3, shown -2, released 200'],
    ],
    [
      'and keep the place in the queue',
      ['1 BUY 5 @ 100', '2 BUY 5 @ 100', '1 amend 1 to 3', '3 SELL 4 @ 100'],
      ['accepted 3: 4, held 4', 'trade 3 with 1: 3 @ 100', 'trade 3 with 2: 1 @ 100'],
    ],
    [
      'with a new id',
      ['1 BUY 5 @ 100 #a', '1 amend 1 to 3 as b', '1 query #b'],
      ['order 1: 0 of 3 @ 100'],
    ],
    [
      'and the old one is free',
      ['1 BUY 5 @ 100 #a', '1 amend 1 to 3 as b', '1 query #a'],
      ['refused NO_SUCH_ORDER'],
    ],
    [
      'an id that is taken',
      ['1 BUY 5 @ 100 #a', '1 SELL 1 stop 9 #b', '1 amend 1 to 3 as b'],
      ['refused DUPLICATE_ORDER'],
    ],
    [
      'its own id',
      ['1 BUY 5 @ 100 #a', '1 amend 1 to 3 as a'],
      ['amended 1: 5 to 3, shown -2, released 200'],
    ],
    ['more', ['1 BUY 5 @ 100', '1 amend 1 to 6'], ['refused AMEND_INCREASES']],
    ['the same', ['1 BUY 5 @ 100', '1 amend 1 to 5'], ['refused AMEND_CHANGES_NOTHING']],
    [
      'what is filled already',
      ['1 BUY 5 @ 100', '2 SELL 3 @ 100', '1 amend 1 to 3'],
      ['refused AMEND_CHANGES_NOTHING'],
    ],
    ['not its own', ['1 BUY 5 @ 100', '2 amend 1 to 3'], ['refused UNKNOWN_ORDER']],
    [
      'a stop',
      ['1 BUY 5 stop 110', '1 amend 1 to 3'],
      ['amended 1: 5 to 3, shown -0, released 220'],
    ],
    [
      'an iceberg: what it hides goes first',
      ['1 SELL 7 @ 100 show 3', '1 amend 1 to 4'],
      ['amended 1: 7 to 4, shown -0, released 3'],
    ],
    [
      'and then what it shows',
      ['1 SELL 7 @ 100 show 3', '1 amend 1 to 2'],
      ['amended 1: 7 to 2, shown -1, released 5'],
    ],
    [
      'both legs of an OCO',
      ['1 oco BUY 5 stop 110 | BUY 5 @ 90 MAKER', '1 amend 2 to 3 as b'],
      [
        'amended 1: 5 to 3, shown -0, released 100',
        'amended 2 as b: 5 to 3, shown -2, released 120',
        'list 1: UPDATED',
      ],
    ],
    [
      'legs of an OTO one by one',
      ['1 oto BUY 5 @ 100 | SELL 5 @ 110', '1 amend 2 to 3'],
      ['amended 2: 5 to 3, shown -0, released 0'],
    ],
  ])
  describe('stay worth enough', () =>
    check(
      [
        ['', ['1 BUY 5 @ 100', '1 amend 1 to 3'], ['amended 1: 5 to 3, shown -2, released 200']],
        ['or not', ['1 BUY 5 @ 100', '1 amend 1 to 2'], ['refused NOTIONAL_TOO_SMALL']],
        [
          'a stop limit',
          ['1 BUY 5 @ 100 stop 110', '1 amend 1 to 2'],
          ['refused NOTIONAL_TOO_SMALL'],
        ],
        [
          'both legs of an OCO',
          ['1 oco BUY 5 stop 210 | BUY 5 @ 90 MAKER', '1 amend 1 to 3'],
          ['refused NOTIONAL_TOO_SMALL'],
        ],
        [
          'but a stop without a limit has no price',
          ['1 BUY 5 stop 110', '1 amend 1 to 1'],
          ['amended 1: 5 to 1, shown -0, released 440'],
        ],
      ],
      { notionalAtomsMin: QuoteAtoms(300) },
    ))
  describe('are bounded', () =>
    check(
      [
        [
          'for each order',
          ['1 BUY 5 @ 100', '1 amend 1 to 4', '1 amend 1 to 3'],
          ['refused MAX_NUM_ORDER_AMENDS'],
        ],
      ],
      boundedTo({ amendmentsMax: 1 }),
    ))
})

const at100 = ['2 BUY 1 @ 100', '3 SELL 1 @ 100']
const oco = [...at100, '1 oco SELL 5 stop 90 | SELL 5 @ 110 MAKER']
/** The leg that rests loses two lots to self-trade prevention. */
const decremented = [...oco, '1 BUY 2 @ 110 decrement']

describe('amendments of a leg whose sibling lost lots to prevention', () => {
  check([
    [
      'both legs follow, and what was lost stays lost',
      [...decremented, '1 amend 3 to 4'],
      ['amended 3: 5 to 4, shown -0, released 1', 'amended 4: 5 to 4, shown -1, released 0'],
    ],
    [
      'not below what the sibling has left',
      [...decremented, '1 amend 3 to 2'],
      ['refused AMEND_CHANGES_NOTHING'],
    ],
    [
      'nor by the leg that lost them',
      [...decremented, '1 amend 4 to 2'],
      ['refused AMEND_CHANGES_NOTHING'],
    ],
    [
      'the last lot continues',
      [...decremented, '1 amend 3 to 3', '2 BUY 9 @ 110'],
      [
        'accepted 6: 9, held 990',
        'trade 6 with 4: 1 @ 110',
        'closed 3: EXPIRED OCO_TRIGGER, filled 0, released 2',
        'rested 6: 8 @ 110',
        'list 1: ALL_DONE',
      ],
    ],
    [
      'and the stop still sells its own',
      [...decremented, '1 amend 4 to 3', '2 BUY 9 @ 89', '3 SELL 1 @ 89'],
      [
        'accepted 7: 1, held 1',
        'trade 7 with 6: 1 @ 89',
        'then triggered 3: held 0',
        'closed 4: EXPIRED OCO_TRIGGER, filled 0, prevented 2, released 0',
        'trade 3 with 6: 3 @ 89',
        'list 1: ALL_DONE',
      ],
    ],
  ])
})
