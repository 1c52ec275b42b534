/**
 * Commissions: a rate of what a fill receives, rounded half up to a whole atom (faqs/commission_faq.md). Never
 * more than what is received.
 */
import { greatestCommonDivisor, multiplyDivideHalfUp, powerOfTen } from '../../base/fixed.ts'
import { least } from '../../base/int64.ts'
import { RATE_DECIMALS } from '../../base/limits.ts'
import { Atoms } from '../../base/units.ts'

/** Reduced fractions kept, by the rate's low bits: an exchange knows a handful of rates. */
const CACHED = 16

export class Commission {
  private readonly rates = new Int32Array(CACHED).fill(-1)
  private readonly numerators = new Float64Array(CACHED)
  private readonly denominators = new Float64Array(CACHED)

  /** Commission on `atoms` received, at `rate` in 1e-8. */
  of(atoms: Atoms, rate: number): Atoms {
    if (rate === 0) return Atoms(0)
    const slot = rate & (CACHED - 1)
    if (this.rates[slot] !== rate) this.reduce(slot, rate)
    const due = multiplyDivideHalfUp(atoms, this.numerators[slot]!, this.denominators[slot]!)
    return least(Atoms(due), atoms)
  }

  /** rate / 10^8 in lowest terms, so that products stay small and plain arithmetic. */
  private reduce(slot: number, rate: number): void {
    const denominator = powerOfTen(RATE_DECIMALS)
    const divisor = greatestCommonDivisor(denominator, rate)
    this.rates[slot] = rate
    this.numerators[slot] = rate / divisor
    this.denominators[slot] = denominator / divisor
  }
}
