/**
 * The archive's tables: which key and which value each has. Bytes of both: layout/schema.ts. Written by
 * project.ts, read by history.ts.
 *
 * | table         | key          | value                            |
 * |---------------|--------------|----------------------------------|
 * | orders        | OrderKey     | chunk of OrderValue              |
 * | clientIds     | ClientIdKey  | ClientIdEntry rows               |
 * | recentIds     | RecentIdKey  | chunk of RecentIdEntry           |
 * | trades        | TradeKey     | chunk of TradeValue              |
 * | fillMarks     | OrderPartKey | PRESENT                          |
 * | tape          | TapeKey      | chunk of TapeValue               |
 * | bars          | BarKey       | BarValue or PastValue            |
 * | aggregates    | AggregateKey | chunk of AggregateValue          |
 * | progress      | ProgressKey, VERSION_KEY or SALT_KEY | ProgressValue, ... |
 * | activity      | ActivityKey  | TallyValue                       |
 * | volumes       | VolumeKey    | VolumeValue                      |
 * | tradingStatus | trading-status.ts                               ||
 * | distributions | distributions.ts                                ||
 * | deposits, withdrawals, withdrawalRequests, movements, movementRequests, chains | wallet.ts ||
 *
 * A chunk holds many rows under the key of its first (row-form.ts).
 *
 * What only few orders have stands in separate tables, so that the others pay nothing for it:
 *
 * | table            | key             | value          |
 * |------------------|-----------------|----------------|
 * | details          | OrderKey        | DetailsSection |
 * | amendments       | OrderPartKey    | AmendmentValue |
 * | prevented        | PreventedKey    | PreventedValue |
 * | preventedOfOrder | OrderPartKey    | PreventedValue |
 * | allocations      | PreventedKey    | chunk of AllocationValue |
 * | allocationsOfOrder | OrderPartKey  | PRESENT        |
 * | lists            | ListKey         | ListValue      |
 * | listTimes        | ListTimeKey     | PRESENT        |
 * | listClientIds    | ListClientIdKey | PRESENT        |
 * | openLists        | ListKey         | PRESENT        |
 * | untracked        | UntrackedKey    | UntrackedValue |
 * | blockTrades      | BlockTradeKey   | BlockTradeValue |
 * | blockTradeRequests | BlockTradeRequestKey | PRESENT |
 *
 * A match that was prevented is written for each account and for each order that took part in it.
 * Ids of lists count across the exchange, so those of different symbols are not in the order of
 * their times: `listTimes` is.
 *
 * `trades` also answers the trades of one order: each row names the order's trade before it, and the
 * order's row names its last, so no second copy sorted by order is written. `fillMarks` names each
 * FILL_MARK_EVERY-th trade of an order, so that a query in the middle of many walks only what it returns.
 */
import type { Clock } from '../base/time.ts'
import { TradeId } from '../base/units.ts'
import type { EnvironmentOptions } from '../journal/environment.ts'

/**
 * Rises when a table changes; the archive is then applied again from the journals. Where blocks were removed
 * (docs/journal.md), a rise has to convert the archive's summary.
 */
export const ARCHIVE_VERSION = 12
export const VERSION_KEY = new Uint8Array([0])
/** The salt of client order ids (id-hash.ts). */
export const SALT_KEY = new Uint8Array([1])

export const TableName = {
  ORDERS: 'orders',
  CLIENT_IDS: 'clientIds',
  RECENT_IDS: 'recentIds',
  TRADES: 'trades',
  FILL_MARKS: 'fillMarks',
  TAPE: 'tape',
  BARS: 'bars',
  AGGREGATES: 'aggregates',
  PROGRESS: 'progress',
  DETAILS: 'details',
  AMENDMENTS: 'amendments',
  PREVENTED: 'prevented',
  PREVENTED_OF_ORDER: 'preventedOfOrder',
  ALLOCATIONS: 'allocations',
  ALLOCATIONS_OF_ORDER: 'allocationsOfOrder',
  LISTS: 'lists',
  LIST_TIMES: 'listTimes',
  LIST_CLIENT_IDS: 'listClientIds',
  OPEN_LISTS: 'openLists',
  UNTRACKED: 'untracked',
  BLOCK_TRADES: 'blockTrades',
  BLOCK_TRADE_REQUESTS: 'blockTradeRequests',
  ACTIVITY: 'activity',
  VOLUMES: 'volumes',
  TRADING_STATUS: 'tradingStatus',
  DISTRIBUTIONS: 'distributions',
  DEPOSITS: 'deposits',
  WITHDRAWALS: 'withdrawals',
  WITHDRAWAL_REQUESTS: 'withdrawalRequests',
  MOVEMENTS: 'movements',
  MOVEMENT_REQUESTS: 'movementRequests',
  CHAINS: 'chains',
} as const
export type TableName = (typeof TableName)[keyof typeof TableName]

/** Time limit of one query: the longest takes some tens of milliseconds. */
export const READ_MS_MAX = 10_000

/** Options of the archive. Without a clock, reads may take any time. */
export function archiveOptions(folder: string, clock?: Clock): EnvironmentOptions {
  const tables = Object.values(TableName)
  const readBound = clock && { msMax: READ_MS_MAX, clock }
  return { folder, tables, isScattered: true, isChecked: true, ...(readBound && { readBound }) }
}

/** The value of a row whose key has everything. */
export const PRESENT = new Uint8Array([1])
/** Trades of an order from one mark to the next. */
export const FILL_MARK_EVERY = 256

/** Bits of a side of a trade. */
export const TradeFlag = { BUYER: 1, DETAILED: 2, AUCTION: 4 } as const

/** The parts of OrderValue's state. */
export const stateOf = (status: number, reason: number, floor: number): number =>
  status | (reason << 8) | (floor << 16)
export const statusOf = (state: number): number => state & 0xff
export const reasonOf = (state: number): number => (state >> 8) & 0xff
export const floorOf = (state: number): number => state >> 16

/** A fill is one order's side of a trade. */
export const fillOf = (tradeId: TradeId, isMaker: boolean): number =>
  tradeId * 2 + (isMaker ? 1 : 0)
export const tradeIdOf = (fill: number): TradeId => TradeId(Math.floor(fill / 2))
export const isMakerOf = (fill: number): boolean => fill % 2 === 1
