/**
 * The priorities of the threads that clients wait for. A thread that wakes beside a running one of the same
 * priority waits until that one's slice is used up. That is some milliseconds, for work that takes a tenth
 * of one (bench `tail`). So matchers, which work least for an order and hold up all of its clients, go
 * first, and gateways second. Only on Linux, where each thread has its own priority, and only with the
 * right to raise it (CAP_SYS_NICE or RLIMIT_NICE).
 *
 * Not the real-time class: a thread of it that others starve beside is stopped for 50 ms of each second.
 */
import * as os from 'node:os'
import { hosting } from './hosting.ts'

const RAISED_SENTENCE = 'Matcher and gateway threads run at raised priority.'
const REFUSED_SENTENCE =
  'Matcher and gateway threads run at normal priority: this process may not raise priorities.'

/** The kernel's numbers of threads; undefined where it has none. */
export interface Foreground {
  readonly matchers: readonly (number | undefined)[]
  readonly gateways: readonly (number | undefined)[]
}

/** Raises their priorities where the system permits it. Returns a sentence for the log about the result. */
export function raisePriorities(
  { matchers, gateways }: Foreground,
  setPriority: (thread: number, niceness: number) => void = os.setPriority,
): string {
  const raise = (threads: readonly (number | undefined)[], niceness: number) => {
    for (const thread of threads) if (thread !== undefined) setPriority(thread, niceness)
  }
  try {
    raise(matchers, hosting.matching.raisedTo)
    raise(gateways, hosting.gateway.raisedTo)
    return RAISED_SENTENCE
  } catch {
    return REFUSED_SENTENCE
  }
}
