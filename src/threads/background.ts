/**
 * The threads that nobody waits for, archivist and snapshots, and how the scheduler treats them. Only on
 * Linux, where priorities are each thread's own.
 *
 * A low priority alone lets a thread that wakes wait until the one that runs has had its slice, a millisecond
 * or so. One of the idle class is left at once, and a processor that runs nothing else counts as free for
 * whoever wakes (benches `wire`, `latency`). But it gets next to nothing where other processes keep all
 * processors busy. So the main thread looks after them: when the archivist stands still though there is
 * something to archive, they are of the normal class again, until it has kept up for a while. Not everybody
 * may leave the idle class again (RLIMIT_NICE, CAP_SYS_NICE); who may not keeps the low priority.
 */
import { execFile } from 'node:child_process'
import os from 'node:os'
import { promisify } from 'node:util'
import { threadNumber } from './thread-number.ts'

/** In the normal class. */
export const NICENESS = 10
const LOOK_MS = 1_000
/** So often the archivist is seen to stand still before that is ended. */
const STILL_MAX = 2
/** So often it is seen to keep up before it is trusted again. */
const KEPT_UP_MIN = 30

const STARVED_SENTENCE =
  'All processors are busy, and the archive falls behind: archivist and snapshots compete for them.'
const KEPT_UP_SENTENCE =
  'The archive keeps up: archivist and snapshots run only while a processor is free.'

export type SchedulingClass = 'idle' | 'normal'

/** What the kernel is asked for. Each rejects when it refuses, or does not know of it. */
export interface Scheduler {
  /** Resolves when a thread may enter the idle class and leave it again. */
  probe(): Promise<void>
  give(thread: number, to: SchedulingClass): Promise<void>
}

/** Gives the calling thread a low priority. Returns the kernel's number of it, where it has one. */
export function stepBack(): number | undefined {
  if (process.platform !== 'linux') return undefined
  os.setPriority(0, NICENESS)
  return threadNumber()
}

export interface BackgroundOptions {
  /** By matcher: positions of the last block that is published, and archived. */
  readonly published: BigInt64Array
  readonly archived: BigInt64Array
  /** Told in a sentence that the threads changed their class, and why. */
  readonly log: (sentence: string) => void
  readonly scheduler?: Scheduler
}

export class Background {
  readonly #options: BackgroundOptions
  readonly #scheduler: Scheduler
  /** The kernel's numbers of them. */
  #threads: readonly number[] = []
  #class: SchedulingClass = 'normal'
  #lastArchived = 0n
  /** Looks since which the other class would be right. */
  #looks = 0
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  /** What is being asked for; it never rejects. */
  #asked: Promise<void> = Promise.resolve()

  constructor(options: BackgroundOptions) {
    this.#options = options
    this.#scheduler = options.scheduler ?? linuxScheduler
  }

  /** Resolves when the threads are of the idle class, or it is known that they are not to be. */
  start(threads: readonly number[]): Promise<void> {
    if (threads.length === 0 || this.#isStopped) return Promise.resolve()
    this.#threads = threads
    this.#asked = this.#scheduler.probe().then(
      () => this.#give('idle'),
      () => {},
    )
    return this.#asked
  }

  /** Resolves when they are of the normal class: what they have left to do is waited for. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    if (this.#class === 'normal') return
    await this.#asked
    await this.#give('normal')
  }

  /** Once a second. */
  look(): void {
    const archived = sum(this.#options.archived)
    const stoodStill = archived === this.#lastArchived && archived < sum(this.#options.published)
    this.#lastArchived = archived
    const isIdle = this.#class === 'idle'
    this.#looks = stoodStill === isIdle ? this.#looks + 1 : 0
    if (this.#looks < (isIdle ? STILL_MAX : KEPT_UP_MIN)) return
    this.#looks = 0
    this.#options.log(isIdle ? STARVED_SENTENCE : KEPT_UP_SENTENCE)
    this.#asked = this.#give(isIdle ? 'normal' : 'idle')
  }

  async #give(to: SchedulingClass): Promise<void> {
    if (this.#isStopped && to === 'idle') return
    this.#class = to
    this.#timer ??= setInterval(() => this.look(), LOOK_MS).unref()
    const given = this.#threads.map((thread) => this.#scheduler.give(thread, to))
    // A thread that has ended cannot be given anything.
    await Promise.allSettled(given)
  }
}

const sum = (cells: BigInt64Array): bigint =>
  cells.reduce((total, _, index) => total + Atomics.load(cells, index), 0n)

const run = promisify(execFile)

/** By the programs of util-linux, since Node.js cannot ask for a class. */
export const linuxScheduler: Scheduler = {
  async probe() {
    const probe = 'chrt -i -p 0 $$ && chrt -o -p 0 $$'
    await run('nice', ['-n', String(NICENESS), 'sh', '-c', probe])
  },
  async give(thread, to) {
    await run('chrt', [to === 'idle' ? '-i' : '-o', '-p', '0', String(thread)])
  },
}
