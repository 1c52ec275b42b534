/**
 * The scheduling of background threads, indexer and snapshots. Only on Linux, where each thread has
 * its own priority.
 *
 * Beside a thread of low priority, a waking thread waits until the running one has used its slice, about a
 * millisecond. A thread of the idle class is preempted at once, and its processor counts as free (benches
 * `wire`, `latency`). But it gets almost no time where other processes keep all processors busy. So the main
 * thread watches: when the indexer stands still with blocks to archive, or a query has waited 100 ms for them, both
 * threads return to the normal class until it has kept up for a while. Not every process may leave the idle class again (RLIMIT_NICE,
 * CAP_SYS_NICE); without that right they keep the low priority.
 *
 * At the disk they keep a low place in the usual class. Linux would derive the idle one, whose requests wait
 * while there are others, and matchers wait for some of them: files of one folder share blocks of the file
 * system (bench `tail`).
 */

import type { Time, Timer } from '../base/time.ts'
import { BACKGROUND_NICENESS } from './hosting.ts'
import { Shell } from './shell.ts'

const LOOK_MS = 1_000
/** Between two looks for queries that wait. */
const QUERIES_LOOK_MS = 100
/** Checks that find the indexer still before the threads leave the idle class. */
const STILL_MAX = 2
/**
 * Checks that find it keeping up before the threads enter the idle class again: twice as many each time that they
 * leave it soon, or they would change, and log it, every few seconds on a machine that stays busy.
 */
const KEPT_UP_MIN = 10
const KEPT_UP_MAX = 640

const STARVED_SENTENCE =
  'All processors are busy, and the archive falls behind: indexer and snapshots compete for them.'
const AWAITED_SENTENCE =
  'All processors are busy, and queries wait for the archive: indexer and snapshots compete for them.'
const KEPT_UP_SENTENCE =
  'The archive keeps up: indexer and snapshots run only while a processor is free.'

export type SchedulingClass = 'idle' | 'normal'

/** Requests to the kernel. Each rejects when the kernel refuses, or lacks it. */
export interface Scheduler {
  /** Resolves when a thread may enter the idle class and leave it again. */
  probe(): Promise<void>
  /** Resolves when the thread's requests to the disk do not follow its class. */
  holdDiskClass(thread: number): Promise<void>
  give(thread: number, to: SchedulingClass): Promise<void>
}

export interface BackgroundOptions {
  readonly time: Time
  /** By matcher: positions of the last block that is published, and archived. */
  readonly published: BigInt64Array
  readonly archived: BigInt64Array
  /** Whether the indexer pauses for another reason. */
  readonly isPaused?: () => boolean
  /** Returns a number that changes while a query has waited for long. */
  readonly hurries?: () => number
  /** Logs a sentence when the threads change their class, with the reason. */
  readonly log: (sentence: string) => void
  readonly scheduler: Scheduler
}

export class Background {
  private readonly options: BackgroundOptions
  /** The kernel's numbers of the threads. */
  private threads: readonly number[] = []
  private class: SchedulingClass = 'normal'
  private lastArchived = 0n
  /** Checks since which the other class would be right. */
  private looks = 0
  /** Checks that bring the threads back into the idle class, and all checks since they entered it. */
  private keptUp = KEPT_UP_MIN
  private idleLooks = KEPT_UP_MAX
  private timers: readonly Timer[] = []
  private lastHurries = 0
  private isStopped = false
  /** The request under way; it never rejects. */
  private asked: Promise<void> = Promise.resolve()

  constructor(options: BackgroundOptions) {
    this.options = options
  }

  /** Resolves when the threads are of the idle class, or cannot be. */
  start(threads: readonly number[]): Promise<void> {
    if (threads.length === 0 || this.isStopped) return Promise.resolve()
    this.threads = threads
    this.asked = this.options.scheduler.probe().then(
      () => this.enterIdleClass(),
      () => {},
    )
    return this.asked
  }

  private async enterIdleClass(): Promise<void> {
    if (this.isStopped) return
    const ended = this.threads.map((thread) => this.options.scheduler.holdDiskClass(thread))
    await Promise.allSettled(ended)
    await this.give('idle')
  }

  /** Has a thread take the place of one that has ended. */
  replace(ended: number, thread: number): void {
    this.threads = [...this.threads.filter((it) => it !== ended), thread]
    if (this.class === 'idle') this.asked = this.enterIdleClass()
  }

  /** Resolves when they are of the normal class: a stop waits for their remaining work. */
  async stop(): Promise<void> {
    this.isStopped = true
    for (const timer of this.timers) timer.cancel()
    if (this.class === 'normal') return
    await this.asked
    await this.give('normal')
  }

  /** Once a second. */
  look(): void {
    const stoodStill = sum(this.options.archived) === this.lastArchived && this.isBehind()
    this.lastArchived = sum(this.options.archived)
    const isIdle = this.class === 'idle'
    if (isIdle) this.idleLooks++
    this.looks = stoodStill === isIdle ? this.looks + 1 : 0
    if (this.looks < (isIdle ? STILL_MAX : this.keptUp)) return
    if (isIdle) this.leaveIdleClass(STARVED_SENTENCE)
    else {
      this.looks = 0
      this.idleLooks = 0
      this.options.log(KEPT_UP_SENTENCE)
      this.asked = this.give('idle')
    }
  }

  /** Several times a second. */
  lookForQueries(): void {
    const hurries = this.options.hurries?.() ?? 0
    const isAwaited = hurries !== this.lastHurries && this.isBehind()
    this.lastHurries = hurries
    if (!isAwaited) return
    // It has not kept up.
    if (this.class === 'normal') this.looks = 0
    else this.leaveIdleClass(AWAITED_SENTENCE)
  }

  private isBehind(): boolean {
    const { archived, published, isPaused } = this.options
    return sum(archived) < sum(published) && !isPaused?.()
  }

  private leaveIdleClass(sentence: string): void {
    this.looks = 0
    const isSoon = this.idleLooks < KEPT_UP_MAX
    this.keptUp = isSoon ? Math.min(this.keptUp * 2, KEPT_UP_MAX) : KEPT_UP_MIN
    this.options.log(sentence)
    this.asked = this.give('normal')
  }

  private async give(to: SchedulingClass): Promise<void> {
    if (this.isStopped && to === 'idle') return
    this.class = to
    if (this.timers.length === 0) {
      const { time } = this.options
      const queries = time.every(QUERIES_LOOK_MS, () => this.lookForQueries())
      this.timers = [time.every(LOOK_MS, () => this.look()), queries]
    }
    const given = this.threads.map((thread) => this.options.scheduler.give(thread, to))
    // A thread that has ended has no class.
    await Promise.allSettled(given)
  }
}

const sum = (cells: BigInt64Array): bigint =>
  cells.reduce((total, _, index) => total + Atomics.load(cells, index), 0n)

/** Numbers of ionice(1). */
const DISK_CLASS = { usual: '2', lowest: '7' } as const

/** By the programs of util-linux, since Node.js cannot set a class. */
export class LinuxScheduler implements Scheduler {
  private readonly shell = new Shell()

  /** Prepares for requests, best while the process is small; else the first request does. */
  open(): void {
    this.shell.open()
  }

  probe(): Promise<void> {
    return this.shell.run(
      `nice -n ${BACKGROUND_NICENESS} sh -c 'chrt -i -p 0 $$ && chrt -o -p 0 $$'`,
    )
  }

  holdDiskClass(thread: number): Promise<void> {
    const { usual, lowest } = DISK_CLASS
    return this.shell.run(`ionice -c ${usual} -n ${lowest} -p ${thread}`)
  }

  give(thread: number, to: SchedulingClass): Promise<void> {
    return this.shell.run(`chrt ${to === 'idle' ? '-i' : '-o'} -p 0 ${thread}`)
  }
}
