/** The checkpointer's thread. */
import { CheckpointerAgent } from '../agents/checkpointer-agent.ts'
import { RealTime } from '../base/real-time.ts'
import { hostOnThread } from './host-thread.ts'

void hostOnThread(
  'checkpointer',
  new RealTime(),
  (start, ways) => new CheckpointerAgent(start, ways),
)
