/**
 * The plain twin of the ledger: a map of balances in bigints, and for each matcher the list of changes
 * that its open batch has made. Slow and obvious.
 */
interface Balance {
  free: bigint
  locked: bigint
}

/** By `account/asset`. */
export type PlainChanges = ReadonlyMap<string, Readonly<Balance>>

/** What one matcher's open batch has done to one balance. */
interface Pending {
  free: bigint
  locked: bigint
  /** Taken from what was settled, so that no other matcher promises it too. */
  promised: bigint
}

export class PlainLedger {
  private readonly settled = new Map<string, Balance>()
  private readonly pending: Map<string, Pending>[]
  /** The part of `pending` that is journaled. */
  private readonly committed: Map<string, Balance>[]
  /** All that a matcher has settled since the deposits. */
  private readonly past: Map<string, Balance>[]

  constructor(matchers: number) {
    this.pending = Array.from({ length: matchers }, () => new Map())
    this.committed = Array.from({ length: matchers }, () => new Map())
    this.past = Array.from({ length: matchers }, () => new Map())
  }

  /** All that the matcher has changed since the deposits, its open batch included. */
  changes(matcher: number): PlainChanges {
    const changes = new Map<string, Balance>()
    for (const source of [this.past[matcher]!, this.pending[matcher]!]) {
      for (const [key, change] of source) add(changes, key, change)
    }
    return changes
  }

  /** A recovered ledger begins with what the matcher's surviving blocks had changed. */
  restore(matcher: number, changes: PlainChanges): void {
    for (const [key, change] of changes) {
      add(this.past[matcher]!, key, change)
      add(this.settled, key, change)
    }
  }

  deposit(account: number, asset: number, atoms: bigint): void {
    this.balance(account, asset).free += atoms
  }

  /** What clients are shown: all that is journaled, flushed or not. */
  shown(account: number, asset: number): Balance {
    const key = `${account}/${asset}`
    const shown = { ...this.balance(account, asset) }
    for (const committed of this.committed) {
      shown.free += committed.get(key)?.free ?? 0n
      shown.locked += committed.get(key)?.locked ?? 0n
    }
    return shown
  }

  /** What can no longer be lost, and so may be spent by every matcher unless it is promised. */
  balance(account: number, asset: number): Balance {
    const key = `${account}/${asset}`
    let balance = this.settled.get(key)
    if (balance === undefined) {
      balance = { free: 0n, locked: 0n }
      this.settled.set(key, balance)
    }
    return balance
  }

  /** What any matcher may still promise to an order. */
  available(account: number, asset: number): bigint {
    return this.balance(account, asset).free - this.promised(account, asset)
  }

  /** What the matcher may lock: what its own batch has earned, and what is available to all. */
  spendable(matcher: number, account: number, asset: number): bigint {
    const pending = this.of(matcher, account, asset)
    return pending.free + pending.promised + this.available(account, asset)
  }

  /** Free and locked as clients are shown them, and what the matcher's open batch did since. */
  owned(matcher: number, account: number, asset: number): bigint {
    const key = `${account}/${asset}`
    const shown = this.shown(account, asset)
    const own = this.committed[matcher]!.get(key) ?? { free: 0n, locked: 0n }
    const pending = this.of(matcher, account, asset)
    return shown.free + shown.locked + pending.free + pending.locked - own.free - own.locked
  }

  /**
   * Locks funds for an order. What the matcher's own batch has earned is spent first; what is missing
   * must be settled, and not promised by any matcher.
   */
  lock(matcher: number, account: number, asset: number, atoms: bigint): boolean {
    if (atoms > this.spendable(matcher, account, asset)) return false
    const pending = this.of(matcher, account, asset)
    const earned = pending.free + pending.promised
    const missing = atoms > earned ? atoms - earned : 0n
    pending.promised += missing
    pending.free -= atoms
    pending.locked += atoms
    return true
  }

  unlock(matcher: number, account: number, asset: number, atoms: bigint): void {
    this.pay(matcher, account, asset, atoms)
    this.earn(matcher, account, asset, atoms)
  }

  /** Takes from what is locked. */
  pay(matcher: number, account: number, asset: number, atoms: bigint): void {
    this.of(matcher, account, asset).locked -= atoms
  }

  earn(matcher: number, account: number, asset: number, atoms: bigint): void {
    this.of(matcher, account, asset).free += atoms
  }

  /** The matcher's batch is journaled but not flushed: clients see it, no other matcher spends it. */
  commit(matcher: number): void {
    this.committed[matcher] = new Map(
      [...this.pending[matcher]!].map(([key, { free, locked }]) => [key, { free, locked }]),
    )
  }

  /** The matcher's batch is flushed: its changes become visible to all. */
  settle(matcher: number): void {
    this.committed[matcher] = new Map()
    for (const [key, pending] of this.pending[matcher]!) {
      add(this.settled, key, pending)
      add(this.past[matcher]!, key, pending)
    }
    this.pending[matcher]!.clear()
  }

  /** Locked with the open batches of all matchers. */
  locked(account: number, asset: number): bigint {
    const key = `${account}/${asset}`
    const pending = this.pending.map((batch) => batch.get(key)?.locked ?? 0n)
    return pending.reduce((sum, atoms) => sum + atoms, this.balance(account, asset).locked)
  }

  total(asset: number): bigint {
    let total = 0n
    for (const [key, { free, locked }] of this.settled) {
      if (key.endsWith(`/${asset}`)) total += free + locked
    }
    return total
  }

  /** All there is, with the open batches of all matchers. */
  whole(asset: number): bigint {
    let whole = this.total(asset)
    for (const batch of this.pending) {
      for (const [key, { free, locked }] of batch) {
        if (key.endsWith(`/${asset}`)) whole += free + locked
      }
    }
    return whole
  }

  private promised(account: number, asset: number): bigint {
    const key = `${account}/${asset}`
    return this.pending.reduce((sum, batch) => sum + (batch.get(key)?.promised ?? 0n), 0n)
  }

  private of(matcher: number, account: number, asset: number): Pending {
    const key = `${account}/${asset}`
    let pending = this.pending[matcher]!.get(key)
    if (pending === undefined) {
      pending = { free: 0n, locked: 0n, promised: 0n }
      this.pending[matcher]!.set(key, pending)
    }
    return pending
  }
}

function add(to: Map<string, Balance>, key: string, change: Readonly<Balance>): void {
  const { free, locked } = to.get(key) ?? { free: 0n, locked: 0n }
  to.set(key, { free: free + change.free, locked: locked + change.locked })
}
