/**
 * A history thread: executes one query of the archive at a time. It opens the archive with the first
 * one. It may sleep in Atomics.wait while a query waits, since nothing else runs here.
 */
import os from 'node:os'
import { parentPort, threadId, workerData } from 'node:worker_threads'
import { archiveFolder } from '../archive/archive-writer.ts'
import { History } from '../archive/history.ts'
import type { HistoryName } from '../history/queries.ts'
import { LongRead } from '../journal/environment.ts'
import { type FormText, FormTexts } from './list-form-text.ts'
import { QueryService } from './query-service.ts'

export interface HistoryStart {
  readonly dataFolder: string
  /** BigInt64 by matcher: the last position archived. */
  readonly archived: SharedArrayBuffer
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
  readonly done: boolean
  readonly result?: unknown
}

/** What a thread says once its modules are loaded: its number. */
export interface HistoryLoaded {
  readonly loaded: number
}

/** The longest time to notice that the pool is being closed. */
const LOOK_MS = 100
/** Orders go first (bench `queries`); the archivist, which it may have to wait for, comes last. */
const NICENESS = 5

// On Linux this is the calling thread's alone.
if (process.platform === 'linux') os.setPriority(0, NICENESS)

const start = workerData as HistoryStart
const archived = new BigInt64Array(start.archived)
const closing = new Int32Array(start.closing)
const isClosing = () => Atomics.load(closing, 0) === 1
const forms = new FormTexts()
let service: QueryService | undefined
parentPort?.postMessage({ loaded: threadId } satisfies HistoryLoaded)

export default function answer({ name, query, form, positions }: HistoryTask): HistoryAnswer {
  while (passed(positions)) {
    service ??= new QueryService(new History(archiveFolder(start.dataFolder)))
    try {
      const result = service.read(name, query, form && forms.read(form))
      // An archive that restarted meanwhile may have been seen empty.
      if (hasPassed(positions)) return { done: true, result }
    } catch (error) {
      if (!(error instanceof LongRead)) throw error
      return { done: false }
    }
  }
  return { done: false }
}

const hasPassed = (positions: readonly bigint[]): boolean =>
  positions.every((position, matcher) => Atomics.load(archived, matcher) >= position)

/** Sleeps until the archive has passed the positions. Returns false after too long, or at the end. */
function passed(positions: readonly bigint[]): boolean {
  if (isClosing()) return false
  const deadlineMs = performance.now() + start.waitMs
  for (const [matcher, position] of positions.entries()) {
    let now = Atomics.load(archived, matcher)
    while (now < position) {
      const leftMs = deadlineMs - performance.now()
      if (leftMs <= 0 || isClosing()) return false
      Atomics.wait(archived, matcher, now, Math.min(leftMs, LOOK_MS))
      now = Atomics.load(archived, matcher)
    }
  }
  return true
}
