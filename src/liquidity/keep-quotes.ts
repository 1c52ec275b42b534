/** The house in one symbol, quoting and taking until it is to stop; then it takes its quotes back. */

import type { KeepPlan } from './plan.ts'
import { QuotePlanner } from './quote-planner.ts'
import type { QuoteWorker } from './quote-worker.ts'
import type { Stop } from './stop.ts'

/**
 * What a kill left open is taken on. Resolves when it has stopped; `warn` hears why it does not begin.
 */
export async function keepQuotes(
  plan: KeepPlan,
  worker: QuoteWorker,
  stop: Stop,
  warn: (sentence: string) => void,
): Promise<void> {
  const market = await worker.market()
  if (market === undefined) return
  const last = await worker.lastPrice()
  const anchor = plan.price ?? last
  if (anchor === undefined) {
    warn(`the house does not quote ${plan.symbol}: nothing has traded, and no price is given`)
    return
  }
  const planner = new QuotePlanner(plan, market, anchor, last ?? anchor)
  for (;;) {
    await stop.wait(planner.nextWaitMs())
    if (stop.isWanted) break
    if (planner.takesNext()) {
      const taking = planner.taking()
      planner.took(taking.side, await worker.take(taking))
      continue
    }
    const open = await worker.openOrders()
    if (open !== undefined && !stop.isWanted) await worker.quote(planner.quoting(open))
  }
  await worker.cancelAll()
}
