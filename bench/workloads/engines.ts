/** Engines as a matcher has them, without the matcher: in their own memory, one matcher for all symbols. */
import { type BookSizes, engineMemory } from '../../src/agents/book-memory.ts'
import { MatcherSymbols, type MatcherSymbolsParts } from '../../src/agents/matcher-symbols.ts'
import {
  type AccountSpec,
  type ExchangeSpec,
  plainExchange,
  type SymbolSpec,
} from '../../src/market/listing.ts'

export interface Venue {
  readonly symbols: readonly SymbolSpec[]
  readonly accounts: readonly AccountSpec[]
  /** No filters of the exchange as a whole when left out. */
  readonly exchange?: ExchangeSpec
}

/** `regions` is their memory. */
export function enginesOf(
  { symbols, accounts, exchange = plainExchange }: Venue,
  sizes: BookSizes,
  regions = engineMemory(symbols, sizes),
  parts: MatcherSymbolsParts = {},
): MatcherSymbols {
  const own = { index: 0, idSalt: 0, matcherOf: symbols.map(() => 0), groups: [] }
  const start = {
    ...own,
    config: sizes,
    accounts,
    exchange,
    chains: [],
    networks: [],
    symbols,
    regions,
  }
  return new MatcherSymbols(start, parts)
}
