/** A gateway's thread: real sockets, a pool of history threads, and a watch on its heap. */

import { GatewayAgent } from '../agents/gateway-agent.ts'
import { indexerBellOffset } from '../agents/memory.ts'
import type { GatewayStart } from '../agents/messages.ts'
import type { AgentWays } from '../agents/worker-agent.ts'
import { loadRenderers } from '../api/answers/shape-text.ts'
import { RealTime } from '../base/real-time.ts'
import type { Timer } from '../base/time.ts'
import { MemoryWatch, memoryBytesMax } from '../gateway/limits/memory-watch.ts'
import { realSockets } from '../gateway/port.ts'
import { HistoryPool } from '../queries/history-pool.ts'
import { CountedBell } from '../ring/counted-bell.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { readConsole } from './console-parts.ts'
import { hostOnThread } from './host-thread.ts'

/**
 * How long after it serves a gateway loads what its first requests seldom need, ms: first answers of a start wait
 * for neither a tenth of a second of its loop nor for another thread's processor.
 */
const WARM_MS = 1_000

function gatewayOnThread(start: GatewayStart, ways: AgentWays): GatewayAgent {
  const { config } = start
  const history = openHistory(start, ways)
  const memory = new MemoryWatch(memoryBytesMax(config.memoryMb))
  let warming: Timer | undefined
  const agent = new GatewayAgent(start, ways, {
    sockets: realSockets,
    console: readConsole(config),
    history: history.queries,
    readMemory: () => memory.read(),
    serves: () => {
      warming = ways.time.after(WARM_MS, () => {
        history.warm()
        loadRenderers()
      })
    },
    closed: () => {
      warming?.cancel()
      memory.close()
      return history.close()
    },
  })
  process.on('uncaughtException', (error) => agent.fail(error))
  return agent
}

function openHistory({ config, regions }: GatewayStart, { time, report }: AgentWays): HistoryPool {
  const indexerBell = new CountedBell(
    new Doorbell(regions.bells, indexerBellOffset(config.matchers, config.gateways)),
    regions.archiveAwaited,
  )
  return new HistoryPool({
    time,
    dataFolder: config.data,
    published: regions.published,
    archived: regions.archived,
    matchers: config.matchers,
    archive: regions.archive,
    wakeIndexer: () => indexerBell.ring(),
    startsAll: config.gatewayProcessors !== '',
    warn: (reason, message) =>
      report({ report: 'log', level: 'warn', fields: { reason }, message }),
  })
}

void hostOnThread('gateway', new RealTime(), gatewayOnThread)
