/** What an archive has of a symbol of the simulation, read by its queries. */
import type { History } from '../../../src/archive/history.ts'
import { AccountId, Ms, SymbolId } from '../../../src/base/units.ts'
import { Interval } from '../../../src/market/intervals.ts'
import { ACCOUNTS } from '../../sim/world.ts'

/** Above the rows of any list. */
export const ALL = 1_000_000

/** Everything that the archive has of a symbol. */
export function readAll(history: History, symbolId: number, nowMs: Ms) {
  const klines = (interval: Interval) =>
    history.klines({
      symbolId: SymbolId(symbolId),
      interval,
      offsetMs: 0,
      startTime: Ms(0),
      limit: 100_000,
      nowMs,
    })
  return {
    publicTrades: history.publicTrades({ symbolId: SymbolId(symbolId), fromId: 1, limit: ALL }),
    newestTrades: history.publicTrades({ symbolId: SymbolId(symbolId), limit: 3 }),
    aggregates: history.aggregateTrades({ symbolId: SymbolId(symbolId), fromId: 1, limit: ALL }),
    minutes: klines(Interval['1m']),
    days: klines(Interval['1d']),
    seconds: history
      .klines({
        symbolId: SymbolId(symbolId),
        interval: Interval['1s'],
        offsetMs: 0,
        limit: 1000,
        nowMs,
      })
      .slice(-1),
    accounts: Array.from({ length: ACCOUNTS }, (_, account) => ({
      orders: history.allOrders({
        account: AccountId(account),
        symbolId: SymbolId(symbolId),
        limit: ALL,
      }),
      trades: history.myTrades({
        account: AccountId(account),
        symbolId: SymbolId(symbolId),
        limit: ALL,
      }),
    })),
  }
}
