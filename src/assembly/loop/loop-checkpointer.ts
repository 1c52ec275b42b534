/**
 * The checkpointer on the caller's event loop. Its transactions flush, which holds up the loop for as long as
 * the disk takes: nothing on a temporary folder in memory.
 */
import { runAgent } from '../../agents/agent-driver.ts'
import type { CheckpointerAgent } from '../../agents/checkpointer.ts'
import { idleOnLoop } from '../../agents/loop-idle.ts'
import { CheckpointingAgent } from '../../threads/checkpointing-agent.ts'
import type { ThreadStart } from '../../threads/thread-messages.ts'
import type { LoopDuty, LoopWays } from './loop-worker.ts'

export class LoopCheckpointer implements LoopDuty {
  private readonly ways: LoopWays
  private readonly agent: CheckpointingAgent

  constructor(start: ThreadStart, ways: LoopWays, checkpointer: CheckpointerAgent) {
    this.ways = ways
    this.agent = new CheckpointingAgent(start, ways, checkpointer)
  }

  run(): Promise<void> {
    return runAgent(this.agent, idleOnLoop(this.ways.time))
  }

  take(): void {}
}
