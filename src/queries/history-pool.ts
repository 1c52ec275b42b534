/**
 * One gateway's history threads: they execute queries of the archive, so that the gateway's loop never
 * waits for the disk. A query carries the positions that all matchers had published when it arrived, and
 * runs once the archive has passed them: a client can query everything that any gateway told it.
 */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { ArchiveBehind, HistoryFailure } from '../api/history-failure.ts'
import { type HistoryQueries, historyQueries } from '../history/queries.ts'
import type { HistoryAnswer, HistoryLoaded, HistoryStart, HistoryTask } from './history.thread.ts'
import { FormTexts } from './list-form-text.ts'

export interface HistoryPoolOptions {
  readonly dataFolder: string
  /** BigInt64 by matcher: the last position published, and the last archived. */
  readonly published: SharedArrayBuffer
  readonly archived: SharedArrayBuffer
  readonly matchers: number
  /** One cell: while it is 0, the archive is far behind and queries fail with SERVER_BUSY. */
  readonly isCurrent?: SharedArrayBuffer
  /** The longest wait of a query for the archive; then it fails with TIMEOUT (-1007). */
  readonly waitMs?: number
  /** Queries that may wait for a thread; one more fails with SERVER_BUSY (-1008). */
  readonly queueMax?: number
  /** Called when a query has to wait for the archive; without it, the archivist's pace decides. */
  readonly wakeArchivist?: () => void
  /** Whether all threads are created now: a later one would stay on its gateway's processor. */
  readonly startsAll?: boolean
}

const THREADS_MIN = 1
const THREADS_MAX = 2
const QUEUE_MAX = 1_000
const WAIT_MS = 10_000
/**
 * The young generation of a history thread. Queries keep almost nothing, but a long list is some 100 KB:
 * with a large young generation collections are rare. Their helper threads compete with those of orders.
 */
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 24 }

export class HistoryPool {
  /** They reject with HistoryFailure. */
  readonly queries: HistoryQueries
  readonly #pool: Piscina<HistoryTask, HistoryAnswer>
  readonly #published: BigInt64Array
  readonly #archived: BigInt64Array
  readonly #forms = new FormTexts()
  readonly #wakeArchivist: () => void
  readonly #isCurrent: Int32Array | undefined
  readonly #queueMax: number
  readonly #closing = new Int32Array(new SharedArrayBuffer(4))
  readonly #running = new Set<Promise<unknown>>()
  /** Numbers of the threads that have loaded their modules. */
  readonly #loaded = new Set<number>()

  constructor(options: HistoryPoolOptions) {
    this.queries = historyQueries((name, query, form) =>
      this.#run(
        form === undefined ? { name, query } : { name, query, form: this.#forms.write(form) },
      ),
    )
    const { dataFolder, archived, matchers } = options
    this.#published = new BigInt64Array(options.published, 0, matchers)
    this.#archived = new BigInt64Array(archived, 0, matchers)
    this.#wakeArchivist = options.wakeArchivist ?? (() => {})
    if (options.isCurrent !== undefined) this.#isCurrent = new Int32Array(options.isCurrent)
    this.#queueMax = options.queueMax ?? QUEUE_MAX
    const start: HistoryStart = {
      dataFolder,
      archived,
      waitMs: options.waitMs ?? WAIT_MS,
      closing: this.#closing.buffer as SharedArrayBuffer,
    }
    this.#pool = new Piscina({
      filename: fileURLToPath(new URL('./history.thread.js', import.meta.url)),
      minThreads: options.startsAll ? THREADS_MAX : THREADS_MIN,
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
    this.#pool.on('message', ({ loaded }: HistoryLoaded) => this.#loaded.add(loaded))
  }

  /**
   * Waiting queries fail with TIMEOUT. A thread that is ended while it loads or opens LMDB would end the
   * process by SIGABRT, so threads that begin and running queries finish first.
   */
  async close(): Promise<void> {
    Atomics.store(this.#closing, 0, 1)
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
    while (this.#isLoading()) {
      await Promise.race([once(this.#pool, 'message'), once(this.#pool, 'workerDestroy')])
    }
    await this.#pool.destroy()
  }

  #isLoading(): boolean {
    return this.#pool.threads.some(({ threadId }) => !this.#loaded.has(threadId))
  }

  async #run(asked: Omit<HistoryTask, 'positions'>): Promise<unknown> {
    if (this.#isCurrent !== undefined && Atomics.load(this.#isCurrent, 0) === 0) {
      throw new ArchiveBehind()
    }
    if (this.#pool.queueSize >= this.#queueMax) {
      throw new HistoryFailure('SERVER_BUSY', 'Too many queries of the past are waiting.')
    }
    const positions = Array.from(this.#published, (_, matcher) =>
      Atomics.load(this.#published, matcher),
    )
    const isBehind = (position: bigint, matcher: number) =>
      Atomics.load(this.#archived, matcher) < position
    if (positions.some(isBehind)) this.#wakeArchivist()
    const running = this.#pool.run({ ...asked, positions })
    this.#running.add(running)
    const answer = await running.finally(() => this.#running.delete(running))
    if (!answer.done) throw new HistoryFailure('TIMEOUT', 'The archive did not answer in time.')
    return answer.result
  }
}
