/** The checkpointer's thread. */
import { Throttle } from '../agents/throttle.ts'
import { RealTime } from '../base/real-time.ts'
import { runBlocking } from './agent-thread.ts'
import { CheckpointingAgent, checkpointerOf } from './checkpointing-agent.ts'
import type { ThreadStart } from './thread-messages.ts'

/** Periods of work and rest while matchers have room; shorter ones take more time than they save. */
const WORK_MS = 0.25
const REST_MS = 1
/**
 * Its transactions take longer than a matcher's batch, so matchers and gateways go first (bench `tail`).
 * Not less: with little of a busy machine's time it would let a write-ahead log become full.
 */
const NICENESS = 5

await runBlocking<ThreadStart>(
  (start, ways) => {
    const throttle = new Throttle(ways.time, WORK_MS, REST_MS)
    return new CheckpointingAgent(start, ways, checkpointerOf(start, ways.report), throttle)
  },
  { time: new RealTime(), niceness: NICENESS, turns: true },
)
