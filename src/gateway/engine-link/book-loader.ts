/**
 * Loads the depths of symbols from their matchers, piece by piece: at start, for a new symbol, and after an
 * overrun. One symbol of each matcher is loaded at a time: a gateway has one piece of a matcher under way,
 * however many symbols and gateways there are.
 */

import type { Collector, CommandSlot } from '../../api/context.ts'
import { Side } from '../../base/codes.ts'
import { pause, type Time } from '../../base/time.ts'
import type { SymbolId } from '../../base/units.ts'
import type { DepthView } from '../../core/views/depth.ts'
import type { ReferencePrice } from '../../core/views/reference-price.ts'
import { BookBegin, QueryBook, Rejected } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { Markets } from './markets.ts'

/** Levels in a piece: 64 KiB. */
export const PIECE_LEVELS = 1600
/** Time until a refused or lost piece is requested again. */
const RETRY_MS = 10

/** Gets the BookBegin of a symbol's book, which has its phase and its official close. */
type OnBook = (symbolId: SymbolId, buffer: RecordBuffer, at: number) => void

export class BookLoader {
  private readonly markets: Markets
  private readonly time: Time
  private readonly command: (symbolId: SymbolId) => CommandSlot | undefined
  private readonly onBook: OnBook
  /** By symbol id: loads that wait or are under way. */
  private readonly loads = new Map<number, Promise<void>>()
  /** By matcher: the last load, begun or waiting. */
  private readonly last: Promise<void>[] = []

  constructor(
    markets: Markets,
    time: Time,
    command: (symbolId: SymbolId) => CommandSlot | undefined,
    onBook: OnBook,
  ) {
    this.onBook = onBook
    this.markets = markets
    this.time = time
    this.command = command
  }

  /** Resolves when the symbol's depth is the engine's. */
  load(symbolId: SymbolId): Promise<void> {
    const before = this.loads.get(symbolId)
    if (before !== undefined) return before
    const matcher = this.markets.matcherOf[symbolId]!
    const load = (this.last[matcher] ?? Promise.resolve()).then(() => this.run(symbolId))
    this.last[matcher] = load
    this.loads.set(symbolId, load)
    return load
  }

  private async run(symbolId: SymbolId): Promise<void> {
    const depth = this.markets.depths[symbolId]!
    while (!depth.synced) {
      const isTaken = await new Promise<boolean>((resolve) => this.ask(symbolId, depth, resolve))
      if (!isTaken) await pause(this.time, RETRY_MS)
    }
    this.loads.delete(symbolId)
  }

  private ask(symbolId: SymbolId, depth: DepthView, resolve: (isTaken: boolean) => void): void {
    const slot = this.command(symbolId)
    if (slot === undefined) {
      resolve(false)
      return
    }
    const { buffer } = slot
    const { side, afterTicks } = depth.nextPiece
    QueryBook.setSide(buffer, slot.at, side)
    QueryBook.setLimit(buffer, slot.at, PIECE_LEVELS)
    QueryBook.setAfterTicks(buffer, slot.at, afterTicks)
    const reference = this.markets.references[symbolId]!
    const piece = new Piece(depth, reference, this.onBook, resolve)
    slot.submit(QueryBook.type, QueryBook.bytes, piece, undefined)
  }
}

/** Whether the record begins a book. */
const isFirstPiece = (buffer: RecordBuffer, at: number): boolean =>
  recordType(buffer, at) === BookBegin.type &&
  BookBegin.side(buffer, at) === Side.BUY &&
  BookBegin.afterTicks(buffer, at) === 0

class Piece implements Collector {
  private readonly depth: DepthView
  /** Its buckets come with the first piece; a piece that is requested again begins them again. */
  private readonly reference: ReferencePrice
  private readonly onBook: OnBook
  private readonly resolve: (isTaken: boolean) => void
  private isRefused = false

  constructor(
    depth: DepthView,
    reference: ReferencePrice,
    onBook: OnBook,
    resolve: (isTaken: boolean) => void,
  ) {
    this.depth = depth
    this.reference = reference
    this.onBook = onBook
    this.resolve = resolve
  }

  record(buffer: RecordBuffer, at: number): void {
    const type = recordType(buffer, at)
    if (type === Rejected.type) this.isRefused = true
    else this.depth.apply(buffer, at)
    if (isFirstPiece(buffer, at)) this.reference.reset()
    else this.reference.apply(buffer, at)
    if (type === BookBegin.type) this.onBook(this.depth.spec.id, buffer, at)
  }

  done(): void {
    this.resolve(!this.isRefused)
  }

  failed(): void {
    this.resolve(false)
  }
}
