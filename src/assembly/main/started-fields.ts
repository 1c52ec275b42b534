/** What the log contains of an exchange that has started. */

import { type Regions, reservedBytes } from '../../agents/memory.ts'
import type { Config } from '../../config/config.ts'
import type { Registry } from '../../control/registry.ts'
import { clientUrl } from './banner.ts'

/** What a start has claimed of the machine. */
export interface ClaimedSockets {
  readonly scheme: 'http' | 'https'
  /** The limit of open files. */
  readonly filesMax: number
  readonly socketsInAll: number
}

export function startedFields(
  { host, port, data, durability, matchers, gateways, ...config }: Config,
  registry: Registry,
  regions: Regions,
  follows: boolean,
  { scheme, socketsInAll, filesMax }: ClaimedSockets,
): Readonly<Record<string, unknown>> {
  const symbols = registry.symbols.length
  return {
    url: clientUrl({ scheme, host, port }),
    data,
    // A follower writes what the quorum has.
    ...(follows ? { follows } : { durability: config.follow === '' ? durability : 'replicated' }),
    matchers,
    gateways,
    symbols,
    sharedBytes: reservedBytes(regions),
    restingOrdersMax: symbols * config.ordersPerSymbol,
    sockets: socketsInAll,
    // Only when there is less room than the settings need.
    openFilesMax: socketsInAll < gateways * config.socketsMax ? filesMax : undefined,
  }
}
