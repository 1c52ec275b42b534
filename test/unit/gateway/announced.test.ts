/** What an operator decided reaches all of a gateway that goes by it. */
import { expect, test } from 'vitest'
import { btcusdt } from '../../../bench/workloads/fake-context.ts'
import { SymbolStatus } from '../../../src/base/codes.ts'
import { Ms } from '../../../src/base/units.ts'
import { applyControlMessage, type ControlledParts } from '../../../src/gateway/control-messages.ts'
import { Markets } from '../../../src/gateway/engine-link/markets.ts'
import { type FeedParts, isGenerated } from '../../../src/gateway/streams/feeds/feed.ts'
import type { SymbolSpec } from '../../../src/market/listing.ts'

test('streams know a status that changes while they are read', async () => {
  const markets = new Markets([btcusdt], [0])
  // What streams are made from (gateway.ts).
  const { symbols } = markets
  const told: SymbolStatus[] = []
  const topics = { statusChanged: ({ status }: SymbolSpec) => told.push(status) }
  const context = { setSymbol: () => {} }
  let isLeading = true
  const parts = {
    markets,
    context,
    topics,
    isLeading: () => isLeading,
  } as unknown as ControlledParts
  const speaks = () => isGenerated({ symbols } as unknown as FeedParts, btcusdt)
  const spoken: boolean[] = [speaks()]
  for (const status of [SymbolStatus.BREAK, SymbolStatus.TRADING, SymbolStatus.TRADING]) {
    await applyControlMessage({ kind: 'symbol', symbol: { ...btcusdt, status } }, parts)
    spoken.push(speaks())
  }
  expect(spoken).toEqual([true, false, true, true])
  expect(told).toEqual([SymbolStatus.BREAK, SymbolStatus.TRADING])
  // Facts and events of a leader reach a follower by two ways: events alone tell of phases there.
  isLeading = false
  const halted = { ...btcusdt, status: SymbolStatus.HALT }
  await applyControlMessage({ kind: 'symbol', symbol: halted }, parts)
  expect(symbols[0]!.status).toBe(SymbolStatus.TRADING)
  expect(told).toHaveLength(2)
})

test('filters that ask for a longer average than any before are judged at once', async () => {
  const markets = new Markets([btcusdt], [0])
  const context = { setSymbol: () => {} }
  const parts = { markets, context, isLeading: () => true } as unknown as ControlledParts
  const longer = btcusdt.filters.map((filter) =>
    filter.avgPriceMins === undefined ? filter : { ...filter, avgPriceMins: 30 },
  )
  expect(() => markets.tapes[0]!.averagePrice(30, Ms(0))).toThrow()
  const symbol = { ...btcusdt, filters: longer }
  await applyControlMessage({ kind: 'symbol', symbol }, parts)
  expect(markets.tapes[0]!.averagePrice(30, Ms(0))).toBeUndefined()
})
