/**
 * A history thread: answers one query at a time from the archive, which it opens when the first one
 * comes. It may sleep in Atomics.wait, since nothing else runs here.
 */
import os from 'node:os'
import { workerData } from 'node:worker_threads'
import {
  aggregateTradeTexts,
  arrayText,
  type ListForm,
  publicTradeTexts,
} from '#api/render/history-lists.ts'
import { archiveFolder } from '#archive/archive-writer.ts'
import { History } from '#archive/history.ts'
import type { AggregateTradesQuery, KlineQuery, PublicTradesQuery } from '#base/market-history.ts'
import { KlineLists } from './kline-lists.ts'

export interface HistoryStart {
  readonly dataFolder: string
  /** BigInt64 by matcher: the last position archived. */
  readonly archived: SharedArrayBuffer
  /** How long a query waits for the archive. */
  readonly waitMs: number
}

/** What of History can be asked for rows: each takes one query. */
export type RowsAsk =
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

/** What can be asked for as a JSON array: each takes a query and how its rows are to be written. */
export type ListAsk = 'klineList' | 'publicTradeList' | 'aggregateTradeList'

export type HistoryQuery<Ask extends RowsAsk> = Parameters<History[Ask]>[0]

export interface HistoryTask {
  readonly ask: RowsAsk | ListAsk
  readonly query: unknown
  /** With a ListAsk. */
  readonly form?: ListForm
  /** By matcher: answer once the archive has passed this position. */
  readonly positions: readonly bigint[]
}

export interface HistoryAnswer {
  /** False when the archive did not pass the positions in time. */
  readonly done: boolean
  readonly rows?: unknown
}

/** Orders go first (bench `queries`); the archivist, which it may have to wait for, comes last. */
const NICENESS = 5

// On Linux this is the calling thread's alone.
if (process.platform === 'linux') os.setPriority(0, NICENESS)

const start = workerData as HistoryStart
const archived = new BigInt64Array(start.archived)
let desk: Desk | undefined

export default function answer({ ask, query, form, positions }: HistoryTask): HistoryAnswer {
  if (!passed(positions)) return { done: false }
  desk ??= new Desk(new History(archiveFolder(start.dataFolder)))
  const { history } = desk
  history.refresh()
  const rows =
    form === undefined
      ? (history[ask as RowsAsk] as (query: unknown) => unknown).call(history, query)
      : desk[ask as ListAsk](query as never, form)
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

/** The archive, and the lists that are rendered here. */
class Desk {
  readonly history: History
  readonly #klines: KlineLists

  constructor(history: History) {
    this.history = history
    this.#klines = new KlineLists(history)
  }

  klineList(query: KlineQuery, form: ListForm): string {
    return this.#klines.list(query, form)
  }

  publicTradeList(query: PublicTradesQuery, form: ListForm): string {
    return arrayText(publicTradeTexts(this.history.publicTrades(query), form))
  }

  aggregateTradeList(query: AggregateTradesQuery, form: ListForm): string {
    return arrayText(aggregateTradeTexts(this.history.aggregateTrades(query), form))
  }
}
