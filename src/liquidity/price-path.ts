/**
 * The price that the market maker believes in: a random walk of logarithms that returns to its anchor (Ornstein
 * and Uhlenbeck), so that it never moves far away. The caller passes the elapsed time, so the same seed
 * and the same times give the same prices.
 */
import type { Prng } from '../base/prng.ts'

const HOUR_MS = 3_600_000
/** The share of the way back to the anchor that is expected in an hour. */
const RETURN_PER_HOUR = 0.25
const BPS = 10_000

export class PricePath {
  private readonly prng: Prng
  private readonly anchor: number
  private readonly deviation: number
  /** Logarithm of price over anchor. */
  private away: number

  constructor(prng: Prng, anchor: number, start: number, volatilityBps: number) {
    this.prng = prng
    this.anchor = anchor
    this.deviation = volatilityBps / BPS
    this.away = Math.log(start / anchor)
  }

  get price(): number {
    return this.anchor * Math.exp(this.away)
  }

  advance(ms: number): void {
    const hours = ms / HOUR_MS
    const back = Math.exp(-RETURN_PER_HOUR * hours)
    this.away = this.away * back + this.deviation * Math.sqrt(hours) * normal(this.prng)
  }
}

/** Normally distributed (Box and Muller). */
function normal(prng: Prng): number {
  const radius = Math.sqrt(-2 * Math.log(1 - prng.unit()))
  return radius * Math.cos(2 * Math.PI * prng.unit())
}
