/** One start of the large venue: its matchers by hand, in memory of the default sizes. */
import { type BookSizes, bookMemory } from '../../../src/agents/book-memory.ts'
import type { ThreadStart } from '../../../src/agents/messages.ts'
import { assert } from '../../../src/base/assert.ts'
import { BATCH_EVENT_BYTES_MAX } from '../../../src/base/limits.ts'
import type { Clock } from '../../../src/base/time.ts'
import { BLOCK_HEADER_BYTES } from '../../../src/journal/block.ts'
import { plainExchange, type SymbolSpec } from '../../../src/market/listing.ts'
import { startOf } from '../../fixtures/thread-start.ts'
import { FaultyStore } from '../faulty-store.ts'
import { HandMatchers } from '../hand-matchers.ts'
import {
  ACCOUNTS,
  ASSETS,
  accounts,
  DEPOSIT_ATOMS,
  MATCHERS,
  ordersMaxOf,
  symbols,
} from './venue-listing.ts'

export const GATEWAYS = 4
const settings = { matchers: MATCHERS, gateways: GATEWAYS, accounts: ACCOUNTS }

/** A journal that takes no block larger than a batch may be. */
export class BoundedStore extends FaultyStore {
  constructor() {
    super('flushed')
  }

  override append(block: Uint8Array): void {
    const recordBytes = block.length - BLOCK_HEADER_BYTES
    assert(recordBytes <= BATCH_EVENT_BYTES_MAX, 'what one batch causes is bounded')
    super.append(block)
  }
}

const deposits = accounts
  .slice(1)
  .flatMap(({ id }) => Array.from({ length: ASSETS }, (_, at) => [id, at, DEPOSIT_ATOMS] as const))

const sizesOf = ({ id }: SymbolSpec): BookSizes => ({
  ordersPerSymbol: ordersMaxOf(id),
  accounts: ACCOUNTS,
})

/** No setting makes some books larger than others. */
function startWith(epoch: number): ThreadStart {
  const facts = { epoch, idSalt: epoch, symbols, accounts, exchange: plainExchange }
  const start = startOf(facts, { ...settings, ordersPerSymbol: 64 })
  const books = symbols.map((spec) => bookMemory(sizesOf(spec)).book)
  return { ...start, regions: { ...start.regions, books } }
}

export class VenueExchange extends HandMatchers {
  constructor(stores: readonly BoundedStore[], epoch: number, clock: Clock) {
    const parts = () => ({ sizesOf })
    super({ start: startWith(epoch), stores, clock, deposits, parts })
  }
}
