/** The faults of a run, one after another. */
import type { Prng } from '../../src/base/prng.ts'

export class Turns<Fault> {
  private readonly plan: readonly Fault[] | undefined
  private readonly all: readonly Fault[]
  private readonly prng: Prng
  private taken = 0
  /** Faults that were not drawn since all were. */
  private undrawn: readonly Fault[] = []

  /** Faults of the plan come in turn. Without a plan all do, in an order that the seed decides. */
  constructor(plan: readonly Fault[] | undefined, all: readonly Fault[], prng: Prng) {
    this.plan = plan
    this.all = all
    this.prng = prng
  }

  next(): Fault {
    if (this.plan !== undefined) return this.plan[this.taken++ % this.plan.length]!
    if (this.undrawn.length === 0) this.undrawn = this.all
    const fault = this.prng.pick(this.undrawn)
    this.undrawn = this.undrawn.filter((other) => other !== fault)
    return fault
  }
}
