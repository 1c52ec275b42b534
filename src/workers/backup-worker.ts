/** The worker that makes a backup: one at a time, created for it alone. Its failure harms nothing else. */

import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Regions } from '../agents/memory.ts'
import type { ArchiveCopyStart, BackupStart } from '../agents/messages.ts'
import { elapsedMs, type Time } from '../base/time.ts'
import type { BackupProgress } from '../control/action.ts'
import type { BackupCut, BackupForm } from '../journal/backup.ts'
import { keyFilesIn } from '../journal/content.ts'
import { FORK_MANIFEST, type StateKind } from '../journal/states.ts'
import type { Hire, WorkerHandle } from './worker-handle.ts'

export class BackupWorker {
  private readonly dataFolder: string
  private readonly regions: Regions
  private readonly time: Time
  private readonly log: Logger
  private readonly hire: Hire
  private worker: WorkerHandle | undefined = undefined
  private copied = new SharedArrayBuffer(16)
  private beganMs = 0

  constructor(dataFolder: string, regions: Regions, time: Time, log: Logger, hire: Hire) {
    this.hire = hire
    this.dataFolder = dataFolder
    this.regions = regions
    this.time = time
    this.log = log
  }

  get isBusy(): boolean {
    return this.worker !== undefined
  }

  get progress(): BackupProgress | undefined {
    if (this.worker === undefined) return undefined
    const [blocks = 0, ofAll = 0] = new Float64Array(this.copied)
    return { blocks, ofAll, seconds: (elapsedMs(this.time) - this.beganMs) / 1_000 }
  }

  /** Copies the archive for a state that is saved in this folder. Rejects when the thread fails. */
  async copyArchive(folder: string): Promise<void> {
    await this.run({ dataFolder: this.dataFolder, archiveTo: archiveOf(folder) })
  }

  /** Resolves to the number of blocks, or to why there is no backup. Rejects when the thread fails. */
  copy(
    cut: BackupCut,
    target: string,
    as?: StateKind,
  ): Promise<{ readonly blocks?: number; readonly refused?: string }> {
    const { dataFolder } = this
    const { wals, phase } = this.regions
    const form = as === undefined ? {} : formOf(dataFolder, target, as)
    const copied = new SharedArrayBuffer(16)
    return this.run({ dataFolder, target, cut, form, wals, phase, copied }, copied)
  }

  private async run(start: BackupStart | ArchiveCopyStart, copied = new SharedArrayBuffer(16)) {
    const events = { log: this.log, warned: () => {}, onFailure: () => {} }
    const worker = this.hire('backup', 0, events)
    this.worker = worker
    this.copied = copied
    this.beganMs = elapsedMs(this.time)
    try {
      worker.begin(start)
      const outcome = await worker.waitFor('backedUp')
      await worker.waitFor('stopped')
      return outcome.report === 'backedUp' ? outcome : {}
    } finally {
      this.worker = undefined
    }
  }

  /** Resolves when no backup is under way; the phase makes the thread give up. */
  async left(): Promise<void> {
    await this.worker?.left()
  }
}

/** Where the archive of a state waits for the rest of it. */
const archiveOf = (target: string): string => `${target}.archive`

function formOf(dataFolder: string, target: string, kind: StateKind): BackupForm {
  const archive = existsSync(archiveOf(target)) ? { archive: archiveOf(target) } : {}
  const manifest = kind === 'fork' ? { manifest: FORK_MANIFEST } : {}
  return { files: keyFilesIn(dataFolder), ...manifest, ...archive }
}
