// Generated from config/settings.ts by `npm run generate`. Do not edit.

/** By the names of docs/settings.md. `true` and `false` stand for "on" and "off". */
export interface ExchangeSettings {
  /** PEM file of a certificate; with it and its key, clients connect by https and wss only. (path) */
  readonly 'tls-cert'?: string
  /** PEM file of the certificate's key. (path) */
  readonly 'tls-key'?: string
  /** Threads that match orders; each owns some of the symbols and one journal. (threads, 1 to 32) */
  readonly matchers?: number
  /** Threads that serve clients, all on one port. (threads, 1 to 32) */
  readonly gateways?: number
  /** When an order is acknowledged: flushed to disk, which survives a power loss; committed, which survives a killed process; or replicated, flushed here and on a quorum (--replica), which survives the loss of a machine. (flushed | committed | replicated) */
  readonly durability?: 'flushed' | 'committed' | 'replicated'
  /** Longest time for which a matcher gathers orders after a flush, with --durability flushed: half of what the batch took, at most this; 0: it begins the next batch at once. (microseconds, 0 to 10000) */
  readonly 'gather-us'?: number
  /** PostgreSQL with synchronous standbys that keeps the journals too, as postgres://user@host1,host2/database; needs --durability replicated. (URL) */
  readonly replica?: string
  /** Where clients reach this member when it leads, as https://exchange.example; followers name it. By default its scheme, host and port. (URL) */
  readonly advertise?: string
  /** Follows the leader of this quorum of PostgreSQL and serves what reads; any server of it, standbys too, as postgres://user@host1,host2/database. (URL) */
  readonly follow?: string
  /** Silence of the leader after which this member, which follows, takes the lead; 0: only by command. Needs servers in --follow that accept writes. (seconds, 0 to 3600) */
  readonly 'promote-after'?: number
  /** A backup of another member, which an empty data folder begins with; a member needs it when the quorum no longer has what it lacks. (folder) */
  readonly 'seed-from'?: string
  /** Longest time that orders wait for the quorum; then read-only, as when a disk refuses. (seconds, 1 to 3600) */
  readonly 'replica-seconds'?: number
  /** Bytes of an HTTP request before its body, its URL included; a longer one gets 431. (bytes, 4096 to 262144) */
  readonly 'header-bytes'?: number
  /** Commands of one gateway under way, those aside that wait for an auction or the like; more orders are refused with -1008. (commands, 1 to 16384) */
  readonly 'pending-orders'?: number
  /** Time that market data stays readable after a failed disk write; then exit code 1. (seconds, 0 to 86400) */
  readonly 'read-only-seconds'?: number
  /** Longest duration of a stop; after it the process exits with code 1. (seconds, 1 to 86400) */
  readonly 'stop-seconds'?: number
  /** Time between snapshots, which shorten the next start; 0 for never. (minutes, 0 to 10080) */
  readonly 'snapshot-minutes'?: number
  /** Snapshots kept; older ones are deleted. (snapshots, 1 to 1000) */
  readonly 'snapshots-kept'?: number
  /** Blocks that stay in the journals: all, or those that the oldest snapshot does not cover. The others are sealed into old-journals in the data folder. (all | snapshots) */
  readonly 'journal-kept'?: 'all' | 'snapshots'
  /** Whole days of blocks in old-journals; older ones that snapshots cover are removed forever; 0 for all. Needs journal-kept snapshots, and no quorum. (days, 0 to 36500) */
  readonly 'keep-journal-days'?: number
  /** Whether request weights and order counts are limited. (on | off) */
  readonly limits?: 'on' | 'off' | boolean
  /** Request weight that one address may use in a minute. (weight, 1 to 268435455) */
  readonly 'weight-limit'?: number
  /** HTTP requests that one address may make in 5 minutes. (requests, 1 to 268435455) */
  readonly 'raw-requests-limit'?: number
  /** WebSockets that one address may try to open in 5 minutes. (connections, 1 to 268435455) */
  readonly 'connections-limit'?: number
  /** Open connections of each gateway; further ones are closed. (sockets, 16 to 1000000) */
  readonly 'sockets-max'?: number
  /** Open WebSockets of one IP address, at all gateways together. (WebSockets, 1 to 1000000) */
  readonly 'sockets-per-address'?: number
  /** Connections that one address may open in 10 seconds, less its open WebSockets; more are closed. (connections, 1 to 268435455) */
  readonly 'accepts-per-address'?: number
  /** Proxies whose X-Forwarded-For and PROXY protocol header name the client, as 10.0.0.0/8. (addresses) */
  readonly 'trusted-proxies'?: string
  /** Unread responses and partial requests that one gateway buffers; beyond it, clients are closed. (MiB, 1 to 65536) */
  readonly 'unread-mb'?: number
  /** The same for clients of one IP address. (MiB, 1 to 65536) */
  readonly 'unread-mb-per-address'?: number
  /** Heap of each gateway; when it is nearly full, new WebSockets are refused, then some are closed. (MiB, 64 to 65536) */
  readonly 'gateway-heap-mb'?: number
  /** Memory of the process beyond which gateways shed load; 0 for three quarters of the machine. (MiB, 0 to 1048576) */
  readonly 'memory-mb'?: number
  /** Web pages that may send requests with a key, as https://desk.example; all may read public data. (origins) */
  readonly 'cors-origins'?: string
  /** Unfilled orders that one account may enter in a second. (orders, 1 to 268435455) */
  readonly 'orders-per-second'?: number
  /** Unfilled orders that one account may enter in a UTC day. (orders, 1 to 268435455) */
  readonly 'orders-per-day'?: number
  /** Orders that the first fill of a resting order takes off those counts; an arriving order takes 1. (orders, 0 to 268435455) */
  readonly 'maker-fill-credit'?: number
  /** Whether placing and canceling orders costs weight only when it fails, or every time. (failed | every) */
  readonly 'order-weight'?: 'failed' | 'every'
  /** Refusals after the first in one interval that cause a ban. (requests, 1 to 268435455) */
  readonly 'ban-after'?: number
  /** First ban of an address; each further one is twice as long, up to 3 days. (seconds, 1 to 259200) */
  readonly 'ban-seconds'?: number
  /** Addresses and ranges without limits by address, as 127.0.0.1,10.0.0.0/8,fd00::/8. (addresses) */
  readonly 'exempt-addresses'?: string
  /** Whether accounts whose API trading status is bad may place no orders for 5 minutes. (on | off) */
  readonly 'trading-locks'?: 'on' | 'off' | boolean
  /** Whether clients may read the system status without a key, as some do. (on | off) */
  readonly 'unsigned-system-status'?: 'on' | 'off' | boolean
  /** Asset in which trading volumes are counted; a change applies the archive again. (asset) */
  readonly 'valuation-asset'?: string
  /** Free space of the disk below which new orders are refused with -1008, so that cancels have room; 0 for none. (MiB, 0 to 1048576) */
  readonly 'disk-reserve-mb'?: number
  /** Whole days of public and aggregate trades in the archive; 0 for all; demo: 7 in a data folder that was made as a demo, unless its clock is virtual; else 0. (days, demo, or 0 to 36500) */
  readonly 'keep-public-trade-days'?: number | 'demo'
  /** Whole days of second klines in the archive; longer klines always stay; 0 for all; demo: 7 in a data folder that was made as a demo, unless its clock is virtual; else 0. (days, demo, or 0 to 36500) */
  readonly 'keep-second-bar-days'?: number | 'demo'
  /** Whole days of closed orders and their trades in the archive; 0 for all; demo: 7 in a data folder that was made as a demo, unless its clock is virtual; else 0. (days, demo, or 0 to 36500) */
  readonly 'keep-order-days'?: number | 'demo'
  /** Whether the admin port serves /metrics, and one order in 16 is timed for it. (on | off) */
  readonly metrics?: 'on' | 'off' | boolean
  /** TOML file of webhooks and commands that alerts are sent to; see docs/watch.md. (path) */
  readonly alerts?: string
  /** Whether an empty data folder is given six symbols and four funded accounts. (on | off) */
  readonly demo?: 'on' | 'off' | boolean
  /** File with an exchangeInfo answer of any venue, whose assets and symbols an empty data folder is given; what cannot be listed is logged. (path) */
  readonly 'symbols-from'?: string
  /** File with a ticker/24hr answer of the venue of --symbols-from: a symbol whose prices do not fit is not listed, and one whose filters let no order at its price pass is logged. (path) */
  readonly 'prices-from'?: string
  /** TOML file with assets, symbols, accounts, keys, balances, klines and resting orders, which an empty data folder is given instead of the demo. (path) */
  readonly seed?: string
  /** Whether browsers that open the port are served the console. (on | off) */
  readonly console?: 'on' | 'off' | boolean
  /** Whether the console, in a browser on this machine, may use the keys of the demo. (on | off) */
  readonly 'demo-sign-in'?: 'on' | 'off' | boolean
  /** Whether accounts of market makers quote and trade; demo: only in a data folder that was made as a demo. (demo | on | off) */
  readonly liquidity?: 'demo' | 'on' | 'off' | boolean
  /** TOML file with a table for each symbol of the market makers; without it, the symbols of the demo. (path) */
  readonly 'liquidity-file'?: string
  /** Seed of the market makers, for symbols whose table has none. (number, 1 to 4294967295) */
  readonly 'liquidity-seed'?: number
  /** Whether operators and clients may have the exchange fail on purpose, by rules; not with a quorum. (on | off) */
  readonly sandbox?: 'on' | 'off' | boolean
  /** Whether the time of orders, klines and limits is the machine's, or one that operators move (docs/clock.md); then everything runs on one thread. Needs --sandbox on. (real | virtual) */
  readonly clock?: 'real' | 'virtual'
  /** The largest forward step of the machine's clock that is believed at once (docs/clock.md); 0 believes every step, also at a start. (s, 0 to 86400) */
  readonly 'clock-step-seconds'?: number
  /** Whether this start believes the machine's clock when more than 30 days have passed since the last journaled moment. The flag may stand alone. (off | on) */
  readonly 'accept-clock'?: 'off' | 'on' | boolean
  /** With --clock virtual: whether a timestamp is valid by the virtual clock or the machine's, or by the virtual one alone. (both | virtual) */
  readonly 'virtual-timestamps'?: 'both' | 'virtual'
  /** The most of an asset that the faucet of the sandbox fills an account up to, as USDT=1000000,BTC=10,*=100, where * stands for other assets; or none. (amounts) */
  readonly faucet?: string
  /** Least severe level that is logged. (trace | debug | info | warn | error | fatal | silent) */
  readonly 'log-level'?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  /** Lines for people, with the addresses at the start, or JSON lines; auto: lines for people when standard output is a terminal. (auto | text | json) */
  readonly 'log-format'?: 'auto' | 'text' | 'json'
  /** Open orders, resting and waiting, that one symbol has room for. (orders, 1024 to 8388608) */
  readonly 'orders-per-symbol'?: number
  /** Accounts that the ledger has room for. (accounts, 8 to 1048576) */
  readonly accounts?: number
  /** Commands that may wait between one gateway and one matcher; more are refused with -1008. (commands, 64 to 1048576, a power of two) */
  readonly 'command-ring-slots'?: number
  /** Events that a gateway may lag behind one matcher before it must resynchronize. (bytes, 1048576 to 1073741824, a power of two) */
  readonly 'event-ring-bytes'?: number
}
