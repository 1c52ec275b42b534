/**
 * A backup as a worker: makes one beside the running exchange (journal/backup.ts) in pieces, and is done. Or it
 * copies the archive for a saved state: to open it is to wait for the indexer, which runs while a processor is free.
 */
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { archiveFolder } from '../archive/archive-folder.ts'
import type { Time } from '../base/time.ts'
import { backupSteps, stopped } from '../journal/backup.ts'
import { Environment, StorageError } from '../journal/environment.ts'
import { ARCHIVE_BYTES_MAX } from '../journal/states.ts'
import { WalCells } from '../journal/wal-cells.ts'
import { Phase } from './memory.ts'
import type { ArchiveCopyStart, BackupStart, ThreadReport } from './messages.ts'
import { type LogProgress, Progress } from './progress.ts'
import { type AgentWays, EventAgent } from './worker-agent.ts'

export class BackupAgent extends EventAgent {
  readonly name = 'backup'
  private readonly begun: BackupStart | ArchiveCopyStart
  private steps: Generator<void, void, boolean> | undefined = undefined

  constructor(start: BackupStart | ArchiveCopyStart, ways: AgentWays) {
    super(ways)
    this.begun = start
  }

  start(): undefined {
    const { time, report } = this.ways
    if ('archiveTo' in this.begun) void this.copyArchive(this.begun)
    else this.steps = attemptSteps(this.begun, time, report)
  }

  /** It gets no orders: the phase ends it. */
  take(): void {}

  override doWork(): number {
    if (this.steps === undefined || 'archiveTo' in this.begun) return 0
    const mayContinue = Atomics.load(new Int32Array(this.begun.phase), 0) < Phase.STOPPING
    if (this.steps.next(mayContinue).done === true) this.finish()
    return 1
  }

  private async copyArchive({ dataFolder, archiveTo }: ArchiveCopyStart): Promise<void> {
    const { report } = this.ways
    const warn = (message: string) => report({ report: 'log', level: 'warn', fields: {}, message })
    try {
      await copyArchive(dataFolder, archiveTo, warn)
      report({ report: 'backedUp' })
      this.finish()
    } catch (error) {
      this.fail(error as Error)
    }
  }
}

/** Makes one backup and reports the outcome. Yields between pieces, and takes whether it may continue. */
function* attemptSteps(
  start: BackupStart,
  time: Time,
  report: (message: ThreadReport) => void,
): Generator<void, void, boolean> {
  const log: LogProgress = (fields, message) =>
    report({ report: 'log', level: 'info', fields, message })
  const done = new Float64Array(start.copied)
  let progress: Progress | undefined
  const copied = (blocks: number, ofAll: number) => {
    progress ??= new Progress('copying the journals for a backup', ofAll, time, log, 'blocks')
    progress.at(blocks, blocks)
    done.set([blocks, ofAll])
  }
  try {
    const wals = start.wals.map((memory) => new WalCells(memory))
    const steps = backupSteps({ ...start, wals, copied })
    let step = steps.next()
    while (step.done !== true) step = (yield) ? steps.next() : steps.throw(stopped())
    const { blocks } = step.value
    progress?.end(blocks)
    report({ report: 'backedUp', blocks })
  } catch (error) {
    report({ report: 'backedUp', refused: (error as Error).message })
  }
}

/**
 * Copies the archive into `target`, in place of what is there. Makes no folder for one that is too large, or that
 * cannot be copied: it is made again from the journals then. `log` gets the reason.
 *
 * Copy it before the journals: one that is behind them catches up, and one that is ahead would be wrong.
 */
export async function copyArchive(
  dataFolder: string,
  target: string,
  log: (sentence: string) => void,
): Promise<void> {
  rmSync(target, { recursive: true, force: true })
  const folder = archiveFolder(dataFolder)
  const file = path.join(folder, 'data.mdb')
  if (!existsSync(file) || statSync(file).size > ARCHIVE_BYTES_MAX) return
  try {
    mkdirSync(target, { recursive: true, mode: 0o700 })
    const environment = new Environment({ folder })
    await environment.copyTo(target).finally(() => environment.close())
  } catch (error) {
    rmSync(target, { recursive: true, force: true })
    if (!(error instanceof StorageError)) throw error
    log(`The state is saved without the archive: ${error.message}`)
  }
}
