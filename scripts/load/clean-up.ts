/** Cancels what a load has left open, and nothing else of its accounts. */
import type { AccountOrders, PlacedOrder } from './account-orders.ts'
import { isLimit, pauseFor, type Target } from './target.ts'

const AT_ONCE = 16
const ATTEMPTS = 5

/** Returns how many orders could not be canceled. */
export async function cleanUp(
  accountOrders: readonly AccountOrders[],
  target: Target,
): Promise<number> {
  const left = accountOrders.flatMap((orders) =>
    orders.leftOpen().map((order) => ({ orders, order })),
  )
  const cancelNext = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      await cancel(next.orders, next.order, target)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, cancelNext))
  return accountOrders.reduce((sum, orders) => sum + orders.leftOpen().length, 0)
}

/** Limits are waited for: what was opened must be closed. */
async function cancel(orders: AccountOrders, order: PlacedOrder, target: Target): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS && order.state !== 'ended'; attempt++) {
    const { request, settle } = orders.cancel(order)
    const answer = await target.send(request)
    settle(answer)
    if (isLimit(answer.status)) await pauseFor(answer)
  }
}
