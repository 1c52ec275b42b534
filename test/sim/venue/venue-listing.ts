/**
 * What the large venue lists: two symbols with books of 100,000 price levels, one whose quantities are
 * near the end of what a number carries, and two hundred small ones. Few accounts, all of them rich.
 */
import { SelfTradePrevention, SymbolStatus } from '../../../src/base/codes.ts'
import { AccountId, AssetId, SymbolId } from '../../../src/base/units.ts'
import {
  type AccountSpec,
  type AssetSpec,
  type SymbolSpec,
  specifySymbol,
  usualAccount,
} from '../../../src/market/listing.ts'

export const MATCHERS = 2
/** Matchers own symbols in turn, so each has one deep book. */
export const DEEP_SYMBOLS = [0, 1] as const
/** A lot of it is 10^-8, and an order may be of 2^43 lots. */
export const VAST_SYMBOL = 2
const SMALL_SYMBOLS = 200
export const SYMBOLS = 3 + SMALL_SYMBOLS
export const FIRST_SMALL = 3

/** Price levels of a deep book, half of them on each side of the middle. */
export const DEEP_LEVELS = 100_000
/** The part of them that one account has, an order each. */
export const BULK_ORDERS = 10_000
export const MIDDLE_TICKS = 500_000

export const Account = { MAKER: 1, BULK: 2, STOPPER: 3, TAKER: 4, HIDER: 5, VAST: 6 } as const
export const TRADERS = [7, 8, 9] as const
export const ACCOUNTS = 10

const assets: readonly AssetSpec[] = ['USD', 'DEEPA', 'DEEPB', 'VAST', 'SMALL'].map((name, id) => ({
  id: AssetId(id),
  name,
}))
export const ASSETS = assets.length
export const DEPOSIT_ATOMS = 10n ** 17n

function symbol(id: number, base: AssetSpec, tickSize: string, stepSize: string): SymbolSpec {
  return specifySymbol({
    id: SymbolId(id),
    name: `${base.name}${id}USD`,
    base,
    quote: assets[0]!,
    status: SymbolStatus.TRADING,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: tickSize, maxPrice: '10000.00000000', tickSize },
      { filterType: 'LOT_SIZE', minQty: stepSize, maxQty: '0.00000000', stepSize },
    ],
    preventionModes: [SelfTradePrevention.EXPIRE_MAKER],
    preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
  })
}

export const symbols: readonly SymbolSpec[] = Array.from({ length: SYMBOLS }, (_, id) => {
  if (id < VAST_SYMBOL) return symbol(id, assets[id + 1]!, '0.01000000', '0.00001000')
  if (id === VAST_SYMBOL) return symbol(id, assets[3]!, '0.00010000', '0.00000001')
  return symbol(id, assets[4]!, '0.01000000', '0.00001000')
})

export const matcherOf = (symbolId: SymbolId): number => symbolId % MATCHERS

/** Resting orders that the symbol's book has room for; an eighth as many levels. */
export const ordersMaxOf = (symbolId: SymbolId): number =>
  symbolId < VAST_SYMBOL ? 9 * DEEP_LEVELS : 2048

export const accounts: readonly AccountSpec[] = Array.from({ length: ACCOUNTS }, (_, id) => ({
  ...usualAccount,
  id: AccountId(id),
  name: `account-${id}`,
  makerRate: 100_000,
  takerRate: 100_000,
}))
