/**
 * One matcher's overlay of the shared ledger: the balance changes of the batch that it is executing,
 * in private memory. The shared ledger sees them when the batch is journaled (`settle`), and until
 * then only the holds taken from it. What the batch itself credited or released is its *surplus*, and
 * may be spent by later orders of the batch: it stands before them in the same journal.
 *
 * Four numbers a balance: surplus (what the batch may still spend of its own), held (taken from the
 * shared cell), locked (change of locked), and a mark: whether it is on the list of touched ones. At every
 * moment the change of free is surplus - held. Sums that outgrow 2^53 - 1 spill into a second array in
 * units of 2^52, so the usual addition is one floating-point add and two comparisons; the mark says of
 * which balances that array need be looked at (bench `engine`).
 */
import { addInt64 } from '../../base/int64.ts'
import { AccountId, AssetId, Atoms, Ms } from '../../base/units.ts'
import { type Balances, CHANGE_WORDS } from './balances.ts'

const CELL = 4
const SURPLUS = 0
const HELD = 1
const LOCKED = 2
const MARK = 3
const UNTOUCHED = 0
const TOUCHED = 1
/** Touched, and one of its sums has spilled. */
const SPILLED = 2
const EXACT_MAX = Number.MAX_SAFE_INTEGER
const SPILL = 2 ** 52
/** One spilled unit, counted in high words. */
const SPILL_HIGH_WORDS = 2 ** 20

export class Holds {
  readonly #balances: Balances
  readonly #accountsMax: number
  readonly #sums: Float64Array
  readonly #spilled: Float64Array
  readonly #touched: Int32Array
  readonly #change = new Int32Array(CHANGE_WORDS)
  #touchedCount = 0

  constructor(balances: Balances, accountsMax: number, assetsMax: number) {
    this.#balances = balances
    this.#accountsMax = accountsMax
    this.#sums = new Float64Array(accountsMax * assetsMax * CELL)
    this.#spilled = new Float64Array(accountsMax * assetsMax * CELL)
    this.#touched = new Int32Array(accountsMax * assetsMax)
  }

  /**
   * Free becomes locked, for an order. Takes the batch's own surplus first, then asks the shared
   * ledger. False, with nothing changed, when both together are too little.
   */
  hold(account: AccountId, asset: AssetId, atoms: Atoms): boolean {
    const cell = this.#touch(account, asset)
    const surplus = this.#surplusOf(cell)
    if (surplus >= atoms) {
      this.#add(cell, SURPLUS, Atoms(-atoms))
    } else {
      const missing = Atoms(atoms - surplus)
      if (!this.#balances.hold(account, asset, missing)) return false
      this.#add(cell, HELD, missing)
      this.#clear(cell, SURPLUS)
    }
    this.#add(cell, LOCKED, atoms)
    return true
  }

  /** Locked becomes free. */
  release(account: AccountId, asset: AssetId, atoms: Atoms): void {
    const cell = this.#touch(account, asset)
    this.#add(cell, LOCKED, Atoms(-atoms))
    this.#add(cell, SURPLUS, atoms)
  }

  /** Locked is paid away. */
  spend(account: AccountId, asset: AssetId, atoms: Atoms): void {
    this.#add(this.#touch(account, asset), LOCKED, Atoms(-atoms))
  }

  /** Free is received. */
  credit(account: AccountId, asset: AssetId, atoms: Atoms): void {
    this.#add(this.#touch(account, asset), SURPLUS, atoms)
  }

  /** What `hold` could take now: exact up to 2^53, and large above. */
  available(account: AccountId, asset: AssetId): Atoms {
    const cell = this.#touch(account, asset)
    return Atoms(this.#surplusOf(cell) + this.#balances.available(account, asset))
  }

  /** Free and locked together, with what the batch has changed. */
  owned(account: AccountId, asset: AssetId): bigint {
    const cell = this.#touch(account, asset)
    const exact = (at: number) =>
      BigInt(this.#sums[at]!) + BigInt(this.#spilled[at]!) * BigInt(SPILL)
    const change = exact(cell + SURPLUS) - exact(cell + HELD) + exact(cell + LOCKED)
    return this.#balances.owned(account, asset) + change
  }

  /**
   * Applies the journaled batch to the shared ledger, each touched balance once. With `flushed`, the
   * journal is on the disk up to here and the overlay is forgotten. Without, a power loss could still
   * undo what was credited: clients see it, but it stays held in the shared ledger, so that this
   * matcher may spend it (its orders follow in the same journal) and no other can. `timeMs` is the
   * batch's time, which accounts whose balances changed are marked with; 0 marks none.
   */
  settle(flushed: boolean, timeMs = Ms(0)): void {
    let kept = 0
    for (let i = 0; i < this.#touchedCount; i++) {
      const index = this.#touched[i]!
      if (this.#settle(index, flushed, timeMs)) this.#touched[kept++] = index
    }
    this.#touchedCount = kept
  }

  /** Returns whether a surplus is kept. */
  #settle(index: number, flushed: boolean, timeMs: Ms): boolean {
    const sums = this.#sums
    const cell = index * CELL
    // Not Math.floor: this way V8 divides integers.
    const asset = AssetId((index / this.#accountsMax) | 0)
    const account = AccountId(index - asset * this.#accountsMax)
    const surplus = sums[cell + SURPLUS]!
    const held = sums[cell + HELD]!
    const locked = sums[cell + LOCKED]!
    const free = surplus - held
    if (this.#hasSpilled(cell) || free > EXACT_MAX || free < -EXACT_MAX) {
      return this.#settleSpilled(account, asset, cell, flushed, timeMs)
    }
    const returned = flushed ? held : -free
    if (free !== 0 || locked !== 0) {
      this.#balances.settle(account, asset, Atoms(free), Atoms(locked), Atoms(returned))
      this.#balances.markChanged(account, timeMs)
    } else if (returned !== 0)
      this.#balances.settle(account, asset, Atoms(0), Atoms(0), Atoms(returned))
    const isKept = !flushed && surplus !== 0
    if (!isKept) sums[cell + SURPLUS] = 0
    sums[cell + HELD] = isKept ? surplus : 0
    sums[cell + LOCKED] = 0
    sums[cell + MARK] = isKept ? TOUCHED : UNTOUCHED
    return isKept
  }

  /** The same where a sum outgrew a number. */
  #settleSpilled(
    account: AccountId,
    asset: AssetId,
    cell: number,
    flushed: boolean,
    timeMs: Ms,
  ): boolean {
    const sums = this.#sums
    const spilled = this.#spilled
    this.#settleWords(account, asset, cell, flushed)
    this.#balances.markChanged(account, timeMs)
    const isKept = !flushed && (sums[cell + SURPLUS] !== 0 || spilled[cell + SURPLUS] !== 0)
    if (!isKept) this.#clear(cell, SURPLUS)
    sums[cell + HELD] = sums[cell + SURPLUS]!
    spilled[cell + HELD] = spilled[cell + SURPLUS]!
    this.#clear(cell, LOCKED)
    sums[cell + MARK] = isKept ? SPILLED : UNTOUCHED
    return isKept
  }

  #hasSpilled(cell: number): boolean {
    if (this.#sums[cell + MARK] !== SPILLED) return false
    const spilled = this.#spilled
    return (
      spilled[cell + SURPLUS] !== 0 || spilled[cell + HELD] !== 0 || spilled[cell + LOCKED] !== 0
    )
  }

  #settleWords(account: AccountId, asset: AssetId, cell: number, flushed: boolean): void {
    const change = this.#change.fill(0)
    this.#addTo(change, 0, cell + SURPLUS, 1)
    this.#addTo(change, 0, cell + HELD, -1)
    this.#addTo(change, 2, cell + LOCKED, 1)
    this.#addTo(change, 4, cell + HELD, 1)
    if (!flushed) this.#addTo(change, 4, cell + SURPLUS, -1)
    this.#balances.settleWords(account, asset, change)
  }

  #touch(account: AccountId, asset: AssetId): number {
    const index = asset * this.#accountsMax + account
    const cell = index * CELL
    if (this.#sums[cell + MARK] === UNTOUCHED) {
      this.#sums[cell + MARK] = TOUCHED
      this.#touched[this.#touchedCount++] = index
    }
    return cell
  }

  #surplusOf(cell: number): number {
    const surplus = this.#sums[cell + SURPLUS]!
    return this.#sums[cell + MARK] === SPILLED
      ? surplus + this.#spilled[cell + SURPLUS]! * SPILL
      : surplus
  }

  #add(cell: number, which: number, atoms: Atoms): void {
    const sum = this.#sums[cell + which]! + atoms
    if (sum <= EXACT_MAX && sum >= -EXACT_MAX) this.#sums[cell + which] = sum
    else this.#spill(cell, which, atoms)
  }

  #spill(cell: number, which: number, atoms: Atoms): void {
    const at = cell + which
    const sum = this.#sums[at]!
    const sumUnits = Math.trunc(sum / SPILL)
    const atomsUnits = Math.trunc(atoms / SPILL)
    this.#sums[at] = sum - sumUnits * SPILL + (atoms - atomsUnits * SPILL)
    this.#spilled[at] = this.#spilled[at]! + sumUnits + atomsUnits
    this.#sums[cell + MARK] = SPILLED
  }

  #clear(cell: number, which: number): void {
    this.#sums[cell + which] = 0
    if (this.#sums[cell + MARK] === SPILLED) this.#spilled[cell + which] = 0
  }

  /** change[word], change[word + 1] += sign × the sum at `at`. */
  #addTo(change: Int32Array, word: number, at: number, sign: number): void {
    addInt64(change, word, sign * this.#sums[at]!)
    const high = sign * this.#spilled[at]! * SPILL_HIGH_WORDS
    if (high !== 0) change[word + 1] = change[word + 1]! + high
  }
}
