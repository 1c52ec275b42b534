/** The stream of one symbol's auctions, with what is known for each new reader. */
import { type AnyRows, Rows } from '../../../api/answers/answer.ts'
import { auctionFrame } from '../../../api/answers/market-streams.ts'
import { auctionRowOf } from '../../../api/rows/auction.ts'
import type { SymbolSpec } from '../../../market/listing.ts'
import type { Feed, FeedParts, Send } from './feed.ts'

export class AuctionFeed implements Feed {
  private readonly parts: FeedParts
  private readonly symbolId: number
  private readonly send: Send

  constructor(parts: FeedParts, { id }: SymbolSpec, send: Send) {
    this.parts = parts
    this.symbolId = id
    this.send = send
  }

  auctionChanged(): void {
    this.send((microseconds) => this.present(microseconds))
  }

  present(microseconds: boolean): AnyRows {
    const { symbols, auctions, clock } = this.parts
    const spec = symbols[this.symbolId]!
    const row = { ...auctionRowOf(spec, auctions[this.symbolId]!), eventMs: clock.nowMs() }
    return new Rows(auctionFrame, row, { microseconds })
  }
}
