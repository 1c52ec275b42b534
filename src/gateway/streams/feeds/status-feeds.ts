/** Streams of statuses: of one symbol, with the present one for each new reader, and of all symbols. */
import { type AnyRows, Rows } from '../../../api/answers/answer.ts'
import { symbolStatusFrame } from '../../../api/answers/market-streams.ts'
import type { SymbolSpec } from '../../../market/listing.ts'
import type { Feed, FeedParts, Send } from './feed.ts'

export class StatusFeed implements Feed {
  private readonly parts: FeedParts
  private readonly symbolId: number
  private readonly send: Send

  constructor(parts: FeedParts, { id }: SymbolSpec, send: Send) {
    this.parts = parts
    this.symbolId = id
    this.send = send
  }

  statusChanged(): void {
    this.send((microseconds) => this.present(microseconds))
  }

  present(microseconds: boolean): AnyRows {
    const spec = this.parts.symbols[this.symbolId]!
    return new Rows(symbolStatusFrame, rowOf(this.parts, spec), { microseconds })
  }
}

export class AllStatusesFeed implements Feed {
  private readonly parts: FeedParts
  private readonly send: Send

  constructor(parts: FeedParts, send: Send) {
    this.parts = parts
    this.send = send
  }

  statusChanged(spec: SymbolSpec): void {
    const rows = [rowOf(this.parts, spec)]
    this.send((microseconds) => new Rows(symbolStatusFrame, rows, { microseconds }))
  }
}

const rowOf = ({ clock }: FeedParts, spec: SymbolSpec) => ({
  spec,
  status: spec.status,
  eventMs: clock.nowMs(),
})
