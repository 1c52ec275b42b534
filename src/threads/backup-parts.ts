/** What the worker of a backup does, whether it has a thread or shares an event loop. */
import { type LogProgress, Progress } from '../agents/progress.ts'
import type { Time } from '../base/time.ts'
import { backupSteps, stopped } from '../journal/backup.ts'
import { WalCells } from '../journal/wal-cells.ts'
import type { BackupStart, ThreadReport } from './thread-messages.ts'

/** Makes one backup and reports the outcome. Yields between pieces, and takes whether it may go on. */
export function* attemptSteps(
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
