/** Shared memory of one symbol's book and of its counts of open orders, sized by the settings. */
import { Book, type BookShape } from '../core/book/book.ts'
import { OpenCounts } from '../core/matching/open-counts.ts'
import type { NewSymbol } from '../market/control-message.ts'
import type { SymbolSpec } from '../market/listing.ts'

export interface BookSizes {
  readonly ordersPerSymbol: number
  readonly accounts: number
}

export function bookShape(spec: SymbolSpec, { ordersPerSymbol, accounts }: BookSizes): BookShape {
  return { priceTicksMax: spec.priceTicksMax, ordersMax: ordersPerSymbol, accountsMax: accounts }
}

/** Throws RangeError when the system does not have so much memory. */
export function bookMemory(
  spec: SymbolSpec,
  sizes: BookSizes,
): Pick<NewSymbol, 'book' | 'openCounts'> {
  return {
    book: new SharedArrayBuffer(Book.bytesFor(bookShape(spec, sizes))),
    openCounts: new SharedArrayBuffer(OpenCounts.bytesFor(sizes.accounts)),
  }
}
