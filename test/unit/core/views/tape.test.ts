import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTrade, writeOrderRested, writeTrade } from '../../../../scripts/layout/codecs.gen.ts'
import {
  AccountId,
  Lots,
  Ms,
  OrderId,
  QuoteAtoms,
  SymbolId,
  Ticks,
  TradeId,
} from '../../../../src/base/units.ts'
import { TAPE_TRADES, Tape, type TapeTrade } from '../../../../src/core/views/tape.ts'
import { RecordBuffer } from '../../../../src/layout/record-buffer.ts'
import { zeroRecord } from '../../../fixtures/zero-record.ts'
import { listedSymbol } from './listed-symbol.ts'

const zeroTrade = zeroRecord(readTrade)

const spec = listedSymbol()
const origin = { symbolId: SymbolId(0), gateway: 0, correlation: 0, sequence: 1 }
const buffer = RecordBuffer.allocate(256)

function trade(tradeId: number, priceTicks = 100, lots = 1, timeMs: number = tradeId): TapeTrade {
  const quoteAtoms = priceTicks * lots + 1
  return {
    tradeId: TradeId(tradeId),
    priceTicks: Ticks(priceTicks),
    lots: Lots(lots),
    quoteAtoms: QuoteAtoms(quoteAtoms),
    timeMs: Ms(timeMs),
    isBuyerMaker: tradeId % 3 === 0,
  }
}

function apply(tape: Tape, row: TapeTrade): void {
  const { tradeId, priceTicks, lots, quoteAtoms, timeMs, isBuyerMaker } = row
  writeTrade(buffer, 0, {
    ...zeroTrade,
    ...origin,
    timeMs,
    takerTerms: isBuyerMaker ? 1 : 0,
    makerTerms: isBuyerMaker ? 0 : 1,
    tradeId,
    priceTicks,
    tradeLots: lots,
    quoteAtoms,
  })
  tape.apply(buffer, 0)
}

const trades = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => trade(first + index))

function tapeOf(list: readonly TapeTrade[]): Tape {
  const tape = new Tape(spec)
  for (const one of list) apply(tape, one)
  return tape
}

describe('recent trades', () => {
  test.each([
    [0, 500, []],
    [3, 500, trades(1, 3)],
    [3, 2, trades(2, 3)],
    [3, 0, []],
    [TAPE_TRADES + 7, 5, trades(TAPE_TRADES + 3, TAPE_TRADES + 7)],
    [TAPE_TRADES * 2 + 7, 5000, trades(TAPE_TRADES + 8, TAPE_TRADES * 2 + 7)],
  ])('of %i, at most %i, oldest first', (count, limit, expected) => {
    expect(tapeOf(trades(1, count)).recent(limit)).toEqual(expected)
  })

  test('the last one stands for itself', () => {
    const tape = tapeOf([])
    const last = () => [tape.lastTradeId, tape.lastPriceTicks, tape.lastLots, tape.lastTimeMs]
    expect(last()).toEqual([0, 0, 0, 0])
    apply(tape, trade(1, 101, 7, 1_000))
    apply(tape, trade(2, 102, 8, 1_001))
    expect(last()).toEqual([2, 102, 8, 1_001])
  })

  test('other records change nothing', () => {
    const tape = tapeOf(trades(1, 2))
    writeOrderRested(buffer, 0, {
      ...origin,
      timeMs: Ms(9),
      account: AccountId(1),
      terms: 0,
      orderId: OrderId(1),
      priceTicks: Ticks(5),
      restedLots: Lots(5),
      updateId: 5,
    })
    tape.apply(buffer, 0)
    expect(tape.recent(10)).toEqual(trades(1, 2))
  })
})

describe('seeding', () => {
  test.each([
    ['an empty tape', [], trades(4, 9), trades(4, 9)],
    ['with nothing', trades(1, 3), [], trades(1, 3)],
    ['before what is known', trades(5, 6), trades(1, 4), trades(1, 6)],
    ['over what is known', trades(3, 6), trades(1, 5), trades(1, 6)],
    ['with more than is known', trades(3, 4), trades(1, 9), trades(1, 9)],
    ['what was missed', [...trades(1, 3), ...trades(8, 9)], trades(2, 8), trades(1, 9)],
  ])('%s', (_, known, seeds, expected) => {
    const tape = tapeOf(known)
    tape.seed(seeds)
    expect(tape.recent(100)).toEqual(expected)
    const lots = BigInt(expected.length)
    expect(tape.averagePrice(1, Ms(60_000))).toMatchObject({ tickLots: lots * 100n, lots })
    apply(tape, trade(expected.length === 0 ? 1 : expected.at(-1)!.tradeId))
    expect(tape.recent(100)).toEqual(expected)
  })
})

describe('the average price', () => {
  test.each([
    ['nothing ever traded: none', [], 5, 0, undefined],
    ['weighs by volume', [trade(1, 100, 1, 0), trade(2, 200, 3, 1)], 5, 2, [700n, 4n]],
    ['a trade at the beginning of the window counts', [trade(1, 9, 2, 0)], 1, 60_000, [18n, 2n]],
    [
      'a trade before it does not',
      [trade(1, 9, 2, 0), trade(2, 8, 1, 50_000)],
      1,
      60_001,
      [8n, 1n],
    ],
    ['no trade in the window: the last price', [trade(1, 9, 2, 0)], 1, 60_001, [9n, 1n]],
    ['0 minutes: the last price', [trade(1, 9, 2, 0), trade(2, 8, 5, 0)], 0, 0, [8n, 1n]],
  ] as const)('%s', (_, list, minutes, nowMs, expected) => {
    const average = tapeOf(list).averagePrice(minutes, Ms(nowMs))
    expect(average && [average.tickLots, average.lots]).toEqual(expected)
  })

  test('is the exact sum over the trailing window, whatever the trades', () => {
    const row = fc.record({
      gapMs: fc.oneof(fc.nat(3), fc.nat(100_000)),
      priceTicks: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      lots: fc.integer({ min: 1, max: 2 ** 23 - 1 }),
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 800 }), fc.nat(200_000), (rows, restMs) => {
        const tape = new Tape(spec)
        const list: TapeTrade[] = []
        let timeMs = Ms(1_700_000_000_000)
        for (const { gapMs, priceTicks, lots } of rows) {
          timeMs = Ms(timeMs + gapMs)
          list.push(trade(list.length + 1, priceTicks, lots, timeMs))
          apply(tape, list.at(-1)!)
        }
        const nowMs = Ms(timeMs + restMs)
        for (const minutes of [1, 3, 5]) {
          let [tickLots, volume] = [0n, 0n]
          for (const { priceTicks, lots, timeMs: at } of list) {
            if (at < nowMs - minutes * 60_000) continue
            tickLots += BigInt(priceTicks) * BigInt(lots)
            volume += BigInt(lots)
          }
          const last = list.at(-1)
          const expected =
            volume > 0n
              ? { tickLots, lots: volume }
              : last && { tickLots: BigInt(last.priceTicks), lots: 1n }
          const average = tape.averagePrice(minutes, nowMs)
          if (expected === undefined) expect(average).toBeUndefined()
          else {
            expect(average).toMatchObject(expected)
            const near = Number(expected.tickLots) / Number(expected.lots)
            const ratio = tape.nearAverageTicks(minutes, nowMs)! / near
            expect(Math.abs(ratio - 1)).toBeLessThan(1e-15)
          }
        }
      }),
    )
  })

  test('is shown in units of the wire, rounded half up', () => {
    // A tick is 10^6 units: (1 × 2 + 2 × 1) / 3 ticks, and half a unit is never reached with less.
    const thirds = tapeOf([trade(1, 1, 2, 0), trade(2, 2, 1, 0)])
    expect(thirds.averagePriceUnits(5, Ms(0))).toBe(1_333_333)
    const twoThirds = tapeOf([trade(1, 1, 1, 0), trade(2, 2, 2, 0)])
    expect(twoThirds.averagePriceUnits(5, Ms(0))).toBe(1_666_667)
    expect(tapeOf([]).averagePriceUnits(5, Ms(0))).toBe(0)
  })

  test('is kept for as long as a filter of the symbol asks, and no longer', () => {
    const longer = listedSymbol([{ filterType: 'PERCENT_PRICE', avgPriceMins: 7 }])
    const tape = new Tape(longer)
    apply(tape, trade(1, 50, 1, 0))
    apply(tape, trade(2, 70, 1, 7 * 60_000))
    expect(tape.averagePrice(7, Ms(7 * 60_000))).toMatchObject({ tickLots: 120n, lots: 2n })
    expect(() => tape.averagePrice(8, Ms(0))).toThrow('as long as a filter asks')
    expect(() => tapeOf([]).averagePrice(6, Ms(0))).toThrow('as long as a filter asks')
  })

  test('asked for again in one millisecond follows the trades, the window and the clock', () => {
    const tape = tapeOf([trade(2, 10, 1, 0), trade(3, 20, 1, 100_000)])
    const ticks = (minutes: number, nowMs: Ms) => tape.nearAverageTicks(minutes, nowMs)
    expect([ticks(5, Ms(110_000)), ticks(5, Ms(110_000)), ticks(1, Ms(110_000))]).toEqual([
      15, 15, 20,
    ])
    expect([ticks(1, Ms(110_000)), ticks(1, Ms(160_001)), ticks(0, Ms(160_001))]).toEqual([
      20, 20, 20,
    ])
    apply(tape, trade(4, 60, 1, 110_000))
    expect([ticks(5, Ms(110_000)), ticks(1, Ms(110_000))]).toEqual([30, 40])
    tape.seed([trade(1, 110, 1, 0)])
    expect(ticks(5, Ms(110_000))).toBe(50)
  })

  test('a filter that asks for longer from now on finds what is known, and forgets later', () => {
    const tape = tapeOf([trade(1, 10, 1, 0), trade(2, 20, 1, 400_000)])
    const avgPriceMins = 10
    const asked = {
      filterType: 'MIN_NOTIONAL',
      minNotional: '5',
      applyToMarket: true,
      avgPriceMins,
    }
    tape.respecify({ ...spec, filters: [...spec.filters, asked] })
    expect(tape.averagePrice(10, Ms(400_000))).toMatchObject({ tickLots: 20n, lots: 1n })
    apply(tape, trade(3, 40, 1, 900_000))
    expect(tape.averagePrice(10, Ms(900_000))).toMatchObject({ tickLots: 60n, lots: 2n })
    tape.respecify(spec)
    expect(tape.averagePrice(10, Ms(900_000))).toMatchObject({ tickLots: 60n, lots: 2n })
  })

  test('time that steps back counts as the time before', () => {
    const tape = tapeOf([trade(1, 10, 1, 60_000), trade(2, 20, 1, 59_000)])
    expect(tape.averagePrice(1, Ms(120_000))).toMatchObject({ tickLots: 30n, lots: 2n })
  })
})

test('before history comes, the last price is all that is known', () => {
  const tape = new Tape(spec)
  tape.begin(Ticks(9))
  expect([tape.seeded, tape.lastPriceTicks, tape.lastTradeId]).toEqual([false, 9, 0])
  expect(tape.averagePrice(5, Ms(0))).toMatchObject({ tickLots: 9n, lots: 1n })
  apply(tape, trade(8, 11, 2, 1))
  expect(tape.lastPriceTicks).toBe(11)
  expect(tape.averagePrice(5, Ms(1))).toMatchObject({ tickLots: 22n, lots: 2n })
  tape.seed([trade(7, 9, 2, 0), trade(8, 11, 2, 1)])
  expect([tape.seeded, tape.lastTradeId]).toEqual([true, 8])
  expect(tape.averagePrice(5, Ms(1))).toMatchObject({ tickLots: 40n, lots: 4n })
  tape.missed()
  expect(tape.seeded).toBe(false)
})
