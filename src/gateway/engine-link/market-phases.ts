/**
 * The phases of all symbols in one gateway, as their matchers' events say: clients see the phase
 * that an event has named, not the status that an operator wants (docs/phases.md). Written by the egress alone.
 */
import { isAfterTrading, type SymbolStatus } from '../../base/codes.ts'
import type { Ms, SymbolId } from '../../base/units.ts'
import { BookBegin, EventHeader, PhaseChanged, RecordHeader } from '../../layout/accessors.gen.ts'
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
    const isChanged = this.markets.auctions[symbolId]!.apply(buffer, at)
    if (isChanged) this.topics.auctionChanged(this.markets.symbols[symbolId]!)
    if (recordType(buffer, at) !== PhaseChanged.type) return
    const phase = PhaseChanged.phase(buffer, at) as SymbolStatus
    if (isAfterTrading(phase)) this.close(symbolId, EventHeader.timeMs(buffer, at))
    this.changed(symbolId, phase)
  }

  /** Takes in the head of a symbol's book, which is read at the start and after records were missed. */
  bookBegins(symbolId: SymbolId, buffer: RecordBuffer, at: number): void {
    const closeTicks = BookBegin.closeTicks(buffer, at)
    this.markets.auctions[symbolId]!.close = { closeTicks, timeMs: BookBegin.closeMs(buffer, at) }
    this.changed(symbolId, BookBegin.phase(buffer, at))
  }

  /** The day's trading has ended, unless it had before. */
  private close(symbolId: SymbolId, timeMs: Ms): void {
    const { symbols, tapes, auctions } = this.markets
    const closeTicks = tapes[symbolId]!.lastPriceTicks
    if (isAfterTrading(symbols[symbolId]!.status) || closeTicks === 0) return
    auctions[symbolId]!.close = { closeTicks, timeMs }
    this.topics.auctionChanged(symbols[symbolId]!)
  }

  /** The phase, where an event names it or the book is read. */
  private changed(symbolId: SymbolId, phase: number): void {
    const { markets } = this
    const before = markets.symbols[symbolId]!
    if (before.status === phase) return
    const spec = { ...before, status: phase as SymbolStatus }
    markets.respecify(spec)
    // Clients do not know a symbol yet whose listing is under way.
    if (this.context.symbols[symbolId] !== undefined) this.context.setSymbol(spec)
    this.topics.statusChanged(spec)
  }
}
