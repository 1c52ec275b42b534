/**
 * Lets the event loop of a thread turn that else only works and sleeps in Atomics.wait. lmdb sets a timer for
 * each read transaction, and frees native memory in tasks of the loop: where it never turns, both pile up, some
 * 150 and 200 bytes a time (test/unit/journal/environment-memory.test.ts). Messages of the port are not taken:
 * nothing listens to it.
 */
import { setImmediate } from 'node:timers/promises'

export const turnLoop = async (): Promise<void> => {
  // The first turn runs timers that are due, the second what they left.
  await setImmediate()
  await setImmediate()
}
