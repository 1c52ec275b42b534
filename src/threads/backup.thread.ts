/** Makes one backup beside the running exchange (journal/backup.ts), and ends. */

import { RealTime } from '../base/real-time.ts'
import { stepBack } from './background.ts'
import { attemptSteps } from './backup-parts.ts'
import { Phase } from './memory.ts'
import { startedWith } from './start-gate.ts'
import type { BackupStart, ThreadReport } from './thread-messages.ts'

const time = new RealTime()
const { port, start } = startedWith<BackupStart>()
const report = (message: ThreadReport) => port.postMessage(message)

function run(start: BackupStart): void {
  stepBack()
  const cells = new Int32Array(start.phase)
  const goesOn = () => Atomics.load(cells, 0) < Phase.STOPPING
  const steps = attemptSteps(start, time, report)
  while (steps.next(goesOn()).done !== true);
  report({ report: 'stopped' })
}

run(start)
