/**
 * Carries schedules out on the main thread: when a transition is due, it is an action like an operator's. A
 * member that follows makes none, since its leader does. Before the start, openFolder makes what was missed.
 */
import { elapsedMs, type Time, type Timer } from '../../base/time.ts'
import { ActionError } from '../action.ts'
import type { CommandExecutor } from '../command-executor.ts'
import { SCHEDULE } from '../operators.ts'
import type { Registry } from '../registry.ts'

/** The longest wait: the wall clock may step, and another member may hand over the lead. */
const LOOK_MS = 1_000
/** After a refusal, such as that of a drained exchange. */
const RETRY_MS = 10_000

export interface ScheduleRunnerParts {
  readonly registry: Registry
  readonly executor: Pick<CommandExecutor, 'act'>
  readonly time: Time
  /** Returns why this member takes no action; undefined when it does. */
  readonly whyNoActions: () => string | undefined
  readonly warn: (sentence: string) => void
}

export class ScheduleRunner {
  private readonly parts: ScheduleRunnerParts
  private timer: Timer | undefined = undefined
  private isBusy = false
  private isStopped = false

  /** Begins. */
  constructor(parts: ScheduleRunnerParts) {
    this.parts = parts
    this.wait(0)
  }

  /** To be called when another transition may come next. */
  wake(): void {
    this.wait(0)
  }

  stop(): void {
    this.isStopped = true
    this.timer?.cancel()
  }

  private wait(ms: number): void {
    this.timer?.cancel()
    if (this.isStopped || this.isBusy) return
    const { registry, time } = this.parts
    const look = () => this.look()
    const effect = (dueMs: number) => {
      const leftMs = registry.schedules.nextMs - time.nowMs()
      return Math.max(dueMs, elapsedMs(time) + leftMs)
    }
    this.timer = time.after(ms, look, effect)
  }

  /** Without a schedule nothing is waited for: one that is set wakes it. */
  private look(): void {
    const { registry, time, whyNoActions } = this.parts
    const { nextMs } = registry.schedules
    const leftMs = nextMs - time.nowMs()
    if (leftMs > 0) {
      if (nextMs !== Number.POSITIVE_INFINITY) this.wait(Math.min(leftMs, LOOK_MS))
    } else if (whyNoActions() !== undefined) this.wait(LOOK_MS)
    else void this.run()
  }

  /** Makes one transition after another: each is in force before the next. */
  private async run(): Promise<void> {
    const { registry, executor, time, warn } = this.parts
    this.isBusy = true
    let waitMs = 0
    try {
      while (registry.schedules.nextMs <= time.nowMs()) {
        await executor.act('schedule-run', {}, SCHEDULE)
      }
    } catch (error) {
      if (!(error instanceof ActionError)) throw error
      warn(`a schedule's change was not made: ${error.message}`)
      waitMs = RETRY_MS
    } finally {
      this.isBusy = false
      this.wait(waitMs)
    }
  }
}
