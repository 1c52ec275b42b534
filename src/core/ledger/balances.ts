/**
 * The shared ledger: one cell for each account and asset, in one SharedArrayBuffer. Written by every
 * matcher (hold, settle) and by recovery and deposits (credit, addRecovered); read by every gateway.
 *
 *   word   0        1      2, 3     4, 5     6, 7
 *        ┌────────┬──────┬────────┬────────┬────────┐
 *        │version │ zero │ free   │ locked │ held   │   32 bytes, integers low word first
 *        └────────┴──────┴────────┴────────┴────────┘
 *
 * Cells of one asset stand side by side: an engine knows two assets and many accounts. Behind all
 * cells stands one 64-bit atomic for each account: when its balances last changed, ms.
 *
 * The version doubles as the cell's lock: odd while a writer is inside, and risen by two after each
 * change of free or locked. Writers change free and locked with atomic stores between the two, so a
 * reader that meets the same even version before and after has seen one moment. `held` is touched
 * only under the lock. Nothing here may sleep or throw while it holds a lock.
 */
import {
  addInt64,
  bigintToInt64,
  type Int64,
  int64,
  int64ToBigint,
  negative,
} from '../../base/int64.ts'
import { AccountId, AssetId, Atoms, Ms } from '../../base/units.ts'
import type { EffectSink } from './effects.ts'

const CELL_WORDS = 8
const FREE = 2
const LOCKED = 4
const HELD = 6
const WORD = 4294967296
const EXACT_MAX = Number.MAX_SAFE_INTEGER

/** Words that `read` fills: version, free (two), locked (two). */
export const BALANCE_WORDS = 5
/** Words that `settle` takes: changes of free, of locked, and what of held is given back. */
export const CHANGE_WORDS = 6

export class Balances implements EffectSink {
  private readonly words: Int32Array
  private readonly changeTimesMs: BigInt64Array
  /** What was last marked here: batches of one millisecond mark an account once (bench `engine`). */
  private readonly markedMs: Float64Array
  readonly accountsMax: number
  readonly assetsMax: number
  private readonly change = new Int32Array(CHANGE_WORDS)
  private readonly snapshot = new Int32Array(BALANCE_WORDS)

  static bytesFor(accountsMax: number, assetsMax: number): number {
    return accountsMax * assetsMax * CELL_WORDS * 4 + accountsMax * 8
  }

  /** `memory` is all zeros for an empty ledger, or another Balances' of the same shape. */
  constructor(memory: SharedArrayBuffer, accountsMax: number, assetsMax: number) {
    const words = accountsMax * assetsMax * CELL_WORDS
    this.words = new Int32Array(memory, 0, words)
    this.changeTimesMs = new BigInt64Array(memory, words * 4, accountsMax)
    this.markedMs = new Float64Array(accountsMax)
    this.accountsMax = accountsMax
    this.assetsMax = assetsMax
  }

  /**
   * One moment of a balance, into five words: version, free, locked. The version is even, rises with
   * every change (compare as `(a - b) | 0`, since it wraps), and is 0 for one never touched.
   */
  read(account: AccountId, asset: AssetId, into: Int32Array): void {
    const words = this.words
    const at = this.cell(account, asset)
    for (;;) {
      const version = Atomics.load(words, at)
      if ((version & 1) !== 0) continue
      into[1] = Atomics.load(words, at + FREE)
      into[2] = Atomics.load(words, at + FREE + 1)
      into[3] = Atomics.load(words, at + LOCKED)
      into[4] = Atomics.load(words, at + LOCKED + 1)
      if (Atomics.load(words, at) === version) {
        into[0] = version
        return
      }
    }
  }

  /** When a balance of the account last changed, ms; 0 when none ever did. */
  changedMs(account: AccountId): Ms {
    return Ms(Number(Atomics.load(this.changeTimesMs, account)))
  }

  /** A balance of the account changed at `timeMs`, unless a later change is known. */
  markChanged(account: AccountId, timeMs: Ms): void {
    if (this.markedMs[account]! >= timeMs) return
    this.markedMs[account] = timeMs
    const times = this.changeTimesMs
    const marked = BigInt(timeMs)
    let known = Atomics.load(times, account)
    while (known < marked) {
      const found = Atomics.compareExchange(times, account, known, marked)
      if (found === known) return
      known = found
    }
  }

  /** Returns what is neither locked nor held: free - held. */
  available(account: AccountId, asset: AssetId): Atoms {
    const at = this.cell(account, asset)
    const version = this.lock(at)
    const near = this.nearUnpromised(at)
    const isExact = near <= EXACT_MAX && near >= -EXACT_MAX
    const available = Atoms(isExact ? near : int64(this.unpromised(at)))
    Atomics.store(this.words, at, version)
    return available
  }

  /** Promises `atoms` of what is free to an order not yet journaled. False when there is too little. */
  hold(account: AccountId, asset: AssetId, atoms: Atoms): boolean {
    const at = this.cell(account, asset)
    const version = this.lock(at)
    const enough =
      typeof atoms === 'number' ? this.nearUnpromised(at) >= atoms : this.unpromised(at) >= atoms
    if (enough) addInt64(this.words, at + HELD, atoms)
    Atomics.store(this.words, at, version)
    return enough
  }

  /**
   * Applies a batch's change of one balance in one versioned write: added to free, added to locked,
   * taken from held.
   */
  settle(account: AccountId, asset: AssetId, free: Atoms, locked: Atoms, held: Atoms): void {
    const words = this.words
    const at = this.cell(account, asset)
    const version = this.lock(at)
    this.add(at + FREE, free)
    this.add(at + LOCKED, locked)
    if (held !== 0) addInt64(words, at + HELD, negative(held))
    Atomics.store(words, at, (version + 2) | 0)
  }

  /** As `settle`, with the change in six words, in the order of its arguments. */
  settleWords(account: AccountId, asset: AssetId, change: Int32Array): void {
    const words = this.words
    const at = this.cell(account, asset)
    const version = this.lock(at)
    this.addWords(at + FREE, change[0]!, change[1]!)
    this.addWords(at + LOCKED, change[2]!, change[3]!)
    const low = (words[at + HELD]! >>> 0) - (change[4]! >>> 0)
    words[at + HELD] = low
    words[at + HELD + 1] = words[at + HELD + 1]! - change[5]! - (low < 0 ? 1 : 0)
    Atomics.store(words, at, (version + 2) | 0)
  }

  /** A deposit: free rises. Negative for a withdrawal. */
  credit(account: AccountId, asset: AssetId, atoms: Int64): void {
    this.move(account, asset, BigInt(atoms), 0n, 0n)
  }

  /** As `settle`, for what an operator moves. */
  move(account: AccountId, asset: AssetId, free: bigint, locked: bigint, held: bigint): void {
    const change = this.change
    bigintToInt64(change, 0, free)
    bigintToInt64(change, 2, locked)
    bigintToInt64(change, 4, held)
    this.settleWords(account, asset, change)
  }

  /**
   * The effect of a journaled event. Balances may pass below zero while symbols are recovered one
   * after another; `firstNegative` is called when all of them are.
   */
  addRecovered(account: AccountId, asset: AssetId, freeAtoms: Atoms, lockedAtoms: Atoms): void {
    this.settle(account, asset, freeAtoms, lockedAtoms, Atoms(0))
  }

  /**
   * A balance of the first `assets` whose free or locked is below zero, which no true journal leaves behind. In the
   * order of memory. Only while no matcher settles: a start that reads one moment of every cell takes a fifth of
   * a second longer.
   */
  firstNegative(
    assets = this.assetsMax,
  ): { readonly account: AccountId; readonly asset: AssetId } | undefined {
    const { words, accountsMax } = this
    const end = assets * accountsMax * CELL_WORDS
    for (let at = 0; at < end; at += CELL_WORDS) {
      if (words[at + FREE + 1]! >= 0 && words[at + LOCKED + 1]! >= 0) continue
      const cell = at / CELL_WORDS
      return {
        account: AccountId(cell % accountsMax),
        asset: AssetId(Math.floor(cell / accountsMax)),
      }
    }
    return undefined
  }

  /** Free and locked of one account together. */
  owned(account: AccountId, asset: AssetId): bigint {
    const snapshot = this.snapshot
    this.read(account, asset, snapshot)
    return int64ToBigint(snapshot, 1) + int64ToBigint(snapshot, 3)
  }

  /** Returns free and locked of all accounts together. Exact only while no matcher settles. */
  total(asset: AssetId): bigint {
    const snapshot = this.snapshot
    // Sums of so few words are exact.
    let low = 0
    let high = 0
    for (let account = AccountId(0); account < this.accountsMax; account++) {
      this.read(account, asset, snapshot)
      low += (snapshot[1]! >>> 0) + (snapshot[3]! >>> 0)
      high += snapshot[2]! + snapshot[4]!
    }
    return BigInt(high) * BigInt(WORD) + BigInt(low)
  }

  private cell(account: AccountId, asset: AssetId): number {
    return (asset * this.accountsMax + account) * CELL_WORDS
  }

  /**
   * Returns the even version it found; the caller stores an even one to unlock. The plain read is
   * only a guess, which the exchange confirms.
   */
  private lock(at: number): number {
    const words = this.words
    for (;;) {
      const version = words[at]! & ~1
      if (Atomics.compareExchange(words, at, version, version | 1) === version) return version
    }
  }

  /** Under the lock. The words are subtracted first, so that it is exact up to 2^53, and large above. */
  private nearUnpromised(at: number): number {
    const words = this.words
    const high = words[at + FREE + 1]! - words[at + HELD + 1]!
    return high * WORD + ((words[at + FREE]! >>> 0) - (words[at + HELD]! >>> 0))
  }

  /** Under the lock. */
  private unpromised(at: number): bigint {
    return int64ToBigint(this.words, at + FREE) - int64ToBigint(this.words, at + HELD)
  }

  private add(at: number, atoms: Atoms): void {
    if (atoms === 0) return
    if (typeof atoms === 'number') {
      const low = atoms >>> 0
      this.addWords(at, low, (atoms - low) / 2 ** 32)
    } else this.addWide(at, atoms)
  }

  private addWide(at: number, atoms: bigint): void {
    const change = this.change
    bigintToInt64(change, 0, atoms)
    this.addWords(at, change[0]!, change[1]!)
  }

  /** Under the lock; atomic stores, since `read` looks on. */
  private addWords(at: number, low: number, high: number): void {
    const words = this.words
    const sum = (words[at]! >>> 0) + (low >>> 0)
    const change = high + (sum >= WORD ? 1 : 0)
    if (low !== 0) Atomics.store(words, at, sum | 0)
    if (change !== 0) Atomics.store(words, at + 1, (words[at + 1]! + change) | 0)
  }
}
