/**
 * Commissions on one received asset, paid in the exchange's discount asset at last prices: an exact
 * fraction, rounded half up once, to a whole atom (faqs/commission_faq.md).
 */
import { INT64_MAX, int64 } from '../../base/int64.ts'
import { RATE_DECIMALS } from '../../base/limits.ts'
import { Atoms } from '../../base/units.ts'
import { Conversion } from '../../market/conversion.ts'
import type { AssetSpec, SymbolSpec } from '../../market/listing.ts'
import type { LastPrices } from './last-prices.ts'

/** A rate of 1e-8 times a discount of 1e-8. */
const RATE_UNIT = 10n ** BigInt(2 * RATE_DECIMALS)

export class DiscountedCommission {
  /** What is received is the discount asset itself. */
  readonly isReceived: boolean
  private readonly conversion: Conversion

  constructor(
    symbols: readonly SymbolSpec[],
    lastPrices: LastPrices,
    received: AssetSpec,
    discount: AssetSpec,
  ) {
    this.isReceived = received.id === discount.id
    this.conversion = new Conversion(symbols, lastPrices, received.id, discount.id)
  }

  /**
   * Atoms of the discount asset due on `atoms` received, at `rate` in 1e-16; -1 when there is no price
   * to convert at, or for more than 64 bits carry.
   */
  of(atoms: Atoms, rate: number): Atoms {
    const conversion = this.conversion
    if (!conversion.find()) return Atoms(-1)
    const due = BigInt(atoms) * BigInt(rate) * conversion.numerator
    const unit = RATE_UNIT * conversion.denominator
    const paid = (2n * due + unit) / (2n * unit)
    return Atoms(paid <= INT64_MAX ? int64(paid) : -1)
  }
}
