/** Orders whose pending orders sell what they buy (faqs/opo.md), as tapes. Account 6 pays 3 % as a buying taker. */
import { describe, expect, test } from 'vitest'
import { ReferenceCalculation } from '../../../../src/base/codes.ts'
import { AssetId, QuoteAtoms } from '../../../../src/base/units.ts'
import { type NotionalRule, noReference, type SymbolSpec } from '../../../../src/market/listing.ts'
import { check } from './check-tapes.ts'
import { Tape, tapeSymbol } from './tape.ts'

const opo = '1 opo BUY 5 @ 100 | SELL 0 @ 120'
const opoco = '1 opoco BUY 99 @ 100 | SELL 0 stop 90 | SELL 0 @ 110 MAKER'
const partly = [opo, '2 SELL 2 @ 100']
const bought = ['2 SELL 99 @ 100', opoco]
const begun = (orderId: number, lots: number) => [
  `accepted ${orderId}: ${lots}, held ${lots * 100}`,
  `accepted ${orderId + 1}: 0, held 0`,
]
const started = 'list 1: EXEC_STARTED'
const done = 'list 1: ALL_DONE'

describe('what the working order receives is locked', () => {
  check([
    [
      'of a taker',
      ['2 SELL 3 @ 100', opo],
      [...begun(2, 5), started, 'trade 2 with 1: 3 @ 100', 'funded 3: held 3', 'rested 2: 2 @ 100'],
    ],
    [
      'of a maker, fill by fill, until the pending order sells it all',
      [...partly, '2 SELL 3 @ 100'],
      [
        ...['accepted 4: 3, held 3', 'trade 4 with 1: 3 @ 100', 'funded 2: held 3', started],
        ...['then released 2: held 0', 'rested 2: 5 @ 120', started],
      ],
    ],
    [
      'whole, where free funds cover the commission',
      ['6 SELL 997 @ 900', '2 SELL 100 @ 100', '6 opo BUY 100 @ 100 | SELL 0 @ 120'],
      [
        ...[...begun(3, 100), started, 'trade 3 with 2: 100 @ 100', 'funded 4: held 100', started],
        ...['then released 4: held 0', 'rested 4: 100 @ 120', started],
      ],
    ],
    [
      'less the commission, where they are one atom short',
      ['6 SELL 998 @ 900', '2 SELL 100 @ 100', '6 opo BUY 100 @ 100 | SELL 0 @ 120'],
      [
        ...[...begun(3, 100), started, 'trade 3 with 2: 100 @ 100', 'funded 4: held 97', started],
        ...['then released 4: held 0', 'rested 4: 97 @ 120', started],
      ],
    ],
    [
      'a market order at the end holds what the book takes',
      ['3 BUY 4 @ 99', '2 SELL 5 @ 100', '1 opo BUY 5 @ 100 | SELL 0'],
      [
        ...[...begun(3, 5), started, 'trade 3 with 2: 5 @ 100', 'funded 4: held 5', started],
        ...['then released 4: held -1', 'trade 4 with 1: 4 @ 99'],
        ...['closed 4: EXPIRED INSUFFICIENT_LIQUIDITY, filled 4, released 0', done],
      ],
    ],
  ])
})

describe('where the discount asset is what is bought', () => {
  check(
    [
      [
        'its commission is of what was received',
        ['2 SELL 100 @ 100', '6 opo BUY 100 @ 100 | SELL 0 @ 120'],
        [
          ...[...begun(2, 100), started, 'trade 2 with 1: 100 @ 100', 'funded 3: held 97', started],
          ...['then released 3: held 0', 'rested 3: 97 @ 120', started],
        ],
      ],
    ],
    {},
    { discountAssetId: AssetId(0) },
  )
})

describe('what was received is free again', () => {
  const canceled = [
    'closed 1: CANCELED, filled 2, released 300',
    'closed 2: CANCELED, filled 0, released 2',
    done,
  ]
  check([
    ['once the working order is canceled', [...partly, '1 cancel 1'], canceled],
    ['or the pending one', [...partly, '1 cancel 2'], canceled],
    ['or the list', [...partly, '1 cancel list 1'], canceled],
    ['or all', [...partly, '1 cancel all'], canceled],
    [
      'and pays for a replacement',
      [...partly, '1 replace 1 | SELL 1002 @ 200'],
      [...canceled, 'accepted 4: 1002, held 1002', 'rested 4: 1002 @ 200'].concat(
        'replaced: cancel done, order done',
      ),
    ],
    [
      'once the rest of the working order expires',
      ['2 SELL 3 @ 100', '1 opo BUY 5 @ 100 IOC | SELL 0 @ 120'],
      [
        ...[...begun(2, 5), started, 'trade 2 with 1: 3 @ 100', 'funded 3: held 3'],
        'closed 2: EXPIRED UNFILLED_IOC_QUANTITY_EXPIRED, filled 3, released 200',
        'closed 3: EXPIRED OTO_PHASE_ONE_EXPIRED, filled 0, released 3',
        done,
      ],
    ],
    [
      'or self-trade prevention ends it',
      [...partly, '1 SELL 9 @ 100'],
      [
        ...['accepted 4: 9, held 9', 'prevented 0 of 4 and 1: taker 0, maker 3'],
        'closed 1: EXPIRED_IN_MATCH, filled 2, prevented 3, released 300',
        'closed 2: EXPIRED OTO_PHASE_ONE_EXPIRED, filled 0, released 2',
        ...['rested 4: 9 @ 100', done],
      ],
    ],
    [
      'of a pair once',
      ['2 SELL 3 @ 100', opoco, '1 cancel 4'],
      [
        'closed 2: CANCELED, filled 3, released 9600',
        'closed 3: CANCELED, filled 0, released 3',
        'closed 4: CANCELED, filled 0, released 0',
        done,
      ],
    ],
  ])
})

describe('a transfer between two accounts counts as received', () => {
  const list = '3 opo BUY 5 @ 100 transfer | SELL 0 @ 120'
  check(
    [
      [
        'of a maker',
        [list, '4 SELL 2 @ 100 transfer', '2 SELL 3 @ 100'],
        [
          ...['accepted 4: 3, held 3', 'trade 4 with 1: 3 @ 100', 'funded 2: held 3', started],
          ...['then released 2: held 0', 'rested 2: 5 @ 120', started],
        ],
      ],
      [
        'of a taker, whose end by it frees all',
        ['4 SELL 9 @ 100 transfer', list],
        [
          ...[...begun(2, 5), started],
          'prevented 0 of 2 and 1: taker 5, maker 5, transferred 5, group 7',
          'funded 3: held 5',
          'decremented 1: prevented 5, released 0',
          'closed 2: EXPIRED_IN_MATCH, filled 0, prevented 5, released 0',
          'closed 3: EXPIRED OTO_PHASE_ONE_EXPIRED, filled 0, released 5',
          done,
        ],
      ],
    ],
    { preventionModes: [1, 2, 3, 4, 5] },
  )
})

describe('a pair', () => {
  const live = [
    ...['accepted 2: 99, held 9900', 'accepted 3: 0, held 0', 'accepted 4: 0, held 0', started],
    ...['trade 2 with 1: 99 @ 100', 'funded 3: held 99', started],
  ]
  check([
    [
      'sells the same, once',
      bought,
      [
        ...[...live, 'then released 3: held 0', started],
        ...['then released 4: held 0', 'rested 4: 99 @ 110', started],
      ],
    ],
    [
      'that does not stand around the last price expires',
      ['2 SELL 99 @ 100', opoco.replace('90', '105')],
      [
        ...[...live, 'then closed 3: EXPIRED REJECTED, filled 0, released 99'],
        ...['closed 4: EXPIRED REJECTED, filled 0, released 0', done],
      ],
    ],
    [
      'is one order once it trades',
      [...bought, '3 BUY 9 @ 110'],
      [
        ...['accepted 5: 9, held 990', 'trade 5 with 4: 9 @ 110'],
        ...['closed 3: EXPIRED OCO_TRIGGER, filled 0, released 0', started],
      ],
    ],
  ])
  check(
    [
      [
        'has the smaller quantity of both, in steps of MARKET_LOT_SIZE; the rest is free',
        bought,
        [
          ...[...live, 'then released 3: held -9', started],
          ...['then released 4: held 0', 'rested 4: 90 @ 110', started],
        ],
      ],
    ],
    { marketStepUnits: 10 },
  )
})

describe('the quantity of a pending order', () => {
  const bid = ['3 BUY 99 @ 99', '2 SELL 99 @ 100']
  const limit = '1 opo BUY 99 @ 100 | SELL 0 @ 120'
  const market = '1 opo BUY 99 @ 100 | SELL 0'
  const filled = (held: number, ...end: readonly string[]) => [
    ...[...begun(3, 99), started, 'trade 3 with 2: 99 @ 100', 'funded 4: held 99', started],
    ...[`then released 4: held ${held}`, ...end],
  ]
  const refused = [
    ...filled(0).slice(0, -1),
    'then closed 4: EXPIRED REJECTED, filled 0, released 99',
    done,
  ]
  check([['LOT_SIZE caps it', [...bid, limit], filled(-49, 'rested 4: 50 @ 120', started)]], {
    qtyLotsMax: 50,
  })
  check(
    [
      [
        'MARKET_LOT_SIZE caps it of a market order, in its steps',
        [...bid, market],
        filled(-59, 'trade 4 with 1: 40 @ 99', done),
      ],
    ],
    { marketQtyLotsMax: 47, marketStepUnits: 10 },
  )
  check([['may be below LOT_SIZE', [...bid, limit], refused]], { qtyLotsMin: 100 })
  check(
    [['may be the least of LOT_SIZE', [...bid, limit], filled(0, 'rested 4: 99 @ 120', started)]],
    {
      qtyLotsMin: 99,
    },
  )
  check([['may be below MARKET_LOT_SIZE', [...bid, market], refused]], { marketQtyLotsMin: 100 })
  const atoms = (least: number) => ({ notionalAtomsMin: QuoteAtoms(least) })
  check([['may be worth too little', [...bid, limit], refused]], atoms(99 * 120 + 1))
  check(
    [['may be worth just enough', [...bid, limit], filled(0, 'rested 4: 99 @ 120', started)]],
    atoms(99 * 120),
  )
  const rule = (appliesMin: boolean, atomsMin: number, atomsMax: number): NotionalRule => ({
    filterType: 'NOTIONAL',
    atomsMin: QuoteAtoms(atomsMin),
    atomsMax: QuoteAtoms(atomsMax),
    minAppliesToMarket: appliesMin,
    maxAppliesToMarket: !appliesMin,
    avgPriceMins: 5,
  })
  const sold = filled(0, 'trade 4 with 1: 99 @ 99', done)
  for (const [name, one, answer] of [
    ['below the least notional', rule(true, 9901, 1e12), refused],
    ['at the least notional', rule(true, 9900, 1e12), sold],
    ['at the largest notional', rule(false, 0, 9900), sold],
    ['above the largest notional', rule(false, 0, 9899), refused],
  ] as const) {
    check([[`of a market order at the last price: ${name}`, [...bid, market], answer]], {
      notionalRules: [one],
    })
  }
  // 99 traded at 60 before, so that the average is 80.
  const before = ['3 BUY 99 @ 60', '2 SELL 99 @ 60', ...bid, market]
  const { EXTERNAL } = ReferenceCalculation
  const reference = { ...noReference, calculation: EXTERNAL, externalId: 1 }
  const outcomeOf = (lines: readonly string[], spec: Partial<SymbolSpec>) => {
    const tape = new Tape(spec)
    return lines
      .map((line) => tape.run(line))
      .at(-1)!
      .join('\n')
  }
  const priced = ['0 reference 70', ...before]
  test.each([
    [
      'below it at the average',
      before,
      { notionalRules: [rule(true, 7921, 1e12)] },
      'closed 6: EXPIRED',
    ],
    [
      'at it at the average',
      before,
      { notionalRules: [rule(true, 7920, 1e12)] },
      'trade 6 with 3: 99 @ 99',
    ],
    [
      'above it at the average',
      before,
      { notionalRules: [rule(false, 0, 7919)] },
      'closed 6: EXPIRED',
    ],
    [
      'at the reference price',
      priced,
      { reference, notionalRules: [rule(true, 6930, 1e12)] },
      'trade 6 with 3: 99 @ 99',
    ],
    [
      'below it at the reference price',
      priced,
      { reference, notionalRules: [rule(true, 6931, 1e12)] },
      'closed 6: EXPIRED',
    ],
  ] as const)('of a market order: %s', (_, lines, spec, said) => {
    expect(outcomeOf(lines, spec)).toContain(said)
  })
  check([
    ['shows a part of it', [...bid, `${limit} show 98`], filled(0, 'rested 4: 98 @ 120', started)],
    ['which is less than all of it', [...bid, `${limit} show 99`], refused],
  ])
  const bounds = { ...tapeSymbol.bounds, icebergPartsMax: 3 }
  check(
    [
      [
        'shows it in as many parts as ICEBERG_PARTS allows',
        [...bid, `${limit} show 33`],
        filled(0, 'rested 4: 33 @ 120', started),
      ],
      ['shows it in no more', [...bid, `${limit} show 32`], refused],
    ],
    { bounds },
  )
})

describe('amendments', () => {
  const amended = [...partly, '1 amend 1 to 3']
  check([
    ['not of a pending order', [...partly, '1 amend 2 to 1'], ['refused AMEND_PENDING']],
    [
      'of the working order',
      [...amended, '2 SELL 1 @ 100'],
      [
        ...['accepted 4: 1, held 1', 'trade 4 with 1: 1 @ 100', 'funded 2: held 1', started],
        ...['then released 2: held 0', 'rested 2: 3 @ 120', started],
      ],
    ],
    [
      'of the pending order once it is released',
      [...amended, '2 SELL 1 @ 100', '1 amend 2 to 2'],
      ['amended 2: 3 to 2, shown -1, released 1'],
    ],
  ])
})
