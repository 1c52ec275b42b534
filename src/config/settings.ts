/** Every setting: its unit, default, bounds and meaning. config.ts reads them. */
import { EVENT_RING_BYTES_MIN, GATEWAYS_MAX, LIMIT_MAX, MATCHERS_MAX } from '../base/limits.ts'

interface SettingText {
  readonly flag: string
  readonly unit: string
  readonly about: string
  /** It has no effect in an embedded exchange: what to do instead. */
  readonly elsewhere?: string
}
export interface NumberSetting extends SettingText {
  readonly kind: 'integer'
  readonly default: number
  readonly min: number
  readonly max: number
  readonly powerOfTwo?: true
}
/** Days as a number, or `demo`: a usual number in a data folder that was made as a demo. */
export interface DaysSetting extends SettingText {
  readonly kind: 'days'
  readonly default: 'demo'
  readonly min: number
  readonly max: number
}
interface ChoiceSetting extends SettingText {
  readonly kind: 'choice'
  readonly default: string
  readonly choices: readonly string[]
}
export type TextKind =
  | 'text'
  | 'addresses'
  | 'origins'
  | 'origin'
  | 'processors'
  | 'postgres'
  | 'amounts'
interface TextSetting extends SettingText {
  readonly kind: TextKind
  readonly default: string
}
export type Setting = NumberSetting | DaysSetting | ChoiceSetting | TextSetting

const BY_FOLDER =
  'demo: 7 in a data folder that was made as a demo, unless its clock is virtual; else 0.'
const days = { kind: 'days', unit: 'days', default: 'demo', min: 0, max: 36_500 } as const

export const settings = {
  host: {
    kind: 'text',
    flag: 'host',
    unit: 'address',
    default: '127.0.0.1',
    about: 'Address on which the gateways listen.',
    elsewhere: 'it listens on 127.0.0.1',
  },
  port: {
    kind: 'integer',
    flag: 'port',
    unit: 'TCP port',
    default: 8080,
    min: 1,
    max: 65535,
    about: 'Port of REST and WebSockets, shared by all gateways.',
    elsewhere: 'give the option port',
  },
  adminPort: {
    kind: 'integer',
    flag: 'admin-port',
    unit: 'TCP port',
    default: 8081,
    min: 1,
    max: 65535,
    about: 'Port of operators: commands, their screen and metrics; always on 127.0.0.1.',
    elsewhere: 'it is chosen, see adminUrl',
  },
  tlsCert: {
    kind: 'text',
    flag: 'tls-cert',
    unit: 'path',
    default: '',
    about: 'PEM file of a certificate; with it and its key, clients connect by https and wss only.',
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
    about: 'Folder of journals, archive and keys; created when missing.',
    elsewhere: 'give the option folder',
  },
  matchers: {
    kind: 'integer',
    flag: 'matchers',
    unit: 'threads',
    default: 1,
    min: 1,
    max: MATCHERS_MAX,
    about: 'Threads that match orders; each owns some of the symbols and one journal.',
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
    about: 'Processors that gateways stay on, one each in turn, as 0,2-4; none lets Linux choose.',
    elsewhere: 'all runs on one thread',
  },
  matcherProcessors: {
    kind: 'processors',
    flag: 'matcher-processors',
    unit: 'processors',
    default: '',
    about: 'Processors that matchers stay on, likewise.',
    elsewhere: 'all runs on one thread',
  },
  durability: {
    kind: 'choice',
    flag: 'durability',
    unit: '',
    default: 'flushed',
    choices: ['flushed', 'committed', 'replicated'],
    about:
      'When an order is acknowledged: flushed to disk, which survives a power loss; committed, which ' +
      'survives a killed process; or replicated, flushed here and on a quorum (--replica), which ' +
      'survives the loss of a machine.',
  },
  gatherUs: {
    kind: 'integer',
    flag: 'gather-us',
    unit: 'microseconds',
    default: 100,
    min: 0,
    max: 10_000,
    about:
      'Longest time for which a matcher gathers orders after a flush, with --durability flushed: half ' +
      'of what the batch took, at most this; 0: it begins the next batch at once.',
  },
  replica: {
    kind: 'postgres',
    flag: 'replica',
    unit: 'URL',
    default: '',
    about:
      'PostgreSQL with synchronous standbys that keeps the journals too, as ' +
      'postgres://user@host1,host2/database; needs --durability replicated.',
  },
  advertise: {
    kind: 'origin',
    flag: 'advertise',
    unit: 'URL',
    default: '',
    about:
      'Where clients reach this member when it leads, as https://exchange.example; followers name it. ' +
      'By default its scheme, host and port.',
  },
  follow: {
    kind: 'postgres',
    flag: 'follow',
    unit: 'URL',
    default: '',
    about:
      'Follows the leader of this quorum of PostgreSQL and serves what reads; any server of it, ' +
      'standbys too, as postgres://user@host1,host2/database.',
  },
  promoteAfter: {
    kind: 'integer',
    flag: 'promote-after',
    unit: 'seconds',
    default: 0,
    min: 0,
    max: 3_600,
    about:
      'Silence of the leader after which this member, which follows, takes the lead; 0: only by ' +
      'command. Needs servers in --follow that accept writes.',
  },
  seedFrom: {
    kind: 'text',
    flag: 'seed-from',
    unit: 'folder',
    default: '',
    about:
      'A backup of another member, which an empty data folder begins with; a member needs it when ' +
      'the quorum no longer has what it lacks.',
  },
  replicaSeconds: {
    kind: 'integer',
    flag: 'replica-seconds',
    unit: 'seconds',
    default: 10,
    min: 1,
    max: 3_600,
    about: 'Longest time that orders wait for the quorum; then read-only, as when a disk refuses.',
  },
  headerBytes: {
    kind: 'integer',
    flag: 'header-bytes',
    unit: 'bytes',
    default: 32_768,
    min: 4_096,
    max: 262_144,
    about: 'Bytes of an HTTP request before its body, its URL included; a longer one gets 431.',
  },
  pendingOrders: {
    kind: 'integer',
    flag: 'pending-orders',
    unit: 'commands',
    default: 1024,
    min: 1,
    max: 16_384,
    about:
      'Commands of one gateway under way, those aside that wait for an auction or the like; ' +
      'more orders are refused with -1008.',
  },
  readOnlySeconds: {
    kind: 'integer',
    flag: 'read-only-seconds',
    unit: 'seconds',
    default: 30,
    min: 0,
    max: 86_400,
    about: 'Time that market data stays readable after a failed disk write; then exit code 1.',
  },
  stopSeconds: {
    kind: 'integer',
    flag: 'stop-seconds',
    unit: 'seconds',
    default: 30,
    min: 1,
    max: 86_400,
    about: 'Longest duration of a stop; after it the process exits with code 1.',
  },
  snapshotMinutes: {
    kind: 'integer',
    flag: 'snapshot-minutes',
    unit: 'minutes',
    default: 15,
    min: 0,
    max: 10_080,
    about: 'Time between snapshots, which shorten the next start; 0 for never.',
  },
  snapshotsKept: {
    kind: 'integer',
    flag: 'snapshots-kept',
    unit: 'snapshots',
    default: 3,
    min: 1,
    max: 1_000,
    about: 'Snapshots kept; older ones are deleted.',
  },
  journalKept: {
    kind: 'choice',
    flag: 'journal-kept',
    unit: '',
    default: 'all',
    choices: ['all', 'snapshots'],
    about:
      'Blocks that stay in the journals: all, or those that the oldest snapshot does not ' +
      'cover. The others are sealed into old-journals in the data folder.',
  },
  keepJournalDays: {
    kind: 'integer',
    flag: 'keep-journal-days',
    unit: 'days',
    default: 0,
    min: 0,
    max: 36_500,
    about:
      'Whole days of blocks in old-journals; older ones that snapshots cover are removed forever; 0 for ' +
      'all. Needs journal-kept snapshots, and no quorum.',
  },
  sbe: {
    kind: 'choice',
    flag: 'sbe',
    unit: '',
    default: 'on',
    choices: ['on', 'off'],
    about:
      'Whether REST, sessions and streams are in SBE where they are asked to be (docs/clients.md).',
  },
  sbeNewest: {
    kind: 'choice',
    flag: 'sbe-newest',
    unit: '',
    default: '3:5',
    choices: ['3:5', '3:4'],
    about:
      "The newest version of SBE's schema: messages are of this one, also for older ones of 3.",
  },
  sbePort: {
    kind: 'integer',
    flag: 'sbe-port',
    unit: 'TCP port',
    default: 0,
    min: 0,
    max: 65_535,
    about: 'Port of market streams in SBE alone, which --port has under /sbe; 0 for none.',
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
    about: 'Open connections of each gateway; further ones are closed.',
  },
  socketsPerAddress: {
    kind: 'integer',
    flag: 'sockets-per-address',
    unit: 'WebSockets',
    default: 500,
    min: 1,
    max: 1_000_000,
    about: 'Open WebSockets of one IP address, at all gateways together.',
  },
  acceptsPerAddress: {
    kind: 'integer',
    flag: 'accepts-per-address',
    unit: 'connections',
    default: 2_048,
    min: 1,
    max: LIMIT_MAX,
    about:
      'Connections that one address may open in 10 seconds, less its open WebSockets; more are closed.',
  },
  trustedProxies: {
    kind: 'addresses',
    flag: 'trusted-proxies',
    unit: 'addresses',
    default: '',
    about:
      'Proxies whose X-Forwarded-For and PROXY protocol header name the client, as 10.0.0.0/8.',
  },
  unreadMb: {
    kind: 'integer',
    flag: 'unread-mb',
    unit: 'MiB',
    default: 128,
    min: 1,
    max: 65_536,
    about:
      'Unread responses and partial requests that one gateway buffers; beyond it, clients are closed.',
  },
  unreadMbPerAddress: {
    kind: 'integer',
    flag: 'unread-mb-per-address',
    unit: 'MiB',
    default: 32,
    min: 1,
    max: 65_536,
    about: 'The same for clients of one IP address.',
  },
  gatewayHeapMb: {
    kind: 'integer',
    flag: 'gateway-heap-mb',
    unit: 'MiB',
    default: 1024,
    min: 64,
    max: 65_536,
    about:
      'Heap of each gateway; when it is nearly full, new WebSockets are refused, then some are closed.',
  },
  memoryMb: {
    kind: 'integer',
    flag: 'memory-mb',
    unit: 'MiB',
    default: 0,
    min: 0,
    max: 1_048_576,
    about:
      'Memory of the process beyond which gateways shed load; 0 for three quarters of the machine.',
  },
  corsOrigins: {
    kind: 'origins',
    flag: 'cors-origins',
    unit: 'origins',
    default: '',
    about:
      'Web pages that may send requests with a key, as https://desk.example; all may read public data.',
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
      'Orders that the first fill of a resting order takes off those counts; an arriving order takes 1.',
  },
  orderWeight: {
    kind: 'choice',
    flag: 'order-weight',
    unit: '',
    default: 'failed',
    choices: ['failed', 'every'],
    about: 'Whether placing and canceling orders costs weight only when it fails, or every time.',
  },
  banAfter: {
    kind: 'integer',
    flag: 'ban-after',
    unit: 'requests',
    default: 10,
    min: 1,
    max: LIMIT_MAX,
    about: 'Refusals after the first in one interval that cause a ban.',
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
    about: 'Whether clients may read the system status without a key, as some do.',
  },
  valuationAsset: {
    kind: 'text',
    flag: 'valuation-asset',
    unit: 'asset',
    default: 'USDT',
    about: 'Asset in which trading volumes are counted; a change applies the archive again.',
  },
  diskReserveMb: {
    kind: 'integer',
    flag: 'disk-reserve-mb',
    unit: 'MiB',
    default: 1024,
    min: 0,
    max: 1_048_576,
    about:
      'Free space of the disk below which new orders are refused with -1008, so that cancels have ' +
      'room; 0 for none.',
  },
  keepPublicTradeDays: {
    ...days,
    flag: 'keep-public-trade-days',
    about: `Whole days of public and aggregate trades in the archive; 0 for all; ${BY_FOLDER}`,
  },
  keepSecondBarDays: {
    ...days,
    flag: 'keep-second-bar-days',
    about:
      'Whole days of second klines in the archive; longer klines always stay; 0 for all; ' +
      BY_FOLDER,
  },
  keepOrderDays: {
    ...days,
    flag: 'keep-order-days',
    about: `Whole days of closed orders and their trades in the archive; 0 for all; ${BY_FOLDER}`,
  },
  metrics: {
    kind: 'choice',
    flag: 'metrics',
    unit: '',
    default: 'on',
    choices: ['on', 'off'],
    about: 'Whether the admin port serves /metrics, and one order in 16 is timed for it.',
  },
  alerts: {
    kind: 'text',
    flag: 'alerts',
    unit: 'path',
    default: '',
    about: 'TOML file of webhooks and commands that alerts are sent to; see docs/watch.md.',
  },
  demo: {
    kind: 'choice',
    flag: 'demo',
    unit: '',
    default: 'on',
    choices: ['on', 'off'],
    about: 'Whether an empty data folder is given six symbols and four funded accounts.',
  },
  symbolsFrom: {
    kind: 'text',
    flag: 'symbols-from',
    unit: 'path',
    default: '',
    about:
      'File with an exchangeInfo answer of any venue, whose assets and symbols an empty data folder is ' +
      'given; what cannot be listed is logged.',
  },
  pricesFrom: {
    kind: 'text',
    flag: 'prices-from',
    unit: 'path',
    default: '',
    about:
      'File with a ticker/24hr answer of the venue of --symbols-from: a symbol whose prices do not fit is not ' +
      'listed, and one whose filters let no order at its price pass is logged.',
  },
  seed: {
    kind: 'text',
    flag: 'seed',
    unit: 'path',
    default: '',
    about:
      'TOML file with assets, symbols, accounts, keys, balances, klines and resting orders, which an empty ' +
      'data folder is given instead of the demo.',
  },
  console: {
    kind: 'choice',
    flag: 'console',
    unit: '',
    default: 'on',
    choices: ['on', 'off'],
    about: 'Whether browsers that open the port are served the console.',
  },
  demoSignIn: {
    kind: 'choice',
    flag: 'demo-sign-in',
    unit: '',
    default: 'on',
    choices: ['on', 'off'],
    about: 'Whether the console, in a browser on this machine, may use the keys of the demo.',
  },
  liquidity: {
    kind: 'choice',
    flag: 'liquidity',
    unit: '',
    default: 'demo',
    choices: ['demo', 'on', 'off'],
    about:
      'Whether accounts of market makers quote and trade; demo: only in a data folder that was made as ' +
      'a demo.',
  },
  liquidityFile: {
    kind: 'text',
    flag: 'liquidity-file',
    unit: 'path',
    default: '',
    about:
      'TOML file with a table for each symbol of the market makers; without it, the symbols of the demo.',
  },
  liquiditySeed: {
    kind: 'integer',
    flag: 'liquidity-seed',
    unit: 'number',
    default: 1,
    min: 1,
    max: 4_294_967_295,
    about: 'Seed of the market makers, for symbols whose table has none.',
  },
  sandbox: {
    kind: 'choice',
    flag: 'sandbox',
    unit: '',
    default: 'off',
    choices: ['on', 'off'],
    about:
      'Whether operators and clients may have the exchange fail on purpose, by rules; not with a quorum.',
  },
  clock: {
    kind: 'choice',
    flag: 'clock',
    unit: '',
    default: 'real',
    choices: ['real', 'virtual'],
    about:
      "Whether the time of orders, klines and limits is the machine's, or one that operators move " +
      '(docs/clock.md); then everything runs on one thread. Needs --sandbox on.',
  },
  clockStepSeconds: {
    kind: 'integer',
    flag: 'clock-step-seconds',
    unit: 's',
    default: 60,
    min: 0,
    max: 86_400,
    about:
      "The largest forward step of the machine's clock that is believed at once (docs/clock.md); 0 believes " +
      'every step, also at a start.',
  },
  acceptClock: {
    kind: 'choice',
    flag: 'accept-clock',
    unit: '',
    default: 'off',
    choices: ['off', 'on'],
    about:
      "Whether this start believes the machine's clock when more than 30 days have passed since the last " +
      'journaled moment. The flag may stand alone.',
  },
  virtualTimestamps: {
    kind: 'choice',
    flag: 'virtual-timestamps',
    unit: '',
    default: 'both',
    choices: ['both', 'virtual'],
    about:
      "With --clock virtual: whether a timestamp is valid by the virtual clock or the machine's, or by " +
      'the virtual one alone.',
  },
  faucet: {
    kind: 'amounts',
    flag: 'faucet',
    unit: 'amounts',
    default: '*=100000',
    about:
      'The most of an asset that the faucet of the sandbox fills an account up to, as ' +
      'USDT=1000000,BTC=10,*=100, where * stands for other assets; or none.',
  },
  logLevel: {
    kind: 'choice',
    flag: 'log-level',
    unit: '',
    default: 'info',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    about: 'Least severe level that is logged.',
  },
  logFormat: {
    kind: 'choice',
    flag: 'log-format',
    unit: '',
    default: 'auto',
    choices: ['auto', 'text', 'json'],
    about:
      'Lines for people, with the addresses at the start, or JSON lines; auto: lines for people ' +
      'when standard output is a terminal.',
  },
  ordersPerSymbol: {
    kind: 'integer',
    flag: 'orders-per-symbol',
    unit: 'orders',
    default: 393_216,
    min: 1024,
    max: 8_388_608,
    about: 'Open orders, resting and waiting, that one symbol has room for.',
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
    about:
      'Commands that may wait between one gateway and one matcher; more are refused with -1008.',
  },
  eventRingBytes: {
    kind: 'integer',
    flag: 'event-ring-bytes',
    unit: 'bytes',
    default: 4_194_304,
    min: EVENT_RING_BYTES_MIN,
    max: 1_073_741_824,
    powerOfTwo: true,
    about: 'Events that a gateway may lag behind one matcher before it must resynchronize.',
  },
} as const satisfies Record<string, Setting>
