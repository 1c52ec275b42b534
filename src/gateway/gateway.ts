/**
 * One gateway: sockets on one side, rings to and from the matchers on the other, folds in between.
 * It owns no truth. Runs on the event loop of its own thread; several may share one port.
 */
import { getHeapStatistics } from 'node:v8'
import { operations, withUnsignedStatus } from '../api/operations/index.ts'
import { type Clock, elapsedMs } from '../base/clock.ts'
import { Balances } from '../core/ledger/balances.ts'
import { LastPrices } from '../core/ledger/last-prices.ts'
import type { HistoryQueries } from '../history/queries.ts'
import type { Announcement } from '../market/announcement.ts'
import type { KeySpec } from '../market/key-spec.ts'
import type { AccountSpec, AssetSpec, ExchangeSpec, SymbolSpec } from '../market/listing.ts'
import { CommandRingProducer } from '../ring/command-ring.ts'
import type { Doorbell } from '../ring/doorbell.ts'
import { EventRingReader } from '../ring/event-ring.ts'
import { ReplyRingReader } from '../ring/reply-ring.ts'
import { GatewayCounter, ThreadCounters } from '../shared/counters.ts'
import { ThreadHistograms } from '../shared/histograms.ts'
import { Outcomes } from '../shared/outcomes.ts'
import { StampReader } from '../shared/stamps.ts'
import { TradingLocks } from '../shared/trading-locks.ts'
import { type AnnouncedParts, applyAnnouncement } from './announced.ts'
import { Door } from './authentication/door.ts'
import { KeyRing } from './authentication/key-ring.ts'
import { GatewayContext, type WalletParts } from './engine-link/context-impl.ts'
import { CountedHistory } from './engine-link/counted-history.ts'
import { Egress } from './engine-link/egress.ts'
import { Inquiries } from './engine-link/inquiries.ts'
import { Markets } from './engine-link/markets.ts'
import { Overload } from './engine-link/overload.ts'
import { PENDING_MAX, Pending } from './engine-link/pending.ts'
import { Pump } from './engine-link/pump.ts'
import { Receipts } from './engine-link/receipts.ts'
import { SessionOrders } from './engine-link/session-orders.ts'
import { TradeSeeds } from './engine-link/trade-seeds.ts'
import { ClientAddresses } from './limits/client-address.ts'
import { MemoryGuard } from './limits/memory-guard.ts'
import type { MemoryReading } from './limits/memory-watch.ts'
import { OrderCredits } from './limits/order-credits.ts'
import { Quota } from './limits/quota.ts'
import { type LimitSettings, RateLimits } from './limits/rate-limits.ts'
import { SignatureBudget } from './limits/signature-budget.ts'
import { SocketCounts } from './limits/socket-counts.ts'
import { UnreadBytes } from './limits/unread.ts'
import { LoopProbe } from './loop-probe.ts'
import { Server, type Sockets, type TlsFiles } from './server.ts'
import { SharedListenKeys } from './streams/listen-keys.ts'
import { Outbox } from './streams/outbox.ts'
import { TICK_MS, Topics } from './streams/topics.ts'
import { UserStreams } from './streams/user-streams.ts'
import { nameQuota } from './websocket/ws-streams.ts'

const TEND_MS = 1_000
const DRAIN_LOOK_MS = 5
const MIB = 1 << 20

export interface GatewayOptions {
  readonly index: number
  /** How many there are. */
  readonly gateways: number
  readonly host: string
  readonly port: number
  readonly tls?: TlsFiles | undefined
  /** Real ones when left out. */
  readonly sockets?: Sockets
  /** Open at a time at all gateways together; not bounded when left out. */
  readonly socketsInAll?: number
  /** Commands on the way before orders are turned away; as many as there may be when left out. */
  readonly pendingOrders?: number
  readonly symbols: readonly SymbolSpec[]
  readonly assets: readonly AssetSpec[]
  readonly exchange: ExchangeSpec
  readonly accounts: readonly AccountSpec[]
  readonly wallet: WalletParts
  /** Whether the system's status is told to anybody. */
  readonly unsignedSystemStatus: boolean
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

export class Gateway {
  readonly #options: GatewayOptions
  readonly #pending = new Pending()
  readonly #inquiries: Inquiries
  readonly #counters: ThreadCounters
  readonly #probe: LoopProbe | undefined
  readonly #egress: Egress
  readonly #pump: Pump
  readonly #topics: Topics
  readonly #userStreams: UserStreams
  readonly #seeds: TradeSeeds
  readonly #history: CountedHistory
  readonly #sessionOrders: SessionOrders
  readonly #server: Server
  readonly #announced: AnnouncedParts
  readonly #names = nameQuota()
  readonly #memory: MemoryGuard
  readonly #timers: NodeJS.Timeout[] = []
  #stopping = false

  constructor(options: GatewayOptions) {
    this.#options = options
    const { index: gateway, clock, limits } = options
    const markets = new Markets(options.symbols, options.matcherOf)
    const { symbols, depths, tapes, dayWindows } = markets
    const assets = [...options.assets]
    this.#history = new CountedHistory(options.history)
    const history = this.#history.queries
    const counters = ThreadCounters.ofGateway(options.counters, gateway)
    const rateLimits = new RateLimits(
      options.limitCells,
      options.accountsMax,
      options.limits,
      counters,
    )
    const [unreadPerAddressMax, unreadMax] = [
      limits.unreadMbPerAddress * MIB,
      limits.unreadMb * MIB,
    ]
    const unreadQuota = new Quota(unreadPerAddressMax, unreadMax)
    const memory = new MemoryGuard({
      ...{ gateway, clock, counters, unreadMax, unreadPerAddressMax },
      readMemory: options.readMemory,
      warn: options.warn,
    })
    this.#memory = memory
    const unread = new UnreadBytes(unreadQuota, counters)
    const histograms = options.metrics
      ? ThreadHistograms.ofGateway(options.histograms, gateway)
      : undefined
    this.#probe = histograms && new LoopProbe(clock, histograms)
    this.#counters = counters
    const outcomes = new Outcomes(options.outcomes, gateway)
    const receipts = new Receipts(clock, new StampReader(options.stamps), histograms)
    const outbox = new Outbox()
    const listenKeys = new SharedListenKeys(options.listenKeyCells, clock)
    this.#seeds = new TradeSeeds({
      ...{ markets, history, clock },
      lastPrices: new LastPrices(options.lastPrices),
      warn: options.warn,
    })
    const commandRings = options.commandRings.map((memory) => new CommandRingProducer(memory))
    this.#inquiries = new Inquiries(counters)
    const context = new GatewayContext({
      gateway,
      assets,
      exchange: options.exchange,
      wallet: options.wallet,
      markets,
      balances: new Balances(options.balances, options.accountsMax, options.assetsMax),
      history,
      listenKeys,
      commandRings,
      pending: this.#pending,
      inquiries: this.#inquiries,
      rateLimits,
      counters,
      receipts,
      clock,
      sent: () => this.#pump.sent(),
    })
    this.#userStreams = new UserStreams({
      symbols,
      assets,
      matchers: options.eventRings.length,
      balance: (account, asset) => context.balance(account, asset),
      clock,
    })
    this.#topics = new Topics({
      symbols,
      depths,
      tapes,
      dayWindows,
      history: options.history,
      clock,
      warn: options.warn,
      counters,
      publish: (topic, frame) => this.#server.publish(topic, frame),
    })
    this.#egress = new Egress({
      gateway,
      readers: options.eventRings.map((memory) => new EventRingReader(memory)),
      replies: options.replyRings.map((memory) => new ReplyRingReader(memory)),
      matcherBells: options.matcherBells,
      markets,
      pending: this.#pending,
      context,
      topics: this.#topics,
      userStreams: this.#userStreams,
      credits: rateLimits.enabled
        ? new OrderCredits(gateway, options.gateways, rateLimits, clock)
        : undefined,
      outbox,
      counters,
      seedTrades: (symbolId) => this.#seeds.seed(symbolId),
      onLapped: (matcher) => this.#lapped(matcher),
    })
    const lines = commandRings.map((ring, matcher) => ({
      ring,
      bell: options.matcherBells[matcher]!,
    }))
    this.#pump = new Pump(this.#egress, options.gatewayBell, lines, counters)
    const keys = new KeyRing(options.keys, options.accounts)
    const budget = new SignatureBudget(rateLimits.guard, counters)
    const door = new Door(keys, new TradingLocks(options.tradingLocks), budget)
    const clients = new ClientAddresses(options.limits.trustedProxies, options.tls === undefined)
    this.#announced = {
      context,
      keys,
      markets,
      assets,
      userStreams: this.#userStreams,
      topics: this.#topics,
      revokeKey: (apiKey) => this.#server.revokeKey(apiKey),
      checkListenKeys: () => this.#server.checkKeys(),
      openStreams: (symbol) => this.#server.openStreams(symbol),
      syncDepth: (symbolId) => this.#egress.syncDepth(symbolId),
    }
    const isStopping = () => this.#stopping
    const overload = new Overload(this.#pending, options.pendingOrders ?? PENDING_MAX, counters)
    const userStreams = this.#userStreams
    const topics = this.#topics
    const sessionOrders = new SessionOrders(gateway, context)
    this.#sessionOrders = sessionOrders
    const shared = { counters, clock, userStreams, memory }
    this.#server = new Server({
      host: options.host,
      port: options.port,
      sockets: options.sockets,
      tls: options.tls,
      socketCounts: new SocketCounts(
        rateLimits.guard,
        options.limits.socketsMax,
        options.socketsInAll ?? Number.POSITIVE_INFINITY,
      ),
      socketsPerAddress: options.limits.socketsPerAddress,
      operations: options.unsignedSystemStatus ? withUnsignedStatus : operations,
      api: {
        ...{ ...shared, door, context, rateLimits, outcomes, receipts, isStopping },
        ...{ sessionOrders, outbox, overload, unread, clients },
      },
      streams: { ...shared, topics, listenKeys, names: this.#names, limited: rateLimits.enabled },
    })
  }

  /** Resolves when every symbol's folds are the engine's and the port is listened on. */
  async start(): Promise<void> {
    this.#pump.start()
    this.#probe?.start()
    this.#timers.push(setInterval(() => this.#topics.tick(), TICK_MS))
    const look = () => this.#memory.look(this.#server.connections)
    this.#timers.push(setInterval(look, TICK_MS))
    this.#timers.push(setInterval(() => this.#tend(), TEND_MS))
    await Promise.all(this.#options.symbols.map(({ id }) => this.#egress.sync(id)))
    await this.#server.listen()
    this.#seeds.clientsAreServed()
  }

  /** What an operator decided is so as soon as this resolves. */
  async announce(announcements: readonly Announcement[]): Promise<void> {
    for (const announcement of announcements) {
      await applyAnnouncement(announcement, this.#announced)
    }
  }

  /** New connections are refused, and what memory cannot answer is answered -1016 from now on. */
  stopAccepting(): void {
    this.#stopping = true
    this.#server.stopListening()
    this.#server.announceShutdown(this.#options.clock.nowMs())
    this.#server.endOrders()
  }

  /**
   * The journal takes no more: what is in flight is answered -1007, what memory cannot answer -1016 from
   * now on, and memory goes on answering.
   */
  becomeReadOnly(): void {
    this.#stopping = true
    this.#inquiries.failWaiting('TIMEOUT')
    this.#pending.failAll('TIMEOUT')
    this.#server.announceShutdown(this.#options.clock.nowMs())
  }

  /** Resolves when nobody waits for a matcher's answer any more, nor for the archive's. */
  async drained(): Promise<void> {
    const inFlight = () =>
      this.#pending.count + this.#inquiries.count + this.#history.count + this.#sessionOrders.count
    while (inFlight() > 0) await pause(DRAIN_LOOK_MS)
  }

  close(): void {
    this.#seeds.close()
    this.#pump.stop()
    this.#probe?.stop()
    for (const timer of this.#timers) clearInterval(timer)
    this.#server.close()
    this.#sessionOrders.close()
  }

  #tend(): void {
    const counters = this.#counters
    const late = this.#pending.expire(elapsedMs(this.#options.clock))
    counters.add(GatewayCounter.pendingTimeouts, late)
    this.#server.tend()
    void this.#seeds.tend()
    counters.set(GatewayCounter.pendingRequests, this.#pending.count)
    counters.set(GatewayCounter.userSubscriptions, this.#userStreams.listenerCount)
    counters.set(GatewayCounter.streamNames, this.#names.total)
    counters.set(GatewayCounter.heapBytes, getHeapStatistics().used_heap_size)
  }

  #lapped(matcher: number): void {
    this.#options.warn({ matcher }, 'events were missed; closing streams and resynchronising')
    this.#userStreams.lapped(matcher)
    this.#server.closeStreams()
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
