/**
 * The context of handlers: this gateway's views, the shared ledger and the rings to the matchers. One
 * per gateway, used on its thread only. It keeps nothing of a request: a command carries its charge.
 */
import type { StageLatency } from '../../api/answers/account.ts'
import type { ArrivalLimit, RateLimitCount, RateLimitRow } from '../../api/answers/limits.ts'
import type {
  BalanceRow,
  BulkQuery,
  Collector,
  CommandSlot,
  Context,
  ListenKeys,
  OrderCharge,
} from '../../api/context.ts'
import { Fault } from '../../api/errors.ts'
import { readInt64 } from '../../base/int64.ts'
import { elapsedMs, type Time } from '../../base/time.ts'
import { type AccountId, type Ms, SymbolId } from '../../base/units.ts'
import { BALANCE_WORDS, type Balances } from '../../core/ledger/balances.ts'
import type { AuctionView } from '../../core/views/auction-view.ts'
import type { DayWindow } from '../../core/views/day-window.ts'
import type { DepthView } from '../../core/views/depth.ts'
import type { ReferencePrice } from '../../core/views/reference-price.ts'
import type { Tape } from '../../core/views/tape.ts'
import type { HistoryQueries } from '../../history/queries.ts'
import { RecordHeader } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, writeHead } from '../../layout/record-buffer.ts'
import { COMMAND_SLOT_BYTES, FLAG_TIMED } from '../../layout/records.gen.ts'
import {
  type AccountSpec,
  type AssetSpec,
  type ExchangeSpec,
  type SymbolGroup,
  type SymbolSpec,
  WALLET,
} from '../../market/listing.ts'
import type { ChainSpec, NetworkSpec } from '../../market/network.ts'
import { type CommandRingProducer, commandSlots } from '../../ring/command-ring.ts'
import type { SandboxAnswer, SandboxRequest } from '../../sandbox/requests.ts'
import type { LatencyReader } from '../../shared/account-latency.ts'
import type { ChainMessage } from '../../shared/control-message.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import type { DiskCells } from '../../shared/disk.ts'
import { publishedLimits } from '../limits/limiters.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import type { BulkQueries } from './bulk-queries.ts'
import { GeneratedIds } from './generated-ids.ts'
import type { Markets } from './markets.ts'
import { type Pending, queriesMax } from './pending.ts'

export interface ContextParts {
  readonly gateway: number
  readonly assets: readonly AssetSpec[]
  readonly exchange: ExchangeSpec
  readonly chains: ChainSpec[]
  readonly networks: NetworkSpec[]
  readonly groups: readonly SymbolGroup[]
  /** Asset of trading volumes; undefined when it is not listed. */
  readonly valuationAsset: AssetSpec | undefined
  readonly keys: Pick<Context, 'subAccounts'>
  /** One i32 cell, not 0 while the operator announces maintenance; written by the main thread. */
  readonly maintenance: SharedArrayBuffer
  readonly markets: Markets
  readonly balances: Balances
  readonly history: HistoryQueries
  readonly listenKeys: ListenKeys
  readonly disk: Pick<DiskCells, 'isRefusing'>
  /** By matcher. */
  readonly commandRings: readonly CommandRingProducer[]
  readonly pending: Pending
  readonly bulkQueries: BulkQueries
  readonly rateLimits: RateLimits
  readonly latency: LatencyReader
  readonly counters: ThreadCounters
  readonly clock: Pick<Time, 'wall' | 'steered'>
  readonly askSandbox: Context['askSandbox']
  /** Called after each command: rings its matcher's bell. */
  readonly sent: () => void
}

const diskReserve = new Fault('DISK_RESERVE')
/** Hosts the wallet. */
const WALLET_MATCHER = 0
const marketClosed = new Fault('MARKET_CLOSED')

export class EngineClient implements Context {
  readonly assets: readonly AssetSpec[]
  readonly chains: ChainSpec[]
  readonly networks: NetworkSpec[]
  /** Operators' actions change these two. */
  exchange: ExchangeSpec
  valuationAsset: AssetSpec | undefined
  readonly groups: readonly SymbolGroup[]
  readonly history: HistoryQueries
  readonly listenKeys: ListenKeys
  private readonly parts: ContextParts
  private readonly _symbols: SymbolSpec[]
  private readonly symbolsByName = new Map<string, SymbolSpec>()
  private readonly slots: readonly Slot[]
  private readonly queriesMax: number
  private readonly balanceWords = new Int32Array(BALANCE_WORDS)
  private readonly generatedIds = new GeneratedIds()
  private readonly maintenance: Int32Array

  constructor(parts: ContextParts) {
    this.parts = parts
    this._symbols = [...parts.markets.symbols]
    this.assets = parts.assets
    this.exchange = parts.exchange
    this.chains = parts.chains
    this.networks = parts.networks
    this.groups = parts.groups
    this.valuationAsset = parts.valuationAsset
    this.maintenance = new Int32Array(parts.maintenance)
    this.history = parts.history
    this.listenKeys = parts.listenKeys
    for (const spec of this._symbols) this.symbolsByName.set(spec.name, spec)
    this.slots = parts.commandRings.map((_, matcher) => new Slot(this, matcher))
    this.queriesMax = queriesMax(parts.commandRings[0]?.slots ?? 0)
  }

  askSandbox(request: SandboxRequest): Promise<SandboxAnswer> {
    return this.parts.askSandbox(request)
  }

  /** By id: the open symbols. */
  get symbols(): readonly SymbolSpec[] {
    return this._symbols
  }

  /** Opens a symbol, or changes its status, filters or fees; never its units. */
  setSymbol(spec: SymbolSpec): void {
    this._symbols[spec.id] = spec
    this.symbolsByName.set(spec.name, spec)
  }

  setChain(message: ChainMessage): void {
    if (message.kind === 'chain') this.chains[message.chain.id] = message.chain
    else this.networks[message.network.id] = message.network
  }

  symbolNamed(name: string): SymbolSpec | undefined {
    return this.symbolsByName.get(name)
  }

  depth(symbolId: SymbolId): DepthView {
    return this.parts.markets.depths[symbolId]!
  }

  tape(symbolId: SymbolId): Tape {
    return this.parts.markets.tapes[symbolId]!
  }

  reference(symbolId: SymbolId): ReferencePrice {
    return this.parts.markets.references[symbolId]!
  }

  auction(symbolId: SymbolId): AuctionView {
    return this.parts.markets.auctions[symbolId]!
  }

  dayWindow(symbolId: SymbolId): DayWindow {
    return this.parts.markets.dayWindows[symbolId]!
  }

  balances(account: AccountId): readonly BalanceRow[] {
    return this.parts.assets.map((asset) => this.balance(account, asset))
  }

  balancesChangedMs(account: AccountId): Ms {
    return this.parts.balances.changedMs(account)
  }

  balance(account: AccountId, asset: AssetSpec): BalanceRow {
    const words = this.balanceWords
    this.parts.balances.read(account, asset.id, words)
    return { asset, free: readInt64(words, 1), locked: readInt64(words, 3) }
  }

  subAccounts(account: AccountId): readonly AccountSpec[] {
    return this.parts.keys.subAccounts(account)
  }

  isUnderMaintenance(): boolean {
    return Atomics.load(this.maintenance, 0) !== 0
  }

  newOrderFault(): Fault | undefined {
    const { disk, clock, counters } = this.parts
    if (clock.steered?.isAwaited) return marketClosed
    if (!disk.isRefusing) return undefined
    counters.add(GatewayCounter.diskRefused, 1)
    return diskReserve
  }

  command(symbolId: SymbolId, bytes = COMMAND_SLOT_BYTES): CommandSlot | undefined {
    const { commandRings, pending, counters } = this.parts
    const matcher = this.matcherOf(symbolId)
    if (pending.isFull) {
      counters.add(GatewayCounter.pendingFull, 1)
      return undefined
    }
    const at = commandRings[matcher]!.claim(commandSlots(bytes))
    if (at < 0) {
      counters.add(GatewayCounter.commandRingFull, 1)
      return undefined
    }
    const slot = this.slots[matcher]!
    slot.at = at
    slot.symbolId = symbolId
    slot.isQuery = false
    return slot
  }

  query(symbolId: SymbolId): CommandSlot | undefined {
    const { pending, counters } = this.parts
    // What waits in a matcher behind a symbol delays no other.
    const isFull = pending.queries >= this.queriesMax
    if (isFull && pending.queries - this.deferredQueries() >= this.queriesMax) {
      counters.add(GatewayCounter.queriesFull, 1)
      return undefined
    }
    const slot = this.command(symbolId)
    if (slot !== undefined) this.slots[this.matcherOf(symbolId)]!.isQuery = true
    return slot
  }

  private matcherOf(symbolId: SymbolId): number {
    return symbolId === WALLET ? WALLET_MATCHER : this.parts.markets.matcherOf[symbolId]!
  }

  /** Commands under way, queries aside, that wait in matchers for what a symbol is doing. */
  deferredOrders(): number {
    return this.parts.commandRings.reduce((sum, ring) => sum + ring.deferred.orders, 0)
  }

  private deferredQueries(): number {
    return this.parts.commandRings.reduce((sum, ring) => sum + ring.deferred.queries, 0)
  }

  runBulkQuery(bulkQuery: BulkQuery): void {
    this.parts.bulkQueries.add(bulkQuery)
  }

  newClientOrderId(): string {
    return this.generatedIds.next()
  }

  /** Empty without limits: a client that throttles itself by them runs at full speed. */
  rateLimits(limiter: ArrivalLimit): readonly RateLimitRow[] {
    const { enabled, limiters } = this.parts.rateLimits
    return enabled ? publishedLimits(limiters, limiter) : []
  }

  orderCounts(account: AccountSpec, nowMs: Ms): readonly RateLimitCount[] {
    const { rateLimits } = this.parts
    if (!rateLimits.enabled) return []
    const [day, second] = rateLimits.orderCounts(account, nowMs)
    return [second, day].map(({ limiter, count }) => ({ ...limiter.row, count }))
  }

  latencyOf(account: AccountId): readonly StageLatency[] {
    return this.parts.latency.read(account)
  }

  ringOf(matcher: number): CommandRingProducer {
    return this.parts.commandRings[matcher]!
  }

  /** For Slot: completes the header and hands the command to its matcher, unless it is refused. */
  send(
    slot: Slot,
    matcher: number,
    type: number,
    bytes: number,
    collector: Collector,
    charge: OrderCharge | undefined,
  ): void {
    if (charge !== undefined && !charge.pay()) return
    const { pending, commandRings, gateway, clock, counters, sent } = this.parts
    const { buffer } = slot
    writeHead(buffer, slot.at, type, bytes, charge?.isTimed ? FLAG_TIMED : 0)
    RecordHeader.setSymbolId(buffer, slot.at, SymbolId(slot.symbolId))
    RecordHeader.setGateway(buffer, slot.at, gateway)
    const correlation = pending.open(collector, matcher, elapsedMs(clock.wall), slot.isQuery)
    RecordHeader.setCorrelation(buffer, slot.at, correlation)
    charge?.sent(correlation)
    commandRings[matcher]!.commit()
    counters.add(GatewayCounter.commands, 1)
    sent()
  }
}

/** The claimed slot of one matcher's ring: one object, since one slot is claimed at a time. */
class Slot implements CommandSlot {
  readonly buffer: RecordBuffer
  at = 0
  symbolId = 0
  isQuery = false
  private readonly context: EngineClient
  private readonly matcher: number

  constructor(context: EngineClient, matcher: number) {
    this.context = context
    this.matcher = matcher
    this.buffer = context.ringOf(matcher).buffer
  }

  submit(type: number, bytes: number, collector: Collector, charge: OrderCharge | undefined): void {
    this.context.send(this, this.matcher, type, bytes, collector, charge)
  }
}
