/**
 * Which orders have a client order id, or were given one by their cancel. Part of the projection. Every
 * order adds an entry, and entries sorted by hash alone would be written all over, at the cost of a page
 * each. So they are grouped: by symbol, by bucket of consecutive order ids, and within a bucket into
 * parts by salted hash (id-hash.ts); a transaction writes each part that it touches once. A lookup reads
 * one part of each bucket, from the newest to the oldest. Entries stay when an order is renamed: the
 * order's own row decides.
 *
 * Key: symbol 2, bucket 4, part 1, big-endian. Value: entries in the order of their events, of two
 * words each: a tag, and the order's place in its bucket with the kind above it.
 */
import type { Table } from '../journal/environment.ts'
import type { IdHash } from './id-hash.ts'

/** An order's own id, and the one that its cancel gave it: the latter never hides the former. */
export const IdKind = { OWN: 0, CANCEL: 1 } as const
export type IdKind = (typeof IdKind)[keyof typeof IdKind]

const BUCKET_ORDERS = 2 ** 15
const PARTS = 256
const PART_MASK = PARTS - 1
const KIND_SHIFT = 16
const PLACE_MASK = 0xffff
const ENTRY_WORDS = 2
const ENTRIES_FIRST = 1 << 12
/** Bucket numbers stay below this. */
const BUCKETS = 2 ** 28

const bucketOf = (orderId: number): number => Math.floor(orderId / BUCKET_ORDERS)

/** A key, overwritten by each use. */
class PartKey {
  readonly bytes = new Uint8Array(7)
  readonly #view = new DataView(this.bytes.buffer)

  of(symbolId: number, bucket: number, part: number): Uint8Array {
    this.#view.setUint16(0, symbolId)
    this.#view.setUint32(2, bucket)
    this.#view.setUint8(6, part)
    return this.bytes
  }
}

/** Writes entries within the archive's transactions. */
export class ClientIdWriter {
  readonly #table: Table
  readonly #hash: IdHash
  readonly #key = new PartKey()
  /** Entries of this transaction, and the entry before each of the same part; -1 for none. */
  #entries = new Int32Array(ENTRIES_FIRST * ENTRY_WORDS)
  #before = new Int32Array(ENTRIES_FIRST)
  #count = 0
  /** By symbol and bucket: the newest entry of each part, -1 for none. */
  readonly #newest = new Map<number, Int32Array>()
  /** The bucket that was met last, since most entries are of the same. */
  #lastNumber = -1
  #lastNewest: Int32Array = new Int32Array(0)
  #value = new Int32Array(1 << 10)

  constructor(table: Table, hash: IdHash) {
    this.#table = table
    this.#hash = hash
  }

  /** The id packed at words[at ..] is the order's. */
  add(
    account: number,
    symbolId: number,
    orderId: number,
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
    this.#entries[entry * ENTRY_WORDS] = tag
    this.#entries[entry * ENTRY_WORDS + 1] = place | (kind << KIND_SHIFT)
    this.#before[entry] = newest[part]!
    newest[part] = entry
  }

  /** Writes them, within a transaction. */
  store(): void {
    for (const [number, newest] of this.#newest) {
      const symbolId = Math.floor(number / BUCKETS)
      const bucket = number - symbolId * BUCKETS
      for (let part = 0; part < PARTS; part++) {
        if (newest[part]! >= 0) this.#append(this.#key.of(symbolId, bucket, part), newest[part]!)
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
    const storedWords = stored === undefined ? 0 : stored.length >> 2
    const words = storedWords + added * ENTRY_WORDS
    if (words > this.#value.length) this.#value = new Int32Array(words * 2)
    const bytes = new Uint8Array(this.#value.buffer, 0, words * 4)
    if (stored !== undefined) bytes.set(stored)
    let word = words
    for (let entry = newest; entry >= 0; entry = this.#before[entry]!) {
      word -= ENTRY_WORDS
      this.#value[word] = this.#entries[entry * ENTRY_WORDS]!
      this.#value[word + 1] = this.#entries[entry * ENTRY_WORDS + 1]!
    }
    this.#table.put(key, bytes)
  }

  #grow(): void {
    const entries = new Int32Array(this.#entries.length * 2)
    entries.set(this.#entries)
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
  readonly #key = new PartKey()

  constructor(table: Table, hash: IdHash) {
    this.#table = table
    this.#hash = hash
  }

  /**
   * Ids of orders up to `lastOrderId` that may have the id packed in `words`, as their own or from their
   * cancel: latest first within each bucket, the newest bucket first.
   */
  *orders(
    account: number,
    symbolId: number,
    words: Int32Array,
    lastOrderId: number,
  ): Iterable<{ readonly orderId: number; readonly kind: IdKind }> {
    const { low: tag, high } = this.#hash.of(account, words, 0)
    const part = high & PART_MASK
    for (let bucket = bucketOf(lastOrderId); bucket >= 0; bucket--) {
      const stored = this.#table.get(this.#key.of(symbolId, bucket, part))
      if (stored === undefined) continue
      // What is read next overwrites it, and the caller reads between two entries.
      const entries = new Int32Array(new Uint8Array(stored).buffer)
      for (let word = entries.length - ENTRY_WORDS; word >= 0; word -= ENTRY_WORDS) {
        if (entries[word] !== tag) continue
        const place = entries[word + 1]! & PLACE_MASK
        const kind = (entries[word + 1]! >> KIND_SHIFT) as IdKind
        yield { orderId: bucket * BUCKET_ORDERS + place, kind }
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

  add(account: number, symbolId: number, orderId: number, words: Int32Array, at: number): void {
    const part = this.#hash.of(account, words, at).high & PART_MASK
    const bucket = bucketOf(orderId)
    const name = Buffer.from(new PartKey().of(symbolId, bucket, part)).toString('hex')
    const places = this.#places.get(name) ?? new Set()
    this.#places.set(name, places.add(orderId - bucket * BUCKET_ORDERS))
  }

  /** Within a transaction. */
  remove(): void {
    for (const [name, places] of this.#places) {
      const key = Buffer.from(name, 'hex')
      const stored = this.#table.get(key)
      if (stored === undefined) continue
      const entries = new Int32Array(new Uint8Array(stored).buffer)
      const kept: number[] = []
      for (let word = 0; word < entries.length; word += ENTRY_WORDS) {
        if (places.has(entries[word + 1]! & PLACE_MASK)) continue
        kept.push(entries[word]!, entries[word + 1]!)
      }
      if (kept.length === 0) this.#table.remove(key)
      else this.#table.put(key, new Uint8Array(Int32Array.from(kept).buffer))
    }
    this.#places.clear()
  }
}
