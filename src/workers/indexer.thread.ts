/** The indexer's thread. */
import { IndexerAgent } from '../agents/indexer-agent.ts'
import { RealTime } from '../base/real-time.ts'
import { hostOnThread } from './host-thread.ts'

await hostOnThread('indexer', new RealTime(), (start, ways) => new IndexerAgent(start, ways))
