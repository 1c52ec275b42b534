/**
 * Which waiting stops a trade price wakes (faqs/trailing-stop-faq.md). Stops of a fixed price stand in two
 * heaps, by the direction of the price that wakes them. Trailing stops stand in one set with a
 * *quiet band* around the last price: no price within it starts, moves or wakes any of them, so that
 * most prices cost two comparisons; a price outside visits them all and sets a new band.
 *
 * Live and in recovery alike, every trade price is shown in order; nothing else moves a trailing stop.
 * Writer: the engine of the symbol.
 */
import { OrderType, Side, sideOf, typeOf } from '../../base/codes.ts'
import { BASIS_POINTS } from '../../base/limits.ts'
import { type Ms, Ticks } from '../../base/units.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { Details } from './details.ts'
import { StopHeap } from './stop-heap.ts'

/** Whether a price at or below the stop wakes it, or else one at or above (faqs/trailing-stop-faq.md). */
export function isWokenFromAbove(terms: number): boolean {
  const type = typeOf(terms)
  const isStopLoss = type === OrderType.STOP_LOSS || type === OrderType.STOP_LOSS_LIMIT
  return isStopLoss === (sideOf(terms) === Side.SELL)
}

/** Whether a last price has reached the stop price. */
export function hasReached(terms: number, stopTicks: Ticks, priceTicks: Ticks): boolean {
  return isWokenFromAbove(terms) ? priceTicks <= stopTicks : priceTicks >= stopTicks
}

/** The price that wakes an order that trails by `delta` basis points from `extremeTicks`. */
export function trailedTicks(side: number, extremeTicks: Ticks, delta: number): Ticks {
  return side === Side.BUY
    ? Ticks(Math.ceil((extremeTicks * (BASIS_POINTS + delta)) / BASIS_POINTS))
    : Ticks(Math.floor((extremeTicks * (BASIS_POINTS - delta)) / BASIS_POINTS))
}

export class Triggers {
  private readonly details: Details
  private readonly terms: Int32Array
  /** Woken by prices at or below: by stop price, highest first. */
  private readonly falling: StopHeap
  /** Woken by prices at or above: by stop price, lowest first. */
  private readonly rising: StopHeap
  private readonly trailing = new Set<number>()
  /** The quiet band, both ends within. */
  private quietLow = 0
  private quietHigh = Number.POSITIVE_INFINITY
  private count = 0

  constructor(details: Details, book: Pick<OrderBook, 'slotShift' | 'terms'>) {
    this.details = details
    this.terms = book.terms
    this.falling = new StopHeap(book.slotShift)
    this.rising = new StopHeap(book.slotShift)
  }

  /** Whether any stop watches the price. */
  get isWatching(): boolean {
    return this.count !== 0
  }

  /** The order begins to watch; without a stop price it trails from the last price, 0 for none. */
  add(slot: number, lastTicks: Ticks, timeMs: Ms): void {
    const details = this.details
    this.count++
    if (details.trailingDelta.of(slot) === 0) {
      const stopTicks = details.stopTicks.of(slot)
      if (isWokenFromAbove(this.terms[slot]!)) this.falling.add(slot, -stopTicks)
      else this.rising.add(slot, stopTicks)
      return
    }
    this.trailing.add(slot)
    if (details.stopTicks.of(slot) === 0 && lastTicks !== 0) {
      details.extremeTicks.set(slot, lastTicks)
      details.trailingMs.set(slot, timeMs)
    }
    this.narrow(slot)
  }

  /** The order watches no more. Allowed for one that is woken, or that never watched. */
  remove(slot: number): void {
    if (this.details.trailingDelta.of(slot) === 0) {
      if (this.falling.remove(slot) || this.rising.remove(slot)) this.count--
    } else if (this.trailing.delete(slot)) this.count--
  }

  /** A trade happened at this price. Takes the slots out that it wakes, and returns them in no order. */
  wake(priceTicks: Ticks, timeMs: Ms): readonly number[] {
    const woken: number[] = []
    while (-this.falling.firstKey >= priceTicks) woken.push(this.takeFirst(this.falling))
    while (this.rising.firstKey <= priceTicks) woken.push(this.takeFirst(this.rising))
    if (priceTicks >= this.quietLow && priceTicks <= this.quietHigh) return woken
    this.quietLow = 0
    this.quietHigh = Number.POSITIVE_INFINITY
    for (const slot of this.trailing) {
      if (this.trail(slot, priceTicks, timeMs)) {
        this.trailing.delete(slot)
        woken.push(slot)
        this.count--
      } else this.narrow(slot)
    }
    return woken
  }

  private takeFirst(heap: StopHeap): number {
    const slot = heap.firstSlot
    heap.remove(slot)
    this.count--
    return slot
  }

  /** Whether the price wakes the trailing order. */
  private trail(slot: number, priceTicks: Ticks, timeMs: Ms): boolean {
    const details = this.details
    const extreme = details.extremeTicks.of(slot)
    const side = sideOf(this.terms[slot]!)
    if (extreme === 0) {
      const stopTicks = details.stopTicks.of(slot)
      if (stopTicks !== 0 && !hasReached(this.terms[slot]!, stopTicks, priceTicks)) return false
      details.trailingMs.set(slot, timeMs)
      details.extremeTicks.set(slot, priceTicks)
      return false
    }
    if (side === Side.BUY ? priceTicks < extreme : priceTicks > extreme) {
      details.extremeTicks.set(slot, priceTicks)
      return false
    }
    const wakingTicks = trailedTicks(side, extreme, details.trailingDelta.of(slot))
    return side === Side.BUY ? priceTicks >= wakingTicks : priceTicks <= wakingTicks
  }

  /** Takes out of the quiet band the prices that concern the order. */
  private narrow(slot: number): void {
    const details = this.details
    const extreme = details.extremeTicks.of(slot)
    const stopTicks = details.stopTicks.of(slot)
    const side = sideOf(this.terms[slot]!)
    if (extreme !== 0) {
      const wakingTicks = trailedTicks(side, extreme, details.trailingDelta.of(slot))
      if (side === Side.BUY) this.quiet(extreme, wakingTicks - 1)
      else this.quiet(wakingTicks + 1, extreme)
    } else if (stopTicks === 0) this.quiet(1, 0)
    else if (isWokenFromAbove(this.terms[slot]!)) {
      this.quiet(stopTicks + 1, Number.POSITIVE_INFINITY)
    } else this.quiet(0, stopTicks - 1)
  }

  private quiet(low: number, high: number): void {
    this.quietLow = Math.max(this.quietLow, low)
    this.quietHigh = Math.min(this.quietHigh, high)
  }
}
