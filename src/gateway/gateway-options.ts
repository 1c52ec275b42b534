/**
 * What a gateway is given when it is made, in records by when and where each is known: its address, the
 * settings, the venue at this start, memory that it shares with matchers and with other gateways, and what
 * its thread supplies.
 */
import type { Time } from '../base/time.ts'
import type { HistoryQueries } from '../history/queries.ts'
import type { KeySpec } from '../market/key-spec.ts'
import type {
  AccountSpec,
  AssetSpec,
  ExchangeSpec,
  SymbolGroup,
  SymbolSpec,
} from '../market/listing.ts'
import type { ChainSpec, NetworkSpec } from '../market/network.ts'
import type { SandboxServices } from '../pipeline/faults.ts'
import type { Doorbell } from '../ring/doorbell.ts'
import type { ConsoleParts } from './http/console-requests.ts'
import type { MemoryReading } from './limits/memory-watch.ts'
import type { LimitSettings } from './limits/rate-limits.ts'
import type { Sockets, TlsFiles } from './port.ts'

/** Its number among the gateways, and where clients find it. */
export interface GatewayAddress {
  readonly index: number
  /** How many there are. */
  readonly gateways: number
  readonly host: string
  readonly port: number
  /** For streams in SBE alone; 0 for none. */
  readonly sbePort: number
  /** Undefined for connections in the clear. */
  readonly tls: TlsFiles | undefined
  /** The most open sockets of all gateways together; may be Infinity. */
  readonly socketsInAll: number
}

export interface GatewaySettings {
  /** Commands under way at which orders are refused; at most PENDING_MAX. */
  readonly pendingOrders: number
  /** Whether the system status needs no key. */
  readonly unsignedSystemStatus: boolean
  /** Origins of pages that may send requests with a key (base/origins.ts). */
  readonly corsOrigins: string
  /** Whether it begins with SBE switched on; a reload may change that. */
  readonly isSbeOn: boolean
  /** The newest schema of SBE, as 3:5. */
  readonly sbeNewest: string
  /** Whether the stages of orders and the delay of the event loop are sampled. */
  readonly metrics: boolean
  readonly accountsMax: number
  readonly assetsMax: number
}

/** What operators had decided at this start; messages change it later. */
export interface ListingsAtStart {
  readonly symbols: readonly SymbolSpec[]
  readonly assets: readonly AssetSpec[]
  readonly exchange: ExchangeSpec
  readonly chains: readonly ChainSpec[]
  readonly networks: readonly NetworkSpec[]
  readonly groups: readonly SymbolGroup[]
  readonly accounts: readonly AccountSpec[]
  readonly keys: readonly KeySpec[]
  /** By symbol id. */
  readonly matcherOf: readonly number[]
  /** Asset of trading volumes; undefined when it is not listed. */
  readonly valuationAsset: AssetSpec | undefined
}

/** Memory between this gateway and the matchers. */
export interface MatcherLines {
  /** By matcher: this gateway's ring to it, its ring to this gateway, and its ring to all gateways. */
  readonly commandRings: readonly SharedArrayBuffer[]
  readonly replyRings: readonly SharedArrayBuffer[]
  readonly eventRings: readonly SharedArrayBuffer[]
  readonly matcherBells: readonly Doorbell[]
  readonly gatewayBell: Doorbell
  /** For PENDING_MAX rows: shared/stamps.ts. */
  readonly stamps: SharedArrayBuffer
  /** Written by the matchers: core/ledger. */
  readonly balances: SharedArrayBuffer
  readonly lastPrices: SharedArrayBuffer
}

/** Cells that all gateways share, each sized by the file that describes it. */
export interface GatewayCells {
  /** gateway/streams/listen-keys.ts */
  readonly listenKeys: SharedArrayBuffer
  /** gateway/limits/rate-limits.ts */
  readonly limits: SharedArrayBuffer
  /** gateway/limits/forwarding-watch.ts */
  readonly forwarding: SharedArrayBuffer
  /** One i32 cell, not 0 while the operator announces maintenance. */
  readonly maintenance: SharedArrayBuffer
  /** shared: role.ts, disk.ts, trading-locks.ts, counters.ts, histograms.ts, account-latency.ts, outcomes.ts. */
  readonly role: SharedArrayBuffer
  readonly disk: SharedArrayBuffer
  readonly tradingLocks: SharedArrayBuffer
  readonly counters: SharedArrayBuffer
  readonly histograms: SharedArrayBuffer
  readonly accountLatency: SharedArrayBuffer
  readonly outcomes: SharedArrayBuffer
}

/** What a gateway uses of its thread. */
export interface GatewayServices {
  /** Real ones, or a test's. */
  readonly sockets: Sockets
  readonly console: ConsoleParts
  readonly history: HistoryQueries
  readonly readMemory: () => MemoryReading
  readonly time: Time
  readonly warn: (fields: object, message: string) => void
  /** Undefined while the sandbox is off. */
  readonly sandbox?: SandboxServices | undefined
}

export interface GatewayOptions {
  readonly address: GatewayAddress
  readonly settings: GatewaySettings
  readonly limits: LimitSettings
  readonly listings: ListingsAtStart
  readonly lines: MatcherLines
  readonly cells: GatewayCells
  readonly services: GatewayServices
}
