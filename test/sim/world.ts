/**
 * What the simulated exchange lists: symbols that share assets, one of them with values at the edge of
 * what a number carries; accounts with odd rates, a trade group, one that may not trade, one that is
 * poor. Written by hand so that a few thousand commands meet every rule.
 */
import { SelfTradePrevention, SymbolStatus } from '#base/codes.ts'
import {
  type AccountSpec,
  type AssetSpec,
  type FilterSpec,
  type SymbolSpec,
  specifySymbol,
  usualAccount,
} from '#base/listing.ts'

export const ORDERS_MAX = 24
export const ACCOUNTS = 8
export const ASSETS = 4
export const MATCHERS = 2

const assets: readonly AssetSpec[] = [
  { id: 0, name: 'RED', decimals: 8 },
  { id: 1, name: 'BLUE', decimals: 11 },
  { id: 2, name: 'COIN', decimals: 9 },
  { id: 3, name: 'VAST', decimals: 8 },
]

function symbol(
  id: number,
  base: number,
  quote: number,
  tickSize: string,
  maxPrice: string,
  stepSize: string,
  maxQty: string,
  filters: readonly FilterSpec[],
): SymbolSpec {
  return specifySymbol({
    id,
    name: assets[base]!.name + assets[quote]!.name,
    base: assets[base]!,
    quote: assets[quote]!,
    status: SymbolStatus.TRADING,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: tickSize, maxPrice, tickSize },
      { filterType: 'LOT_SIZE', minQty: stepSize, maxQty, stepSize },
      ...filters,
    ],
    preventionModes: [1, 2, 3],
    preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
  })
}

export const symbols: readonly SymbolSpec[] = [
  symbol(0, 0, 2, '0.00100000', '1.00000000', '0.00001000', '1.00000000', [
    { filterType: 'MARKET_LOT_SIZE', minQty: '0.00003000', maxQty: '0.00060000', stepSize: '0' },
    {
      filterType: 'NOTIONAL',
      minNotional: '0.00000010',
      applyMinToMarket: true,
      maxNotional: '0.00005000',
      applyMaxToMarket: true,
    },
  ]),
  symbol(1, 1, 2, '0.00000010', '0.00001000', '0.01000000', '100.00000000', []),
  symbol(2, 1, 0, '0.00010000', '0.10000000', '0.00010000', '9.00000000', [
    { filterType: 'NOTIONAL', minNotional: '0.00000002', applyMinToMarket: false },
  ]),
  symbol(3, 3, 2, '0.00010000', '107374.18240000', '0.00010000', '90000000.00000000', []),
]

/** Matchers own symbols by turns. */
export const matcherOf = (symbolId: number): number => symbolId % MATCHERS

function account(
  id: number,
  tradeGroupId: number,
  rates: readonly [number, number, number, number],
  canTrade = true,
): AccountSpec {
  const [makerRate, takerRate, buyerRate, sellerRate] = rates
  return {
    ...usualAccount,
    id,
    name: `account-${id}`,
    tradeGroupId,
    makerRate,
    takerRate,
    buyerRate,
    sellerRate,
    canTrade,
  }
}

export const accounts: readonly AccountSpec[] = [
  account(0, -1, [0, 0, 0, 0]),
  account(1, -1, [100_000, 100_000, 0, 0]),
  account(2, -1, [0, 123_457, 1, 50_000_000]),
  account(3, 7, [75_000, 100_000, 10_000, 20_000]),
  account(4, 7, [50_000_000, 50_000_000, 50_000_000, 50_000_000]),
  account(5, 9, [100_016, 16, 32, 48]),
  account(6, -1, [100_000, 100_000, 0, 0], false),
  account(7, -1, [0, 0, 0, 0]),
]

export const deposits: readonly (readonly [account: number, asset: number, atoms: bigint])[] =
  accounts.slice(1).flatMap(({ id }) =>
    assets.map((asset) => {
      const poor = id === 7
      const atoms = asset.id === 3 ? 2n ** 58n : poor ? 2_000n : 10n ** 9n
      return [id, asset.id, asset.id === 2 && !poor ? 2n ** 60n : atoms] as const
    }),
  )
