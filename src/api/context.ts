/**
 * What handlers may ask for. The api room knows these shapes only; the gateway fills them in. All of
 * it is read from the gateway's own thread.
 */

import type { Int64 } from '../base/int64.ts'
import type { AccountId, Ms, SymbolId } from '../base/units.ts'
import type { AuctionView } from '../core/views/auction-view.ts'
import type { DayWindow } from '../core/views/day-window.ts'
import type { DepthView } from '../core/views/depth.ts'
import type { ReferencePrice } from '../core/views/reference-price.ts'
import type { Tape } from '../core/views/tape.ts'
import type { HistoryQueries, ListEncoding } from '../history/queries.ts'
import type { RecordBuffer } from '../layout/record-buffer.ts'
import type { KeyRights } from '../market/key-spec.ts'
import type {
  AccountSpec,
  AssetSpec,
  ExchangeSpec,
  SymbolGroup,
  SymbolSpec,
} from '../market/listing.ts'
import type { ChainSpec, NetworkSpec } from '../market/network.ts'
import type { SandboxAnswer, SandboxRequest } from '../sandbox/requests.ts'
import type { StageLatency } from './answers/account.ts'
import type { AnyRows, Reply } from './answers/answer.ts'
import type { ArrivalLimit, RateLimitCount, RateLimitRow } from './answers/limits.ts'
import type { ErrorId, Fault } from './errors.ts'
import type { Params, RawParams } from './params.ts'

/** One request, after its operation was found and its checks passed. */
export interface Request {
  readonly params: Params
  /** The owner of the API key; absent where the operation's security is NONE. */
  readonly account: AccountSpec | undefined
  /** What the key of the request may do; undefined without one. */
  readonly key: Omit<KeyRights, 'account'> | undefined
  /** Server time at arrival, ms. */
  readonly nowMs: Ms
  /** Refuse at the engine when its clock is past this: timestamp + recvWindow; 0 for unsigned. */
  readonly expiresMs: Ms
  /** Whether times in the answer are in microseconds. */
  readonly microseconds: boolean
  /** The encoder that writes the answer, if that may be done where the rows are; else rows are wanted. */
  readonly encoding: ListEncoding | undefined
  /** The limit that counted its arrival. */
  readonly limiter: ArrivalLimit
  /** The number of the session with which orders that it places are to end; 0 for none. */
  readonly session: number
  /** What orders of an operation that trades are charged to; undefined for other operations. */
  readonly charge: OrderCharge | undefined
  /**
   * Serves one part of a batch as the operation for one order: it has its own checks, weight and count of orders, and
   * its outcome goes to `to`. Key, time, signature and session are the batch's.
   */
  servePart(raw: RawParams | Fault, context: Context, to: Responder): void
}

/**
 * What the orders of one request are charged to. The request carries it to the command that it sends:
 * a refusal before that charges nothing (rest-api.md, limits).
 */
export interface OrderCharge {
  /** Whether the command is timed. */
  readonly isTimed: boolean
  /**
   * Returns the refusal (-1015) that the orders would meet if they were sent now; undefined when there is
   * room for them. Charges nothing. A 429 that follows a refusal tells how long to wait.
   */
  refusal(): Fault | undefined
  /** The request enters no order after all: its command is not charged. */
  waive(): void
  /** Charges the orders, once. Returns false when they are refused, and then the request is answered. */
  pay(): boolean
  /** The command is about to be handed over under this id. */
  sent(correlation: number): void
}

/** Where the answer goes. Exactly one of the calls is made, once, now or later. */
export interface Responder {
  /** 200 with this, which a transport encodes now and once. */
  reply(answer: Reply): void
  /** A row of the error table, with what fills its message, and rows for its `data`. */
  error(id: ErrorId, detail?: readonly (string | number)[], data?: AnyRows): void
  /** Whether the client has read most of what it was sent; true where it has one answer at a time. */
  isReading(): boolean
}

/**
 * A place for one command in the ring of the symbol's matcher. Its header's `head`, `symbolId`,
 * `gateway` and `correlation` are filled in by `submit`; the handler writes the rest.
 */
export interface CommandSlot {
  readonly buffer: RecordBuffer
  readonly at: number
  /**
   * Pays the charge and sends the command; every record that answers it goes to `collector`. What the
   * client did not ask for by itself, such as a query's next page, has no charge.
   */
  submit(type: number, bytes: number, collector: Collector, charge: OrderCharge | undefined): void
}

/** Receives the records that answer one command, in order. They are only valid during the call. */
export interface Collector {
  record(buffer: RecordBuffer, at: number): void
  /** After the record that carries the LAST flag. */
  done(): void
  /** The engine's answer was lost or came too late: its fate is unknown (-1007), or none (-1016). */
  failed(id: ErrorId): void
}

/** A request that takes many queries of matchers. */
export interface BulkQuery {
  readonly account: number
  /** Begins to query. Ends the permit, once, when it queries and holds nothing any more. */
  begin(permit: BulkQueryPermit): void
  /** It never begins. */
  failed(id: ErrorId): void
  /** Whether the client has read most of what it was sent: else the bulk query does not begin yet. */
  isReading(): boolean
}

/** The permit of the bulk query that is under way. */
export interface BulkQueryPermit {
  /** Takes room for so many rows until the permit ends; false when there is none (-1008). */
  hold(rows: number): boolean
  end(): void
}

export interface BalanceRow {
  readonly asset: AssetSpec
  readonly free: Int64
  readonly locked: Int64
}

/** Listen keys of user streams (user-data-stream.md), shared by all gateways. */
export interface ListenKeys {
  /** The account's active key, extended, or a new one. */
  start(account: AccountId): string
  /** False when the key is unknown, expired or another account's. */
  keepAlive(account: AccountId, key: string): boolean
  close(account: AccountId, key: string): boolean
}

export interface Context {
  readonly symbols: readonly SymbolSpec[]
  /** By id. */
  readonly assets: readonly AssetSpec[]
  readonly exchange: ExchangeSpec
  /** By id. */
  readonly chains: readonly ChainSpec[]
  readonly networks: readonly NetworkSpec[]
  /** Groups of symbols that routed orders take from, since the start. */
  readonly groups: readonly SymbolGroup[]
  /** Asset of trading volumes; undefined when it is not listed. */
  readonly valuationAsset: AssetSpec | undefined
  symbolNamed(name: string): SymbolSpec | undefined
  /** What its auction would come to, and what the last one came to. */
  auction(symbolId: SymbolId): AuctionView
  /** The symbol's depth, by the events that this gateway has read. */
  depth(symbolId: SymbolId): DepthView
  /** The symbol's reference price, by the events that this gateway has read. */
  reference(symbolId: SymbolId): ReferencePrice
  /** The symbol's recent trades, by the events that this gateway has read. */
  tape(symbolId: SymbolId): Tape
  /** The symbol's last 24 hours, by the events that this gateway has read. */
  dayWindow(symbolId: SymbolId): DayWindow
  /** Settled balances of the account, by asset id; assets never touched are included as zeros. */
  balances(account: AccountId): readonly BalanceRow[]
  /** When a balance of the account last changed, ms; 0 when none ever did. */
  balancesChangedMs(account: AccountId): Ms
  /** The account's sub-accounts, in the order in which they were opened. */
  subAccounts(account: AccountId): readonly AccountSpec[]
  /** Whether the operator has announced maintenance. */
  isUnderMaintenance(): boolean
  /**
   * Why new orders are refused though cancels are not: on the reserve of the disk (-1008), or while a start waits
   * for a decision about the machine's clock (-2010).
   */
  newOrderFault(): Fault | undefined
  /** Each query rejects with a HistoryFailure when the archive cannot serve it. */
  readonly history: HistoryQueries
  readonly listenKeys: ListenKeys
  /**
   * A place for a command of up to `bytes` (COMMAND_SLOT_BYTES when left out) about the symbol, or
   * undefined when the matcher's ring is full (-1008).
   */
  command(symbolId: SymbolId, bytes?: number): CommandSlot | undefined
  /**
   * A place for a query. Queries have their own: however many wait, they take none from orders.
   */
  query(symbolId: SymbolId): CommandSlot | undefined
  /** Begins the bulk query when it may run: at once, or later. */
  runBulkQuery(bulkQuery: BulkQuery): void
  /** Resolves to what the sandbox answers for the account. Called only while it is on. */
  askSandbox(request: SandboxRequest): Promise<SandboxAnswer>
  /** Returns 22 new letters and digits. */
  newClientOrderId(): string
  /** The limits that exchange information publishes, by what counts arrivals (web-socket-api.md). */
  rateLimits(limiter: ArrivalLimit): readonly RateLimitRow[]
  /** The account's unfilled order count under each ORDERS limit. */
  orderCounts(account: AccountSpec, nowMs: Ms): readonly RateLimitCount[]
  /** What timed requests of the account took, by stage. */
  latencyOf(account: AccountId): readonly StageLatency[]
}
