/** Writes the index of client order ids (client-ids.ts) within the archive's transactions. */
import { type AccountId, type OrderId, SymbolId } from '../base/units.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { ClientIdKey, KEY_ID_MAX } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { ClientIdEntry, RecentIdEntry } from '../layout/rows.gen.ts'
import {
  BUCKET_ORDERS,
  bucketOf,
  entriesOf,
  type IdKind,
  kindIn,
  offsetAndKind,
  offsetIn,
  PARTS,
  partAndKind,
  partIn,
  partOf,
  RECENT_MAX,
} from './client-ids.ts'
import type { IdHash } from './id-hash.ts'
import { RowEdits } from './row-edits.ts'
import { MARKET_CHUNKS_MAX, recentIdRows } from './row-form.ts'
import { RowReader } from './row-reader.ts'
import { RowWriter } from './row-writer.ts'
import { TableName } from './tables.ts'

const ENTRY_BYTES = ClientIdEntry.bytes
const ALL = { from: 0, to: KEY_ID_MAX - 1, newest: false }

function copyEntry(from: RecordBuffer, at: number, to: RecordBuffer, toAt: number): void {
  ClientIdEntry.setTag(to, toAt, ClientIdEntry.tag(from, at))
  ClientIdEntry.setPlace(to, toAt, ClientIdEntry.place(from, at))
}

/** Must forget what retention may have removed, and what a transaction that failed had added. */
export class ClientIdWriter {
  private readonly table: Table
  private readonly recent: RowWriter
  private readonly stored: RowReader
  private readonly recentMax: number
  private readonly hash: IdHash
  private readonly key = new ClientIdKey()
  /** By symbol: the number of its last entry that waits; 0 for none. */
  private numbers: number[] = []
  /** Entries that are being sorted into parts, and the entry before each of the same part; -1 for none. */
  private entries = RecordBuffer.allocate(RECENT_MAX * ENTRY_BYTES)
  private before = new Int32Array(RECENT_MAX)
  private value = RecordBuffer.allocate(1 << 12)

  constructor(environment: Environment, hash: IdHash, recentMax = RECENT_MAX) {
    const recent = environment.table(TableName.RECENT_IDS)
    this.table = environment.table(TableName.CLIENT_IDS)
    this.recentMax = recentMax
    this.recent = new RowWriter(recent, recentIdRows, MARKET_CHUNKS_MAX)
    this.stored = new RowReader(recent, recentIdRows)
    this.hash = hash
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
    const { low: tag, high } = this.hash.of(account, words, at)
    const number = (this.numbers[symbolId] ?? this.lastNumber(symbolId)) + 1
    this.numbers[symbolId] = number
    const entry = this.recent.append(symbolId, number)
    const { values } = this.recent
    RecentIdEntry.setOrderId(values, entry, orderId)
    RecentIdEntry.setTag(values, entry, tag)
    RecentIdEntry.setPart(values, entry, partAndKind(partOf(high), kind))
  }

  /** Writes them, within a transaction. */
  store(): void {
    this.recent.store()
    this.numbers.forEach((number, symbolId) => {
      if (number >= this.recentMax) this.sort(SymbolId(symbolId))
    })
  }

  forget(): void {
    this.recent.forget()
    this.numbers = []
  }

  private lastNumber(symbolId: SymbolId): number {
    this.stored.forget()
    return this.stored.lastId(symbolId)
  }

  /** Moves a symbol's entries that wait, all of them stored, to their parts. */
  private sort(symbolId: SymbolId): void {
    /** By bucket: the newest entry of each part, -1 for none. */
    const buckets = new Map<number, Int32Array>()
    const { rows } = this.stored
    let count = 0
    this.stored.forget()
    this.stored.each(symbolId, ALL, Number.POSITIVE_INFINITY, (at) => {
      const orderId = RecentIdEntry.orderId(rows, at)
      const word = RecentIdEntry.part(rows, at)
      const bucket = bucketOf(orderId)
      const newest = buckets.get(bucket) ?? new Int32Array(PARTS).fill(-1)
      buckets.set(bucket, newest)
      if (count === this.before.length) this.grow()
      const entry = count++
      const offset = orderId - bucket * BUCKET_ORDERS
      ClientIdEntry.setTag(this.entries, entry * ENTRY_BYTES, RecentIdEntry.tag(rows, at))
      ClientIdEntry.setPlace(this.entries, entry * ENTRY_BYTES, offsetAndKind(offset, kindIn(word)))
      this.before[entry] = newest[partIn(word)]!
      newest[partIn(word)] = entry
      return true
    })
    for (const [bucket, newest] of buckets) {
      for (let part = 0; part < PARTS; part++) {
        if (newest[part]! < 0) continue
        this.append(this.key.of(symbolId, bucket, part), newest[part]!)
      }
    }
    this.recent.clear(symbolId)
    this.numbers[symbolId] = 0
  }

  /** The entries from `newest` back, behind those that are stored. */
  private append(key: Uint8Array, newest: number): void {
    let added = 0
    for (let entry = newest; entry >= 0; entry = this.before[entry]!) added++
    const stored = this.table.get(key)
    const storedBytes = stored === undefined ? 0 : stored.length
    const length = storedBytes + added * ENTRY_BYTES
    if (length > this.value.bytes.length) this.value = RecordBuffer.allocate(length * 2)
    const { bytes } = this.value
    if (stored !== undefined) bytes.set(stored)
    let at = length
    for (let entry = newest; entry >= 0; entry = this.before[entry]!) {
      at -= ENTRY_BYTES
      copyEntry(this.entries, entry * ENTRY_BYTES, this.value, at)
    }
    this.table.put(key, bytes.subarray(0, length))
  }

  private grow(): void {
    const entries = RecordBuffer.allocate(this.entries.bytes.length * 2)
    entries.bytes.set(this.entries.bytes)
    this.entries = entries
    const before = new Int32Array(this.before.length * 2)
    before.set(this.before)
    this.before = before
  }
}

/** Takes the entries of removed orders out. The writer must forget afterwards. */
export class ClientIdRemoval {
  private readonly table: Table
  private readonly hash: IdHash
  private readonly recent: RowReader
  private readonly edits: RowEdits
  /** By key, as hexadecimal digits: offsets of orders in their bucket. */
  private readonly offsets = new Map<string, Set<number>>()
  /** By symbol: order id × PARTS + part. */
  private readonly waiting = new Map<SymbolId, Set<number>>()

  constructor(environment: Environment, hash: IdHash) {
    const recent = environment.table(TableName.RECENT_IDS)
    this.table = environment.table(TableName.CLIENT_IDS)
    this.recent = new RowReader(recent, recentIdRows)
    this.edits = new RowEdits(recent, recentIdRows)
    this.hash = hash
  }

  add(
    account: AccountId,
    symbolId: SymbolId,
    orderId: OrderId,
    words: Int32Array,
    at: number,
  ): void {
    const part = partOf(this.hash.of(account, words, at).high)
    const bucket = bucketOf(orderId)
    const name = Buffer.from(new ClientIdKey().of(symbolId, bucket, part)).toString('hex')
    const offsets = this.offsets.get(name) ?? new Set()
    this.offsets.set(name, offsets.add(orderId - bucket * BUCKET_ORDERS))
    const waiting = this.waiting.get(symbolId) ?? new Set()
    this.waiting.set(symbolId, waiting.add(orderId * PARTS + part))
  }

  /** Within a transaction. */
  remove(): void {
    for (const [name, offsets] of this.offsets) this.removeFrom(Buffer.from(name, 'hex'), offsets)
    const { rows } = this.recent
    this.recent.forget()
    for (const [symbolId, waiting] of this.waiting) {
      this.recent.each(symbolId, ALL, Number.POSITIVE_INFINITY, (at) => {
        const part = partIn(RecentIdEntry.part(rows, at))
        if (waiting.has(RecentIdEntry.orderId(rows, at) * PARTS + part)) {
          this.edits.remove(symbolId, RecentIdEntry.number(rows, at))
        }
        return true
      })
    }
    this.edits.apply()
    this.offsets.clear()
    this.waiting.clear()
  }

  private removeFrom(key: Uint8Array, offsets: ReadonlySet<number>): void {
    const stored = this.table.get(key)
    if (stored === undefined) return
    const entries = entriesOf(stored)
    let kept = 0
    for (let at = 0; at < entries.bytes.length; at += ENTRY_BYTES) {
      if (offsets.has(offsetIn(ClientIdEntry.place(entries, at)))) continue
      copyEntry(entries, at, entries, kept)
      kept += ENTRY_BYTES
    }
    if (kept === 0) this.table.remove(key)
    else this.table.put(key, entries.bytes.subarray(0, kept))
  }
}
