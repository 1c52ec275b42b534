/** When stops wake: the plain twin of faqs/trailing-stop-faq.md, in integers. */
import { OrderType, Side } from '../../src/base/codes.ts'
import type { PlainOrder } from './plain-order.ts'

/** A price at or through the stop price: below for SELL stop-losses and BUY take-profits. */
export function isReached(order: PlainOrder, price: bigint): boolean {
  const isStopLoss = order.type === OrderType.STOP_LOSS || order.type === OrderType.STOP_LOSS_LIMIT
  const waitsBelow = isStopLoss === (order.side === Side.SELL)
  return waitsBelow ? price <= order.stop : price >= order.stop
}

/** Whether its stop price is passed already; `last` is 0 when nothing was traded. */
export function wouldTrigger(order: PlainOrder, last: bigint): boolean {
  return order.stop > 0n && last > 0n && isReached(order, last)
}

/** A waiting order begins: one that trails without a stop price tracks from the last price on. */
export function beginWaiting(order: PlainOrder, last: bigint, timeMs: number): void {
  if (order.trailingDelta > 0n && order.stop === 0n && last > 0n) track(order, last, timeMs)
}

/** For how many ticks a BUY holds money while it waits, if it has no limit of its own. */
export function holdPriceOf(order: PlainOrder, last: bigint): bigint {
  if (order.price > 0n) return order.price
  if (order.stop > 0n) return order.stop
  return (last * (10_000n + order.trailingDelta) + 9_999n) / 10_000n
}

/** Shows the price of a trade to a waiting order; true when that wakes it. */
export function follow(order: PlainOrder, price: bigint, timeMs: number): boolean {
  if (order.trailingDelta === 0n) return isReached(order, price)
  if (order.trailingMs < 0) {
    if (order.stop > 0n && !isReached(order, price)) return false
    track(order, price, timeMs)
  }
  const isBetter = order.side === Side.SELL ? price > order.extreme : price < order.extreme
  if (isBetter) order.extreme = price
  return order.side === Side.SELL
    ? price * 10_000n <= order.extreme * (10_000n - order.trailingDelta)
    : price * 10_000n >= order.extreme * (10_000n + order.trailingDelta)
}

function track(order: PlainOrder, price: bigint, timeMs: number): void {
  order.trailingMs = timeMs
  order.extreme = price
}
