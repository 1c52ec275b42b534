/** The snapshots' thread. */
import { SnapshotAgent } from '../agents/snapshot-agent.ts'
import { RealTime } from '../base/real-time.ts'
import { hostOnThread } from './host-thread.ts'

void hostOnThread('snapshot', new RealTime(), (start, ways) => new SnapshotAgent(start, ways))
