/**
 * What follows from an execution: pending legs go live, then stops wake, each in a separate execution, which
 * may cause more (faqs/trailing-stop-faq.md). The plain twin of the cascade.
 */

import { ExpiryReason, OrderPhase, OrderStatus } from '../../src/base/codes.ts'
import { int64 } from '../../src/base/int64.ts'
import { judge, type Verdict } from './plain-admission.ts'
import { arePricesRelated, hasThree, isPaid, type PlainLists, pairOf } from './plain-lists.ts'
import type { PlainMarket } from './plain-market.ts'
import type { PlainMatching } from './plain-matching.ts'
import { detailsOf, faceOf, isStop, type PlainOrder } from './plain-order.ts'
import { sizeByReceipt } from './plain-receipts.ts'
import { greater } from './plain-sizing.ts'
import { beginWaiting, follow } from './plain-stops.ts'

export class PlainTurns {
  private readonly market: PlainMarket
  private readonly lists: PlainLists
  private readonly matching: PlainMatching

  constructor(market: PlainMarket, lists: PlainLists, matching: PlainMatching) {
    this.market = market
    this.lists = lists
    this.matching = matching
  }

  /** Ends the execution: what it released and woke queues. */
  end(): void {
    this.lists.sayChanged()
    const { queue } = this.market.state
    queue.push(...this.lists.takeReleased().map(({ orderId }) => orderId))
    queue.push(...this.woken(queue))
  }

  /** Takes the next execution that follows. Returns false when there is none, or the batch has `room` events. */
  followOne(room: number): boolean {
    const { next } = this
    if (next === undefined || !this.market.isTrading) return false
    if (this.market.answer.eventCount >= room && !this.isSecondOfPair(next)) return false
    this.market.state.queue.shift()
    this.market.answer.beginTurn()
    if (next.phase === OrderPhase.PENDING) this.release(next)
    else this.trigger(next)
    this.end()
    return true
  }

  /** Whether what is next must be in the batch of what was before it. */
  get isNextPaid(): boolean {
    const { next } = this
    return next !== undefined && this.isSecondOfPair(next)
  }

  /** The open order whose execution is next. */
  get next(): PlainOrder | undefined {
    const { state } = this.market
    state.queue = state.queue.filter((id) => state.orders.some((it) => it.orderId === id))
    return state.orders.find(({ orderId }) => orderId === state.queue[0])
  }

  /** Shows the execution's prices to the waiting orders that are not woken yet; by orderId. */
  private woken(queue: readonly number[]): number[] {
    const { state, timeMs } = this.market
    const woken = new Set<PlainOrder>()
    for (const price of this.matching.takePrices()) {
      for (const order of state.orders) {
        const isWaiting = order.phase === OrderPhase.UNTRIGGERED && !queue.includes(order.orderId)
        if (isWaiting && !woken.has(order) && follow(order, price, timeMs)) woken.add(order)
      }
    }
    return [...woken].map(({ orderId }) => orderId).sort((a, b) => a - b)
  }

  /** A pair is paid for when its first leg goes live: the second follows in the same batch. */
  private isSecondOfPair(order: PlainOrder): boolean {
    const list = this.lists.listOf(order)
    if (list === undefined || !hasThree(list.kind)) return false
    if (order.phase !== OrderPhase.PENDING) return false
    const isFirstLive = this.lists.sibling(order)?.phase === OrderPhase.UNTRIGGERED
    return isFirstLive && order.orderId === list.legs[2]!.orderId
  }

  /** A stop works as an order from here on; the other leg of its pair ends first. */
  private trigger(order: PlainOrder): void {
    const market = this.market
    const sibling = this.lists.sibling(order)
    const needBefore = market.need(order)
    order.phase = OrderPhase.WORKING
    const verdict = judge(market, order)
    const keep = sibling === undefined ? 0n : market.need(sibling)
    const held = greater(verdict.cost, keep) - order.purse.atoms
    const isPaid = verdict.reason === 0 && market.hold(order, held)
    order.cost = isPaid ? verdict.cost : needBefore
    order.isRefused = !isPaid
    order.workingMs = market.timeMs
    order.updatedMs = market.timeMs
    this.sayTurn('OrderTriggered', order, isPaid ? held : 0n)
    this.lists.touch(order)
    if (sibling !== undefined) this.lists.expireSibling(sibling)
    if (isPaid) this.matching.work(order, verdict)
    else {
      this.lists.close(order, OrderStatus.EXPIRED, { reason: ExpiryReason.REJECTED })
    }
  }

  /** A pending leg goes live as if it were placed now, or ends, and with it the other of its pair. */
  private release(order: PlainOrder): void {
    const market = this.market
    const legs = this.pendingTogether(order)
    const isSized = !isPaid(this.lists.listOf(order)!) || sizeByReceipt(market, legs)
    // Judged without being changed: one may be refused for its sibling's sake.
    const judged = legs.map((leg) => ({ ...leg, phase: livePhase(leg) }))
    const verdicts = judged.map((leg) => judge(market, leg))
    const isRelated = legs.length < 2 || arePricesRelated(judged[0]!, judged[1]!, market.last)
    const isRefused = !isSized || !isRelated || verdicts.some(({ reason }) => reason !== 0)
    const cost = verdicts.reduce((most, verdict) => greater(most, verdict.cost), 0n)
    if (isRefused || !this.canPay(order, cost)) {
      const reason = ExpiryReason.REJECTED
      for (const leg of legs) {
        market.close(leg, OrderStatus.EXPIRED, { reason })
        this.lists.touch(leg)
      }
      return
    }
    for (const [i, leg] of legs.entries()) {
      const { price, holdPrice, pegLimit } = judged[i]!
      if (pegLimit >= 0n) Object.assign(leg, { price, holdPrice, pegLimit })
    }
    this.goLive(order, verdicts[0]!)
  }

  /** The pair whose first leg this is, or the order alone. */
  private pendingTogether(order: PlainOrder): PlainOrder[] {
    const list = this.lists.listOf(order)!
    if (!hasThree(list.kind)) return [order]
    const pair = pairOf(list)
    return this.lists
      .legs(list)
      .filter(({ orderId, phase }) => pair.includes(orderId) && phase === OrderPhase.PENDING)
  }

  /** What the first leg of a pair holds counts for the second. */
  private canPay(order: PlainOrder, cost: bigint): boolean {
    return cost - order.purse.atoms <= this.market.spendable(order)
  }

  private goLive(order: PlainOrder, verdict: Verdict): void {
    const market = this.market
    const more = verdict.cost - order.purse.atoms
    const held = isPaid(this.lists.listOf(order)!) ? more : greater(more, 0n)
    market.hold(order, held)
    order.cost = verdict.cost
    order.phase = livePhase(order)
    order.updatedMs = market.timeMs
    if (order.phase === OrderPhase.WORKING) order.workingMs = market.timeMs
    else {
      judge(market, order)
      beginWaiting(order, market.last, market.timeMs)
    }
    this.sayTurn('OrderReleased', order, held)
    this.lists.touch(order)
    if (order.phase === OrderPhase.WORKING) this.matching.work(order, verdict)
  }

  private sayTurn(name: string, order: PlainOrder, held: bigint): void {
    this.market.say(name, {
      ...faceOf(order),
      heldAtoms: int64(held),
      createdMs: order.createdMs,
      clientOrderId: order.clientOrderId,
      ...detailsOf(order),
    })
  }
}

/** Where a pending leg goes when it is released. */
const livePhase = ({ type }: PlainOrder): number =>
  isStop(type) ? OrderPhase.UNTRIGGERED : OrderPhase.WORKING
