/** Cancels what a load has left open, and nothing else of its accounts. */
import type { Desk, DeskOrder } from './actors/desk.ts'
import { isLimit, pauseFor, type Target } from './target.ts'

const AT_ONCE = 16
const ATTEMPTS = 5

/** Returns how many orders could not be canceled. */
export async function cleanUp(desks: readonly Desk[], target: Target): Promise<number> {
  const left = desks.flatMap((desk) => desk.leftOpen().map((order) => ({ desk, order })))
  const cancelNext = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      await cancel(next.desk, next.order, target)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, cancelNext))
  return desks.reduce((sum, desk) => sum + desk.leftOpen().length, 0)
}

/** Limits are waited for: what was opened must be closed. */
async function cancel(desk: Desk, order: DeskOrder, target: Target): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS && order.state !== 'ended'; attempt++) {
    const { request, settle } = desk.cancel(order)
    const answer = await target.send(request)
    settle(answer)
    if (isLimit(answer.status)) await pauseFor(answer)
  }
}
