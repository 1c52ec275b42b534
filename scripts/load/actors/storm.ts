/** Places a burst of orders far from the market, then cancels them all, and begins again. */
import type { Prng } from '../../../src/base/prng.ts'
import { quantityFor } from '../../../src/liquidity/market.ts'
import type { StormPlan } from '../scenario.ts'
import type { AccountOrders, PlacedOrder } from './account-orders.ts'
import type { Actor, Place, Work } from './actor.ts'

const BPS = 10_000

export class Storm implements Actor {
  private readonly plan: StormPlan
  private readonly account: AccountOrders
  private readonly places: readonly Place[]
  private readonly prng: Prng
  private orders: PlacedOrder[] = []
  private isCanceling = false

  constructor(plan: StormPlan, account: AccountOrders, places: readonly Place[], prng: Prng) {
    this.plan = plan
    this.account = account
    this.places = places
    this.prng = prng
  }

  next(): Work | undefined {
    this.orders = this.orders.filter(({ state }) => state !== 'ended')
    if (this.orders.length === 0) this.isCanceling = false
    if (this.orders.length >= this.plan.burst) this.isCanceling = true
    if (!this.isCanceling) return this.place()
    const order = this.orders.find(({ state }) => state === 'open' || state === 'unknown')
    return order === undefined ? undefined : this.account.cancel(order)
  }

  private place(): Work {
    const { distanceBps, notional } = this.plan
    const { market, middle } = this.prng.pick(this.places)
    const side = this.prng.chance(0.5) ? 'BUY' : 'SELL'
    const away = (distanceBps * (1 + this.prng.unit() / 2)) / BPS
    const price = middle() * (side === 'BUY' ? 1 / (1 + away) : 1 + away)
    const { order, work } = this.account.place('place', {
      symbol: market.symbol,
      side,
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: market.prices.near(price),
      quantity: quantityFor(market, notional, price),
    })
    this.orders.push(order)
    return work
  }
}
