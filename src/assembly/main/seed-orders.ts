/** Places the orders of a seed once the exchange runs, before it reports that it has started. */
import type { Logger } from 'pino'
import type { ExchangeView } from '../../control/action.ts'
import type { SeedOrder } from '../../control/facts.ts'
import type { Registry } from '../../control/registry.ts'
import { counted } from '../../control/words.ts'
import type { ControlStore } from '../../journal/control-store.ts'

/** The refusal of a query (api/errors.ts). */
const NO_SUCH_ORDER = 'Order does not exist.'

export interface SeedOrdersParts {
  readonly registry: Registry
  readonly control: ControlStore
  readonly view: Pick<ExchangeView, 'ask'>
  readonly log: Logger
  /** Whether a start before this one may have placed some of them, and ended before it journaled that. */
  readonly isResumed: boolean
}

/**
 * Resolves when the orders are placed, one after another in their order; one that is refused is logged. A
 * resumed start first queries each by its client order id, which no other order of a seed has, and places it
 * only if there was none. Without an answer the rest is left to the next start.
 */
export async function placeSeedOrders(parts: SeedOrdersParts): Promise<void> {
  const { registry, control, view, log, isResumed } = parts
  const orders = registry.seedOrders
  if (orders.length === 0) return
  let placed = 0
  for (const [at, { account, params }] of orders.entries()) {
    const about = { order: at + 1, account, ...params }
    const query = { ask: 'operation', account } as const
    const earlier = isResumed ? await view.ask(0, { ...query, ...queryOf(params) }) : undefined
    if (earlier !== undefined && earlier.refused === undefined) {
      placed++
      continue
    }
    if (earlier !== undefined && !earlier.refused?.includes(NO_SUCH_ORDER)) {
      log.warn(about, `orders of the seed are left to the next start: ${earlier.refused}`)
      return
    }
    const { refused } = await view.ask(0, { ...query, operation: 'placeOrder', params })
    if (refused === undefined) placed++
    else log.warn(about, `an order of the seed: ${refused}`)
  }
  const fact = { fact: 'seed', orders: [] } as const
  control.append(fact)
  registry.apply(fact)
  log.info(`${counted(placed, 'order')} of the seed placed`)
}

function queryOf({ symbol, newClientOrderId }: SeedOrder['params']) {
  const params = { symbol: symbol!, origClientOrderId: newClientOrderId! }
  return { operation: 'queryOrder', params }
}
