/**
 * The open orders that are not on the book: stops that wait for their price, and pending legs of
 * order lists. They stand in `Details`; here they are found by account and by client order id, as
 * the book finds those that rest. Writer: the engine of the symbol.
 */

import { ClientIdHash } from '../../base/client-id-hash.ts'
import { CLIENT_ORDER_ID_WORDS } from '../../base/client-order-id.ts'
import { type Details, doubledInts } from './details.ts'

const START_ROWS = 64

export class Waiting {
  readonly #details: Details
  readonly #hash: ClientIdHash
  /** The newest row of each account, and by row those before and after it; 0 for none. */
  readonly #newest = new Map<number, number>()
  #older = new Int32Array(START_ROWS)
  #newer = new Int32Array(START_ROWS)
  /** A row of each hash of account and client order id, and by row others of the same hash. */
  readonly #hashed = new Map<number, number>()
  #nextHashed = new Int32Array(START_ROWS)
  /** How many there are. */
  count = 0

  /** `salt` is that of the hash of client order ids. */
  constructor(details: Details, salt: number) {
    this.#details = details
    this.#hash = new ClientIdHash(salt)
  }

  add(row: number): void {
    while (row >= this.#older.length) {
      this.#older = doubledInts(this.#older)
      this.#newer = doubledInts(this.#newer)
      this.#nextHashed = doubledInts(this.#nextHashed)
    }
    const account = this.#details.account[row]!
    const older = this.#newest.get(account) ?? 0
    this.#older[row] = older
    this.#newer[row] = 0
    this.#newer[older] = row
    this.#newest.set(account, row)
    this.#addHash(row)
    this.count++
  }

  remove(row: number): void {
    const older = this.#older[row]!
    const newer = this.#newer[row]!
    this.#newer[older] = newer
    if (newer !== 0) this.#older[newer] = older
    else if (older !== 0) this.#newest.set(this.#details.account[row]!, older)
    else this.#newest.delete(this.#details.account[row]!)
    this.#removeHash(row)
    this.count--
  }

  /** The waiting order takes another client order id. */
  rename(row: number, words: Int32Array, at: number): void {
    this.#removeHash(row)
    this.#details.setClientOrderId(row, words, at)
    this.#addHash(row)
  }

  /** The account's waiting order of that client order id; 0 when there is none. */
  findClientOrder(account: number, words: Int32Array, at: number): number {
    if (this.count === 0) return 0
    let row = this.#hashed.get(this.#hash.of(account, words, at)) ?? 0
    while (row !== 0 && !this.#belongs(row, account, words, at)) row = this.#nextHashed[row]!
    return row
  }

  newestOfAccount(account: number): number {
    return this.count === 0 ? 0 : (this.#newest.get(account) ?? 0)
  }

  olderOfAccount(row: number): number {
    return this.#older[row]!
  }

  #belongs(row: number, account: number, words: Int32Array, at: number): boolean {
    const { clientOrderId } = this.#details
    if (this.#details.account[row] !== account) return false
    const own = row * CLIENT_ORDER_ID_WORDS
    for (let i = 0; i < CLIENT_ORDER_ID_WORDS; i++) {
      if (clientOrderId[own + i] !== words[at + i]) return false
    }
    return true
  }

  #hashOfRow(row: number): number {
    const { account, clientOrderId } = this.#details
    return this.#hash.of(account[row]!, clientOrderId, row * CLIENT_ORDER_ID_WORDS)
  }

  #addHash(row: number): void {
    const hash = this.#hashOfRow(row)
    this.#nextHashed[row] = this.#hashed.get(hash) ?? 0
    this.#hashed.set(hash, row)
  }

  #removeHash(row: number): void {
    const hash = this.#hashOfRow(row)
    const next = this.#nextHashed[row]!
    let before = this.#hashed.get(hash)!
    if (before === row) {
      if (next === 0) this.#hashed.delete(hash)
      else this.#hashed.set(hash, next)
      return
    }
    while (this.#nextHashed[before] !== row) before = this.#nextHashed[before]!
    this.#nextHashed[before] = next
  }
}
