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

/** Words of a sum: free and locked. */
const SUM_WORDS = 4
const LOCKED = 2
/** Words of a balance: the last block that had effects on it, then its sum. */
const CELL_WORDS = 1 + SUM_WORDS
/**
 * Accounts of a page: few exchanges use a large part of the balances that they may have. Pages also keep the
 * allocator sound: it never trims its arenas again once a buffer of 16 MiB was freed.
 */
const PAGE_ACCOUNTS = 1024
/** A page's number, a place in it, and the words of the sum there. */
const BEFORE_NUMBERS = 2 + SUM_WORDS

export class EffectSums implements EffectSink {
  private readonly accountPages: number
  /** At asset × accountPages + account's page; within one, the account's cell. Undefined until it is used. */
  private readonly pages: (Int32Array | undefined)[]
  /** By account: when its balances last changed. */
  private readonly changedMs: Doubles<Ms>
  /** Number and time of the block under way. */
  private block = 0
  private timeMs = Ms(0)
  /** Balances with effects of the block, by page and place, each with its words before it. */
  private readonly before: number[] = []

  constructor(accountsMax: number, assetsMax: number) {
    this.accountPages = Math.ceil(accountsMax / PAGE_ACCOUNTS)
    this.pages = new Array<undefined>(this.accountPages * assetsMax).fill(undefined)
    this.changedMs = Doubles<Ms>(new Float64Array(accountsMax))
  }

  /** The effects of a block of this time follow. */
  beginBlock(timeMs: Ms): void {
    this.block = (this.block + 1) | 0
    this.timeMs = timeMs
    this.before.length = 0
  }

  addRecovered(account: AccountId, asset: AssetId, freeAtoms: Atoms, lockedAtoms: Atoms): void {
    const number = this.pageOf(account, asset)
    const page = this.page(number)
    const at = cellOf(account)
    if (page[at - 1] !== this.block) this.touch(number, page, at)
    addInt64(page, at, freeAtoms)
    addInt64(page, at + LOCKED, lockedAtoms)
  }

  endBlock(): void {
    const before = this.before
    for (let i = 0; i < before.length; i += BEFORE_NUMBERS) {
      const number = before[i]!
      const at = before[i + 1]!
      const page = this.page(number)
      let word = 0
      while (word < SUM_WORDS && page[at + word] === before[i + 2 + word]) word++
      if (word < SUM_WORDS) this.mark(this.accountAt(number, at))
    }
  }

  /** Adds all sums to the ledger, each balance once. */
  settle(balances: Balances): void {
    const change = new Int32Array(CHANGE_WORDS)
    this.visit((account, asset, page, at) => {
      change.set(page.subarray(at, at + SUM_WORDS))
      balances.settleWords(account, asset, change)
    })
    for (let account = 0; account < this.changedMs.length; account++) {
      balances.markChanged(AccountId(account), Ms(this.changedMs[account]!))
    }
  }

  write(image: ImageWriter): void {
    let cells = 0
    this.visit(() => cells++)
    image.word(cells)
    this.visit((account, asset, page, at) => {
      image.word(account)
      image.word(asset)
      image.words(page, at, SUM_WORDS)
    })
    image.word(this.changedMs.reduce((sum, timeMs) => (timeMs === 0 ? sum : sum + 1), 0))
    for (let account = 0; account < this.changedMs.length; account++) {
      const timeMs = this.changedMs[account]!
      if (timeMs === 0) continue
      image.word(account)
      image.double(timeMs)
    }
  }

  /** Adds what a snapshot holds. */
  read(image: ImageReader): void {
    const words = new Int32Array(SUM_WORDS)
    for (let left = image.word(); left > 0; left--) {
      const account = AccountId(image.word())
      const page = this.page(this.pageOf(account, AssetId(image.word())))
      const at = cellOf(account)
      image.words(words, 0, SUM_WORDS)
      addInt64(page, at, readInt64(words, 0))
      addInt64(page, at + LOCKED, readInt64(words, LOCKED))
    }
    for (let left = image.word(); left > 0; left--) {
      const account = image.word()
      this.changedMs[account] = Ms(Math.max(this.changedMs[account]!, image.double()))
    }
  }

  /** Takes the later time of both for each account. */
  takeLaterTimes(other: EffectSums): void {
    for (const [account, timeMs] of other.changedMs.entries()) {
      if (this.changedMs[account]! < timeMs) this.changedMs[account] = Ms(timeMs)
    }
  }

  private pageOf(account: AccountId, asset: AssetId): number {
    return asset * this.accountPages + Math.floor(account / PAGE_ACCOUNTS)
  }

  private page(number: number): Int32Array {
    let page = this.pages[number]
    if (page === undefined) {
      page = new Int32Array(PAGE_ACCOUNTS * CELL_WORDS)
      this.pages[number] = page
    }
    return page
  }

  private accountAt(number: number, at: number): AccountId {
    const first = (number % this.accountPages) * PAGE_ACCOUNTS
    return AccountId(first + (at - 1) / CELL_WORDS)
  }

  private touch(number: number, page: Int32Array, at: number): void {
    page[at - 1] = this.block
    this.before.push(number, at, page[at]!, page[at + 1]!, page[at + 2]!, page[at + 3]!)
  }

  private mark(account: AccountId): void {
    if (this.changedMs[account]! < this.timeMs) this.changedMs[account] = this.timeMs
  }

  /** Every balance that is not as if nothing had happened, by asset and account, with the place of its sum. */
  private visit(
    visit: (account: AccountId, asset: AssetId, page: Int32Array, at: number) => void,
  ): void {
    for (const [number, page] of this.pages.entries()) {
      if (page === undefined) continue
      const asset = AssetId(Math.floor(number / this.accountPages))
      for (let at = 1; at < page.length; at += CELL_WORDS) {
        if ((page[at]! | page[at + 1]! | page[at + 2]! | page[at + 3]!) === 0) continue
        visit(this.accountAt(number, at), asset, page, at)
      }
    }
  }
}

/** Place of the account's sum in its page, behind the cell's first word. */
const cellOf = (account: AccountId): number => (account % PAGE_ACCOUNTS) * CELL_WORDS + 1
