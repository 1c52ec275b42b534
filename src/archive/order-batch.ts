/**
 * The orders that one archive transaction touches, each written to its table once however often it
 * changed. Filled by project.ts in the order of the events, emptied by `store`.
 */
import { AccountId, type OrderId, SymbolId } from '../base/units.ts'
import type { Table } from '../journal/environment.ts'
import { OrderKey } from '../layout/keys.gen.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { OrderValue } from '../layout/rows.gen.ts'

/** A transaction ends after the block that reaches this many orders. */
export const BATCH_ORDERS = 16_384
/** Twice that is room for the rest of any usual block. */
const PLACES = 2 * BATCH_ORDERS
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
  readonly #key = new OrderKey()
  #count = 0

  constructor(table: Table) {
    this.#table = table
  }

  get count(): number {
    return this.#count
  }

  /**
   * Returns the byte of `values` where the row of a new order begins, all zero. Earlier rows may be gone:
   * one block may cancel a whole book, which is more orders than there are places. The orders so far are
   * then stored within the same transaction.
   */
  add(account: AccountId, symbolId: SymbolId, orderId: OrderId): number {
    if (this.#count === PLACES) this.store()
    const place = this.#count++
    this.#places.set(symbolId * ORDER_IDS + orderId, place)
    this.#accounts[place] = account
    this.#symbolIds[place] = symbolId
    this.#orderIds[place] = orderId
    const at = place * OrderValue.bytes
    this.values.bytes.fill(0, at, at + OrderValue.bytes)
    return at
  }

  /** Returns the same of an order that exists. Reads its row if this batch does not have it. */
  find(account: AccountId, symbolId: SymbolId, orderId: OrderId): number {
    const known = this.#places.get(symbolId * ORDER_IDS + orderId)
    if (known !== undefined) return known * OrderValue.bytes
    const stored = this.#table.get(this.#key.of(account, symbolId, orderId))
    if (stored === undefined || stored.length !== OrderValue.bytes) {
      throw new ArchiveDamage(`Order ${orderId} of symbol ${symbolId} is not in the archive.`)
    }
    const at = this.add(account, symbolId, orderId)
    this.values.bytes.set(stored, at)
    return at
  }

  /** Writes every order to its table, within a transaction. */
  store(): void {
    const { bytes } = this.values
    for (let place = 0; place < this.#count; place++) {
      const at = place * OrderValue.bytes
      const account = this.#accounts[place]!
      this.#table.put(
        this.#key.of(AccountId(account), SymbolId(this.#symbolIds[place]!), this.#orderIds[place]!),
        bytes.subarray(at, at + OrderValue.bytes),
      )
    }
    this.clear()
  }

  clear(): void {
    this.#count = 0
    this.#places.clear()
  }
}
