/**
 * What many journaled events together do to balances, in private memory: a recovery adds up here and
 * touches each shared balance once, at its end; a snapshot holds the sums of all events before it.
 * Deposits are none of them. Sums may pass below zero: who holds what is known only with the deposits
 * and all other symbols.
 *
 * An account's balances changed with a block when one of them differs at its end, as `Holds.settle` has it.
 *
 * A sum wraps at 64 bits, and comes out right: together with the deposits it is a balance, which has fewer.
 */
import { addInt64, readInt64 } from '../../base/int64.ts'
import { AccountId, AssetId, type Atoms, Doubles, Ms } from '../../base/units.ts'
import type { ImageReader, ImageWriter } from '../../layout/image.ts'
import { type Balances, CHANGE_WORDS } from './balances.ts'
import type { EffectSink } from './effects.ts'

/** Words of a balance: free and locked. */
const SUM_WORDS = 4
const LOCKED = 2
/** A place and its words. */
const BEFORE_NUMBERS = 1 + SUM_WORDS

export class EffectSums implements EffectSink {
  private readonly accountsMax: number
  /** At (asset × accountsMax + account) × SUM_WORDS. */
  private readonly sums: Int32Array
  /** By account: when its balances last changed. */
  private readonly changedMs: Doubles<Ms>
  /** Number and time of the block under way. */
  private block = 0
  private timeMs = Ms(0)
  /** By balance: the last block that had effects on it. */
  private readonly blocks: Int32Array
  /** Balances with effects of the block, by place in `sums`, each with its words before it. */
  private readonly before: number[] = []

  constructor(accountsMax: number, assetsMax: number) {
    this.accountsMax = accountsMax
    this.blocks = new Int32Array(accountsMax * assetsMax)
    this.sums = new Int32Array(accountsMax * assetsMax * SUM_WORDS)
    this.changedMs = Doubles<Ms>(new Float64Array(accountsMax))
  }

  /** The effects of a block of this time follow. */
  beginBlock(timeMs: Ms): void {
    this.block = (this.block + 1) | 0
    this.timeMs = timeMs
    this.before.length = 0
  }

  addRecovered(account: AccountId, asset: AssetId, freeAtoms: Atoms, lockedAtoms: Atoms): void {
    const cell = asset * this.accountsMax + account
    const at = cell * SUM_WORDS
    if (this.blocks[cell] !== this.block) this.touch(cell, at)
    addInt64(this.sums, at, freeAtoms)
    addInt64(this.sums, at + LOCKED, lockedAtoms)
  }

  endBlock(): void {
    const before = this.before
    const sums = this.sums
    for (let i = 0; i < before.length; i += BEFORE_NUMBERS) {
      const at = before[i]!
      let word = 0
      while (word < SUM_WORDS && sums[at + word] === before[i + 1 + word]) word++
      if (word < SUM_WORDS) this.mark((at / SUM_WORDS) % this.accountsMax)
    }
  }

  /** Adds all sums to the ledger, each balance once. */
  settle(balances: Balances): void {
    const change = new Int32Array(CHANGE_WORDS)
    this.visit((account, asset, at) => {
      change.set(this.sums.subarray(at, at + SUM_WORDS))
      balances.settleWords(account, asset, change)
    })
    for (const [account, timeMs] of this.changedMs.entries()) {
      balances.markChanged(AccountId(account), Ms(timeMs))
    }
  }

  write(image: ImageWriter): void {
    let cells = 0
    this.visit(() => cells++)
    image.word(cells)
    this.visit((account, asset, at) => {
      image.word(account)
      image.word(asset)
      image.words(this.sums, at, SUM_WORDS)
    })
    const changed = [...this.changedMs.entries()].filter(([, timeMs]) => timeMs !== 0)
    image.word(changed.length)
    for (const [account, timeMs] of changed) {
      image.word(account)
      image.double(timeMs)
    }
  }

  /** Adds what a snapshot holds. */
  read(image: ImageReader): void {
    const words = new Int32Array(SUM_WORDS)
    for (let left = image.word(); left > 0; left--) {
      const account = image.word()
      const at = (image.word() * this.accountsMax + account) * SUM_WORDS
      image.words(words, 0, SUM_WORDS)
      addInt64(this.sums, at, readInt64(words, 0))
      addInt64(this.sums, at + LOCKED, readInt64(words, LOCKED))
    }
    for (let left = image.word(); left > 0; left--) {
      const account = image.word()
      this.changedMs[account] = Ms(Math.max(this.changedMs[account]!, image.double()))
    }
  }

  /** Of each account the later time of both. */
  takeLaterTimes(other: EffectSums): void {
    for (const [account, timeMs] of other.changedMs.entries()) {
      if (this.changedMs[account]! < timeMs) this.changedMs[account] = Ms(timeMs)
    }
  }

  private touch(cell: number, at: number): void {
    const sums = this.sums
    this.blocks[cell] = this.block
    this.before.push(at, sums[at]!, sums[at + 1]!, sums[at + 2]!, sums[at + 3]!)
  }

  private mark(account: number): void {
    if (this.changedMs[account]! < this.timeMs) this.changedMs[account] = this.timeMs
  }

  /** Every balance that is not as if nothing had happened, with its place. */
  private visit(visit: (account: AccountId, asset: AssetId, at: number) => void): void {
    const sums = this.sums
    for (let at = 0; at < sums.length; at += SUM_WORDS) {
      if ((sums[at]! | sums[at + 1]! | sums[at + 2]! | sums[at + 3]!) === 0) continue
      const cell = at / SUM_WORDS
      const asset = Math.floor(cell / this.accountsMax)
      visit(AccountId(cell - asset * this.accountsMax), AssetId(asset), at)
    }
  }
}
