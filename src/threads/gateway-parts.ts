/** What a gateway's worker is made of, whether it has a thread or shares an event loop. */
import { assetsMaxOf } from '../base/limits.ts'
import type { GatewayOptions, GatewayServices } from '../gateway/gateway-options.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { gatewayBellOffset, matcherBellOffset } from './memory.ts'
import { acceptsWithin } from './open-files.ts'
import type { GatewayStart } from './thread-messages.ts'

/** `bell` wakes it; the one in the shared memory when left out. */
export function gatewayOptions(
  start: GatewayStart,
  services: GatewayServices,
  bell?: Doorbell,
): GatewayOptions {
  const { index, config, regions, socketsInAll } = start
  const usualBell = new Doorbell(regions.bells, gatewayBellOffset(index, config.matchers))
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
      assetsMax: assetsMaxOf(config.accounts),
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
      gatewayBell: bell ?? usualBell,
      stamps: regions.stamps[index]!,
      balances: regions.balances,
      lastPrices: regions.lastPrices,
    },
    cells: regions,
    services,
  }
}
