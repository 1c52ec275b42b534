import { describe, expect, test } from 'vitest'
import { SelfTradePrevention, SymbolStatus } from '../../../src/base/codes.ts'
import { type FilterSpec, specifySymbol } from '../../../src/base/listing.ts'

const price = (tickSize: string, maxPrice = '1000.0') => ({
  filterType: 'PRICE_FILTER',
  minPrice: tickSize,
  maxPrice,
  tickSize,
})
const lot = (stepSize: string, maxQty = '1000.0') => ({
  filterType: 'LOT_SIZE',
  minQty: stepSize,
  maxQty,
  stepSize,
})

function list(filters: readonly FilterSpec[], quoteDecimals = 8) {
  return specifySymbol({
    id: 0,
    name: 'AAABBB',
    base: { id: 0, name: 'AAA', decimals: 10 },
    quote: { id: 1, name: 'BBB', decimals: quoteDecimals },
    status: SymbolStatus.TRADING,
    filters,
    preventionModes: [SelfTradePrevention.EXPIRE_MAKER],
    preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
  })
}

describe('listing a symbol', () => {
  test('derives the integers of the engine', () => {
    expect(list([price('0.01'), lot('0.001')])).toMatchObject({
      tickUnits: 1_000_000,
      lotUnits: 100_000,
      atomsPerTickLot: 1000,
      atomsPerLot: 10_000_000,
      priceTicksMin: 1,
      priceTicksMax: 100_000,
      qtyLotsMin: 1,
      qtyLotsMax: 1_000_000,
      notionalAtomsMin: 0,
      notionalAtomsMax: Number.MAX_SAFE_INTEGER,
    })
  })

  test.each([
    ['0', '0.001', 1_000, 100_000],
    ['0.01', '0', 1_000_000, 100],
    ['0', '0', 1_000, 100_000],
    ['0', '1', 1_000, 100_000_000],
  ])('a tickSize of %s and a stepSize of %s: the finest that can be kept', (tick, step, ...units) => {
    const { tickUnits, lotUnits } = list([price(tick, '10000'), lot(step)])
    expect([tickUnits, lotUnits]).toEqual(units)
  })

  test('finer atoms make a fine tick × lot whole', () => {
    expect(() => list([price('0.00001'), lot('0.0001')])).toThrow(
      'symbol AAABBB cannot be listed: tickSize × stepSize is finer than 8 decimals of BBB',
    )
    expect(list([price('0.00001'), lot('0.0001')], 10).atomsPerTickLot).toBe(10)
  })

  test.each([
    ['0', '0', false, false],
    ['0.00000000', '9', false, true],
    ['5', '0', true, false],
    ['5', '9', true, true],
  ])('a NOTIONAL of %s to %s binds MARKET: %s, %s', (minNotional, maxNotional, min, max) => {
    const applied = { applyMinToMarket: true, applyMaxToMarket: true, avgPriceMins: 5 }
    const notional = { filterType: 'NOTIONAL', minNotional, maxNotional, ...applied }
    expect(list([price('1'), lot('1'), notional]).notionalRules).toMatchObject([
      { minAppliesToMarket: min, maxAppliesToMarket: max },
    ])
  })

  test.each([
    ['0', false],
    ['5', true],
  ])('a MIN_NOTIONAL of %s binds MARKET: %s', (minNotional, binds) => {
    const filter = { filterType: 'MIN_NOTIONAL', minNotional, applyToMarket: true, avgPriceMins: 5 }
    const spec = list([price('1'), lot('1'), filter])
    expect(spec.notionalRules).toMatchObject([{ minAppliesToMarket: binds }])
  })

  test.each([
    [[lot('1')], 'it has no PRICE_FILTER'],
    [[price('1')], 'it has no LOT_SIZE'],
    [[price('0', '0'), lot('1')], 'a tickSize of 0 needs a maxPrice'],
    [[price('0.00000001', '100'), lot('1')], 'maxPrice is over 1073741824 ticks'],
    [[price('1'), lot('1', '10000000')], 'maxQty is over 2^53 atoms'],
    [
      [price('1'), lot('1'), { filterType: 'MIN_NOTIONAL', avgPriceMins: 1_441 }],
      'MIN_NOTIONAL.avgPriceMins is over 1440',
    ],
    [[price('0.000000001'), lot('1')], 'PRICE_FILTER.tickSize is not a decimal of 8 places'],
  ])('refuses %j: %s', (filters, why) => {
    expect(() => list(filters)).toThrow(why)
  })
})
