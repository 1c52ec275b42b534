/** Makes one backup beside the running exchange (journal/backup.ts), and ends. */

import { type LogProgress, Progress } from '../agents/progress.ts'
import { RealTime } from '../base/real-time.ts'
import { type BackupEvents, makeBackup } from '../journal/backup.ts'
import { WalCells } from '../journal/wal-cells.ts'
import { stepBack } from './background.ts'
import { Phase } from './memory.ts'
import { startedWith } from './start-gate.ts'
import type { BackupStart, ThreadReport } from './thread-messages.ts'

const time = new RealTime()
const { port, start } = startedWith<BackupStart>()
const report = (message: ThreadReport) => port.postMessage(message)

const log: LogProgress = (fields, message) =>
  report({ report: 'log', level: 'info', fields, message })

function run({ dataFolder, target, cut, wals, phase, copied }: BackupStart): void {
  stepBack()
  const cells = new Int32Array(phase)
  const goesOn = () => Atomics.load(cells, 0) < Phase.STOPPING
  try {
    let progress: Progress | undefined
    const done = new Float64Array(copied)
    const events: BackupEvents = {
      goesOn,
      copied: (blocks, ofAll) => {
        progress ??= new Progress('copying the journals for a backup', ofAll, time, log, 'blocks')
        progress.at(blocks, blocks)
        done.set([blocks, ofAll])
      },
    }
    const journals = wals.map((memory) => new WalCells(memory))
    const { blocks } = makeBackup(dataFolder, target, cut, journals, events)
    progress?.end(blocks)
    report({ report: 'backedUp', blocks })
  } catch (error) {
    report({ report: 'backedUp', refused: (error as Error).message })
  }
  report({ report: 'stopped' })
}

run(start)
