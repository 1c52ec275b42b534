/**
 * The archive's tables of what only few orders have: how keys sort and what values hold. Written by
 * rare-projection.ts and trailing-starts.ts, read by history.ts and rare-history.ts.
 *
 * | table            | key, big-endian                                  | value                   |
 * |------------------|--------------------------------------------------|-------------------------|
 * | details          | account 4, symbol 2, order id 6                  | DetailsSection          |
 * | amendments       | account 4, symbol 2, order id 6, execution id 6  | AmendmentValue          |
 * | prevented        | account 4, symbol 2, prevented match id 6        | PreventedValue          |
 * | preventedOfOrder | account 4, symbol 2, order id 6, prevented id 6  | PreventedValue          |
 * | lists            | account 4, list id 6                             | ListValue               |
 * | listTimes        | account 4, creation ms 6, list id 6              | PRESENT                 |
 * | listClientIds    | account 4, hash 8, list id 6                     | PRESENT                 |
 * | openLists        | account 4, list id 6                             | PRESENT                 |
 * | untracked        | symbol 2, order id 6                             | UntrackedValue          |
 *
 * A match that was prevented is written for each account and for each order that took part in it.
 * Ids of lists count across the exchange, so those of different symbols are not in the order of
 * their times: `listTimes` is.
 */

import { CLIENT_ORDER_ID_WORDS } from '../base/client-order-id.ts'
import { LEGS_MAX } from '../layout/accessors.gen.ts'
import type { IdHash } from './id-hash.ts'
import { putId } from './tables.ts'

/** The value of a row that only its key matters of. */
export const PRESENT = new Uint8Array([1])

/** Offsets in 8-byte places (doubles), then in 4-byte places (words). */
export const AmendmentValue = {
  oldLots: 0,
  newLots: 1,
  timeMs: 2,
  oldIdWord: 6,
  newIdWord: 6 + CLIENT_ORDER_ID_WORDS,
  bytes: 4 * (6 + 2 * CLIENT_ORDER_ID_WORDS),
} as const

export const PreventedValue = {
  takerOrderId: 0,
  makerOrderId: 1,
  tradeGroupId: 2,
  priceTicks: 3,
  takerPreventedLots: 4,
  makerPreventedLots: 5,
  timeMs: 6,
  takerTermsWord: 14,
  makerTermsWord: 15,
  bytes: 64,
} as const

export const ListValue = {
  createdMs: 0,
  /** 0 for none; so are the words of its id. */
  orderIds: 1,
  symbolWord: 8,
  kindWord: 9,
  statusTypeWord: 10,
  orderStatusWord: 11,
  listIdWord: 12,
  legIdWords: 12 + CLIENT_ORDER_ID_WORDS,
  bytes: 4 * (12 + (1 + LEGS_MAX) * CLIENT_ORDER_ID_WORDS),
} as const

/** What starts the tracking of a trailing stop. */
export const UntrackedValue = {
  /** 0: any trade. */
  stopTicks: 0,
  accountWord: 2,
  /** 1 when a price at or below the stop starts it, 0 at or above. */
  fromAboveWord: 3,
  bytes: 16,
} as const

/** A key of an order and a number of something that happened to it. */
export class OrderPartKey {
  readonly bytes = new Uint8Array(18)
  readonly #view = new DataView(this.bytes.buffer)

  of(account: number, symbolId: number, orderId: number, part: number): Uint8Array {
    this.#view.setUint32(0, account)
    this.#view.setUint16(4, symbolId)
    putId(this.#view, 6, orderId)
    putId(this.#view, 12, part)
    return this.bytes
  }
}

/** A key of `lists` or `openLists`. */
export class ListKey {
  readonly bytes = new Uint8Array(10)
  readonly #view = new DataView(this.bytes.buffer)

  of(account: number, orderListId: number): Uint8Array {
    this.#view.setUint32(0, account)
    putId(this.#view, 4, orderListId)
    return this.bytes
  }
}

/** A key of `listTimes`. */
export class ListTimeKey {
  readonly bytes = new Uint8Array(16)
  readonly #view = new DataView(this.bytes.buffer)

  of(account: number, createdMs: number, orderListId: number): Uint8Array {
    this.#view.setUint32(0, account)
    putId(this.#view, 4, createdMs)
    putId(this.#view, 10, orderListId)
    return this.bytes
  }
}

/** A key of `listClientIds`. */
export class ListClientIdKey {
  readonly bytes = new Uint8Array(18)
  readonly #view = new DataView(this.bytes.buffer)

  /** `hash` is of the account and the list's id. */
  of(account: number, hash: IdHash, orderListId: number): Uint8Array {
    this.#view.setUint32(0, account)
    this.#view.setInt32(4, hash.low)
    this.#view.setInt32(8, hash.high)
    putId(this.#view, 12, orderListId)
    return this.bytes
  }
}
