/** A gateway's thread: one Gateway on its event loop, told by message to drain and to stop. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { assert } from '#base/assert.ts'
import { systemClock } from '#base/clock.ts'
import type { KeySpec } from '#base/key-spec.ts'
import { ASSETS_MAX } from '#base/limits.ts'
import { Gateway } from '#gateway/gateway.ts'
import { Doorbell } from '#ring/doorbell.ts'
import { HistoryPool } from './history-pool.ts'
import { archivistBellOffset, gatewayBellOffset, matcherBellOffset } from './memory.ts'
import type { ThreadOrder, ThreadReport, ThreadStart } from './thread-messages.ts'

assert(!isMainThread && parentPort !== null, 'a gateway runs on a thread of its own')
const port = parentPort
const report = (message: ThreadReport) => port.postMessage(message)
await run(workerData as ThreadStart & { readonly keys: readonly KeySpec[] })

async function run(start: ThreadStart & { readonly keys: readonly KeySpec[] }): Promise<void> {
  const { index, config, regions } = start
  const matchers = regions.eventRings.map((_, matcher) => matcher)
  const history = new HistoryPool({
    dataFolder: config.data,
    published: regions.published,
    archived: regions.archived,
    matchers: config.matchers,
    archivistBell: new Doorbell(
      regions.bells,
      archivistBellOffset(config.matchers, config.gateways),
    ),
  })
  const gateway = new Gateway({
    index,
    gateways: config.gateways,
    host: config.host,
    port: config.port,
    symbols: start.symbols,
    assets: start.assets,
    exchange: start.exchange,
    accounts: start.accounts,
    wallet: {
      valuationAsset: start.valuationAsset,
      distributions: start.distributions,
      maintenance: regions.maintenance,
    },
    tradingLocks: regions.tradingLocks,
    unsignedSystemStatus: config.unsignedSystemStatus === 'on',
    keys: start.keys,
    matcherOf: start.matcherOf,
    commandRings: regions.commandRings[index]!,
    eventRings: regions.eventRings,
    matcherBells: matchers.map(
      (matcher) => new Doorbell(regions.bells, matcherBellOffset(matcher)),
    ),
    gatewayBell: new Doorbell(regions.bells, gatewayBellOffset(index, config.matchers)),
    balances: regions.balances,
    accountsMax: config.accounts,
    assetsMax: ASSETS_MAX,
    listenKeyCells: regions.listenKeys,
    limitCells: regions.limits,
    counters: regions.counters,
    limits: config,
    history,
    clock: systemClock,
    warn: (fields, message) =>
      report({ report: 'log', level: 'warn', fields: { ...fields }, message }),
  })
  port.on('message', async (message: ThreadOrder) => {
    if (message.order === 'announce') {
      gateway.announce(message.announcements)
      report({ report: 'applied', number: message.number })
    } else if (message.order === 'drain') {
      gateway.stopAccepting()
      await gateway.drained()
      report({ report: 'drained' })
    } else if (message.order === 'stop') {
      gateway.close()
      await history.close()
      report({ report: 'stopped' })
    }
  })
  // An uncaught error ends the thread, and open sockets would then abort the whole process.
  process.on('uncaughtException', (error) => {
    gateway.close()
    report({ report: 'failed', reason: error.stack ?? error.message })
  })
  await gateway.start()
  report({ report: 'ready' })
}
