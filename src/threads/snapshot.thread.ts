/** The snapshots' thread. Threads that serve clients go first (bench `recovery`). */
import { Throttle } from '../agents/throttle.ts'
import { RealTime } from '../base/real-time.ts'
import { runBlocking } from './agent-thread.ts'
import { NICENESS } from './background.ts'
import { SnapshotAgent } from './snapshot-agent.ts'
import type { ThreadStart } from './thread-messages.ts'

await runBlocking<ThreadStart>(
  (start, ways) => new SnapshotAgent(start, ways, new Throttle(ways.time)),
  { time: new RealTime(), niceness: NICENESS, turns: true },
)
