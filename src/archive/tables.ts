/**
 * The archive's tables: how keys sort and what values hold. Written by project.ts, read by history.ts.
 *
 * | table     | key, big-endian                                   | value                        |
 * |-----------|---------------------------------------------------|------------------------------|
 * | orders    | account 4, symbol 2, order id 6                   | OrderValue                   |
 * | clientIds | client-ids.ts                                     | client-ids.ts                |
 * | trades    | account 4, symbol 2, trade id × 2 + is maker 6    | TradeValue                   |
 * | fillMarks | account 4, symbol 2, order id 6, trade id 6       | one byte                     |
 * | tape      | symbol 2, trade id 6                              | TapeValue                    |
 * | bars      | bars.ts                                           | bars.ts                      |
 * | aggregates| symbol 2, aggregate trade id 6                    | aggregate-trades.ts          |
 * | progress  | matcher 4, VERSION_KEY or SALT_KEY                | position and checksum        |
 * | activity  | activity.ts                                       | TallyValue                   |
 * | volumes   | account 4, day since the epoch 4                  | volumes.ts                   |
 * | tradingStatus | trading-status.ts                             | trading-status.ts            |
 *
 * What only few orders have stands in tables of its own (rare-tables.ts), so that the others pay
 * nothing for it.
 *
 * `trades` also answers the trades of one order: each row names the order's trade before it, and the
 * order's row names its last, so no second copy sorted by order is written. `fillMarks` names each
 * FILL_MARK_EVERY-th trade of an order, so that a query in the middle of many walks only what it returns.
 */
import { CLIENT_ORDER_ID_WORDS } from '../base/client-order-id.ts'
import type { EnvironmentOptions } from '../journal/environment.ts'

/** Rises when a table changes; the archive is then folded again from the journals. */
export const ARCHIVE_VERSION = 7
export const VERSION_KEY = new Uint8Array([0])
/** The salt of client order ids (id-hash.ts). */
export const SALT_KEY = new Uint8Array([1])

export const TableName = {
  ORDERS: 'orders',
  CLIENT_IDS: 'clientIds',
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
  LISTS: 'lists',
  LIST_TIMES: 'listTimes',
  LIST_CLIENT_IDS: 'listClientIds',
  OPEN_LISTS: 'openLists',
  UNTRACKED: 'untracked',
  ACTIVITY: 'activity',
  VOLUMES: 'volumes',
  TRADING_STATUS: 'tradingStatus',
} as const
export type TableName = (typeof TableName)[keyof typeof TableName]

export function archiveOptions(folder: string): EnvironmentOptions {
  return { folder, tables: Object.values(TableName), isScattered: true }
}

/** Offsets in 8-byte places (doubles), then in 4-byte places (words). */
export const OrderValue = {
  priceTicks: 0,
  lots: 1,
  quoteAtoms: 2,
  filledLots: 3,
  filledAtoms: 4,
  preventedLots: 5,
  preventedMatchIdPlusOne: 6,
  createdMs: 7,
  updatedMs: 8,
  /** 0 when there was none. */
  lastTradeId: 9,
  /** OrderStatus in bits 0-7, ExpiryReason in bits 8-15. */
  statusWord: 20,
  termsWord: 21,
  clientOrderIdWord: 22,
  /** The order's own; the one above is the cancel's, once canceled. */
  ownClientOrderIdWord: 22 + CLIENT_ORDER_ID_WORDS,
  /** How many trades it has. */
  fills: 11 + CLIENT_ORDER_ID_WORDS,
  bytes: 4 * (24 + 2 * CLIENT_ORDER_ID_WORDS),
} as const

export const TradeValue = {
  orderId: 0,
  priceTicks: 1,
  lots: 2,
  commissionAtoms: 3,
  timeMs: 4,
  /** The trade before it of the same order; 0 when it was the first. */
  previousTradeId: 5,
  quoteAtoms: 6,
  /** TradeFlag. */
  flagsWord: 14,
  /** Asset id + 1; 0 when it is the asset received. */
  commissionAssetWord: 15,
  bytes: 64,
} as const

/** Trades of an order from one mark to the next. */
export const FILL_MARK_EVERY = 256
export const FILL_MARK = new Uint8Array([1])

/** Bits of a side of a trade. */
export const TradeFlag = { BUYER: 1, DETAILED: 2 } as const

export const TapeValue = {
  priceTicks: 0,
  lots: 1,
  quoteAtoms: 2,
  timeMs: 3,
  isBuyerMaker: 4,
  bytes: 40,
} as const

export const PROGRESS_BYTES = 16
export const PROGRESS_CHECKSUM_WORD = 2

/** Of the last part of most keys, and above every id there: all of them set. */
export const ID_BYTES = 6
export const ID_MAX = 2 ** 48 - 1
const WORD = 2 ** 32

/** A key of an account, a symbol and an id, overwritten by each use. */
export class OwnedKey {
  readonly bytes = new Uint8Array(12)
  readonly #view = new DataView(this.bytes.buffer)

  of(account: number, symbolId: number, id: number): Uint8Array {
    this.#view.setUint32(0, account)
    this.#view.setUint16(4, symbolId)
    putId(this.#view, 6, id)
    return this.bytes
  }
}

/** A key of a symbol and an id. */
export class TapeKey {
  readonly bytes = new Uint8Array(8)
  readonly #view = new DataView(this.bytes.buffer)

  of(symbolId: number, tradeId: number): Uint8Array {
    this.#view.setUint16(0, symbolId)
    putId(this.#view, 2, tradeId)
    return this.bytes
  }
}

/** Six bytes of a number below 2^48. */
export function putId(view: DataView, offset: number, id: number): void {
  view.setUint16(offset, id / WORD)
  view.setUint32(offset + 2, id)
}

/** A key of `progress`. */
export function progressKey(matcher: number): Uint8Array {
  const key = new Uint8Array(4)
  new DataView(key.buffer).setUint32(0, matcher)
  return key
}

/** Eight words of a packed client order id. */
export function copyId(from: Int32Array, at: number, to: Int32Array, toAt: number): void {
  for (let i = 0; i < CLIENT_ORDER_ID_WORDS; i++) to[toAt + i] = from[at + i]!
}

/** The trade id of a key of `trades`. */
export const tradeIdOf = (id: number): number => Math.floor(id / 2)
/** The last part of a key, for tables where that is an id. */
export function idOf(key: Uint8Array): number {
  const view = new DataView(key.buffer, key.byteOffset + key.length - ID_BYTES, ID_BYTES)
  return view.getUint16(0) * WORD + view.getUint32(2)
}
/** The symbol of a TapeKey. */
export const symbolIdOf = (key: Uint8Array): number => key[0]! * 256 + key[1]!
