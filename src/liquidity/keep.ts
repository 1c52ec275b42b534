/** The house in one symbol, quoting and taking until it is to stop; then it takes its quotes back. */
import type { Hand } from './hand.ts'
import { Keeper } from './keeper.ts'
import type { KeepPlan } from './plan.ts'
import type { Stop } from './stop.ts'

/**
 * What a kill left open is taken on. Resolves when it has stopped; `warn` hears why it does not begin.
 */
export async function keep(
  plan: KeepPlan,
  hand: Hand,
  stop: Stop,
  warn: (sentence: string) => void,
): Promise<void> {
  const market = await hand.market()
  if (market === undefined) return
  const last = await hand.lastPrice()
  const anchor = plan.price ?? last
  if (anchor === undefined) {
    warn(`the house does not quote ${plan.symbol}: nothing has traded, and no price is given`)
    return
  }
  const keeper = new Keeper(plan, market, anchor, last ?? anchor)
  for (;;) {
    await stop.wait(keeper.nextWaitMs())
    if (stop.isWanted) break
    if (keeper.takesNext()) {
      const taking = keeper.taking()
      keeper.took(taking.side, await hand.take(taking))
      continue
    }
    const open = await hand.openOrders()
    if (open !== undefined && !stop.isWanted) await hand.quote(keeper.quoting(open))
  }
  await hand.cancelAll()
}
