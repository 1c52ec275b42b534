/** The thread of a backup. */
import { BackupAgent } from '../agents/backup-agent.ts'
import { RealTime } from '../base/real-time.ts'
import { hostOnThread } from './host-thread.ts'

void hostOnThread('backup', new RealTime(), (start, ways) => new BackupAgent(start, ways))
