/**
 * The money of orders: takes what an order has to lock from what its account has free, and gives it back.
 * BUY locks the quote asset, SELL the base asset.
 */
import { RejectReason, Side } from '../../base/codes.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { Holds } from '../ledger/holds.ts'
import { ADMITTED, type Verdict } from './verdict.ts'

export class OrderFunds {
  readonly #holds: Holds
  readonly #baseId: number
  readonly #quoteId: number

  constructor(holds: Holds, spec: SymbolSpec) {
    this.#holds = holds
    this.#baseId = spec.base.id
    this.#quoteId = spec.quote.id
  }

  /** Free becomes locked, unless the account has too little. */
  hold(account: number, side: number, atoms: number): Verdict {
    const isHeld = this.#holds.hold(account, this.#paidWith(side), atoms)
    return isHeld ? ADMITTED : RejectReason.INSUFFICIENT_BALANCE
  }

  /** Locked becomes free. */
  release(account: number, side: number, atoms: number): void {
    if (atoms !== 0) this.#holds.release(account, this.#paidWith(side), atoms)
  }

  #paidWith(side: number): number {
    return side === Side.BUY ? this.#quoteId : this.#baseId
  }
}
