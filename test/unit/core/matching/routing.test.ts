/** Smart order routing: the examples of faqs/sor_faq.md with their numbers, and what a group's account can pay. */
import { describe, expect, test, vi } from 'vitest'
import {
  namesOf,
  OrderStatus,
  ReferenceCalculation,
  RejectReason,
  SymbolStatus,
} from '../../../../src/base/codes.ts'
import { AssetId } from '../../../../src/base/units.ts'
import { Balances } from '../../../../src/core/ledger/balances.ts'
import { readSymbol, writeSymbol } from '../../../../src/core/matching/symbol-image.ts'
import { ImageReader, ImageWriter } from '../../../../src/layout/image.ts'
import { noPhases, noRange, specifySymbol } from '../../../../src/market/listing.ts'
import { GroupTape, groupListings, SOR_ACCOUNT } from './group-tape.ts'

const statusNames = namesOf(OrderStatus)

/** One lot is a tenth of a coin; symbols are BTCUSDT, BTCUSDC, BTCUSDP of the FAQ. */
const asks = [
  '0: 2 SELL 30 @ 30800',
  '0: 2 SELL 30 @ 30500',
  '1: 2 SELL 10 @ 30000',
  '1: 2 SELL 10 @ 28000',
  '2: 2 SELL 10 @ 35000',
  '2: 2 SELL 10 @ 29000',
]
const bids = [
  '0: 2 BUY 50 @ 29500',
  '1: 2 BUY 50 @ 35000',
  '1: 2 BUY 50 @ 30000',
  '2: 2 BUY 50 @ 28000',
]

function fills(records: ReturnType<GroupTape['run']>): unknown[] {
  return records
    .filter(({ name }) => name === 'Allocation')
    .map((it) => [Number(it.allocatedLots) / 10, Number(it.priceUnits) / 1e8, it.allocationId])
}

function placed(tape: GroupTape, book: readonly string[], line: string) {
  tape.run(...book)
  const records = tape.run(line)
  const last = records.filter(({ name }) => name === 'Allocation').at(-1)
  const closed = records.find(({ name, gateway }) => name === 'OrderClosed' && gateway !== -1)
  const status = closed?.status ?? last?.takerStatus
  return {
    fills: fills(records),
    status: statusNames[Number(status)],
    spent: Number(last?.takerFilledAtoms) / 10,
  }
}

const rich = { funds: 100_000_000 }

describe('faqs/sor_faq.md', () => {
  test('example 1', () => {
    expect(placed(new GroupTape(rich), asks, '0: 1 BUY 5 @ 31000 sor')).toEqual({
      fills: [[0.5, 28_000, 0]],
      status: 'FILLED',
      spent: 14_000,
    })
  })

  test('example 2', () => {
    expect(placed(new GroupTape(rich), asks, '0: 1 BUY 50 @ 31000 sor')).toEqual({
      fills: [
        [1, 28_000, 0],
        [1, 29_000, 1],
        [1, 30_000, 2],
        [2, 30_500, 3],
      ],
      status: 'FILLED',
      spent: 148_000,
    })
  })

  test('example 3', () => {
    expect(placed(new GroupTape(rich), asks, '0: 1 BUY 110 sor')).toEqual({
      fills: [
        [1, 28_000, 0],
        [1, 29_000, 1],
        [1, 30_000, 2],
        [3, 30_500, 3],
        [3, 30_800, 4],
        [1, 35_000, 5],
      ],
      status: 'EXPIRED',
      spent: 305_900,
    })
  })

  test('example 4', () => {
    expect(placed(new GroupTape(rich), bids, '0: 1 SELL 100 @ 29000 sor')).toEqual({
      fills: [
        [5, 35_000, 0],
        [5, 30_000, 1],
      ],
      status: 'FILLED',
      spent: 325_000,
    })
  })
})

describe('the account of the group', () => {
  test('pays makers in their quote and takes that of the order, one to one', () => {
    const tape = new GroupTape(rich)
    placed(tape, asks, '0: 1 BUY 50 @ 31000 sor')
    const free = (account: number) => [0, 1, 2, 3].map((asset) => tape.free(account, asset))
    expect(free(1)).toEqual([100_000_050, 100_000_000 - 1_480_000, 100_000_000, 100_000_000])
    expect(free(SOR_ACCOUNT)).toEqual([0, 100_000_000 + 870_000, 99_420_000, 99_710_000])
  })

  test('gives the order its quote, and takes those of makers', () => {
    const tape = new GroupTape(rich)
    placed(tape, bids, '0: 1 SELL 100 @ 29000 sor')
    expect(tape.free(1, 1)).toBe(100_000_000 + 3_250_000)
    expect(tape.free(SOR_ACCOUNT, 1)).toBe(100_000_000 - 3_250_000)
    expect(tape.free(SOR_ACCOUNT, 2)).toBe(100_000_000 + 3_250_000)
  })

  test('what it cannot pay counts as absent', () => {
    const tape = new GroupTape({ ...rich, sorFunds: 140_000 })
    expect(placed(tape, asks, '0: 1 BUY 50 @ 31000 sor').fills).toEqual([
      [0.5, 28_000, 0],
      [0.4, 29_000, 1],
      [3, 30_500, 2],
      [1.1, 30_800, 3],
    ])
  })

  test('of a SELL, all books together', () => {
    const tape = new GroupTape({ ...rich, sorFunds: 700_000 })
    expect(placed(tape, bids, '0: 1 SELL 60 @ 20000 sor').fills).toEqual([
      [2, 35_000, 0],
      [4, 29_500, 1],
    ])
  })

  test('needs nothing in the order’s own book', () => {
    const tape = new GroupTape({ ...rich, sorFunds: 0 })
    expect(placed(tape, asks, '0: 1 BUY 30 @ 31000 sor').fills).toEqual([[3, 30_500, 0]])
  })

  test.each([
    ['0: 1 BUY 20 @ 31000 sor', 1, asks],
    ['0: 1 SELL 20 @ 20000 sor', 1, bids],
    ['0: 1 BUY 20 @ 31000 sor', 2, asks],
  ])('may lose some to another matcher while %s is decided, at hold %i', (line, at, book) => {
    const { prototype } = Balances
    const { hold } = prototype
    let holds = 0
    const expected = placed(new GroupTape(rich), book, line)
    const tape = new GroupTape(rich)
    tape.run(...book)
    vi.spyOn(prototype, 'hold').mockImplementation(function (this: Balances, account, ...of) {
      const isLost = account === SOR_ACCOUNT && ++holds === at
      return !isLost && hold.call(this, account, ...of)
    })
    expect(fills(tape.run(line))).toEqual(expected.fills)
    vi.restoreAllMocks()
    expect(holds).toBeGreaterThan(at)
  })

  test('is free again where the order itself cannot pay', () => {
    const tape = new GroupTape({ ...rich, funds: 300_000, sorFunds: 100_000_000 })
    tape.run(...asks)
    expect(tape.run('0: 1 BUY 20 @ 31000 sor')[0]).toMatchObject({ name: 'Rejected' })
    for (const asset of [1, 2, 3]) {
      expect(tape.free(SOR_ACCOUNT, asset)).toBe(100_000_000)
      expect(tape.market.balances.owned(SOR_ACCOUNT, AssetId(asset))).toBe(100_000_000n)
    }
  })

  test('routes no order of its own', () => {
    expect(new GroupTape(rich).run('0: 7 BUY 1 @ 100 sor')[0]).toMatchObject({ name: 'Rejected' })
  })
})

test('what is left rests in the submitted book', () => {
  const tape = new GroupTape(rich)
  tape.run(...asks)
  const records = tape.run('0: 1 BUY 100 @ 30500 sor')
  expect(records.at(-1)).toMatchObject({ name: 'OrderRested', symbolId: 0, restedLots: 40 })
})

test('a trade moves the price of its own book alone, and its triggers', () => {
  const tape = new GroupTape(rich)
  tape.run(...asks, '1: 3 BUY 1 stop 28000', '0: 3 BUY 1 @ 20000 #x')
  const records = tape.run('0: 1 BUY 5 @ 31000 sor')
  const { engines } = tape.market
  expect(engines.map(({ state }) => state.lastPriceTicks)).toEqual([0, 28_000, 0])
  expect(records.filter(({ name }) => name === 'OrderTriggered')).toMatchObject([{ symbolId: 1 }])
})

test('FOK looks at all books', () => {
  const tape = new GroupTape(rich)
  expect(placed(tape, asks, '0: 1 BUY 90 @ 31000 FOK sor').status).toBe('FILLED')
  const other = new GroupTape(rich)
  expect(placed(other, asks, '0: 1 BUY 91 @ 31000 FOK sor')).toMatchObject({
    fills: [],
    status: 'EXPIRED',
  })
})

test('at equal prices the own book comes first, then the group’s order', () => {
  const tape = new GroupTape(rich)
  tape.run('1: 2 SELL 1 @ 100', '0: 2 SELL 1 @ 100', '2: 2 SELL 1 @ 100')
  const records = tape.run('2: 1 BUY 3 @ 100 sor')
  const sources = records.filter(({ name }) => name === 'Allocation')
  expect(sources.map(({ sourceSymbolId }) => sourceSymbolId)).toEqual([2, 0, 1])
})

describe('prevention', () => {
  const own = ['1: 1 SELL 10 @ 100', '1: 2 SELL 10 @ 101', '0: 2 SELL 10 @ 102']

  test('compares the owner of the order, and ends its orders in other books', () => {
    const tape = new GroupTape(rich)
    tape.run(...own)
    const records = tape.run('0: 1 BUY 5 @ 200 maker sor')
    expect(fills(records)).toEqual([[0.5, 101, 0]])
    expect(records.find(({ name }) => name === 'MatchPrevented')).toMatchObject({
      symbolId: 0,
      takerAccount: 1,
      makerAccount: 1,
      makerOrderId: 1,
      matchLots: 5,
      'across.otherSymbolId': 1,
    })
    expect(records.at(-1)).toMatchObject({
      name: 'OrderClosed',
      symbolId: 1,
      gateway: -1,
      orderId: 1,
      'across.otherSymbolId': 0,
    })
  })

  test('takes a part of an order that was accepted last in its book, and that is recovered', () => {
    const tape = new GroupTape(rich)
    const records = tape.run('1: 1 BUY 4 @ 95', '0: 1 SELL 2 @ 90 decrement sor')
    expect(records.at(-1)).toMatchObject({
      name: 'OrderDecremented',
      symbolId: 1,
      preventedLots: 2,
    })
  })

  test('ends the order', () => {
    const tape = new GroupTape(rich)
    tape.run(...own)
    const records = tape.run('0: 1 BUY 5 @ 200 taker sor')
    expect(records.map(({ name }) => name)).toEqual([
      'OrderAccepted',
      'MatchPrevented',
      'OrderClosed',
    ])
  })

  test.each(['decrement', 'transfer'])('%s takes of both, and transfers nothing', (mode) => {
    const tape = new GroupTape(rich)
    tape.run(...own)
    const records = tape.run(`0: 1 BUY 15 @ 200 ${mode} sor`)
    expect(fills(records)).toEqual([[0.5, 101, 0]])
    const changed = records.filter(({ name }) => /Decremented|Closed/.test(String(name)))
    expect(changed).toMatchObject([
      { symbolId: 0, name: 'OrderDecremented', preventedLots: 10 },
      { symbolId: 1, name: 'OrderClosed', preventedLots: 10 },
    ])
  })
})

describe('bounds and rules of other books', () => {
  test('a book that does not trade is passed by', () => {
    const tape = new GroupTape(rich)
    tape.run(...asks)
    tape.respecify(1, { status: SymbolStatus.HALT })
    const fillsOf = fills(tape.run('0: 1 BUY 30 @ 31000 sor'))
    expect(fillsOf).toEqual([
      [1, 29_000, 0],
      [2, 30_500, 1],
    ])
  })

  test('a book whose band forbids the price is passed by, and not interrupted', () => {
    const phases = { ...noPhases, interruptionBasisPoints: 100, interruptionWindowMs: 60_000 }
    const tape = new GroupTape(rich)
    tape.respecify(1, { phases: { ...phases, interruptionCallMs: 1_000 } })
    tape.run('1: 2 SELL 1 @ 20000', '1: 3 BUY 1 @ 20000', ...asks)
    expect(fills(tape.run('0: 1 BUY 10 @ 31000 sor'))).toEqual([[1, 29_000, 0]])
    expect(tape.market.engines[1]!.state.phase).toBe(SymbolStatus.TRADING)
  })

  test('a book whose price range forbids the price is passed by, and ends nothing', () => {
    const reference = {
      calculation: ReferenceCalculation.ARITHMETIC_MEAN,
      ...{ bucketCount: 3, bucketWidthMs: 60_000, externalId: 0 },
    }
    const tape = new GroupTape(rich)
    tape.respecify(1, { reference, priceRange: { ...noRange, bidUp: 10_100 } })
    tape.run('1: 2 SELL 1 @ 20000', '1: 3 BUY 1 @ 20000', ...asks)
    expect(placed(tape, [], '0: 1 BUY 10 @ 31000 FOK sor')).toMatchObject({
      fills: [[1, 29_000, 0]],
      status: 'FILLED',
    })
  })

  test('a quantity that is no multiple of the other step is left', () => {
    const specs = groupListings.map((listing, i) => {
      const stepSize = i === 1 ? '0.00000003' : '0.00000001'
      const filters = [
        listing.filters[0]!,
        { filterType: 'LOT_SIZE', minQty: stepSize, maxQty: '1', stepSize },
      ]
      return specifySymbol({ ...listing, filters })
    })
    const tape = new GroupTape({ ...rich, specs })
    tape.run('1: 2 SELL 10 @ 100', '0: 2 SELL 50 @ 101')
    // Of ticks and lots of symbol 1, three of 3 atoms; two are left to the own book.
    expect(fills(tape.run('0: 1 BUY 11 @ 200 sor'))).toEqual([
      [0.9, 100, 0],
      [0.2, 101, 1],
    ])
  })

  test('more than an execution has room for is refused', () => {
    const bounds = { executionMatchesMax: 11, levelLotsMax: 2 ** 53 }
    const tape = new GroupTape({ ...rich, bounds })
    tape.run(...asks)
    expect(tape.run('0: 1 BUY 20 @ 31000 sor')[0]).toMatchObject({
      name: 'Rejected',
      reason: RejectReason.TOO_MANY_MATCHES,
    })
    expect(fills(tape.run('0: 1 BUY 10 @ 31000 sor'))).toHaveLength(1)
  })
})

test.each([0, 1])('what a paying maker of symbol %i receives is locked, and sold on', (symbol) => {
  const tape = new GroupTape(rich)
  tape.run(`${symbol}: 1 opo BUY 5 @ 100 | SELL 0 @ 120`)
  const records = tape.run('0: 2 SELL 5 @ 90 sor')
  expect(records.find(({ name }) => name === 'OrderFunded')).toMatchObject({
    symbolId: symbol,
    heldAtoms: 5,
  })
  expect(records.at(-2)).toMatchObject({ name: 'OrderRested', symbolId: symbol, restedLots: 5 })
})

test('protections count the fills of their own symbol', () => {
  const tape = new GroupTape(rich)
  tape.run(...asks, '0: 2 protect 50 fills 1', '1: 3 protect 50 fills 1', '1: 3 SELL 1 @ 40000')
  // Account 2 is filled in symbol 1 alone, where account 3 is not.
  const records = tape.run('0: 1 BUY 5 @ 31000 sor')
  expect(records.some(({ name }) => name === 'ProtectionChanged')).toBe(false)
  expect(tape.market.engines[0]!.book.orderCount).toBe(2)
})

test('ids continue after a snapshot', () => {
  const tape = new GroupTape(rich)
  placed(tape, asks, '0: 1 BUY 20 @ 31000 sor')
  const writer = new ImageWriter()
  writeSymbol(tape.market.engines[0]!.state, writer)
  const { state } = new GroupTape(rich).market.engines[0]!
  readSymbol(state, new ImageReader(writer.bytes()))
  expect(state.allocations).toBe(2)
})
