/**
 * When the countdowns of one matcher's symbols are over, and that they fire behind the commands that had arrived by
 * then: a renewal among them comes in time. Written and read by one matcher's thread.
 */
import { Ms } from '../base/units.ts'
import type { Engine } from '../core/matching/engine.ts'
import type { CommandRingConsumer } from '../ring/command-ring.ts'

const NEVER = Ms(Number.POSITIVE_INFINITY)

/** What had arrived by the time that a countdown was over: by gateway, where its ring ended. */
interface Arrived {
  readonly clockMs: Ms
  readonly ends: readonly number[]
}

export class CountdownWatch {
  private readonly engines: readonly (Engine | undefined)[]
  private readonly rings: readonly CommandRingConsumer[]
  /** Whether a ring stands still because its gateway does not read. */
  private readonly isStanding: (gateway: number) => boolean
  private nextMs = NEVER
  private arrived: Arrived | undefined = undefined

  /** `engines` by symbol id; grows. */
  constructor(
    engines: readonly (Engine | undefined)[],
    rings: readonly CommandRingConsumer[],
    isStanding: (gateway: number) => boolean,
  ) {
    this.engines = engines
    this.rings = rings
    this.isStanding = isStanding
  }

  /** When the next one is over; infinite while none runs. */
  get dueMs(): Ms {
    return this.nextMs
  }

  /** Looks for the next one again: a countdown has changed. */
  find(): void {
    let nextMs = NEVER
    for (const engine of this.engines) {
      const dueMs = engine?.countdownMs
      if (dueMs !== undefined && dueMs < nextMs) nextMs = dueMs
    }
    this.nextMs = nextMs
  }

  /** Expires those that are over. Returns whether there was one: its engine is unfinished. */
  expire(clockMs: Ms): boolean {
    if (clockMs < this.nextMs) return false
    for (const engine of this.engines) engine?.expireCountdowns(clockMs)
    this.find()
    return true
  }

  /** As `expire`, once what had arrived is executed; a ring whose gateway does not read delays nothing. */
  expireBehindArrived(clockMs: Ms): boolean {
    if (clockMs < this.nextMs) {
      this.arrived = undefined
      return false
    }
    this.arrived ??= { clockMs, ends: this.rings.map((ring) => ring.end()) }
    const { ends, clockMs: overMs } = this.arrived
    const isExecuted = (ring: CommandRingConsumer, gateway: number) =>
      ring.hasReleased(ends[gateway]!) || this.isStanding(gateway)
    if (!this.rings.every(isExecuted)) return false
    this.arrived = undefined
    return this.expire(overMs)
  }
}
