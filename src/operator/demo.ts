/**
 * The content of a new data folder in demo mode: six symbols with filters like those of large venues,
 * and four funded accounts with one HMAC key each.
 */
import { SelfTradePrevention, SymbolStatus } from '../base/codes.ts'
import { WIRE_DECIMALS } from '../base/limits.ts'
import type { FilterSpec } from '../market/filter-spec.ts'
import { noFees, usualAccount } from '../market/listing.ts'
import type { Fact } from './facts.ts'
import { keyText } from './keys.ts'
import type { Vault } from './vault.ts'

const assets: readonly (readonly [name: string, funds: string])[] = [
  ['BTC', '5000'],
  ['ETH', '50000'],
  ['USDT', '50000000'],
  ['SOL', '500000'],
  ['BNB', '50000'],
  ['ADA', '20000000'],
]

interface DemoSymbol {
  readonly base: string
  readonly quote: string
  readonly tick: string
  readonly maxPrice: string
  readonly step: string
  readonly maxQty: string
  readonly marketMaxQty: string
  readonly minNotional: string
  readonly maxNotional: string
}

const symbols: readonly DemoSymbol[] = [
  {
    base: 'BTC',
    quote: 'USDT',
    tick: '0.01000000',
    maxPrice: '1000000.00000000',
    step: '0.00001000',
    maxQty: '9000.00000000',
    marketMaxQty: '120.00000000',
    minNotional: '5.00000000',
    maxNotional: '9000000.00000000',
  },
  {
    base: 'ETH',
    quote: 'USDT',
    tick: '0.01000000',
    maxPrice: '1000000.00000000',
    step: '0.00010000',
    maxQty: '9000.00000000',
    marketMaxQty: '2400.00000000',
    minNotional: '5.00000000',
    maxNotional: '9000000.00000000',
  },
  {
    base: 'SOL',
    quote: 'USDT',
    tick: '0.01000000',
    maxPrice: '10000.00000000',
    step: '0.00100000',
    maxQty: '90000.00000000',
    marketMaxQty: '25000.00000000',
    minNotional: '5.00000000',
    maxNotional: '9000000.00000000',
  },
  {
    base: 'ETH',
    quote: 'BTC',
    tick: '0.00001000',
    maxPrice: '1000.00000000',
    step: '0.00010000',
    maxQty: '100000.00000000',
    marketMaxQty: '1800.00000000',
    minNotional: '0.00010000',
    maxNotional: '9000.00000000',
  },
  {
    base: 'BNB',
    quote: 'USDT',
    tick: '0.01000000',
    maxPrice: '100000.00000000',
    step: '0.00100000',
    maxQty: '900000.00000000',
    marketMaxQty: '2000.00000000',
    minNotional: '5.00000000',
    maxNotional: '9000000.00000000',
  },
  {
    base: 'ADA',
    quote: 'USDT',
    tick: '0.00010000',
    maxPrice: '1000.00000000',
    step: '0.10000000',
    maxQty: '900000.00000000',
    marketMaxQty: '400000.00000000',
    minNotional: '5.00000000',
    maxNotional: '9000000.00000000',
  },
]

const accountNames = ['maker', 'taker', 'trader1', 'trader2'] as const

/** 0.1 % for makers and takers alike, in 1e-8. */
const STANDARD_RATE = 100_000
/** A quarter off for accounts that pay in the native asset; the demo's accounts do not. */
const DISCOUNT = { discountAsset: 'BNB', discountRate: 75_000_000 } as const

export interface DemoKey {
  readonly account: string
  readonly apiKey: string
  readonly secretKey: string
}

/** The facts of the demo, and the keys in the clear for `demo-keys.json`. */
export function demoFacts(vault: Vault, timeMs: number): { facts: Fact[]; keys: DemoKey[] } {
  const facts: Fact[] = [{ fact: 'demo' }, exchangeAccount()]
  const keys: DemoKey[] = []
  assets.forEach(([name], id) => {
    facts.push({ fact: 'asset', id, name })
  })
  facts.push({ fact: 'exchange', filters: [], ...DISCOUNT })
  symbols.forEach((symbol, id) => {
    facts.push({
      fact: 'symbol',
      id,
      name: symbol.base + symbol.quote,
      base: symbol.base,
      quote: symbol.quote,
      status: SymbolStatus.TRADING,
      filters: filtersOf(symbol),
      preventionModes: [
        SelfTradePrevention.EXPIRE_TAKER,
        SelfTradePrevention.EXPIRE_MAKER,
        SelfTradePrevention.EXPIRE_BOTH,
      ],
      preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
      fees: { ...noFees, discountEnabled: true },
    })
  })
  accountNames.forEach((name, index) => {
    const id = index + 1
    facts.push({
      ...exchangeAccount(),
      id,
      name,
      makerRate: STANDARD_RATE,
      takerRate: STANDARD_RATE,
    })
    const apiKey = keyText()
    const secretKey = keyText()
    keys.push({ account: name, apiKey, secretKey })
    facts.push({
      fact: 'key',
      kind: 'HMAC',
      account: id,
      apiKey,
      sealedSecret: vault.seal(secretKey, apiKey),
      canRead: true,
      canTrade: true,
    })
    assets.forEach(([, funds], asset) => {
      const atoms = (BigInt(funds) * 10n ** BigInt(WIRE_DECIMALS)).toString()
      facts.push({ fact: 'deposit', account: id, asset, atoms, timeMs })
    })
  })
  return { facts, keys }
}

/** Account 0, which collects commissions; every data folder has it. */
export function exchangeAccount(): Extract<Fact, { fact: 'account' }> {
  return {
    fact: 'account',
    id: 0,
    name: 'exchange',
    ...usualAccount,
  }
}

/**
 * The filters of a large venue in its order, and its numbers, but for MAX_NUM_ORDERS: 10,000 where
 * there it is 200, so that a few accounts can fill a book.
 */
function filtersOf(symbol: DemoSymbol): FilterSpec[] {
  return [
    {
      filterType: 'PRICE_FILTER',
      minPrice: symbol.tick,
      maxPrice: symbol.maxPrice,
      tickSize: symbol.tick,
    },
    { filterType: 'LOT_SIZE', minQty: symbol.step, maxQty: symbol.maxQty, stepSize: symbol.step },
    { filterType: 'ICEBERG_PARTS', limit: 100 },
    {
      filterType: 'MARKET_LOT_SIZE',
      minQty: '0.00000000',
      maxQty: symbol.marketMaxQty,
      stepSize: '0.00000000',
    },
    {
      filterType: 'TRAILING_DELTA',
      minTrailingAboveDelta: 10,
      maxTrailingAboveDelta: 2000,
      minTrailingBelowDelta: 10,
      maxTrailingBelowDelta: 2000,
    },
    {
      filterType: 'PERCENT_PRICE_BY_SIDE',
      bidMultiplierUp: '5',
      bidMultiplierDown: '0.2',
      askMultiplierUp: '5',
      askMultiplierDown: '0.2',
      avgPriceMins: 5,
    },
    {
      filterType: 'NOTIONAL',
      minNotional: symbol.minNotional,
      applyMinToMarket: true,
      maxNotional: symbol.maxNotional,
      applyMaxToMarket: false,
      avgPriceMins: 5,
    },
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders: 10_000 },
    { filterType: 'MAX_NUM_ORDER_LISTS', maxNumOrderLists: 20 },
    { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 5 },
    { filterType: 'MAX_NUM_ICEBERG_ORDERS', maxNumIcebergOrders: 5 },
    { filterType: 'MAX_NUM_ORDER_AMENDS', maxNumOrderAmends: 10 },
  ]
}
