/** Entering an order list, whole or not at all (rest-api.md, order lists). */

import type { PlaceOrderListRecord } from '../../scripts/layout/codecs.gen.ts'
import {
  ListOrderStatus,
  ListStatusType,
  OrderListKind,
  OrderPhase,
  RejectReason,
} from '../../src/base/codes.ts'
import { acceptOrder } from './plain-acceptance.ts'
import { fixPeg, isRoomFull, isTaken, judge, refusePhase, type Verdict } from './plain-admission.ts'
import { refuseCounts } from './plain-counts.ts'
import { arePricesRelated, hasThree, isPaid, type PlainLists } from './plain-lists.ts'
import type { PlainMarket } from './plain-market.ts'
import type { PlainMatching } from './plain-matching.ts'
import { orderFrom, type PlainOrder, type PlainWish } from './plain-order.ts'
import { greater } from './plain-sizing.ts'

export class PlainListing {
  private readonly market: PlainMarket
  private readonly lists: PlainLists
  private readonly matching: PlainMatching

  constructor(market: PlainMarket, lists: PlainLists, matching: PlainMatching) {
    this.market = market
    this.lists = lists
    this.matching = matching
  }

  /** The reason for which it is refused, or 0. */
  place(command: PlaceOrderListRecord): number {
    const market = this.market
    const legs = wishesOf(command).map((wish) => orderFrom(wish, command.account, market.timeMs))
    const early = this.refuseUnseen(command, legs)
    if (early !== 0) return early
    const [first, second, third] = legs as [PlainOrder, PlainOrder, PlainOrder?]
    first.isPaying = isPaid(command)
    if (command.kind === OrderListKind.OCO) second.purse = first.purse
    else {
      for (const pending of legs.slice(1)) {
        pending.phase = OrderPhase.PENDING
        pending.workingMs = -1
      }
      if (third !== undefined) third.purse = second.purse
    }
    const isOco = command.kind === OrderListKind.OCO
    const unpriced = isOco && second.phase === OrderPhase.WORKING ? fixPeg(market, second) : 0
    if (unpriced !== 0) return unpriced
    if (isOco && !arePricesRelated(first, second, market.last)) {
      return RejectReason.PRICES_NOT_RELATED
    }
    const live = isOco ? [first, second] : [first]
    const verdicts: Verdict[] = []
    for (const leg of live) {
      const verdict = judge(market, leg)
      if (verdict.reason !== 0) return verdict.reason
      verdicts.push(verdict)
    }
    if (isRoomFull(market, legs)) return RejectReason.BOOK_FULL
    const cost = verdicts.reduce((most, verdict) => greater(most, verdict.cost), 0n)
    if (!market.hold(first, cost)) return RejectReason.INSUFFICIENT_BALANCE
    this.accept(command, legs, verdicts)
    for (const [i, leg] of live.entries()) {
      if (leg.phase === OrderPhase.WORKING) this.matching.work(leg, verdicts[i]!)
    }
    return 0
  }

  /** Refusals that do not look at prices. */
  private refuseUnseen(command: PlaceOrderListRecord, legs: readonly PlainOrder[]): number {
    const market = this.market
    const { account, listClientOrderId } = command
    if (!market.mayAdd(account)) return RejectReason.ACCOUNT_DISABLED
    if (market.isTripped(account)) return RejectReason.PROTECTED
    const phase = refusePhase(market, legs[0]!, true)
    if (phase !== 0) return phase
    const ids = legs.map(({ clientOrderId }) => clientOrderId)
    const isTwice = new Set(ids).size < ids.length
    const isListTaken = market.state.lists.some(
      (list) => list.account === account && list.clientOrderId === listClientOrderId,
    )
    if (isTwice || isListTaken || ids.some((id) => isTaken(market, account, id))) {
      return RejectReason.DUPLICATE_ORDER
    }
    return refuseCounts(market, account, legs, 1)
  }

  /** The legs enter in order, each holding what those before it do not hold already. */
  private accept(
    command: PlaceOrderListRecord,
    legs: readonly PlainOrder[],
    verdicts: readonly Verdict[],
  ): void {
    const market = this.market
    const orderListId = ++market.world.orderListId
    market.state.orderListId = orderListId
    let held = 0n
    for (const [i, leg] of legs.entries()) {
      const cost = verdicts[i]?.cost ?? 0n
      leg.orderListId = orderListId
      acceptOrder(market, leg, greater(cost - held, 0n))
      held = greater(held, cost)
    }
    const list = {
      orderListId,
      account: command.account,
      kind: command.kind,
      clientOrderId: command.listClientOrderId,
      legs: legs.map(({ orderId, clientOrderId }) => ({ orderId, clientOrderId })),
    }
    market.state.lists.push(list)
    this.lists.say(list, ListStatusType.EXEC_STARTED, ListOrderStatus.EXECUTING)
  }
}

function wishesOf(command: PlaceOrderListRecord): PlainWish[] {
  const numbers = hasThree(command.kind) ? ([1, 2, 3] as const) : ([1, 2] as const)
  return numbers.map((n) => ({
    terms: command[`terms${n}`],
    strategyType: command[`strategyType${n}`],
    priceTicks: command[`priceTicks${n}`],
    lots: command[`lots${n}`],
    stopTicks: command[`stopTicks${n}`],
    icebergLots: command[`icebergLots${n}`],
    strategyId: command[`strategyId${n}`],
    trailingDelta: command[`trailingDelta${n}`],
    pegPriceType: command[`pegPriceType${n}`],
    pegLevels: command[`pegLevels${n}`],
    clientOrderId: command[`clientOrderId${n}`],
  }))
}
