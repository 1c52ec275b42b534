/** Events that are not a market's and not executionReport (supplement 2e.2). */
import type { Ms } from '../../base/units.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { BalanceRow } from '../context.ts'
import { timeOf } from './decimals.ts'
import { rejectName } from './execution-report.ts'
import {
  contingencyName,
  type ListState,
  listOrderStatusNames,
  listStatusNames,
} from './order-list.ts'

/** Balances that one command may have changed, absolute; `updateMs` is when it happened. */
export function accountPosition(
  balances: readonly BalanceRow[],
  updateMs: Ms,
  eventTimeMs: Ms,
  microseconds: boolean,
): string {
  const rows = balances.map(
    ({ asset, free, locked }) => `{"a":"${asset}","f":"${free}","l":"${locked}"}`,
  )
  return (
    `{"e":"outboundAccountPosition","E":${timeOf(eventTimeMs, microseconds)},` +
    `"u":${timeOf(updateMs, microseconds)},"B":[${rows.join()}]}`
  )
}

/** What came in or went out, or was locked or unlocked from outside; `delta` is the wire's text. */
export const balanceChange = (
  event: 'balanceUpdate' | 'externalLockUpdate',
  asset: string,
  delta: string,
  timeMs: Ms,
  eventTimeMs: Ms,
  microseconds: boolean,
): string =>
  `{"e":"${event}","E":${timeOf(eventTimeMs, microseconds)},"a":"${asset}","d":"${delta}",` +
  `"T":${timeOf(timeMs, microseconds)}}`

/**
 * An order list was placed, has changed or is done; with a RejectReason, it was refused (supplement
 * 2c.6).
 */
export function listStatus(
  spec: SymbolSpec,
  list: ListState,
  reason: number,
  eventTimeMs: Ms,
  microseconds: boolean,
): string {
  const orders = list.orders.map(
    ({ orderId, clientOrderId }) => `{"s":"${spec.name}","i":${orderId},"c":"${clientOrderId}"}`,
  )
  return (
    `{"e":"listStatus","E":${timeOf(eventTimeMs, microseconds)},"s":"${spec.name}",` +
    `"g":${list.orderListId},"c":"${contingencyName(list.kind)}",` +
    `"l":"${listStatusNames[list.statusType]}",` +
    `"L":"${listOrderStatusNames[list.orderStatus]}","r":"${rejectName(reason)}",` +
    `"C":"${list.listClientOrderId}","T":${timeOf(list.timeMs, microseconds)},` +
    `"O":[${orders.join()}]}`
  )
}

/** The last frame of a listen key's stream (supplement 2e.1). */
export const listenKeyExpired = (
  listenKey: string,
  eventTimeMs: Ms,
  microseconds: boolean,
): string =>
  `{"e":"listenKeyExpired","E":${timeOf(eventTimeMs, microseconds)},"listenKey":"${listenKey}"}`

/** The last frame of a subscription that was ended over the WebSocket API. */
export const eventStreamTerminated = (eventTimeMs: Ms, microseconds: boolean): string =>
  `{"e":"eventStreamTerminated","E":${timeOf(eventTimeMs, microseconds)}}`

/** To every connection before the exchange stops (supplement 2d, Connection rules). */
export const serverShutdown = (eventTimeMs: Ms, microseconds: boolean): string =>
  `{"e":"serverShutdown","E":${timeOf(eventTimeMs, microseconds)}}`
