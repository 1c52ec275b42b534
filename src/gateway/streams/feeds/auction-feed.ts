/** The stream of one symbol's auctions, with what is known for each new reader. */
import { Rows } from '../../../api/answers/answer.ts'
import { auctionFrame } from '../../../api/answers/market-streams.ts'
import { auctionRowOf } from '../../../api/rows/auction.ts'
import type { SymbolSpec } from '../../../market/listing.ts'
import type { Feed, FeedParts, Send } from './feed.ts'

export function auctionFeed(parts: FeedParts, { id }: SymbolSpec, send: Send): Feed {
  const present = (microseconds: boolean) => {
    const { symbols, auctions, clock } = parts
    const row = { ...auctionRowOf(symbols[id]!, auctions[id]!), eventMs: clock.nowMs() }
    return new Rows(auctionFrame, row, { microseconds })
  }
  return { auctionChanged: () => send(present), present }
}
