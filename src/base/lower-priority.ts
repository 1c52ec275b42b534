/** Priorities of threads that step back for others. Only on Linux, where each thread has its own. */
import { readlinkSync } from 'node:fs'
import * as os from 'node:os'
import path from 'node:path'

/** Stands for the calling thread where a thread's number is expected. */
export const CALLING_THREAD = 0

/** Leaves a thread whose priority is lower still, as under nice(1): few processes may raise one. */
export function lowerPriority(thread: number, niceness: number): void {
  if (process.platform !== 'linux') return
  if (os.getPriority(thread) < niceness) os.setPriority(thread, niceness)
}

/** Returns the kernel's number of the calling thread; undefined where programs cannot name threads. */
export const threadNumber = (): number | undefined =>
  process.platform === 'linux'
    ? Number(path.basename(readlinkSync('/proc/thread-self')))
    : undefined
