/**
 * Which orders have a client order id, or were given one by their cancel. Every order adds an entry, and
 * entries sorted by hash alone would be written all over, at the cost of a page each. So they are grouped:
 * by symbol, by bucket of consecutive order ids, and within a bucket into parts by salted hash
 * (id-hash.ts). Entries wait, in chunks by symbol, until there are RECENT_MAX of them, so that one write of
 * a part takes many. A lookup reads those that wait, then one part of each bucket, from the newest to the
 * oldest. Entries stay when an order is renamed: the order's own row decides.
 *
 * A value holds the entries of a part in the order of their events. Written by client-id-writer.ts.
 */
import { type AccountId, OrderId, type SymbolId } from '../base/units.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { ClientIdKey, KEY_ID_MAX } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { ClientIdEntry, RecentIdEntry } from '../layout/rows.gen.ts'
import type { IdHash } from './id-hash.ts'
import { CHUNK_BYTES, recentIdRows } from './row-form.ts'
import { TableName } from './tables.ts'

/** An order's own id, and the one that its cancel gave it: the latter never hides the former. */
export const IdKind = { OWN: 0, CANCEL: 1 } as const
export type IdKind = (typeof IdKind)[keyof typeof IdKind]

export const BUCKET_ORDERS = 2 ** 16
export const PARTS = 128
/** Most entries of a symbol that wait to be written, beside those of the transaction under way. */
export const RECENT_MAX = 4_032
/** First bit of the kind in an entry of a part (ClientIdEntry), above the place. */
const KIND_SHIFT = 24
const OFFSET_MASK = 2 ** KIND_SHIFT - 1
/** First bit of the kind in an entry that waits (RecentIdEntry), above the part. */
const RECENT_KIND_SHIFT = 8
const RECENT_PART_MASK = 2 ** RECENT_KIND_SHIFT - 1

export const bucketOf = (orderId: OrderId): number => Math.floor(orderId / BUCKET_ORDERS)
export const partOf = (hash: number): number => hash & (PARTS - 1)

/** The two words in the tables. */
export const offsetAndKind = (offset: number, kind: IdKind): number => offset | (kind << KIND_SHIFT)
export const offsetIn = (word: number): number => word & OFFSET_MASK
export const partAndKind = (part: number, kind: IdKind): number =>
  part | (kind << RECENT_KIND_SHIFT)
export const partIn = (word: number): number => word & RECENT_PART_MASK
export const kindIn = (word: number): IdKind => (word >> RECENT_KIND_SHIFT) as IdKind

/** Returns the entries in separate memory. */
export const entriesOf = (stored: Uint8Array): RecordBuffer =>
  new RecordBuffer(new Uint8Array(stored).buffer)

interface Found {
  readonly orderId: OrderId
  readonly kind: IdKind
}

/** Finds orders by ids, by the environment's last refresh. */
export class ClientIdReader {
  private readonly table: Table
  private readonly recent: Table
  private readonly hash: IdHash
  private readonly key = new ClientIdKey()
  private readonly rows = RecordBuffer.allocate(CHUNK_BYTES)

  constructor(environment: Environment, hash: IdHash) {
    this.table = environment.table(TableName.CLIENT_IDS)
    this.recent = environment.table(TableName.RECENT_IDS)
    this.hash = hash
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
  ): Iterable<Found> {
    const { low: tag, high } = this.hash.of(account, words, 0)
    const part = partOf(high)
    const recent = this.recentOf(symbolId, tag, part)
    for (let bucket = bucketOf(lastOrderId); bucket >= 0; bucket--) {
      for (const found of recent) if (bucketOf(found.orderId) === bucket) yield found
      const stored = this.table.get(this.key.of(symbolId, bucket, part))
      if (stored === undefined) continue
      // What is read next overwrites it, and the caller reads between two entries.
      const entries = entriesOf(stored)
      for (let at = stored.length - ClientIdEntry.bytes; at >= 0; at -= ClientIdEntry.bytes) {
        if (ClientIdEntry.tag(entries, at) !== tag) continue
        const word = ClientIdEntry.place(entries, at)
        const orderId = bucket * BUCKET_ORDERS + offsetIn(word)
        yield { orderId: OrderId(orderId), kind: (word >> KIND_SHIFT) as IdKind }
      }
    }
  }

  /** Entries that wait, latest first. */
  private recentOf(symbolId: SymbolId, tag: number, part: number): Found[] {
    const { keyOf } = recentIdRows
    const rows = this.rows
    const found: Found[] = []
    const range = { start: keyOf(symbolId, 0), end: keyOf(symbolId, KEY_ID_MAX) }
    for (const { value } of this.recent.rows(range)) {
      rows.bytes.set(value)
      for (let at = 0; at < value.length; at += RecentIdEntry.bytes) {
        if (RecentIdEntry.tag(rows, at) !== tag) continue
        const word = RecentIdEntry.part(rows, at)
        if (partIn(word) !== part) continue
        found.push({ orderId: RecentIdEntry.orderId(rows, at), kind: kindIn(word) })
      }
    }
    return found.reverse()
  }
}
