/**
 * The main thread's end of another thread: what it is started with, what it reported, what it is asked,
 * and what to do when it ends without having been asked to.
 */
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Announcement } from '../market/announcement.ts'
import { openGate } from './start-gate.ts'
import type { LiquidityStart, ThreadOrder, ThreadReport, ThreadStart } from './thread-messages.ts'

type Applied = Extract<ThreadReport, { report: 'applied' }>
type ReportName = Exclude<ThreadReport['report'], 'log' | 'failed' | 'applied'>

export interface WorkerEvents {
  readonly log: Logger
  /** Called for each warning that the thread logs. */
  readonly warned: () => void
  /** Called when the thread ends without having been asked to. */
  readonly onFailure: (error: Error) => void
}

/** The bound of a thread's heap, and the flag that sets it. */
export interface HeapBound {
  readonly megabytes: number
  readonly flag: string
}

/** Why a thread ended, for an operator. */
function reasonOf(error: Error, thread: string, heap: HeapBound | undefined): Error {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  const bound = heap === undefined ? '' : ` (${heap.megabytes} MiB; --${heap.flag})`
  const sentence = new Error(`${thread} ran out of memory${bound}`)
  sentence.stack = sentence.message
  return sentence
}

export class WorkerHandle {
  readonly name: string
  readonly #worker: Worker
  readonly #gate = new SharedArrayBuffer(4)
  readonly #seen = new Map<ReportName, ThreadReport>()
  readonly #waiting = new Map<ReportName, (report: ThreadReport) => void>()
  readonly #unapplied = new Map<number, (report: Applied) => void>()
  #askedCount = 0
  #hasBegun = false
  #fail: (error: Error) => void = () => {}
  readonly #failed: Promise<never>

  /** The thread loads its modules at once, beside those of the others, and works from begin() on. */
  constructor(
    file: string,
    index: number,
    { log, warned, onFailure }: WorkerEvents,
    heap?: HeapBound,
  ) {
    this.#failed = new Promise((_, reject) => {
      this.#fail = reject
    })
    // Whoever waits learns of the failure; when nobody waits, onFailure alone does.
    this.#failed.catch(() => {})
    this.#worker = new Worker(new URL(`./${file}`, import.meta.url), {
      workerData: this.#gate,
      ...(heap && { resourceLimits: { maxOldGenerationSizeMb: heap.megabytes } }),
    })
    const name = file.replace('.thread.js', `-${index}`)
    this.name = name
    let hasFailed = false
    const failed = (error: Error) => {
      // What follows the first failure says less.
      if (hasFailed) return
      hasFailed = true
      this.#fail(error)
      onFailure(error)
    }
    this.#worker.on('message', (report: ThreadReport) => {
      if (report.report === 'log') {
        log[report.level]({ thread: name, ...report.fields }, report.message)
        if (report.level === 'warn') warned()
      } else if (report.report === 'failed') {
        const { name, message, stack } = report
        failed(Object.assign(new Error(message), { name, stack }))
      } else if (report.report === 'applied') this.#applied(report)
      else this.#arrived(report.report, report)
    })
    this.#worker.on('error', (error) => failed(reasonOf(error, name, heap)))
    this.#worker.on('exit', (code) => {
      if (!this.#seen.has('stopped')) failed(new Error(`${name} ended with code ${code}`))
    })
  }

  begin(start: ThreadStart | LiquidityStart): void {
    this.#hasBegun = true
    this.#worker.postMessage(start)
    openGate(this.#gate)
  }

  /** The report, as soon as it was made. Rejects when the thread fails first. */
  waitFor(name: ReportName): Promise<ThreadReport> {
    const seen = this.#seen.get(name)
    if (seen !== undefined) return Promise.resolve(seen)
    const arrival = new Promise<ThreadReport>((resolve) => this.#waiting.set(name, resolve))
    return Promise.race([arrival, this.#failed])
  }

  /** The kernel's number of the thread, where it has one, once it is ready. Rejects when it fails first. */
  async thread(): Promise<number | undefined> {
    const ready = await this.waitFor('ready')
    return ready.report === 'ready' ? ready.thread : undefined
  }

  /** Whether there is a report that somebody waits for. */
  get isAwaited(): boolean {
    return [...this.#waiting.keys()].some((name) => !this.#seen.has(name))
  }

  /**
   * Resolves when the thread has left its work, if it ever began it, or at least is past the report, or
   * has failed.
   */
  async left(past: ReportName = 'stopped'): Promise<void> {
    if (!this.#hasBegun) return
    await Promise.race([this.waitFor(past), this.waitFor('stopped')]).catch(() => {})
  }

  /** The same for one that must be told to. */
  async leave(): Promise<void> {
    this.#worker.postMessage({ order: 'stop' } satisfies ThreadOrder)
    await this.left()
  }

  /**
   * Ends the thread wherever it is, which must not be LMDB: a transaction would wait for itself for ever,
   * and the process with it, and other calls may end the process by SIGABRT.
   */
  async terminate(): Promise<void> {
    this.#seen.set('stopped', { report: 'stopped' })
    await this.#worker.terminate()
  }

  /** Resolves when the thread goes by it. Rejects when the thread fails first. */
  announce(announcements: readonly Announcement[]): Promise<Applied> {
    const number = ++this.#askedCount
    return this.#post({ order: 'announce', number, announcements })
  }

  /** As announce(), for whoever need not go by it before others do. */
  tell(announcements: readonly Announcement[]): void {
    const number = ++this.#askedCount
    this.#worker.postMessage({ order: 'announce', number, announcements } satisfies ThreadOrder)
  }

  /** Of the snapshots' thread. Resolves when the snapshot is made, or refused. */
  snapshot(): Promise<Applied> {
    const number = ++this.#askedCount
    return this.#post({ order: 'snapshot', number })
  }

  #post(order: Extract<ThreadOrder, { number: number }>): Promise<Applied> {
    const applied = new Promise<Applied>((resolve) => this.#unapplied.set(order.number, resolve))
    this.#worker.postMessage(order)
    return Promise.race([applied, this.#failed])
  }

  ask(order: 'drain' | 'readOnly' | 'stop', answer: ReportName): Promise<ThreadReport> {
    this.#worker.postMessage({ order } satisfies ThreadOrder)
    return this.waitFor(answer)
  }

  #applied(report: Applied): void {
    this.#unapplied.get(report.number)?.(report)
    this.#unapplied.delete(report.number)
  }

  #arrived(name: ReportName, report: ThreadReport): void {
    this.#seen.set(name, report)
    this.#waiting.get(name)?.(report)
  }
}
