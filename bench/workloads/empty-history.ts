/** What an archive without a row returns for each query. */
import { encodeList } from '../../src/api/answers/encoders.ts'
import { listRows } from '../../src/api/answers/history-lists.ts'
import { Ms, Ticks } from '../../src/base/units.ts'
import { Bar } from '../../src/history/bar.ts'
import { type HistoryReads, isListName, type RunHistoryQuery } from '../../src/history/queries.ts'

export const emptyHistory: HistoryReads = {
  order: () => undefined,
  allOrders: () => [],
  myTrades: () => [],
  allocations: () => [],
  preventedMatches: () => [],
  orderList: () => undefined,
  orderLists: () => [],
  openOrderLists: () => [],
  amendments: () => [],
  deposits: () => [],
  withdrawals: () => [],
  withdrawalOf: () => undefined,
  movementOf: () => ({ made: undefined, lastId: 0 }),
  movements: () => ({ rows: [], total: 0 }),
  chains: () => [],
  distributions: () => ({ rows: [], total: 0 }),
  tradingStatus: () => ({ asOfMs: Ms(0), lockedUntilMs: Ms(0), symbols: [] }),
  tradingVolume: () => 0n,
  publicTrades: () => [],
  blockTrades: () => [],
  blockTradeOf: () => ({ made: undefined, lastId: 0 }),
  aggregateTrades: () => [],
  klines: () => [],
  window: () => new Bar().row(),
  day: () => ({ beforeTicks: Ticks(0), minutes: [] }),
}

/** Answers as history threads do: with rows, or with an encoded list. */
export const runOnEmptyHistory: RunHistoryQuery = async (name, query, form) =>
  form === undefined || !isListName(name)
    ? emptyHistory[name](query as never)
    : encodeList(form.encoding, listRows(name, [], form))
