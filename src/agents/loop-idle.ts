/** Waits for an agent's work on an event loop, which serves everything else meanwhile. */
import { type Time, tick } from '../base/time.ts'
import type { Doorbell } from '../ring/doorbell.ts'
import type { IdleStrategy } from './agent-driver.ts'

export const idleOnLoop =
  (time: Time): IdleStrategy =>
  (agent, done) => {
    if (done > 0) return tick(time)
    const { waitsFor, idleMsMax } = agent
    if (waitsFor instanceof Promise) return waitsFor
    return sleepAtMost(idleMsMax, waitsFor, () => agent.hasWork(), time)
  }

/** Resolves when the bell rings, or so much time has passed; after a tick of the loop when there is work. */
function sleepAtMost(
  ms: number,
  bell: Doorbell,
  hasWork: () => boolean,
  time: Time,
): Promise<void> {
  const rung = bell.sleepAsync(hasWork)
  if (rung === undefined) return tick(time)
  if (ms === Number.POSITIVE_INFINITY) return rung
  return new Promise<void>((resolve) => {
    const timer = time.after(ms, resolve)
    void rung.then(() => {
      timer.cancel()
      resolve()
    })
  })
}
