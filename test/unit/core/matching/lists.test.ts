/** Order lists (supplement 2a.4, 2c.6) as tapes. */
import { describe } from 'vitest'
import { check } from './check-tapes.ts'

/** Lines after which the last price is 100; two orders. */
const at100 = ['7 SELL 1 @ 100', '6 BUY 1 @ 100']
const sellOco = '1 oco SELL 5 stop 90 | SELL 5 @ 110 MAKER'
const buyOco = '1 oco BUY 5 stop 110 | BUY 5 @ 90 MAKER'

describe('OCO', () => {
  check([
    [
      'a SELL locks its quantity once',
      [...at100, sellOco],
      [
        'accepted 3: 5, held 5',
        'accepted 4: 5, held 0',
        'list 1: EXEC_STARTED',
        'rested 4: 5 @ 110',
      ],
    ],
    [
      'a BUY the larger of both costs',
      [...at100, buyOco],
      [
        'accepted 3: 5, held 550',
        'accepted 4: 5, held 0',
        'list 1: EXEC_STARTED',
        'rested 4: 5 @ 90',
      ],
    ],
    [
      'whichever that is',
      [...at100, '1 oco BUY 5 @ 85 stop 110 | BUY 5 @ 90 MAKER'],
      [
        'accepted 3: 5, held 425',
        'accepted 4: 5, held 25',
        'list 1: EXEC_STARTED',
        'rested 4: 5 @ 90',
      ],
    ],
    [
      'prices on the wrong side',
      [...at100, '1 oco SELL 5 stop 101 | SELL 5 @ 110 MAKER'],
      ['refused PRICES_NOT_RELATED'],
    ],
    [
      'a limit at the last price',
      [...at100, '1 oco SELL 5 stop 90 | SELL 5 @ 100 MAKER'],
      ['refused PRICES_NOT_RELATED'],
    ],
    [
      'a limit that would match',
      [...at100, '2 BUY 1 @ 105', '1 oco SELL 5 stop 90 | SELL 5 @ 104 MAKER'],
      ['refused WOULD_MATCH_IMMEDIATELY'],
    ],
    ['a list id that is taken', [`${sellOco} #x`, `${sellOco} #x`], ['refused DUPLICATE_ORDER']],
    [
      'the first fill of the limit leg ends the stop leg',
      [...at100, buyOco, '2 SELL 1 @ 90'],
      [
        'accepted 5: 1, held 1',
        'trade 5 with 4: 1 @ 90',
        'closed 3: EXPIRED OCO_TRIGGER, filled 0, released 100',
        'list 1: EXEC_STARTED',
      ],
    ],
    [
      'and when it is filled whole the list is done',
      [...at100, buyOco, '2 SELL 1 @ 90', '2 SELL 4 @ 90'],
      ['accepted 6: 4, held 4', 'trade 6 with 4: 4 @ 90', 'list 1: ALL_DONE'],
    ],
    [
      'a trigger ends the limit leg, then executes',
      [...at100, buyOco, '2 SELL 1 @ 110', '2 SELL 3 @ 115', '3 BUY 1 @ 110'],
      [
        'accepted 7: 1, held 110',
        'trade 7 with 5: 1 @ 110',
        'then triggered 3: held -100',
        'closed 4: EXPIRED OCO_TRIGGER, filled 0, released 105',
        'trade 3 with 6: 3 @ 115',
        'closed 3: EXPIRED INSUFFICIENT_LIQUIDITY, filled 3, released 0',
        'list 1: ALL_DONE',
      ],
    ],
    [
      'canceling one leg cancels both',
      [...at100, '1 oco BUY 5 @ 85 stop 110 | BUY 5 @ 90 MAKER', '1 cancel 4'],
      [
        'closed 3: CANCELED, filled 0, released 0',
        'closed 4: CANCELED, filled 0, released 450',
        'list 1: ALL_DONE',
      ],
    ],
    [
      'the list canceled by its id',
      [...at100, sellOco, '1 cancel list 1'],
      [
        'closed 3: CANCELED, filled 0, released 0',
        'closed 4: CANCELED, filled 0, released 5',
        'list 1: ALL_DONE',
      ],
    ],
    [
      'by its client id',
      [...at100, sellOco, '1 cancel list #l3'],
      [
        'closed 3: CANCELED, filled 0, released 0',
        'closed 4: CANCELED, filled 0, released 5',
        'list 1: ALL_DONE',
      ],
    ],
    ["another account's list", [sellOco, '2 cancel list 1'], ['refused UNKNOWN_ORDER']],
    [
      'by ids that disagree',
      [sellOco, '1 cancel list 1', '1 cancel list 1'],
      ['refused UNKNOWN_ORDER'],
    ],
    [
      'the limit leg expires when it meets its owner, and the stop leg with it',
      [...at100, sellOco, '1 BUY 1 @ 110'],
      [
        'accepted 5: 1, held 110',
        'prevented 0 of 5 and 4: taker 0, maker 5',
        'closed 4: EXPIRED_IN_MATCH, filled 0, prevented 5, released 0',
        'closed 3: EXPIRED OCO_TRIGGER, filled 0, released 5',
        'rested 5: 1 @ 110',
        'list 1: ALL_DONE',
      ],
    ],
    [
      'two stops: whichever is reached first',
      [...at100, '1 oco SELL 5 stop 90 | SELL 5 profit 110', '2 BUY 9 @ 110', '3 SELL 1 @ 110'],
      [
        'accepted 6: 1, held 1',
        'trade 6 with 5: 1 @ 110',
        'then triggered 4: held 0',
        'closed 3: EXPIRED OCO_TRIGGER, filled 0, released 0',
        'trade 4 with 5: 5 @ 110',
        'list 1: ALL_DONE',
      ],
    ],
  ])
})

describe('OTO', () => {
  const oto = '1 oto BUY 5 @ 100 | SELL 5 @ 110'
  check([
    [
      'the pending leg holds nothing',
      [oto],
      [
        'accepted 1: 5, held 500',
        'accepted 2: 5, held 0',
        'list 1: EXEC_STARTED',
        'rested 1: 5 @ 100',
      ],
    ],
    [
      'a fill in part releases nothing',
      [oto, '2 SELL 4 @ 100'],
      ['accepted 3: 4, held 4', 'trade 3 with 1: 4 @ 100'],
    ],
    [
      'a whole one does, after the execution',
      [oto, '2 SELL 7 @ 100'],
      [
        'accepted 3: 7, held 7',
        'trade 3 with 1: 5 @ 100',
        'rested 3: 2 @ 100',
        'list 1: EXEC_STARTED',
        'then released 2: held 5',
        'rested 2: 5 @ 110',
        'list 1: EXEC_STARTED',
      ],
    ],
    [
      'filled at once',
      ['2 SELL 5 @ 100', oto],
      [
        'accepted 2: 5, held 500',
        'accepted 3: 5, held 0',
        'list 1: EXEC_STARTED',
        'trade 2 with 1: 5 @ 100',
        'list 1: EXEC_STARTED',
        'then released 3: held 5',
        'rested 3: 5 @ 110',
        'list 1: EXEC_STARTED',
      ],
    ],
    [
      'what is released may be a MARKET order',
      ['1 oto BUY 5 @ 100 | SELL 5', '3 BUY 9 @ 90', '2 SELL 5 @ 100'],
      [
        'accepted 4: 5, held 5',
        'trade 4 with 1: 5 @ 100',
        'list 1: EXEC_STARTED',
        'then released 2: held 5',
        'trade 2 with 3: 5 @ 90',
        'list 1: ALL_DONE',
      ],
    ],
    [
      'or a stop, which waits',
      ['1 oto BUY 5 @ 100 | SELL 5 stop 90', '2 SELL 5 @ 100'],
      [
        'accepted 3: 5, held 5',
        'trade 3 with 1: 5 @ 100',
        'list 1: EXEC_STARTED',
        'then released 2: held 5',
        'list 1: EXEC_STARTED',
      ],
    ],
    [
      'one that would trigger at once expires',
      ['1 oto BUY 5 @ 100 | SELL 5 stop 100', '2 SELL 5 @ 100'],
      [
        'accepted 3: 5, held 5',
        'trade 3 with 1: 5 @ 100',
        'list 1: EXEC_STARTED',
        'then closed 2: EXPIRED REJECTED, filled 0, released 0',
        'list 1: ALL_DONE',
      ],
    ],
    [
      'one without funds too',
      ['1 oto BUY 5 @ 100 | SELL 2000 @ 110', '2 SELL 5 @ 100'],
      [
        'accepted 3: 5, held 5',
        'trade 3 with 1: 5 @ 100',
        'list 1: EXEC_STARTED',
        'then closed 2: EXPIRED REJECTED, filled 0, released 0',
        'list 1: ALL_DONE',
      ],
    ],
    [
      'the working leg canceled, so is the pending one',
      [oto, '1 cancel 1'],
      [
        'closed 1: CANCELED, filled 0, released 500',
        'closed 2: CANCELED, filled 0, released 0',
        'list 1: ALL_DONE',
      ],
    ],
    [
      'the working leg expired, so is the pending one',
      ['2 SELL 2 @ 100', '1 oto BUY 5 @ 100 IOC | SELL 5 @ 110'],
      [
        'accepted 2: 5, held 500',
        'accepted 3: 5, held 0',
        'list 1: EXEC_STARTED',
        'trade 2 with 1: 2 @ 100',
        'closed 2: EXPIRED UNFILLED_IOC_QUANTITY_EXPIRED, filled 2, released 300',
        'closed 3: EXPIRED OTO_PHASE_ONE_EXPIRED, filled 0, released 0',
        'list 1: ALL_DONE',
      ],
    ],
    ['a pending id is taken', [oto, '1 BUY 1 @ 1 #p1b'], ['refused DUPLICATE_ORDER']],
    ['a pending order is queried', [oto, '1 query #p1b'], ['order 2: 0 of 5 @ 110']],
  ])
})

describe('OTOCO', () => {
  const otoco = '1 otoco BUY 5 @ 100 | SELL 5 stop 90 | SELL 5 @ 110 MAKER'
  const released = [
    'accepted 4: 5, held 5',
    'trade 4 with 1: 5 @ 100',
    'list 1: EXEC_STARTED',
    'then released 2: held 5',
    'list 1: EXEC_STARTED',
    'then released 3: held 0',
    'rested 3: 5 @ 110',
    'list 1: EXEC_STARTED',
  ]
  check([
    ['the pair is released in two executions, and pays once', [otoco, '2 SELL 5 @ 100'], released],
    [
      'from then on it is an OCO',
      [otoco, '2 SELL 5 @ 100', '2 BUY 2 @ 110'],
      [
        'accepted 5: 2, held 220',
        'trade 5 with 3: 2 @ 110',
        'closed 2: EXPIRED OCO_TRIGGER, filled 0, released 0',
        'list 1: EXEC_STARTED',
      ],
    ],
    [
      'a pair whose prices do not stand around the last expires',
      ['1 otoco BUY 5 @ 100 | SELL 5 stop 90 | SELL 5 @ 99 MAKER', '2 SELL 5 @ 100'],
      [
        'accepted 4: 5, held 5',
        'trade 4 with 1: 5 @ 100',
        'list 1: EXEC_STARTED',
        'then closed 2: EXPIRED REJECTED, filled 0, released 0',
        'closed 3: EXPIRED REJECTED, filled 0, released 0',
        'list 1: ALL_DONE',
      ],
    ],
    [
      'canceled all three',
      [otoco, '1 cancel 3'],
      [
        'closed 1: CANCELED, filled 0, released 500',
        'closed 2: CANCELED, filled 0, released 0',
        'closed 3: CANCELED, filled 0, released 0',
        'list 1: ALL_DONE',
      ],
    ],
  ])
})
