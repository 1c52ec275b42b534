/**
 * The phases of all symbols in one gateway, from their matchers' events: clients see the phase
 * that an event has named, not the status that an operator wants (docs/phases.md). Written by the egress alone.
 */
import type { SymbolStatus } from '../../base/codes.ts'
import type { SymbolId } from '../../base/units.ts'
import { BookBegin, PhaseChanged, RecordHeader } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { Topics } from '../streams/topics.ts'
import type { EngineClient } from './engine-client.ts'
import type { Markets } from './markets.ts'

export class MarketPhases {
  private readonly markets: Markets
  private readonly context: Pick<EngineClient, 'setSymbol' | 'symbols'>
  private readonly topics: Pick<Topics, 'statusChanged' | 'auctionChanged'>

  constructor(
    markets: Markets,
    context: Pick<EngineClient, 'setSymbol' | 'symbols'>,
    topics: Pick<Topics, 'statusChanged' | 'auctionChanged'>,
  ) {
    this.markets = markets
    this.context = context
    this.topics = topics
  }

  /** Takes in one record. Most are about orders. */
  apply(buffer: RecordBuffer, at: number): void {
    const symbolId = RecordHeader.symbolId(buffer, at)
    const hasAuction = this.markets.auctions[symbolId]!.apply(buffer, at)
    const hasStatus =
      recordType(buffer, at) === PhaseChanged.type &&
      this.changed(symbolId, PhaseChanged.phase(buffer, at))
    // Readers of auctions are sent the phase, too: the one that follows.
    if (hasAuction || hasStatus) this.topics.auctionChanged(this.markets.symbols[symbolId]!)
  }

  /** Takes in the head of a symbol's book, which is read at the start and after records were missed. */
  bookBegins(symbolId: SymbolId, buffer: RecordBuffer, at: number): void {
    this.markets.auctions[symbolId]!.bookBegins(buffer, at)
    this.changed(symbolId, BookBegin.phase(buffer, at))
    this.topics.auctionChanged(this.markets.symbols[symbolId]!)
  }

  /** The phase, where an event names it or the book is read. Returns whether it is another one. */
  private changed(symbolId: SymbolId, phase: number): boolean {
    const { markets } = this
    const before = markets.symbols[symbolId]!
    if (before.status === phase) return false
    const spec = { ...before, status: phase as SymbolStatus }
    markets.respecify(spec)
    // Clients do not know a symbol yet whose listing is under way.
    if (this.context.symbols[symbolId] !== undefined) this.context.setSymbol(spec)
    this.topics.statusChanged(spec)
    return true
  }
}
