/**
 * One matcher's overlay of the shared ledger: the balance changes of the batch that it is executing,
 * in private memory. The shared ledger sees them when the batch is journaled (`settle`), and until
 * then only the holds taken from it. What the batch itself credited or released is its *surplus*, and
 * may be spent by later orders of the batch: it stands before them in the same journal.
 *
 * Four numbers a balance: surplus (what the batch may still spend of its own), held (taken from the
 * shared cell), locked (change of locked), and a mark: whether it is on the list of touched ones. At every
 * moment the change of free is surplus - held. Sums that outgrow 2^53 - 1 spill into a second array in
 * units of 2^52, so the usual addition is one floating-point add and two comparisons. The mark tells
 * which balances use that array (bench `engine`).
 */
import { int64, isMore, minus, negative, plus } from '../../base/int64.ts'
import { AccountId, AssetId, Atoms, Ms } from '../../base/units.ts'
import type { Balances } from './balances.ts'

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
const SPILL = 2n ** 52n

export class Holds {
  private readonly balances: Balances
  private readonly accountsMax: number
  private readonly sums: Float64Array
  private readonly spilled: Float64Array
  private readonly touched: Int32Array
  private touchedCount = 0

  constructor(balances: Balances, accountsMax: number, assetsMax: number) {
    this.balances = balances
    this.accountsMax = accountsMax
    this.sums = new Float64Array(accountsMax * assetsMax * CELL)
    this.spilled = new Float64Array(accountsMax * assetsMax * CELL)
    this.touched = new Int32Array(accountsMax * assetsMax)
  }

  /**
   * Free becomes locked, for an order. Takes the batch's own surplus first, then uses the shared
   * ledger. False, with nothing changed, when both together are too little.
   */
  hold(account: AccountId, asset: AssetId, atoms: Atoms): boolean {
    const cell = this.touch(account, asset)
    const surplus = this.surplusOf(cell)
    if (!isMore(atoms, surplus)) {
      this.add(cell, SURPLUS, negative(atoms))
    } else {
      const missing = minus(atoms, surplus)
      if (!this.balances.hold(account, asset, missing)) return false
      this.add(cell, HELD, missing)
      this.clear(cell, SURPLUS)
    }
    this.add(cell, LOCKED, atoms)
    return true
  }

  /** Locked becomes free. */
  release(account: AccountId, asset: AssetId, atoms: Atoms): void {
    const cell = this.touch(account, asset)
    this.add(cell, LOCKED, negative(atoms))
    this.add(cell, SURPLUS, atoms)
  }

  /** Locked is paid away. */
  spend(account: AccountId, asset: AssetId, atoms: Atoms): void {
    this.add(this.touch(account, asset), LOCKED, negative(atoms))
  }

  /** Free is received. */
  credit(account: AccountId, asset: AssetId, atoms: Atoms): void {
    this.add(this.touch(account, asset), SURPLUS, atoms)
  }

  /** What `hold` could take now. */
  available(account: AccountId, asset: AssetId): Atoms {
    const cell = this.touch(account, asset)
    return plus(this.surplusOf(cell), this.balances.available(account, asset))
  }

  /** Free and locked together, with what the batch has changed. */
  owned(account: AccountId, asset: AssetId): bigint {
    const cell = this.touch(account, asset)
    const change = this.exact(cell + SURPLUS) - this.exact(cell + HELD) + this.exact(cell + LOCKED)
    return this.balances.owned(account, asset) + change
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
    for (let i = 0; i < this.touchedCount; i++) {
      const index = this.touched[i]!
      if (this.settleCell(index, flushed, timeMs)) this.touched[kept++] = index
    }
    this.touchedCount = kept
  }

  /** Returns whether a surplus is kept. */
  private settleCell(index: number, flushed: boolean, timeMs: Ms): boolean {
    const sums = this.sums
    const cell = index * CELL
    // Not Math.floor: this way V8 divides integers.
    const asset = AssetId((index / this.accountsMax) | 0)
    const account = AccountId(index - asset * this.accountsMax)
    const surplus = sums[cell + SURPLUS]!
    const held = sums[cell + HELD]!
    const locked = sums[cell + LOCKED]!
    const free = surplus - held
    if (this.hasSpilled(cell) || free > EXACT_MAX || free < -EXACT_MAX) {
      return this.settleSpilled(account, asset, cell, flushed, timeMs)
    }
    const returned = flushed ? held : -free
    if (free !== 0 || locked !== 0) {
      this.balances.settle(account, asset, Atoms(free), Atoms(locked), Atoms(returned))
      this.balances.markChanged(account, timeMs)
    } else if (returned !== 0)
      this.balances.settle(account, asset, Atoms(0), Atoms(0), Atoms(returned))
    const isKept = !flushed && surplus !== 0
    if (!isKept) sums[cell + SURPLUS] = 0
    sums[cell + HELD] = isKept ? surplus : 0
    sums[cell + LOCKED] = 0
    sums[cell + MARK] = isKept ? TOUCHED : UNTOUCHED
    return isKept
  }

  /** As `settleCell`, where a sum outgrew a number. */
  private settleSpilled(
    account: AccountId,
    asset: AssetId,
    cell: number,
    flushed: boolean,
    timeMs: Ms,
  ): boolean {
    const sums = this.sums
    const spilled = this.spilled
    const held = this.exact(cell + HELD)
    const free = this.exact(cell + SURPLUS) - held
    const returned = flushed ? held : -free
    const locked = this.exact(cell + LOCKED)
    this.balances.move(account, asset, free, locked, returned)
    if (free !== 0n || locked !== 0n) this.balances.markChanged(account, timeMs)
    const isKept = !flushed && (sums[cell + SURPLUS] !== 0 || spilled[cell + SURPLUS] !== 0)
    if (!isKept) this.clear(cell, SURPLUS)
    sums[cell + HELD] = sums[cell + SURPLUS]!
    spilled[cell + HELD] = spilled[cell + SURPLUS]!
    this.clear(cell, LOCKED)
    sums[cell + MARK] = isKept ? SPILLED : UNTOUCHED
    return isKept
  }

  private hasSpilled(cell: number): boolean {
    if (this.sums[cell + MARK] !== SPILLED) return false
    const spilled = this.spilled
    return (
      spilled[cell + SURPLUS] !== 0 || spilled[cell + HELD] !== 0 || spilled[cell + LOCKED] !== 0
    )
  }

  private touch(account: AccountId, asset: AssetId): number {
    const index = asset * this.accountsMax + account
    const cell = index * CELL
    if (this.sums[cell + MARK] === UNTOUCHED) {
      this.sums[cell + MARK] = TOUCHED
      this.touched[this.touchedCount++] = index
    }
    return cell
  }

  private surplusOf(cell: number): Atoms {
    return Atoms(
      this.sums[cell + MARK] === SPILLED
        ? int64(this.exact(cell + SURPLUS))
        : this.sums[cell + SURPLUS]!,
    )
  }

  private add(cell: number, which: number, atoms: Atoms): void {
    const at = cell + which
    const sums = this.sums
    if (typeof atoms === 'number') {
      const sum = sums[at]! + atoms
      if (sum < 2 ** 53 && sum > -(2 ** 53)) {
        sums[at] = sum
        return
      }
    }
    this.spill(cell, at, atoms)
  }

  private spill(cell: number, at: number, atoms: Atoms): void {
    const exact = this.exact(at) + BigInt(atoms)
    const units = exact / SPILL
    this.spilled[at] = Number(units)
    this.sums[at] = Number(exact - units * SPILL)
    this.sums[cell + MARK] = SPILLED
  }

  private exact(at: number): bigint {
    return BigInt(this.sums[at]!) + BigInt(this.spilled[at]!) * SPILL
  }

  private clear(cell: number, which: number): void {
    this.sums[cell + which] = 0
    if (this.sums[cell + MARK] === SPILLED) this.spilled[cell + which] = 0
  }
}
