/** A matcher's thread, which never turns its event loop. */
import { RealTime } from '../base/real-time.ts'
import { runBlocking } from './agent-thread.ts'
import { MatchingAgent } from './matching-agent.ts'
import type { ThreadStart } from './thread-messages.ts'

/** The longest sleep of a matcher between two looks for work. */
const SLEEP_MS = 100

const time = new RealTime()
await runBlocking<ThreadStart>(
  (start, ways) => new MatchingAgent(start, { ...ways, rest: (ms) => time.idle(ms) }),
  { time, sleepMsMax: SLEEP_MS },
)
