/**
 * One symbol's price levels, up to a cursor in its matcher's event ring. A gateway applies to it
 * every record of the symbol, in order; snapshots and diffs that clients get are both read from it,
 * so that they agree. Written by its gateway's egress alone; handlers and streams read it.
 *
 * A book is loaded in pieces (QueryBook), best level first, BUY side before SELL. Each piece stands among
 * the records at the place where the engine read it. While the book loads, a change of a level in the
 * loaded part is applied. A change beyond it is ignored, because a later piece has it.
 *
 * It must never guess: until a whole book is loaded it is not synced, and an update that does not
 * follow the last one is a programmer's error.
 */
import { assert } from '../../base/assert.ts'
import { Side, sideOf } from '../../base/codes.ts'
import { Lots, Ticks } from '../../base/units.ts'
import {
  AuctionSection,
  BookBegin,
  BookEnd,
  BookLevel,
  JoinEvent,
  OrderAmended,
  OrderClosed,
  OrderDecremented,
  OrderEvent,
  OrderReplenished,
  OrderRested,
  Trade,
} from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordFlags, recordType } from '../../layout/record-buffer.ts'
import { FLAG_AUCTION } from '../../layout/records.gen.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { PriceLevels } from './price-levels.ts'

/** Collects changes of levels: DepthDiff. */
export interface DepthListener {
  /** The level changed. */
  mark(side: Side, priceTicks: Ticks): void
  /** A book was loaded: what was collected before it has no meaning any more. */
  rebase(): void
}

export class DepthView {
  readonly spec: SymbolSpec
  private readonly bids = new PriceLevels(Side.BUY)
  private readonly asks = new PriceLevels(Side.SELL)
  private readonly listeners = new Set<DepthListener>()
  private _synced = false
  /** Whether a first piece was taken. */
  private isLoading = false
  /** Whether the records of a piece follow that continues where the loaded part ends. */
  private isTaking = false
  /** Where the loaded part ends: the last level taken, or 0 before the first. */
  private side: Side = Side.BUY
  private afterTicks = Ticks(0)
  private _updateId = 0

  constructor(spec: SymbolSpec) {
    this.spec = spec
  }

  /** Whether the levels are the engine's at `updateId`. */
  get synced(): boolean {
    return this._synced
  }

  /** Version of the depth (layout/schema.ts): rises by one with each change of one level. */
  get updateId(): number {
    return this._updateId
  }

  /** Price and quantity of the best levels; 0 when a side is empty. */
  get bestBidTicks(): Ticks {
    return this.bids.bestTicks
  }
  get bestBidLots(): Lots {
    return this.bids.bestLots
  }
  get bestAskTicks(): Ticks {
    return this.asks.bestTicks
  }
  get bestAskLots(): Lots {
    return this.asks.bestLots
  }

  /** At most `limit` levels of a side, best first. */
  levels(side: Side, limit: number, into: (priceTicks: Ticks, lots: Lots) => void): void {
    this.sideOf(side).walk(limit, into)
  }

  levelCount(side: Side): number {
    return this.sideOf(side).count
  }

  /** Quantity at a price; 0 when there is no such level. */
  lotsAt(side: Side, priceTicks: Ticks): Lots {
    return this.sideOf(side).lotsAt(priceTicks)
  }

  /** What a QueryBook of the next piece names. */
  get nextPiece(): { readonly side: Side; readonly afterTicks: Ticks } {
    return { side: this.side, afterTicks: this.afterTicks }
  }

  /** Records were missed: empty and not synced until a whole book is loaded again. */
  invalidate(): void {
    this._synced = false
    this.isLoading = false
    this.isTaking = false
    this.side = Side.BUY
    this.afterTicks = Ticks(0)
    this.bids.clear()
    this.asks.clear()
  }

  /** Takes in one record of this symbol; records that do not concern the depth change nothing. */
  apply(buffer: RecordBuffer, at: number): void {
    switch (recordType(buffer, at)) {
      case OrderRested.type:
      case OrderReplenished.type:
        this.change(
          JoinEvent.updateId(buffer, at),
          sideOf(JoinEvent.terms(buffer, at)),
          JoinEvent.priceTicks(buffer, at),
          JoinEvent.restedLots(buffer, at),
        )
        break
      case Trade.type:
        if ((recordFlags(buffer, at) & FLAG_AUCTION) !== 0) this.uncrossed(buffer, at)
        else {
          this.change(
            Trade.updateId(buffer, at),
            sideOf(Trade.makerTerms(buffer, at)),
            Trade.priceTicks(buffer, at),
            Lots(-Trade.tradeLots(buffer, at)),
          )
        }
        break
      case OrderClosed.type:
        this.left(buffer, at, OrderClosed.updateId(buffer, at), OrderClosed.restedLots(buffer, at))
        break
      case OrderAmended.type:
        this.left(
          buffer,
          at,
          OrderAmended.updateId(buffer, at),
          OrderAmended.removedLots(buffer, at),
        )
        break
      case OrderDecremented.type:
        this.left(
          buffer,
          at,
          OrderDecremented.updateId(buffer, at),
          OrderDecremented.removedLots(buffer, at),
        )
        break
      case BookBegin.type:
        this.beginPiece(
          BookBegin.side(buffer, at),
          BookBegin.afterTicks(buffer, at),
          BookBegin.updateId(buffer, at),
        )
        break
      case BookLevel.type:
        if (this.isTaking) {
          this.takeLevel(
            BookLevel.side(buffer, at) as Side,
            BookLevel.priceTicks(buffer, at),
            BookLevel.levelLots(buffer, at),
          )
        }
        break
      case BookEnd.type:
        if (this.isTaking) this.endPiece(BookEnd.isWhole(buffer, at) === 1)
        break
    }
  }

  /** Whether the loaded part has the level, if there is such a level. */
  isLoaded(side: Side, priceTicks: Ticks): boolean {
    if (side !== this.side) return side === Side.BUY
    if (this.afterTicks === 0) return false
    return side === Side.BUY ? priceTicks >= this.afterTicks : priceTicks <= this.afterTicks
  }

  /** Calls the listener with each change from now on. */
  attach(listener: DepthListener): void {
    this.listeners.add(listener)
  }

  detach(listener: DepthListener): void {
    this.listeners.delete(listener)
  }

  /** An order's level lost `lots` with it or of it; 0 when it did not rest, or shows as much still. */
  private left(records: RecordBuffer, at: number, updateId: number, lots: Lots): void {
    if (lots === 0) return
    const side = sideOf(OrderEvent.terms(records, at))
    this.change(updateId, side, OrderEvent.priceTicks(records, at), Lots(-lots))
  }

  /** Both orders of an auction's trade stood in the book, at their own prices: the maker's level is first. */
  private uncrossed(records: RecordBuffer, at: number): void {
    const updateId = Trade.updateId(records, at)
    const lots = Lots(-Trade.tradeLots(records, at))
    const makerTicks = AuctionSection.makerPriceTicks(records, Trade.auctionAt(records, at))
    const takerTicks = Trade.takerPriceTicks(records, at)
    this.change(updateId - 1, sideOf(Trade.makerTerms(records, at)), makerTicks, lots)
    this.change(updateId, sideOf(Trade.takerTerms(records, at)), takerTicks, lots)
  }

  private change(updateId: number, side: Side, priceTicks: Ticks, lots: Lots): void {
    if (!this._synced && !this.isLoading) return
    assert(updateId === this._updateId + 1, 'each change of the depth follows the last one')
    this._updateId = updateId
    if (!this._synced && !this.isLoaded(side, priceTicks)) return
    this.sideOf(side).add(priceTicks, lots)
    for (const listener of this.listeners) listener.mark(side, priceTicks)
  }

  /** Takes a piece only when it continues where the loaded part ends. */
  private beginPiece(side: number, afterTicks: Ticks, updateId: number): void {
    this.isTaking = !this._synced && side === this.side && afterTicks === this.afterTicks
    if (!this.isTaking) return
    assert(
      !this.isLoading || updateId === this._updateId,
      'a piece of the book stands where it was read',
    )
    this.isLoading = true
    this._updateId = updateId
  }

  private takeLevel(side: Side, priceTicks: Ticks, lots: Lots): void {
    this.side = side
    this.afterTicks = priceTicks
    this.sideOf(side).add(priceTicks, lots)
  }

  private endPiece(isWhole: boolean): void {
    this.isTaking = false
    if (!isWhole) return
    this.isLoading = false
    this._synced = true
    for (const listener of this.listeners) listener.rebase()
  }

  private sideOf(side: Side): PriceLevels {
    return side === Side.BUY ? this.bids : this.asks
  }
}
