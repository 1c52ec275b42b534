// Generated from layout/schema.ts by `npm run generate`. Do not edit.
import type { AccountId, Ms, OrderId, OrderListId, SymbolId, TradeId } from '../base/units.ts'

const WORD = 2 ** 32
/** Bytes of the id that most keys end in, and the largest: a bound above every id. */
export const KEY_ID_BYTES = 6
export const KEY_ID_MAX = 2 ** 48 - 1

const u8 = (key: Uint8Array, at: number): number => key[at]!
const u16 = (key: Uint8Array, at: number): number => (key[at]! << 8) | key[at + 1]!
const i32 = (key: Uint8Array, at: number): number => (u16(key, at) << 16) | u16(key, at + 2)
const u32 = (key: Uint8Array, at: number): number => i32(key, at) >>> 0
const u48 = (key: Uint8Array, at: number): number => u16(key, at) * WORD + u32(key, at + 2)
const u64 = (key: Uint8Array, at: number): number => u32(key, at) * WORD + u32(key, at + 4)

/** Tables `orders` and `details`. */
export class OrderKey {
  static readonly bytes = 12
  readonly bytes = new Uint8Array(12)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(account: AccountId, symbolId: SymbolId, orderId: number): Uint8Array {
    this.view.setUint32(0, account)
    this.view.setUint16(4, symbolId)
    this.view.setUint16(6, orderId / WORD)
    this.view.setUint32(8, orderId)
    return this.bytes
  }

  static account(key: Uint8Array): AccountId {
    return u32(key, 0) as AccountId
  }

  static symbolId(key: Uint8Array): SymbolId {
    return u16(key, 4) as SymbolId
  }

  static orderId(key: Uint8Array): OrderId {
    return u48(key, 6) as OrderId
  }
}

/** Table `trades`. A fill is a trade id × 2, and 1 more for the maker. */
export class TradeKey {
  static readonly bytes = 12
  readonly bytes = new Uint8Array(12)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(account: AccountId, symbolId: SymbolId, fill: number): Uint8Array {
    this.view.setUint32(0, account)
    this.view.setUint16(4, symbolId)
    this.view.setUint16(6, fill / WORD)
    this.view.setUint32(8, fill)
    return this.bytes
  }

  static account(key: Uint8Array): AccountId {
    return u32(key, 0) as AccountId
  }

  static symbolId(key: Uint8Array): SymbolId {
    return u16(key, 4) as SymbolId
  }

  static fill(key: Uint8Array): number {
    return u48(key, 6)
  }
}

/** Table `prevented`. */
export class PreventedKey {
  static readonly bytes = 12
  readonly bytes = new Uint8Array(12)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(account: AccountId, symbolId: SymbolId, preventedMatchId: number): Uint8Array {
    this.view.setUint32(0, account)
    this.view.setUint16(4, symbolId)
    this.view.setUint16(6, preventedMatchId / WORD)
    this.view.setUint32(8, preventedMatchId)
    return this.bytes
  }

  static account(key: Uint8Array): AccountId {
    return u32(key, 0) as AccountId
  }

  static symbolId(key: Uint8Array): SymbolId {
    return u16(key, 4) as SymbolId
  }

  static preventedMatchId(key: Uint8Array): number {
    return u48(key, 6)
  }
}

/** Tables `fillMarks`, `amendments` and `preventedOfOrder`. A part is a trade, an execution or a prevented match. */
export class OrderPartKey {
  static readonly bytes = 18
  readonly bytes = new Uint8Array(18)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(account: AccountId, symbolId: SymbolId, orderId: number, part: number): Uint8Array {
    this.view.setUint32(0, account)
    this.view.setUint16(4, symbolId)
    this.view.setUint16(6, orderId / WORD)
    this.view.setUint32(8, orderId)
    this.view.setUint16(12, part / WORD)
    this.view.setUint32(14, part)
    return this.bytes
  }

  static account(key: Uint8Array): AccountId {
    return u32(key, 0) as AccountId
  }

  static symbolId(key: Uint8Array): SymbolId {
    return u16(key, 4) as SymbolId
  }

  static orderId(key: Uint8Array): OrderId {
    return u48(key, 6) as OrderId
  }

  static part(key: Uint8Array): number {
    return u48(key, 12)
  }
}

/** Table `tape`. */
export class TapeKey {
  static readonly bytes = 8
  readonly bytes = new Uint8Array(8)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(symbolId: SymbolId, tradeId: number): Uint8Array {
    this.view.setUint16(0, symbolId)
    this.view.setUint16(2, tradeId / WORD)
    this.view.setUint32(4, tradeId)
    return this.bytes
  }

  static symbolId(key: Uint8Array): SymbolId {
    return u16(key, 0) as SymbolId
  }

  static tradeId(key: Uint8Array): TradeId {
    return u48(key, 2) as TradeId
  }
}

/** Table `aggregates`. */
export class AggregateKey {
  static readonly bytes = 8
  readonly bytes = new Uint8Array(8)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(symbolId: SymbolId, aggregateId: number): Uint8Array {
    this.view.setUint16(0, symbolId)
    this.view.setUint16(2, aggregateId / WORD)
    this.view.setUint32(4, aggregateId)
    return this.bytes
  }

  static symbolId(key: Uint8Array): SymbolId {
    return u16(key, 0) as SymbolId
  }

  static aggregateId(key: Uint8Array): number {
    return u48(key, 2)
  }
}

/** Table `untracked`. */
export class UntrackedKey {
  static readonly bytes = 8
  readonly bytes = new Uint8Array(8)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(symbolId: SymbolId, orderId: number): Uint8Array {
    this.view.setUint16(0, symbolId)
    this.view.setUint16(2, orderId / WORD)
    this.view.setUint32(4, orderId)
    return this.bytes
  }

  static symbolId(key: Uint8Array): SymbolId {
    return u16(key, 0) as SymbolId
  }

  static orderId(key: Uint8Array): OrderId {
    return u48(key, 2) as OrderId
  }
}

/** Table `bars`. A size is a place in BAR_LENGTHS_MS (archive/bars.ts), with more in archive/seeded-bars.ts. */
export class BarKey {
  static readonly bytes = 9
  readonly bytes = new Uint8Array(9)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(symbolId: SymbolId, size: number, openMs: number): Uint8Array {
    this.view.setUint16(0, symbolId)
    this.view.setUint8(2, size)
    this.view.setUint16(3, openMs / WORD)
    this.view.setUint32(5, openMs)
    return this.bytes
  }

  static symbolId(key: Uint8Array): SymbolId {
    return u16(key, 0) as SymbolId
  }

  static size(key: Uint8Array): number {
    return u8(key, 2)
  }

  static openMs(key: Uint8Array): Ms {
    return u48(key, 3) as Ms
  }
}

/** Table `clientIds` (archive/client-ids.ts). */
export class ClientIdKey {
  static readonly bytes = 7
  readonly bytes = new Uint8Array(7)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(symbolId: SymbolId, bucket: number, part: number): Uint8Array {
    this.view.setUint16(0, symbolId)
    this.view.setUint32(2, bucket)
    this.view.setUint8(6, part)
    return this.bytes
  }

  static symbolId(key: Uint8Array): SymbolId {
    return u16(key, 0) as SymbolId
  }

  static bucket(key: Uint8Array): number {
    return u32(key, 2)
  }

  static part(key: Uint8Array): number {
    return u8(key, 6)
  }
}

/** Table `recentIds` (archive/client-ids.ts). */
export class RecentIdKey {
  static readonly bytes = 8
  readonly bytes = new Uint8Array(8)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(symbolId: SymbolId, number: number): Uint8Array {
    this.view.setUint16(0, symbolId)
    this.view.setUint16(2, number / WORD)
    this.view.setUint32(4, number)
    return this.bytes
  }

  static symbolId(key: Uint8Array): SymbolId {
    return u16(key, 0) as SymbolId
  }

  static number(key: Uint8Array): number {
    return u48(key, 2)
  }
}

/** Tables `lists` and `openLists`. */
export class ListKey {
  static readonly bytes = 10
  readonly bytes = new Uint8Array(10)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(account: AccountId, orderListId: number): Uint8Array {
    this.view.setUint32(0, account)
    this.view.setUint16(4, orderListId / WORD)
    this.view.setUint32(6, orderListId)
    return this.bytes
  }

  static account(key: Uint8Array): AccountId {
    return u32(key, 0) as AccountId
  }

  static orderListId(key: Uint8Array): OrderListId {
    return u48(key, 4) as OrderListId
  }
}

/** Table `listTimes`. */
export class ListTimeKey {
  static readonly bytes = 16
  readonly bytes = new Uint8Array(16)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(account: AccountId, createdMs: number, orderListId: number): Uint8Array {
    this.view.setUint32(0, account)
    this.view.setUint16(4, createdMs / WORD)
    this.view.setUint32(6, createdMs)
    this.view.setUint16(10, orderListId / WORD)
    this.view.setUint32(12, orderListId)
    return this.bytes
  }

  static account(key: Uint8Array): AccountId {
    return u32(key, 0) as AccountId
  }

  static createdMs(key: Uint8Array): Ms {
    return u48(key, 4) as Ms
  }

  static orderListId(key: Uint8Array): OrderListId {
    return u48(key, 10) as OrderListId
  }
}

/** Table `listClientIds`. The hash is of the account and the list's client order id. */
export class ListClientIdKey {
  static readonly bytes = 18
  readonly bytes = new Uint8Array(18)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(account: AccountId, hashLow: number, hashHigh: number, orderListId: number): Uint8Array {
    this.view.setUint32(0, account)
    this.view.setInt32(4, hashLow)
    this.view.setInt32(8, hashHigh)
    this.view.setUint16(12, orderListId / WORD)
    this.view.setUint32(14, orderListId)
    return this.bytes
  }

  static account(key: Uint8Array): AccountId {
    return u32(key, 0) as AccountId
  }

  static hashLow(key: Uint8Array): number {
    return i32(key, 4)
  }

  static hashHigh(key: Uint8Array): number {
    return i32(key, 8)
  }

  static orderListId(key: Uint8Array): OrderListId {
    return u48(key, 12) as OrderListId
  }
}

/** Table `activity`. A span counts INDICATOR_REFRESH_MS since the epoch. */
export class ActivityKey {
  static readonly bytes = 10
  readonly bytes = new Uint8Array(10)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(span: number, account: AccountId, symbolId: SymbolId): Uint8Array {
    this.view.setUint32(0, span)
    this.view.setUint32(4, account)
    this.view.setUint16(8, symbolId)
    return this.bytes
  }

  static span(key: Uint8Array): number {
    return u32(key, 0)
  }

  static account(key: Uint8Array): AccountId {
    return u32(key, 4) as AccountId
  }

  static symbolId(key: Uint8Array): SymbolId {
    return u16(key, 8) as SymbolId
  }
}

/** Table `volumes`. A day counts from the epoch. */
export class VolumeKey {
  static readonly bytes = 8
  readonly bytes = new Uint8Array(8)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(account: AccountId, day: number): Uint8Array {
    this.view.setUint32(0, account)
    this.view.setUint32(4, day)
    return this.bytes
  }

  static account(key: Uint8Array): AccountId {
    return u32(key, 0) as AccountId
  }

  static day(key: Uint8Array): number {
    return u32(key, 4)
  }
}

/** Table `tradingStatus`: a lock. */
export class LockKey {
  static readonly bytes = 4
  readonly bytes = new Uint8Array(4)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(account: AccountId): Uint8Array {
    this.view.setUint32(0, account)
    return this.bytes
  }

  static account(key: Uint8Array): AccountId {
    return u32(key, 0) as AccountId
  }
}

/** Table `tradingStatus`: a tally. */
export class StatusKey {
  static readonly bytes = 6
  readonly bytes = new Uint8Array(6)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(account: AccountId, symbolId: SymbolId): Uint8Array {
    this.view.setUint32(0, account)
    this.view.setUint16(4, symbolId)
    return this.bytes
  }

  static account(key: Uint8Array): AccountId {
    return u32(key, 0) as AccountId
  }

  static symbolId(key: Uint8Array): SymbolId {
    return u16(key, 4) as SymbolId
  }
}

/** Table `progress`. */
export class ProgressKey {
  static readonly bytes = 4
  readonly bytes = new Uint8Array(4)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(matcher: number): Uint8Array {
    this.view.setUint32(0, matcher)
    return this.bytes
  }

  static matcher(key: Uint8Array): number {
    return u32(key, 0)
  }
}

/** The only table of a journal (journal/lmdb-store.ts). */
export class BlockKey {
  static readonly bytes = 8
  readonly bytes = new Uint8Array(8)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(position: number): Uint8Array {
    this.view.setUint32(0, position / WORD)
    this.view.setUint32(4, position)
    return this.bytes
  }

  static position(key: Uint8Array): number {
    return u64(key, 0)
  }
}

/** The only table of the control journal (journal/control-store.ts). */
export class ControlKey {
  static readonly bytes = 4
  readonly bytes = new Uint8Array(4)
  private readonly view = new DataView(this.bytes.buffer)

  /** Each call overwrites the key of the last one. */
  of(sequence: number): Uint8Array {
    this.view.setUint32(0, sequence)
    return this.bytes
  }

  static sequence(key: Uint8Array): number {
    return u32(key, 0)
  }
}

/** Every key that begins with an account and a symbol. */
export const AccountKey = {
  account: (key: Uint8Array): AccountId => u32(key, 0) as AccountId,
  symbolId: (key: Uint8Array): SymbolId => u16(key, 4) as SymbolId,
} as const

/** Every key that begins with a symbol. */
export const SymbolKey = {
  symbolId: (key: Uint8Array): SymbolId => u16(key, 0) as SymbolId,
} as const

/** Returns the last part of a key that ends in an id. */
export const keyId = (key: Uint8Array): number => u48(key, key.length - KEY_ID_BYTES)
