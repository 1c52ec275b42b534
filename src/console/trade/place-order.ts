/** Places the order of the ticket: one at a time, under a client order id that is made before the request. */
import type { Params } from '../net/api.ts'
import { ApiError } from '../net/api-error.ts'
import type { FillRow, ListRow } from './account-rows.ts'
import { methodOf, orderParams } from './order-kinds.ts'
import type { Ask, OrderRequest, OrderSender } from './order-sender.ts'
import { type Assets, type OrderAnswer, outcomeOf } from './outcome.ts'
import type { ShownOrder, TicketForm } from './ticket-form.ts'

/** The second half of a double click sends nothing, however fast the exchange has answered. */
const SETTLE_MS = 500
const ORDER_UNKNOWN = [-2013, -2018]

/** Places what the ticket shows. Does nothing while another order is sent. */
export async function placeOrder(
  sender: OrderSender,
  order: ShownOrder,
  form: TicketForm,
): Promise<void> {
  if (form.isSending.value) return
  form.isSending.value = true
  const settled = pause(SETTLE_MS)
  const { symbol, kind, side, values } = order
  const method = methodOf(kind)
  const params = orderParams(symbol, kind, side, values)
  const request = { what: `${side} ${kind}`, assets: symbol, params }
  try {
    const isList = method !== 'order.place'
    const placing = isList ? listPlacement(method, request) : placement(request)
    if ((await sender.send(placing)) !== undefined) form.spend(order)
  } finally {
    await settled
    form.isSending.value = false
  }
}

export interface Placing {
  readonly what: string
  readonly assets: Assets
  readonly params: Params
}

export const newId = (): string => `web_${crypto.randomUUID().replaceAll('-', '')}`

/** The request that places one order, under its own id. */
export function placement({ what, assets, params }: Placing): OrderRequest<OrderAnswer> {
  const id = newId()
  return {
    what,
    method: 'order.place',
    params: { ...params, newClientOrderId: id },
    outcomeOf: (answer) => outcomeOf(assets, answer),
    find: (ask) => findOrder(ask, String(params.symbol), { origClientOrderId: id }),
    without: `the exchange had no order ${id}: not placed.`,
  }
}

function listPlacement(
  method: string,
  { what, assets, params }: Placing,
): OrderRequest<OrderAnswer> {
  const id = newId()
  return {
    what,
    method,
    params: { ...params, listClientOrderId: id },
    outcomeOf: (answer) => outcomeOf(assets, answer),
    find: (ask) => findList(ask, { origClientOrderId: id }),
    without: `the exchange had no order list ${id}: not placed.`,
  }
}

/** Returns an order with its fills; undefined when the exchange does not know it. */
export async function findOrder(
  ask: Ask,
  symbol: string,
  id: Params,
): Promise<OrderAnswer | undefined> {
  const order = await ask<OrderAnswer>('order.status', { symbol, ...id }).catch(unknown)
  if (order === undefined || Number(order.executedQty) === 0) return order
  // A query has no fills, which have the fee.
  const trades = { symbol, orderId: order.orderId }
  return { ...order, fills: await ask<readonly FillRow[]>('myTrades', trades) }
}

/** Returns a list with its orders; undefined when the exchange does not know it. */
export async function findList(ask: Ask, id: Params): Promise<OrderAnswer | undefined> {
  const list = await ask<ListRow>('orderList.status', id).catch(unknown)
  if (list === undefined) return undefined
  const legs = list.orders.map(({ symbol, orderId }) => findOrder(ask, symbol, { orderId }))
  const orderReports = (await Promise.all(legs)).filter((leg) => leg !== undefined)
  // The list is there: an order of it that cannot be read yet is queried again.
  if (orderReports.length < list.orders.length) throw new Error('an order of the list is missing')
  return { listOrderStatus: list.listOrderStatus, orderReports }
}

function unknown(error: Error): undefined {
  if (error instanceof ApiError && ORDER_UNKNOWN.includes(error.code)) return undefined
  throw error
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
