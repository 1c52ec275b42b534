/** The indexer's thread. Threads that serve clients go first (bench `wire`). */
import { restsOf } from '../agents/indexer-rounds.ts'
import { RealTime } from '../base/real-time.ts'
import { runBlocking } from './agent-thread.ts'
import { NICENESS } from './background.ts'
import { IndexingAgent } from './indexing-agent.ts'
import type { ThreadStart } from './thread-messages.ts'

await runBlocking<ThreadStart>(
  (start, ways) => new IndexingAgent(start, ways, restsOf(ways.time)),
  { time: new RealTime(), niceness: NICENESS, turns: true },
)
