/** Drives an agent: a cycle at a time for a caller with a loop, or until the agent is done. */
import { type Time, tick } from '../base/time.ts'
import type { Agent } from './agent.ts'

/** Drives an agent from the caller's own loop. What the agent throws reaches the caller, who leaves it then. */
export class AgentInvoker {
  readonly agent: Agent
  private _isClosed = false

  constructor(agent: Agent) {
    this.agent = agent
  }

  /** Once, before the first `invoke`. */
  start(): Promise<void> | undefined {
    return this.agent.start()
  }

  /** Runs one duty cycle, and closes an agent that is done. Returns the amount of work. */
  invoke(): number {
    if (this._isClosed) return 0
    const done = this.agent.doWork()
    if (this.agent.isDone) this.close()
    return done
  }

  get isClosed(): boolean {
    return this._isClosed
  }

  /** Leaves the agent, done or not. */
  close(): void {
    if (this._isClosed) return
    this._isClosed = true
    this.agent.close()
  }
}

/**
 * Called after each duty cycle with its amount of work: waits while there is none, and may block the thread. The
 * next cycle begins when the promise resolves; at once without one.
 */
export type IdleStrategy = (agent: Agent, done: number) => Promise<void> | undefined

/** Runs the agent until it is done. */
export async function runAgent(agent: Agent, idle: IdleStrategy): Promise<void> {
  const invoker = new AgentInvoker(agent)
  const starting = invoker.start()
  // A thread that blocks has no event loop to wait with.
  if (starting !== undefined) await starting
  for (;;) {
    const done = invoker.invoke()
    if (invoker.isClosed) return
    const idling = idle(agent, done)
    if (idling !== undefined) await idling
  }
}

/** Waits for an agent's work on an event loop, which serves everything else meanwhile. */
export const idleOnLoop =
  (time: Time): IdleStrategy =>
  (agent, done) => {
    if (done > 0) return tick(time)
    const { waitsFor, idleMsMax } = agent
    if (waitsFor instanceof Promise) return waitsFor
    const hasWork = () => agent.hasWork()
    const rung =
      idleMsMax === Number.POSITIVE_INFINITY
        ? waitsFor.sleepAsync(hasWork)
        : waitsFor.sleepAtMost(idleMsMax, hasWork, time)
    return rung ?? tick(time)
  }
