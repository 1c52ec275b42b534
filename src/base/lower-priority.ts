/** Priorities of threads that step back for others. Only on Linux, where each thread has one of its own. */
import * as os from 'node:os'

/** The thread that asks, where a thread's number is asked for. */
export const CALLING_THREAD = 0

/** Leaves a thread whose priority is lower still, as under nice(1): few processes may raise one. */
export function lowerPriority(thread: number, niceness: number): void {
  if (process.platform !== 'linux') return
  if (os.getPriority(thread) < niceness) os.setPriority(thread, niceness)
}
