/**
 * One gateway: sockets on one side, rings to and from the matchers on the other, views in between.
 * It owns no truth. Runs on its own thread's event loop; several may share one port.
 */
import { getHeapStatistics } from 'node:v8'
import { operations, sandboxOperations, withUnsignedStatus } from '../api/operations/index.ts'
import { sbeVersionOf } from '../api/sbe/sbe.ts'
import type { ClockParts } from '../base/participants.ts'
import { elapsedMs, pause, type Timer } from '../base/time.ts'
import { Balances } from '../core/ledger/balances.ts'
import { LastPrices } from '../core/ledger/last-prices.ts'
import type { AssetSpec } from '../market/listing.ts'
import { Faults } from '../pipeline/faults.ts'
import { Leadership } from '../pipeline/leadership.ts'
import { Overload } from '../pipeline/overload.ts'
import { Pipeline, type PipelineParts } from '../pipeline/pipeline.ts'
import { Receipts } from '../pipeline/receipts.ts'
import { CommandRingProducer } from '../ring/command-ring.ts'
import { EventRingReader } from '../ring/event-ring.ts'
import { ReplyRingReader } from '../ring/reply-ring.ts'
import type { PostedFault } from '../sandbox/fault-trigger.ts'
import { LatencyReader, LatencyWriter } from '../shared/account-latency.ts'
import type { ControlMessage } from '../shared/control-message.ts'
import { GatewayCounter, ThreadCounters } from '../shared/counters.ts'
import { DiskCells } from '../shared/disk.ts'
import { ThreadHistograms } from '../shared/histograms.ts'
import type { OperatorQuery, OperatorQueryAnswer } from '../shared/operator-query.ts'
import { Outcomes } from '../shared/outcomes.ts'
import { RoleCells } from '../shared/role.ts'
import { StampReader } from '../shared/stamps.ts'
import { TradingLocks } from '../shared/trading-locks.ts'
import { Authenticator } from './authentication/authenticator.ts'
import { KeyRing } from './authentication/key-ring.ts'
import { applyControlMessage, type ControlledParts } from './control-messages.ts'
import { BulkQueries } from './engine-link/bulk-queries.ts'
import { CountedHistory } from './engine-link/counted-history.ts'
import { Egress } from './engine-link/egress.ts'
import { EngineClient } from './engine-link/engine-client.ts'
import { MarketPhases } from './engine-link/market-phases.ts'
import { Markets } from './engine-link/markets.ts'
import { Pending } from './engine-link/pending.ts'
import { Pump } from './engine-link/pump.ts'
import { SessionOrders } from './engine-link/session-orders.ts'
import { TradeSeeds } from './engine-link/trade-seeds.ts'
import { EventTape } from './event-tape.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { type Guards, makeGuards } from './guards.ts'
import { CrossOrigin } from './http/cross-origin.ts'
import { askInner, type InnerAnswer, type InnerRequest } from './http/inner-request.ts'
import type { BanLog } from './limits/ban-log.ts'
import { ForwardingWatch } from './limits/forwarding-watch.ts'
import type { MemoryGuard } from './limits/memory-guard.ts'
import { OrderCredits } from './limits/order-credits.ts'
import { LoopProbe } from './loop-probe.ts'
import { OperatorAnswers } from './operator-answers.ts'
import { Port } from './port.ts'
import { Server, type ServerOptions } from './server.ts'
import { Fanout } from './streams/fanout.ts'
import { FrameFaults } from './streams/frame-faults.ts'
import { SharedListenKeys } from './streams/listen-keys.ts'
import { Outbox } from './streams/outbox.ts'
import { TICK_MS, Topics } from './streams/topics.ts'
import { UserStreams } from './streams/user-streams.ts'
import { nameQuota } from './websocket/ws-streams.ts'

const TEND_MS = 1_000
const DRAIN_LOOK_MS = 5

/** Parts that the constructor makes once, for several uses. */
interface GatewayParts {
  readonly counters: ThreadCounters
  readonly markets: Markets
  readonly assets: AssetSpec[]
  readonly keys: KeyRing
  readonly guards: Guards
  readonly disk: DiskCells
  readonly receipts: Receipts
  readonly outbox: Outbox
  readonly listenKeys: SharedListenKeys
  readonly commandRings: readonly CommandRingProducer[]
}

export class Gateway {
  /** Takes requests of this process too. */
  readonly pipeline: Pipeline
  private readonly options: GatewayOptions
  private readonly pending = new Pending()
  private readonly bulkQueries: BulkQueries
  private readonly counters: ThreadCounters
  private readonly probe: LoopProbe | undefined
  private readonly egress: Egress
  private readonly ports: Pick<ServerOptions, 'port' | 'sbePort'>
  private readonly pump: Pump
  private readonly fanout: Fanout
  private readonly topics: Topics
  private readonly userStreams: UserStreams
  private readonly tape: EventTape
  private readonly seeds: TradeSeeds
  private readonly history: CountedHistory
  private readonly sessionOrders: SessionOrders
  private readonly server: Server
  private readonly controlled: ControlledParts
  private readonly answers: OperatorAnswers
  private readonly names = nameQuota()
  private readonly memory: MemoryGuard
  private readonly banLog: BanLog
  private readonly timers: Timer[] = []
  private readonly leadership: Leadership
  /** Undefined while the sandbox is off. */
  private readonly faults: Faults | undefined
  private readonly frameFaults: FrameFaults | undefined
  private isCutOff = false
  private stopping = false

  constructor(options: GatewayOptions) {
    this.options = options
    const { listings, lines, cells, services } = options
    const { index: gateway } = options.address
    const { time } = services
    const counters = ThreadCounters.ofGateway(cells.counters, gateway)
    const histograms = options.settings.metrics
      ? ThreadHistograms.ofGateway(cells.histograms, gateway)
      : undefined
    this.counters = counters
    this.leadership = new Leadership(new RoleCells(cells.role, time.wall), () => this.stopping)
    this.probe = histograms && new LoopProbe(time.wall, histograms)
    const { sandbox } = services
    this.faults = sandbox && new Faults({ ...sandbox, counters })
    this.frameFaults = sandbox && new FrameFaults(sandbox.time, counters, sandbox.firstTouched)
    this.history = new CountedHistory(services.history)
    this.bulkQueries = new BulkQueries(counters, () => elapsedMs(time.wall))
    const parts: GatewayParts = {
      counters,
      markets: new Markets(listings.symbols, listings.matcherOf),
      assets: [...listings.assets],
      keys: new KeyRing(listings.keys, listings.accounts),
      guards: makeGuards(options, counters),
      disk: new DiskCells(cells.disk),
      receipts: receiptsOf(options, histograms),
      outbox: new Outbox(),
      listenKeys: new SharedListenKeys(cells.listenKeys, time),
      commandRings: lines.commandRings.map((memory) => new CommandRingProducer(memory)),
    }
    this.memory = parts.guards.memory
    this.banLog = parts.guards.banLog
    const { markets } = parts
    this.seeds = new TradeSeeds({
      markets,
      clock: time,
      history: this.history.queries,
      warn: services.warn,
      lastPrices: new LastPrices(lines.lastPrices),
    })
    this.ports = portsOf(options)
    this.pump = this.makePump(parts)
    const context = this.makeContext(parts)
    this.userStreams = this.makeUserStreams(parts, context)
    this.tape = new EventTape(this.userStreams, time)
    this.fanout = new Fanout({
      counters: parts.counters,
      publish: (topic, frame, isBinary) => this.server.publish(topic, frame, isBinary),
      waits: () => this.pump.wake(),
    })
    this.topics = this.makeTopics(parts)
    this.sessionOrders = new SessionOrders(gateway, context, time.wall)
    const served = this.servedBy(parts, context)
    const pipeline = new Pipeline(served)
    this.pipeline = pipeline
    this.server = this.makeServer(parts, { ...served, pipeline })
    this.egress = this.makeEgress(parts, context)
    this.controlled = this.makeControlled(parts, context)
    this.answers = new OperatorAnswers({
      context,
      pipeline,
      clock: time,
      tape: this.tape,
      accountOf: (id) => parts.keys.account(id),
      connections: () => this.server.connections,
    })
  }

  private makeContext({ guards, ...parts }: GatewayParts): EngineClient {
    const { address, settings, listings, lines, cells, services } = this.options
    const { exchange, groups, chains, networks, valuationAsset } = listings
    return new EngineClient({
      gateway: address.index,
      exchange,
      groups,
      chains: [...chains],
      networks: [...networks],
      clock: services.time,
      ...parts,
      valuationAsset,
      maintenance: cells.maintenance,
      balances: new Balances(lines.balances, settings.accountsMax, settings.assetsMax),
      history: this.history.queries,
      pending: this.pending,
      bulkQueries: this.bulkQueries,
      rateLimits: guards.rateLimits,
      latency: new LatencyReader(cells.accountLatency),
      askSandbox: services.sandbox?.ask ?? noSandbox,
      sent: () => this.pump.sent(),
    })
  }

  private makeUserStreams({ markets, assets }: GatewayParts, context: EngineClient): UserStreams {
    const { lines, services } = this.options
    return new UserStreams({
      symbols: markets.symbols,
      assets,
      matchers: lines.eventRings.length,
      balance: (account, asset) => context.balance(account, asset),
      clock: services.time,
    })
  }

  private makeTopics({ markets, counters }: GatewayParts): Topics {
    const { history, time, warn } = this.options.services
    const { symbols, depths, tapes, dayWindows, auctions, references } = markets
    return new Topics({
      symbols,
      depths,
      tapes,
      dayWindows,
      auctions,
      references,
      history,
      clock: time,
      warn,
      counters,
      publish: (audiences, frame, sending) => this.fanout.publish(audiences, frame, sending),
    })
  }

  private makeEgress(
    { markets, guards, outbox, counters }: GatewayParts,
    context: EngineClient,
  ): Egress {
    const { address, lines, services } = this.options
    const { index: gateway, gateways } = address
    const { matcherBells } = lines
    const { rateLimits } = guards
    return new Egress({
      gateway,
      matcherBells,
      markets,
      context,
      outbox,
      counters,
      time: services.time,
      readers: lines.eventRings.map((memory) => new EventRingReader(memory)),
      replies: lines.replyRings.map((memory) => new ReplyRingReader(memory)),
      phases: new MarketPhases(markets, context, this.topics),
      pending: this.pending,
      topics: this.topics,
      fanout: this.fanout,
      userStreams: this.userStreams,
      credits: rateLimits.enabled
        ? new OrderCredits(gateway, gateways, rateLimits, services.time)
        : undefined,
      seedTrades: (symbolId) => this.seeds.seed(symbolId),
      onOverrun: (matcher) => this.overrun(matcher),
    })
  }

  private makePump({ commandRings, counters }: GatewayParts): Pump {
    const { lines: own, services } = this.options
    const { matcherBells, gatewayBell } = own
    const lines = commandRings.map((ring, matcher) => ({ ring, bell: matcherBells[matcher]! }))
    return new Pump(gatewayBell, lines, counters, services.time)
  }

  private makeControlled(
    { markets, assets, keys }: GatewayParts,
    context: EngineClient,
  ): ControlledParts {
    return {
      context,
      keys,
      markets,
      assets,
      userStreams: this.userStreams,
      topics: this.topics,
      revokeKey: (apiKey) => this.server.revokeKey(apiKey),
      keyChanged: (apiKey) => this.server.keyChanged(apiKey),
      checkListenKeys: () => this.server.checkKeys(),
      reload: (read) => this.server.reload(read),
      openStreams: (symbol) => this.server.openStreams(symbol),
      syncDepth: (symbolId) => this.egress.syncDepth(symbolId),
      setFaults: (faults) => this.setFaults(faults),
      finish: () => this.finished(),
    }
  }

  /** What requests pass on their way. */
  private servedBy(parts: GatewayParts, context: EngineClient): PipelineParts {
    const { address, settings, cells, services } = this.options
    const { counters, guards, receipts, keys } = parts
    const { rateLimits, unread, budget } = guards
    const { pendingOrders } = settings
    return {
      context,
      rateLimits,
      unread,
      receipts,
      counters,
      clock: services.time,
      authenticator: new Authenticator(keys, budget),
      locks: new TradingLocks(cells.tradingLocks),
      overload: new Overload(this.pending, pendingOrders, context, counters),
      leadership: this.leadership,
      faults: this.faults,
      participants: services.sandbox?.virtual?.clock.participants,
      wallStamps: services.sandbox?.virtual?.takesWallTimestamps ? services.time.wall : undefined,
      outcomes: new Outcomes(cells.outcomes, address.index),
      isStopping: () => this.stopping,
    }
  }

  private makeServer(
    { guards, listenKeys, outbox, counters }: GatewayParts,
    served: PipelineParts & { readonly pipeline: Pipeline },
  ): Server {
    const { settings, limits, cells, services } = this.options
    const { rateLimits, memory, clients, socketCounts } = guards
    const { time, console } = services
    const topics = this.topics
    const sessionOrders = this.sessionOrders
    const frameFaults = this.frameFaults
    const { participants } = served
    const newestSbe = sbeVersionOf(settings.sbeNewest)
    const ofAll = { counters, clock: time, participants }
    const shared = { ...ofAll, userStreams: this.userStreams, memory, frameFaults }
    return new Server({
      ...this.ports,
      newestSbe,
      console,
      socketCounts,
      socketsPerAddress: limits.socketsPerAddress,
      clientRead: () => this.bulkQueries.clientRead(),
      operations: [
        ...(settings.unsignedSystemStatus ? withUnsignedStatus : operations),
        ...(this.faults === undefined ? [] : sandboxOperations),
      ],
      api: {
        ...served,
        ...shared,
        sessionOrders,
        outbox,
        clients,
        crossOrigin: new CrossOrigin(settings.corsOrigins),
        sbe: { newest: settings.isSbeOn ? newestSbe : undefined },
        forwarding: new ForwardingWatch(cells.forwarding, console.demoKeys.length > 0),
      },
      streams: {
        ...shared,
        faults: this.faults,
        topics,
        listenKeys,
        names: this.names,
        limited: rateLimits.enabled,
        streamKeyOf: (apiKey, peer) => served.authenticator.streamKeyOf(apiKey, peer),
        fanout: this.fanout,
      },
    })
  }

  /** Resolves when every symbol's views are the engine's and the port is listened on. */
  async start(): Promise<void> {
    this.pump.start(this.egress)
    this.probe?.start()
    const look = () => {
      this.bulkQueries.tick()
      this.watchLead()
      this.memory.look(this.server.connections)
    }
    const { time } = this.options.services
    const { wall } = time
    this.timers.push(
      time.every(
        TICK_MS,
        () => this.topics.tick(),
        (dueMs) => this.topics.nextFrameMs(dueMs),
      ),
      wall.every(TICK_MS, look),
      time.every(
        TEND_MS,
        () => this.server.tend(),
        (dueMs) => dueMs + TEND_MS * Math.ceil(Math.max(0, this.server.endsMs() - dueMs) / TEND_MS),
      ),
      wall.every(TEND_MS, () => this.tend()),
    )
    await Promise.all(this.options.listings.symbols.map(({ id }) => this.egress.sync(id)))
    await this.server.listen()
    this.seeds.clientsAreServed()
  }

  /** Who takes part in the virtual clock. */
  get clockParts(): ClockParts {
    return this.server.clockParts
  }

  /**
   * Serves the clients of another gateway on this event loop from now on, by the sockets that they have. Of `parts`
   * those take part in the clock that are still connected.
   */
  takeOver(before: Gateway, parts: ClockParts): void {
    before.stopFaults()
    before.fanout.flush()
    this.server.takeOver(before.server, parts)
  }

  /** Applies an operator's message; it is in force when this resolves. */
  async notify(messages: readonly ControlMessage[]): Promise<void> {
    for (const message of messages) {
      await applyControlMessage(message, this.controlled)
    }
  }

  /** Nothing waits for a delay or a stall any longer. */
  private stopFaults(): void {
    this.faults?.stop()
    this.frameFaults?.stop()
  }

  private setFaults(faults: readonly PostedFault[]): void {
    this.faults?.set(faults)
    this.frameFaults?.set(faults)
    this.server.checkFaults()
  }

  /** Resolves to the answer to an operator's query. */
  answer(query: OperatorQuery): Promise<OperatorQueryAnswer> {
    return this.answers.answer(query)
  }

  /** Refuses new connections, and with -1016 requests that memory cannot serve, from now on. */
  stopAccepting(): void {
    this.stopping = true
    this.stopFaults()
    this.options.services.sandbox?.virtual?.clock.participants.disband()
    this.tape.endAll()
    this.server.stopListening()
    this.server.announceShutdown(this.options.services.time.nowMs())
    this.server.endOrders()
    this.bulkQueries.stop()
  }

  /**
   * The journal accepts no more: requests in flight fail with -1007, requests that memory cannot serve
   * with -1016 from now on. Memory continues to serve.
   */
  becomeReadOnly(): void {
    this.stopping = true
    this.bulkQueries.failWaiting('TIMEOUT')
    this.pending.failAll('TIMEOUT')
    this.server.announceShutdown(this.options.services.time.nowMs())
  }

  /** Resolves to the answer to a request of this process. Rejects when the gateway is closed. */
  request(request: InnerRequest): Promise<InnerAnswer> {
    return askInner(request, (response, served) => {
      if (!this.ports.port.serve(response, served)) response.close()
    })
  }

  /** Whether a request waits, for a matcher, the archive or its turn, or events wait to be sent. */
  get isBusy(): boolean {
    const answers = this.pending.count + this.history.count + this.sessionOrders.count
    return answers + this.bulkQueries.count > 0 || this.egress.hasWork()
  }

  /** Resolves when no request waits for a matcher or the archive. */
  async drained(): Promise<void> {
    const inFlight = () =>
      this.pending.count + this.bulkQueries.count + this.history.count + this.sessionOrders.count
    while (inFlight() > 0) await pause(this.options.services.time.wall, DRAIN_LOOK_MS)
  }

  /** Resolves when no command that changes orders is under way, for a member that hands over. */
  private async finished(): Promise<void> {
    const pending = this.pending
    const inFlight = () => pending.count - pending.queries + this.sessionOrders.count
    while (inFlight() > 0) await pause(this.options.services.time.wall, DRAIN_LOOK_MS)
  }

  close(): void {
    this.stopFaults()
    this.seeds.close()
    this.pump.stop()
    this.probe?.stop()
    for (const timer of this.timers) timer.cancel()
    this.server.close()
    this.sessionOrders.close()
  }

  /** Tells clients once when the quorum stops confirming that this member leads. */
  private watchLead(): void {
    const { isCutOff } = this.leadership
    if (isCutOff === this.isCutOff) return
    this.isCutOff = isCutOff
    if (isCutOff) this.server.leaveClients(this.options.services.time.nowMs())
  }

  private tend(): void {
    const counters = this.counters
    const nowMs = elapsedMs(this.options.services.time.wall)
    const late = this.pending.expire(nowMs)
    this.banLog.tend(nowMs)
    counters.add(GatewayCounter.pendingTimeouts, late)
    this.server.ping()
    void this.seeds.tend()
    counters.set(GatewayCounter.pendingRequests, this.pending.count)
    counters.set(GatewayCounter.userSubscriptions, this.userStreams.listenerCount)
    counters.set(GatewayCounter.streamNames, this.names.total)
    counters.set(GatewayCounter.heapBytes, getHeapStatistics().used_heap_size)
  }

  private overrun(matcher: number): void {
    this.options.services.warn(
      { matcher },
      'events were missed; closing streams and resynchronizing',
    )
    this.userStreams.overrun(matcher)
    this.tape.missed()
    this.server.closeStreams()
  }
}

/** No operation uses it while the sandbox is off. */
const noSandbox = async () => ({ rows: [] })

function portsOf({ address, services: { sockets } }: GatewayOptions) {
  const { sbePort: number } = address
  const port = new Port({ ...address, sockets, flag: 'port' })
  const sbePort = new Port({ ...address, port: number, sockets, flag: 'sbe-port' })
  return { port, sbePort: number === 0 ? undefined : sbePort }
}

function receiptsOf(
  { address, lines, cells, services }: GatewayOptions,
  histograms: ThreadHistograms | undefined,
): Receipts {
  const latency = new LatencyWriter(cells.accountLatency, address.index)
  return new Receipts(services.time.wall, new StampReader(lines.stamps), histograms, latency)
}
