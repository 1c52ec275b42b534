/** The replica thread. */
import { ReplicaAgent } from '../agents/replica-agent.ts'
import { RealTime } from '../base/real-time.ts'
import { hostOnThread } from './host-thread.ts'

void hostOnThread('replica', new RealTime(), (start, ways) => new ReplicaAgent(start, ways))
