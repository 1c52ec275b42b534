/**
 * The process of a whole exchange, assembled on one loop as src/assembly does it, on rings so small that they are
 * often full. The simulation drives its agents, its gateways' event loops and its time, and kills it at any
 * moment. It leads, or follows another one and may lead later.
 */

import type { Logger } from 'pino'
import { AdminServer } from '../../../src/admin-api/admin-server.ts'
import { AgentInvoker } from '../../../src/agents/agent-driver.ts'
import { bookShape } from '../../../src/agents/book-memory.ts'
import type { Matching } from '../../../src/agents/matching-agent.ts'
import { gatewayBellOffset, Phase, type Regions, reserve } from '../../../src/agents/memory.ts'
import { makeSnapshot } from '../../../src/agents/snapshots.ts'
import type { WorkerAgent } from '../../../src/agents/worker-agent.ts'
import { Exchange } from '../../../src/assembly/exchange.ts'
import { onOneLoop } from '../../../src/assembly/loop/one-loop.ts'
import type { ChainPort } from '../../../src/assembly/main/chain-port.ts'
import type { OpenedFolder } from '../../../src/assembly/main/open-folder.ts'
import { beginToLead } from '../../../src/assembly/main/quorum-member.ts'
import type { RunningExchange } from '../../../src/assembly/main/running-exchange.ts'
import type { Workers } from '../../../src/assembly/stages/starting.ts'
import { assert } from '../../../src/base/assert.ts'
import { assetsMaxOf } from '../../../src/base/limits.ts'
import { type ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import type { SymbolId } from '../../../src/base/units.ts'
import type { Config } from '../../../src/config/config.ts'
import type { CommandExecutor } from '../../../src/control/command-executor.ts'
import type { Registry } from '../../../src/control/registry.ts'
import { Balances } from '../../../src/core/ledger/balances.ts'
import { LastPrices } from '../../../src/core/ledger/last-prices.ts'
import type { Engine } from '../../../src/core/matching/engine.ts'
import { StateHash, stateHash } from '../../../src/core/state-hash.ts'
import type { Wallet } from '../../../src/core/wallet/wallet.ts'
import type { Gateway } from '../../../src/gateway/gateway.ts'
import type { GatewayServices } from '../../../src/gateway/gateway-options.ts'
import type { BackupCut } from '../../../src/journal/backup.ts'
import { PAGE_BYTES } from '../../../src/journal/environment.ts'
import type { Journal } from '../../../src/journal/journal.ts'
import type { Durability } from '../../../src/journal/store.ts'
import { WalCells } from '../../../src/journal/wal-cells.ts'
import { WALLET } from '../../../src/market/listing.ts'
import { ReplicaSlot } from '../../../src/replica/slots.ts'
import { EventRingReader } from '../../../src/ring/event-ring.ts'
import { replyRingBytes } from '../../../src/ring/reply-ring.ts'
import { RoleCells } from '../../../src/shared/role.ts'
import { WarningLog } from '../../../src/telemetry/warning-log.ts'
import type { Command } from '../commands.ts'
import { type WalletWatch, type Watch, watchEngine, watchWallet } from '../pipeline-engine.ts'
import { takeCommitted, watchCommitted } from './committed.ts'
import { turn, turnTimer } from './event-loop.ts'
import { FalseBackup } from './false-backup.ts'
import { FalseBell } from './false-bell.ts'
import { FalseHistory } from './false-history.ts'
import { FalseMember } from './false-member.ts'
import type { FalseReplica } from './false-replica.ts'
import { FalseSockets } from './false-sockets.ts'
import type { FaultyDisk } from './faulty-disk.ts'
import { buryAll } from './losses.ts'
import { configOf, GATEWAYS } from './process-config.ts'
import { type JournalWitness, watchJournal } from './watched-journal.ts'

export interface LifecycleOptions {
  readonly folder: string
  readonly disk: FaultyDisk
  /** A follower has as many as its leader. */
  readonly matchers: number
  readonly durability: Durability
  /** Whether flushes run beside the matchers, until the disk ends them. */
  readonly flushesBeside?: boolean
  /** Set for a leader with 'replicated': the folder has what the replica has. */
  readonly replica: FalseReplica | undefined
  /** The folder has what the quorum has, and another member leads. */
  readonly follows: boolean
  readonly time: ManualClock
  /** Called when an engine of the process executed a command. */
  readonly watch: (process: ProcessLifecycle) => Watch
  /** Called when its wallet did something. */
  readonly watchWallet: (process: ProcessLifecycle) => WalletWatch
  /** What pays its withdrawals. */
  readonly chainPort: (process: ProcessLifecycle) => ChainPort
  readonly witness: (matcher: number, process: ProcessLifecycle) => JournalWitness
  /** A matcher has made a batch, or flushed what it journaled. */
  readonly worked: (matcher: number, process: ProcessLifecycle) => void
  /** Messages of the indexer, a snapshot, a gateway. */
  readonly log: (sentence: string) => void
  /** A gateway missed events. */
  readonly overrun: (gateway: number, process: ProcessLifecycle) => void
  /** Called between the steps of a start. */
  readonly between: () => void
  /** Makes a backup of this moment, now or later. */
  readonly copy: (cut: BackupCut, process: ProcessLifecycle) => void
}

/** A few blocks: segments are begun, full, and used again. */
const SEGMENT_BYTES = 3 * PAGE_BYTES
/** Below what a setting may say: some dozen commands overrun a reader that sleeps. */
const EVENT_RING_BYTES = 256 + (1 << 14)
/** A book fits, and little beside it. */
const REPLY_RING_BYTES = 1 << 13
const noClaim = { close: () => {} }
/** Turns of an action, or of a start until all is recovered. */
const TURNS_MAX = 1_000

export class ProcessLifecycle {
  readonly options: LifecycleOptions
  readonly sockets: readonly FalseSockets[]
  /** By gateway. */
  readonly times: readonly ManualTime[]
  /** Of the main part. */
  readonly mainTime: ManualTime
  readonly bells: FalseBell[] = []
  readonly gateways: Gateway[] = []
  /** Set once the folder is open. */
  config: Config
  matcherOf!: readonly number[]
  balances!: Balances
  history!: FalseHistory
  /** Whether it serves clients. */
  running: RunningExchange | undefined = undefined
  private readonly exchange: Exchange
  private readonly member: FalseMember | undefined
  private readonly matchings: Matching[] = []
  /** By name. */
  private readonly agents = new Map<string, AgentInvoker>()
  private folder!: OpenedFolder
  private regions!: Regions
  /** By matcher: readers that only look whether anything was published. */
  private spies!: readonly EventRingReader[]
  private failure: Error | undefined = undefined
  /** While operators act no matcher takes commands: what they decide is in force for all at once. */
  private isActing = false
  private isStopped = false
  private isLeft = false

  constructor(options: LifecycleOptions) {
    const { time, replica, follows } = options
    this.options = options
    this.config = configOf(options)
    this.times = Array.from({ length: GATEWAYS }, () => new ManualTime(time))
    this.sockets = this.times.map((own) => new FalseSockets(own))
    this.mainTime = new ManualTime(time)
    this.member = follows || replica ? new FalseMember(follows, replica) : undefined
    const failed = (error: Error) => {
      this.failure ??= error
    }
    this.exchange = new Exchange({
      config: this.config,
      time: this.mainTime,
      log: this.logger(),
      warnings: new WarningLog(),
      takeFolder: async () => noClaim,
      events: {
        started: () => {},
        stopWanted: () => {},
        failed,
        replaceWanted: () => Promise.reject(new Error('no operator asks')),
        opened: (folder) => this.opened(folder),
      },
      reserve: (...given) => this.reserve(reserve(...given)),
      claimed: {
        claim: noClaim,
        admin: new AdminServer(),
        scheme: 'http',
        filesMax: Number.POSITIVE_INFINITY,
        socketsInAll: Number.POSITIVE_INFINITY,
      },
      openMember: () => this.member!,
      chainPort: options.chainPort(this),
      workers: this.workers(),
    })
    options.disk.around(() => {
      void this.exchange.start().then((running) => {
        this.running = running
      }, failed)
    })
  }

  get registry(): Registry {
    return this.folder.registry
  }

  get executor(): CommandExecutor {
    return this.running!.executor
  }

  get role(): RoleCells {
    return new RoleCells(this.regions.role, this.options.time)
  }

  get wals(): readonly WalCells[] {
    return this.regions.wals.map((memory) => new WalCells(memory))
  }

  /** By matcher. */
  get journals(): readonly Journal[] {
    return this.matchings.map(({ journal }) => journal)
  }

  /** By matcher. */
  get matchers(): readonly Matching['matcher'][] {
    return this.matchings.map(({ matcher }) => matcher)
  }

  /** By symbol id. */
  get engines(): readonly Engine[] {
    return this.matcherOf.map((matcher, id) => this.matchings[matcher]!.symbols.engines[id]!)
  }

  get wallet(): Wallet {
    return this.matchings[0]!.symbols.wallet!
  }

  /** By symbol id: the last published price, in ticks. */
  get prices(): readonly number[] {
    const prices = new LastPrices(this.regions.lastPrices)
    return this.registry.symbols.map(({ id }) => prices.ticksOf(id))
  }

  /** Facts of the control journal. */
  get facts(): number {
    return this.folder.control.lastSequence
  }

  /** Whether the matchers hold what was journaled, and may write. */
  get isRecovered(): boolean {
    return this.regions !== undefined && new Int32Array(this.regions.phase)[0]! >= Phase.RECOVERED
  }

  /** Runs all that can continue by itself until the matchers may write. */
  async recover(): Promise<void> {
    for (let turns = 0; !this.isRecovered; turns++) {
      assert(turns < TURNS_MAX, 'a start comes to its matchers')
      this.options.between()
      await this.turn(() => {})
    }
  }

  /** Acts, then runs everything that can continue by itself. Throws when the process failed in it. */
  async turn<Result>(action: () => Result): Promise<Awaited<Result>> {
    const result = await this.options.disk.aroundTurn(() => turn(action))
    this.check()
    return result
  }

  /** Carries out what operators want, while matchers do nothing else. Rejects as the action does. */
  async act<Result>(action: () => Promise<Result>): Promise<Result> {
    this.isActing = true
    const outcomes: (() => Result)[] = []
    try {
      await this.turn(() => {
        const failed = (error: Error) => {
          outcomes.push(() => {
            throw error
          })
        }
        void action().then((result) => outcomes.push(() => result), failed)
      })
      for (let turns = 0; outcomes.length === 0; turns++) {
        assert(turns < TURNS_MAX, 'an action ends')
        for (const index of this.matchings.keys()) this.work(index)
        await this.turn(() => {})
      }
      return outcomes[0]!()
    } finally {
      this.isActing = false
    }
  }

  /** Carries out an operator's action. Rejects with ActionError when it is refused. */
  operate(name: string, given: Parameters<CommandExecutor['act']>[1]): Promise<unknown> {
    return this.act(() => this.executor.act(name, given))
  }

  /** Takes blocks that the leader's matcher has written, as they come from the quorum. */
  take(matcher: number, first: number, blocks: readonly Uint8Array[]): void {
    const slot = new ReplicaSlot(this.member!.memory.blocks[matcher]!)
    const last = first + blocks.length - 1
    slot.offer(first, last, Buffer.concat(blocks))
    this.work(matcher)
    assert(slot.replicated === last, 'a matcher that follows takes what it is offered')
  }

  /** This member, which has followed and has what the quorum has, leads from now on. */
  async lead(replica: FalseReplica): Promise<void> {
    const { before, epoch } = replica
    const member = this.member!
    const own = { ...member.parts!, registry: this.registry, regions: this.regions }
    member.lead(replica)
    await this.act(() => beginToLead(own, { epoch, before, address: '' }, this.times[0]!))
  }

  /** Some ticks of a gateway's event loop, in which so many timers run at most. */
  async turnGateway(gateway: number, timersMax: number): Promise<void> {
    const bell = this.bells[gateway]
    if (bell?.isRung) await turn(() => bell.wake())
    for (let left = timersMax; left > 0; left--) {
      if (!(await turnTimer(this.times[gateway]!))) break
    }
    this.check()
  }

  /** Some timers of the main part. */
  async turnMain(timersMax: number): Promise<void> {
    for (let left = timersMax; left > 0; left--) {
      if (!(await this.options.disk.aroundTurn(() => turnTimer(this.mainTime)))) break
    }
    this.check()
  }

  hasPublished(matcher: number): boolean {
    return this.spies[matcher]!.hasNext()
  }

  /** One duty cycle of a matcher. */
  work(index: number): number {
    return this.invoke(`matching-${index}`)
  }

  checkpoint(): number {
    return this.invoke('checkpointer')
  }

  archive(): number {
    return this.invoke('indexer')
  }

  /** Commands that the gateway has committed since the last call. */
  committed(gateway: number): readonly Command[] {
    return this.regions.commandRings[gateway]!.flatMap(takeCommitted)
  }

  makeSnapshot(goesOn: () => boolean): boolean {
    const { config, registry } = this
    const made = makeSnapshot({
      dataFolder: config.data,
      symbols: () => registry.symbols,
      accountsMax: config.accounts,
      shapeOf: () => bookShape(config),
      idSalt: registry.epoch,
      kept: config.snapshotsKept,
      goesOn,
      log: this.options.log,
    })
    return made !== undefined
  }

  /** Of what a symbol's engine continues with, or the wallet. */
  symbolHash(symbolId: SymbolId): number {
    if (symbolId === WALLET) return this.walletHash
    const nothing = new Balances(new SharedArrayBuffer(Balances.bytesFor(1, 1)), 1, 1)
    return stateHash([this.engines[symbolId]!], nothing)
  }

  get hash(): number {
    return new StateHash().int(stateHash(this.engines, this.balances)).int(this.walletHash).value
  }

  private get walletHash(): number {
    const hash = new StateHash()
    this.wallet.state.hash(hash)
    return hash.value
  }

  /** Stops in order, while `meanwhile` lets everything continue. */
  async stop(meanwhile: () => Promise<void>): Promise<void> {
    const stopped = () => {
      this.isStopped = true
    }
    await this.turn(() => void this.running!.stop().then(stopped, (error) => this.fail(error)))
    for (let turns = 0; !this.isStopped; turns++) {
      assert(turns < TURNS_MAX, 'an exchange stops')
      await meanwhile()
      await this.turn(() => {})
    }
  }

  /** Closes what it has open, wherever it is, and finishes nothing. */
  leave(): void {
    if (this.isLeft) return
    this.isLeft = true
    this.history?.close()
    if (this.isStopped) return
    const closers = [...this.agents.values()].map((agent) => () => agent.close())
    buryAll([() => this.folder?.control.close(), ...closers])
  }

  private check(): void {
    if (this.failure !== undefined) throw this.failure
  }

  private fail(error: Error): void {
    this.failure ??= error
  }

  private invoke(agent: string): number {
    const done = this.options.disk.around(() => this.agents.get(agent)?.invoke() ?? 0)
    this.check()
    return done
  }

  private opened(folder: OpenedFolder): void {
    const { registry } = folder
    const { follows } = this.options
    this.folder = folder
    if (follows) this.config = { ...this.config, matchers: registry.matchers }
    const { matchers } = this.config
    this.matcherOf = registry.symbols.map(({ id }) => registry.ownerOf(id, matchers))
  }

  private reserve(usual: Regions): Regions {
    const { config } = this
    const replyRings = usual.replyRings.map((rings) =>
      rings.map(() => new SharedArrayBuffer(replyRingBytes(REPLY_RING_BYTES))),
    )
    const eventRings = usual.eventRings.map(() => new SharedArrayBuffer(EVENT_RING_BYTES))
    const regions = { ...usual, replyRings, eventRings }
    regions.commandRings.flat().forEach(watchCommitted)
    this.regions = regions
    this.spies = regions.eventRings.map((memory) => new EventRingReader(memory))
    this.balances = new Balances(regions.balances, config.accounts, assetsMaxOf(config.accounts))
    this.history = new FalseHistory({
      dataFolder: config.data,
      published: new BigInt64Array(regions.published),
      archived: new BigInt64Array(regions.archived),
      time: this.options.time,
    })
    return regions
  }

  private workers(): Workers {
    const { options } = this
    const workers = onOneLoop({
      sockets: this.sockets[0]!,
      drive: (agent) => this.drive(agent),
      segmentBytes: SEGMENT_BYTES,
      ...(options.flushesBeside && { flushesBeside: true }),
      quorumOf: (matcher) => this.member!.quorumOf(matcher),
      services: ({ index }): Partial<GatewayServices> => ({
        sockets: this.sockets[index]!,
        history: this.history.queries,
        time: this.times[index]!,
        warn: (_, message) => {
          if (message.startsWith('events were missed')) options.overrun(index, this)
          options.log(message)
        },
      }),
      gatewayBell: ({ index, config, regions }) => {
        const bell = new FalseBell(regions.bells, gatewayBellOffset(index, config.matchers))
        this.bells[index] = bell
        return bell
      },
      watch: {
        matching: (matching, { index }) => this.watch(matching, index),
        gateway: (gateway) => this.gateways.push(gateway),
      },
    })
    return (time) => {
      const { hire, ...rest } = workers(time)
      return {
        ...rest,
        hire: (kind, index, events, ...more) =>
          kind === 'backup'
            ? new FalseBackup(events, (cut) => options.copy(cut, this))
            : hire(kind, index, events, ...more),
      }
    }
  }

  /** The simulation invokes it; what it throws reaches the simulation. */
  private async drive(agent: WorkerAgent): Promise<void> {
    const invoker = new AgentInvoker(agent)
    this.agents.set(agent.name, invoker)
    await invoker.start()
    if (!(agent.waitsFor instanceof Promise)) return
    await agent.waitsFor
    invoker.invoke()
  }

  private watch(matching: Matching, index: number): void {
    const { options } = this
    const { matcher, journal, symbols } = matching
    this.matchings[index] = matching
    watchJournal(journal, options.witness(index, this))
    for (const engine of symbols.engines) {
      if (engine !== undefined) watchEngine(engine, options.watch(this))
    }
    if (symbols.wallet !== undefined) {
      watchWallet(symbols.wallet, symbols.output, options.watchWallet(this))
    }
    const told = <Given extends unknown[], Result>(act: (...given: Given) => Result) => {
      const usual = act.bind(matcher)
      return (...given: Given) => {
        const result = usual(...given)
        this.spies[index]!.resume()
        options.worked(index, this)
        return result
      }
    }
    const doWork = told(matcher.doWork)
    matcher.doWork = () => (this.isActing ? 0 : doWork())
    matcher.flush = told(matcher.flush)
    if (options.flushesBeside) matcher.settleNow = told(matcher.settleNow)
    matcher.decideWithdrawal = told(matcher.decideWithdrawal)
    matcher.fireWallet = told(matcher.fireWallet)
    matcher.finishLeft = told(matcher.finishLeft)
    matcher.cancelLeft = told(matcher.cancelLeft)
    matcher.cancelOrders = told(matcher.cancelOrders)
    matcher.cancelOrder = told(matcher.cancelOrder)
  }

  /** What workers say, and that a snapshot was used; other lines tell of the machine. */
  private logger(): Logger {
    const { log } = this.options
    const told = (fields: { readonly thread?: string } | string, sentence = '') => {
      if (typeof fields === 'string') return
      // Refusals of the disk are planted; faults of LMDB are not, and it would continue alone.
      if (/tried again/.test(sentence)) throw new Error(sentence)
      if (fields.thread !== undefined || /snapshot/.test(sentence)) log(sentence)
    }
    return { info: told, warn: told, error: told, fatal: told } as unknown as Logger
  }
}
