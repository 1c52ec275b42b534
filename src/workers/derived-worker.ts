/**
 * A thread that keeps what can be made again from the journals: the indexer, or the snapshots'. When it
 * fails, the exchange continues without it, and another thread takes its place after a pause. The pause grows
 * while threads keep failing. A thread that hangs cannot be ended, since it may be inside LMDB; operators
 * see it as degraded.
 */

import type { Logger } from 'pino'
import type { ThreadStart } from '../agents/messages.ts'
import { elapsedMs, type Time, type Timer, within } from '../base/time.ts'
import type { ControlMessage } from '../shared/control-message.ts'
import type { WorkerEvents, WorkerHandle } from './worker-handle.ts'

const PAUSE_MS = 1_000
const PAUSE_MS_MAX = 300_000
/** A thread that fails after it worked for so long counts as a first failure. */
const SOUND_MS = 600_000
/** How often a thread's beats are looked at, and after how many looks without one it hangs. */
const LOOK_MS = 10_000
const STILL_MAX = 6
/** Far more than any transaction takes. */
const ANNOUNCE_MS = 30_000

export interface DerivedWorkerParts {
  readonly time: Time
  /** Creates a thread. */
  readonly launch: (events: Pick<WorkerEvents, 'onFailure' | 'onDegraded'>) => WorkerHandle
  readonly log: Logger
  /** Called with a part and why it is degraded; undefined when it is not. */
  readonly degrade: (part: string, why: string | undefined) => void
  /** Called with the kernel's number of a thread in place of another one's. */
  readonly replaced: (ended: number, thread: number) => void
  /** A number that changes while the thread is alive; left out where it may rest for long. */
  readonly beats?: () => number
  readonly pauseMs?: number
  readonly lookMs?: number
  readonly announceMs?: number
}

export class DerivedWorker {
  private readonly parts: DerivedWorkerParts
  private worker: WorkerHandle
  /** Returns what a thread starts with at that moment. */
  private start: (() => ThreadStart) | undefined = undefined
  private hasFailed = false
  private isEnding = false
  private failures = 0
  private beganMs = 0
  private threadId: number | undefined = undefined
  /** Resolves to the kernel's number of the thread when it is ready; without one, when it has failed. */
  private whenReady: Promise<number | undefined> = Promise.resolve(undefined)
  private next: Timer | undefined = undefined
  private watch: Timer | undefined = undefined

  constructor(parts: DerivedWorkerParts) {
    this.parts = parts
    this.worker = this.launch()
  }

  get name(): string {
    return this.worker.name
  }

  get isAwaited(): boolean {
    return !this.hasFailed && this.worker.isAwaited
  }

  /** `start` is called now, and whenever another thread begins. */
  begin(start: () => ThreadStart): void {
    this.start = start
    if (!this.hasFailed) this.beginThread()
    if (this.parts.beats !== undefined) this.watchBeats(this.parts.beats)
  }

  /** Resolves when the thread is ready, or has failed. */
  async ready(): Promise<void> {
    await this.whenReady
  }

  /** Resolves to the kernel's number of the ready thread, if it has one. */
  thread(): Promise<number | undefined> {
    return this.whenReady
  }

  /**
   * Resolves when the thread applies it, or has failed, since the next one starts with the state of that moment;
   * or after ANNOUNCE_MS, since no action waits for a thread that hangs.
   */
  async notify(messages: readonly ControlMessage[]): Promise<void> {
    const { time, announceMs = ANNOUNCE_MS } = this.parts
    await within(
      time,
      announceMs,
      this.worker.notify(messages).catch(() => {}),
    )
  }

  /** As notify(), but without waiting. */
  send(messages: readonly ControlMessage[]): void {
    this.worker.send(messages)
  }

  /** Resolves when the snapshot is made, or refused. Rejects when the thread fails first. */
  snapshot(): Promise<{ readonly said?: string; readonly refused?: string }> {
    return this.worker.snapshot()
  }

  /** Resolves when the thread has stopped, or has failed. No other takes its place any more. */
  async stopped(): Promise<void> {
    this.end()
    await this.worker.waitFor('stopped').catch(() => {})
  }

  /** Resolves when the thread has left its work. No other takes its place any more. */
  async left(): Promise<void> {
    this.end()
    await this.worker.left()
  }

  async terminate(): Promise<void> {
    this.end()
    await this.worker.terminate()
  }

  private launch(): WorkerHandle {
    const worker: WorkerHandle = this.parts.launch({
      onFailure: (error) => this.failed(error),
      onDegraded: (why) => this.parts.degrade(worker.name, why),
    })
    return worker
  }

  private beginThread(): void {
    this.beganMs = elapsedMs(this.parts.time)
    this.worker.begin(this.start!())
    this.whenReady = this.worker.thread().catch(() => undefined)
    void this.whenReady.then((thread) => this.noteThread(thread))
  }

  private noteThread(thread: number | undefined): void {
    if (thread === undefined) return
    const ended = this.threadId
    this.threadId = thread
    if (ended !== undefined) this.parts.replaced(ended, thread)
  }

  private failed(error: Error): void {
    if (this.isEnding) return
    const { log, degrade, pauseMs = PAUSE_MS } = this.parts
    const { name } = this.worker
    this.hasFailed = true
    if (elapsedMs(this.parts.time) - this.beganMs > SOUND_MS) this.failures = 0
    const waitMs = Math.min(pauseMs * 2 ** this.failures++, PAUSE_MS_MAX)
    const seconds = waitMs / 1_000
    const isStore = error.name === 'StorageError'
    const reason = isStore ? error.message : error.stack
    log.error({ reason, seconds }, `${name} failed; another thread takes its place`)
    degrade(name, `${name} failed and is started again; orders continue. ${error.message}`)
    this.next = this.parts.time.after(waitMs, () => this.replace())
  }

  private replace(): void {
    this.hasFailed = false
    this.worker = this.launch()
    if (this.start !== undefined) this.beginThread()
  }

  private watchBeats(beats: () => number): void {
    const { degrade, time, lookMs = LOOK_MS } = this.parts
    const part = `${this.name} stands still`
    let last = beats()
    let looks = 0
    this.watch = time.every(lookMs, () => {
      const now = beats()
      looks = now === last && !this.hasFailed ? looks + 1 : 0
      last = now
      const seconds = (looks * lookMs) / 1_000
      const why = `${this.name} has not moved for ${seconds} seconds, and may hang.`
      degrade(part, looks < STILL_MAX ? undefined : why)
    })
  }

  private end(): void {
    this.isEnding = true
    this.next?.cancel()
    this.watch?.cancel()
  }
}
