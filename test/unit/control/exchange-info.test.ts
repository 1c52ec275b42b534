/** Listings of an exchangeInfo answer: what is taken, what is left out and why, and where room ends. */
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { OrderType, SelfTradePrevention, SymbolStatus } from '../../../src/base/codes.ts'
import { SYMBOLS_MAX } from '../../../src/base/limits.ts'
import { Ms } from '../../../src/base/units.ts'
import { demoFacts, exchangeAccount } from '../../../src/control/demo.ts'
import { type DayPrices, listAll, readPrices } from '../../../src/control/exchange-info.ts'
import type { Fact, SymbolFact } from '../../../src/control/facts.ts'
import { Registry } from '../../../src/control/registry.ts'
import { Vault } from '../../../src/control/vault.ts'
import { type MadeSymbol, madeExchangeInfo, madeSymbol } from '../../fixtures/made-exchange-info.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const folder = temporaryFolder()

const answer = (...symbols: readonly unknown[]) => JSON.stringify({ symbols })
const listed = (
  text: string,
  before: readonly Fact[] = [exchangeAccount()],
  assetsMax = 1_024,
  prices?: DayPrices,
) => {
  const made = listAll(text, before, assetsMax, prices)
  const registry = new Registry()
  for (const fact of made.facts) registry.apply(fact)
  return { ...made, symbols: made.symbols, reports: made.reports, registry }
}
const xyz = madeSymbol('XYZ', 'USDT', 0)
const withFilter = (type: string, fields: object): MadeSymbol => ({
  ...xyz,
  filters: (xyz.filters as MadeSymbol[]).map((it) =>
    it.filterType === type ? { ...it, ...fields } : it,
  ),
})

test('a symbol has the rules of the answer', () => {
  const { registry, symbols, reports } = listed(
    answer({ ...xyz, status: 'HALT', ocoAllowed: false, defaultSelfTradePreventionMode: 'NONE' }),
  )
  expect([symbols, reports]).toEqual([1, []])
  expect(registry.assets.map(({ name }) => name)).toEqual(['XYZ', 'USDT'])
  expect(registry.symbols[0]).toMatchObject({
    name: 'XYZUSDT',
    status: SymbolStatus.HALT,
    filters: xyz.filters,
    preventionDefault: SelfTradePrevention.NONE,
    features: { oco: false, amend: true, trailingStop: true },
  })
  expect(registry.symbols[0]!.features.orderTypes).not.toContain(OrderType.STOP_LOSS)
  expect(registry.symbols[0]!.preventionModes).toContain(SelfTradePrevention.DECREMENT)
})

test('a large venue is listed as a whole, in its order', () => {
  const { registry, symbols, reports } = listed(madeExchangeInfo(3_600, 600))
  expect([symbols, reports]).toEqual([3_600, []])
  expect([registry.symbols.length, registry.assets.length]).toEqual([3_600, 606])
  expect(registry.symbols.map(({ id }) => id)).toEqual(Array.from({ length: 3_600 }, (_, id) => id))
})

test('a symbol of the demo gets the rules of the answer and keeps its id and fees', () => {
  const vault = Vault.open(path.join(folder, 'secret.key'), true)
  const { facts: before } = demoFacts(vault, Ms(1))
  const { registry } = listed(answer(xyz, madeSymbol('SOL', 'USDT', 1)), before)
  expect(registry.symbols.map(({ name }) => name)).toEqual([
    ...['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'ETHBTC', 'BNBUSDT', 'ADAUSDT', 'XYZUSDT'],
  ])
  expect(registry.symbols[2]).toMatchObject({ tickUnits: 10_000, fees: { discountEnabled: true } })
  const listings = (name: string) =>
    listAll(answer(xyz, madeSymbol('SOL', 'USDT', 1)), before, 64).facts.filter(
      (fact): fact is SymbolFact => fact.fact === 'symbol' && fact.name === name,
    )
  expect(listings('SOLUSDT')).toHaveLength(1)
})

test('filters of the exchange are taken; types and fields that it lacks are left out', () => {
  const strange = { ...xyz, filters: [...(xyz.filters as []), { filterType: 'T_PLUS_SELL' }] }
  const exchangeFilters = [{ filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: 1_000 }]
  const { registry, reports } = listed(
    JSON.stringify({
      symbols: [strange, withFilter('LOT_SIZE', { more: 1 })].slice(0, 1),
      exchangeFilters: [...exchangeFilters, { filterType: 'OF_ANOTHER_KIND' }],
    }),
  )
  expect(registry.exchange.filters).toEqual(exchangeFilters)
  expect(reports).toEqual(['1 symbol listed without T_PLUS_SELL: XYZUSDT'])
  expect(listed(answer(withFilter('LOT_SIZE', { more: 1 }))).registry.symbols).toHaveLength(1)
})

describe('outer limits', () => {
  const priceFilter = (tickSize: string, maxPrice: string) =>
    withFilter('PRICE_FILTER', { minPrice: tickSize, maxPrice, tickSize })
  const filterOf = ({ registry }: ReturnType<typeof listed>, type: string) =>
    registry.symbols[0]!.filters.find(({ filterType }) => filterType === type)

  test.each<[type: string, fields: object, shown: object, report: string]>([
    [
      'PRICE_FILTER',
      { minPrice: '0.00010000', tickSize: '0.00010000', maxPrice: '922327.00000000' },
      { maxPrice: '214748.36470000', tickSize: '0.00010000' },
      'PRICE_FILTER.maxPrice lowered to 2147483647 steps',
    ],
    [
      'PRICE_FILTER',
      { minPrice: '1000', tickSize: '1000', maxPrice: '99999999999999999999' },
      { maxPrice: '92233720000.00000000' },
      'PRICE_FILTER.maxPrice lowered to 92233720 steps',
    ],
    [
      'LOT_SIZE',
      { stepSize: '0.00001000', maxQty: '92233721.00000000' },
      { maxQty: '87960930.22208000' },
      'LOT_SIZE.maxQty lowered to 8796093022208 steps',
    ],
    [
      'NOTIONAL',
      { maxNotional: '92233720368.54775808' },
      { maxNotional: '92233720368.54775807' },
      'NOTIONAL.maxNotional lowered to 64 bits',
    ],
  ])('of %s %s are lowered, and said so', (type, fields, shown, report) => {
    const found = listed(answer(withFilter(type, fields)))
    expect(filterOf(found, type)).toMatchObject(shown)
    expect(found.reports).toEqual([`1 symbol listed with ${report}: XYZUSDT`])
  })

  test.each([
    [
      'PRICE_FILTER',
      { minPrice: '1.00000000', tickSize: '1.00000000', maxPrice: '2147483647.00000000' },
    ],
    ['LOT_SIZE', { stepSize: '0.00001000', maxQty: '87960930.22208000' }],
    ['NOTIONAL', { maxNotional: '92233720368.54775807' }],
  ])('of %s at the bound stay: %s', (type, fields) => {
    const found = listed(answer(withFilter(type, fields)))
    expect([filterOf(found, type), found.reports]).toMatchObject([fields, []])
  })

  test('a whole venue is listed where a third has limits out of range', () => {
    const { symbols } = JSON.parse(madeExchangeInfo(1_363, 400)) as { symbols: MadeSymbol[] }
    const wide = priceFilter('0.00010000', '922327.00000000').filters
    const dump = symbols.map((row, at) => (at % 3 === 0 ? { ...row, filters: wide } : row))
    const { registry, reports } = listed(answer(...dump))
    expect(registry.symbols).toHaveLength(1_363)
    expect(reports).toHaveLength(1)
    expect(reports[0]).toMatch(
      /^455 symbols listed with PRICE_FILTER.maxPrice lowered to 2147483647 steps: /,
    )
  })

  test('prices of the day that no book has room for refuse a symbol; others warn', () => {
    const prices = readPrices(
      JSON.stringify([
        { symbol: 'XYZUSDT', lastPrice: '214000', highPrice: '214748.3648' },
        { symbol: 'A0BTC', price: '0.000001' },
        { symbol: 'A1BTC', lastPrice: '60000', highPrice: '61000' },
      ]),
    )
    const symbols = [priceFilter('0.0001', '922327'), madeSymbol('A0', 'BTC', 0)]
    const text = answer(...symbols, madeSymbol('A1', 'BTC', 0))
    const { registry, reports } = listed(text, undefined, undefined, prices)
    expect(registry.symbols.map(({ name }) => name)).toEqual(['A0BTC', 'A1BTC'])
    expect(reports).toEqual([
      '1 symbol not listed (its price of the day is over 2147483647 ticks): XYZUSDT',
      '1 symbol listed whose filters let no order pass: A0BTC (its price 0.00000100 BTC is not between minPrice and maxPrice)',
    ])
  })
})

describe('reported with its reason, beside another that is listed', () => {
  const others = (count: number) =>
    Array.from({ length: count }, (_, at) => madeSymbol(`A${at}`, 'BTC', 0))
  test.each<[reason: string, given: unknown]>([
    [
      'minPrice is above maxPrice',
      withFilter('PRICE_FILTER', { minPrice: '300000', tickSize: '0.00010000' }),
    ],
    ['it has no LOT_SIZE', { ...xyz, filters: (xyz.filters as []).slice(0, 1) }],
    ['filters must be a JSON array of filters', { ...xyz, filters: undefined }],
    ['its assets are not capital letters and digits', { ...xyz, baseAsset: 'xyz' }],
    ['its assets are not capital letters and digits', { ...xyz, quoteAsset: 7 }],
    ['its name is not that of its assets', { ...xyz, baseAsset: 'XY' }],
    ['it is of one asset', { ...xyz, baseAsset: 'USDT' }],
    ['its status OPEN is not known', { ...xyz, status: 'OPEN' }],
    ['spot trading is not allowed on it', { ...xyz, isSpotTradingAllowed: false }],
    ['LOT_SIZE.minQty must be text of a decimal', withFilter('LOT_SIZE', { minQty: 1 })],
  ])('%s', (reason, given) => {
    const { registry, reports, symbols } = listed(answer(given, ...others(1)))
    expect(symbols).toBe(1)
    expect(registry.symbols.map(({ name }) => name)).toEqual(['A0BTC'])
    expect(registry.assets.map(({ name }) => name)).toEqual(['A0', 'BTC'])
    expect(reports).toEqual([expect.stringContaining(`1 symbol not listed (${reason}`)])
    expect(reports[0]).toMatch(/: XYZUSDT$/)
  })

  test('what is no symbol, and one that stands twice', () => {
    expect(listed(answer(7, xyz, xyz)).reports).toEqual([
      '1 symbol not listed (its assets are not capital letters and digits, at most 20): (without a name)',
      '1 symbol not listed (it stands twice in the answer): XYZUSDT',
    ])
  })

  test('more than there is room for', () => {
    const { registry, reports } = listed(answer(...others(5)), undefined, 4)
    expect(registry.assets).toHaveLength(4)
    expect(reports).toEqual(['2 symbols not listed (there is room for 4 assets): A3BTC, A4BTC'])
    const many = listed(madeExchangeInfo(SYMBOLS_MAX + 2, 900))
    expect(many.registry.symbols).toHaveLength(SYMBOLS_MAX)
    expect(many.reports).toEqual([
      expect.stringMatching(/^2 symbols not listed \(there is room for 4096 symbols\): /),
    ])
  })
})

test.each([
  ['[', 'it is not JSON: line 1, column 2: the text ends'],
  ['{}', 'it is no exchangeInfo answer: it has no symbols'],
  ['[]', 'it is no exchangeInfo answer: it has no symbols'],
])('%s is no answer', (text, reason) => {
  expect(() => listed(text)).toThrow(reason)
})
