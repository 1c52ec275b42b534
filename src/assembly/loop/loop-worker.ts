/**
 * A worker on the caller's event loop: the same starts, orders and reports as a thread's, without a thread.
 * It never blocks, and gives the loop a turn after each bounded piece of work.
 */
import type { Time } from '../../base/time.ts'
import type { ThreadOrder, ThreadReport } from '../../threads/thread-messages.ts'
import { type WorkerEvents, WorkerHandle, type WorkerStart } from '../../threads/worker-handle.ts'

/** What a worker uses of the loop. */
export interface LoopWays {
  readonly time: Time
  readonly report: (message: ThreadReport) => void
}

/** A worker's work. */
export interface LoopDuty {
  /** Works until the exchange stops. Rejects when the worker fails. */
  run(): Promise<void>
  /** Carries out an order of the main part. */
  take(order: ThreadOrder): void
}

export type MakeDuty = (start: WorkerStart, ways: LoopWays) => LoopDuty

/** Resolves when the loop has read all input that is ready. */
export const turn = (time: Pick<Time, 'defer'>): Promise<void> =>
  new Promise((resolve) => time.defer(resolve))

export class LoopWorker extends WorkerHandle {
  private readonly time: Time
  private readonly make: MakeDuty
  private duty: LoopDuty | undefined = undefined

  constructor(name: string, events: WorkerEvents, time: Time, make: MakeDuty) {
    super(name, events)
    this.time = time
    this.make = make
  }

  override begin(start: WorkerStart): void {
    try {
      const duty = this.make(start, { time: this.time, report: (message) => this.take(message) })
      this.duty = duty
      duty.run().catch((error: Error) => this.failed(error))
    } catch (error) {
      this.failed(error as Error)
    }
  }

  /** The loop is the caller's. */
  override loopTime(): { readonly activeMs: number; readonly idleMs: number } {
    const { active, idle } = performance.eventLoopUtilization()
    return { activeMs: active, idleMs: idle }
  }

  protected override get hasBegun(): boolean {
    return this.duty !== undefined
  }

  protected override async leftUnbegun(): Promise<void> {}

  protected override async end(): Promise<void> {}

  protected override post(order: ThreadOrder): void {
    this.duty?.take(order)
  }
}
