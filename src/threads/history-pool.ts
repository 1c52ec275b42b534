/**
 * One gateway's history threads: they answer queries of the past from the archive, so that the
 * gateway's loop never waits for the disk. A query carries the positions that all matchers had
 * published when it was asked, and is answered once the archive has passed them: what a client was
 * told by any gateway, it can query.
 */
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type {
  AllOrdersQuery,
  MyTradesQuery,
  OrderQuery,
  OrderRow,
  PublicTradeRow,
  TradeRow,
} from '#archive/rows.ts'
import type { Doorbell } from '#ring/doorbell.ts'
import type { HistoryAnswer, HistoryStart, HistoryTask } from './history.thread.ts'

export interface HistoryPoolOptions {
  readonly dataFolder: string
  /** BigInt64 by matcher: the last position published, and the last archived. */
  readonly published: SharedArrayBuffer
  readonly archived: SharedArrayBuffer
  readonly matchers: number
  /** How long a query waits for the archive; then HistoryTimeout (supplement 2a.7, -1007). */
  readonly waitMs?: number
  /** Rung when a question has to wait for the archive; without it, the archivist's pace decides. */
  readonly archivistBell?: Doorbell
}

/** The archive did not catch up in time: whether the answer would have been another is unknown. */
export class HistoryTimeout extends Error {
  override readonly name = 'HistoryTimeout'
}

const THREADS_MIN = 1
const THREADS_MAX = 2
const QUEUE_MAX = 1_000
const WAIT_MS = 10_000
/** Queries make small objects and keep none. */
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

export class HistoryPool {
  readonly #pool: Piscina<HistoryTask, HistoryAnswer>
  readonly #published: BigInt64Array
  readonly #archived: BigInt64Array
  readonly #archivistBell: Doorbell | undefined

  constructor(options: HistoryPoolOptions) {
    const { dataFolder, archived, matchers } = options
    this.#published = new BigInt64Array(options.published, 0, matchers)
    this.#archived = new BigInt64Array(archived, 0, matchers)
    this.#archivistBell = options.archivistBell
    const start: HistoryStart = { dataFolder, archived, waitMs: options.waitMs ?? WAIT_MS }
    this.#pool = new Piscina({
      filename: fileURLToPath(new URL('./history.thread.js', import.meta.url)),
      minThreads: THREADS_MIN,
      maxThreads: THREADS_MAX,
      maxQueue: QUEUE_MAX,
      concurrentTasksPerWorker: 1,
      resourceLimits: HEAP,
      // Flags of the process, such as a debugger's port, are not for these threads.
      execArgv: [],
      workerData: start,
    })
  }

  /** Each rejects with HistoryTimeout when the archive is too far behind. */
  allOrders(query: AllOrdersQuery): Promise<readonly OrderRow[]> {
    return this.#ask({ ask: 'allOrders', query })
  }

  order(query: OrderQuery): Promise<OrderRow | undefined> {
    return this.#ask({ ask: 'order', query })
  }

  myTrades(query: MyTradesQuery): Promise<readonly TradeRow[]> {
    return this.#ask({ ask: 'myTrades', query })
  }

  /** The newest trades of a symbol, ascending. */
  recentTrades(symbolId: number, limit: number): Promise<readonly PublicTradeRow[]> {
    return this.#ask({ ask: 'recentTrades', query: { symbolId, limit } })
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }

  async #ask<Rows>(question: HistoryTask['question']): Promise<Rows> {
    const positions = Array.from(this.#published, (_, matcher) =>
      Atomics.load(this.#published, matcher),
    )
    const isBehind = (position: bigint, matcher: number) =>
      Atomics.load(this.#archived, matcher) < position
    if (positions.some(isBehind)) this.#archivistBell?.ring()
    const answer = await this.#pool.run({ question, positions })
    if (!answer.done) throw new HistoryTimeout('The archive did not catch up in time.')
    return answer.rows as Rows
  }
}
