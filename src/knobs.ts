/** Every knob: its unit, default, bounds and meaning. Read by config.ts. */
import { GATEWAYS_MAX, LIMIT_MAX, MATCHERS_MAX } from '#base/limits.ts'

interface KnobText {
  readonly flag: string
  readonly unit: string
  readonly about: string
}
interface NumberKnob extends KnobText {
  readonly kind: 'integer'
  readonly default: number
  readonly min: number
  readonly max: number
  readonly powerOfTwo?: true
}
interface ChoiceKnob extends KnobText {
  readonly kind: 'choice'
  readonly default: string
  readonly choices: readonly string[]
}
interface AddressesKnob extends KnobText {
  readonly kind: 'addresses'
  readonly default: string
}
interface ProcessorsKnob extends KnobText {
  readonly kind: 'processors'
  readonly default: string
}
interface TextKnob extends KnobText {
  readonly kind: 'text'
  readonly default: string
}
export type Knob = NumberKnob | ChoiceKnob | AddressesKnob | ProcessorsKnob | TextKnob

export const knobs = {
  host: {
    kind: 'text',
    flag: 'host',
    unit: 'address',
    default: '127.0.0.1',
    about: 'Address that clients connect to.',
  },
  port: {
    kind: 'integer',
    flag: 'port',
    unit: 'TCP port',
    default: 8080,
    min: 1,
    max: 65535,
    about: 'Port of REST and WebSockets, shared by all gateways.',
  },
  adminPort: {
    kind: 'integer',
    flag: 'admin-port',
    unit: 'TCP port',
    default: 8081,
    min: 1,
    max: 65535,
    about: 'Port of the operator door, always on 127.0.0.1.',
  },
  tlsCert: {
    kind: 'text',
    flag: 'tls-cert',
    unit: 'path',
    default: '',
    about:
      'PEM file of a certificate; with it and its key, clients connect by https and wss alone.',
  },
  tlsKey: {
    kind: 'text',
    flag: 'tls-key',
    unit: 'path',
    default: '',
    about: "PEM file of the certificate's key.",
  },
  data: {
    kind: 'text',
    flag: 'data',
    unit: 'folder',
    default: './data',
    about: 'Where journals, archive and keys are kept; created when missing.',
  },
  matchers: {
    kind: 'integer',
    flag: 'matchers',
    unit: 'threads',
    default: 1,
    min: 1,
    max: MATCHERS_MAX,
    about: 'Threads that match; each owns some of the symbols and one journal.',
  },
  gateways: {
    kind: 'integer',
    flag: 'gateways',
    unit: 'threads',
    default: 1,
    min: 1,
    max: GATEWAYS_MAX,
    about: 'Threads that serve clients, all on one port.',
  },
  gatewayProcessors: {
    kind: 'processors',
    flag: 'gateway-processors',
    unit: 'processors',
    default: '',
    about: 'Where gateways are kept, one on each in turn, as 0,2-4; none lets Linux choose.',
  },
  matcherProcessors: {
    kind: 'processors',
    flag: 'matcher-processors',
    unit: 'processors',
    default: '',
    about: 'The same for matchers.',
  },
  durability: {
    kind: 'choice',
    flag: 'durability',
    unit: '',
    default: 'flushed',
    choices: ['flushed', 'committed'],
    about: 'Answer after the flush to disk, or after the commit, which survives a killed process.',
  },
  pendingOrders: {
    kind: 'integer',
    flag: 'pending-orders',
    unit: 'commands',
    default: 1024,
    min: 1,
    max: 16_384,
    about: 'Commands of one gateway that may be on the way before orders are answered -1008.',
  },
  readOnlySeconds: {
    kind: 'integer',
    flag: 'read-only-seconds',
    unit: 'seconds',
    default: 30,
    min: 0,
    max: 86_400,
    about:
      'How long market data stays readable after the disk refused, before the exit with code 1.',
  },
  stopSeconds: {
    kind: 'integer',
    flag: 'stop-seconds',
    unit: 'seconds',
    default: 30,
    min: 1,
    max: 86_400,
    about: 'How long a stop may take; one that a thread holds up is given up, with exit code 1.',
  },
  snapshotMinutes: {
    kind: 'integer',
    flag: 'snapshot-minutes',
    unit: 'minutes',
    default: 15,
    min: 0,
    max: 10_080,
    about: 'How often a snapshot is made, so that a start has less to replay; 0 for never.',
  },
  snapshotsKept: {
    kind: 'integer',
    flag: 'snapshots-kept',
    unit: 'snapshots',
    default: 3,
    min: 1,
    max: 1_000,
    about: 'Snapshots that stay when a new one is made.',
  },
  journalKept: {
    kind: 'choice',
    flag: 'journal-kept',
    unit: '',
    default: 'all',
    choices: ['all', 'snapshots'],
    about:
      'What stays in the journals: everything, or what the oldest snapshot does not cover; the rest is moved to old-journals in the data folder.',
  },
  limits: {
    kind: 'choice',
    flag: 'limits',
    unit: '',
    default: 'on',
    choices: ['on', 'off'],
    about: 'Whether request weights and order counts are limited.',
  },
  weightLimit: {
    kind: 'integer',
    flag: 'weight-limit',
    unit: 'weight',
    default: 6_000,
    min: 1,
    max: LIMIT_MAX,
    about: 'Request weight that one address may use in a minute.',
  },
  rawRequestsLimit: {
    kind: 'integer',
    flag: 'raw-requests-limit',
    unit: 'requests',
    default: 61_000,
    min: 1,
    max: LIMIT_MAX,
    about: 'HTTP requests that one address may make in 5 minutes.',
  },
  connectionsLimit: {
    kind: 'integer',
    flag: 'connections-limit',
    unit: 'connections',
    default: 300,
    min: 1,
    max: LIMIT_MAX,
    about: 'WebSockets that one address may try to open in 5 minutes.',
  },
  socketsMax: {
    kind: 'integer',
    flag: 'sockets-max',
    unit: 'sockets',
    default: 100_000,
    min: 16,
    max: 1_000_000,
    about: 'Open at a time at each gateway; what comes beyond is closed.',
  },
  socketsPerAddress: {
    kind: 'integer',
    flag: 'sockets-per-address',
    unit: 'WebSockets',
    default: 500,
    min: 1,
    max: 1_000_000,
    about: 'Open at a time from one IP address at each gateway.',
  },
  unreadMb: {
    kind: 'integer',
    flag: 'unread-mb',
    unit: 'MiB',
    default: 128,
    min: 1,
    max: 65_536,
    about:
      'What clients of one gateway may leave unread, or not send in full, before some are closed.',
  },
  unreadMbPerAddress: {
    kind: 'integer',
    flag: 'unread-mb-per-address',
    unit: 'MiB',
    default: 32,
    min: 1,
    max: 65_536,
    about: 'The same for the clients of one IP address.',
  },
  ordersPerSecond: {
    kind: 'integer',
    flag: 'orders-per-second',
    unit: 'orders',
    default: 10,
    min: 1,
    max: LIMIT_MAX,
    about: 'Unfilled orders that one account may enter in a second.',
  },
  ordersPerDay: {
    kind: 'integer',
    flag: 'orders-per-day',
    unit: 'orders',
    default: 160_000,
    min: 1,
    max: LIMIT_MAX,
    about: 'Unfilled orders that one account may enter in a UTC day.',
  },
  makerFillCredit: {
    kind: 'integer',
    flag: 'maker-fill-credit',
    unit: 'orders',
    default: 5,
    min: 0,
    max: LIMIT_MAX,
    about:
      'What the first fill of a resting order takes off those counts; of an arriving one it is 1.',
  },
  orderWeight: {
    kind: 'choice',
    flag: 'order-weight',
    unit: '',
    default: 'failed',
    choices: ['failed', 'every'],
    about: 'Whether entering and canceling orders costs weight only when it fails, or every time.',
  },
  banAfter: {
    kind: 'integer',
    flag: 'ban-after',
    unit: 'requests',
    default: 10,
    min: 1,
    max: LIMIT_MAX,
    about: 'Refusals after the first in one interval that bring a ban.',
  },
  banSeconds: {
    kind: 'integer',
    flag: 'ban-seconds',
    unit: 'seconds',
    default: 120,
    min: 1,
    max: 259_200,
    about: 'First ban of an address; each further one is twice as long, up to 3 days.',
  },
  exemptAddresses: {
    kind: 'addresses',
    flag: 'exempt-addresses',
    unit: 'addresses',
    default: '',
    about: 'Addresses and ranges without limits by address, as 127.0.0.1,10.0.0.0/8,fd00::/8.',
  },
  tradingLocks: {
    kind: 'choice',
    flag: 'trading-locks',
    unit: '',
    default: 'off',
    choices: ['on', 'off'],
    about: 'Whether accounts whose API trading status is bad may place no orders for 5 minutes.',
  },
  unsignedSystemStatus: {
    kind: 'choice',
    flag: 'unsigned-system-status',
    unit: '',
    default: 'off',
    choices: ['on', 'off'],
    about: "Whether the system's status is told without a key, as some clients ask for it.",
  },
  valuationAsset: {
    kind: 'text',
    flag: 'valuation-asset',
    unit: 'asset',
    default: 'USDT',
    about: 'What trading volumes are counted in; changing it folds the archive anew.',
  },
  keepPublicTradeDays: {
    kind: 'integer',
    flag: 'keep-public-trade-days',
    unit: 'days',
    default: 0,
    min: 0,
    max: 36_500,
    about: 'Whole days for which the archive keeps public and aggregate trades; 0 for ever.',
  },
  keepSecondBarDays: {
    kind: 'integer',
    flag: 'keep-second-bar-days',
    unit: 'days',
    default: 0,
    min: 0,
    max: 36_500,
    about: 'Whole days for which klines of seconds are kept; 0 for ever. Longer ones always are.',
  },
  keepOrderDays: {
    kind: 'integer',
    flag: 'keep-order-days',
    unit: 'days',
    default: 0,
    min: 0,
    max: 36_500,
    about: 'Whole days for which closed orders are kept, with their trades; 0 for ever.',
  },
  metrics: {
    kind: 'choice',
    flag: 'metrics',
    unit: '',
    default: 'on',
    choices: ['on', 'off'],
    about: 'Whether /metrics of the operator door answers, and one order in 16 is timed for it.',
  },
  demo: {
    kind: 'choice',
    flag: 'demo',
    unit: '',
    default: 'on',
    choices: ['on', 'off'],
    about: 'Whether an empty data folder is given six symbols and four funded accounts.',
  },
  liquidity: {
    kind: 'choice',
    flag: 'liquidity',
    unit: '',
    default: 'off',
    choices: ['on', 'off'],
    about: 'Whether accounts of the house quote and trade, so that books live.',
  },
  liquidityFile: {
    kind: 'text',
    flag: 'liquidity-file',
    unit: 'path',
    default: '',
    about: 'TOML: a table for each symbol in which they do; without it, the symbols of the demo.',
  },
  liquiditySeed: {
    kind: 'integer',
    flag: 'liquidity-seed',
    unit: 'number',
    default: 1,
    min: 1,
    max: 4_294_967_295,
    about: 'What their decisions follow from, where the file says nothing of a symbol.',
  },
  logLevel: {
    kind: 'choice',
    flag: 'log-level',
    unit: '',
    default: 'info',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    about: 'Least severe level that is logged.',
  },
  ordersPerSymbol: {
    kind: 'integer',
    flag: 'orders-per-symbol',
    unit: 'orders',
    default: 393_216,
    min: 1024,
    max: 8_388_608,
    about: 'Resting orders that one symbol has room for.',
  },
  accounts: {
    kind: 'integer',
    flag: 'accounts',
    unit: 'accounts',
    default: 4096,
    min: 8,
    max: 1_048_576,
    about: 'Accounts that the ledger has room for.',
  },
  commandRingSlots: {
    kind: 'integer',
    flag: 'command-ring-slots',
    unit: 'commands',
    default: 4096,
    min: 64,
    max: 1_048_576,
    powerOfTwo: true,
    about: 'Commands that may wait between one gateway and one matcher; more are answered -1008.',
  },
  eventRingBytes: {
    kind: 'integer',
    flag: 'event-ring-bytes',
    unit: 'bytes',
    default: 4_194_304,
    min: 65_536,
    max: 1_073_741_824,
    powerOfTwo: true,
    about: 'Events that a gateway may lag behind one matcher before it must resynchronise.',
  },
} as const satisfies Record<string, Knob>
