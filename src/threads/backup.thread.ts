/** Makes one backup beside the running exchange (journal/backup.ts), and ends. */
import { makeBackup } from '../journal/backup.ts'
import { TailCells } from '../journal/tail-cells.ts'
import { stepBack } from './background.ts'
import { Phase } from './memory.ts'
import { startedWith } from './start-gate.ts'
import type { BackupStart, ThreadReport } from './thread-messages.ts'

const { port, start } = startedWith<BackupStart>()
const report = (message: ThreadReport) => port.postMessage(message)

function run({ dataFolder, target, cut, tails, phase }: BackupStart): void {
  stepBack()
  const cells = new Int32Array(phase)
  const goesOn = () => Atomics.load(cells, 0) < Phase.STOPPING
  try {
    const journals = tails.map((memory) => new TailCells(memory))
    const { blocks } = makeBackup(dataFolder, target, cut, journals, goesOn)
    report({ report: 'backedUp', blocks })
  } catch (error) {
    report({ report: 'backedUp', refused: (error as Error).message })
  }
  report({ report: 'stopped' })
}

run(start)
