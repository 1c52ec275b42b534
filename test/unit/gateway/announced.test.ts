/** What an operator decided reaches all of a gateway that goes by it. */
import { expect, test } from 'vitest'
import { btcusdt } from '../../../bench/workloads/fake-context.ts'
import { SymbolStatus } from '../../../src/base/codes.ts'
import { Ms } from '../../../src/base/units.ts'
import { applyControlMessage, type ControlledParts } from '../../../src/gateway/control-messages.ts'
import { Markets } from '../../../src/gateway/engine-link/markets.ts'
import type { SymbolSpec } from '../../../src/market/listing.ts'

test('a message changes no status: it may overtake the events that name the phase', async () => {
  const markets = new Markets([btcusdt], [0])
  const parts = { markets, context: { setSymbol: () => {} } } as unknown as ControlledParts
  const symbol = { ...btcusdt, status: SymbolStatus.BREAK }
  await applyControlMessage({ kind: 'symbol', symbol }, parts)
  expect(markets.symbols[0]!.status).toBe(SymbolStatus.TRADING)
})

test('a symbol opens in the phase that its events have named meanwhile', async () => {
  const markets = new Markets([btcusdt], [0])
  const opened: SymbolSpec[] = []
  const keep = (symbol: SymbolSpec) => opened.push(symbol)
  const parts = {
    markets,
    context: { setSymbol: keep },
    topics: { open: keep, statusChanged: keep },
    openStreams: () => {},
    syncDepth: async () => markets.respecify({ ...btcusdt, status: SymbolStatus.HALT }),
  } as unknown as ControlledParts
  await applyControlMessage({ kind: 'opening', symbol: btcusdt }, parts)
  expect(opened.map(({ status }) => status)).toEqual(Array(3).fill(SymbolStatus.HALT))
})

test('filters that ask for a longer average than any before are judged at once', async () => {
  const markets = new Markets([btcusdt], [0])
  const context = { setSymbol: () => {} }
  const parts = { markets, context } as unknown as ControlledParts
  const longer = btcusdt.filters.map((filter) =>
    filter.avgPriceMins === undefined ? filter : { ...filter, avgPriceMins: 30 },
  )
  expect(() => markets.tapes[0]!.averagePrice(30, Ms(0))).toThrow()
  const symbol = { ...btcusdt, filters: longer }
  await applyControlMessage({ kind: 'symbol', symbol }, parts)
  expect(markets.tapes[0]!.averagePrice(30, Ms(0))).toBeUndefined()
})
