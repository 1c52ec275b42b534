/**
 * Hashes an account and a client order id for the archive's tables. Clients choose the ids, so a hash
 * that they know would let them choose ids that share an entry's tag, and a lookup reads a row for each.
 * So it depends on a salt, which the writer draws when it empties the archive and stores in it.
 *
 * Row of `progress`: SALT_KEY, two words.
 */
import { ClientIdHash } from '../base/client-id-hash.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { SALT_KEY, TableName } from './tables.ts'

export const SALT_BYTES = 8

export class IdHash {
  /** Two independent words of the last id: 32 bits each. */
  low = 0
  high = 0
  readonly #progress: Table
  readonly #salt = new Int32Array(SALT_BYTES / 4)
  readonly #saltBytes = new Uint8Array(this.#salt.buffer)
  #lowHash = new ClientIdHash(0)
  #highHash = new ClientIdHash(0)

  constructor(environment: Environment) {
    this.#progress = environment.table(TableName.PROGRESS)
    this.load()
  }

  /** Takes the salt from the archive. Each reader calls this when it refreshes. */
  load(): void {
    const [low, high] = this.#salt
    const stored = this.#progress.get(SALT_KEY)
    if (stored !== undefined) this.#saltBytes.set(stored)
    if (low === this.#salt[0] && high === this.#salt[1]) return
    this.#lowHash = new ClientIdHash(this.#salt[0]!)
    this.#highHash = new ClientIdHash(this.#salt[1]!)
  }

  /** Hashes the id packed at words[at ..] (base/client-order-id.ts). */
  of(account: number, words: Int32Array, at: number): this {
    this.low = this.#lowHash.of(account, words, at)
    this.high = this.#highHash.of(account, words, at)
    return this
  }
}
