/** Quotes so many prices on both sides of each symbol, and re-quotes the oldest with each arrival. */
import type { Prng } from '../../../src/base/prng.ts'
import { quantityFor } from '../../../src/liquidity/market.ts'
import type { MakerPlan } from '../scenario.ts'
import type { AccountOrders, PlacedOrder, Terms } from './account-orders.ts'
import type { Actor, Place, Work } from './actor.ts'

const BPS = 10_000

interface Quote {
  readonly place: Place
  readonly side: 'BUY' | 'SELL'
  /** From 0, the best one. */
  readonly level: number
  order: PlacedOrder | undefined
}

export class Maker implements Actor {
  private readonly plan: MakerPlan
  private readonly account: AccountOrders
  private readonly prng: Prng
  private readonly quotes: readonly Quote[]
  private nextQuote = 0

  constructor(plan: MakerPlan, account: AccountOrders, places: readonly Place[], prng: Prng) {
    this.plan = plan
    this.account = account
    this.prng = prng
    const quotes: Quote[] = []
    for (let level = 0; level < plan.levels; level++) {
      for (const place of places) {
        for (const side of ['BUY', 'SELL'] as const) {
          quotes.push({ place, side, level, order: undefined })
        }
      }
    }
    this.quotes = quotes
  }

  next(): Work | undefined {
    for (let tried = 0; tried < this.quotes.length; tried++) {
      const quote = this.quotes[this.nextQuote]!
      this.nextQuote = (this.nextQuote + 1) % this.quotes.length
      const state = quote.order?.state ?? 'ended'
      if (state === 'ended') return this.quote(quote)
      if (state === 'open') return this.requote(quote, quote.order!)
      if (state === 'unknown') return this.account.cancel(quote.order!)
    }
    return undefined
  }

  private quote(quote: Quote): Work {
    const { order, work } = this.account.place('quote', this.terms(quote))
    quote.order = order
    return work
  }

  private requote(quote: Quote, old: PlacedOrder): Work {
    const { order, work } = this.account.replace('re-quote', old, this.terms(quote))
    quote.order = order
    return work
  }

  private terms({ place: { market, middle }, side, level }: Quote): Terms {
    const { spreadBps, stepBps, notional } = this.plan
    const away = (spreadBps / 2 + stepBps * (level + this.prng.unit() / 2)) / BPS
    const price = middle() * (side === 'BUY' ? 1 - away : 1 + away)
    return {
      symbol: market.symbol,
      side,
      type: 'LIMIT_MAKER',
      price: side === 'BUY' ? market.prices.below(price) : market.prices.above(price),
      quantity: quantityFor(market, notional * (0.5 + this.prng.unit()), price),
    }
  }
}
