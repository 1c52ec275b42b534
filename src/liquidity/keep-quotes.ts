/** The market maker in one symbol: quotes and takes until it must stop, then cancels its quotes. */

import type { KeepPlan } from './plan.ts'
import { QuotePlanner, type Side } from './quote-planner.ts'
import type { QuoteWorker } from './quote-worker.ts'
import type { Stop } from './stop.ts'

/**
 * Takes over orders that a kill left open. Calls `opened` once both sides are quoted and something has
 * traded. While the maker's account is frozen it only tries a quote now and then, and takes nothing: the
 * orders of others in the symbol are left alone. Resolves when it has stopped; calls `warn` with the
 * reason when it cannot begin. While the exchange takes no new orders its quotes stay as they are.
 */
export async function keepQuotes(
  plan: KeepPlan,
  worker: QuoteWorker,
  stop: Stop,
  warn: (sentence: string) => void,
  opened: () => void,
): Promise<void> {
  const market = await worker.market()
  if (market === undefined) return
  const last = await worker.lastPrice()
  const anchor = plan.price ?? last
  if (anchor === undefined) {
    warn(
      `Market maker is off on ${plan.symbol}: nothing has traded, and no price is given. ` +
        'Give one in the liquidity file.',
    )
    return
  }
  const planner = new QuotePlanner(plan, market, anchor, last ?? anchor)
  const left = await worker.openOrders()
  await Promise.all(planner.opening(left ?? []).map((quote) => worker.quote(quote)))
  if (!worker.isDisabled) await takeOnce(planner, worker)
  opened()
  for (;;) {
    await stop.wait(planner.nextWaitMs())
    if (stop.isWanted) break
    // Without new orders a replacement would be a cancel alone: an order that takes finds out when there are.
    if ((planner.takesNext() || worker.isPaused) && !worker.isDisabled) {
      await takeOnce(planner, worker)
      continue
    }
    const open = await worker.openOrders()
    if (open === undefined || stop.isWanted) continue
    const quoting = planner.quoting(open)
    await worker.quote(quoting)
    // Else a thin book that a client's order crosses would stay thin.
    if (worker.isCrossed && quoting.action !== 'cancel')
      await takeOnce(planner, worker, quoting.side)
  }
  await worker.cancelAll()
}

async function takeOnce(planner: QuotePlanner, worker: QuoteWorker, side?: Side): Promise<void> {
  const taking = planner.taking(side)
  planner.took(taking.side, await worker.take(taking))
}
