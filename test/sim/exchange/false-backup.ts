/** The worker of a backup, which the simulation makes by itself, now or later. */

import type { BackupStart } from '../../../src/agents/messages.ts'
import type { BackupCut } from '../../../src/journal/backup.ts'
import {
  type WorkerEvents,
  WorkerHandle,
  type WorkerStart,
} from '../../../src/workers/worker-handle.ts'

export class FalseBackup extends WorkerHandle {
  protected readonly hasBegun = true
  private readonly copy: (cut: BackupCut) => void

  constructor(events: WorkerEvents, copy: (cut: BackupCut) => void) {
    super('backup', events)
    this.copy = copy
  }

  override begin(start: WorkerStart): void {
    this.copy((start as BackupStart).cut)
    this.take({ report: 'backedUp' })
    this.take({ report: 'stopped' })
  }

  override loopTime() {
    return { activeMs: 0, idleMs: 0 }
  }

  protected override post(): void {}

  protected override async end(): Promise<void> {}

  protected override async leftUnbegun(): Promise<void> {}
}
