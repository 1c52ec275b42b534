/** The settings of a simulated exchange: rings and books so small that they are often full. */
import { LIMIT_MAX } from '../../../src/base/limits.ts'
import { type Config, parseConfig } from '../../../src/config/config.ts'
import { PENDING_MAX } from '../../../src/gateway/engine-link/pending.ts'
import { ACCOUNTS, ORDERS_MAX } from '../world.ts'

export const GATEWAYS = 2

type Settings = Pick<Config, 'matchers' | 'durability'> & {
  readonly folder: string
  readonly follows: boolean
}

/** Silence after which a member takes the lead of the quorum. */
export const PROMOTE_AFTER_SECONDS = 2

export const configOf = ({ folder, matchers, durability, follows }: Settings): Config => ({
  ...parseConfig([], {}, () => '').config!,
  data: folder,
  matchers,
  gateways: GATEWAYS,
  durability,
  accounts: ACCOUNTS,
  // Any text marks a member that does not lead.
  follow: follows ? 'quorum' : '',
  ordersPerSymbol: ORDERS_MAX,
  pendingOrders: PENDING_MAX,
  commandRingSlots: 16,
  eventRingBytes: 1 << 16,
  unsignedSystemStatus: 'on',
  metrics: 'on',
  tradingLocks: 'off',
  console: 'off',
  liquidity: 'off',
  demo: 'off',
  diskReserveMb: 0,
  // The simulation makes them.
  snapshotMinutes: 0,
  snapshotsKept: 2,
  promoteAfter: PROMOTE_AFTER_SECONDS,
  valuationAsset: 'COIN',
  weightLimit: LIMIT_MAX,
  rawRequestsLimit: LIMIT_MAX,
  connectionsLimit: LIMIT_MAX,
  ordersPerSecond: LIMIT_MAX,
  ordersPerDay: LIMIT_MAX,
})
