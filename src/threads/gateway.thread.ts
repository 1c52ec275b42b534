/** A gateway's thread: one Gateway on its event loop, told by message to drain and to stop. */

import { loadRenderers } from '../api/answers/shape-text.ts'
import { RealTime } from '../base/real-time.ts'
import { Gateway } from '../gateway/gateway.ts'
import { MemoryWatch, memoryBytesMax } from '../gateway/limits/memory-watch.ts'
import { realSockets } from '../gateway/server.ts'
import { HistoryPool } from '../queries/history-pool.ts'
import { CountedBell } from '../ring/counted-bell.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { readConsole } from './console-parts.ts'
import { gatewayOptions, obey, RuleQuestions } from './gateway-parts.ts'
import { indexerBellOffset } from './memory.ts'
import { startedWith } from './start-gate.ts'
import type { GatewayStart, ThreadOrder, ThreadReport } from './thread-messages.ts'
import { threadNumber } from './thread-number.ts'

const time = new RealTime()
const { port, start } = startedWith<GatewayStart>()
const report = (message: ThreadReport) => port.postMessage(message)
const rules = new RuleQuestions(report)
await run(start)

async function run(start: GatewayStart): Promise<void> {
  const history = openHistory(start)
  const memory = new MemoryWatch(memoryBytesMax(start.config.memoryMb))
  const gateway = new Gateway(
    gatewayOptions(start, {
      sockets: realSockets,
      console: readConsole(start.config),
      history: history.queries,
      readMemory: () => memory.read(),
      clock: time,
      warn: (fields, message) =>
        report({ report: 'log', level: 'warn', fields: { ...fields }, message }),
      sandbox: rules.sandbox(start, time),
    }),
  )
  const close = async () => {
    gateway.close()
    memory.close()
    await history.close()
  }
  port.on('message', (message: ThreadOrder) => {
    if (!rules.take(message)) return obey(message, gateway, close, report)
    return undefined
  })
  // An uncaught error ends the thread, and open sockets would then abort the whole process.
  process.on('uncaughtException', (error) => {
    gateway.close()
    const { name, message, stack } = error
    report({ report: 'failed', name, message, stack })
  })
  await gateway.start()
  report({ report: 'ready', thread: threadNumber() })
  // A start does not wait for what only some requests need.
  history.warm()
  time.defer(loadRenderers)
}

function openHistory({ config, regions }: GatewayStart): HistoryPool {
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
