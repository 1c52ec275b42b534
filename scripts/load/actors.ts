/** What a load is made of: actors that decide, at each arrival, what they send. */
import type { Prng } from '../../src/base/prng.ts'
import { type Market, quantityFor } from '../../src/liquidity/market.ts'
import type { AccountOrders, PlacedOrder, Terms, Work } from './account-orders.ts'
import {
  type ActorPlan,
  type MakerPlan,
  type QueryName,
  queryNames,
  type ReaderPlan,
  type StormPlan,
  type TakerPlan,
} from './scenario.ts'
import type { Request } from './target.ts'

/** Undefined when there is nothing that it could send now. */
export type Actor = () => Work | undefined

/** A symbol as actors see it. */
export interface Place {
  readonly market: Market
  /** The middle of its book, or what stands for it while there is none. */
  readonly middle: () => number
}

const BPS = 10_000
const SIDES = ['BUY', 'SELL'] as const
const sideOf = (prng: Prng) => (prng.chance(0.5) ? 'BUY' : 'SELL')

export function actorOf(
  plan: ActorPlan,
  orders: AccountOrders,
  places: readonly Place[],
  prng: Prng,
): Actor {
  switch (plan.kind) {
    case 'maker':
      return maker(plan, orders, places, prng)
    case 'taker':
      return taker(plan, orders, places, prng)
    case 'storm':
      return storm(plan, orders, places, prng)
    case 'reader':
      return reader(plan, orders, places, prng)
  }
}

/** Quotes so many prices on both sides of each symbol, and re-quotes the oldest with each arrival. */
function maker(
  { levels, spreadBps, stepBps, notional }: MakerPlan,
  account: AccountOrders,
  places: readonly Place[],
  prng: Prng,
): Actor {
  // Level 0 is the best one.
  const quotes = Array.from({ length: levels }, (_, level) =>
    places.flatMap((place) =>
      SIDES.map((side) => ({ place, side, level, order: undefined as PlacedOrder | undefined })),
    ),
  ).flat()
  let next = 0
  const termsOf = ({ place: { market, middle }, side, level }: (typeof quotes)[number]): Terms => {
    const away = (spreadBps / 2 + stepBps * (level + prng.unit() / 2)) / BPS
    const price = middle() * (side === 'BUY' ? 1 - away : 1 + away)
    return {
      symbol: market.symbol,
      side,
      type: 'LIMIT_MAKER',
      price: side === 'BUY' ? market.prices.below(price) : market.prices.above(price),
      quantity: quantityFor(market, notional * (0.5 + prng.unit()), price),
    }
  }
  return () => {
    for (let tried = 0; tried < quotes.length; tried++) {
      const quote = quotes[next]!
      next = (next + 1) % quotes.length
      const old = quote.order
      const state = old?.state ?? 'ended'
      if (state === 'unknown') return account.cancel(old!)
      if (state !== 'ended' && state !== 'open') continue
      const { order, work } =
        state === 'ended'
          ? account.place('quote', termsOf(quote))
          : account.replace('re-quote', old!, termsOf(quote))
      quote.order = order
      return work
    }
    return undefined
  }
}

/** Takes what is there, on a random side: IOC orders with a bound, or MARKET orders. */
const taker =
  (
    { order, slipBps, notional }: TakerPlan,
    account: AccountOrders,
    places: readonly Place[],
    prng: Prng,
  ): Actor =>
  () => {
    const { market, middle } = prng.pick(places)
    const side = sideOf(prng)
    const price = middle() * (1 + ((side === 'BUY' ? 1 : -1) * slipBps) / BPS)
    const quantity = quantityFor(market, notional * (0.5 + prng.unit()), middle())
    const base = { symbol: market.symbol, side, quantity } as const
    const terms: Terms =
      order === 'market'
        ? { ...base, type: 'MARKET' }
        : { ...base, type: 'LIMIT', timeInForce: 'IOC', price: market.prices.near(price) }
    return account.place(order, terms).work
  }

/** Places a burst of orders far from the market, then cancels them all, and begins again. */
function storm(
  { burst, distanceBps, notional }: StormPlan,
  account: AccountOrders,
  places: readonly Place[],
  prng: Prng,
): Actor {
  let orders: PlacedOrder[] = []
  let isCanceling = false
  const place = (): Work => {
    const { market, middle } = prng.pick(places)
    const side = sideOf(prng)
    const away = (distanceBps * (1 + prng.unit() / 2)) / BPS
    const price = middle() * (side === 'BUY' ? 1 / (1 + away) : 1 + away)
    const { order, work } = account.place('place', {
      symbol: market.symbol,
      side,
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: market.prices.near(price),
      quantity: quantityFor(market, notional, price),
    })
    orders.push(order)
    return work
  }
  return () => {
    orders = orders.filter(({ state }) => state !== 'ended')
    if (orders.length === 0) isCanceling = false
    if (orders.length >= burst) isCanceling = true
    if (!isCanceling) return place()
    const order = orders.find(({ state }) => state === 'open' || state === 'unknown')
    return order === undefined ? undefined : account.cancel(order)
  }
}

type Query = Pick<Request, 'path'> & {
  readonly params?: Readonly<Record<string, string | number>>
  readonly isSigned?: true
}

const queries: Readonly<Record<QueryName, Query>> = {
  depth: { path: '/api/v3/depth', params: { limit: 100 } },
  trades: { path: '/api/v3/trades', params: { limit: 100 } },
  aggTrades: { path: '/api/v3/aggTrades', params: { limit: 100 } },
  klines: { path: '/api/v3/klines', params: { interval: '1m', limit: 100 } },
  ticker24hr: { path: '/api/v3/ticker/24hr' },
  bookTicker: { path: '/api/v3/ticker/bookTicker' },
  avgPrice: { path: '/api/v3/avgPrice' },
  exchangeInfo: { path: '/api/v3/exchangeInfo' },
  account: { path: '/api/v3/account', isSigned: true },
  openOrders: { path: '/api/v3/openOrders', isSigned: true },
  allOrders: { path: '/api/v3/allOrders', params: { limit: 100 }, isSigned: true },
  myTrades: { path: '/api/v3/myTrades', params: { limit: 100 }, isSigned: true },
}

/** Queries market data and the account's own, in the mixture of its plan. */
function reader(
  { queries: shares }: ReaderPlan,
  { key }: AccountOrders,
  places: readonly Place[],
  prng: Prng,
): Actor {
  const sum = Object.values(shares).reduce((total, share) => total + share, 0)
  return () => {
    let at = prng.unit() * sum
    const picked = queryNames.find((name) => {
      at -= shares[name]
      return at < 0
    })
    const name = picked ?? queryNames[0]
    const { path, params = {}, isSigned } = queries[name]
    const { symbol } = prng.pick(places).market
    const request: Request = {
      method: 'GET',
      path,
      params: name === 'account' ? params : { symbol, ...params },
      ...(isSigned === true ? { key } : {}),
    }
    return { action: name, request, settle: () => {} }
  }
}
