/**
 * Mass quotes (docs/decisions/mass-quotes.md): has a set of orders stand instead of the account's open orders whose client
 * order ids begin with a prefix, in one execution. An order whose price is quoted again keeps its place if its quantity
 * stays or falls. The others are canceled first, so no order of a quote meets one that the quote replaces; and the levels
 * of one quote do not cross. All its orders share the bound of one execution.
 */
import { assert } from '../../base/assert.ts'
import { beginsClientOrderId } from '../../base/client-order-id.ts'
import {
  isCall,
  isDetailed,
  OrderType,
  QuoteOutcomeKind,
  RejectReason,
  Side,
  sessionOf,
  typeOf,
} from '../../base/codes.ts'
import { isMore, minus, plus } from '../../base/int64.ts'
import { MATCH_EVENT_BYTES, MATCH_WEIGHT_MAX, QUOTE_LEVELS_MAX } from '../../base/limits.ts'
import { type AccountId, Atoms, Lots, Ms, OrderId, Ticks } from '../../base/units.ts'
import {
  DetailsSection,
  OrderAccepted,
  OrderAmended,
  OrderClosed,
  OrderListChanged,
  OrderRested,
  QuoteLevel,
  QuoteOrders,
} from '../../layout/accessors.gen.ts'
import type { RecordBuffer } from '../../layout/record-buffer.ts'
import type { Admission } from './admission.ts'
import type { Amendment } from './amendment.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { ADMITTED, type Verdict } from './decision.ts'
import type { Executions } from './executions.ts'
import type { OpenOrders } from './open-orders.ts'
import type { OrderCloser } from './order-closer.ts'
import type { OrderFunds } from './order-funds.ts'
import type { ReplyWriter } from './reply-writer.ts'
import type { SymbolState } from './symbol-state.ts'

/** Of a cancel that ends a list, and of a new order that meets one match; any other cancel and an amendment weigh 1. */
const LEG_WEIGHT = 3
const NEW_WEIGHT = 1 + MATCH_WEIGHT_MAX

const closed = OrderClosed.bytes + DetailsSection.bytes
assert(
  closed <= MATCH_EVENT_BYTES &&
    OrderAmended.bytes + DetailsSection.bytes <= MATCH_EVENT_BYTES &&
    OrderAccepted.bytes + OrderRested.bytes <= MATCH_EVENT_BYTES &&
    3 * closed + OrderListChanged.bytes <= LEG_WEIGHT * MATCH_EVENT_BYTES,
  'the events of a level and of an order that leaves have a bound',
)

export interface QuoteParts {
  readonly state: SymbolState
  readonly admission: Admission
  readonly funds: OrderFunds
  readonly closer: OrderCloser
  readonly open: OpenOrders
  readonly amendment: Amendment
  readonly executions: Executions
  readonly replies: ReplyWriter
  readonly order: ArrivingOrder
  /** Admits the arriving order, holds its funds, and enters it. */
  readonly enter: () => Verdict
}

const LEVELS = 2 * QUOTE_LEVELS_MAX

export class Quote {
  private readonly parts: QuoteParts
  private readonly state: SymbolState
  private commands!: RecordBuffer
  private at = 0
  private account!: AccountId
  private levels = 0
  /** By level: the order that keeps its place; 0 for a new one. */
  private readonly keptIds = new Float64Array(LEVELS)
  private readonly outcomes = new Int32Array(LEVELS)
  private readonly reasons = new Int32Array(LEVELS)
  /** Orders that leave. */
  private leaving: OrderId[] = []
  /** Of the execution's bound, what cancels, amendments and new orders take whatever they meet. */
  private weight = 0

  constructor(parts: QuoteParts) {
    this.parts = parts
    this.state = parts.state
  }

  /** Executes the QuoteOrders at byte `at`, which is not late, up to its reply. Refusing changes nothing. */
  execute(commands: RecordBuffer, at: number): Verdict {
    this.commands = commands
    this.at = at
    this.account = QuoteOrders.account(commands, at)
    this.levels = QuoteOrders.bids(commands, at) + QuoteOrders.asks(commands, at)
    this.match()
    const verdict = this.judge()
    if (verdict === ADMITTED) this.apply()
    return verdict
  }

  private levelAt(level: number): number {
    return this.at + QuoteOrders.bytes + level * QuoteLevel.bytes
  }

  private sideOf(level: number): number {
    return level < QuoteOrders.bids(this.commands, this.at) ? Side.BUY : Side.SELL
  }

  private ticksOf(level: number): Ticks {
    return QuoteLevel.priceTicks(this.commands, this.levelAt(level))
  }

  private lotsOf(level: number): Lots {
    return QuoteLevel.lots(this.commands, this.levelAt(level))
  }

  /** Finds the orders that keep their place, the oldest of each level, and those that leave. */
  private match(): void {
    const { commands, state, account } = this
    const { book } = state
    const prefixAt = QuoteOrders.prefixAt(this.at)
    this.keptIds.fill(0)
    this.leaving = []
    this.weight = 0
    for (const id of this.parts.open.idsOf(account)) {
      const slot = book.findOrder(OrderId(id))
      const idAt = book.clientOrderIdAt(slot)
      if (!beginsClientOrderId(commands.i32, prefixAt, book.clientOrderId, idAt)) continue
      const level = this.levelOf(slot)
      if (level < 0 || !this.canKeep(slot, level)) {
        this.leaving.push(OrderId(id))
        this.weight += state.listOf(slot) === undefined ? 1 : LEG_WEIGHT
      } else {
        this.keptIds[level] = id
        if (this.lotsOf(level) < book.openLots[slot]!) this.weight++
      }
    }
    for (let level = 0; level < this.levels; level++) {
      if (this.keptIds[level] === 0) this.weight += NEW_WEIGHT
    }
  }

  /** The level at the price of the order; -1 for none. */
  private levelOf(slot: number): number {
    const { book } = this.state
    const ticks = book.priceTicksOf(slot)
    for (let level = 0; level < this.levels; level++) {
      if (this.ticksOf(level) === ticks && this.sideOf(level) === book.sideOf(slot)) return level
    }
    return -1
  }

  private canKeep(slot: number, level: number): boolean {
    const { book, details } = this.state
    const terms = book.terms[slot]!
    const openLots = book.openLots[slot]!
    const lots = this.lotsOf(level)
    const isPlain =
      !isDetailed(terms) ||
      (this.state.listOf(slot) === undefined && details.icebergLots.of(slot) === 0)
    return (
      this.keptIds[level] === 0 &&
      isPlain &&
      book.isResting(slot) &&
      sessionOf(terms) === sessionOf(QuoteOrders.terms(this.commands, this.at)) &&
      lots <= openLots &&
      (lots === openLots || this.parts.amendment.canLower(slot, this.loweredLots(slot, lots)))
    )
  }

  /** The quantity of an order of which `lots` are to be left. */
  private loweredLots(slot: number, lots: Lots): Lots {
    return Lots(this.state.lotsOf(slot) - (this.state.book.openLots[slot]! - lots))
  }

  private judge(): Verdict {
    const { admission } = this.parts
    if (this.levels > 0) {
      const phase = this.judgePhase()
      if (phase !== ADMITTED) return phase
    }
    if (this.weight > admission.matchesMax) return RejectReason.TOO_MANY_MATCHES
    return QuoteOrders.isWhole(this.commands, this.at) === 0 ? ADMITTED : this.judgeWhole()
  }

  /** The account and the phase; in a call, an order that crosses stays, so a quote has no place there. */
  private judgePhase(): Verdict {
    const { admission } = this.parts
    this.read(0)
    if (isCall(this.state.phase)) return RejectReason.PHASE_REFUSES_TYPE
    return admission.judgeSender(this.parts.order, Ms(0))
  }

  /** What can be known of all levels before the first cancel. */
  private judgeWhole(): Verdict {
    const { admission } = this.parts
    let more = -this.leaving.length
    for (let level = 0; level < this.levels; level++) if (this.keptIds[level] === 0) more++
    return (
      admission.judgeRoom(Math.max(0, more)) ||
      this.judgeMakers() ||
      this.judgeFunds(Side.BUY) ||
      this.judgeFunds(Side.SELL)
    )
  }

  /** A LIMIT_MAKER meets nothing that stays. */
  private judgeMakers(): Verdict {
    if (typeOf(QuoteOrders.terms(this.commands, this.at)) !== OrderType.LIMIT_MAKER) return ADMITTED
    const best = [this.bestStaying(Side.BUY), this.bestStaying(Side.SELL)]
    for (let level = 0; level < this.levels; level++) {
      if (this.keptIds[level] !== 0) continue
      this.read(level)
      const across = best[1 - this.sideOf(level)]!
      if (across !== 0 && this.parts.order.crosses(across)) {
        return RejectReason.WOULD_MATCH_IMMEDIATELY
      }
    }
    return ADMITTED
  }

  /** The best price of the side without the orders that leave; 0 for none. */
  private bestStaying(side: number): Ticks {
    const { book } = this.state
    const leaving = new Set(this.leaving)
    let slot = book.bestOrder(side)
    while (slot !== 0 && leaving.has(book.orderId[slot]!)) slot = book.nextOrder(slot)
    return slot === 0 ? Ticks(0) : book.priceTicksOf(slot)
  }

  private judgeFunds(side: number): Verdict {
    const { state } = this
    const { book } = state
    let needed = Atoms(0)
    let freed = Atoms(0)
    for (let level = 0; level < this.levels; level++) {
      if (this.sideOf(level) !== side) continue
      const atoms = state.heldFor(side, this.ticksOf(level), this.lotsOf(level))
      const slot = book.findOrder(OrderId(this.keptIds[level]!))
      if (slot === 0) needed = plus(needed, atoms)
      else freed = plus(freed, minus<Atoms>(state.needOf(slot), atoms))
    }
    for (const id of this.leaving) {
      const slot = book.findOrder(id)
      const isOf = book.sideOf(slot) === side && state.listOf(slot) === undefined
      if (isOf) freed = plus(freed, state.needOf(slot))
    }
    const has = plus(this.parts.funds.available(this.account, side), freed)
    return isMore(needed, has) ? RejectReason.INSUFFICIENT_BALANCE : ADMITTED
  }

  /** Makes the level the arriving order. */
  private read(level: number): void {
    const terms = QuoteOrders.terms(this.commands, this.at) | this.sideOf(level)
    this.parts.order.readLevel(this.commands, this.levelAt(level), this.account, terms)
  }

  private apply(): void {
    const { commands, state } = this
    const { closer, executions, replies, amendment } = this.parts
    const { book } = state
    const idAt = QuoteOrders.clientOrderIdAt(this.at)
    for (const id of this.leaving) {
      const slot = book.findOrder(id)
      // One before it may have ended the list that it was in.
      if (slot !== 0) closer.cancel(slot, commands.i32, idAt)
    }
    executions.tellLists()
    for (let level = 0; level < this.levels; level++) {
      const slot = book.findOrder(OrderId(this.keptIds[level]!))
      if (slot === 0) continue
      const lots = this.lotsOf(level)
      const isLowered = lots < book.openLots[slot]!
      this.outcomes[level] = isLowered ? QuoteOutcomeKind.LOWERED : QuoteOutcomeKind.KEPT
      this.reasons[level] = ADMITTED
      if (isLowered) amendment.lower(slot, this.loweredLots(slot, lots))
    }
    this.place()
    let to = replies.quoteResult(this.levels, this.leaving.length)
    for (let level = 0; level < this.levels; level++) {
      const id = OrderId(this.keptIds[level]!)
      to = replies.quoteOutcome(to, this.outcomes[level]!, this.reasons[level]!, id)
    }
  }

  /** Enters the new orders, in the order of the levels: what one meets, the next has less room for. */
  private place(): void {
    const { admission, executions, order, enter } = this.parts
    const { reach } = admission
    let left = admission.matchesMax - this.weight
    for (let level = 0; level < this.levels; level++) {
      if (this.keptIds[level] !== 0) continue
      this.read(level)
      reach.weight = 0
      // One match is counted with each order.
      reach.matchesMax = MATCH_WEIGHT_MAX + left
      const verdict = enter()
      const isPlaced = verdict === ADMITTED
      this.reasons[level] = verdict
      this.outcomes[level] = isPlaced ? QuoteOutcomeKind.PLACED : QuoteOutcomeKind.REFUSED
      if (!isPlaced) continue
      left -= Math.max(0, reach.weight - MATCH_WEIGHT_MAX)
      this.keptIds[level] = order.orderId
      executions.end()
    }
    reach.matchesMax = admission.matchesMax
  }
}
