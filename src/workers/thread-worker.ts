/** A worker on its own thread. */
import { Worker } from 'node:worker_threads'
import {
  checkpointerBellOffset,
  indexerBellOffset,
  matcherBellOffset,
  snapshotBellOffset,
} from '../agents/memory.ts'
import type { ThreadOrder, ThreadReport, ThreadStart } from '../agents/messages.ts'
import { builtPath } from '../base/package-folder.ts'
import type { SharedTime } from '../base/time.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { countOrder, GATE_BYTES, hasLoaded, openGate } from './start-gate.ts'
import {
  type HeapBound,
  type Hire,
  type WorkerEvents,
  WorkerHandle,
  type WorkerStart,
} from './worker-handle.ts'

/** Returns what creates threads that go by `time`. */
export const hireThreads =
  (time: SharedTime): Hire =>
  (kind, index, events, heap) =>
    new ThreadWorker({ kind, time: time.shared }, index, events, heap)

/** Returns the reason of a thread's end, for an operator. */
function reasonOf(error: Error, thread: string, heap: HeapBound | undefined): Error {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  const bound = heap === undefined ? '' : ` (${heap.megabytes} MiB; --${heap.flag})`
  const sentence = new Error(`${thread} ran out of memory${bound}`)
  sentence.stack = sentence.message
  return sentence
}

/** Returns the bell that the worker's thread sleeps at; undefined when its event loop wakes it. */
function bellOf(kind: string, { index, config, regions }: ThreadStart): Doorbell | undefined {
  const { matchers, gateways } = config
  const offsets: Readonly<Record<string, number>> = {
    matching: matcherBellOffset(index),
    indexer: indexerBellOffset(matchers, gateways),
    checkpointer: checkpointerBellOffset(matchers, gateways),
    snapshot: snapshotBellOffset(matchers, gateways),
  }
  const offset = offsets[kind]
  return offset === undefined ? undefined : new Doorbell(regions.bells, offset)
}

export class ThreadWorker extends WorkerHandle {
  private readonly worker: Worker
  private readonly gate = new SharedArrayBuffer(GATE_BYTES)
  private readonly kind: string
  private readonly time: SharedArrayBuffer
  /** Once it has begun: wakes a thread that blocks. */
  private bell: Doorbell | undefined = undefined
  private _hasBegun = false

  /**
   * Runs `<kind>.thread.js`. The thread loads its modules at once, beside those of the others, and works from
   * begin() on.
   */
  constructor(
    { kind, time }: { readonly kind: string; readonly time: SharedArrayBuffer },
    index: number,
    events: WorkerEvents,
    heap?: HeapBound,
  ) {
    super(`${kind}-${index}`, events)
    this.kind = kind
    this.time = time
    this.worker = new Worker(builtPath(`src/workers/${kind}.thread.js`), {
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
    if ('regions' in start) this.bell = bellOf(this.kind, start)
    this.worker.postMessage({ start, time: this.time })
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
    this.bell?.ring()
  }
}
