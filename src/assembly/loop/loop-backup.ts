/** A backup on the caller's event loop, a few megabytes at a time. */
import { attemptSteps } from '../../threads/backup-parts.ts'
import { Phase } from '../../threads/memory.ts'
import type { BackupStart } from '../../threads/thread-messages.ts'
import { type LoopDuty, type LoopWays, turn } from './loop-worker.ts'

export class LoopBackup implements LoopDuty {
  private readonly start: BackupStart
  private readonly ways: LoopWays

  constructor(start: BackupStart, ways: LoopWays) {
    this.start = start
    this.ways = ways
  }

  async run(): Promise<void> {
    const { time, report } = this.ways
    const phase = new Int32Array(this.start.phase)
    const steps = attemptSteps(this.start, time, report)
    while (steps.next(Atomics.load(phase, 0) < Phase.STOPPING).done !== true) await turn(time)
    report({ report: 'stopped' })
  }

  /** It is told nothing: the phase ends it. */
  take(): void {}
}
