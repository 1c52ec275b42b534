/** A backup as a worker: makes one beside the running exchange (journal/backup.ts) in pieces, and is done. */
import { type LogProgress, Progress } from '../agents/progress.ts'
import type { Time } from '../base/time.ts'
import { backupSteps, stopped } from '../journal/backup.ts'
import { WalCells } from '../journal/wal-cells.ts'
import { EventAgent } from './event-agent.ts'
import { Phase } from './memory.ts'
import type { BackupStart, ThreadReport } from './thread-messages.ts'
import type { AgentWays } from './worker-agent.ts'

export class BackupAgent extends EventAgent {
  readonly name = 'backup'
  private readonly phase: Int32Array
  private readonly steps: Generator<void, void, boolean>

  constructor(start: BackupStart, ways: AgentWays) {
    super(ways)
    this.phase = new Int32Array(start.phase)
    this.steps = attemptSteps(start, ways.time, ways.report)
  }

  start(): undefined {}

  /** It gets no orders: the phase ends it. */
  take(): void {}

  override doWork(): number {
    if (this.steps.next(this.mayContinue()).done === true) this.finish()
    return 1
  }

  private mayContinue(): boolean {
    return Atomics.load(this.phase, 0) < Phase.STOPPING
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
