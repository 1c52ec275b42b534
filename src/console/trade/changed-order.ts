/** How an open order is changed, and what another order in its place has of it. Pure. */
import { parseAtoms } from '../book/decimals.ts'
import { type OrderRow, priceOf } from './account-rows.ts'

export const atomsOf = (text = '0'): bigint => parseAtoms(text) ?? 0n

export const restOf = ({ origQty, executedQty }: OrderRow): bigint =>
  atomsOf(origQty) - atomsOf(executedQty)

/** An amendment, a replacement in one step, or a cancel and then another order. */
export type Way = 'amend' | 'replace' | 'again'

/** Returns how an order gets this price and leaves this quantity open; undefined when it has them, or cannot. */
export function wayOf(order: OrderRow, price: string, quantity: string): Way | undefined {
  const [wantedPrice, wanted] = [parseAtoms(price), parseAtoms(quantity)]
  if (wantedPrice === undefined || wanted === undefined || wanted === 0n) return undefined
  const rest = restOf(order)
  if (wantedPrice === atomsOf(priceOf(order))) {
    if (wanted === rest) return undefined
    if (wanted < rest) return 'amend'
  }
  return atomsOf(order.executedQty) === 0n ? 'replace' : 'again'
}

/** The parameters of an order that has all of this one at another price and quantity. */
export function replacement(
  order: OrderRow,
  price: string,
  quantity: string,
  defaultPrevention?: string,
) {
  const { symbol, side, type, stopPrice = '0', trailingDelta, icebergQty = '0' } = order
  const { selfTradePreventionMode: prevention } = order
  const isTimed = type === 'LIMIT' || type.endsWith('_LIMIT')
  return {
    symbol,
    side,
    type,
    quantity,
    timeInForce: isTimed ? order.timeInForce : undefined,
    price: Number(priceOf(order)) > 0 ? price : undefined,
    ...pegOf(order),
    stopPrice: Number(stopPrice) > 0 ? stopPrice : undefined,
    trailingDelta,
    // A part that is not smaller than the order shows it whole.
    icebergQty:
      Number(icebergQty) > 0 && atomsOf(icebergQty) < atomsOf(quantity) ? icebergQty : undefined,
    selfTradePreventionMode: prevention === defaultPrevention ? undefined : prevention,
    strategyId: isExact(order.strategyId) ? order.strategyId : undefined,
    strategyType: order.strategyType,
    newOrderRespType: 'FULL',
  }
}

/** A peg that has a price keeps none: its replacement has the price that is wanted. */
const pegOf = ({ pegPriceType, pegOffsetType, pegOffsetValue, peggedPrice }: OrderRow) =>
  peggedPrice === undefined ? { pegPriceType, pegOffsetType, pegOffsetValue } : {}

/** A number beyond 2^53 is not what the exchange wrote. */
const isExact = (id: number | undefined) => id === undefined || Number.isSafeInteger(id)

/** What a replacement of the order is not: sentences; '' when it has all of it. */
export function lossesOf(order: OrderRow, quantity: string): string {
  const { orderListId, trailingDelta, icebergQty = '0' } = order
  const isWhole = Number(icebergQty) > 0 && atomsOf(icebergQty) >= atomsOf(quantity)
  return [
    orderListId >= 0 && `Its list ${orderListId} is canceled: the new order stands alone.`,
    trailingDelta !== undefined && 'Its trailing stop begins again.',
    order.peggedPrice !== undefined && 'It is no longer pegged: it has the price that is wanted.',
    !isExact(order.strategyId) && 'It loses its strategy id, which this page cannot read.',
    isWhole && 'It is no longer an iceberg: it shows its whole quantity.',
  ]
    .filter((text) => text !== false)
    .join(' ')
}
