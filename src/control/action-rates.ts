/**
 * How often an operator below admin may change something: each such action is journaled for good, and every
 * start reads it. Kept in memory: a start forgets it.
 */
import { ActionError } from './action.ts'
import { mayAct, type Operator } from './operators.ts'

/** Actions at once, after a time without any. */
export const ACTS_AT_ONCE = 1_000
/** From one further action to the next. */
export const ACT_MS = 60_000
/** Facts that count as one action: halting all symbols of a large venue is several. */
const FACTS_OF_ACT = 64
const ALL_MS = ACTS_AT_ONCE * ACT_MS

export class ActionRates {
  private readonly elapsedMs: () => number
  /** By operator: when all actions are allowed again. */
  private readonly restedMs = new Map<string, number>()

  /** `elapsedMs` is a monotonic clock. */
  constructor(elapsedMs: () => number) {
    this.elapsedMs = elapsedMs
  }

  /** Throws ActionError when the operator must wait. */
  check(by: Operator): void {
    const waitMs = this.restedAt(by) + ACT_MS - (this.elapsedMs() + ALL_MS)
    if (waitMs <= 0) return
    const seconds = Math.ceil(waitMs / 1_000)
    throw new ActionError(
      `${by.name} has changed something ${ACTS_AT_ONCE} times; try again in ${seconds} seconds.`,
    )
  }

  /** Counts an action that journaled so many facts. */
  count(by: Operator, facts: number): void {
    if (mayAct(by, 'admin')) return
    const nowMs = this.elapsedMs()
    const restedMs = this.restedAt(by)
    for (const [name, atMs] of this.restedMs) if (atMs <= nowMs) this.restedMs.delete(name)
    this.restedMs.set(by.name, restedMs + ACT_MS * Math.ceil(Math.max(1, facts) / FACTS_OF_ACT))
  }

  private restedAt({ name }: Operator): number {
    return Math.max(this.elapsedMs(), this.restedMs.get(name) ?? 0)
  }
}
