/**
 * A history thread: executes one query of the archive at a time. It opens the archive with the first
 * one, and leaves an archive that was made again after the query at hand. It may sleep in Atomics.wait,
 * since nothing else runs here.
 */

import { existsSync } from 'node:fs'
import { parentPort, threadId, workerData } from 'node:worker_threads'
import { archiveFolder } from '../archive/archive-folder.ts'
import { History } from '../archive/history.ts'
import { CALLING_THREAD, lowerPriority, threadNumber } from '../base/lower-priority.ts'
import { RealTime } from '../base/real-time.ts'
import { elapsedMs } from '../base/time.ts'
import type { HistoryName } from '../history/queries.ts'
import { isRefusal, LongRead, StorageError } from '../journal/environment.ts'
import { ArchiveCells } from '../shared/archive-cells.ts'
import { HISTORY_NICENESS } from './history-priority.ts'
import { type FormText, FormTexts } from './list-form-text.ts'
import { QueryService } from './query-service.ts'

export interface HistoryStart {
  readonly dataFolder: string
  /** BigInt64 by matcher: the last position archived. */
  readonly archived: SharedArrayBuffer
  /** shared/archive-cells.ts. */
  readonly archive: SharedArrayBuffer
  /** The longest wait of a query for the archive. */
  readonly waitMs: number
  /** One cell: once it is 1, no query reads any more. */
  readonly closing: SharedArrayBuffer
}

export interface HistoryTask {
  readonly name: HistoryName
  readonly query: unknown
  /** For a list. */
  readonly form?: FormText
  /** By matcher: the position that the archive must have passed. */
  readonly positions: readonly bigint[]
}

export interface HistoryAnswer {
  /** False when the archive did not pass the positions in time, or the query took too long. */
  /** False when the archive did not answer in time, or could not be read. */
  readonly done: boolean
  readonly result?: unknown
  /** Why it could not be read. */
  readonly fault?: string
}

/** What a thread sends once its modules are loaded: its number, and the kernel's, where it has one. */
export interface HistoryLoaded {
  readonly loaded: number
  readonly thread: number | undefined
}

/** The longest time to notice that the pool is being closed. */
const LOOK_MS = 100
lowerPriority(CALLING_THREAD, HISTORY_NICENESS)

const time = new RealTime()
const start = workerData as HistoryStart
const archived = new BigInt64Array(start.archived)
const closing = new Int32Array(start.closing)
const isClosing = () => Atomics.load(closing, 0) === 1
const forms = new FormTexts()
const archive = new ArchiveCells(start.archive)
let opened: { readonly number: number; history: History; service: QueryService } | undefined
parentPort?.postMessage({ loaded: threadId, thread: threadNumber() } satisfies HistoryLoaded)

/** Runs a task. Without one it only leaves an archive that was made again, so that the disk has its room back. */
export default function answer(task: HistoryTask | null): HistoryAnswer {
  try {
    return task === null ? { done: true } : answerTo(task)
  } finally {
    if (opened?.number !== archive.number) leave()
  }
}

function answerTo({ name, query, form, positions }: HistoryTask): HistoryAnswer {
  let fault: string | undefined
  while (passed(positions)) {
    const { number } = archive
    try {
      const service = serviceOf(number)
      if (service === undefined) return { done: false, fault: 'The archive is not there.' }
      const result = service.read(name, query, form && forms.read(form))
      // An archive that was made again meanwhile may have been seen empty.
      if (archive.number === number && hasPassed(positions)) return { done: true, result }
    } catch (error) {
      if (error instanceof LongRead) return { done: false }
      leave()
      if (archive.number !== number) continue
      if (!(error instanceof StorageError)) throw error
      // What it reads was changed by a mistake of LMDB, perhaps: damage is there when it reads again.
      if (fault === undefined && !isRefusal(error)) {
        fault = error.message
        continue
      }
      if (!isRefusal(error)) archive.setDamaged(number)
      return { done: false, fault: error.message }
    }
  }
  return { done: false }
}

/** Undefined while there is none: LMDB would create it, and only the indexer may. */
function serviceOf(number: number): QueryService | undefined {
  if (opened?.number === number) return opened.service
  leave()
  const folder = archiveFolder(start.dataFolder, number)
  if (!existsSync(folder)) return undefined
  const history = new History(folder, time)
  opened = { number, history, service: new QueryService(history) }
  return opened.service
}

function leave(): void {
  opened?.history.close()
  opened = undefined
}

const hasPassed = (positions: readonly bigint[]): boolean =>
  positions.every((position, matcher) => Atomics.load(archived, matcher) >= position)

/** Sleeps until the archive has passed the positions. Returns false after too long, or at the end. */
function passed(positions: readonly bigint[]): boolean {
  if (isClosing()) return false
  const deadlineMs = elapsedMs(time) + start.waitMs
  for (const [matcher, position] of positions.entries()) {
    let now = Atomics.load(archived, matcher)
    while (now < position) {
      const leftMs = deadlineMs - elapsedMs(time)
      if (leftMs <= 0 || isClosing()) return false
      time.wait(archived, matcher, now, Math.min(leftMs, LOOK_MS))
      now = Atomics.load(archived, matcher)
    }
  }
  return true
}
