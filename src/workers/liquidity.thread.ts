/** The thread of market making. */
import { LiquidityAgent } from '../agents/liquidity-agent.ts'
import { RealTime } from '../base/real-time.ts'
import { hostOnThread } from './host-thread.ts'

void hostOnThread('liquidity', new RealTime(), (start, ways) => new LiquidityAgent(start, ways))
