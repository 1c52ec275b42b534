/**
 * Which orders have a client order id, or were given one by their cancel. Part of the projection. Every
 * order adds an entry, and entries sorted by hash alone would be written all over, at the cost of a page
 * each. So they are grouped: by symbol, by bucket of consecutive order ids, and within a bucket into
 * parts by salted hash (id-hash.ts); a transaction writes each part that it touches once. A lookup reads
 * one part of each bucket, from the newest to the oldest. Entries stay when an order is renamed: the
 * order's own row decides.
 * A value holds the entries of a part in the order of their events.
 */
import { type AccountId, OrderId, SymbolId } from '../base/units.ts'
import type { Table } from '../journal/environment.ts'
import { ClientIdKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { ClientIdEntry } from '../layout/rows.gen.ts'
import type { IdHash } from './id-hash.ts'

/** An order's own id, and the one that its cancel gave it: the latter never hides the former. */
export const IdKind = { OWN: 0, CANCEL: 1 } as const
export type IdKind = (typeof IdKind)[keyof typeof IdKind]

const BUCKET_ORDERS = 2 ** 15
const PARTS = 256
const PART_MASK = PARTS - 1
const KIND_SHIFT = 16
const PLACE_MASK = 0xffff
const ENTRY_BYTES = ClientIdEntry.bytes
const ENTRIES_FIRST = 1 << 12
/** Bucket numbers stay below this. */
const BUCKETS = 2 ** 28

function copyEntry(from: RecordBuffer, at: number, to: RecordBuffer, toAt: number): void {
  ClientIdEntry.setTag(to, toAt, ClientIdEntry.tag(from, at))
  ClientIdEntry.setPlace(to, toAt, ClientIdEntry.place(from, at))
}

/** In memory of its own. */
const entriesOf = (stored: Uint8Array): RecordBuffer =>
  new RecordBuffer(new Uint8Array(stored).buffer)

const bucketOf = (orderId: OrderId): number => Math.floor(orderId / BUCKET_ORDERS)

/** Writes entries within the archive's transactions. */
export class ClientIdWriter {
  readonly #table: Table
  readonly #hash: IdHash
  readonly #key = new ClientIdKey()
  /** Entries of this transaction, and the entry before each of the same part; -1 for none. */
  #entries = RecordBuffer.allocate(ENTRIES_FIRST * ENTRY_BYTES)
  #before = new Int32Array(ENTRIES_FIRST)
  #count = 0
  /** By symbol and bucket: the newest entry of each part, -1 for none. */
  readonly #newest = new Map<number, Int32Array>()
  /** The bucket that was met last, since most entries are of the same. */
  #lastNumber = -1
  #lastNewest: Int32Array = new Int32Array(0)
  #value = RecordBuffer.allocate(1 << 12)

  constructor(table: Table, hash: IdHash) {
    this.#table = table
    this.#hash = hash
  }

  /** The id packed at words[at ..] is the order's. */
  add(
    account: AccountId,
    symbolId: SymbolId,
    orderId: OrderId,
    kind: IdKind,
    words: Int32Array,
    at: number,
  ): void {
    const bucket = bucketOf(orderId)
    const newest = this.#newestOf(symbolId * BUCKETS + bucket)
    const { low: tag, high } = this.#hash.of(account, words, at)
    const part = high & PART_MASK
    if (this.#count === this.#before.length) this.#grow()
    const entry = this.#count++
    const place = orderId - bucket * BUCKET_ORDERS
    ClientIdEntry.setTag(this.#entries, entry * ENTRY_BYTES, tag)
    ClientIdEntry.setPlace(this.#entries, entry * ENTRY_BYTES, place | (kind << KIND_SHIFT))
    this.#before[entry] = newest[part]!
    newest[part] = entry
  }

  /** Writes them, within a transaction. */
  store(): void {
    for (const [number, newest] of this.#newest) {
      const symbolId = Math.floor(number / BUCKETS)
      const bucket = number - symbolId * BUCKETS
      for (let part = 0; part < PARTS; part++) {
        if (newest[part]! >= 0)
          this.#append(this.#key.of(SymbolId(symbolId), bucket, part), newest[part]!)
      }
    }
    this.clear()
  }

  clear(): void {
    this.#newest.clear()
    this.#lastNumber = -1
    this.#count = 0
  }

  #newestOf(number: number): Int32Array {
    if (number === this.#lastNumber) return this.#lastNewest
    let newest = this.#newest.get(number)
    if (newest === undefined) {
      newest = new Int32Array(PARTS).fill(-1)
      this.#newest.set(number, newest)
    }
    this.#lastNumber = number
    this.#lastNewest = newest
    return newest
  }

  /** The entries from `newest` back, behind those that are stored. */
  #append(key: Uint8Array, newest: number): void {
    let added = 0
    for (let entry = newest; entry >= 0; entry = this.#before[entry]!) added++
    const stored = this.#table.get(key)
    const storedBytes = stored === undefined ? 0 : stored.length
    const length = storedBytes + added * ENTRY_BYTES
    if (length > this.#value.bytes.length) this.#value = RecordBuffer.allocate(length * 2)
    const { bytes } = this.#value
    if (stored !== undefined) bytes.set(stored)
    let at = length
    for (let entry = newest; entry >= 0; entry = this.#before[entry]!) {
      at -= ENTRY_BYTES
      copyEntry(this.#entries, entry * ENTRY_BYTES, this.#value, at)
    }
    this.#table.put(key, bytes.subarray(0, length))
  }

  #grow(): void {
    const entries = RecordBuffer.allocate(this.#entries.bytes.length * 2)
    entries.bytes.set(this.#entries.bytes)
    this.#entries = entries
    const before = new Int32Array(this.#before.length * 2)
    before.set(this.#before)
    this.#before = before
  }
}

/** Finds orders by ids, by the environment's last refresh. */
export class ClientIdReader {
  readonly #table: Table
  readonly #hash: IdHash
  readonly #key = new ClientIdKey()

  constructor(table: Table, hash: IdHash) {
    this.#table = table
    this.#hash = hash
  }

  /**
   * Ids of orders up to `lastOrderId` that may have the id packed in `words`, as their own or from their
   * cancel: latest first within each bucket, the newest bucket first.
   */
  *orders(
    account: AccountId,
    symbolId: SymbolId,
    words: Int32Array,
    lastOrderId: OrderId,
  ): Iterable<{ readonly orderId: OrderId; readonly kind: IdKind }> {
    const { low: tag, high } = this.#hash.of(account, words, 0)
    const part = high & PART_MASK
    for (let bucket = bucketOf(lastOrderId); bucket >= 0; bucket--) {
      const stored = this.#table.get(this.#key.of(symbolId, bucket, part))
      if (stored === undefined) continue
      // What is read next overwrites it, and the caller reads between two entries.
      const entries = entriesOf(stored)
      for (let at = stored.length - ENTRY_BYTES; at >= 0; at -= ENTRY_BYTES) {
        if (ClientIdEntry.tag(entries, at) !== tag) continue
        const place = ClientIdEntry.place(entries, at)
        const orderId = bucket * BUCKET_ORDERS + (place & PLACE_MASK)
        yield { orderId: OrderId(orderId), kind: (place >> KIND_SHIFT) as IdKind }
      }
    }
  }
}

/** Takes the entries of removed orders out. */
export class ClientIdRemoval {
  readonly #table: Table
  readonly #hash: IdHash
  /** By key, as hexadecimal digits: the places of the orders. */
  readonly #places = new Map<string, Set<number>>()

  constructor(table: Table, hash: IdHash) {
    this.#table = table
    this.#hash = hash
  }

  add(
    account: AccountId,
    symbolId: SymbolId,
    orderId: OrderId,
    words: Int32Array,
    at: number,
  ): void {
    const part = this.#hash.of(account, words, at).high & PART_MASK
    const bucket = bucketOf(orderId)
    const name = Buffer.from(new ClientIdKey().of(symbolId, bucket, part)).toString('hex')
    const places = this.#places.get(name) ?? new Set()
    this.#places.set(name, places.add(orderId - bucket * BUCKET_ORDERS))
  }

  /** Within a transaction. */
  remove(): void {
    for (const [name, places] of this.#places) {
      const key = Buffer.from(name, 'hex')
      const stored = this.#table.get(key)
      if (stored === undefined) continue
      const entries = entriesOf(stored)
      let kept = 0
      for (let at = 0; at < entries.bytes.length; at += ENTRY_BYTES) {
        if (places.has(ClientIdEntry.place(entries, at) & PLACE_MASK)) continue
        copyEntry(entries, at, entries, kept)
        kept += ENTRY_BYTES
      }
      if (kept === 0) this.#table.remove(key)
      else this.#table.put(key, entries.bytes.subarray(0, kept))
    }
    this.#places.clear()
  }
}
