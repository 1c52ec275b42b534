/**
 * Puts an exchange together from its settings, a time, and where its workers run: on threads (run.ts), or on
 * the caller's event loop with the caller's sockets (loop/one-loop.ts). Nothing is started before `start`.
 * Production and embedding programs use this assembly.
 */
import type { Time } from '../base/time.ts'
import { type AssemblyParts, Exchange } from '../threads/launch.ts'

/** Returns what creates the workers of one exchange, and schedules their threads. */
export type Workers = (time: Time) => Pick<AssemblyParts, 'hire' | 'scheduler'>

/** `time` is that of the main part, and of all workers on one loop. Threads have the machine's. */
export interface Assembly extends Omit<AssemblyParts, 'hire' | 'scheduler'> {
  readonly workers: Workers
}

export const assemble = ({ workers, ...parts }: Assembly): Exchange =>
  new Exchange({ ...parts, ...workers(parts.time) })
