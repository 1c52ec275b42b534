/**
 * The priority of one gateway's history threads. Orders go first (bench `queries`), so it is low. But while all
 * processors are busy a query would wait as long. So while one has waited for long the threads have the priority of
 * the process, if that may raise any (workers/foreground.ts). Otherwise they keep theirs, a third of a busy processor.
 */
import * as os from 'node:os'

/** The indexer, which a query may have to wait for, comes last. */
export const HISTORY_NICENESS = 5

export interface Priorities {
  getPriority(thread: number): number
  setPriority(thread: number, niceness: number): void
}

export class HistoryPriority {
  private readonly kernel: Priorities
  private isRaised = false

  constructor(kernel: Priorities = os) {
    this.kernel = kernel
  }

  /** `threads`: the kernel's numbers of those that live. A new one is among them at the next call. */
  follow(isWaiting: boolean, threads: readonly number[]): void {
    if (!isWaiting && !this.isRaised) return
    this.isRaised = isWaiting
    const usual = this.kernel.getPriority(process.pid)
    for (const thread of threads) {
      this.give(thread, isWaiting ? usual : Math.max(usual, HISTORY_NICENESS))
    }
  }

  /** The process may not, or the thread has ended. */
  private give(thread: number, niceness: number): void {
    try {
      this.kernel.setPriority(thread, niceness)
    } catch {
      // Nothing follows from it: queries are as slow as before.
    }
  }
}
