/** The thread of a backup. */
import { RealTime } from '../base/real-time.ts'
import { runOnEvents } from './agent-thread.ts'
import { stepBack } from './background.ts'
import { BackupAgent } from './backup-agent.ts'
import type { ArchiveCopyStart, BackupStart } from './thread-messages.ts'

stepBack()
await runOnEvents<BackupStart | ArchiveCopyStart>((start, ways) => new BackupAgent(start, ways), {
  time: new RealTime(),
})
