/** Stops, take-profits and trailing stops (supplement 2c.4) as tapes. */
import { describe, expect, test } from 'vitest'
import { check } from './check-tapes.ts'
import { Tape } from './tape.ts'

/** Lines after which the last price is `price`, and the book is empty. */
const trade = (price: number) => [`7 SELL 1 @ ${price}`, `6 BUY 1 @ ${price}`]

describe('placement', () => {
  check([
    ['a SELL waits and holds its quantity', ['1 SELL 5 stop 90'], ['accepted 1: 5, held 5']],
    ['a market BUY holds stop price × quantity', ['1 BUY 5 stop 110'], ['accepted 1: 5, held 550']],
    ['a limit BUY holds its price', ['1 BUY 5 @ 112 stop 110'], ['accepted 1: 5, held 560']],
    [
      'a trailing BUY without stop price holds what would wake it now',
      [...trade(99), '1 BUY 5 trail 250'],
      ['accepted 3: 5, held 510'],
    ],
    ['and nothing while no price is known', ['1 BUY 5 trail 250'], ['accepted 1: 5, held 0']],
    [
      'SELL stop-loss at the last price',
      [...trade(100), '1 SELL 5 stop 100'],
      ['refused WOULD_TRIGGER_IMMEDIATELY'],
    ],
    ['and just below', [...trade(100), '1 SELL 5 stop 99'], ['accepted 3: 5, held 5']],
    [
      'BUY stop-loss at the last price',
      [...trade(100), '1 BUY 5 stop 100'],
      ['refused WOULD_TRIGGER_IMMEDIATELY'],
    ],
    [
      'SELL take-profit at the last price',
      [...trade(100), '1 SELL 5 profit 100'],
      ['refused WOULD_TRIGGER_IMMEDIATELY'],
    ],
    [
      'BUY take-profit at the last price',
      [...trade(100), '1 BUY 5 @ 99 profit 100'],
      ['refused WOULD_TRIGGER_IMMEDIATELY'],
    ],
    ['too little to hold', ['1 BUY 1001 stop 100'], ['refused INSUFFICIENT_BALANCE']],
    ['its id is taken', ['1 SELL 1 stop 90 #a', '1 BUY 1 @ 1 #a'], ['refused DUPLICATE_ORDER']],
    [
      'canceled: all is released',
      ['1 BUY 5 stop 110', '1 cancel 1'],
      ['closed 1: CANCELED, filled 0, released 550'],
    ],
    ['queried', ['1 SELL 5 @ 89 stop 90 #a', '1 query #a'], ['order 1: 0 of 5 @ 89']],
    [
      'queried and canceled with all others, by id',
      ['1 SELL 5 stop 90', '1 BUY 1 @ 1', '1 SELL 2 profit 110', '1 query all'],
      ['order 1: 0 of 5 @ 0', 'order 2: 0 of 1 @ 1', 'order 3: 0 of 2 @ 0', 'QueryEnd'],
    ],
    [
      'all canceled, by id',
      ['1 SELL 5 stop 90', '1 BUY 1 @ 1', '1 SELL 2 profit 110', '1 cancel all'],
      [
        'closed 1: CANCELED, filled 0, released 5',
        'closed 2: CANCELED, filled 0, released 1',
        'closed 3: CANCELED, filled 0, released 2',
      ],
    ],
  ])
  describe('no more wait than could rest', () =>
    check(
      [
        [
          'the third',
          ['1 SELL 1 stop 9', '1 SELL 1 stop 9', '1 SELL 1 stop 9'],
          ['refused BOOK_FULL'],
        ],
      ],
      {},
      { ordersMax: 2 },
    ))
})

describe('triggers', () => {
  check([
    [
      'a limit type arrives as a limit order, after the execution that woke it',
      ['1 SELL 5 @ 89 stop 90', '2 BUY 3 @ 90', '3 SELL 2 @ 90'],
      [
        'accepted 3: 2, held 2',
        'trade 3 with 2: 2 @ 90',
        'then triggered 1: held 0',
        'trade 1 with 2: 1 @ 90',
        'rested 1: 4 @ 89',
      ],
    ],
    [
      'a market type pays what it sweeps: less than it held comes back',
      ['1 BUY 4 stop 110', '2 SELL 1 @ 110', '2 SELL 4 @ 105', '3 BUY 5 @ 110'],
      [
        'accepted 4: 5, held 550',
        'trade 4 with 3: 4 @ 105',
        'trade 4 with 2: 1 @ 110',
        'then triggered 1: held 0',
        'closed 1: EXPIRED REJECTED, filled 0, released 440',
      ],
    ],
    [
      'or more is taken',
      ['1 BUY 4 stop 110', '2 SELL 1 @ 110', '2 SELL 4 @ 120', '3 BUY 1 @ 110'],
      [
        'accepted 4: 1, held 110',
        'trade 4 with 2: 1 @ 110',
        'then triggered 1: held 40',
        'trade 1 with 3: 4 @ 120',
      ],
    ],
    [
      'and if it cannot pay, it expires',
      ['1 BUY 900 stop 110', '2 SELL 1 @ 110', '2 SELL 900 @ 120', '3 BUY 1 @ 110'],
      [
        'accepted 4: 1, held 110',
        'trade 4 with 2: 1 @ 110',
        'then triggered 1: held 0',
        'closed 1: EXPIRED REJECTED, filled 0, released 99000',
      ],
    ],
    [
      'what a thin book does not fill expires',
      ['1 SELL 5 stop 90', '2 BUY 1 @ 90', '2 BUY 2 @ 80', '3 SELL 1 @ 90'],
      [
        'accepted 4: 1, held 1',
        'trade 4 with 2: 1 @ 90',
        'then triggered 1: held -3',
        'trade 1 with 3: 2 @ 80',
        'closed 1: EXPIRED INSUFFICIENT_LIQUIDITY, filled 2, released 0',
      ],
    ],
    [
      'in order of placement, whatever their price',
      ['1 SELL 1 @ 50 stop 85', '1 SELL 1 @ 50 stop 95', '2 BUY 1 @ 80', '3 SELL 1 @ 80'],
      [
        'accepted 4: 1, held 1',
        'trade 4 with 3: 1 @ 80',
        'then triggered 1: held 0',
        'rested 1: 1 @ 50',
        'then triggered 2: held 0',
        'rested 2: 1 @ 50',
      ],
    ],
    [
      'each price of an execution counts, not only the last',
      [
        '1 BUY 1 @ 300 stop 105',
        '2 SELL 1 @ 100',
        '2 SELL 1 @ 110',
        '3 SELL 9 @ 90',
        '6 BUY 11 @ 110',
      ],
      [
        'accepted 5: 11, held 1210',
        'trade 5 with 4: 9 @ 90',
        'trade 5 with 2: 1 @ 100',
        'trade 5 with 3: 1 @ 110',
        'then triggered 1: held 0',
        'rested 1: 1 @ 300',
      ],
    ],
    [
      'cascade',
      [
        '1 SELL 1 @ 80 stop 90',
        '1 SELL 1 @ 70 stop 85',
        '2 BUY 1 @ 90',
        '2 BUY 1 @ 85',
        '2 BUY 1 @ 70',
        '3 SELL 1 @ 90',
      ],
      [
        'accepted 6: 1, held 1',
        'trade 6 with 3: 1 @ 90',
        'then triggered 1: held 0',
        'trade 1 with 4: 1 @ 85',
        'then triggered 2: held 0',
        'trade 2 with 5: 1 @ 70',
      ],
    ],
    [
      'FOK is judged when it is woken',
      ['1 SELL 5 @ 80 FOK stop 90', '2 BUY 1 @ 90', '2 BUY 1 @ 85', '3 SELL 1 @ 90'],
      [
        'accepted 4: 1, held 1',
        'trade 4 with 2: 1 @ 90',
        'then triggered 1: held 0',
        'closed 1: EXPIRED UNFILLED_FOK_ORDER_EXPIRED, filled 0, released 5',
      ],
    ],
  ])
})

/** faqs/trailing-stop-faq.md, "Trailing Stop Order Scenarios"; D's 43,012.5 in half units. */
test.each<[string, string, number[], number]>([
  ['A', '1 BUY 1 @ 450 stop 440 trail 500', [400, 370, 440, 450, 460, 420, 440], 441],
  ['B', '1 SELL 1 @ 380 stop 390 trail 1000', [400, 415, 390, 370, 410, 370], 369],
  [
    'C',
    '1 BUY 1 @ 38500 profit 38000 trail 850',
    [40000, 42000, 38000, 37000, 39000, 38000, 40144],
    40145,
  ],
  [
    'D',
    '1 SELL 1 @ 82000 profit 84000 trail 750',
    [80000, 83000, 78000, 84000, 90000, 88000, 93000, 86026],
    86025,
  ],
  ['E', '1 SELL 1 @ 39000 trail 700', [40000, 42000, 39500, 45500, 42316], 42315],
])('scenario %s', (_, line, prices, wakingPrice) => {
  const tape = new Tape()
  // Quote goes back and forth, so that none runs out of it.
  let [seller, buyer] = [7, 2]
  const trades = (price: number) => {
    ;[seller, buyer] = [buyer, seller]
    tape.run(`${seller} SELL 1 @ ${price}`)
    return tape.run(`${buyer} BUY 1 @ ${price} IOC`)
  }
  const [first, ...others] = prices
  trades(first!)
  const orderId = Number(/accepted (\d+)/.exec(tape.run(line)[0]!)![1])
  for (const price of others) expect(trades(price).join()).not.toContain('triggered')
  expect(trades(wakingPrice)).toContain(`then triggered ${orderId}: held 0`)
})
