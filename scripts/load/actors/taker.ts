/** Takes what is there, on a random side: IOC orders with a bound, or MARKET orders. */
import type { Prng } from '../../../src/base/prng.ts'
import { quantityFor } from '../../../src/liquidity/market.ts'
import type { TakerPlan } from '../scenario.ts'
import type { AccountOrders, Terms } from './account-orders.ts'
import type { Actor, Place, Work } from './actor.ts'

const BPS = 10_000

export class Taker implements Actor {
  private readonly plan: TakerPlan
  private readonly account: AccountOrders
  private readonly places: readonly Place[]
  private readonly prng: Prng

  constructor(plan: TakerPlan, account: AccountOrders, places: readonly Place[], prng: Prng) {
    this.plan = plan
    this.account = account
    this.places = places
    this.prng = prng
  }

  next(): Work {
    const { order, slipBps, notional } = this.plan
    const { market, middle } = this.prng.pick(this.places)
    const side = this.prng.chance(0.5) ? 'BUY' : 'SELL'
    const price = middle() * (1 + ((side === 'BUY' ? 1 : -1) * slipBps) / BPS)
    const quantity = quantityFor(market, notional * (0.5 + this.prng.unit()), middle())
    const base = { symbol: market.symbol, side, quantity } as const
    const terms: Terms =
      order === 'market'
        ? { ...base, type: 'MARKET' }
        : { ...base, type: 'LIMIT', timeInForce: 'IOC', price: market.prices.near(price) }
    return this.account.place(order, terms).work
  }
}
