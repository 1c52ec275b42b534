/** The indexer's thread. */
import { IndexerAgent } from '../agents/indexer-agent.ts'
import { RealTime } from '../base/real-time.ts'
import { hostOnThread } from './host-thread.ts'

void hostOnThread('indexer', new RealTime(), (start, ways) => new IndexerAgent(start, ways))
