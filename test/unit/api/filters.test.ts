/** The filters beside the same rules in exact rational arithmetic. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '#api/errors.ts'
import {
  lotsOf,
  marketNotionalFault,
  notionalFault,
  quoteAmountFault,
  stepsIn,
  ticksOf,
} from '#api/handlers/filters.ts'
import { Tape } from '#core/folds/tape.ts'
import { btcusdt, ethbtc, NOW_MS } from '../../protocol/fake-context.ts'

const nameOf = (result: number | Fault | undefined) =>
  result instanceof Fault ? result.detail[0] : result

test('steps are counted exactly or not at all', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 10_000_000 }), (units, step) => {
      const exact = BigInt(units) % BigInt(step) === 0n
      expect(stepsIn(units, step)).toBe(exact ? Number(BigInt(units) / BigInt(step)) : -1)
    }),
  )
})

describe('PRICE_FILTER', () => {
  test.each([
    [1_000_000, 1],
    [1_500_000, 'PRICE_FILTER'],
    [999_999, 'PRICE_FILTER'],
    [100_000_000_000_000, 100_000_000],
    [100_000_001_000_000, 'PRICE_FILTER'],
  ])('%s units', (units, result) => {
    expect(nameOf(ticksOf(btcusdt, units))).toBe(result)
  })
})

describe('LOT_SIZE and MARKET_LOT_SIZE', () => {
  test.each<[units: number, isMarket: boolean, result: number | string]>([
    [1_000, false, 1],
    [1_001, false, 'LOT_SIZE'],
    [900_000_000_000, false, 900_000_000],
    [900_000_001_000, false, 'LOT_SIZE'],
    [10_000_000_000, true, 10_000_000],
    [10_000_001_000, true, 'MARKET_LOT_SIZE'],
    [10_000_001_001, true, 'LOT_SIZE'],
  ])('%s units, market %s', (units, isMarket, result) => {
    expect(nameOf(lotsOf(btcusdt, units, isMarket))).toBe(result)
  })
})

describe('NOTIONAL and MIN_NOTIONAL', () => {
  const atLeast = btcusdt.notionalAtomsMin
  const atMost = btcusdt.notionalAtomsMax

  test.each([
    [btcusdt, atLeast, undefined],
    [btcusdt, atLeast - 1, 'NOTIONAL'],
    [btcusdt, atMost, undefined],
    [btcusdt, atMost + 1, 'NOTIONAL'],
    [btcusdt, 2 ** 70, 'NOTIONAL'],
    [ethbtc, ethbtc.notionalAtomsMin - 1, 'MIN_NOTIONAL'],
  ])('a LIMIT', (spec, atoms, result) => {
    expect(nameOf(notionalFault(spec, atoms))).toBe(result)
  })

  test('a MARKET by amount is judged by its amount, where the bound applies to MARKET', () => {
    expect(quoteAmountFault(btcusdt, atLeast)).toBeUndefined()
    expect(nameOf(quoteAmountFault(btcusdt, atLeast - 1))).toBe('NOTIONAL')
    expect(quoteAmountFault(btcusdt, atMost + 1)).toBeUndefined()
  })

  test('a MARKET by quantity fails without any trade', () => {
    expect(nameOf(marketNotionalFault(btcusdt, 1_000, new Tape(btcusdt), NOW_MS))).toBe('NOTIONAL')
  })

  test('a MARKET by quantity is judged at the exact average', () => {
    const trade = fc.record({
      priceTicks: fc.integer({ min: 1, max: 100_000 }),
      lots: fc.integer({ min: 1, max: 1_000_000 }),
    })
    fc.assert(
      fc.property(
        fc.array(trade, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 200_000 }),
        (trades, lots) => {
          const tape = new Tape(btcusdt)
          tape.seed(
            trades.map((row, index) => ({
              ...row,
              tradeId: index + 1,
              timeMs: NOW_MS - 1_000,
              isBuyerMaker: false,
            })),
          )
          const volume = trades.reduce((sum, row) => sum + BigInt(row.lots), 0n)
          const value = trades.reduce((sum, row) => sum + BigInt(row.priceTicks * row.lots), 0n)
          const atoms = value * BigInt(lots) * BigInt(btcusdt.atomsPerTickLot)
          const fails = atoms < BigInt(atLeast) * volume
          const result = marketNotionalFault(btcusdt, lots, tape, NOW_MS)
          expect(result === undefined).toBe(!fails)
        },
      ),
    )
  })
})
