/** Queries market data and the account's own, in the mixture of its plan. */
import type { Prng } from '../../../src/base/prng.ts'
import type { AccountKey } from '../keys.ts'
import { type QueryName, queryNames, type ReaderPlan } from '../scenario.ts'
import type { Request } from '../target.ts'
import type { Actor, Place, Work } from './actor.ts'

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

export class Reader implements Actor {
  private readonly key: AccountKey
  private readonly places: readonly Place[]
  private readonly prng: Prng
  private readonly shares: Readonly<Record<QueryName, number>>
  private readonly sum: number

  constructor(plan: ReaderPlan, key: AccountKey, places: readonly Place[], prng: Prng) {
    this.key = key
    this.places = places
    this.prng = prng
    this.shares = plan.queries
    this.sum = Object.values(plan.queries).reduce((sum, share) => sum + share, 0)
  }

  next(): Work {
    const name = this.pick()
    const { path, params = {}, isSigned } = queries[name]
    const { symbol } = this.prng.pick(this.places).market
    const request: Request = {
      method: 'GET',
      path,
      params: name === 'account' ? params : { symbol, ...params },
      ...(isSigned === true ? { key: this.key } : {}),
    }
    return { action: name, request, settle: () => {} }
  }

  private pick(): QueryName {
    let at = this.prng.unit() * this.sum
    for (const name of queryNames) {
      at -= this.shares[name]
      if (at < 0) return name
    }
    return queryNames[0]
  }
}
