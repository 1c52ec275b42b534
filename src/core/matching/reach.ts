/**
 * How much an arriving order would meet in its execution, found without doing it, so that the events of an
 * execution have a bound: a trade with a plain order weighs 1, any other match MATCH_WEIGHT_MAX, as each of an
 * order that pays for others of its list. Icebergs are met slice by slice, as in the match itself. Called only for orders that cross.
 */
import { assert } from '../../base/assert.ts'
import { isDetailed } from '../../base/codes.ts'
import {
  EXECUTION_EVENT_BYTES,
  MATCH_EVENT_BYTES,
  MATCH_WEIGHT_MAX,
  ROUTED_WEIGHT,
} from '../../base/limits.ts'
import { Doubles, Lots } from '../../base/units.ts'
import {
  AcrossSection,
  Allocation,
  DetailsSection,
  MatchPrevented,
  OrderAccepted,
  OrderClosed,
  OrderDecremented,
  OrderFunded,
  OrderListChanged,
  OrderReplenished,
  PreventionSection,
  Trade,
} from '../../layout/accessors.gen.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { type Sweep, takerLossOf } from './sweep.ts'
import type { SymbolState } from './symbol-state.ts'

const bytesOf = (...types: readonly { readonly bytes: number }[]): number =>
  types.reduce((sum, { bytes }) => sum + bytes, 0)
const details = DetailsSection.bytes
const closed = OrderClosed.bytes + PreventionSection.bytes + details

assert(
  Trade.bytes + details <= MATCH_EVENT_BYTES,
  'the events of a trade with a plain order have a bound',
)
assert(
  bytesOf(Trade, OrderFunded, OrderReplenished, OrderListChanged) + 2 * details + closed <=
    MATCH_WEIGHT_MAX * MATCH_EVENT_BYTES,
  'the events of a trade with a leg of a list have a bound',
)
assert(
  bytesOf(MatchPrevented, OrderFunded, OrderDecremented, PreventionSection) +
    OrderListChanged.bytes +
    3 * details +
    closed +
    2 * OrderClosed.bytes <=
    MATCH_WEIGHT_MAX * MATCH_EVENT_BYTES,
  'the events of a prevented match have a bound: its maker ends, and two legs with it',
)
assert(
  3 * (OrderAccepted.bytes + details) + 2 * OrderListChanged.bytes + 6 * closed <=
    EXECUTION_EVENT_BYTES,
  'the other events of an execution have a bound: three legs of one list, three that a cancel ends',
)

assert(
  bytesOf(OrderAccepted, Trade, OrderFunded, OrderReplenished, OrderListChanged) +
    closed +
    bytesOf(Allocation) +
    3 * details <=
    ROUTED_WEIGHT * MATCH_EVENT_BYTES,
  'the events of a match of a routed order have a bound',
)
assert(
  bytesOf(MatchPrevented, OrderFunded, OrderListChanged, PreventionSection, PreventionSection) +
    bytesOf(OrderDecremented, OrderDecremented, AcrossSection, AcrossSection, AcrossSection) +
    3 * details +
    closed +
    2 * OrderClosed.bytes <=
    ROUTED_WEIGHT * MATCH_EVENT_BYTES,
  'the events of a prevented match of a routed order have a bound',
)

export class Reach {
  private readonly state: SymbolState
  private readonly book: OrderBook
  private readonly sweep: Sweep
  /** What an order may meet. A quote narrows it, since its orders share one execution. */
  matchesMax: number
  /** Icebergs of the level at hand: what they hide, and what they show at a time. */
  private readonly hiddenLots: Doubles<Lots>
  private readonly sliceLots: Doubles<Lots>
  private icebergs = 0
  /** Of what was looked at last. */
  weight = 0

  constructor(state: SymbolState, sweep: Sweep, matchesMax: number) {
    const icebergsMax = Math.ceil(matchesMax / MATCH_WEIGHT_MAX) + 1
    this.state = state
    this.book = state.book
    this.sweep = sweep
    this.matchesMax = matchesMax
    this.hiddenLots = Doubles(new Float64Array(icebergsMax))
    this.sliceLots = Doubles(new Float64Array(icebergsMax))
  }

  /** Whether one execution has no room for what the order, of `lots`, would meet. */
  isExceededBy(order: ArrivingOrder, lots: Lots): boolean {
    const book = this.book
    const slot = book.bestOrder(order.side ^ 1)
    if (slot === 0) return false
    // Most orders are filled by the first that they meet.
    if (lots <= book.openLots[slot]! && !this.sweep.isPrevented(order, slot)) return false
    this.weight = 0
    this.icebergs = 0
    this.walk(order, lots, slot)
    return this.weight > this.matchesMax
  }

  /** As `isExceededBy`, for an order that a band holds back; any lots left for it weigh `beyond` together. */
  isExceededBeyond(order: ArrivingOrder, beyond: number): boolean {
    const slot = this.book.bestOrder(order.side ^ 1)
    this.weight = 0
    this.icebergs = 0
    const isMet = slot !== 0 && order.crosses(this.book.priceTicksOf(slot))
    const left = isMet ? this.walk(order, order.lots, slot) : order.lots
    if (left > 0) this.weight += beyond
    return this.weight > this.matchesMax
  }

  /** Returns the lots that are left. */
  private walk(order: ArrivingOrder, lots: Lots, first: number): Lots {
    const book = this.book
    let left = lots
    let ticks = 0
    for (let slot = first; slot !== 0; slot = book.nextOrder(slot)) {
      const priceTicks = book.priceTicksOf(slot)
      if (priceTicks !== ticks) {
        left = this.meetHidden(left)
        ticks = priceTicks
        if (!order.crosses(priceTicks)) return left
      }
      if (left === 0 || this.weight > this.matchesMax) return left
      if (!this.sweep.isPrevented(order, slot)) left = Lots(left - this.meet(order, slot, left))
      else {
        this.weight += MATCH_WEIGHT_MAX
        const makerLots = Lots(book.openLots[slot]! + this.state.hiddenOf(slot))
        left = Lots(left - takerLossOf(order.prevention, left, makerLots))
      }
    }
    return this.meetHidden(left)
  }

  /** A trade with what a maker shows. Returns its lots. */
  private meet({ isPaying }: ArrivingOrder, slot: number, left: Lots): Lots {
    const book = this.book
    if (!isDetailed(book.terms[slot]!)) this.weight += isPaying ? MATCH_WEIGHT_MAX : 1
    else {
      this.weight += MATCH_WEIGHT_MAX
      const hidden = this.state.hiddenOf(slot)
      if (hidden !== 0 && this.weight <= this.matchesMax) {
        this.hiddenLots[this.icebergs] = hidden
        this.sliceLots[this.icebergs++] = this.state.details.icebergLots.of(slot)
      }
    }
    return Lots(Math.min(left, book.openLots[slot]!))
  }

  /** Slices of the level's icebergs, one of each in turn. Returns the lots that are left. */
  private meetHidden(lots: Lots): Lots {
    const hiddenLots = this.hiddenLots
    const sliceLots = this.sliceLots
    let left = lots
    while (this.icebergs !== 0 && left > 0 && this.weight <= this.matchesMax) {
      let kept = 0
      for (let i = 0; i < this.icebergs && left > 0; i++) {
        const slice = Math.min(hiddenLots[i]!, sliceLots[i]!)
        this.weight += MATCH_WEIGHT_MAX
        left = Lots(left - Math.min(left, slice))
        if (slice === hiddenLots[i]) continue
        hiddenLots[kept] = Lots(hiddenLots[i]! - slice)
        sliceLots[kept++] = sliceLots[i]!
      }
      this.icebergs = kept
    }
    this.icebergs = 0
    return left
  }
}
