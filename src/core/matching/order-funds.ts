/**
 * The money of orders: takes what an order has to lock from what its account has free, gives it back, and
 * moves what is traded.
 * BUY locks the quote asset, SELL the base asset.
 */
import { RejectReason, Side } from '../../base/codes.ts'
import { minus, negative } from '../../base/int64.ts'
import type { AccountId, AssetId, Atoms, BaseAtoms, QuoteAtoms } from '../../base/units.ts'
import { EXCHANGE_ACCOUNT, type SymbolSpec } from '../../market/listing.ts'
import type { Holds } from '../ledger/holds.ts'
import { ADMITTED, type Verdict } from './decision.ts'

export class OrderFunds {
  private readonly holds: Holds
  private readonly baseId: AssetId
  private readonly quoteId: AssetId

  constructor(holds: Holds, spec: SymbolSpec) {
    this.holds = holds
    this.baseId = spec.base.id
    this.quoteId = spec.quote.id
  }

  /** Free becomes locked, unless the account has too little. */
  hold(account: AccountId, side: number, atoms: Atoms): Verdict {
    const isHeld = this.holds.hold(account, this.paidWith(side), atoms)
    return isHeld ? ADMITTED : RejectReason.INSUFFICIENT_BALANCE
  }

  /** What `hold` could take now. */
  available(account: AccountId, side: number): Atoms {
    return this.holds.available(account, this.paidWith(side))
  }

  /** As `hold`; a negative amount becomes free. */
  change(account: AccountId, side: number, atoms: Atoms): Verdict {
    if (atoms > 0) return this.hold(account, side, atoms)
    this.release(account, side, negative(atoms))
    return ADMITTED
  }

  /** Locked becomes free. */
  release(account: AccountId, side: number, atoms: Atoms): void {
    if (atoms !== 0) this.holds.release(account, this.paidWith(side), atoms)
  }

  /**
   * Base and quote atoms change hands. The exchange receives both commissions, each of what its side
   * receives; of what the buyer had locked, `freedAtoms` are needed no more.
   */
  exchange(
    buyer: AccountId,
    seller: AccountId,
    baseAtoms: BaseAtoms,
    quoteAtoms: QuoteAtoms,
    freedAtoms: QuoteAtoms,
    buyerCommission: Atoms,
    sellerCommission: Atoms,
  ): void {
    const holds = this.holds
    if (freedAtoms !== 0) holds.release(buyer, this.quoteId, freedAtoms)
    holds.spend(buyer, this.quoteId, quoteAtoms)
    holds.credit(buyer, this.baseId, minus<Atoms>(baseAtoms, buyerCommission))
    holds.spend(seller, this.baseId, baseAtoms)
    holds.credit(seller, this.quoteId, minus<Atoms>(quoteAtoms, sellerCommission))
    if (buyerCommission !== 0) holds.credit(EXCHANGE_ACCOUNT, this.baseId, buyerCommission)
    if (sellerCommission !== 0) holds.credit(EXCHANGE_ACCOUNT, this.quoteId, sellerCommission)
  }

  private paidWith(side: number): AssetId {
    return side === Side.BUY ? this.quoteId : this.baseId
  }
}
