/**
 * Runs an agent until the exchange stops: on a thread of its own, or on the caller's event loop. The two differ
 * only in how they idle, which the driver is given.
 */
import type { Agent } from './agent.ts'

/** An agent that needs nothing but a driver. */
export interface DrivenAgent extends Agent {
  /** Whether a duty cycle is worth its cost before `idleMsMax` have passed. */
  hasWork(): boolean
  /** The longest time between two duty cycles. */
  readonly idleMsMax: number
  /** Runs a piece of the work that a stop leaves. Returns the amount of it; 0 when nothing is left. */
  finish(): number
}

/** How a driver waits. */
export interface Idling {
  /** Resolves when there is work, or after `msMax`; may block the thread meanwhile. */
  readonly idle: (hasWork: () => boolean, msMax: number) => Promise<void>
  /** Resolves when the event loop has read all input that is ready. */
  readonly turn: () => Promise<void>
}

/** When a driver leaves its agent. */
export interface Ending {
  /** The exchange stops: what is left is finished. */
  readonly isOver: () => boolean
  /** The process ends: nothing is finished. */
  readonly isEnding: () => boolean
}

export async function drive(
  agent: DrivenAgent,
  { idle, turn }: Idling,
  { isOver, isEnding }: Ending,
): Promise<void> {
  while (!isOver()) {
    await idle(() => isOver() || agent.hasWork(), agent.idleMsMax)
    agent.doWork()
    await turn()
  }
  while (!isEnding() && agent.finish() > 0) await turn()
  agent.close()
}
