/** A matcher's thread, which never runs its event loop. */
import { MatchingAgent } from '../agents/matching-agent.ts'
import { RealTime } from '../base/real-time.ts'
import { hostOnThread } from './host-thread.ts'

void hostOnThread('matching', new RealTime(), (start, ways) => new MatchingAgent(start, ways))
