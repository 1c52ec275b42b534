/**
 * Actions that a client may send again, because it got no answer: each carries a key, and is carried out once.
 * Outcomes are kept in memory. What was journaled is known by its ActionFact too, also after a restart or on the
 * member that takes over.
 */
import { createHash } from 'node:crypto'
import { elapsedMs, type Time } from '../base/time.ts'
import { Ms } from '../base/units.ts'
import { type ActionAnswer, ActionError } from './action.ts'
import type { ActionLog, LoggedAction } from './action-log.ts'
import type { ActionKey } from './facts.ts'

/** Keys that are known at a time. */
export const KEYS_KEPT = 1_024
export const KEY_KEPT_MS = 600_000

const TOO_MANY = `${KEYS_KEPT} actions with a key are under way; try again.`
const OTHER_ARGUMENTS = 'The Idempotency-Key was used for another action, or other arguments.'

/** Returns a key with a digest of what it is for. */
export function actionKey(
  key: string,
  name: string,
  given: Readonly<Record<string, unknown>>,
): ActionKey {
  const sorted = Object.entries(given).sort(([one], [other]) => (one < other ? -1 : 1))
  const digest = createHash('sha256')
    .update(JSON.stringify([name, sorted]))
    .digest('hex')
  return { key, digest }
}

interface KeptOutcome {
  readonly digest: string
  readonly beganMs: number
  readonly answer: Promise<ActionAnswer>
  isSettled: boolean
}

export class KeyedActions {
  private readonly log: ActionLog
  private readonly time: Time
  /** By operator and key, the oldest first. */
  private readonly outcomes = new Map<string, KeptOutcome>()

  constructor(log: ActionLog, time: Time) {
    this.log = log
    this.time = time
  }

  /**
   * Carries the action out, unless the operator has sent its key within KEY_KEPT_MS: then returns that outcome, or
   * waits for it. A refusal that changed nothing is not kept. Rejects with ActionError for a key of other
   * arguments.
   */
  async once(
    by: string,
    { key, digest }: ActionKey,
    carryOut: () => Promise<ActionAnswer>,
  ): Promise<ActionAnswer> {
    this.forget()
    const id = `${by} ${key}`
    const kept = this.outcomes.get(id)
    const logged = kept === undefined ? this.logged(by, key) : undefined
    const before = kept?.digest ?? logged?.once?.digest
    if (before !== undefined && before !== digest) throw new ActionError(OTHER_ARGUMENTS)
    if (kept !== undefined) return kept.answer
    if (logged !== undefined) return carriedOut(logged)
    this.makeRoom()
    const answer = carryOut()
    const outcome = { digest, beganMs: elapsedMs(this.time.wall), answer, isSettled: false }
    this.outcomes.set(id, outcome)
    try {
      return await answer
    } catch (error) {
      if (this.logged(by, key) === undefined) this.outcomes.delete(id)
      throw error
    } finally {
      outcome.isSettled = true
    }
  }

  private logged(by: string, key: string): LoggedAction | undefined {
    return this.log.keyed(by, key, Ms(this.time.nowMs() - KEY_KEPT_MS))
  }

  private forget(): void {
    const oldestMs = elapsedMs(this.time.wall) - KEY_KEPT_MS
    for (const [id, { beganMs, isSettled }] of this.outcomes) {
      if (beganMs >= oldestMs) return
      if (isSettled) this.outcomes.delete(id)
    }
  }

  private makeRoom(): void {
    if (this.outcomes.size < KEYS_KEPT) return
    for (const [id, { isSettled }] of this.outcomes) {
      if (!isSettled) continue
      this.outcomes.delete(id)
      return
    }
    throw new ActionError(TOO_MANY)
  }
}

const carriedOut = ({ name, timeMs }: LoggedAction): ActionAnswer => ({
  said: `${name} was carried out with this key at ${new Date(timeMs).toISOString()}; its answer is not known any more.`,
  rows: [],
})
