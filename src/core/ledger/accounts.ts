/**
 * What the matcher must know of each account, as columns: its trade group and its commission rates.
 * Written when an account is opened or changed by the control journal, before any of its commands.
 */
import type { AccountId } from '../../base/units.ts'
import type { AccountSpec } from '../../market/listing.ts'
import { RATES, standardRates, sumRates } from '../../market/rates.ts'

export class AccountTable {
  readonly tradeGroupId: Int32Array
  /** At account × RATES + rateIndex, 1e-8. */
  readonly standardRates: Int32Array
  /** 1 when the account pays commissions in the discount asset where it can. */
  readonly discountEnabled: Uint8Array
  /** 1 while the account may add orders: it may trade and is not frozen. */
  readonly canTrade: Uint8Array
  /** The most open orders on all symbols; 0 for as many as the exchange allows. */
  readonly openOrdersMax: Int32Array
  /** Accounts of each trade group. */
  private readonly members = new Map<number, Set<AccountId>>()

  constructor(accountsMax: number) {
    this.tradeGroupId = new Int32Array(accountsMax).fill(-1)
    this.standardRates = new Int32Array(accountsMax * RATES)
    this.discountEnabled = new Uint8Array(accountsMax)
    this.canTrade = new Uint8Array(accountsMax)
    this.openOrdersMax = new Int32Array(accountsMax)
  }

  set(account: AccountSpec): void {
    this.join(account)
    this.standardRates.set(sumRates(standardRates(account)), account.id * RATES)
    this.discountEnabled[account.id] = account.discountEnabled ? 1 : 0
    this.canTrade[account.id] = account.canTrade && !account.frozen ? 1 : 0
    this.openOrdersMax[account.id] = account.limits?.openOrders ?? 0
  }

  /** The account, or all of its trade group: those whose orders must not trade with its own. */
  ownersOf(account: AccountId): Iterable<AccountId> {
    return this.members.get(this.tradeGroupId[account]!) ?? [account]
  }

  private join({ id, tradeGroupId }: AccountSpec): void {
    const before = this.tradeGroupId[id]!
    if (before === tradeGroupId) return
    this.members.get(before)?.delete(id)
    this.tradeGroupId[id] = tradeGroupId
    if (tradeGroupId < 0) return
    const group = this.members.get(tradeGroupId)
    if (group === undefined) this.members.set(tradeGroupId, new Set([id]))
    else group.add(id)
  }

  /** Whether orders of the two accounts must not trade with each other (faqs/stp_faq.md). */
  sameOwner(a: number, b: number): boolean {
    if (a === b) return true
    const group = this.tradeGroupId[a]!
    return group >= 0 && group === this.tradeGroupId[b]!
  }
}
