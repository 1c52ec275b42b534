/**
 * Turns the event loop of a thread that otherwise only works and sleeps in Atomics.wait. lmdb sets a timer
 * for each read transaction, and frees native memory in tasks of the loop. Where the loop never turns, both
 * pile up: some 150 and 200 bytes each time, measured with lmdb 3.5. Messages stay where they are, since
 * nothing listens to the port.
 */
import type { Time } from '../base/time.ts'

export const turnLoop = async (time: Time): Promise<void> => {
  // The first turn runs timers that are due, the second what they left.
  await turn(time)
  await turn(time)
}

const turn = (time: Time): Promise<void> => new Promise((resolve) => time.defer(resolve))
