/** Waits for an agent's work on an event loop, which serves everything else meanwhile. */
import { type Time, tick } from '../base/time.ts'
import type { IdleStrategy } from './agent-driver.ts'

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
