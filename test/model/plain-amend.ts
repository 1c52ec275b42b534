/** Lowering the quantity of an open order, which keeps its place (faqs/order_amend_keep_priority.md). */

import type { AmendOrderRecord } from '../../scripts/layout/codecs.gen.ts'
import { isCall, OrderPhase, RejectReason, type SymbolStatus } from '../../src/base/codes.ts'
import { int64 } from '../../src/base/int64.ts'
import { isTaken, judgeAssets } from './plain-admission.ts'
import { isPaid, type PlainLists } from './plain-lists.ts'
import type { PlainMarket } from './plain-market.ts'
import type { PlainMatching } from './plain-matching.ts'
import { detailsOf, faceOf, type PlainOrder, trailsFreely } from './plain-order.ts'
import { lesser } from './plain-sizing.ts'

/** The reason for which it is refused, or 0. The legs of a pair are amended together. */
export function amend(
  market: PlainMarket,
  lists: PlainLists,
  matching: PlainMatching,
  command: AmendOrderRecord,
): number {
  const order = market.find(command.account, command.orderId, command.origClientOrderId)
  if (order === undefined) return RejectReason.UNKNOWN_ORDER
  if (order.phase === OrderPhase.PENDING && isPaid(lists.listOf(order)!)) {
    return RejectReason.AMEND_PENDING
  }
  const sibling = lists.sibling(order)
  const amended = sibling === undefined ? [order] : [order, sibling]
  const lots = BigInt(command.lots)
  if (amended.some((it) => lots > it.lots)) return RejectReason.AMEND_INCREASES
  if (amended.some((it) => lots === it.lots || lots <= it.filled + it.prevented)) {
    return RejectReason.AMEND_CHANGES_NOTHING
  }
  const { amendmentsMax } = market.spec.bounds
  if (amended.some((it) => it.amendments >= amendmentsMax)) return RejectReason.MAX_NUM_ORDER_AMENDS
  const { notionalAtomsMin } = market.spec
  const worth = (price: bigint) => market.paid(price, lots)
  if (amended.some(({ price }) => price > 0n && worth(price) < BigInt(notionalAtomsMin))) {
    return RejectReason.NOTIONAL_TOO_SMALL
  }
  const base = lots * BigInt(market.spec.atomsPerLot)
  const beyond = amended
    .map(({ price }) => judgeAssets(market, market.rounded(price, lots, true), base))
    .find((reason) => reason !== 0)
  if (beyond !== undefined) return beyond
  const clientOrderId = command.clientOrderId || order.clientOrderId
  if (clientOrderId !== order.clientOrderId && isTaken(market, command.account, clientOrderId)) {
    return RejectReason.DUPLICATE_ORDER
  }
  const gathered = isCall(market.phase as SymbolStatus)
    ? amended.filter(({ shown }) => shown > 0n)
    : []
  const met = gathered.flatMap((it) => market.ownAcross(it))
  if (met.length * 4 > market.world.executionMatchesMax) return RejectReason.TOO_MANY_MATCHES
  for (const it of amended.sort((a, b) => a.orderId - b.orderId)) {
    lower(market, it, lots, it === order ? clientOrderId : it.clientOrderId, lists)
  }
  for (const it of gathered) matching.amended(it)
  return 0
}

export function lower(
  market: PlainMarket,
  order: PlainOrder,
  lots: bigint,
  clientOrderId: string,
  lists: PlainLists,
): void {
  market.makeDetailed(order)
  const oldLots = order.lots
  if (trailsFreely(order)) order.cost = (order.cost * lots + oldLots - 1n) / oldLots
  const origClientOrderId = order.clientOrderId
  order.lots = lots
  order.open = lots - order.filled - order.prevented
  const removed = order.shown - lesser(order.shown, order.open)
  order.shown -= removed
  order.amendments++
  order.updatedMs = market.timeMs
  order.clientOrderId = clientOrderId
  const released = market.release(order)
  market.say('OrderAmended', {
    ...faceOf(order),
    oldLots: Number(oldLots),
    filledLots: Number(order.filled),
    filledAtoms: int64(order.filledAtoms),
    preventedLots: Number(order.prevented),
    createdMs: order.createdMs,
    removedLots: Number(removed),
    updateId: removed > 0n ? ++market.state.updateId : market.state.updateId,
    releasedAtoms: int64(released),
    clientOrderId,
    origClientOrderId,
    ...detailsOf(order),
  })
  const leg = lists.listOf(order)?.legs.find(({ orderId }) => orderId === order.orderId)
  if (leg === undefined || clientOrderId === origClientOrderId) return
  leg.clientOrderId = clientOrderId
  lists.touch(order, false)
}
