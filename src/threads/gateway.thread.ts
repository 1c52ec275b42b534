/** A gateway's thread: one Gateway on its event loop, told by message to drain and to stop. */

import { ASSETS_MAX } from '../base/limits.ts'
import { RealTime } from '../base/real-time.ts'
import { Gateway } from '../gateway/gateway.ts'
import type { GatewayOptions } from '../gateway/gateway-options.ts'
import { MemoryWatch, memoryBytesMax } from '../gateway/limits/memory-watch.ts'
import { realSockets } from '../gateway/server.ts'
import { HistoryPool } from '../queries/history-pool.ts'
import { CountedBell } from '../ring/counted-bell.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { readConsole } from './console-parts.ts'
import { archivistBellOffset, gatewayBellOffset, matcherBellOffset } from './memory.ts'
import { acceptsWithin } from './open-files.ts'
import { startedWith } from './start-gate.ts'
import type { GatewayStart, ThreadOrder, ThreadReport } from './thread-messages.ts'
import { threadNumber } from './thread-number.ts'

const time = new RealTime()
const { port, start } = startedWith<GatewayStart>()
const report = (message: ThreadReport) => port.postMessage(message)
await run(start)

async function run(start: GatewayStart): Promise<void> {
  const history = openHistory(start)
  const memory = new MemoryWatch(memoryBytesMax(start.config.memoryMb))
  const gateway = new Gateway(optionsFrom(start, history, memory))
  const close = async () => {
    gateway.close()
    memory.close()
    await history.close()
  }
  port.on('message', (message: ThreadOrder) => obey(message, gateway, close))
  // An uncaught error ends the thread, and open sockets would then abort the whole process.
  process.on('uncaughtException', (error) => {
    gateway.close()
    const { name, message, stack } = error
    report({ report: 'failed', name, message, stack })
  })
  await gateway.start()
  report({ report: 'ready', thread: threadNumber() })
}

function openHistory({ config, regions }: GatewayStart): HistoryPool {
  const archivistBell = new CountedBell(
    new Doorbell(regions.bells, archivistBellOffset(config.matchers, config.gateways)),
    regions.archiveAwaited,
  )
  return new HistoryPool({
    dataFolder: config.data,
    published: regions.published,
    archived: regions.archived,
    matchers: config.matchers,
    archive: regions.archive,
    wakeArchivist: () => archivistBell.ring(),
    startsAll: config.gatewayProcessors !== '',
    warn: (reason, message) =>
      report({ report: 'log', level: 'warn', fields: { reason }, message }),
  })
}

function optionsFrom(
  start: GatewayStart,
  history: HistoryPool,
  memory: MemoryWatch,
): GatewayOptions {
  const { index, config, regions, socketsInAll } = start
  const matchers = regions.eventRings.map((_, matcher) => matcher)
  const { gateways, host, port } = config
  const tls =
    config.tlsCert === '' ? undefined : { certFile: config.tlsCert, keyFile: config.tlsKey }
  return {
    place: { index, gateways, host, port, tls, socketsInAll },
    settings: {
      pendingOrders: config.pendingOrders,
      unsignedSystemStatus: config.unsignedSystemStatus === 'on',
      corsOrigins: config.corsOrigins,
      metrics: config.metrics === 'on',
      accountsMax: config.accounts,
      assetsMax: ASSETS_MAX,
    },
    limits: { ...config, acceptsPerAddress: acceptsWithin(config, socketsInAll) },
    venue: start,
    lines: {
      commandRings: regions.commandRings[index]!,
      replyRings: regions.replyRings[index]!,
      eventRings: regions.eventRings,
      matcherBells: matchers.map(
        (matcher) => new Doorbell(regions.bells, matcherBellOffset(matcher)),
      ),
      gatewayBell: new Doorbell(regions.bells, gatewayBellOffset(index, config.matchers)),
      stamps: regions.stamps[index]!,
      balances: regions.balances,
      lastPrices: regions.lastPrices,
    },
    cells: regions,
    services: {
      sockets: realSockets,
      console: readConsole(config),
      history: history.queries,
      readMemory: () => memory.read(),
      clock: time,
      warn: (fields, message) =>
        report({ report: 'log', level: 'warn', fields: { ...fields }, message }),
    },
  }
}

/** Carries out an order of the main thread. */
async function obey(
  message: ThreadOrder,
  gateway: Gateway,
  close: () => Promise<void>,
): Promise<void> {
  if (message.order === 'announce') {
    await gateway.announce(message.announcements)
    report({ report: 'applied', number: message.number })
  } else if (message.order === 'question') {
    const answer = await gateway.answer(message.question)
    report({ report: 'applied', number: message.number, answer })
  } else if (message.order === 'drain') {
    gateway.stopAccepting()
    await gateway.drained()
    report({ report: 'drained' })
  } else if (message.order === 'readOnly') {
    gateway.becomeReadOnly()
    report({ report: 'readOnly' })
  } else if (message.order === 'stop') {
    await close()
    report({ report: 'stopped' })
  }
}
