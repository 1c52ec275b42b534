/**
 * The end of each account's trading lock, in ms: one atomic cell for each account. Writer: the
 * indexer. Readers: the gateways.
 */
import type { AccountId, Ms } from '../base/units.ts'

export class TradingLocks {
  private readonly untilMs: BigInt64Array

  static bytesFor(accountsMax: number): number {
    return 8 * accountsMax
  }

  /** A memory of all zeros locks no account. */
  constructor(memory: SharedArrayBuffer) {
    this.untilMs = new BigInt64Array(memory)
  }

  lock(account: AccountId, untilMs: Ms): void {
    Atomics.store(this.untilMs, account, BigInt(untilMs))
  }

  isLocked(account: AccountId, nowMs: Ms): boolean {
    return Number(Atomics.load(this.untilMs, account)) > nowMs
  }
}
