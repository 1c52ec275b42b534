/**
 * Hashes an account and a client order id for the archive's tables. Clients choose the ids. With a hash
 * that they know they could choose ids that share an entry's tag, and a lookup reads a row for each. So
 * the hash depends on a salt, which the writer draws when it empties the archive and stores in it.
 */
import { ClientIdHash } from '../base/client-id-hash.ts'
import type { AccountId } from '../base/units.ts'
import type { Environment, Table } from '../journal/environment.ts'
import { RecordBuffer } from '../layout/record-buffer.ts'
import { SaltValue } from '../layout/rows.gen.ts'
import { SALT_KEY, TableName } from './tables.ts'

export class IdHash {
  /** Two independent words of the last id: 32 bits each. */
  low = 0
  high = 0
  private readonly progress: Table
  private readonly salt = RecordBuffer.allocate(SaltValue.bytes)
  private lowHash = new ClientIdHash(0)
  private highHash = new ClientIdHash(0)

  constructor(environment: Environment) {
    this.progress = environment.table(TableName.PROGRESS)
    this.load()
  }

  /** Takes the salt from the archive. Each reader calls this when it refreshes. */
  load(): void {
    const salt = this.salt
    const oldLow = SaltValue.low(salt, 0)
    const oldHigh = SaltValue.high(salt, 0)
    const stored = this.progress.get(SALT_KEY)
    if (stored !== undefined) salt.bytes.set(stored)
    const low = SaltValue.low(salt, 0)
    const high = SaltValue.high(salt, 0)
    if (low === oldLow && high === oldHigh) return
    this.lowHash = new ClientIdHash(low)
    this.highHash = new ClientIdHash(high)
  }

  /** Hashes the id packed at words[at ..] (base/client-order-id.ts). */
  of(account: AccountId, words: Int32Array, at: number): this {
    this.low = this.lowHash.of(account, words, at)
    this.high = this.highHash.of(account, words, at)
    return this
  }
}
