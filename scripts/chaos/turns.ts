/** The faults of a run, one after another. */
import type { Prng } from '../../src/base/prng.ts'

/** Returns the next fault: of the plan, in turn; without one any, in an order that the seed decides. */
export function turnsOf<Fault>(
  plan: readonly Fault[] | undefined,
  all: readonly Fault[],
  prng: Prng,
): () => Fault {
  let taken = 0
  /** Faults that were not drawn since all were. */
  let undrawn: readonly Fault[] = []
  return () => {
    if (plan !== undefined) return plan[taken++ % plan.length]!
    if (undrawn.length === 0) undrawn = all
    const fault = prng.pick(undrawn)
    undrawn = undrawn.filter((other) => other !== fault)
    return fault
  }
}
