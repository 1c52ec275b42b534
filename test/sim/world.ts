/**
 * What the simulated exchange lists: symbols that share assets, one of them with amounts that no number
 * carries and the largest quantity that Binance lists (of SHIB, 2^62 atoms), others with small limits, taxes and every prevention mode; accounts with odd
 * rates, discounts, a trade group, one that may not trade, one that is poor. Written by hand so that a
 * few thousand commands meet every rule.
 */
import type { DeferralBounds } from '../../src/agents/deferred-commands.ts'
import { ReferenceCalculation, SelfTradePrevention, SymbolStatus } from '../../src/base/codes.ts'
import { AccountId, AssetId, SymbolId } from '../../src/base/units.ts'
import type { EngineBounds } from '../../src/core/matching/admission.ts'
import type { FilterSpec } from '../../src/market/filter-spec.ts'
import {
  type AccountSpec,
  type AssetSpec,
  type ExchangeSpec,
  noFees,
  noRates,
  type SymbolFees,
  type SymbolGroup,
  type SymbolSpec,
  specifySymbol,
  usualAccount,
  WALLET,
} from '../../src/market/listing.ts'

export const ORDERS_MAX = 16
export const ACCOUNTS = 8
export const ASSETS = 4
export const MATCHERS = 2
/** Events of one batch: few, so that commands and cascades continue in further batches. */
export const BATCH_BYTES = 3000
/** What a matcher defers: a few commands. */
export const deferralBounds: DeferralBounds = { bytes: 1536, accountCommands: 3 }
/** Bounds that some orders meet. */
export const tightBounds: EngineBounds = { executionMatchesMax: 10, levelLotsMax: 4 * 10 ** 9 }

const assets: readonly AssetSpec[] = [
  { id: AssetId(0), name: 'RED' },
  { id: AssetId(1), name: 'BLUE' },
  { id: AssetId(2), name: 'COIN' },
  { id: AssetId(3), name: 'VAST' },
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
  preventionModes: readonly SelfTradePrevention[],
  fees: SymbolFees,
): SymbolSpec {
  return specifySymbol({
    id: SymbolId(id),
    name: assets[base]!.name + assets[quote]!.name,
    base: assets[base]!,
    quote: assets[quote]!,
    status: SymbolStatus.TRADING,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: tickSize, maxPrice, tickSize },
      { filterType: 'LOT_SIZE', minQty: stepSize, maxQty, stepSize },
      ...filters,
    ],
    preventionModes,
    fees,
    preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
  })
}

const { NONE, EXPIRE_TAKER, EXPIRE_MAKER, EXPIRE_BOTH, DECREMENT, TRANSFER } = SelfTradePrevention
const usualModes = [EXPIRE_TAKER, EXPIRE_MAKER, EXPIRE_BOTH]

const taxed: SymbolFees = {
  tax: { maker: 112, taker: 114, buyer: 118, seller: 116 },
  special: { ...noRates, taker: 2_000_003 },
  discountEnabled: true,
}

export const symbols: readonly SymbolSpec[] = [
  symbol(
    0,
    0,
    2,
    '0.00100000',
    '1.00000000',
    '0.00001000',
    '1.00000000',
    [
      { filterType: 'MARKET_LOT_SIZE', minQty: '0.00003000', maxQty: '0.00020000', stepSize: '0' },
      {
        filterType: 'NOTIONAL',
        minNotional: '0.00001000',
        applyMinToMarket: true,
        maxNotional: '0.00008000',
        applyMaxToMarket: true,
      },
      { filterType: 'MAX_NUM_ORDERS', maxNumOrders: 6 },
      { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 3 },
      { filterType: 'MAX_NUM_ICEBERG_ORDERS', maxNumIcebergOrders: 2 },
      { filterType: 'MAX_NUM_ORDER_LISTS', maxNumOrderLists: 1 },
      { filterType: 'MAX_NUM_ORDER_AMENDS', maxNumOrderAmends: 1 },
    ],
    [NONE, ...usualModes],
    taxed,
  ),
  symbol(
    1,
    1,
    2,
    '0.00000010',
    '0.00001000',
    '0.01000000',
    '100.00000000',
    [
      { filterType: 'MAX_POSITION', maxPosition: '1.20000000' },
      { filterType: 'MAX_NUM_ORDERS', maxNumOrders: 14 },
    ],
    [...usualModes, DECREMENT, TRANSFER],
    { ...noFees, discountEnabled: true },
  ),
  symbol(
    2,
    1,
    0,
    '0.00010000',
    '0.10000000',
    '0.00010000',
    '9.00000000',
    [{ filterType: 'NOTIONAL', minNotional: '0.00000002', applyMinToMarket: false }],
    [NONE, ...usualModes, DECREMENT, TRANSFER],
    { ...noFees, special: { maker: 7, taker: 0, buyer: 1_000, seller: 0 } },
  ),
  symbol(
    3,
    3,
    2,
    '0.00100000',
    '1000000.00000000',
    '1.00000000',
    '46116860414.00000000',
    [],
    [NONE, ...usualModes, DECREMENT, TRANSFER],
    { ...noFees, discountEnabled: true },
  ),
]

const freely = [NONE, ...usualModes, DECREMENT, TRANSFER]

/** Two books of one base asset that the pipeline routes orders over, of other ticks and steps. */
const groupedSymbols: readonly SymbolSpec[] = [
  symbol(4, 1, 2, '0.00100000', '1.00000000', '0.00000100', '9.00000000', [], freely, noFees),
  symbol(5, 1, 0, '0.00200000', '1.00000000', '0.00000200', '9.00000000', [], freely, noFees),
]

const mean = {
  calculation: ReferenceCalculation.ARITHMETIC_MEAN,
  bucketCount: 3,
  bucketWidthMs: 20,
  externalId: 0,
}
const external = {
  calculation: ReferenceCalculation.EXTERNAL,
  bucketCount: 0,
  bucketWidthMs: 0,
  externalId: 2,
}
const range = { bidUp: 10_300, bidDown: 9_500, askUp: 10_500, askDown: 9_700 }

/** The same with a reference price of both kinds, and a price range around each. */
export const ruledSymbols: readonly SymbolSpec[] = symbols.map((spec) => {
  if (spec.id === 1) return { ...spec, reference: mean, priceRange: range }
  return spec.id === 2 ? { ...spec, reference: external, priceRange: range } : spec
})

/** Those of the pipeline. */
export const allSymbols: readonly SymbolSpec[] = [...ruledSymbols, ...groupedSymbols]

export const isGrouped = (symbolId: number): boolean => symbolId >= symbols.length

export const exchange: ExchangeSpec = {
  filters: [
    { filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: 15 },
    { filterType: 'EXCHANGE_MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: 7 },
    { filterType: 'EXCHANGE_MAX_NUM_ICEBERG_ORDERS', maxNumIcebergOrders: 5 },
    { filterType: 'EXCHANGE_MAX_NUM_ORDER_LISTS', maxNumOrderLists: 3 },
    { filterType: 'MAX_ASSET', asset: 'BLUE', limit: '0.27000000' },
    { filterType: 'MAX_ASSET', asset: 'RED', limit: '0.00150000' },
  ],
  assetLimits: [
    { assetId: AssetId(1), atoms: 27_000_000 },
    { assetId: AssetId(0), atoms: 150_000 },
  ],
  discountAssetId: AssetId(0),
  discountRate: 25_000_000,
}

export const VAST_SYMBOL = 3
/** Lots of it that an account can pay for a few times. */
export const VAST_LOTS = 6e8

/** Matchers own symbols by turns; the first one has the wallet, and the group. */
export const matcherOf = (symbolId: number): number =>
  symbolId === WALLET || isGrouped(symbolId) ? 0 : symbolId % MATCHERS

/** Where lists that have the wallet before the symbols have this one. */
export const cellOf = (symbolId: number): number => symbolId - WALLET

function account(
  id: number,
  tradeGroupId: number,
  rates: readonly [number, number, number, number],
  others: Partial<AccountSpec> = {},
): AccountSpec {
  const [makerRate, takerRate, buyerRate, sellerRate] = rates
  return {
    ...usualAccount,
    id: AccountId(id),
    name: `account-${id}`,
    tradeGroupId,
    makerRate,
    takerRate,
    buyerRate,
    sellerRate,
    ...others,
  }
}

export const accounts: readonly AccountSpec[] = [
  account(0, -1, [0, 0, 0, 0]),
  account(1, -1, [100_000, 100_000, 0, 0]),
  account(2, -1, [0, 123_457, 1, 50_000_000], { limits: { openOrders: 20 } }),
  account(3, 7, [75_000, 100_000, 10_000, 20_000], { discountEnabled: true }),
  account(4, 7, [50_000_000, 50_000_000, 50_000_000, 50_000_000], { limits: { openOrders: 4 } }),
  account(5, 9, [100_016, 16, 32, 48], { discountEnabled: true }),
  account(6, -1, [100_000, 100_000, 0, 0], { canTrade: false }),
  account(7, -1, [0, 0, 0, 0], { discountEnabled: true }),
]

/** Who stands between the books of the group: it may not trade itself. */
export const group: SymbolGroup = {
  base: assets[1]!,
  symbols: [SymbolId(4), SymbolId(5)],
  account: AccountId(6),
}

/** Who has a little of everything, or just enough of COIN for a few orders. */
const POOR = 7
const MODEST = 5

export const deposits: readonly (readonly [account: number, asset: number, atoms: bigint])[] =
  accounts.slice(1).flatMap(({ id }) => {
    const poor = id === POOR
    const coins = id === MODEST ? 20_000n : 2n ** 59n
    return [
      [id, 0, poor ? 2_000n : 10n ** 9n],
      [id, 1, poor ? 2n : 10n ** 8n],
      [id, 2, poor ? 200n : coins],
      [id, 3, 2n ** 59n],
    ] as const
  })
