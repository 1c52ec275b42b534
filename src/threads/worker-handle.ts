/**
 * The main thread's end of another thread: its start, its report, requests to it, and the handling of an
 * unrequested end.
 */
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Announcement } from '../market/announcement.ts'
import type { Question, QuestionAnswer } from '../market/question.ts'
import { hasLoaded, openGate } from './start-gate.ts'
import type {
  BackupStart,
  Delivery,
  LiquidityStart,
  ReplicaStart,
  ThreadOrder,
  ThreadReport,
  ThreadStart,
} from './thread-messages.ts'

type Applied = Extract<ThreadReport, { report: 'applied' }>
type ReportName = Exclude<
  ThreadReport['report'],
  'log' | 'failed' | 'applied' | 'facts' | 'degraded'
>

export interface WorkerEvents {
  readonly log: Logger
  /** Called for each warning that the thread logs. */
  readonly warned: () => void
  /** Called when the thread ends by itself. */
  readonly onFailure: (error: Error) => void
  /** Called when the replica thread has delivered facts. */
  readonly onFacts?: () => void
  /** Called with the reason when what the thread keeps is not what it should be; undefined once it is. */
  readonly onDegraded?: (why: string | undefined) => void
}

/** The bound of a thread's heap, and the flag that sets it. */
export interface HeapBound {
  readonly megabytes: number
  readonly flag: string
}

/** Returns the reason of a thread's end, for an operator. */
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
    { log, warned, onFailure, onFacts, onDegraded }: WorkerEvents,
    heap?: HeapBound,
  ) {
    this.#failed = new Promise((_, reject) => {
      this.#fail = reject
    })
    // Waiting callers receive the failure; without any, only onFailure does.
    this.#failed.catch(() => {})
    this.#worker = new Worker(new URL(`./${file}`, import.meta.url), {
      workerData: this.#gate,
      ...(heap && { resourceLimits: { maxOldGenerationSizeMb: heap.megabytes } }),
    })
    const name = file.replace('.thread.js', `-${index}`)
    this.name = name
    let hasFailed = false
    const failed = (error: Error) => {
      // Only the first failure counts.
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
      else if (report.report === 'facts') onFacts?.()
      else if (report.report === 'degraded') onDegraded?.(report.why)
      else this.#arrived(report.report, report)
    })
    this.#worker.on('error', (error) => failed(reasonOf(error, name, heap)))
    this.#worker.on('exit', (code) => {
      if (!this.#seen.has('stopped')) failed(new Error(`${name} ended with code ${code}`))
    })
  }

  begin(start: ThreadStart | LiquidityStart | BackupStart | ReplicaStart): void {
    this.#hasBegun = true
    this.#worker.postMessage(start)
    openGate(this.#gate)
  }

  /** Resolves to the report. Rejects when the thread fails first. */
  waitFor(name: ReportName): Promise<ThreadReport> {
    const seen = this.#seen.get(name)
    if (seen !== undefined) return Promise.resolve(seen)
    const arrival = new Promise<ThreadReport>((resolve) => this.#waiting.set(name, resolve))
    return Promise.race([arrival, this.#failed])
  }

  /** Resolves to the kernel's number of the ready thread, if it has one. Rejects when it fails first. */
  async thread(): Promise<number | undefined> {
    const ready = await this.waitFor('ready')
    return ready.report === 'ready' ? ready.thread : undefined
  }

  /** Returns how long the thread's event loop has worked and waited. */
  loopTime(): { readonly activeMs: number; readonly idleMs: number } {
    const { active, idle } = this.#worker.performance.eventLoopUtilization()
    return { activeMs: active, idleMs: idle }
  }

  /** Whether a caller waits for a report. */
  get isAwaited(): boolean {
    return [...this.#waiting.keys()].some((name) => !this.#seen.has(name))
  }

  /**
   * Resolves when the thread has left its work, or is past the report, or has failed. A thread that never
   * began has left when its modules are loaded: LMDB's ends the process by SIGABRT if its thread is ended
   * while it loads.
   */
  async left(past: ReportName = 'stopped'): Promise<void> {
    const ends: readonly Promise<unknown>[] = this.#hasBegun
      ? [this.waitFor(past), this.waitFor('stopped')]
      : [hasLoaded(this.#gate), this.#failed]
    await Promise.race(ends).catch(() => {})
  }

  /** Tells the thread to leave, and resolves likewise. */
  async leave(): Promise<void> {
    this.#worker.postMessage({ order: 'stop' } satisfies ThreadOrder)
    await this.left()
  }

  /**
   * Ends the thread wherever it is, which must not be inside LMDB: a transaction would wait for itself
   * for ever, and the process with it; other calls may end the process by SIGABRT.
   */
  async terminate(): Promise<void> {
    this.#seen.set('stopped', { report: 'stopped' })
    await this.#worker.terminate()
  }

  /** Resolves when the thread applies it. Rejects when the thread fails first. */
  announce(announcements: readonly Announcement[]): Promise<Applied> {
    const number = ++this.#askedCount
    return this.#post({ order: 'announce', number, announcements })
  }

  /** As announce(), but without waiting. */
  tell(announcements: readonly Announcement[]): void {
    const number = ++this.#askedCount
    this.#worker.postMessage({ order: 'announce', number, announcements } satisfies ThreadOrder)
  }

  /** Tells the replica thread of a follower. */
  deliver(delivery: Delivery): void {
    this.#worker.postMessage({ order: 'deliver', delivery } satisfies ThreadOrder)
  }

  /** Tells the replica thread of a follower to take the lead. */
  promote(): void {
    this.#worker.postMessage({ order: 'promote' } satisfies ThreadOrder)
  }

  /** Tells the replica thread that its member can write nothing more: it neither leads nor follows. */
  resign(): void {
    this.#worker.postMessage({ order: 'resign' } satisfies ThreadOrder)
  }

  /** Resolves to whether the replica thread's member has left the lead. Rejects when it fails first. */
  async handOver(successor: string): Promise<boolean> {
    const number = ++this.#askedCount
    const { said } = await this.#post({ order: 'handOver', number, successor })
    return said === 'left'
  }

  /** Tells the thread of house liquidity. */
  trust(certificate: string): void {
    this.#worker.postMessage({ order: 'trust', certificate } satisfies ThreadOrder)
  }

  /** Resolves to a gateway's answer. Rejects when it fails first. */
  async answer(question: Question): Promise<QuestionAnswer> {
    const number = ++this.#askedCount
    const { answer } = await this.#post({ order: 'question', number, question })
    return answer!
  }

  /** Asks the snapshots' thread. Resolves when the snapshot is made, or refused. */
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
