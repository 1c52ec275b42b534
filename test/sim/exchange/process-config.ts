/** The settings of a simulated exchange: rings and books so small that they are often full. */
import { LIMIT_MAX } from '../../../src/base/limits.ts'
import { type Config, parseConfig } from '../../../src/config/config.ts'
import { ACCOUNTS, ORDERS_MAX } from '../world.ts'

export const GATEWAYS = 2

type Settings = Pick<Config, 'matchers' | 'durability'> & { readonly folder: string }

/** Silence after which a member takes the lead of the quorum. */
export const PROMOTE_AFTER_SECONDS = 2

export const configOf = ({ folder, matchers, durability }: Settings): Config => ({
  ...parseConfig([], {}, () => '').config!,
  data: folder,
  matchers,
  gateways: GATEWAYS,
  durability,
  accounts: ACCOUNTS,
  ordersPerSymbol: ORDERS_MAX,
  commandRingSlots: 16,
  eventRingBytes: 1 << 16,
  snapshotsKept: 2,
  promoteAfter: PROMOTE_AFTER_SECONDS,
  valuationAsset: 'COIN',
  weightLimit: LIMIT_MAX,
  rawRequestsLimit: LIMIT_MAX,
  connectionsLimit: LIMIT_MAX,
  ordersPerSecond: LIMIT_MAX,
  ordersPerDay: LIMIT_MAX,
})
