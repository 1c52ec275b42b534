/**
 * The main thread's end of a worker: its start, its reports, requests to it, and the handling of an
 * unrequested end. The worker runs on a thread (thread-worker.ts), or on this event loop (one-loop).
 */
import type { Logger } from 'pino'
import type { Delivery, ThreadOrder, ThreadReport, WorkerStarts } from '../agents/messages.ts'
import { Failure } from '../base/failure.ts'
import type { SandboxAnswer, SandboxRequest } from '../sandbox/requests.ts'
import type { ControlMessage } from '../shared/control-message.ts'
import type { OperatorQuery, OperatorQueryAnswer } from '../shared/operator-query.ts'
import type { Payment } from '../shared/payment.ts'
import type { WorkerKind } from './hosting.ts'

type Applied = Extract<ThreadReport, { report: 'applied' }>
type ReportName = Exclude<
  ThreadReport['report'],
  'log' | 'failed' | 'applied' | 'facts' | 'payments' | 'degraded' | 'sandbox'
>

export interface WorkerEvents {
  readonly log: Logger
  /** Called for each warning that the thread logs. */
  readonly warned: () => void
  /** Called when the thread ends by itself. */
  readonly onFailure: (error: Error) => void
  /** Called when the replica thread has delivered facts. */
  readonly onFacts?: () => void
  /** Called with withdrawals that are to be signed or sent. */
  readonly onPayments?: (payments: readonly Payment[]) => void
  /** Called with the reason when what the thread keeps is not what it should be; undefined once it is. */
  readonly onDegraded?: (why: string | undefined) => void
  /** Called with a client's request to the sandbox. */
  readonly onSandbox?: (request: SandboxRequest) => Promise<SandboxAnswer>
}

/** The bound of a thread's heap, and the flag that sets it. */
export interface HeapBound {
  readonly megabytes: number
  readonly flag: string
}

/** Creates a worker, which works from begin() on. */
export type Hire = (
  kind: WorkerKind,
  index: number,
  events: WorkerEvents,
  heap?: HeapBound,
) => WorkerHandle

export type WorkerStart = WorkerStarts[WorkerKind]

export abstract class WorkerHandle {
  readonly name: string
  private readonly events: WorkerEvents
  private readonly seen = new Map<ReportName, ThreadReport>()
  private readonly waiting = new Map<ReportName, (report: ThreadReport) => void>()
  private readonly unapplied = new Map<number, (report: Applied) => void>()
  private sentCount = 0
  private hasFailed = false
  /** Callers that wait receive it; without any, only onFailure does. */
  private readonly failure = new Failure()

  constructor(name: string, events: WorkerEvents) {
    this.name = name
    this.events = events
  }

  abstract begin(start: WorkerStart): void

  /** Returns how long the worker's event loop has worked and waited. */
  abstract loopTime(): { readonly activeMs: number; readonly idleMs: number }

  /**
   * Ends the worker wherever it is, which must not be inside LMDB: a transaction would wait for itself
   * forever, and the process with it; other calls may end the process by SIGABRT.
   */
  async terminate(): Promise<void> {
    this.seen.set('stopped', { report: 'stopped' })
    await this.end()
  }

  protected abstract end(): Promise<unknown>

  /** Resolves when a worker that never began has left. */
  protected abstract leftUnbegun(): Promise<unknown>

  protected abstract get hasBegun(): boolean

  protected abstract post(order: ThreadOrder): void

  /** Takes a report of the worker. */
  protected take(report: ThreadReport): void {
    const { log, warned, onFacts, onDegraded } = this.events
    if (report.report === 'log') {
      log[report.level]({ thread: this.name, ...report.fields }, report.message)
      if (report.level === 'warn') warned()
    } else if (report.report === 'failed') {
      const { name, message, stack } = report
      this.failed(Object.assign(new Error(message), { name, stack }))
    } else if (report.report === 'applied') this.applied(report)
    else if (report.report === 'facts') onFacts?.()
    else if (report.report === 'payments') this.events.onPayments?.(report.payments)
    else if (report.report === 'degraded') onDegraded?.(report.why)
    else if (report.report === 'sandbox') void this.answerSandbox(report.number, report.request)
    else this.arrived(report.report, report)
  }

  /** The worker ended by itself. Only the first failure counts. */
  protected failed(error: Error): void {
    if (this.hasFailed) return
    this.hasFailed = true
    this.failure.fail(error)
    this.events.onFailure(error)
  }

  /** Whether the worker has reported that it stopped, or is ended. */
  protected get hasStopped(): boolean {
    return this.seen.has('stopped')
  }

  /** Resolves to the report. Rejects when the thread fails first. */
  waitFor(name: ReportName): Promise<ThreadReport> {
    const seen = this.seen.get(name)
    if (seen !== undefined) return Promise.resolve(seen)
    const arrival = new Promise<ThreadReport>((resolve) => this.waiting.set(name, resolve))
    return this.failure.orFirst(arrival)
  }

  /** Resolves to the kernel's number of the ready thread, if it has one. Rejects when it fails first. */
  async thread(): Promise<number | undefined> {
    const ready = await this.waitFor('ready')
    return ready.report === 'ready' ? ready.thread : undefined
  }

  /** Whether a caller waits for a report. */
  get isAwaited(): boolean {
    return [...this.waiting.keys()].some((name) => !this.seen.has(name))
  }

  /** Resolves when the worker has left its work, or is past the report, or has failed. */
  async left(past: ReportName = 'stopped'): Promise<void> {
    const left: Promise<unknown> = this.hasBegun
      ? Promise.race([this.waitFor(past), this.waitFor('stopped')])
      : this.failure.orFirst(this.leftUnbegun())
    await left.catch(() => {})
  }

  /** Orders the worker to stop, and resolves as `left`. */
  async leave(): Promise<void> {
    this.post({ order: 'stop' })
    await this.left()
  }

  /** Resolves when the thread applies it. Rejects when the thread fails first. */
  notify(messages: readonly ControlMessage[]): Promise<Applied> {
    const number = ++this.sentCount
    return this.postOrder({ order: 'control', number, messages })
  }

  /** As notify(), but without waiting. */
  send(messages: readonly ControlMessage[]): void {
    const number = ++this.sentCount
    this.post({ order: 'control', number, messages })
  }

  /** Gives the replica thread of a follower what it writes into. */
  deliver(delivery: Delivery): void {
    this.post({ order: 'deliver', delivery })
  }

  /** Orders the replica thread of a follower to take the lead. */
  promote(): void {
    this.post({ order: 'promote' })
  }

  /** For a member that can write nothing more: its replica thread neither leads nor follows from now on. */
  resign(): void {
    this.post({ order: 'resign' })
  }

  /** Resolves to whether the replica thread's member has left the lead. Rejects when it fails first. */
  async handOver(successor: string): Promise<boolean> {
    const number = ++this.sentCount
    const { said } = await this.postOrder({ order: 'handOver', number, successor })
    return said === 'left'
  }

  /** Gives the market makers the certificate to trust. */
  trust(certificate: string): void {
    this.post({ order: 'trust', certificate })
  }

  /** Resolves to a gateway's answer. Rejects when it fails first. */
  async answer(query: OperatorQuery): Promise<OperatorQueryAnswer> {
    const number = ++this.sentCount
    const { answer } = await this.postOrder({ order: 'query', number, query })
    return answer!
  }

  /** Orders a snapshot. Resolves when it is made, or refused. */
  snapshot(): Promise<Applied> {
    const number = ++this.sentCount
    return this.postOrder({ order: 'snapshot', number })
  }

  private postOrder(order: Extract<ThreadOrder, { number: number }>): Promise<Applied> {
    const applied = new Promise<Applied>((resolve) => this.unapplied.set(order.number, resolve))
    this.post(order)
    return this.failure.orFirst(applied)
  }

  ask(order: 'drain' | 'readOnly' | 'stop', answer: ReportName): Promise<ThreadReport> {
    this.post({ order })
    return this.waitFor(answer)
  }

  private async answerSandbox(number: number, request: SandboxRequest): Promise<void> {
    // A gateway that fails meanwhile ends the exchange.
    const answer = await this.events.onSandbox?.(request).catch(() => undefined)
    if (answer !== undefined) this.post({ order: 'sandbox', number, answer })
  }

  private applied(report: Applied): void {
    this.unapplied.get(report.number)?.(report)
    this.unapplied.delete(report.number)
  }

  private arrived(name: ReportName, report: ThreadReport): void {
    this.seen.set(name, report)
    this.waiting.get(name)?.(report)
  }
}
