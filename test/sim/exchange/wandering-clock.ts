/** The exchange's clock: continues, steps now and then, and is wrong by hours at times. */
import type { ManualClock } from '../../../src/base/manual-time.ts'
import type { Prng } from '../../../src/base/prng.ts'
import { Ms } from '../../../src/base/units.ts'
import { HOUR_MS } from '../../../src/market/intervals.ts'

export class WanderingClock {
  /** The latest time that it ever showed. */
  latestMs: Ms
  private readonly beganMs: Ms
  private readonly time: ManualClock
  private readonly prng: Prng
  private readonly count: (what: string) => void

  constructor(time: ManualClock, prng: Prng, count: (what: string) => void) {
    this.time = time
    this.prng = prng
    this.count = count
    this.beganMs = time.wallMs
    this.latestMs = time.wallMs
  }

  /** In each step of the simulation. */
  tick(): void {
    const prng = this.prng
    this.advance(prng.chance(0.01) ? prng.between(20, 200) : prng.below(3))
    if (prng.chance(0.004)) {
      this.time.wallMs = Ms(this.time.wallMs + prng.between(-60, 60))
      this.count('clock step')
    }
    if (prng.chance(0.001)) this.set()
    this.note()
  }

  advance(ms: number): void {
    this.time.advance(ms)
    this.note()
  }

  /** It is wrong by hours from now on, or right again. */
  set(): void {
    const wrongMs = this.prng.pick([0, 0, 1, 3, -2]) * HOUR_MS
    this.time.wallMs = Ms(this.beganMs + this.time.passedMs + wrongMs)
    this.note()
    this.count('clock set')
  }

  /** Shows the latest time that it ever showed. */
  catchUp(): void {
    this.time.wallMs = this.latestMs
  }

  private note(): void {
    this.latestMs = Ms(Math.max(this.latestMs, this.time.wallMs))
  }
}
