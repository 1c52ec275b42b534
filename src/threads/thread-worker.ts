/** A worker on a thread of its own. */
import { Worker } from 'node:worker_threads'
import { builtPath } from '../base/package-folder.ts'
import { countOrder, GATE_BYTES, hasLoaded, openGate } from './start-gate.ts'
import type { ThreadOrder, ThreadReport } from './thread-messages.ts'
import {
  type HeapBound,
  type Hire,
  type WorkerEvents,
  WorkerHandle,
  type WorkerKind,
  type WorkerStart,
} from './worker-handle.ts'

const files: Readonly<Record<WorkerKind, string>> = {
  gateway: 'gateway.thread.js',
  matching: 'matching.thread.js',
  checkpointer: 'checkpointer.thread.js',
  indexer: 'indexer.thread.js',
  snapshot: 'snapshot.thread.js',
  replica: 'replica.thread.js',
  liquidity: 'liquidity.thread.js',
  backup: 'backup.thread.js',
}

/** Creates a thread. */
export const hireThread: Hire = (kind, index, events, heap) =>
  new ThreadWorker(files[kind], index, events, heap)

/** Returns the reason of a thread's end, for an operator. */
function reasonOf(error: Error, thread: string, heap: HeapBound | undefined): Error {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  const bound = heap === undefined ? '' : ` (${heap.megabytes} MiB; --${heap.flag})`
  const sentence = new Error(`${thread} ran out of memory${bound}`)
  sentence.stack = sentence.message
  return sentence
}

export class ThreadWorker extends WorkerHandle {
  private readonly worker: Worker
  private readonly gate = new SharedArrayBuffer(GATE_BYTES)
  private _hasBegun = false

  /** The thread loads its modules at once, beside those of the others, and works from begin() on. */
  constructor(file: string, index: number, events: WorkerEvents, heap?: HeapBound) {
    super(file.replace('.thread.js', `-${index}`), events)
    this.worker = new Worker(builtPath(`src/threads/${file}`), {
      workerData: this.gate,
      ...(heap && { resourceLimits: { maxOldGenerationSizeMb: heap.megabytes } }),
    })
    this.worker.on('message', (report: ThreadReport) => this.take(report))
    this.worker.on('error', (error) => this.failed(reasonOf(error, this.name, heap)))
    this.worker.on('exit', (code) => {
      if (!this.hasStopped) this.failed(new Error(`${this.name} ended with code ${code}`))
    })
  }

  override begin(start: WorkerStart): void {
    this._hasBegun = true
    this.worker.postMessage(start)
    openGate(this.gate)
  }

  override loopTime(): { readonly activeMs: number; readonly idleMs: number } {
    const { active, idle } = this.worker.performance.eventLoopUtilization()
    return { activeMs: active, idleMs: idle }
  }

  protected override end(): Promise<unknown> {
    return this.worker.terminate()
  }

  protected override get hasBegun(): boolean {
    return this._hasBegun
  }

  /**
   * When its modules are loaded: LMDB's ends the process by SIGABRT if its thread is ended while it loads.
   */
  protected override leftUnbegun(): Promise<unknown> {
    return hasLoaded(this.gate)
  }

  protected override post(order: ThreadOrder): void {
    this.worker.postMessage(order)
    // After the order: a thread that sees the count finds it.
    countOrder(this.gate)
  }
}
