/**
 * Commissions of one asset: a rate of what a fill receives, rounded half up to the 8 decimals that the
 * wire shows, though the asset's atoms may be finer (supplement 2c.8). Never more than what is received.
 */
import * as fixed from '#base/fixed.ts'
import { RATE_DECIMALS, WIRE_DECIMALS } from '#base/limits.ts'
import type { AssetSpec } from '#base/listing.ts'

// V8 folds a module's own constants into its code, but reads imported ones again at each use.
const { multiplyDivideHalfUp, powerOfTen } = fixed

/** Reduced fractions kept, by the rate's low bits: an exchange knows a handful of rates. */
const CACHED = 16

export class Commission {
  /** Atoms of 10^-8 of the asset: what a commission is a multiple of. */
  readonly #stepAtoms: number
  readonly #rates = new Int32Array(CACHED).fill(-1)
  readonly #numerators = new Float64Array(CACHED)
  readonly #denominators = new Float64Array(CACHED)

  constructor(asset: AssetSpec) {
    this.#stepAtoms = powerOfTen(asset.decimals - WIRE_DECIMALS)
  }

  /** Commission on `atoms` received, at `rate` in 1e-8. */
  of(atoms: number, rate: number): number {
    if (rate === 0) return 0
    const slot = rate & (CACHED - 1)
    if (this.#rates[slot] !== rate) this.#reduce(slot, rate)
    const steps = multiplyDivideHalfUp(atoms, this.#numerators[slot]!, this.#denominators[slot]!)
    return Math.min(steps * this.#stepAtoms, atoms)
  }

  /** rate / 10^8 / stepAtoms in lowest terms, so that products stay small and plain arithmetic. */
  #reduce(slot: number, rate: number): void {
    const denominator = powerOfTen(RATE_DECIMALS) * this.#stepAtoms
    const divisor = greatestCommonDivisor(denominator, rate)
    this.#rates[slot] = rate
    this.#numerators[slot] = rate / divisor
    this.#denominators[slot] = denominator / divisor
  }
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
