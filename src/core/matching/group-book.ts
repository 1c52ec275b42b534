/**
 * One book of a group, as routing.ts takes from it: the parts of its engine, and a walk over what it offers to one
 * routed order. The walk changes nothing: it meets orders as matching.ts would, slice by slice.
 */
import { isDetailed, Side } from '../../base/codes.ts'
import { greatestCommonDivisor } from '../../base/fixed.ts'
import { type Int64, isMore, product } from '../../base/int64.ts'
import { PRICE_TICKS_MAX } from '../../base/limits.ts'
import { Lots, type Ms, Ticks } from '../../base/units.ts'
import type { Holds } from '../ledger/holds.ts'
import type { Admission } from './admission.ts'
import { ArrivingOrder } from './arriving-order.ts'
import type { Executions } from './executions.ts'
import type { Matching, MatchingParts } from './matching.ts'
import type { Prevention } from './prevention.ts'

/** What routing needs of the engine of one symbol. */
export interface GroupParts extends MatchingParts {
  readonly holds: Holds
  readonly admission: Admission
  readonly matching: Matching
  readonly prevention: Prevention
  readonly executions: Executions
}

export class GroupBook {
  readonly parts: GroupParts
  /** The least quantity that both symbols have, in lots of the routed order's and of this one. */
  readonly orderStep: number
  readonly step: number
  /** What is met now; 0 when the order meets nothing more here. */
  slot = 0
  ticks = Ticks(0)
  /** Price in 10^-8 of the quote asset, so that books of different ticks compare. */
  priceUnits: Int64 = 0
  /** What it shows, or of an order of the same owner all that it has open. */
  lots = Lots(0)
  isPrevented = false
  /** The order as this symbol has it: its limit in ticks, within the symbol's own rules. */
  private readonly limit = new ArrivingOrder()
  private hidden = Lots(0)
  private next = 0
  private side: number = Side.BUY
  /** Icebergs of the level whose next slices join its end: slot, and what each hides. */
  private readonly icebergs: { readonly slot: number; readonly hidden: Lots }[] = []

  /** `orderAtomsPerLot`: of the symbol that orders are routed from. */
  constructor(parts: GroupParts, orderAtomsPerLot: number) {
    const { atomsPerLot } = parts.spec
    const divisor = greatestCommonDivisor(atomsPerLot, orderAtomsPerLot)
    this.parts = parts
    this.orderStep = atomsPerLot / divisor
    this.step = orderAtomsPerLot / divisor
  }

  get isOffering(): boolean {
    return this.slot !== 0
  }

  /** The most of both that is a quantity of both symbols, in units of `step` and `orderStep`. */
  unitsWithin(orderLots: Lots, lots: Lots): number {
    return Math.min(Math.floor(orderLots / this.orderStep), Math.floor(lots / this.step))
  }

  /** The same in lots of this symbol. */
  commonLots(orderLots: Lots, lots: Lots): Lots {
    return Lots(this.unitsWithin(orderLots, lots) * this.step)
  }

  unitsOf(ticks: Ticks): Int64 {
    return product(ticks, this.parts.spec.tickUnits)
  }

  /** Begins with the best order that `order`, of ticks of `tickUnits`, may meet here at this time. */
  begin(order: ArrivingOrder, tickUnits: number, isOwnSymbol: boolean, timeMs: Ms): void {
    const { state, admission } = this.parts
    this.side = order.side
    this.icebergs.length = 0
    this.slot = 0
    if (!state.isTrading) return
    state.timeMs = timeMs
    if (isOwnSymbol) this.limit.limitBy(order, order.limitTicks)
    else {
      this.limit.limitBy(order, this.ticksWithin(order, tickUnits))
      admission.bound(this.limit)
    }
    this.next = state.book.bestOrder(this.side ^ 1)
    this.ticks = this.next === 0 ? Ticks(0) : state.book.priceTicksOf(this.next)
    this.load(order)
  }

  /** Whether its best price is better for the order than that of the other book. */
  isBetterThan(other: GroupBook): boolean {
    return this.side === Side.BUY
      ? isMore(other.priceUnits, this.priceUnits)
      : isMore(this.priceUnits, other.priceUnits)
  }

  /** The order takes `lots` of what it meets. */
  take(order: ArrivingOrder, lots: Lots): void {
    this.lots = Lots(this.lots - lots)
    if (this.lots > 0) return
    if (this.hidden > 0) this.icebergs.push({ slot: this.slot, hidden: this.hidden })
    this.load(order)
  }

  /** What is met is gone: prevention ended it. */
  drop(order: ArrivingOrder): void {
    this.load(order)
  }

  /** The order meets nothing more here. */
  close(): void {
    this.slot = 0
  }

  /** The worst price of this symbol that is within the order's. */
  private ticksWithin({ isMarketType, side, priceTicks }: ArrivingOrder, tickUnits: number): Ticks {
    if (isMarketType) return Ticks(side === Side.BUY ? PRICE_TICKS_MAX : 0)
    const own = BigInt(this.parts.spec.tickUnits)
    const units = BigInt(priceTicks) * BigInt(tickUnits)
    const ticks = Number((side === Side.BUY ? units : units + own - 1n) / own)
    return Ticks(Math.min(ticks, PRICE_TICKS_MAX + 1))
  }

  /** The next order of the level, else the next slice of its icebergs, else the next level. */
  private load(order: ArrivingOrder): void {
    const { state, sweep } = this.parts
    const { book } = state
    const iceberg =
      this.next !== 0 && book.priceTicksOf(this.next) === this.ticks
        ? undefined
        : this.icebergs.shift()
    if (iceberg !== undefined) {
      const { slot, hidden } = iceberg
      this.slot = slot
      this.isPrevented = false
      this.lots = Lots(Math.min(hidden, state.details.icebergLots.of(slot)))
      this.hidden = Lots(hidden - this.lots)
      return
    }
    const slot = this.next
    this.slot = 0
    if (slot === 0) return
    this.ticks = book.priceTicksOf(slot)
    if (!this.limit.crosses(this.ticks)) return
    this.slot = slot
    this.next = book.nextOrder(slot)
    this.priceUnits = this.unitsOf(this.ticks)
    this.isPrevented = sweep.isPrevented(order, slot)
    const hidden = isDetailed(book.terms[slot]!) ? state.hiddenOf(slot) : Lots(0)
    this.lots = Lots(book.openLots[slot]! + (this.isPrevented ? hidden : 0))
    this.hidden = this.isPrevented ? Lots(0) : hidden
  }
}
