/**
 * The market makers' decisions in one symbol: when to act, and whether to quote or to take. It has no clock
 * and no socket: the same seed and the same open orders give the same actions.
 */
import { Prng } from '../base/prng.ts'
import { type Market, quantityFor } from './market.ts'
import type { KeepPlan } from './plan.ts'
import { PricePath } from './price-path.ts'

export type Side = 'BUY' | 'SELL'

interface Quote {
  readonly side: Side
  readonly price: string
  readonly quantity: string
}
/** One request. */
export type QuoteAction =
  | ({ readonly action: 'place' } & Quote)
  | ({ readonly action: 'replace'; readonly orderId: number } & Quote)
  | { readonly action: 'cancel'; readonly orderId: number }
/** An order that takes: IOC, at most this far from its price. */
export type Taking = Quote

/** A quote of the market makers that is open. */
export interface OwnOrder {
  readonly orderId: number
  readonly side: Side
  readonly price: number
}

const BPS = 10_000
/** Time between actions while the book is thin, well within 10 orders a second. */
const THIN_WAIT_MS = 150
const WAIT_MS_MAX = 60_000
/** Levels of each side that are quoted at once: with what follows, within 10 orders a second. */
const OPENING_LEVELS = 2
/** The default order, in multiples of the least notional. */
const NOTIONAL_TIMES = 50
/** Orders' worth taken on one side before it surely takes on the other. */
const POSITION_MAX = 20

export class QuotePlanner {
  private readonly plan: KeepPlan
  private readonly market: Market
  private readonly prng: Prng
  private readonly path: PricePath
  private readonly notional: number
  /** Bought less sold by taking, in the quote asset. */
  private position = 0
  private isThin = true

  /** The price begins at `start` and returns to `anchor`. */
  constructor(plan: KeepPlan, market: Market, anchor: number, start: number) {
    this.plan = plan
    this.market = market
    this.prng = new Prng(plan.seed)
    this.path = new PricePath(this.prng, anchor, start, plan.volatilityBps)
    const least = market.minNotional || Number(market.quantities.above(0)) * anchor
    this.notional = plan.notional ?? least * NOTIONAL_TIMES
  }

  get price(): number {
    return this.path.price
  }

  /** Returns the first quotes: the best level of each side that has no open order. */
  opening(open: readonly OwnOrder[]): QuoteAction[] {
    return (['BUY', 'SELL'] as const).flatMap((side) => {
      const best = this.standing(side, open).free.filter((level) => level < OPENING_LEVELS)
      return best.map((level) => ({ action: 'place' as const, ...this.quote(side, level) }))
    })
  }

  /** Returns the ms to wait before the next action, and moves the price by that time. */
  nextWaitMs(): number {
    const usual = (-Math.log(1 - this.prng.unit()) * 1000) / this.plan.intensity
    const waitMs = Math.min(WAIT_MS_MAX, this.isThin ? THIN_WAIT_MS : usual)
    this.path.advance(waitMs)
    return waitMs
  }

  /** Whether the next action takes: a thin book is quoted first. */
  takesNext(): boolean {
    return this.prng.chance(this.plan.takerShare) && !this.isThin
  }

  /** Returns what to take: on this side, or on the one that brings the position back. */
  taking(wanted?: Side): Taking {
    const lean = Math.max(-1, Math.min(1, this.position / (POSITION_MAX * this.notional)))
    const leaning = this.prng.chance(0.5 - lean / 2) ? 'BUY' : 'SELL'
    const side = wanted ?? leaning
    const { spreadBps, stepBps, levels } = this.plan
    const reach = (spreadBps / 2 + stepBps * levels) / BPS
    const price = this.price * (side === 'BUY' ? 1 + reach : 1 - reach)
    const notional = this.notional * (0.2 + this.prng.unit())
    return {
      side,
      price: this.market.prices.near(price),
      quantity: quantityFor(this.market, notional, this.price),
    }
  }

  /** Notes a taken amount. */
  took(side: Side, quoteQuantity: number): void {
    this.position += side === 'BUY' ? quoteQuantity : -quoteQuantity
  }

  /** Returns the action that brings the quotes nearest to their targets. */
  quoting(open: readonly OwnOrder[]): QuoteAction {
    const sides = (['BUY', 'SELL'] as const).map((side) => this.standing(side, open))
    const missing = sides.reduce((sum, { free }) => sum + free.length, 0)
    this.isThin = missing > this.plan.levels
    // The most dangerous quote first: one that other accounts would gain by taking.
    const stale = sides
      .flatMap(({ astray, free, side }) => astray.map((it) => ({ ...it, free, side })))
      .sort((a, b) => a.awayBps - b.awayBps)[0]
    if (stale !== undefined) {
      const { orderId } = stale.order
      const level = stale.free[0]
      if (level === undefined) return { action: 'cancel', orderId }
      return { action: 'replace', orderId, ...this.quote(stale.side, level) }
    }
    const [bids, asks] = sides as [Standing, Standing]
    const emptier = bids.free.length >= asks.free.length ? bids : asks
    if (emptier.free.length > 0) {
      return { action: 'place', ...this.quote(emptier.side, emptier.free[0]!) }
    }
    const { order, level } = this.prng.pick(sides.flatMap(({ kept }) => kept))
    return { action: 'replace', orderId: order.orderId, ...this.quote(order.side, level) }
  }

  /** Returns the quoted levels of a side, and its orders that belong to no level. */
  private standing(side: Side, open: readonly OwnOrder[]): Standing {
    const { spreadBps, stepBps, levels } = this.plan
    const kept: Standing['kept'][number][] = []
    const astray: Standing['astray'][number][] = []
    const taken = new Set<number>()
    for (const order of open) {
      if (order.side !== side) continue
      const ratio = side === 'BUY' ? this.price / order.price : order.price / this.price
      const awayBps = (ratio - 1) * BPS
      const level = Math.round((awayBps - spreadBps / 2) / stepBps)
      if (level < 0 || level >= levels || taken.has(level)) astray.push({ order, awayBps })
      else {
        taken.add(level)
        kept.push({ order, level })
      }
    }
    const free = Array.from({ length: levels }, (_, level) => level).filter((it) => !taken.has(it))
    return { side, kept, astray, free }
  }

  /** Deeper levels hold more. */
  private quote(side: Side, level: number): Quote {
    const { spreadBps, stepBps } = this.plan
    const away = 1 + (spreadBps / 2 + stepBps * level) / BPS
    const price = side === 'BUY' ? this.price / away : this.price * away
    const notional = this.notional * (0.5 + this.prng.unit()) * (1 + level / 5)
    const { prices } = this.market
    return {
      side,
      price: side === 'BUY' ? prices.below(price) : prices.above(price),
      quantity: quantityFor(this.market, notional, price),
    }
  }
}

interface Standing {
  readonly side: Side
  readonly kept: readonly { readonly order: OwnOrder; readonly level: number }[]
  readonly astray: readonly { readonly order: OwnOrder; readonly awayBps: number }[]
  /** Levels without an order, the best first. */
  readonly free: readonly number[]
}
