import { expect, test } from 'vitest'
import { bookMemory } from '../../../src/agents/book-memory.ts'
import { MatcherSymbols } from '../../../src/agents/matcher-symbols.ts'
import { SymbolId } from '../../../src/base/units.ts'
import { Balances } from '../../../src/core/ledger/balances.ts'
import { Holds } from '../../../src/core/ledger/holds.ts'
import { LastPrices } from '../../../src/core/ledger/last-prices.ts'
import { Engine } from '../../../src/core/matching/engine.ts'
import { OrderListIds } from '../../../src/core/matching/order-list-ids.ts'
import { EngineOutput } from '../../../src/core/matching/output.ts'
import { plainExchange } from '../../../src/market/listing.ts'
import { tapeSymbol } from '../core/matching/tape.ts'

const SYMBOLS = 20
const ACCOUNTS = 2
const ASSETS = 2

/** A matcher of every other symbol. */
function symbolsOfOne(): MatcherSymbols {
  const config = { ordersPerSymbol: 8, accounts: ACCOUNTS }
  const symbols = Array.from({ length: SYMBOLS }, (_, id) => ({
    ...tapeSymbol,
    id: SymbolId(id),
    name: `${tapeSymbol.name}${id}`,
  }))
  const memories = symbols.map((spec) => bookMemory(spec, config))
  const regions = {
    orderListIds: new SharedArrayBuffer(OrderListIds.bytes),
    openCounts: memories.map(({ openCounts }) => openCounts),
    books: memories.map(({ book }) => book),
  }
  const matcherOf = symbols.map(({ id }) => id % 2)
  const rest = { index: 0, idSalt: 1, accounts: [], exchange: plainExchange }
  const ledger = new SharedArrayBuffer(Balances.bytesFor(ACCOUNTS, ASSETS))
  const holds = new Holds(new Balances(ledger, ACCOUNTS, ASSETS), ACCOUNTS, ASSETS)
  const lastPrices = new LastPrices(new SharedArrayBuffer(LastPrices.bytes))
  const start = { ...rest, config, symbols, matcherOf, regions }
  return new MatcherSymbols(start, holds, lastPrices, new EngineOutput(64))
}

test('eight engines of a matcher have code of their own', () => {
  const engines = symbolsOfOne().engines.filter((it) => it !== undefined)
  expect(engines).toHaveLength(SYMBOLS / 2)
  const hasOwn = (engine: Engine) => engine.execute !== Engine.prototype.execute
  expect(engines.map(hasOwn)).toEqual(engines.map((_, index) => index < 8))
})
