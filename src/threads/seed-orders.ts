/** Places the orders of a seed once the exchange runs, before it says that it has started. */
import type { Logger } from 'pino'
import type { ExchangeView } from '../control/action.ts'
import type { Registry } from '../control/registry.ts'
import { counted } from '../control/words.ts'
import type { ControlStore } from '../journal/control-store.ts'

/** What a start that ended between orders placed before. */
const DUPLICATE = 'Duplicate order sent.'

export interface SeedOrdersParts {
  readonly registry: Registry
  readonly control: ControlStore
  readonly view: Pick<ExchangeView, 'ask'>
  readonly log: Logger
}

/**
 * Resolves when the orders are placed, one after another in their order; one that is refused is logged. A start
 * that ends before this places them again, and open ones are refused by their client order ids.
 */
export async function placeSeedOrders({ registry, control, view, log }: SeedOrdersParts) {
  const orders = registry.seedOrders
  if (orders.length === 0) return
  let placed = 0
  for (const [at, { account, params }] of orders.entries()) {
    const query = { ask: 'operation', operation: 'placeOrder', account, params } as const
    const { refused } = await view.ask(0, query)
    if (refused === undefined || refused.includes(DUPLICATE)) placed++
    else log.warn({ order: at + 1, account, ...params }, `an order of the seed: ${refused}`)
  }
  const fact = { fact: 'seed', orders: [] } as const
  control.append(fact)
  registry.apply(fact)
  log.info(`${counted(placed, 'order')} of the seed placed`)
}
