/** Messages between the main thread and the workers. Commands and events use rings instead. */

import type { RetentionSettings } from '../archive/retention.ts'
import type { Ms } from '../base/units.ts'
import type { Config } from '../config/config.ts'
import type { BackupCut, BackupForm } from '../journal/backup.ts'
import type { MarketMakersParts } from '../liquidity/market-makers.ts'
import type { KeySpec } from '../market/key-spec.ts'
import type {
  AccountSpec,
  AssetSpec,
  ExchangeSpec,
  SymbolGroup,
  SymbolSpec,
} from '../market/listing.ts'
import type { ChainSpec, NetworkSpec } from '../market/network.ts'
import type { SeededKlines } from '../market/seeded-klines.ts'
import type { SandboxAnswer, SandboxRequest } from '../sandbox/requests.ts'
import type { ControlMessage } from '../shared/control-message.ts'
import type { OperatorQuery, OperatorQueryAnswer } from '../shared/operator-query.ts'
import type { Payment } from '../shared/payment.ts'
import type { Regions } from './memory.ts'
import type { ReplicaMemory } from './replica-link.ts'

/** The start of every thread: plain values and shared regions. */
export interface ThreadStart {
  readonly index: number
  readonly config: Config
  readonly regions: Regions
  readonly epoch: number
  /** Salt of the hash of client order ids: drawn at each start, so that no client knows it. */
  readonly idSalt: number
  readonly assets: readonly AssetSpec[]
  readonly symbols: readonly SymbolSpec[]
  /** By symbol id: the matcher that owns it. */
  readonly matcherOf: readonly number[]
  /** Groups of symbols, each of one matcher. */
  readonly groups: readonly SymbolGroup[]
  readonly accounts: readonly AccountSpec[]
  readonly exchange: ExchangeSpec
  readonly chains: readonly ChainSpec[]
  readonly networks: readonly NetworkSpec[]
  /** Asset of trading volumes; undefined when it is not listed. */
  readonly valuationAsset: AssetSpec | undefined
  /** Klines of seeds, which symbols begin with. */
  readonly klines: readonly SeededKlines[]
  /** For how long rows stay in the archive. */
  readonly retention: RetentionSettings
  /** Whether another member leads, at this start. */
  readonly follows: boolean
  /** The way to the quorum of a member of one. */
  readonly replica?: ReplicaMemory | undefined
  /** Number of the snapshot that recovery begins from; 0 without one. */
  readonly snapshot: number
}

export interface GatewayStart extends ThreadStart {
  readonly keys: readonly KeySpec[]
  /** Clients' sockets that all gateways may have open together. */
  readonly socketsInAll: number
  /** Connections that one address may open in ten seconds. */
  readonly acceptsPerAddress: number
}

/** The start of the thread of market makers, which shares no memory. */
export type LiquidityStart = Pick<
  MarketMakersParts,
  'host' | 'port' | 'certificate' | 'plans' | 'keys'
>

/** The start of the worker that makes a backup. */
export interface BackupStart {
  readonly dataFolder: string
  readonly target: string
  readonly cut: BackupCut
  readonly form: BackupForm
  readonly wals: readonly SharedArrayBuffer[]
  readonly phase: SharedArrayBuffer
  /** Two doubles, written by the worker: blocks copied, and blocks in all. */
  readonly copied: SharedArrayBuffer
}

/** The start of the same worker, when it copies the archive for a state that is saved then. */
export interface ArchiveCopyStart {
  readonly dataFolder: string
  readonly archiveTo: string
}

/** The start of the replica thread. */
export interface ReplicaStart {
  readonly config: Config
  /** Memory of a leader; a follower gets another one later, by a DeliverOrder. */
  readonly memory: ReplicaMemory
}

/** What workers of each kind start with. */
export interface WorkerStarts {
  readonly matching: ThreadStart
  readonly gateway: GatewayStart
  readonly checkpointer: ThreadStart
  readonly indexer: ThreadStart
  readonly snapshot: ThreadStart
  readonly backup: BackupStart | ArchiveCopyStart
  readonly liquidity: LiquidityStart
  readonly replica: ReplicaStart
}

/** Messages from a thread to the main thread. */
export type ThreadReport =
  | {
      readonly report: 'recovered'
      readonly events: number
      readonly blocks: number
      /** Time of its last block; 0 without one. */
      readonly journaledMs: Ms
      /** Of matcher 0: by asset id, what balances are together beyond what operators paid in (core/wallet). */
      readonly walletAtoms?: readonly bigint[] | undefined
    }
  /** `thread`: the kernel's number, where it has one. */
  | { readonly report: 'ready'; readonly thread?: number | undefined }
  /** Of matcher 0: withdrawals that are to be signed or sent; what led to them is on the disk, or on the quorum. */
  | { readonly report: 'payments'; readonly payments: readonly Payment[] }
  /** The message of this number is done; `refused` gives the reason when it is not. */
  | {
      readonly report: 'applied'
      readonly number: number
      readonly said?: string
      readonly refused?: string
      readonly answer?: OperatorQueryAnswer
    }
  | { readonly report: 'backedUp'; readonly blocks?: number; readonly refused?: string }
  /** The replica thread has the lead, and the folder is as the quorum. */
  | { readonly report: 'leads'; readonly epoch: number; readonly address: string }
  /** The replica thread of a follower: the folder has what the quorum has. */
  | { readonly report: 'follows' }
  /** It has put facts into the slot of the control journal. */
  | { readonly report: 'facts' }
  /** A client's request to the sandbox. */
  | { readonly report: 'sandbox'; readonly number: number; readonly request: SandboxRequest }
  | { readonly report: 'drained' }
  | { readonly report: 'readOnly' }
  | { readonly report: 'stopped' }
  /** What an Error contains. */
  | {
      readonly report: 'failed'
      readonly name: string
      readonly message: string
      readonly stack: string | undefined
    }
  /** Why what the thread keeps is not what it should be, in a sentence; undefined once it is. */
  | { readonly report: 'degraded'; readonly why: string | undefined }
  | {
      readonly report: 'log'
      readonly level: 'info' | 'warn' | 'error'
      readonly fields: Record<string, unknown>
      readonly message: string
    }

/** From the main thread to the thread of market makers: the certificate (PEM) that is served now. */
interface TrustOrder {
  readonly order: 'trust'
  readonly certificate: string
}

/** From the main thread to a gateway; matchers read the phase cell instead. */
export type ThreadOrder =
  | { readonly order: 'drain' }
  | { readonly order: 'readOnly' }
  | { readonly order: 'stop' }
  | ControlMessages
  | ThreadQuery
  | SandboxOrder
  | SnapshotOrder
  | TrustOrder
  | DeliverOrder
  | { readonly order: 'promote' }
  | { readonly order: 'resign' }
  | HandOverOrder

/** From the main thread to the replica thread of a follower, once all threads run. */
export interface DeliverOrder {
  readonly order: 'deliver'
  readonly delivery: Delivery
}

/** From the main thread to the replica thread of a leader, whose matchers write nothing more. */
export interface HandOverOrder {
  readonly order: 'handOver'
  readonly number: number
  /** A member's name, or `any`. */
  readonly successor: string
}

/** What the replica thread of a follower writes into. */
export interface Delivery extends Pick<Regions, 'bells' | 'role'> {
  readonly memory: ReplicaMemory
}

/** A query of the main thread to a gateway. */
export interface ThreadQuery {
  readonly order: 'query'
  readonly number: number
  readonly query: OperatorQuery
}

/** From the main thread to a gateway: the answer to its report of this number. */
export interface SandboxOrder {
  readonly order: 'sandbox'
  readonly number: number
  readonly answer: SandboxAnswer
}

/** From the main thread to the snapshots' thread, which checks for it at intervals. */
export interface SnapshotOrder {
  readonly order: 'snapshot'
  readonly number: number
}

/** From the main thread to gateways and matchers; matchers check for it when their cell changes. */
export interface ControlMessages {
  readonly order: 'control'
  /** Counts the messages to one thread, from 1. */
  readonly number: number
  readonly messages: readonly ControlMessage[]
}
