/**
 * What many journaled events together do to balances, in private memory: a recovery adds up here and
 * touches each shared balance once, at its end; a snapshot holds the sums of all events before it.
 * Deposits are none of them. Sums may pass below zero: who holds what is known only with the deposits
 * and all other symbols.
 *
 * An account's balances changed with a block when one of them differs at its end, as `Holds.settle` has it.
 *
 * A sum that outgrows 2^53 - 1 spills into a second array in units of 2^52, so the usual addition is
 * one floating-point add and two comparisons (bench `recovery`).
 */
import { bigintToInt64, int64ToBigint } from '../../base/int64.ts'
import { AccountId, AssetId, type Atoms, Doubles, Ms } from '../../base/units.ts'
import type { ImageReader, ImageWriter } from '../../layout/image.ts'
import { type Balances, CHANGE_WORDS } from './balances.ts'
import type { EffectSink } from './effects.ts'

const FREE = 0
const LOCKED = 1
const SUMS = 2
const EXACT_MAX = Number.MAX_SAFE_INTEGER
const SPILL = 2 ** 52
const INT64_WORDS = 2
/** A place, free and locked, each with its spilled units. */
const BEFORE_NUMBERS = 5

export class EffectSums implements EffectSink {
  readonly #accountsMax: number
  /** At (asset × accountsMax + account) × SUMS. */
  readonly #sums: Float64Array
  readonly #spilled: Float64Array
  /** By account: when its balances last changed. */
  readonly #changedMs: Doubles<Ms>
  /** Number and time of the block under way. */
  #block = 0
  #timeMs = Ms(0)
  /** By balance: the last block that had effects on it. */
  readonly #blocks: Int32Array
  /** Balances with effects of the block, by place in `#sums`, each with the four numbers before it. */
  readonly #before: number[] = []

  constructor(accountsMax: number, assetsMax: number) {
    this.#accountsMax = accountsMax
    this.#blocks = new Int32Array(accountsMax * assetsMax)
    this.#sums = new Float64Array(accountsMax * assetsMax * SUMS)
    this.#spilled = new Float64Array(accountsMax * assetsMax * SUMS)
    this.#changedMs = Doubles<Ms>(new Float64Array(accountsMax))
  }

  /** The effects of a block of this time follow. */
  beginBlock(timeMs: Ms): void {
    this.#block = (this.#block + 1) | 0
    this.#timeMs = timeMs
    this.#before.length = 0
  }

  addRecovered(account: AccountId, asset: AssetId, freeAtoms: Atoms, lockedAtoms: Atoms): void {
    const cell = asset * this.#accountsMax + account
    const at = cell * SUMS
    if (this.#blocks[cell] !== this.#block) this.#touch(cell, at)
    this.#add(at + FREE, freeAtoms)
    this.#add(at + LOCKED, lockedAtoms)
  }

  endBlock(): void {
    const before = this.#before
    for (let i = 0; i < before.length; i += BEFORE_NUMBERS) {
      const at = before[i]!
      const isSame =
        this.#equals(at + FREE, before[i + 1]!, before[i + 2]!) &&
        this.#equals(at + LOCKED, before[i + 3]!, before[i + 4]!)
      if (!isSame) this.#mark((at / SUMS) % this.#accountsMax)
    }
  }

  /** Adds all sums to the ledger, each balance once. */
  settle(balances: Balances): void {
    const change = new Int32Array(CHANGE_WORDS)
    this.#visit((account, asset, free, locked) => {
      bigintToInt64(change, 0, free)
      bigintToInt64(change, INT64_WORDS, locked)
      balances.settleWords(account, asset, change)
    })
    for (const [account, timeMs] of this.#changedMs.entries()) {
      balances.markChanged(AccountId(account), Ms(timeMs))
    }
  }

  write(image: ImageWriter): void {
    const words = new Int32Array(2 * INT64_WORDS)
    let cells = 0
    this.#visit(() => cells++)
    image.word(cells)
    this.#visit((account, asset, free, locked) => {
      image.word(account)
      image.word(asset)
      bigintToInt64(words, 0, free)
      bigintToInt64(words, INT64_WORDS, locked)
      image.words(words, 0, words.length)
    })
    const changed = [...this.#changedMs.entries()].filter(([, timeMs]) => timeMs !== 0)
    image.word(changed.length)
    for (const [account, timeMs] of changed) {
      image.word(account)
      image.double(timeMs)
    }
  }

  /** Adds what a snapshot holds. */
  read(image: ImageReader): void {
    const words = new Int32Array(2 * INT64_WORDS)
    for (let left = image.word(); left > 0; left--) {
      const account = image.word()
      const at = (image.word() * this.#accountsMax + account) * SUMS
      image.words(words, 0, words.length)
      this.#addBig(at + FREE, int64ToBigint(words, 0))
      this.#addBig(at + LOCKED, int64ToBigint(words, INT64_WORDS))
    }
    for (let left = image.word(); left > 0; left--) {
      const account = image.word()
      this.#changedMs[account] = Ms(Math.max(this.#changedMs[account]!, image.double()))
    }
  }

  /** Of each account the later time of both. */
  takeLaterTimes(other: EffectSums): void {
    for (const [account, timeMs] of other.#changedMs.entries()) {
      if (this.#changedMs[account]! < timeMs) this.#changedMs[account] = Ms(timeMs)
    }
  }

  #touch(cell: number, at: number): void {
    const sums = this.#sums
    const spilled = this.#spilled
    this.#blocks[cell] = this.#block
    this.#before.push(at, sums[at]!, spilled[at]!, sums[at + LOCKED]!, spilled[at + LOCKED]!)
  }

  #mark(account: number): void {
    if (this.#changedMs[account]! < this.#timeMs) this.#changedMs[account] = this.#timeMs
  }

  /** Whether the sum is `sum` with `spilled` units. One amount may be spilled in several ways. */
  #equals(at: number, sum: number, spilled: number): boolean {
    if (this.#spilled[at] === spilled) return this.#sums[at] === sum
    return this.#exact(at) === exactOf(sum, spilled)
  }

  #add(at: number, atoms: Atoms): void {
    const sum = this.#sums[at]! + atoms
    if (sum <= EXACT_MAX && sum >= -EXACT_MAX) this.#sums[at] = sum
    else this.#addBig(at, BigInt(atoms))
  }

  #addBig(at: number, atoms: bigint): void {
    const exact = this.#exact(at) + atoms
    const units = exact / BigInt(SPILL)
    this.#spilled[at] = Number(units)
    this.#sums[at] = Number(exact - units * BigInt(SPILL))
  }

  #exact(at: number): bigint {
    return exactOf(this.#sums[at]!, this.#spilled[at]!)
  }

  /** Every balance that is not as if nothing had happened. */
  #visit(visit: (account: AccountId, asset: AssetId, free: bigint, locked: bigint) => void): void {
    const sums = this.#sums
    const spilled = this.#spilled
    for (let at = 0; at < sums.length; at += SUMS) {
      if (sums[at] === 0 && sums[at + 1] === 0 && spilled[at] === 0 && spilled[at + 1] === 0) {
        continue
      }
      const free = this.#exact(at + FREE)
      const locked = this.#exact(at + LOCKED)
      const cell = at / SUMS
      const asset = Math.floor(cell / this.#accountsMax)
      visit(AccountId(cell - asset * this.#accountsMax), AssetId(asset), free, locked)
    }
  }
}

const exactOf = (sum: number, spilled: number): bigint =>
  BigInt(sum) + BigInt(spilled) * BigInt(SPILL)
