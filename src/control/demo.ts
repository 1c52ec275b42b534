/**
 * The content of a new data folder in demo mode: six symbols with filters like those of large venues,
 * four chains, and four funded accounts with one HMAC key each.
 */
import { SelfTradePrevention, SymbolStatus } from '../base/codes.ts'
import { WIRE_DECIMALS } from '../base/limits.ts'
import { AccountId, AssetId, type Ms, SymbolId } from '../base/units.ts'
import { noFees, usualAccount } from '../market/listing.ts'
import type { Fact } from './facts.ts'
import { spotFilters, type TemplateValues } from './filter-templates.ts'
import { keyText } from './keys.ts'
import { demoNetworks } from './usual-networks.ts'
import type { Vault } from './vault.ts'

const assets: readonly (readonly [name: string, funds: string])[] = [
  ['BTC', '5000'],
  ['ETH', '50000'],
  ['USDT', '50000000'],
  ['SOL', '500000'],
  ['BNB', '50000'],
  ['ADA', '20000000'],
]

interface DemoSymbol extends TemplateValues {
  readonly base: string
  readonly quote: string
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

const ORDERS_MAX = 10_000
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
export function demoFacts(vault: Vault, timeMs: Ms): { facts: Fact[]; keys: DemoKey[] } {
  const facts: Fact[] = [{ fact: 'demo' }, exchangeAccount()]
  const keys: DemoKey[] = []
  assets.forEach(([name], id) => {
    facts.push({ fact: 'asset', id: AssetId(id), name })
  })
  const ids = assets.map(([name], id) => [name, AssetId(id)] as const)
  facts.push(...demoNetworks(new Map(ids), timeMs))
  facts.push({ fact: 'exchange', filters: [], ...DISCOUNT })
  symbols.forEach((symbol, id) => {
    facts.push({
      fact: 'symbol',
      id: SymbolId(id),
      name: symbol.base + symbol.quote,
      base: symbol.base,
      quote: symbol.quote,
      status: SymbolStatus.TRADING,
      // 10,000 orders of an account, so that a few accounts can fill a book; 200 at a large venue.
      filters: spotFilters(symbol, ORDERS_MAX),
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
      id: AccountId(id),
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
      account: AccountId(id),
      apiKey,
      sealedSecret: vault.seal(secretKey, apiKey),
      canRead: true,
      canTrade: true,
      canWithdraw: true,
      createdMs: timeMs,
    })
    assets.forEach(([, funds], asset) => {
      const atoms = (BigInt(funds) * 10n ** BigInt(WIRE_DECIMALS)).toString()
      facts.push({ fact: 'deposit', account: AccountId(id), asset: AssetId(asset), atoms, timeMs })
    })
  })
  return { facts, keys }
}

/** Account 0, which collects commissions; every data folder has it. */
export function exchangeAccount(): Extract<Fact, { fact: 'account' }> {
  return {
    fact: 'account',
    id: AccountId(0),
    name: 'exchange',
    ...usualAccount,
  }
}
