/**
 * The checkpointer's duty cycle: works when a segment of a write-ahead log is full, since large transactions
 * are cheap and each makes the disk busy, or else once in a while, so that a start after a crash finds little.
 */
import { type Clock, elapsedMs } from '../base/time.ts'
import type { DrivenAgent } from './agent-driver.ts'
import type { CheckpointerAgent } from './checkpointer.ts'
import type { Throttle } from './throttle.ts'

export class CheckpointerDuty implements DrivenAgent {
  readonly name = 'checkpointer'
  /** The longest time that a block stays in its write-ahead log alone while no matcher needs room. */
  readonly idleMsMax = 1_000
  private readonly agent: CheckpointerAgent
  private readonly clock: Clock
  private readonly throttle: Throttle | undefined

  /** Without a throttle it does not pause. */
  constructor(agent: CheckpointerAgent, clock: Clock, throttle?: Throttle) {
    this.agent = agent
    this.clock = clock
    this.throttle = throttle
  }

  hasWork(): boolean {
    return this.agent.hasWork()
  }

  doWork(): number {
    const blocks = this.agent.doWork(this.throttle)
    this.agent.removeSealed()
    this.agent.watch(elapsedMs(this.clock))
    return blocks
  }

  finish(): number {
    return this.agent.doWork()
  }

  close(): void {
    this.agent.close()
  }
}
