/** The thread of market making. */
import { RealTime } from '../base/real-time.ts'
import { runOnEvents } from './agent-thread.ts'
import { NICENESS, stepBack } from './background.ts'
import { LiquidityAgent } from './liquidity-agent.ts'
import type { LiquidityStart } from './thread-messages.ts'

await runOnEvents<LiquidityStart>(
  (start, ways) => {
    // Clients go first, from its first quote on.
    stepBack(NICENESS)
    return new LiquidityAgent(start, ways)
  },
  { time: new RealTime() },
)
