/** Shared memory of all that engines write, sized by the settings. */
import { assetsMaxOf, PRICE_TICKS_MAX } from '../base/limits.ts'
import { untouchedMemory } from '../base/untouched-memory.ts'
import { Book, type BookShape } from '../core/book/book.ts'
import { Balances } from '../core/ledger/balances.ts'
import { LastPrices } from '../core/ledger/last-prices.ts'
import { OpenCounts } from '../core/matching/open-counts.ts'
import { OrderListIds } from '../core/matching/order-list-ids.ts'
import type { SymbolSpec } from '../market/listing.ts'
import type { NewSymbol } from '../shared/control-message.ts'

export interface BookSizes {
  readonly ordersPerSymbol: number
  readonly accounts: number
}

/** Every book has room for all prices, so that maxPrice may change: 9 MB of addresses, few of them touched. */
export const bookShape = ({ ordersPerSymbol, accounts }: BookSizes): BookShape => ({
  priceTicksMax: PRICE_TICKS_MAX,
  ordersMax: ordersPerSymbol,
  accountsMax: accounts,
})

/** What all engines write, and matchers share. */
export interface EngineRegions {
  /** Many writers (matchers), atomic cells: core/ledger/balances.ts. */
  readonly balances: SharedArrayBuffer
  /** By symbol id; written by the matcher that owns the symbol. */
  readonly books: readonly SharedArrayBuffer[]
  /** By symbol id; written by the matcher that owns the symbol, read by all: open-counts.ts. */
  readonly openCounts: readonly SharedArrayBuffer[]
  /** Many writers (matchers), one atomic cell: order-list-ids.ts. */
  readonly orderListIds: SharedArrayBuffer
  /** A cell of each symbol, written by the matcher that owns it: core/ledger/last-prices.ts. */
  readonly lastPrices: SharedArrayBuffer
}

/** Throws RangeError when the system does not have so much memory. */
export function engineMemory(symbols: readonly SymbolSpec[], sizes: BookSizes): EngineRegions {
  const { accounts } = sizes
  const share = (bytes: number) => new SharedArrayBuffer(bytes)
  const memories = symbols.map(() => bookMemory(sizes))
  return {
    balances: share(Balances.bytesFor(accounts, assetsMaxOf(accounts))),
    books: memories.map(({ book }) => book),
    openCounts: memories.map(({ openCounts }) => openCounts),
    orderListIds: share(OrderListIds.bytes),
    lastPrices: share(LastPrices.bytes),
  }
}

/** Throws RangeError when the system does not have so much memory. */
export const bookMemory = (sizes: BookSizes): Pick<NewSymbol, 'book' | 'openCounts'> => ({
  book: untouchedMemory(Book.bytesFor(bookShape(sizes))),
  openCounts: new SharedArrayBuffer(OpenCounts.bytesFor(sizes.accounts)),
})
