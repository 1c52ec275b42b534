/**
 * A history thread: answers one query at a time from the archive, which it opens when the first one
 * comes. It may sleep in Atomics.wait, since nothing else runs here.
 */
import { workerData } from 'node:worker_threads'
import { archiveFolder } from '#archive/archive-writer.ts'
import { History } from '#archive/history.ts'

export interface HistoryStart {
  readonly dataFolder: string
  /** BigInt64 by matcher: the last position archived. */
  readonly archived: SharedArrayBuffer
  /** How long a query waits for the archive. */
  readonly waitMs: number
}

/** What of History can be asked: each takes one query. */
export type HistoryAsk =
  | 'allOrders'
  | 'order'
  | 'myTrades'
  | 'publicTrades'
  | 'aggregateTrades'
  | 'klines'
  | 'window'
  | 'day'
  | 'orderList'
  | 'orderLists'
  | 'openOrderLists'
  | 'preventedMatches'
  | 'amendments'
  | 'tradingStatus'
  | 'tradingVolume'

export type HistoryQuery<Ask extends HistoryAsk> = Parameters<History[Ask]>[0]

export interface HistoryTask {
  readonly ask: HistoryAsk
  readonly query: unknown
  /** By matcher: answer once the archive has passed this position. */
  readonly positions: readonly bigint[]
}

export interface HistoryAnswer {
  /** False when the archive did not pass the positions in time. */
  readonly done: boolean
  readonly rows?: unknown
}

const start = workerData as HistoryStart
const archived = new BigInt64Array(start.archived)
let history: History | undefined

export default function answer({ ask, query, positions }: HistoryTask): HistoryAnswer {
  if (!passed(positions)) return { done: false }
  history ??= new History(archiveFolder(start.dataFolder))
  history.refresh()
  const rows = (history[ask] as (query: unknown) => unknown).call(history, query)
  // An old state that is held while nobody asks keeps its pages, and the archive grows instead.
  history.refresh()
  return { done: true, rows }
}

/** Sleeps until the archive has passed the positions; false when that takes too long. */
function passed(positions: readonly bigint[]): boolean {
  const deadlineMs = performance.now() + start.waitMs
  for (const [matcher, position] of positions.entries()) {
    let now = Atomics.load(archived, matcher)
    while (now < position) {
      const leftMs = deadlineMs - performance.now()
      if (leftMs <= 0) return false
      Atomics.wait(archived, matcher, now, leftMs)
      now = Atomics.load(archived, matcher)
    }
  }
  return true
}
