/**
 * Credits accounts for orders that trade (rest-api.md, limits, Unfilled order count): an order's first fill,
 * seen in the events, lowers its owner's count. Every gateway sees every event, and exactly one gateway
 * credits an account. A gateway that missed events credits nothing for them: the count is too high until
 * its interval ends, never too low.
 */
import type { Clock } from '../../base/time.ts'
import type { AccountId } from '../../base/units.ts'
import { Allocation, Trade } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { RateLimits } from './rate-limits.ts'

export class OrderCredits {
  private readonly gateway: number
  private readonly gateways: number
  private readonly rateLimits: RateLimits
  private readonly clock: Clock

  constructor(gateway: number, gateways: number, rateLimits: RateLimits, clock: Clock) {
    this.gateway = gateway
    this.gateways = gateways
    this.rateLimits = rateLimits
    this.clock = clock
  }

  record(buffer: RecordBuffer, at: number): void {
    if (recordType(buffer, at) === Allocation.type) {
      const isFirst =
        Allocation.takerFilledLots(buffer, at) === Allocation.allocatedLots(buffer, at)
      if (isFirst) this.credit(Allocation.takerAccount(buffer, at), false)
    }
    if (recordType(buffer, at) !== Trade.type) return
    const lots = Trade.tradeLots(buffer, at)
    if (Trade.takerFilledLots(buffer, at) === lots) {
      this.credit(Trade.takerAccount(buffer, at), false)
    }
    if (Trade.makerFilledLots(buffer, at) === lots) {
      this.credit(Trade.makerAccount(buffer, at), true)
    }
  }

  private credit(account: AccountId, isMaker: boolean): void {
    if (account % this.gateways !== this.gateway) return
    this.rateLimits.creditFill(account, isMaker, this.clock.nowMs())
  }
}
