/** Options of a gateway: its place among gateways and matchers, shared memory, and settings. */
import type { Clock } from '../base/time.ts'
import type { HistoryQueries } from '../history/queries.ts'
import type { KeySpec } from '../market/key-spec.ts'
import type { AccountSpec, AssetSpec, ExchangeSpec, SymbolSpec } from '../market/listing.ts'
import type { Doorbell } from '../ring/doorbell.ts'
import type { WalletParts } from './engine-link/context-impl.ts'
import type { ConsoleParts } from './http/console-requests.ts'
import type { MemoryReading } from './limits/memory-watch.ts'
import type { LimitSettings } from './limits/rate-limits.ts'
import type { Sockets, TlsFiles } from './server.ts'

export interface GatewayOptions {
  readonly index: number
  /** How many there are. */
  readonly gateways: number
  readonly host: string
  readonly port: number
  readonly tls?: TlsFiles | undefined
  /** Real ones when left out. */
  readonly sockets?: Sockets
  /** Open sockets of all gateways together; not bounded when left out. */
  readonly socketsInAll?: number
  /** Commands under way at which orders are refused; as many as there may be when left out. */
  readonly pendingOrders?: number
  readonly symbols: readonly SymbolSpec[]
  readonly assets: readonly AssetSpec[]
  readonly exchange: ExchangeSpec
  readonly accounts: readonly AccountSpec[]
  readonly wallet: WalletParts
  /** Whether the system status needs no key. */
  readonly unsignedSystemStatus: boolean
  readonly console: ConsoleParts
  /** Origins of pages that may send requests with a key (base/origins.ts). */
  readonly corsOrigins: string
  /** limits/forwarding-watch.ts */
  readonly forwarding: SharedArrayBuffer
  /** shared/role.ts. */
  readonly role: SharedArrayBuffer
  /** shared/disk.ts. */
  readonly disk: SharedArrayBuffer
  /** shared/trading-locks.ts. */
  readonly tradingLocks: SharedArrayBuffer
  readonly keys: readonly KeySpec[]
  /** By symbol id. */
  readonly matcherOf: readonly number[]
  /** By matcher: this gateway's ring to it, its ring to this gateway, and its ring to all gateways. */
  readonly commandRings: readonly SharedArrayBuffer[]
  readonly replyRings: readonly SharedArrayBuffer[]
  readonly eventRings: readonly SharedArrayBuffer[]
  readonly matcherBells: readonly Doorbell[]
  readonly gatewayBell: Doorbell
  /** core/ledger/last-prices.ts, written by the matchers. */
  readonly lastPrices: SharedArrayBuffer
  readonly balances: SharedArrayBuffer
  readonly accountsMax: number
  readonly assetsMax: number
  /** Sized by listenKeyBytes, limitBytes and shared/counters.ts. */
  readonly listenKeyCells: SharedArrayBuffer
  readonly limitCells: SharedArrayBuffer
  readonly counters: SharedArrayBuffer
  /** Sized by shared/histograms.ts, shared/outcomes.ts and, for PENDING_MAX rows, shared/stamps.ts. */
  readonly histograms: SharedArrayBuffer
  readonly outcomes: SharedArrayBuffer
  readonly stamps: SharedArrayBuffer
  /** Whether the stages of orders and the delay of the event loop are sampled. */
  readonly metrics: boolean
  readonly limits: LimitSettings
  readonly readMemory: () => MemoryReading
  readonly history: HistoryQueries
  readonly clock: Clock
  readonly warn: (fields: object, message: string) => void
}
