/** Sleeps of workers that share an event loop. */
import type { Time } from '../../base/time.ts'
import type { Doorbell } from '../../ring/doorbell.ts'
import { turn } from './loop-worker.ts'

/** Resolves when the bell rings; after one turn of the loop when there is work already. */
export const sleepOn = (
  bell: Doorbell,
  hasWork: () => boolean,
  time: Pick<Time, 'defer'>,
): Promise<void> => bell.sleepAsync(hasWork) ?? turn(time)

/** The same, or when so much time has passed. */
export async function sleepAtMost(
  ms: number,
  bell: Doorbell,
  hasWork: () => boolean,
  time: Time,
): Promise<void> {
  const rung = bell.sleepAsync(hasWork)
  if (rung === undefined) return turn(time)
  await new Promise<void>((resolve) => {
    const timer = time.after(ms, resolve)
    void rung.then(() => {
      timer.cancel()
      resolve()
    })
  })
}
