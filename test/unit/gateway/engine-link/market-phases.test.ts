/** What readers of a symbol's auctions and status are sent at each event: what a query returns then. */
import { beforeEach, expect, test } from 'vitest'
import { btcusdt } from '../../../../bench/workloads/fake-context.ts'
import { auctionRowOf } from '../../../../src/api/rows/auction.ts'
import { namesOf, SymbolStatus } from '../../../../src/base/codes.ts'
import { Ticks } from '../../../../src/base/units.ts'
import { MarketPhases } from '../../../../src/gateway/engine-link/market-phases.ts'
import { Markets } from '../../../../src/gateway/engine-link/markets.ts'
import { AuctionIndicative, BookBegin, PhaseChanged } from '../../../../src/layout/accessors.gen.ts'
import { RecordBuffer, writeHead } from '../../../../src/layout/record-buffer.ts'

const names = namesOf(SymbolStatus)
let markets: Markets
let phases: MarketPhases
let sent: string[]

beforeEach(() => {
  markets = new Markets([btcusdt], [0])
  sent = []
  phases = new MarketPhases(
    markets,
    { symbols: [], setSymbol: () => {} },
    {
      statusChanged: ({ status }) => sent.push(names[status]!),
      auctionChanged: () => {
        const { status, indicative, last } = auctionRowOf(markets.symbols[0]!, markets.auctions[0]!)
        sent.push(`${names[status]}: ${indicative.priceTicks} to come, ${last.priceTicks} last`)
      },
    },
  )
})

function record({ type, bytes }: { readonly type: number; readonly bytes: number }): RecordBuffer {
  const buffer = RecordBuffer.allocate(bytes)
  writeHead(buffer, 0, type, bytes)
  return buffer
}
function indicate(ticks: number): void {
  const buffer = record(AuctionIndicative)
  AuctionIndicative.setPriceTicks(buffer, 0, Ticks(ticks))
  phases.apply(buffer, 0)
}
function change(phase: SymbolStatus, auctionTicks = 0): void {
  const buffer = record(PhaseChanged)
  PhaseChanged.setPhase(buffer, 0, phase)
  PhaseChanged.setAuctionTicks(buffer, 0, Ticks(auctionTicks))
  phases.apply(buffer, 0)
}

test('an auction is sent with the phase that follows it', () => {
  change(SymbolStatus.AUCTION_MATCH)
  indicate(21)
  change(SymbolStatus.TRADING, 21)
  expect(sent.slice(-3)).toEqual([
    ...['AUCTION_MATCH: 21 to come, 0 last', 'TRADING', 'TRADING: 0 to come, 21 last'],
  ])
})

test('a call that ends without an auction is sent, and nothing is to come', () => {
  change(SymbolStatus.AUCTION_MATCH)
  indicate(21)
  change(SymbolStatus.HALT)
  expect(sent.slice(-2)).toEqual(['HALT', 'HALT: 0 to come, 0 last'])
})

test('a call that is extended is no change, and what is to come stays', () => {
  change(SymbolStatus.AUCTION_MATCH)
  indicate(21)
  const before = sent.length
  change(SymbolStatus.AUCTION_MATCH)
  expect(sent).toHaveLength(before)
  expect(markets.auctions[0]!.indicative.priceTicks).toBe(21)
})

test('what a book says after missed events is sent to readers that came before it', () => {
  const buffer = record(BookBegin)
  BookBegin.setPhase(buffer, 0, SymbolStatus.POST_TRADING)
  BookBegin.setAuctionTicks(buffer, 0, Ticks(22))
  markets.auctions[0]!.missed()
  phases.bookBegins(btcusdt.id, buffer, 0)
  expect(sent).toEqual(['POST_TRADING', 'POST_TRADING: 0 to come, 22 last'])
})
