/** Streams of statuses: of one symbol, with the present one for each new reader, and of all symbols. */
import { Rows } from '../../../api/answers/answer.ts'
import { symbolStatusFrame } from '../../../api/answers/market-streams.ts'
import type { SymbolSpec } from '../../../market/listing.ts'
import type { Feed, FeedParts, Send } from './feed.ts'

export function statusFeed(parts: FeedParts, { id }: SymbolSpec, send: Send): Feed {
  const present = (microseconds: boolean) =>
    new Rows(symbolStatusFrame, rowOf(parts, parts.symbols[id]!), { microseconds })
  return { statusChanged: () => send(present), present }
}

export const allStatusesFeed = (parts: FeedParts, send: Send): Feed => ({
  statusChanged: (spec) => {
    const rows = [rowOf(parts, spec)]
    send((microseconds) => new Rows(symbolStatusFrame, rows, { microseconds }))
  },
})

const rowOf = ({ clock }: FeedParts, spec: SymbolSpec) => ({
  spec,
  status: spec.status,
  eventMs: clock.nowMs(),
})
