/**
 * Carries schedules out on the main thread: when a transition is due, it is an action like an operator's. A
 * member that follows makes none, since its leader does. Before the start, openFolder makes what was missed.
 */
import { elapsedMs, type Time, type Timer } from '../../base/time.ts'
import { ActionError } from '../action.ts'
import type { CommandExecutor } from '../command-executor.ts'
import { SCHEDULE } from '../operators.ts'
import type { Registry } from '../registry.ts'

const CHECK_MS = 100
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
  private readonly timer: Timer
  private isBusy = false
  private retryMs = 0

  /** Begins. */
  constructor(parts: ScheduleRunnerParts) {
    this.parts = parts
    this.timer = parts.time.every(CHECK_MS, () => this.check())
  }

  stop(): void {
    this.timer.cancel()
  }

  private check(): void {
    const { registry, time, whyNoActions } = this.parts
    const isDue = registry.schedules.nextMs <= time.nowMs()
    if (!isDue || this.isBusy || whyNoActions() !== undefined) return
    if (elapsedMs(time) < this.retryMs) return
    this.isBusy = true
    void this.run().finally(() => {
      this.isBusy = false
    })
  }

  /** Makes one transition after another: each is in force before the next. */
  private async run(): Promise<void> {
    const { registry, executor, time, warn } = this.parts
    try {
      while (registry.schedules.nextMs <= time.nowMs())
        await executor.act('schedule-run', {}, SCHEDULE)
    } catch (error) {
      this.retryMs = elapsedMs(time) + RETRY_MS
      if (!(error instanceof ActionError)) throw error
      warn(`a schedule's change was not made: ${error.message}`)
    }
  }
}
