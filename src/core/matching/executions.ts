/**
 * The executions that follow from an execution: pending legs that its fills released, then stops that its prices
 * triggered, oldest first; each may cause more, which queue behind. Every one is a separate execution, without
 * a client's request. An execution's response is complete before its consequences. When the batch is full, the
 * queue continues in the next one.
 */

import {
  hasPendingPair,
  ListOrderStatus,
  ListStatusType,
  OrderPhase,
  paysPending,
} from '../../base/codes.ts'
import { minus, most } from '../../base/int64.ts'
import { Atoms } from '../../base/units.ts'
import type { Admission } from './admission.ts'
import type { ArrivingOrder } from './arriving-order.ts'
import { ADMITTED, type Verdict } from './decision.ts'
import type { DetailWriter } from './detail-writer.ts'
import { Ending } from './endings.ts'
import type { EventWriter } from './event-writer.ts'
import { judgeRelation } from './list-placement.ts'
import type { Matching } from './matching.ts'
import type { OrderCloser } from './order-closer.ts'
import type { OrderFunds } from './order-funds.ts'
import type { OrderList } from './order-lists.ts'
import type { Proceeds } from './proceeds.ts'
import type { SymbolState } from './symbol-state.ts'

export interface ExecutionsParts {
  readonly state: SymbolState
  readonly admission: Admission
  readonly events: EventWriter
  readonly writer: DetailWriter
  readonly funds: OrderFunds
  readonly closer: OrderCloser
  readonly proceeds: Proceeds
}

export class Executions {
  private readonly parts: ExecutionsParts
  private readonly state: SymbolState
  private readonly matching: Matching
  /** The order whose execution it is, and the other of its pair. */
  private readonly orders: readonly ArrivingOrder[]

  constructor(parts: ExecutionsParts, matching: Matching, orders: readonly ArrivingOrder[]) {
    this.parts = parts
    this.state = parts.state
    this.matching = matching
    this.orders = orders
  }

  /** Writes events of the lists that the execution changed, and queues what follows from it. */
  end(): void {
    if (!this.state.mayHaveConsequences) return
    this.state.mayHaveConsequences = false
    this.tellLists()
    this.state.endTurn()
  }

  /** Runs what follows, and what follows from that, until the batch is full. */
  run(): void {
    while (this.runNext());
  }

  /** Runs the next of what follows. Returns false when nothing does, or the batch is full. */
  runNext(): boolean {
    const { details, queue } = this.state
    const { events } = this.parts
    const slot = queue.nextSlot
    // Nothing acts in a call; what is queued waits for TRADING.
    if (slot === 0 || !this.state.isTrading) return false
    if (events.isBatchFull && !this.isPaidWithFirst(slot)) return false
    queue.shift()
    events.beginConsequence()
    if (details.phase.of(slot) === OrderPhase.PENDING) this.release(slot)
    else this.trigger(slot)
    this.end()
    events.end()
    return true
  }

  /** Whether what is next must be in the batch of what was before it. */
  get isNextPaid(): boolean {
    const slot = this.state.queue.nextSlot
    return slot !== 0 && this.isPaidWithFirst(slot)
  }

  tellLists(): void {
    if (!this.state.lists.hasChanged) return
    const { writer } = this.parts
    for (const list of this.state.lists.takeChanged()) {
      if (list.openLegs !== 0) {
        writer.listChanged(list, ListStatusType.EXEC_STARTED, ListOrderStatus.EXECUTING)
      } else {
        writer.listChanged(list, ListStatusType.ALL_DONE, ListOrderStatus.ALL_DONE)
        this.state.removeList(list)
      }
    }
  }

  /**
   * The second of a pair was paid for in the execution of the first, and its event comes only in its own
   * execution: both are in one batch.
   */
  private isPaidWithFirst(slot: number): boolean {
    const { details } = this.state
    if (details.phase.of(slot) !== OrderPhase.PENDING || details.leg.of(slot) !== 2) return false
    const sibling = this.state.siblingOf(slot)
    return sibling !== 0 && details.phase.of(sibling) !== OrderPhase.PENDING
  }

  /**
   * The price woke a stop. It ends the other leg of its pair, then works. A stop of an account that may
   * add nothing expires instead.
   */
  private trigger(slot: number): void {
    const { admission, writer, funds, closer } = this.parts
    const { book, details } = this.state
    const order = this.orders[0]!
    order.readSlot(book, details, slot)
    const list = this.state.listOf(slot)
    const sibling = this.state.siblingOf(slot)
    const others = this.state.siblingNeed(slot)
    const held = details.costAtoms.of(slot)
    let verdict = admission.judgeAccount(order.account)
    let cost = held
    let change = Atoms(0)
    // What another order costs was known while it waited.
    const isPriced = !order.isMarketType && !order.awaitsPeg
    if (verdict === ADMITTED && !isPriced) {
      const { heldAtoms } = admission.decideWorking(order)
      verdict = order.decision.verdict
      if (verdict === ADMITTED) {
        const needed = minus(most(heldAtoms, others), most(held, others))
        verdict = funds.change(order.account, order.side, needed)
        if (verdict === ADMITTED) {
          change = needed
          cost = heldAtoms
        }
      }
    }
    this.keepPrice(order)
    this.state.startWorking(slot)
    writer.triggered(order, change)
    if (list !== undefined) this.state.listChanged(list)
    if (sibling !== 0) {
      closer.expire(sibling, Ending.SIBLING_CHOSEN, most(Atoms(0), minus(others, cost)))
    }
    if (isPriced) verdict ||= admission.decideWorking(order).verdict
    if (verdict === ADMITTED) this.matching.run(order, order.decision)
    else this.matching.refuse(order, cost)
  }

  /** A pegged order whose price was fixed just now has it in the book as well. */
  private keepPrice({ slot, priceTicks, pegLimitTicks }: ArrivingOrder): void {
    if (pegLimitTicks >= 0) this.state.fixPrice(slot, priceTicks, pegLimitTicks)
  }

  /** The working order of its list was filled: a pending leg goes live, or is refused. */
  private release(slot: number): void {
    const { book, details } = this.state
    const list = this.state.listOf(slot)!
    const order = this.orders[0]!
    order.readSlot(book, details, slot)
    if (!hasPendingPair(list.kind)) this.releaseSingle(order, list)
    else if (details.leg.of(slot) === 1) this.releaseFirst(order, list)
    else this.goLive(order, list, this.ownShare(slot))
  }

  private releaseSingle(order: ArrivingOrder, list: OrderList): void {
    const { admission, funds } = this.parts
    const { costAtoms } = this.state.details
    const held = costAtoms.of(order.slot)
    let verdict = this.size(list, [order])
    verdict ||= admission.judgeAccount(order.account)
    verdict ||= this.decideReleased(order)
    const { heldAtoms } = order.decision
    const change = minus(heldAtoms, held)
    verdict ||= funds.change(order.account, order.side, change)
    if (verdict !== ADMITTED) {
      this.parts.closer.expire(order.slot, Ending.REFUSED, held)
      return
    }
    costAtoms.set(order.slot, heldAtoms)
    this.goLive(order, list, change)
  }

  /** Pending orders that the working one pays for get their quantity; the first holds what there is. */
  private size(list: OrderList, orders: readonly ArrivingOrder[]): Verdict {
    if (!paysPending(list.kind)) return ADMITTED
    const { proceeds, admission } = this.parts
    const atoms = this.state.details.costAtoms.of(orders[0]!.slot)
    return proceeds.size(orders, atoms, admission.spec)
  }

  private decideReleased(order: ArrivingOrder): Verdict {
    const { admission } = this.parts
    const decided = order.isStop ? admission.decideStop(order, 0) : admission.decideWorking(order)
    return decided.verdict
  }

  /** The first of a pair: both are judged, and paid for once. */
  private releaseFirst(order: ArrivingOrder, list: OrderList): void {
    const { admission, funds, closer } = this.parts
    const { book, details } = this.state
    const other = this.orders[1]!
    const otherSlot = book.findOrder(list.orderIds[2]!)
    other.readSlot(book, details, otherSlot)
    const held = details.costAtoms.of(order.slot)
    const verdict =
      this.size(list, [order, other]) ||
      admission.judgeAccount(order.account) ||
      (other.isStop ? ADMITTED : admission.fixPrice(other)) ||
      judgeRelation(order, other, this.state) ||
      this.decideReleased(order) ||
      this.decideReleased(other)
    const cost = order.decision.heldAtoms
    const otherCost = other.decision.heldAtoms
    const needed = minus(most(cost, otherCost), held)
    if (verdict !== ADMITTED || funds.change(order.account, order.side, needed) !== ADMITTED) {
      closer.expire(order.slot, Ending.REFUSED, held)
      closer.expire(otherSlot, Ending.REFUSED, Atoms(0))
      return
    }
    details.costAtoms.set(order.slot, cost)
    details.costAtoms.set(otherSlot, otherCost)
    this.keepPrice(other)
    this.goLive(order, list, minus(cost, held))
  }

  /** What the second of a pair holds beyond the first. */
  private ownShare(slot: number): Atoms {
    const { costAtoms } = this.state.details
    return most(Atoms(0), minus(costAtoms.of(slot), costAtoms.of(this.state.siblingOf(slot))))
  }

  private goLive(order: ArrivingOrder, list: OrderList, heldAtoms: Atoms): void {
    const { writer } = this.parts
    const { slot } = order
    this.keepPrice(order)
    this.state.listChanged(list)
    if (order.isStop) {
      this.state.release(slot)
      writer.released(order, heldAtoms)
      return
    }
    this.state.startWorking(slot)
    writer.released(order, heldAtoms)
    this.matching.run(order, order.decision)
  }
}
