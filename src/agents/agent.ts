/**
 * A worker's work, whatever drives it: a runner on its own thread, a runner on the caller's event loop, or
 * an invoker step by step (agent-driver.ts). The driver idles, not the agent.
 */
import type { Doorbell } from '../ring/doorbell.ts'

export interface Agent {
  readonly name: string
  /**
   * Its bell, which rings when there may be work. Where the event loop brings all work: a promise, which
   * resolves when the agent is done.
   */
  readonly waitsFor: Doorbell | Promise<void>
  /** Time until work may be due for which no bell rings, ms. */
  readonly idleMsMax: number
  /** Begins. The driver calls it once, before the first duty cycle. */
  start(): Promise<void> | undefined
  /** Runs one bounded duty cycle. Returns the amount of work; 0 lets the driver idle. */
  doWork(): number
  /** Whether a duty cycle has work before `idleMsMax` have passed: the driver need not sleep. */
  hasWork(): boolean
  /** Whether there will be no more work: the driver closes the agent. */
  readonly isDone: boolean
  close(): void
}
