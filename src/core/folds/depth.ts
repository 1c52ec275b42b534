/**
 * One symbol's price levels, as of a cursor in its matcher's event ring. A gateway applies to it
 * every record of the symbol, in order; snapshots and diffs that clients get are both read from it,
 * so that they agree. Written by its gateway's egress alone; handlers and streams read it.
 *
 * It must never guess: until a whole book has been seen it answers that it is not synced, and an
 * update that does not follow the last one is a programmer's error.
 */
import { assert } from '#base/assert.ts'
import { Side, sideOf } from '#base/codes.ts'
import type { SymbolSpec } from '#base/listing.ts'
import { type RecordBuffer, recordType } from '#layout/record-buffer.ts'
import {
  BookBegin,
  BookEnd,
  BookLevel,
  OrderAmended,
  OrderClosed,
  OrderDecremented,
  OrderReplenished,
  OrderRested,
  Trade,
} from '#layout/records.gen.ts'
import type { DepthDiff } from './depth-diff.ts'
import { PriceLevels } from './price-levels.ts'

/**
 * A batch's events are published before its replies, so a book that was read in the middle of a
 * batch arrives after changes that it does not contain. Changes seen while waiting for a book are
 * therefore kept, up to this many: more than a block of events holds.
 */
const EARLY_CHANGES_MAX = 65_536

interface EarlyChange {
  readonly updateId: number
  readonly side: Side
  readonly priceTicks: number
  readonly lots: number
}

export class DepthFold {
  readonly spec: SymbolSpec
  readonly #bids = new PriceLevels(Side.BUY)
  readonly #asks = new PriceLevels(Side.SELL)
  readonly #diffs = new Set<DepthDiff>()
  #synced = false
  #loading = false
  #updateId = 0
  #early: EarlyChange[] = []
  /** The newest change that was not kept in `#early`, for want of room. */
  #forgottenUpdateId = 0

  constructor(spec: SymbolSpec) {
    this.spec = spec
  }

  /** Whether the levels are the engine's, as of `updateId`. */
  get synced(): boolean {
    return this.#synced
  }

  /** Version of the depth (layout/schema.ts): rises by one with each change of one level. */
  get updateId(): number {
    return this.#updateId
  }

  /** Price and quantity of the best levels; 0 when a side is empty. */
  get bestBidTicks(): number {
    return this.#bids.bestTicks
  }
  get bestBidLots(): number {
    return this.#bids.bestLots
  }
  get bestAskTicks(): number {
    return this.#asks.bestTicks
  }
  get bestAskLots(): number {
    return this.#asks.bestLots
  }

  /** At most `limit` levels of a side, best first. */
  levels(side: Side, limit: number, into: (priceTicks: number, lots: number) => void): void {
    this.#sideOf(side).walk(limit, into)
  }

  levelCount(side: Side): number {
    return this.#sideOf(side).count
  }

  /** Quantity at a price; 0 when there is no such level. */
  lotsAt(side: Side, priceTicks: number): number {
    return this.#sideOf(side).lotsAt(priceTicks)
  }

  /**
   * After records were missed: empty and not synced until a whole book has been applied. Ask for it
   * (QueryBook) after this call; that of another gateway, if it comes first, does as well.
   */
  invalidate(): void {
    this.#synced = false
    this.#loading = false
    this.#early = []
    this.#forgottenUpdateId = 0
    this.#bids.clear()
    this.#asks.clear()
  }

  /** Takes in one record of this symbol; records that do not concern the depth change nothing. */
  apply(buffer: RecordBuffer, at: number): void {
    const word = at >> 2
    const double = at >> 3
    const { i32, f64 } = buffer
    switch (recordType(buffer, at)) {
      case OrderRested.type:
        this.#change(
          f64[double + OrderRested.updateId]!,
          sideOf(i32[word + OrderRested.terms]!),
          f64[double + OrderRested.priceTicks]!,
          f64[double + OrderRested.restedLots]!,
        )
        break
      case Trade.type:
        this.#change(
          f64[double + Trade.updateId]!,
          sideOf(i32[word + Trade.makerTerms]!),
          f64[double + Trade.priceTicks]!,
          -f64[double + Trade.tradeLots]!,
        )
        break
      case OrderClosed.type:
        this.#left(buffer, at, OrderClosed, f64[double + OrderClosed.restedLots]!)
        break
      case OrderReplenished.type:
        this.#change(
          f64[double + OrderReplenished.updateId]!,
          sideOf(i32[word + OrderReplenished.terms]!),
          f64[double + OrderReplenished.priceTicks]!,
          f64[double + OrderReplenished.restedLots]!,
        )
        break
      case OrderAmended.type:
        this.#left(buffer, at, OrderAmended, f64[double + OrderAmended.removedLots]!)
        break
      case OrderDecremented.type:
        this.#left(buffer, at, OrderDecremented, f64[double + OrderDecremented.removedLots]!)
        break
      case BookBegin.type:
        if (!this.#synced) this.#beginLoading(f64[double + BookBegin.updateId]!)
        break
      case BookLevel.type:
        if (this.#loading) {
          this.#sideOf(i32[word + BookLevel.side] as Side).add(
            f64[double + BookLevel.priceTicks]!,
            f64[double + BookLevel.levelLots]!,
          )
        }
        break
      case BookEnd.type:
        if (this.#loading) this.#endLoading()
        break
    }
  }

  /** For DepthDiff: tells it of each change from now on. */
  attach(diff: DepthDiff): void {
    this.#diffs.add(diff)
  }

  detach(diff: DepthDiff): void {
    this.#diffs.delete(diff)
  }

  /** An order's level lost `lots` with it or of it; 0 when it did not rest, or shows as much still. */
  #left(
    { i32, f64 }: RecordBuffer,
    at: number,
    from: typeof OrderClosed | typeof OrderAmended | typeof OrderDecremented,
    lots: number,
  ): void {
    if (lots === 0) return
    const double = at >> 3
    const side = sideOf(i32[(at >> 2) + from.terms]!)
    this.#change(f64[double + from.updateId]!, side, f64[double + from.priceTicks]!, -lots)
  }

  #change(updateId: number, side: Side, priceTicks: number, lots: number): void {
    if (!this.#synced) {
      this.#keepEarly({ updateId, side, priceTicks, lots })
      return
    }
    assert(updateId === this.#updateId + 1, 'each change of the depth follows the last one')
    this.#updateId = updateId
    this.#sideOf(side).add(priceTicks, lots)
    for (const diff of this.#diffs) diff.mark(side, priceTicks)
  }

  #keepEarly(change: EarlyChange): void {
    if (this.#early.length === EARLY_CHANGES_MAX) {
      this.#forgottenUpdateId = this.#early[EARLY_CHANGES_MAX - 1]!.updateId
      this.#early = []
    }
    this.#early.push(change)
  }

  #beginLoading(updateId: number): void {
    this.#bids.clear()
    this.#asks.clear()
    this.#updateId = updateId
    this.#loading = true
  }

  /** A book older than what was forgotten cannot be brought up to date: it stays unsynced. */
  #endLoading(): void {
    this.#loading = false
    if (this.#forgottenUpdateId > this.#updateId) return
    this.#synced = true
    const snapshotUpdateId = this.#updateId
    for (const { updateId, side, priceTicks, lots } of this.#early) {
      if (updateId > snapshotUpdateId) this.#change(updateId, side, priceTicks, lots)
    }
    this.#early = []
    this.#forgottenUpdateId = 0
    for (const diff of this.#diffs) diff.rebase()
  }

  #sideOf(side: Side): PriceLevels {
    return side === Side.BUY ? this.#bids : this.#asks
  }
}
