/**
 * How often an operator below admin may change something: each such act is journaled for good, and every
 * start reads it. Kept in memory: a start forgets it.
 */
import { ActError } from './act.ts'
import { mayAct, type Operator } from './operators.ts'

/** Acts at once, after a time without any. */
export const ACTS_AT_ONCE = 1_000
/** From one further act to the next. */
export const ACT_MS = 60_000
/** Facts that count as one act: halting all symbols of a large venue is several. */
const FACTS_OF_ACT = 64
const ALL_MS = ACTS_AT_ONCE * ACT_MS

export class ActRates {
  readonly #elapsedMs: () => number
  /** By operator: when all acts are allowed again. */
  readonly #restedMs = new Map<string, number>()

  /** `elapsedMs` is a monotonic clock. */
  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs
  }

  /** Throws ActError when the operator must wait. */
  check(by: Operator): void {
    const waitMs = this.#restedAt(by) + ACT_MS - (this.#elapsedMs() + ALL_MS)
    if (waitMs <= 0) return
    const seconds = Math.ceil(waitMs / 1_000)
    throw new ActError(
      `${by.name} has changed something ${ACTS_AT_ONCE} times; try again in ${seconds} seconds.`,
    )
  }

  /** Counts an act that journaled so many facts. */
  count(by: Operator, facts: number): void {
    if (mayAct(by, 'admin')) return
    const nowMs = this.#elapsedMs()
    const restedMs = this.#restedAt(by)
    for (const [name, atMs] of this.#restedMs) if (atMs <= nowMs) this.#restedMs.delete(name)
    this.#restedMs.set(by.name, restedMs + ACT_MS * Math.ceil(Math.max(1, facts) / FACTS_OF_ACT))
  }

  #restedAt({ name }: Operator): number {
    return Math.max(this.#elapsedMs(), this.#restedMs.get(name) ?? 0)
  }
}
