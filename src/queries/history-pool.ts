/**
 * One gateway's history threads: they execute queries of the archive, so that the gateway's loop never
 * waits for the disk. A query carries the positions that all matchers had published when it arrived, and
 * runs once the archive has passed them: a client can query everything that any gateway sent it.
 */

import { once } from 'node:events'
import { Piscina } from 'piscina'
import { ArchiveBehind, HistoryFailure } from '../api/history-failure.ts'
import { newestArchive } from '../archive/archive-folder.ts'
import { builtPath } from '../base/package-folder.ts'
import { elapsedMs, type Time, type Timer } from '../base/time.ts'
import { type HistoryQueries, historyQueries } from '../history/queries.ts'
import { ARCHIVE_CELLS_BYTES, ArchiveCells, ArchiveState } from '../shared/archive-cells.ts'
import type { HistoryAnswer, HistoryLoaded, HistoryStart, HistoryTask } from './history.thread.ts'
import { HistoryPriority, type Priorities } from './history-priority.ts'
import { FormTexts } from './list-form-text.ts'

export interface HistoryPoolOptions {
  readonly time: Time
  readonly dataFolder: string
  /** BigInt64 by matcher: the last position published, and the last archived. */
  readonly published: SharedArrayBuffer
  readonly archived: SharedArrayBuffer
  readonly matchers: number
  /**
   * shared/archive-cells.ts: while the archive is behind, queries fail with SERVER_BUSY, and while it is
   * stalled those that need later rows. Left out, the newest archive is current.
   */
  readonly archive?: SharedArrayBuffer
  /** The longest wait of a query for the archive; then it fails with TIMEOUT (-1007). */
  readonly waitMs?: number
  /** Queries that may wait for a thread; one more fails with SERVER_BUSY (-1008). */
  readonly queueMax?: number
  /** Called when a query has to wait for the archive; without it, the indexer's pace decides. */
  readonly wakeIndexer?: () => void
  /** Whether all threads are created now: a later one would stay on its gateway's processor. */
  readonly startsAll?: boolean
  /** The longest time of a query, waiting included; then it fails with TIMEOUT, and its thread continues. */
  readonly queryMs?: number
  /** Logs what went wrong with a query or a thread. */
  readonly warn?: (reason: string, message: string) => void
  /** The kernel's, when left out. */
  readonly priorities?: Priorities
}

const THREADS_MAX = 2
const QUEUE_MAX = 1_000
const WAIT_MS = 10_000
/** Far more than any query takes. A thread inside LMDB cannot be ended, so one that hangs is lost. */
const QUERY_MS = 120_000
/** Between two looks for queries that take too long, and for an archive that was made again. */
const LOOK_MS = 100
/** A query that has waited so long is not in the background any more. */
const HURRY_MS = 100
/** Warnings of one kind are logged once in this time. */
const WARN_MS = 60_000
/**
 * The young generation of a history thread. Queries keep almost nothing, but a long list is some 100 KB:
 * with a large young generation collections are rare. Their helper threads compete with those of orders.
 */
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 24 }

export class HistoryPool {
  /** They reject with HistoryFailure. */
  readonly queries: HistoryQueries
  private readonly pool: Piscina<HistoryTask | null, HistoryAnswer>
  private readonly published: BigInt64Array
  private readonly archived: BigInt64Array
  private readonly forms = new FormTexts()
  private readonly wakeIndexer: () => void
  private readonly archive: ArchiveCells
  private readonly queueMax: number
  private readonly queryMs: number
  private readonly warn: (reason: string, message: string) => void
  private readonly time: Time
  private readonly timer: Timer
  /** The archive that threads may have open. */
  private number: number
  /** By end of their time: how to fail queries under way. */
  private readonly overdue = new Map<(failure: HistoryFailure) => void, number>()
  /** By message: when it was logged last. */
  private readonly warnedMs = new Map<string, number>()
  private readonly closing = new Int32Array(new SharedArrayBuffer(4))
  private readonly running = new Set<Promise<unknown>>()
  /** By number of a thread that has loaded its modules: the kernel's. */
  private readonly loaded = new Map<number, number | undefined>()
  private readonly priority: HistoryPriority

  constructor(options: HistoryPoolOptions) {
    this.queries = historyQueries((name, query, form) =>
      this.run(
        form === undefined ? { name, query } : { name, query, form: this.forms.write(form) },
      ),
    )
    const { dataFolder, archived, matchers, time } = options
    this.time = time
    this.published = new BigInt64Array(options.published, 0, matchers)
    this.archived = new BigInt64Array(archived, 0, matchers)
    this.wakeIndexer = options.wakeIndexer ?? (() => {})
    const archive = options.archive ?? cellsOfNewest(dataFolder)
    this.archive = new ArchiveCells(archive)
    this.number = this.archive.number
    this.queueMax = options.queueMax ?? QUEUE_MAX
    this.queryMs = options.queryMs ?? QUERY_MS
    this.warn = options.warn ?? (() => {})
    this.priority = new HistoryPriority(options.priorities)
    const start: HistoryStart = {
      dataFolder,
      archived,
      archive,
      waitMs: options.waitMs ?? WAIT_MS,
      closing: this.closing.buffer as SharedArrayBuffer,
    }
    this.pool = new Piscina({
      filename: builtPath('src/queries/history.thread.js'),
      minThreads: options.startsAll ? THREADS_MAX : 0,
      maxThreads: THREADS_MAX,
      // A thread takes a second of processor to be as fast as it can: one that has begun stays.
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: 1,
      // A thread that waited in Atomics.wait would never run the timers that lmdb sets for its reads.
      atomics: 'disabled',
      resourceLimits: HEAP,
      // No code reads its histograms.
      recordTiming: false,
      // Flags of the process, such as a debugger's port, are not for these threads. Piscina requires the
      // file before it imports it, and Node.js dies when a thread is ended while it requires a module.
      execArgv: ['--no-experimental-require-module'],
      workerData: start,
    })
    this.pool.on('message', ({ loaded, thread }: HistoryLoaded) => this.loaded.set(loaded, thread))
    // A thread has ended without a query; the pool replaces it.
    this.pool.on('error', (error: Error) => this.note(error, THREAD_FAILED))
    this.timer = options.time.every(LOOK_MS, () => this.look())
  }

  /** Creates the first thread, unless there is one: the first query then does not wait for it. */
  warm(): void {
    if (this.pool.threads.length === 0) this.start(null).catch(() => {})
  }

  /**
   * Waiting queries fail with TIMEOUT. A thread that is ended while it loads or opens LMDB would end the
   * process by SIGABRT, so threads that begin and running queries finish first.
   */
  async close(): Promise<void> {
    this.timer.cancel()
    Atomics.store(this.closing, 0, 1)
    while (this.running.size > 0) await Promise.allSettled(this.running)
    while (this.isLoading()) {
      const news = [once(this.pool, 'message'), once(this.pool, 'workerDestroy')]
      await Promise.race(news).catch(() => {})
    }
    await this.pool.destroy()
  }

  private isLoading(): boolean {
    return this.pool.threads.some(({ threadId }) => !this.loaded.has(threadId))
  }

  private async run(asked: Omit<HistoryTask, 'positions'>): Promise<unknown> {
    const { state } = this.archive
    if (state !== ArchiveState.CURRENT && state !== ArchiveState.STALLED) throw new ArchiveBehind()
    if (this.pool.queueSize >= this.queueMax) {
      throw new HistoryFailure('SERVER_BUSY', 'Too many queries of the past are waiting.')
    }
    const positions = Array.from(this.published, (_, matcher) =>
      Atomics.load(this.published, matcher),
    )
    const isBehind = (position: bigint, matcher: number) =>
      Atomics.load(this.archived, matcher) < position
    if (positions.some(isBehind)) {
      if (state === ArchiveState.STALLED) throw new ArchiveBehind()
      this.wakeIndexer()
    }
    const answer = await this.inTime(this.start({ ...asked, positions }))
    if (answer.done) return answer.result
    if (answer.fault === undefined) {
      throw new HistoryFailure('TIMEOUT', 'The archive did not answer in time.')
    }
    this.note(answer.fault, 'the archive could not be read')
    throw new ArchiveBehind()
  }

  /** A task that fails is one query's; so is the end of its thread, which the pool replaces. */
  private start(task: HistoryTask | null): Promise<HistoryAnswer> {
    const running = this.pool.run(task).catch((error: Error) => {
      this.note(error, 'code' in error ? THREAD_FAILED : 'a query of the archive failed')
      throw error
    })
    this.running.add(running)
    const ended = () => this.running.delete(running)
    running.then(ended, ended)
    return running
  }

  /** Rejects with TIMEOUT when the query takes too long. */
  private async inTime(running: Promise<HistoryAnswer>): Promise<HistoryAnswer> {
    let fail: (failure: HistoryFailure) => void = () => {}
    const late = new Promise<never>((_, reject) => {
      fail = reject
    })
    this.overdue.set(fail, elapsedMs(this.time) + this.queryMs)
    return Promise.race([running, late]).finally(() => this.overdue.delete(fail))
  }

  private look(): void {
    const nowMs = elapsedMs(this.time)
    for (const [fail, untilMs] of this.overdue) {
      if (nowMs < untilMs) continue
      const failure = new HistoryFailure('TIMEOUT', 'A query of the archive took too long.')
      this.note(failure, 'a query of the archive took too long')
      fail(failure)
    }
    this.hurry(nowMs)
    const { number } = this.archive
    if (number === this.number) return
    this.number = number
    // Each idle thread takes one; a busy one looks for itself after its query.
    for (const _ of this.pool.threads) this.start(null).catch(() => {})
  }

  /** The queries under way are in the order in which they came. */
  private hurry(nowMs: number): void {
    const [firstUntilMs = Number.POSITIVE_INFINITY] = this.overdue.values()
    const isWaiting = nowMs >= firstUntilMs - this.queryMs + HURRY_MS
    if (isWaiting) this.archive.hurry()
    const threads = this.pool.threads.map(({ threadId }) => this.loaded.get(threadId))
    this.priority.follow(
      isWaiting,
      threads.filter((thread) => thread !== undefined),
    )
  }

  private note(reason: Error | string, message: string): void {
    const nowMs = elapsedMs(this.time)
    const isNew = nowMs - (this.warnedMs.get(message) ?? Number.NEGATIVE_INFINITY) >= WARN_MS
    if (!isNew) return
    this.warnedMs.set(message, nowMs)
    this.warn(typeof reason === 'string' ? reason : (reason.stack ?? reason.message), message)
  }
}

const THREAD_FAILED = 'a history thread failed, and is replaced'

function cellsOfNewest(dataFolder: string): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(ARCHIVE_CELLS_BYTES)
  const cells = new ArchiveCells(memory)
  cells.setNumber(newestArchive(dataFolder))
  cells.setState(ArchiveState.CURRENT)
  return memory
}
