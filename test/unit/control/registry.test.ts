import { describe, expect, test } from 'vitest'
import { SelfTradePrevention, SymbolStatus } from '../../../src/base/codes.ts'
import { AccountId, AssetId, Ms, SymbolId } from '../../../src/base/units.ts'
import { demoFacts, exchangeAccount } from '../../../src/control/demo.ts'
import type { AccountFact, Fact, SymbolFact } from '../../../src/control/facts.ts'
import { keySpecOf } from '../../../src/control/keys.ts'
import { Registry } from '../../../src/control/registry.ts'
import { Vault } from '../../../src/control/vault.ts'
import { JOURNAL_LAYOUT, OLDEST_LAYOUT } from '../../../src/layout/conversions.ts'
import { noRates, type RateSet } from '../../../src/market/listing.ts'

test('the demo is a listing that the engine can represent, and survives being written as JSON', () => {
  const vault = new Vault(Buffer.alloc(32, 1))
  const { facts, keys } = demoFacts(vault, Ms(1_700_000_000_000))
  const registry = new Registry()
  for (const fact of facts) registry.apply(JSON.parse(JSON.stringify(fact)))
  expect(registry.symbols.map((spec) => spec.name)).toEqual([
    'BTCUSDT',
    'ETHUSDT',
    'SOLUSDT',
    'ETHBTC',
    'BNBUSDT',
    'ADAUSDT',
  ])
  expect(registry.symbols[0]).toMatchObject({ atomsPerTickLot: 10, priceTicksMax: 100_000_000 })
  expect(registry.symbols[3]).toMatchObject({ atomsPerTickLot: 1, tickLotParts: 10 })
  expect(registry.accounts.map((account) => account.name)).toEqual([
    'exchange',
    'maker',
    'taker',
    'trader1',
    'trader2',
  ])
  expect(keys.map((key) => key.account)).toEqual(['maker', 'taker', 'trader1', 'trader2'])
  for (const { apiKey, secretKey } of keys) {
    expect(apiKey).toMatch(/^[A-Za-z0-9]{64}$/)
    expect(keySpecOf(registry.keys.get(apiKey)!, vault)).toMatchObject({ secretKey })
  }
  expect(registry.deposits).toHaveLength(4 * 6)
  expect(registry.assets[registry.exchange.discountAssetId]?.name).toBe('BNB')
  expect(registry.accounts.some((account) => account.discountEnabled)).toBe(false)
  for (const { bounds, fees } of registry.symbols) {
    expect(fees).toEqual({ special: noRates, tax: noRates, discountEnabled: true })
    expect(bounds).toMatchObject({
      icebergPartsMax: 100,
      trailingAboveMin: 10,
      trailingBelowMax: 2000,
      ordersMax: 10_000,
      algoOrdersMax: 5,
      orderListsMax: 20,
      amendmentsMax: 10,
      percentPrices: [
        { bidUp: 500_000_000, bidDown: 20_000_000, askUp: 500_000_000, avgPriceMins: 5 },
      ],
    })
  }
})

test('deposits of one account and asset add up; a later fact of an id replaces an earlier', () => {
  const registry = new Registry()
  registry.apply({ ...exchangeAccount(), id: AccountId(1), name: 'a' })
  registry.apply({ ...exchangeAccount(), id: AccountId(1), name: 'b' })
  registry.apply({
    fact: 'deposit',
    account: AccountId(1),
    asset: AssetId(0),
    atoms: '9007199254740993',
    timeMs: Ms(1),
  })
  registry.apply({
    fact: 'deposit',
    account: AccountId(1),
    asset: AssetId(0),
    atoms: '-3',
    timeMs: Ms(2),
  })
  registry.apply({ fact: 'start', epoch: 7, timeMs: Ms(3), layout: JOURNAL_LAYOUT })
  expect(registry.accounts[1]?.name).toBe('b')
  expect(registry.deposits).toEqual([
    { account: AccountId(1), asset: AssetId(0), atoms: 9007199254740990n, timeMs: 2 },
  ])
  expect(registry.epoch).toBe(7)
})

const otherLayouts = [undefined, 1, OLDEST_LAYOUT - 1, JOURNAL_LAYOUT + 1]

test.each(otherLayouts)('a folder of journal layout %s is refused', (layout) => {
  const start = { fact: 'start', epoch: 1, timeMs: Ms(3), ...(layout && { layout }) } as const
  const written = `The data folder was written in journal layout ${layout ?? 1}`
  const refused = `${written}, and this Ringbook reads layouts ${OLDEST_LAYOUT} to ${JOURNAL_LAYOUT}`
  expect(() => new Registry().apply(start)).toThrow(refused)
})

describe('what there is no room for', () => {
  test.each([
    [{ fact: 'asset', id: AssetId(1024), name: 'A' } as const, 'there is room for 1024 assets'],
    [{ ...exchangeAccount(), name: 'a', buyerRate: -1 }, 'account a has a rate that is none'],
    [{ ...exchangeAccount(), name: 'a', makerRate: 0.5 }, 'account a has a rate that is none'],
    [
      { ...exchangeAccount(), name: 'a', takerRate: 30_000_000, sellerRate: 20_000_001 },
      'with these fees account a could pay more than half of a trade',
    ],
  ])('%j is refused', (fact, why) => {
    expect(() => new Registry().apply(fact)).toThrow(why)
  })
})

/** A symbol of two assets that charges these rates of tax and special. */
const charging = (tax: Partial<RateSet>, special: Partial<RateSet> = {}, id = 0): SymbolFact => ({
  fact: 'symbol',
  id: SymbolId(id),
  name: 'AB',
  base: 'A',
  quote: 'B',
  status: SymbolStatus.TRADING,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '1', maxPrice: '100', tickSize: '1' },
    { filterType: 'LOT_SIZE', minQty: '1', maxQty: '100', stepSize: '1' },
  ],
  preventionModes: [],
  preventionDefault: SelfTradePrevention.NONE,
  fees: { tax: { ...noRates, ...tax }, special: { ...noRates, ...special }, discountEnabled: true },
})
const paying = (takerRate: number): AccountFact => ({ ...exchangeAccount(), name: 'a', takerRate })

function registryOf(...facts: readonly Fact[]): Registry {
  const registry = new Registry()
  registry.apply({ fact: 'asset', id: AssetId(0), name: 'A' })
  registry.apply({ fact: 'asset', id: AssetId(1), name: 'B' })
  for (const fact of facts) registry.apply(fact)
  return registry
}

describe('standard, tax and special rates together', () => {
  const tax = { seller: 10_000_000 }
  const special = { taker: 15_000_000, maker: 40_000_000 }
  const high = charging(tax, special)
  test.each<[string, readonly Fact[]]>([
    ['of a symbol listed later', [paying(25_000_000), high]],
    ['of an account opened later', [high, paying(25_000_000)]],
    ['of no other symbol', [high, charging({}, {}, 1), paying(25_000_000)]],
    ['of an account that paid more', [paying(40_000_000), paying(25_000_000), high]],
    ['of a symbol that charged more', [high, charging({}), paying(50_000_000)]],
  ])('may be half: %s', (_, facts) => {
    expect(() => registryOf(...facts)).not.toThrow()
  })

  test.each<[string, readonly Fact[]]>([
    ['with the fees of symbol AB an account could pay', [paying(25_000_001), high]],
    ['with these fees account a could pay', [high, paying(25_000_001)]],
    [
      'with these fees account a could pay',
      [charging(tax, special, 1), charging({}), paying(25_000_001)],
    ],
    [
      'with the fees of symbol AB an account could pay',
      [charging({ maker: 30_000_000, buyer: 20_000_001 })],
    ],
    ['symbol AB has a rate that is none', [charging({ maker: -1, buyer: 1 })]],
    ['symbol AB has a rate that is none', [charging({}, { taker: Number.NaN })]],
  ])('more is refused: %s', (why, facts) => {
    expect(() => registryOf(...facts)).toThrow(why)
  })
})

describe('the exchange as a whole', () => {
  const exchange = { fact: 'exchange', filters: [], discountAsset: 'B' } as const
  test('pays discounted commissions in a listed asset', () => {
    const registry = registryOf({ ...exchange, discountRate: 100_000_000 })
    expect(registry.exchange).toEqual({
      filters: [],
      assetLimits: [],
      discountAssetId: AssetId(1),
      discountRate: 100_000_000,
    })
    registry.apply({ ...exchange, discountAsset: '', discountRate: 0 })
    expect(registry.exchange.discountAssetId).toBe(-1)
  })

  test.each([
    [{ discountAsset: 'C', discountRate: 1 }, 'asset C is not listed'],
    [{ discountRate: 100_000_001 }, 'the discount is not a share'],
    [{ discountRate: -1 }, 'the discount is not a share'],
    [{ discountRate: 0.75 }, 'the discount is not a share'],
    [
      {
        discountRate: 0,
        filters: [{ filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: -1 }],
      },
      "the exchange's filters are refused: EXCHANGE_MAX_NUM_ORDERS.maxNumOrders is not",
    ],
  ])('%j is refused', (fact, why) => {
    expect(() => registryOf({ ...exchange, ...fact })).toThrow(why)
  })
})

test('an account is as usual in what its fact leaves out', () => {
  const { permissions: _, frozen: __, ...fact } = paying(1)
  expect(registryOf(fact).accounts[0]).toMatchObject({ permissions: ['SPOT'], frozen: false })
})

test('every deposit has its number, and a category is not empty', () => {
  const registry = new Registry()
  const credit = {
    fact: 'deposit',
    account: AccountId(1),
    asset: AssetId(0),
    atoms: '5',
    timeMs: Ms(9),
  } as const
  registry.apply(credit)
  registry.apply({ ...credit, category: 'rebate' })
  expect(registry.depositCount).toBe(2)
  expect(() => registry.apply({ ...credit, category: '' })).toThrow(RangeError)
})

describe('a listed symbol counts in the same units for ever', () => {
  const counted = (maxQty: string, stepSize = '0', tickSize = '1'): SymbolFact => ({
    ...charging({}),
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: '1', maxPrice: '100', tickSize },
      { filterType: 'LOT_SIZE', minQty: '1', maxQty, stepSize },
    ],
  })

  test.each([
    ['90000', '80000', 10],
    ['90000', '9000', 10],
    ['90000', '1', 10],
    ['90000', '800000', 10],
    ['9000', '80000', 1],
  ])('without a stepSize, with maxQty of %s and then of %s', (listed, changed, lotUnits) => {
    const registry = registryOf(counted(listed))
    expect(registry.symbols[0]).toMatchObject({ lotUnits })
    registry.apply(counted(changed))
    const qtyLotsMax = (Number(changed) * 1e8) / lotUnits
    expect(registry.symbols[0]).toMatchObject({ lotUnits, qtyLotsMax })
  })

  test.each([
    ['1000000', '0', '1', 'maxQty is over 8796093022208 lots of 0.00000001'],
    ['9000', '1', '1', 'it would count in other ticks or lots'],
    ['9000', '0', '10', 'it would count in other ticks or lots'],
    ['0.5', '0', '1', 'minQty is above maxQty'],
  ])('a maxQty of %s, stepSize of %s and tickSize of %s is refused', (qty, step, tick, why) => {
    const registry = registryOf(counted('9000'))
    const changed = counted(qty, step, tick)
    expect(() => registry.apply(changed)).toThrow(`symbol AB cannot be changed: ${why}`)
    expect(registry.symbols[0]).toMatchObject({ lotUnits: 1, qtyLotsMax: 9000e8 })
  })
})

test('deposits less withdrawals of one asset are at most 2^62, of all accounts together', () => {
  const registry = new Registry()
  const move = (fact: 'deposit' | 'withdrawal', account: number, asset: number, atoms: bigint) =>
    registry.apply({
      fact,
      account: AccountId(account),
      asset: AssetId(asset),
      atoms: String(atoms),
      timeMs: Ms(1),
    })
  const most = 2n ** 62n
  move('deposit', 1, 0, most - 5n)
  expect(() => move('deposit', 2, 0, 6n)).toThrow('(2^62 atoms)')
  move('deposit', 2, 0, 5n)
  expect(() => move('deposit', 1, 0, 1n)).toThrow('(2^62 atoms)')
  // Another asset has room of its own, and what is withdrawn makes room.
  move('deposit', 1, 1, most)
  move('withdrawal', 1, 0, 3n)
  expect(() => move('deposit', 2, 0, 4n)).toThrow('(2^62 atoms)')
  move('deposit', 2, 0, 3n)
  expect([0, 1].map((asset) => registry.deposited(AssetId(asset)))).toEqual([most, most])
})
