/** Queries of the archive, several at once, with pauses of minutes in between. */
import type { AccountKey } from '../load/keys.ts'
import type { Request, Target } from '../load/target.ts'
import type { Tally } from './tally.ts'

const MINUTE_MS = 60_000
/** Quiet between two rounds: what is left behind by one must not cost anything until the next. */
const PAUSE_MINUTES = [1, 16, 2, 5] as const
/** At least so many pauses in a run. */
const PAUSES_MIN = 7
const INTERVALS = ['1s', '1m', '1h'] as const
const LIMIT = 1_000

interface Parts {
  readonly target: Target
  readonly symbols: readonly string[]
  readonly accounts: readonly { readonly key: AccountKey; readonly symbol: string }[]
  readonly tally: Tally
  /** Length of the whole run. */
  readonly runMs: number
}

export class HistoryReader {
  private readonly parts: Parts
  private roundNumber = 0

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** The next pause, ms. */
  pauseMs(): number {
    const minutes = PAUSE_MINUTES[this.roundNumber % PAUSE_MINUTES.length]!
    return Math.min(minutes * MINUTE_MS, this.parts.runMs / PAUSES_MIN)
  }

  /** All queries of a round are under way at once. */
  async round(): Promise<void> {
    const { target, tally } = this.parts
    const queries = this.queries(this.roundNumber++)
    await Promise.all(
      queries.map(async ([name, request]) => {
        const answer = await target.send({ method: 'GET', ...request })
        tally.queries++
        tally.answered(name, answer)
      }),
    )
  }

  private queries(round: number): (readonly [name: string, request: Omit<Request, 'method'>])[] {
    const { symbols, accounts } = this.parts
    const interval = INTERVALS[round % INTERVALS.length]!
    const { key, symbol: own } = accounts[round % accounts.length]!
    const ofAccount = { params: { symbol: own, limit: LIMIT }, key }
    return [
      ...symbols.flatMap((symbol) => [
        ['klines', { path: '/api/v3/klines', params: { symbol, interval, limit: LIMIT } }] as const,
        ['aggTrades', { path: '/api/v3/aggTrades', params: { symbol, limit: LIMIT } }] as const,
      ]),
      ['allOrders', { path: '/api/v3/allOrders', ...ofAccount }],
      ['myTrades', { path: '/api/v3/myTrades', ...ofAccount }],
      [
        'historicalTrades',
        {
          path: '/api/v3/historicalTrades',
          params: { symbol: own, fromId: 0, limit: LIMIT },
          key,
          unsigned: true,
        },
      ],
    ]
  }
}
