/** The replica thread. */
import { RealTime } from '../base/real-time.ts'
import { runOnEvents } from './agent-thread.ts'
import { ReplicaAgent } from './replica-agent.ts'
import type { ReplicaStart } from './thread-messages.ts'

await runOnEvents<ReplicaStart>((start, ways) => new ReplicaAgent(start, ways), {
  time: new RealTime(),
})
