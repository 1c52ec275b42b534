/** Whether an order can be as it is found, given what its owner received of it before. */

import { units } from '../exchange/amounts.ts'
import type { ClientRequest } from './client-log.ts'
import { isOpen, type KnownOrder, type OrderState } from './known-orders.ts'

const UNCHANGING = ['orderListId', 'side', 'price', 'stopPrice'] as const

/** What cannot be, in sentences that begin with `name`. */
export function mayHaveBecome(
  known: KnownOrder,
  found: KnownOrder,
  unanswered: readonly ClientRequest[],
  name: string,
): string[] {
  const wrong: string[] = []
  const expect = (isSo: boolean, sentence: string) => {
    if (!isSo) wrong.push(`${name}: ${sentence}`)
  }
  for (const field of UNCHANGING) {
    expect(known[field] === found[field], `${field} was ${known[field]}, is ${found[field]}`)
  }
  // A cancel gives an order a new name.
  const isNamed = known.clientOrderId === found.clientOrderId || found.status === 'CANCELED'
  expect(isNamed, `was ${known.clientOrderId}, is ${found.clientOrderId}`)
  if (!isOpen(known)) {
    expect(found.status === known.status, `was ${known.status}, is ${found.status}`)
    expect(found.executedQty === known.executedQty, 'more or less was executed after its end')
    expect(found.quoteQty === known.quoteQty, 'other money was moved after its end')
    expect(found.origQty === known.origQty, 'its quantity changed after its end')
    return wrong
  }
  expect(found.executedQty >= known.executedQty, 'an execution is undone')
  expect(found.quoteQty >= known.quoteQty, 'money of an execution is undone')
  const concerning = unanswered.filter((request) => concerns(request, found))
  const isAmended = concerning.some(
    ({ kind, params }) => kind === 'amend' && units(String(params.newQty)) === found.origQty,
  )
  expect(found.origQty === known.origQty || isAmended, 'no client asked for its quantity')
  const cancelling = ['cancel', 'cancelList', 'replace']
  const isCancelled = concerning.some(({ kind }) => cancelling.includes(kind))
  expect(found.status !== 'CANCELED' || isCancelled, 'no client asked for its cancel')
  return wrong
}

/** Whether a member may show the later of an order after it, or another member, has shown the earlier. */
export const mayShowAfter = (earlier: OrderState, later: OrderState | undefined): boolean =>
  later !== undefined &&
  later.executedQty >= earlier.executedQty &&
  later.quoteQty >= earlier.quoteQty &&
  (isOpen(earlier) || later.status === earlier.status)

function concerns({ params }: ClientRequest, order: KnownOrder): boolean {
  if (params.symbol !== order.symbol) return false
  const { orderId, cancelOrderId, orderListId } = params
  if (orderListId !== undefined) return orderListId === order.orderListId
  return (orderId ?? cancelOrderId) === order.orderId
}
