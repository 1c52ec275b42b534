/**
 * The charge of one request's orders, and the receipt that their command is timed for. Made for each
 * request of an operation that trades; it travels with the request to the command. The first command pays;
 * later commands of the request are free.
 */
import type { OrderCharge } from '../../api/context.ts'
import type { Fault } from '../../api/errors.ts'
import type { AccountId, Ms } from '../../base/units.ts'
import type { RateLimits, Refusal } from '../limits/rate-limits.ts'
import type { Receipt, Receipts } from './receipts.ts'

/** The request, as far as the order count is concerned. */
export interface ChargedRequest {
  readonly account: AccountId
  /** Orders that it enters. */
  readonly orders: number
  readonly nowMs: Ms
  charged(thisSecond: number, thisDay: number): void
  /** Responds that there are too many orders. */
  refused(refusal: Refusal): void
  /** Takes note of what `refused` would be called with; the handler answers instead. */
  wouldRefuse(refusal: Refusal): void
}

export class RequestCharge implements OrderCharge {
  readonly #rateLimits: RateLimits
  readonly #request: ChargedRequest
  readonly #receipts: Receipts
  #receipt: Receipt | undefined
  #isDue = true

  constructor(
    { rateLimits, receipts }: { readonly rateLimits: RateLimits; readonly receipts: Receipts },
    request: ChargedRequest,
    receipt: Receipt | undefined,
  ) {
    this.#rateLimits = rateLimits
    this.#request = request
    this.#receipts = receipts
    this.#receipt = receipt
  }

  get isTimed(): boolean {
    return this.#receipt !== undefined
  }

  refusal(): Fault | undefined {
    if (!this.#isDue) return undefined
    const { account, orders, nowMs } = this.#request
    const refusal = this.#rateLimits.orderRefusal(account, orders, nowMs)
    if (refusal !== undefined) this.#request.wouldRefuse(refusal)
    return refusal?.fault
  }

  waive(): void {
    this.#isDue = false
  }

  pay(): boolean {
    if (!this.#isDue) return true
    this.#isDue = false
    const rateLimits = this.#rateLimits
    const { account, orders, nowMs } = this.#request
    if (!rateLimits.enabled || orders === 0) return true
    const refused = rateLimits.chargeOrders(account, orders, nowMs)
    if (refused === undefined) {
      this.#request.charged(rateLimits.ordersThisSecond, rateLimits.ordersThisDay)
      return true
    }
    this.#request.refused(refused)
    return false
  }

  sent(correlation: number): void {
    const receipt = this.#receipt
    if (receipt === undefined) return
    this.#receipt = undefined
    this.#receipts.sent(receipt, correlation)
  }
}
