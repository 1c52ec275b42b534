/**
 * The process of a whole exchange on one thread, from its start to its end. It starts from its data
 * folder as src/threads/launch.ts does: with the real journals, checkpointer, indexer, snapshots,
 * gateways and operators' control plane, on rings so small that they are often full. It leads, or follows
 * another one and may lead later. The simulation closes or kills it.
 */

import path from 'node:path'
import { bookMemory, bookShape } from '../../../src/agents/book-memory.ts'
import { CheckpointerAgent } from '../../../src/agents/checkpointer.ts'
import { Following } from '../../../src/agents/following.ts'
import { Indexer } from '../../../src/agents/indexer.ts'
import { Matcher, type MatcherOptions } from '../../../src/agents/matcher.ts'
import { MatcherCounts } from '../../../src/agents/matcher-counts.ts'
import { MatcherSymbols } from '../../../src/agents/matcher-symbols.ts'
import { makeSnapshot } from '../../../src/agents/snapshots.ts'
import { keepEverything } from '../../../src/archive/retention.ts'
import { assert } from '../../../src/base/assert.ts'
import { assetsMaxOf } from '../../../src/base/limits.ts'
import { type ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { AccountId, type Ms, type SymbolId } from '../../../src/base/units.ts'
import type { Config } from '../../../src/config/config.ts'
import { CommandExecutor } from '../../../src/control/command-executor.ts'
import type { Fact } from '../../../src/control/facts.ts'
import { keySpecOf } from '../../../src/control/keys.ts'
import { Registry } from '../../../src/control/registry.ts'
import { Vault } from '../../../src/control/vault.ts'
import { WorkerControlPlane } from '../../../src/control/worker-control-plane.ts'
import { Balances } from '../../../src/core/ledger/balances.ts'
import { Holds } from '../../../src/core/ledger/holds.ts'
import { LastPrices } from '../../../src/core/ledger/last-prices.ts'
import type { Engine } from '../../../src/core/matching/engine.ts'
import { EngineOutput } from '../../../src/core/matching/output.ts'
import { stateHash } from '../../../src/core/state-hash.ts'
import { PENDING_MAX } from '../../../src/gateway/engine-link/pending.ts'
import { Gateway } from '../../../src/gateway/gateway.ts'
import { SharedListenKeys } from '../../../src/gateway/streams/listen-keys.ts'
import type { BackupCut } from '../../../src/journal/backup.ts'
import { BlockWriter, JOURNAL_LAYOUT } from '../../../src/journal/block.ts'
import { ControlStore } from '../../../src/journal/control-store.ts'
import { PAGE_BYTES } from '../../../src/journal/environment.ts'
import { type Journal, openJournal } from '../../../src/journal/journal.ts'
import { recoverWals } from '../../../src/journal/recovery.ts'
import { snapshotsIn } from '../../../src/journal/snapshot.ts'
import type { Durability, JournalStore } from '../../../src/journal/store.ts'
import { WalCells } from '../../../src/journal/wal-cells.ts'
import type { OrdersToCancel } from '../../../src/market/announcement.ts'
import { CommandRingConsumer } from '../../../src/ring/command-ring.ts'
import { Doorbell } from '../../../src/ring/doorbell.ts'
import { EventRingReader, EventRingWriter } from '../../../src/ring/event-ring.ts'
import { ReplyRingWriter, replyRingBytes } from '../../../src/ring/reply-ring.ts'
import { DiskCells } from '../../../src/shared/disk.ts'
import { Role, RoleCells } from '../../../src/shared/role.ts'
import { BatchStamps } from '../../../src/shared/stamps.ts'
import { WarningLog } from '../../../src/telemetry/warning-log.ts'
import {
  gatewayBellOffset,
  matcherBellOffset,
  type Regions,
  reserve,
} from '../../../src/threads/memory.ts'
import { recoverSymbols, takeSnapshot } from '../../../src/threads/recover.ts'
import type { ThreadStart } from '../../../src/threads/thread-messages.ts'
import type { Command } from '../commands.ts'
import { type Watch, watchEngine } from '../pipeline-engine.ts'
import { takeCommitted, watchCommitted } from './committed.ts'
import { turn } from './event-loop.ts'
import { FalseBell } from './false-bell.ts'
import { FalseHistory } from './false-history.ts'
import type { FalseReplica } from './false-replica.ts'
import { FalseSockets } from './false-sockets.ts'
import { foundingFacts } from './founding.ts'
import { configOf, GATEWAYS } from './process-config.ts'
import { type JournalWitness, WatchedJournal } from './watched-journal.ts'

export interface LifecycleOptions {
  readonly folder: string
  /** Of a leader; a follower has as many as its leader. */
  readonly matchers: number
  readonly durability: Durability
  /** Of a leader, with 'replicated': the folder has what it has. */
  readonly replica: FalseReplica | undefined
  /** The folder has what the quorum has, and another member leads. */
  readonly follows: boolean
  readonly time: ManualClock
  /** Told when an engine of the process executed a command. */
  readonly watch: (process: ProcessLifecycle) => Watch
  readonly witness: (matcher: number, process: ProcessLifecycle) => JournalWitness
  /** Messages of the indexer, a snapshot, a gateway. */
  readonly log: (sentence: string) => void
  /** A gateway missed events. */
  readonly lapped: (gateway: number, process: ProcessLifecycle) => void
  /** Cancels some of what the account has open at the matcher, or on one symbol; false when nothing is. */
  readonly cancels: (matcher: number, account: AccountId, symbolId?: SymbolId) => boolean
  /** Flushes what the matcher has journaled. */
  readonly flush: (matcher: number) => void
  /** Called between the steps of a start. */
  readonly between: () => void
  /** Makes a backup of this moment, now or later. */
  readonly copy: (cut: BackupCut) => void
}

/** Below what a setting may say: some dozen commands lap a reader that sleeps. */
const EVENT_RING_BYTES = 256 + (1 << 14)
/** A few blocks: segments are begun, full, and used again. */
const SEGMENT_BYTES = 3 * PAGE_BYTES
/** A book fits, and little beside it. */
const REPLY_RING_BYTES = 1 << 13

export class ProcessLifecycle {
  readonly options: LifecycleOptions
  readonly config: Config
  readonly registry = new Registry()
  readonly matcherOf: readonly number[]
  readonly balances: Balances
  /** By symbol id. */
  readonly engines: readonly Engine[]
  readonly journals: readonly JournalStore[]
  readonly matchers: readonly Matcher[]
  /** By matcher, of a member that follows. */
  readonly followings: readonly Following[]
  readonly role: RoleCells
  readonly wals: readonly WalCells[]
  readonly sockets: readonly FalseSockets[]
  /** By gateway. */
  readonly times: readonly ManualTime[]
  /** Of everything else. */
  readonly time: ManualTime
  readonly bells: readonly FalseBell[]
  readonly history: FalseHistory
  gateways: readonly Gateway[] = []
  executor!: CommandExecutor
  indexer!: Indexer
  checkpointer!: CheckpointerAgent
  readonly published: BigInt64Array
  private readonly regions: Regions
  private readonly files: Journal[] = []
  private readonly control: ControlStore
  private readonly vault: Vault
  private readonly symbols: readonly MatcherSymbols[]
  private readonly closers: (() => void)[] = []
  /** By matcher: readers that only look whether anything was published. */
  private readonly spies: readonly EventRingReader[]

  /** Everything but the gateways. Throws when it is killed meanwhile; then it must be buried. */
  constructor(options: LifecycleOptions, closers: (() => void)[]) {
    this.options = options
    this.time = new ManualTime(options.time)
    this.closers = closers
    const { folder, follows, replica } = options
    const { registry } = this
    // A follower's were dropped.
    if (!follows) recoverWals(folder)
    options.between()
    this.control = ControlStore.open(folder, replica?.before)
    closers.push(() => this.control.close())
    const facts = [...this.control.entries()] as Fact[]
    this.vault = Vault.open(path.join(folder, 'secret.key'), facts.length === 0)
    for (const fact of facts) registry.apply(fact)
    if (facts.length === 0) this.note(foundingFacts(this.vault))
    if (!follows) this.begin(replica?.epoch ?? registry.epoch + 1, options.matchers)
    this.config = configOf({ ...options, matchers: registry.matchers })
    const { config } = this
    this.matcherOf = registry.symbols.map(({ id }) => registry.ownerOf(id, config.matchers))
    const eventRings = this.perMatcher(() => new SharedArrayBuffer(EVENT_RING_BYTES))
    const replyRings = Array.from({ length: GATEWAYS }, () =>
      this.perMatcher(() => new SharedArrayBuffer(replyRingBytes(REPLY_RING_BYTES))),
    )
    this.regions = { ...reserve(config, registry.symbols), eventRings, replyRings }
    const regions = this.regions
    regions.commandRings.flat().forEach(watchCommitted)
    this.role = new RoleCells(regions.role, options.time)
    if (follows) this.role.become(Role.FOLLOWER)
    else this.role.noteLeader(registry.epoch, '')
    this.balances = new Balances(regions.balances, config.accounts, assetsMaxOf(config.accounts))
    for (const { account, asset, atoms } of registry.deposits) {
      this.balances.credit(account, asset, atoms)
    }
    options.between()
    const chosen = takeSnapshot(this.start(0), this.balances, options.log)
    const start = this.start(chosen?.snapshot ?? 0)
    if (chosen !== undefined) options.log('continues from a snapshot')
    this.published = new BigInt64Array(regions.published)
    this.spies = regions.eventRings.map((memory) => new EventRingReader(memory))
    const holds = this.perMatcher(
      () => new Holds(this.balances, config.accounts, assetsMaxOf(config.accounts)),
    )
    const outputs = this.perMatcher(() => new EngineOutput(1024))
    this.symbols = this.perMatcher((index) =>
      this.makeSymbols({ ...start, index }, holds[index]!, outputs[index]!),
    )
    const journaledMs = this.perMatcher((index) => {
      options.between()
      const { engines } = this.symbols[index]!
      const own = { ...start, index }
      return recoverSymbols(own, engines, this.balances, this.time, () => {})!.journaledMs
    })
    this.engines = registry.symbols.map(({ id }) => this.symbols[this.matcherOf[id]!]!.engines[id]!)
    assert(this.balances.firstNegative() === undefined, 'recovery leaves nothing negative')
    options.between()
    this.wals = regions.wals.map((memory) => new WalCells(memory))
    this.journals = this.perMatcher((index) => this.openJournal(index))
    const matcherOptions = this.perMatcher((index) =>
      this.matcherOptions(index, holds[index]!, outputs[index]!, journaledMs[index]!),
    )
    this.matchers = matcherOptions.map((own, index) => {
      return new Matcher(follows ? own : { ...own, blocks: this.blocks(index) })
    })
    this.followings = matcherOptions.map((own, index) => {
      const { lastPosition: position, lastChecksum: checksum } = this.files[index]!
      return new Following({ ...own, place: { position, checksum } })
    })
    options.between()
    this.startAgents()
    this.history = new FalseHistory({
      dataFolder: config.data,
      published: this.published,
      archived: new BigInt64Array(regions.archived),
      time: options.time,
    })
    closers.push(() => this.history.close())
    this.times = Array.from({ length: config.gateways }, () => new ManualTime(options.time))
    this.sockets = this.times.map((time) => new FalseSockets(time))
    this.bells = this.sockets.map((_, index) => {
      return new FalseBell(regions.bells, gatewayBellOffset(index, config.matchers))
    })
  }

  /** Starts the gateways; their promises say when they serve. */
  async startGateways(): Promise<readonly Promise<void>[]> {
    const gateways: Gateway[] = []
    const served: Promise<void>[] = []
    for (const index of this.sockets.keys()) {
      await turn(() => {
        const gateway = this.makeGateway(index)
        gateways.push(gateway)
        // A start that is killed is never told.
        served.push(gateway.start().catch(() => {}))
      })
    }
    this.gateways = gateways
    this.executor = this.makeExecutor()
    return served
  }

  /** Takes blocks that the leader's matcher has written, as they come from the quorum. */
  take(matcher: number, blocks: readonly Uint8Array[]): void {
    this.followings[matcher]!.takeAll(new Uint8Array(Buffer.concat(blocks)))
    this.spies[matcher]!.resume()
  }

  /** This member, which has followed and has what the quorum has, leads from now on. */
  lead(replica: FalseReplica): void {
    const { registry } = this
    this.control.lead(replica.before)
    this.begin(replica.epoch, registry.matchers)
    for (const [index, matcher] of this.matchers.entries()) {
      const { place, journaledMs } = this.followings[index]!
      this.files[index]!.lead(replica.quorumOf(index))
      matcher.lead(this.blocks(index, place.checksum), journaledMs)
    }
    this.role.noteLeader(registry.epoch, '')
    this.role.become(Role.LEADER)
  }

  /** By symbol id: the last published price, in ticks. */
  get prices(): readonly number[] {
    const prices = new LastPrices(this.regions.lastPrices)
    return this.registry.symbols.map(({ id }) => prices.ticksOf(id))
  }

  /** Facts of the control journal. */
  get facts(): number {
    return this.control.lastSequence
  }

  private note(news: readonly Fact[]): void {
    this.control.appendAll(news)
    for (const fact of news) this.registry.apply(fact)
  }

  private begin(epoch: number, matchers: number): void {
    const { registry, options } = this
    const owners = registry.symbols.map(({ id }) => registry.matcherOf(id, matchers))
    const places = { matchers, owners, layout: JOURNAL_LAYOUT }
    this.note([{ fact: 'start', epoch, timeMs: options.time.nowMs(), ...places }])
  }

  private blocks(matcher: number, previous = this.files[matcher]!.lastChecksum): BlockWriter {
    return new BlockWriter({ matcher, epoch: this.registry.epoch, previous })
  }

  /** Checkpoints, archives and closes all, once the matchers are done. */
  close(): void {
    for (const [index, matcher] of this.matchers.entries()) {
      assert(!matcher.hasWork(), `matcher ${index} has finished`)
      matcher.close()
    }
    while (this.checkpointer.doWork() > 0);
    this.checkpointer.close()
    while (this.indexer.doWork() > 0);
  }

  /** After `close`, and a last look at the archive. */
  leave(): void {
    this.history.close()
    this.indexer.close()
    this.control.close()
  }

  hasPublished(matcher: number): boolean {
    return this.spies[matcher]!.hasNext()
  }

  /** One duty cycle of a matcher. */
  work(index: number): number {
    const done = this.matchers[index]!.doWork()
    this.spies[index]!.resume()
    return done
  }

  /** As a backup wants it. */
  flush(index: number): void {
    this.matchers[index]!.flush()
    this.spies[index]!.resume()
  }

  /** As a start does; answers false when no session has left anything open. */
  cancelLeft(index: number): boolean {
    const isCanceled = this.matchers[index]!.cancelLeft(`start-${this.registry.epoch}`)
    this.spies[index]!.resume()
    return isCanceled
  }

  /** As operators' actions do; returns false when the account has no such order open at the matcher. */
  cancelOrders(index: number, account: AccountId, symbolId?: SymbolId): boolean {
    const isCanceled = this.matchers[index]!.cancelOrders(AccountId(account), 'operator', symbolId)
    this.spies[index]!.resume()
    return isCanceled
  }

  /** Commands that the gateway has committed since this was asked last. */
  committed(gateway: number): readonly Command[] {
    return this.regions.commandRings[gateway]!.flatMap(takeCommitted)
  }

  makeSnapshot(goesOn: () => boolean): boolean {
    const { config, registry } = this
    const made = makeSnapshot({
      dataFolder: config.data,
      symbols: () => registry.symbols,
      accountsMax: config.accounts,
      shapeOf: (spec) => bookShape(spec, config),
      idSalt: registry.epoch,
      kept: config.snapshotsKept,
      goesOn,
      log: this.options.log,
    })
    return made !== undefined
  }

  symbolHash(symbolId: SymbolId): number {
    const nothing = new Balances(new SharedArrayBuffer(Balances.bytesFor(1, 1)), 1, 1)
    return stateHash([this.engines[symbolId]!], nothing)
  }

  get hash(): number {
    return stateHash(this.engines, this.balances)
  }

  private perMatcher<T>(make: (index: number) => T): T[] {
    return Array.from({ length: this.config.matchers }, (_, index) => make(index))
  }

  private start(snapshot: number): ThreadStart {
    const { config, registry } = this
    return {
      index: 0,
      config,
      regions: this.regions,
      epoch: registry.epoch,
      follows: this.options.follows,
      idSalt: registry.epoch,
      assets: registry.assets,
      symbols: registry.symbols,
      matcherOf: this.matcherOf,
      accounts: registry.accounts,
      exchange: registry.exchange,
      valuationAsset: registry.assets.find(({ name }) => name === config.valuationAsset),
      distributions: registry.distributions,
      retention: keepEverything,
      snapshot,
    }
  }

  private makeSymbols(start: ThreadStart, holds: Holds, output: EngineOutput): MatcherSymbols {
    const lastPrices = new LastPrices(this.regions.lastPrices)
    const symbols = new MatcherSymbols(start, holds, lastPrices, output)
    for (const engine of symbols.engines) {
      if (engine !== undefined) watchEngine(engine, this.options.watch(this))
    }
    return symbols
  }

  private openJournal(index: number): JournalStore {
    const { config, options } = this
    const cells = this.wals[index]!
    const makeRoom = (position: number) => {
      while (cells.checkpointed < position) this.checkpointer.doWork()
    }
    const parts = { cells, segmentBegun: () => {}, makeRoom, segmentBytes: SEGMENT_BYTES }
    const quorum = options.replica?.quorumOf(index)
    const durability = options.follows ? 'committed' : config.durability
    const journal = openJournal(config.data, index, durability, parts, quorum)
    this.closers.push(() => journal.close())
    this.files.push(journal)
    this.published[index] = BigInt(journal.lastPosition)
    return new WatchedJournal(journal, options.witness(index, this))
  }

  private matcherOptions(
    index: number,
    holds: Holds,
    output: EngineOutput,
    journaledMs: Ms,
  ): Omit<MatcherOptions, 'blocks'> {
    const regions = this.regions
    const { config } = this
    return {
      index,
      engines: this.symbols[index]!.engines,
      holds,
      lastPrices: new LastPrices(regions.lastPrices),
      output,
      rings: regions.commandRings.map((rings) => new CommandRingConsumer(rings[index]!)),
      journal: this.journals[index]!,
      replies: regions.replyRings.map((rings) => new ReplyRingWriter(rings[index]!)),
      events: new EventRingWriter(regions.eventRings[index]!),
      readerBells: regions.commandRings.map(
        (_, gateway) => new Doorbell(regions.bells, gatewayBellOffset(gateway, config.matchers)),
      ),
      published: this.published,
      clock: this.options.time,
      journaledMs,
      counts: new MatcherCounts(index, regions.counters, regions.histograms),
      stamps: new BatchStamps(regions.stamps),
      warn: () => {},
    }
  }

  private startAgents(): void {
    const { config, registry, options, wals } = this
    this.checkpointer = new CheckpointerAgent({ dataFolder: config.data, wals })
    this.closers.push(() => this.checkpointer.close())
    options.between()
    const assetId = registry.assets.find(({ name }) => name === config.valuationAsset)!.id
    this.indexer = new Indexer({
      time: this.time,
      dataFolder: config.data,
      matchers: config.matchers,
      wals,
      archived: new BigInt64Array(this.regions.archived),
      valuation: { symbols: registry.symbols, assetId },
      log: (sentence) => {
        // Refusals of the disk are planted; faults of LMDB are not, and it would continue alone.
        if (/tried again/.test(sentence)) throw new Error(sentence)
        options.log(sentence)
      },
    })
    this.closers.push(() => this.indexer.close())
    while (this.indexer.doWork() > 0) options.between()
  }

  private makeGateway(index: number): Gateway {
    const { config, registry, options } = this
    const regions = this.regions
    const { assets, symbols, exchange, accounts, distributions } = registry
    return new Gateway({
      place: {
        ...{ index, gateways: config.gateways, host: config.host, port: config.port },
        ...{ tls: undefined, socketsInAll: Number.POSITIVE_INFINITY },
      },
      settings: {
        pendingOrders: PENDING_MAX,
        unsignedSystemStatus: true,
        corsOrigins: '',
        metrics: true,
        accountsMax: config.accounts,
        assetsMax: assetsMaxOf(config.accounts),
      },
      limits: config,
      venue: {
        ...{ symbols, assets, exchange, accounts, distributions, matcherOf: this.matcherOf },
        keys: [...registry.keys.values()].map((key) => keySpecOf(key, this.vault)),
        valuationAsset: assets.find(({ name }) => name === config.valuationAsset),
      },
      lines: {
        commandRings: regions.commandRings[index]!,
        replyRings: regions.replyRings[index]!,
        eventRings: regions.eventRings,
        matcherBells: regions.eventRings.map(
          (_, matcher) => new Doorbell(regions.bells, matcherBellOffset(matcher)),
        ),
        gatewayBell: this.bells[index]!,
        stamps: regions.stamps[index]!,
        balances: regions.balances,
        lastPrices: regions.lastPrices,
      },
      cells: regions,
      services: {
        sockets: this.sockets[index]!,
        console: { files: [], docs: [], demoKeys: [] },
        history: this.history.queries,
        readMemory: () => ({ heapBytes: 0, heapMax: 1, processBytes: 0, processMax: 0 }),
        clock: this.times[index]!,
        warn: (_, message) => {
          if (message.startsWith('events were missed')) options.lapped(index, this)
          options.log(message)
        },
      },
    })
  }

  private cancelAll(matcher: number, { account, symbolId }: OrdersToCancel): void {
    const { cancels } = this.options
    const accounts = account === undefined ? this.registry.accounts.map(({ id }) => id) : [account]
    for (const id of accounts) while (cancels(matcher, id, symbolId));
  }

  private makeExecutor(): CommandExecutor {
    const { registry, config, options } = this
    const matchers = this.matchers.map((_, index) => ({
      announce: async (announcements: Parameters<Gateway['announce']>[0]) => {
        for (const it of announcements) {
          if (it.kind === 'cancelOrders') this.cancelAll(index, it)
          else if (it.kind === 'hold') options.flush(index)
          else this.symbols[index]!.apply(it)
        }
      },
    }))
    const unheard = { announce: async () => {} }
    const regions = this.regions
    const controlPlane = new WorkerControlPlane({
      settings: config,
      decided: {
        ...{ registry, vault: this.vault, control: this.control, balances: this.balances },
      },
      crew: {
        ...{ matchers, matcherBells: [], gateways: this.gateways, indexer: unheard },
        snapshots: undefined,
        backups: {
          ...{ isBusy: false, progress: undefined, copyArchive: async () => {} },
          copy: async (cut) => {
            options.copy(cut)
            return {}
          },
        },
        member: undefined,
      },
      cells: {
        maintenance: regions.maintenance,
        ...{ counters: regions.counters, openCounts: regions.openCounts, wals: this.wals },
        ...{ published: this.published, archived: new BigInt64Array(regions.archived) },
        disk: new DiskCells(regions.disk),
      },
      condition: {
        ...{ isReady: () => true, degraded: () => [], whyNoActions: () => undefined },
        ...{ warnings: new WarningLog(), newestSnapshot: () => snapshotsIn(config.data)[0] ?? 0 },
        clock: options.time,
      },
      effects: {
        listenKeys: new SharedListenKeys(regions.listenKeys, this.time),
        bookMemory: (symbol) => bookMemory(symbol, config),
        ...{ checkCertificate: () => {}, trustCertificate: () => {} },
        ...{ drain: async () => {}, stop: () => {} },
        ...{ faults: undefined, clock: undefined, states: undefined },
        fail: (error) => {
          throw error
        },
      },
    })
    return new CommandExecutor(registry, this.vault, controlPlane, this.time)
  }
}
