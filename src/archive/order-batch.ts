/**
 * The orders that one archive transaction touches, each written to its table once however often it
 * changed. Filled by project.ts in the order of the events, emptied by `store`.
 */
import type { Table } from '../journal/environment.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { OrderValue, OwnedKey } from './tables.ts'

/** A transaction ends after the block that reaches this many orders. */
export const BATCH_ORDERS = 16_384
/** Twice that is room for the rest of any usual block. */
const PLACES = 2 * BATCH_ORDERS
const DOUBLES = OrderValue.bytes >> 3
const WORDS = OrderValue.bytes >> 2
/** Symbol ids stay below 2^10 and order ids below 2^43, so that both make one exact number. */
const ORDER_IDS = 2 ** 43

/** The journal and the archive do not fit together: the archive must be folded again. */
export class ArchiveDamage extends Error {
  override readonly name = 'ArchiveDamage'
}

export class OrderBatch {
  readonly values = RecordBuffer.allocate(PLACES * OrderValue.bytes)
  readonly #table: Table
  readonly #places = new Map<number, number>()
  readonly #accounts = new Int32Array(PLACES)
  readonly #symbolIds = new Int32Array(PLACES)
  readonly #orderIds = new Float64Array(PLACES)
  readonly #key = new OwnedKey()
  #count = 0

  constructor(table: Table) {
    this.#table = table
  }

  get count(): number {
    return this.#count
  }

  /**
   * A place for a new order, all zero. Offsets of OrderValue count from place × its size. Places given
   * before may have no meaning any more: one block may cancel a whole book, which is more orders than
   * there are places, and then those so far are stored within the same transaction.
   */
  add(account: number, symbolId: number, orderId: number): number {
    if (this.#count === PLACES) this.store()
    const place = this.#count++
    this.#places.set(symbolId * ORDER_IDS + orderId, place)
    this.#accounts[place] = account
    this.#symbolIds[place] = symbolId
    this.#orderIds[place] = orderId
    this.values.f64.fill(0, place * DOUBLES, (place + 1) * DOUBLES)
    return place
  }

  /** The place of an order that exists, read from the table when this batch has not met it yet. */
  find(account: number, symbolId: number, orderId: number): number {
    const known = this.#places.get(symbolId * ORDER_IDS + orderId)
    if (known !== undefined) return known
    const stored = this.#table.get(this.#key.of(account, symbolId, orderId))
    if (stored === undefined || stored.length !== OrderValue.bytes) {
      throw new ArchiveDamage(`Order ${orderId} of symbol ${symbolId} is not in the archive.`)
    }
    const place = this.add(account, symbolId, orderId)
    this.values.bytes.set(stored, place * OrderValue.bytes)
    return place
  }

  /** Writes every order to its table, within a transaction. */
  store(): void {
    const { bytes } = this.values
    for (let place = 0; place < this.#count; place++) {
      const at = place * OrderValue.bytes
      const account = this.#accounts[place]!
      this.#table.put(
        this.#key.of(account, this.#symbolIds[place]!, this.#orderIds[place]!),
        bytes.subarray(at, at + OrderValue.bytes),
      )
    }
    this.clear()
  }

  clear(): void {
    this.#count = 0
    this.#places.clear()
  }

  /** Index into values.f64 of one of OrderValue's 8-byte places. */
  static double(place: number, offset: number): number {
    return place * DOUBLES + offset
  }

  /** Index into values.i32 of one of OrderValue's words. */
  static word(place: number, offset: number): number {
    return place * WORDS + offset
  }
}
