/**
 * What the matcher must know of each account, as columns: its trade group and its commission rates.
 * Written when an account is opened or changed by the control journal, before any of its commands.
 */
import type { AccountSpec } from '#base/listing.ts'

export class AccountTable {
  readonly tradeGroupId: Int32Array
  readonly makerRate: Int32Array
  readonly takerRate: Int32Array
  readonly buyerRate: Int32Array
  readonly sellerRate: Int32Array
  /** 1 when the account may trade. */
  readonly canTrade: Uint8Array

  constructor(accountsMax: number) {
    this.tradeGroupId = new Int32Array(accountsMax).fill(-1)
    this.makerRate = new Int32Array(accountsMax)
    this.takerRate = new Int32Array(accountsMax)
    this.buyerRate = new Int32Array(accountsMax)
    this.sellerRate = new Int32Array(accountsMax)
    this.canTrade = new Uint8Array(accountsMax)
  }

  set(account: AccountSpec): void {
    this.tradeGroupId[account.id] = account.tradeGroupId
    this.makerRate[account.id] = account.makerRate
    this.takerRate[account.id] = account.takerRate
    this.buyerRate[account.id] = account.buyerRate
    this.sellerRate[account.id] = account.sellerRate
    this.canTrade[account.id] = account.canTrade ? 1 : 0
  }

  /** Whether orders of the two accounts must not trade with each other (supplement 2c.7). */
  sameOwner(a: number, b: number): boolean {
    if (a === b) return true
    const group = this.tradeGroupId[a]!
    return group >= 0 && group === this.tradeGroupId[b]!
  }
}
