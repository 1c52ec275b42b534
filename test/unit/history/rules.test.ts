/** Rules of the past by themselves: which trades are one aggregate, how bars add up, what locks an account. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Lots, Ms, OrderId, QuoteAtoms, Ticks, TradeId } from '../../../src/base/units.ts'
import { joinsAggregate } from '../../../src/history/aggregate.ts'
import { Bar } from '../../../src/history/bar.ts'
import { isSetOff } from '../../../src/history/trading-indicators.ts'

test('trades of one order, at one price and in one millisecond, are one aggregate', () => {
  const open = { takerOrderId: OrderId(5), priceTicks: Ticks(7), timeMs: Ms(9) }
  expect(joinsAggregate(open, { ...open })).toBe(true)
  expect(joinsAggregate(open, { ...open, takerOrderId: OrderId(6) })).toBe(false)
  expect(joinsAggregate(open, { ...open, priceTicks: Ticks(8) })).toBe(false)
  expect(joinsAggregate(open, { ...open, timeMs: Ms(10) })).toBe(false)
})

interface Trade {
  readonly ticks: Ticks
  readonly lots: Lots
  readonly isBuyerMaker: boolean
  /** Trades of a seed's klines have no ids. */
  readonly isSeeded: boolean
}

describe('bars', () => {
  const trade: fc.Arbitrary<Trade> = fc.record({
    ticks: fc.integer({ min: 1, max: 20 }).map(Ticks),
    lots: fc.integer({ min: 1, max: 9 }).map(Lots),
    isBuyerMaker: fc.boolean(),
    isSeeded: fc.boolean(),
  })
  const trades = fc.array(trade, { maxLength: 8 })

  function barOf(rows: readonly Trade[], from: number): Bar {
    const bar = new Bar()
    for (const [at, { ticks, lots, isBuyerMaker, isSeeded }] of rows.entries()) {
      const id = TradeId(isSeeded ? -1 : from + at)
      bar.add(id, ticks, lots, QuoteAtoms(ticks * lots), isBuyerMaker)
    }
    return bar
  }

  test('of neighbouring spans add up to the bar of both', () => {
    fc.assert(
      fc.property(trades, trades, (early, late) => {
        const sum = barOf(early, 1)
        sum.append(barOf(late, 1 + early.length))
        expect(sum.row()).toEqual(barOf([...early, ...late], 1).row())
      }),
    )
  })

  test('have the first price, the last one, and those between which all lie', () => {
    const rows = [5, 9, 2, 6].map((ticks) => ({
      ticks: Ticks(ticks),
      lots: Lots(1),
      isBuyerMaker: ticks > 5,
      isSeeded: false,
    }))
    expect(barOf(rows, 1).row()).toMatchObject({
      count: 4,
      firstTradeId: 1,
      lastTradeId: 4,
      openTicks: 5,
      highTicks: 9,
      lowTicks: 2,
      closeTicks: 6,
      lots: 4n,
      quoteAtoms: 22n,
      takerBuyLots: 2n,
      takerBuyQuoteAtoms: 7n,
    })
  })
})

describe('an account', () => {
  const none = { orders: 0, filled: 0, immediate: 0, expired: 0, lasting: 0, canceled: 0 }

  test.each([
    [{ orders: 299 }, false],
    [{ orders: 300 }, true],
    [{ orders: 600, filled: 3 }, true],
    [{ orders: 600, filled: 4 }, false],
    [{ immediate: 149, expired: 149 }, false],
    [{ immediate: 150, expired: 150 }, true],
    [{ immediate: 200, expired: 198 }, true],
    [{ immediate: 200, expired: 197 }, false],
    [{ lasting: 149, canceled: 149 }, false],
    [{ lasting: 200, canceled: 198 }, true],
    [{ lasting: 200, canceled: 197 }, false],
    [{}, false],
  ])('with %j is locked: %s', (tally, isLocked) => {
    expect(isSetOff({ ...none, ...tally })).toBe(isLocked)
  })
})
