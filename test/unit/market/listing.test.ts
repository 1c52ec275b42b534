import { describe, expect, test } from 'vitest'
import { SelfTradePrevention, SymbolStatus } from '../../../src/base/codes.ts'
import { AssetId, SymbolId } from '../../../src/base/units.ts'
import type { FilterSpec } from '../../../src/market/filter-spec.ts'
import { specifySymbol } from '../../../src/market/listing.ts'

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

function list(filters: readonly FilterSpec[]) {
  return specifySymbol({
    id: SymbolId(0),
    name: 'AAABBB',
    base: { id: AssetId(0), name: 'AAA' },
    quote: { id: AssetId(1), name: 'BBB' },
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
      tickLotParts: 1,
      atomsPerLot: 100_000,
      priceTicksMin: 1,
      priceTicksMax: 100_000,
      qtyLotsMin: 1,
      qtyLotsMax: 1_000_000,
      notionalAtomsMin: 0,
      notionalAtomsMax: 2n ** 63n - 1n,
    })
  })

  // Journals count in such ticks: a wider bound would read old ones wrongly.
  test.each([
    ['10.73741824', 1],
    ['10.73741825', 10],
  ])('a tick without a tickSize has room for 2^30 of them: %s', (maxPrice, tickUnits) => {
    expect(list([price('0', maxPrice), lot('1')])).toMatchObject({ tickUnits })
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

  test.each([
    ['0.00001', '0.0001', 1, 10],
    ['0.00005', '0.0001', 1, 2],
    ['0.0000003', '0.00001', 3, 10_000],
  ])('a tick × lot finer than an atom, %s × %s, is a part of one', (tick, step, ...units) => {
    const { atomsPerTickLot, tickLotParts } = list([price(tick, '100'), lot(step)])
    expect([atomsPerTickLot, tickLotParts]).toEqual(units)
  })

  test('the largest quantity as Binance publishes it for SHIB, 2^62 atoms', () => {
    const listed = list([price('0.00000001', '1'), lot('1', '46116860414.00')])
    expect(listed).toMatchObject({ qtyLotsMax: 46_116_860_414, tickLotParts: 1 })
  })

  test('the highest price that a book has room for', () => {
    expect(list([price('1', '2147483647'), lot('1')]).priceTicksMax).toBe(2 ** 31 - 1)
  })

  test('prices of millions, as of the rupiah', () => {
    const listed = list([price('1', '1000000000'), lot('0.00001', '9000000')])
    expect(listed).toMatchObject({ priceTicksMax: 1_000_000_000, qtyLotsMax: 900_000_000_000 })
  })

  test.each([
    ['maxNotional', '92233720368.54775807', 9_223_372_036_854_775_807n],
    ['maxNotional', '1', 100_000_000],
  ])('a %s of %s', (field, text, atoms) => {
    const notional = { filterType: 'NOTIONAL', minNotional: '0', [field]: text }
    expect(list([price('1'), lot('1'), notional]).notionalAtomsMax).toBe(atoms)
  })

  test('a bound that 64 bits do not carry is refused', () => {
    expect(() => list([price('1'), lot('1', '92233720368.54775808')])).toThrow(
      'symbol AAABBB cannot be listed: LOT_SIZE.maxQty is over 92233720368.54775807',
    )
  })

  test('a tick × lot of more than 12 decimals is refused', () => {
    expect(() => list([price('0.0000001', '1'), lot('0.000001')])).toThrow(
      'symbol AAABBB cannot be listed: tickSize × stepSize is finer than 12 decimals of BBB',
    )
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
    [[price('0.00000001', '100'), lot('1')], 'maxPrice is over 2147483647 ticks'],
    [[price('1', '2147483648'), lot('1')], 'maxPrice is over 2147483647 ticks'],
    [
      [price('1'), lot('1'), { filterType: 'MIN_NOTIONAL', avgPriceMins: 1_441 }],
      'MIN_NOTIONAL.avgPriceMins is over 1440',
    ],
    [[price('0.000000001'), lot('1')], 'PRICE_FILTER.tickSize is not a decimal of 8 places'],
  ])('refuses %j: %s', (filters, why) => {
    expect(() => list(filters)).toThrow(why)
  })
})
