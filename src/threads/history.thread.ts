/**
 * A history thread: answers one query at a time from the archive, which it opens when the first one
 * comes. It may sleep in Atomics.wait, since nothing else runs here.
 */
import { workerData } from 'node:worker_threads'
import { archiveFolder } from '#archive/archive-writer.ts'
import { History } from '#archive/history.ts'
import type { AllOrdersQuery, MyTradesQuery, OrderQuery } from '#archive/rows.ts'

export interface HistoryStart {
  readonly dataFolder: string
  /** BigInt64 by matcher: the last position archived. */
  readonly archived: SharedArrayBuffer
  /** How long a query waits for the archive. */
  readonly waitMs: number
}

export interface HistoryTask {
  readonly question:
    | { readonly ask: 'allOrders'; readonly query: AllOrdersQuery }
    | { readonly ask: 'order'; readonly query: OrderQuery }
    | { readonly ask: 'myTrades'; readonly query: MyTradesQuery }
    | {
        readonly ask: 'recentTrades'
        readonly query: { readonly symbolId: number; readonly limit: number }
      }
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

export default function answer({ question, positions }: HistoryTask): HistoryAnswer {
  if (!passed(positions)) return { done: false }
  history ??= new History(archiveFolder(start.dataFolder))
  history.refresh()
  const rows = ask(history, question)
  // An old state that is held while nobody asks keeps its pages, and the archive grows instead.
  history.refresh()
  return { done: true, rows }
}

function ask(from: History, question: HistoryTask['question']): unknown {
  switch (question.ask) {
    case 'allOrders':
      return from.allOrders(question.query)
    case 'order':
      return from.order(question.query)
    case 'myTrades':
      return from.myTrades(question.query)
    case 'recentTrades':
      return from.recentTrades(question.query.symbolId, question.query.limit)
  }
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
