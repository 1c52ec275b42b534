import { expect, test } from 'vitest'
import { engineMemory } from '../../../src/agents/book-memory.ts'
import { MatcherSymbols } from '../../../src/agents/matcher-symbols.ts'
import { SymbolId } from '../../../src/base/units.ts'
import { Engine } from '../../../src/core/matching/engine.ts'
import { plainExchange } from '../../../src/market/listing.ts'
import { tapeSymbol } from '../core/matching/tape.ts'

const SYMBOLS = 20
const ACCOUNTS = 2

/** A matcher of every other symbol. */
function symbolsOfOne(): MatcherSymbols {
  const config = { ordersPerSymbol: 8, accounts: ACCOUNTS }
  const symbols = Array.from({ length: SYMBOLS }, (_, id) => ({
    ...tapeSymbol,
    id: SymbolId(id),
    name: `${tapeSymbol.name}${id}`,
  }))
  const matcherOf = symbols.map(({ id }) => id % 2)
  const rest = {
    index: 0,
    idSalt: 1,
    accounts: [],
    groups: [],
    exchange: plainExchange,
    chains: [],
    networks: [],
  }
  const regions = engineMemory(symbols, config)
  return new MatcherSymbols({ ...rest, config, symbols, matcherOf, regions })
}

test('eight engines of a matcher have code of their own', () => {
  const engines = symbolsOfOne().engines.filter((it) => it !== undefined)
  expect(engines).toHaveLength(SYMBOLS / 2)
  const hasOwn = (engine: Engine) => engine.execute !== Engine.prototype.execute
  expect(engines.map(hasOwn)).toEqual(engines.map((_, index) => index < 8))
})
