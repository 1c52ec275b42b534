/**
 * The agents' threads, and the order in which they start and stop. The pipeline on one page:
 * lead of the quorum, if there is one → control journal → shared memory → snapshot → matchers (recover,
 * then match) → checkpointer → archivist → gateways → operators → snapshots.
 */
import { randomInt } from 'node:crypto'
import type { Logger } from 'pino'
import { AdminServer } from '../admin-api/admin-server.ts'
import { bookMemory } from '../agents/book-memory.ts'
import { ASSETS_MAX } from '../base/limits.ts'
import type { Time } from '../base/time.ts'
import { Ms } from '../base/units.ts'
import type { Config } from '../config/config.ts'
import { CommandExecutor } from '../control/command-executor.ts'
import type { Registry } from '../control/registry.ts'
import { openToken } from '../control/token.ts'
import type { Vault } from '../control/vault.ts'
import { WorkerControlPlane } from '../control/worker-control-plane.ts'
import { Balances } from '../core/ledger/balances.ts'
import { SharedListenKeys } from '../gateway/streams/listen-keys.ts'
import type { ControlStore } from '../journal/control-store.ts'
import { snapshotsIn } from '../journal/snapshot.ts'
import { WalCells } from '../journal/wal-cells.ts'
import { readPlans } from '../liquidity/read-plans.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { ExchangeCounter, ExchangeCounters } from '../shared/counters.ts'
import { DiskCells } from '../shared/disk.ts'
import { Role, RoleCells } from '../shared/role.ts'
import type { WarningLog } from '../telemetry/warning-log.ts'
import { LinuxScheduler } from './background.ts'
import { BackupWorker } from './backup-worker.ts'
import { type BannerFacts, clientUrl } from './banner.ts'
import { readScreen } from './console-parts.ts'
import { watchControl } from './control-watch.ts'
import type { DerivedWorker } from './derived-worker.ts'
import { DerivedWorkers } from './derived-workers.ts'
import { DiskWatch } from './disk-watch.ts'
import { type Claim, portSentence, probePort, StartError } from './exclusive.ts'
import { raisePriorities } from './foreground.ts'
import { LiquidityWorker } from './liquidity-worker.ts'
import {
  archivistBellOffset,
  checkpointerBellOffset,
  matcherBellOffset,
  Phase,
  type Regions,
  reserve,
} from './memory.ts'
import { openAdminServer } from './open-admin-server.ts'
import { openFilesMax, socketsWithin } from './open-files.ts'
import { type OpenedFolder, openFolder, openFollower } from './open-folder.ts'
import { checkMoney, creditDeposits } from './open-ledger.ts'
import { checkPlaces, keepOn } from './placement.ts'
import { isMember, QuorumMember, whyNoActions } from './quorum-member.ts'
import { takeSnapshot } from './recover.ts'
import { retentionOf } from './retention-days.ts'
import { type ClaimedPlace, startedFields } from './started-fields.ts'
import { takeFolder } from './take-folder.ts'
import type { GatewayStart, ThreadStart } from './thread-messages.ts'
import { checkTls } from './tls-files.ts'
import { type HeapBound, type WorkerEvents, WorkerHandle } from './worker-handle.ts'

/** Claims of a start, made before it reads anything. */
interface Place extends ClaimedPlace {
  readonly admin: AdminServer
}

type OwnEvents = Partial<Pick<WorkerEvents, 'onFacts' | 'onDegraded' | 'onFailure'>>

/** What is known once the exchange serves clients. */
export interface Started {
  /** Of the log's line. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly banner: Pick<BannerFacts, 'scheme' | 'symbols' | 'quoted'>
}

export interface ExchangeEvents {
  /** Called when the exchange serves clients. */
  readonly started: (started: Started) => void
  /** Called when a thread ends by itself; the process must then exit. */
  readonly failed: (error: Error) => void
  /** Called when an operator asks for the stop. */
  readonly stopWanted: () => void
}

export class Exchange {
  /** A follower has as many matchers as its leader. */
  #config: Config
  readonly #time: Time
  readonly #log: Logger
  readonly #warnings: WarningLog
  readonly #events: ExchangeEvents
  #claim: Claim | undefined
  #control: ControlStore | undefined
  #endControlWatch = () => {}
  #regions: Regions | undefined
  #counters: ExchangeCounters | undefined
  #admin: AdminServer | undefined
  #matchers: WorkerHandle[] = []
  #checkpointer: WorkerHandle | undefined
  #derived: DerivedWorkers | undefined
  #member: QuorumMember | undefined
  #gateways: WorkerHandle[] = []
  #executor: CommandExecutor | undefined
  #liquidity: LiquidityWorker | undefined
  #backups: BackupWorker | undefined
  readonly #scheduler = new LinuxScheduler()
  #disk: DiskWatch | undefined
  #drained: Promise<unknown> | undefined
  #isOpening = false
  #isEnding = false

  constructor(
    config: Config,
    time: Time,
    log: Logger,
    warnings: WarningLog,
    events: ExchangeEvents,
  ) {
    this.#config = config
    this.#time = time
    this.#log = log
    this.#warnings = warnings
    this.#events = events
  }

  /** Resolves when the exchange serves clients. Rejects with StartError, VaultError or JournalDamage. */
  async start(): Promise<void> {
    const beganMs = performance.now()
    if (process.platform === 'linux') this.#scheduler.open()
    const place = await this.#claimPlace()
    this.#goOn()
    const folder = await this.#openFolder()
    const config = this.#config
    const follows = this.#member?.isFollowing === true
    this.#control = folder.control
    const { registry, vault, keys } = folder
    const symbolNames = registry.symbols.map(({ name }) => name)
    const plans = follows ? [] : readPlans(config, symbolNames, registry.isDemo)
    const token = openToken(config.data)
    const { regions, balances } = this.#reserve(registry)
    this.#disk = DiskWatch.begin(config, new DiskCells(regions.disk), this.#log)
    const role = new RoleCells(regions.role, this.#time)
    if (follows) role.become(Role.FOLLOWER)
    else role.noteLeader(registry.epoch, clientUrl({ ...config, ...place }))
    if (!follows) this.#member?.deliver(regions)
    const facts = this.#factsFor(registry, regions)
    const chosen = takeSnapshot(facts, balances, (sentence) => this.#log.warn(sentence))
    if (chosen !== undefined) this.#log.info(chosen, 'continues from a snapshot')
    const { snapshot } = chosen ?? {}
    const start = { ...facts, snapshot: snapshot ?? 0 }
    const recoveredEvents = await this.#recoverMatchers(start)
    checkMoney(balances, registry)
    await this.#begin(this.#checkpointer, start)
    folder.noteJournals(config.matchers)
    await this.#releaseMatchers()
    // A thread in place of one that failed starts with the state of that moment.
    const startNow = () => ({ ...this.#factsFor(registry, regions), snapshot: 0, index: 0 })
    this.#goOn()
    await this.#derived?.beginArchivist(regions, startNow)
    await this.#openGateways({ ...start, keys, socketsInAll: place.socketsInAll })
    await this.#place()
    this.#enter(Phase.RUNNING)
    this.#derived?.snapshots?.begin(startNow)
    const executor = this.#openExecutor(registry, vault, balances, regions)
    this.#executor = executor
    this.#liquidity = new LiquidityWorker(config, this.#log)
    const quoted = follows ? [] : await this.#liquidity.start(plans, executor, registry)
    openAdminServer(place.admin, {
      ...{ config, registry, regions, executor, token, time: this.#time },
      warnings: this.#warnings,
      gatewayLoops: () => this.#gateways.map((gateway) => gateway.loopTime()),
      quorumCounts: this.#member?.memory?.counts,
    })
    const startMs = Math.round(performance.now() - beganMs)
    const outcome = { snapshot, recoveredEvents, startMs }
    this.#events.started({
      fields: { ...startedFields(config, registry, regions, follows, place), ...outcome },
      banner: { scheme: place.scheme, symbols: symbolNames, quoted },
    })
    this.#endControlWatch = watchControl(folder.control, regions.counters, (sentence) =>
      this.#log.warn(sentence),
    )
    this.#derived?.schedule(regions)
  }

  /** Takes the data folder and both ports. */
  async #claimPlace(): Promise<Place> {
    const config = this.#config
    this.#claim = await takeFolder(config, this.#log)
    const scheme = checkTls(config, (sentence) => this.#log.warn(sentence)) ? 'https' : 'http'
    const filesMax = openFilesMax()
    const socketsInAll = socketsWithin(config, filesMax)
    await checkPlaces(config)
    await probePort(config.host, config.port)
    const admin = new AdminServer(readScreen(), () =>
      this.#counters?.add(ExchangeCounter.doorDisplaced, 1),
    )
    this.#admin = admin
    await admin.listen(config.adminPort).catch((error: NodeJS.ErrnoException) => {
      throw new StartError(portSentence('admin-port', '127.0.0.1', config.adminPort, error))
    })
    return { scheme, filesMax, socketsInAll, admin }
  }

  /** Opens the data folder, once it is as the quorum, if there is one, and launches all threads. */
  async #openFolder(): Promise<OpenedFolder> {
    const config = this.#config
    this.#member = isMember(config)
      ? new QuorumMember(config, this.#time, (onFacts) =>
          this.#launch('replica.thread.js', 0, { onFacts }),
        )
      : undefined
    // A member that leads loads its threads meanwhile; a follower learns first how many it has.
    if (config.follow === '') this.#launchAll()
    const lead = await this.#member?.start()
    this.#goOn()
    if (this.#member?.isFollowing !== true) {
      if (config.follow !== '') this.#launchAll()
      return openFolder(config, this.#log, lead)
    }
    const folder = openFollower(config, this.#log)
    const { matchers } = folder.registry
    this.#member.reserve(matchers)
    this.#config = { ...config, matchers }
    this.#launchAll()
    return folder
  }

  #reserve(registry: Registry): { regions: Regions; balances: Balances } {
    const config = this.#config
    if (registry.accounts.length > config.accounts) {
      throw new StartError(
        `--accounts must be at least ${registry.accounts.length}, the accounts of ${config.data}.`,
      )
    }
    const regions = reserve(config, registry.symbols)
    this.#regions = regions
    this.#counters = new ExchangeCounters(regions.counters)
    this.#counters.add(ExchangeCounter.threads, this.#workers().length)
    const balances = new Balances(regions.balances, config.accounts, ASSETS_MAX)
    creditDeposits(balances, registry)
    return { regions, balances }
  }

  #factsFor(registry: Registry, regions: Regions): Omit<ThreadStart, 'index' | 'snapshot'> {
    const config = this.#config
    return {
      config,
      regions,
      epoch: registry.epoch,
      idSalt: randomInt(2 ** 32),
      assets: registry.assets,
      symbols: registry.symbols,
      matcherOf: registry.symbols.map(({ id }) => registry.ownerOf(id, config.matchers)),
      accounts: registry.accounts,
      exchange: registry.exchange,
      valuationAsset: registry.assets.find((asset) => asset?.name === config.valuationAsset),
      distributions: registry.distributions,
      retention: retentionOf(config, registry.isDemo),
      follows: this.#member?.isFollowing === true,
      replica: this.#member?.memory,
    }
  }

  /** Resolves when all gateways serve clients. */
  async #openGateways(start: Omit<GatewayStart, 'index'>): Promise<void> {
    this.#goOn()
    this.#isOpening = true
    for (const [index, gateway] of this.#gateways.entries()) {
      const own: GatewayStart = { ...start, index }
      gateway.begin(own)
    }
    await Promise.all(this.#gateways.map((gateway) => gateway.waitFor('ready')))
  }

  /** Whether clients may have connected, or soon will. */
  get isOpening(): boolean {
    return this.#isOpening
  }

  /** Returns the names of the threads that the stop waits for. */
  awaited(): readonly string[] {
    return this.#workers()
      .filter((worker) => worker.isAwaited)
      .map(({ name }) => name)
  }

  /**
   * Stops accepting, finishes requests in flight, flushes and closes. Ignores threads that never
   * started, so it may be called at any time.
   */
  async stop(): Promise<void> {
    await this.#liquidity?.stop()
    this.#disk?.stop()
    if (this.#member?.isFollowing === true) await this.#member.stop()
    // No action is announced to threads once they stop.
    await this.#executor?.close()
    await this.#drain()
    this.#enter(Phase.STOPPING)
    await Promise.all(this.#matchers.map((matcher) => matcher.waitFor('stopped')))
    this.#enter(Phase.MATCHED)
    await Promise.all([this.#derived?.unschedule(), this.#backups?.left()])
    await Promise.all([this.#checkpointer?.waitFor('stopped'), this.#derived?.stopped()])
    await Promise.all(this.#gateways.map((gateway) => gateway.ask('stop', 'stopped')))
    this.#endControlWatch()
    this.#control?.close()
    if (this.#member?.isFollowing === false) await this.#member.stop()
    await this.#admin?.close()
    this.#claim?.close()
    this.#log.info('stopped')
  }

  /**
   * After a refusal of the disk, for the reason `why`: nothing more is written, another member leads, and
   * gateways serve from memory alone. Rejects when a gateway fails.
   */
  async becomeReadOnly(why: string): Promise<void> {
    this.#member?.resign()
    this.#admin?.fail(why)
    await Promise.all(this.#gateways.map((gateway) => gateway.ask('readOnly', 'readOnly')))
  }

  /** Accepts no more requests, and resolves when none is in flight. May be called again. */
  async #drain(): Promise<void> {
    this.#admin?.unready()
    const ask = () => Promise.all(this.#gateways.map((it) => it.ask('drain', 'drained')))
    this.#drained ??= ask()
    await this.#drained
  }

  /**
   * Places matchers and gateways on their processors, and raises their priorities, once they have created
   * all their threads, which would inherit both.
   */
  async #place(): Promise<void> {
    const { gatewayProcessors, matcherProcessors } = this.#config
    const threadsOf = (workers: readonly WorkerHandle[]) =>
      Promise.all(workers.map((worker) => worker.thread()))
    const gateways = await threadsOf(this.#gateways)
    const matchers = await threadsOf(this.#matchers)
    await keepOn(gateways, gatewayProcessors)
    await keepOn(matchers, matcherProcessors)
    this.#log.info(raisePriorities({ matchers, gateways }))
  }

  #openExecutor(
    registry: Registry,
    vault: Vault,
    balances: Balances,
    regions: Regions,
  ): CommandExecutor {
    const config = this.#config
    const archivistBell = archivistBellOffset(config.matchers, config.gateways)
    const controlPlane = new WorkerControlPlane({
      config,
      registry,
      vault,
      balances,
      control: this.#control!,
      matchers: this.#matchers,
      matcherBells: this.#matchers.map(
        (_, index) => new Doorbell(regions.bells, matcherBellOffset(index)),
      ),
      gateways: this.#gateways,
      archivist: this.#derived!.archivist,
      archivistBell: new Doorbell(regions.bells, archivistBell),
      snapshots: this.#derived!.snapshots,
      bookMemory: (symbol) => bookMemory(symbol, config),
      announced: regions.announced,
      maintenance: regions.maintenance,
      listenKeys: new SharedListenKeys(regions.listenKeys, this.#time),
      counters: regions.counters,
      openCounts: regions.openCounts,
      published: new BigInt64Array(regions.published),
      archived: new BigInt64Array(regions.archived),
      wals: regions.wals.map((memory) => new WalCells(memory)),
      isReady: () => this.#admin?.isReady === true,
      disk: new DiskCells(regions.disk),
      degraded: () => this.#admin?.degraded ?? [],
      whyNoActions: () => whyNoActions(new RoleCells(regions.role, this.#time)),
      warnings: this.#warnings,
      checkCertificate: () => this.#checkCertificate(),
      trustCertificate: () => this.#liquidity?.trustCertificate(),
      backups: this.#openBackups(regions),
      newestSnapshot: () => snapshotsIn(config.data)[0] ?? 0,
      nowMs: () => Ms(Date.now()),
      drain: () => this.#drain(),
      member: this.#member,
      // The action that asked for it returns first.
      stop: () => setImmediate(this.#events.stopWanted),
      fail: this.#events.failed,
    })
    const executor = new CommandExecutor(registry, vault, controlPlane, () => Ms(Date.now()))
    this.#member?.run({
      ...{ registry, regions, control: this.#control!, executor, plane: controlPlane },
      ...{ log: this.#log, led: () => void this.#liquidity?.start([], executor, registry) },
      failed: this.#events.failed,
      left: () => setImmediate(this.#events.stopWanted),
    })
    return executor
  }

  #checkCertificate(): void {
    if (checkTls(this.#config, (sentence) => this.#log.warn(sentence))) return
    throw new StartError('The exchange serves no TLS (--tls-cert, --tls-key).')
  }

  #openBackups(regions: Regions): BackupWorker {
    this.#backups = new BackupWorker(this.#config.data, regions, this.#log)
    return this.#backups
  }

  /**
   * Ends every thread without finishing its work: acknowledged orders are on the disk already. May never
   * resolve, when a thread does not leave LMDB.
   */
  async abort(): Promise<void> {
    this.#isEnding = true
    this.#enter(Phase.ENDING)
    void this.#derived?.unschedule()
    // A thread that ends with open sockets ends the process by SIGABRT, without an exit code.
    const closing = this.#gateways.map((gateway) => gateway.leave())
    // Once they have recovered, they need nothing of LMDB.
    const recovering = this.#matchers.map((matcher) => matcher.left('recovered'))
    const left = [
      this.#checkpointer?.left(),
      ...(this.#derived?.all ?? []).map((worker) => worker.left()),
      this.#member?.left(),
      this.#backups?.left(),
    ]
    await Promise.all([...closing, ...recovering, ...left])
    await Promise.all(this.#workers().map((worker) => worker.terminate()))
  }

  /** Sets the phase for every thread. No phase follows ENDING. */
  #enter(next: (typeof Phase)[keyof typeof Phase]): void {
    if (this.#regions === undefined) return
    const phase = new Int32Array(this.#regions.phase)
    if (Atomics.load(phase, 0) === Phase.ENDING) return
    Atomics.store(phase, 0, next)
    Atomics.notify(phase, 0)
    const { matchers, gateways } = this.#config
    const offsets = [
      ...this.#matchers.map((_, index) => matcherBellOffset(index)),
      archivistBellOffset(matchers, gateways),
      checkpointerBellOffset(matchers, gateways),
    ]
    for (const offset of offsets) new Doorbell(this.#regions.bells, offset).ring()
  }

  /** Returns the number of events that the matchers folded. They write nothing before their release. */
  async #recoverMatchers(start: Omit<ThreadStart, 'index'>): Promise<number> {
    for (const [index, matcher] of this.#matchers.entries()) matcher.begin({ ...start, index })
    const reports = await Promise.all(this.#matchers.map((it) => it.waitFor('recovered')))
    return reports.reduce((sum, it) => sum + (it.report === 'recovered' ? it.events : 0), 0)
  }

  /** Resolves when the orders that sessions of the last start left open are canceled. */
  async #releaseMatchers(): Promise<void> {
    this.#enter(Phase.RECOVERED)
    await Promise.all(this.#matchers.map((matcher) => matcher.waitFor('ready')))
  }

  /** Begins a thread of a kind with one instance; resolves when it is ready. */
  async #begin(worker: WorkerHandle | undefined, start: Omit<ThreadStart, 'index'>): Promise<void> {
    this.#goOn()
    worker?.begin({ ...start, index: 0 })
    await worker?.waitFor('ready')
  }

  /** Begins a thread, unless the start was given up meanwhile: no thread begins after the end. */
  #goOn(): void {
    if (this.#isEnding) throw new StartError('The start was given up.')
  }

  /** Creates the threads of each kind, the slowest to load first. */
  #launchAll(): void {
    const { gateways, matchers, snapshotMinutes, gatewayHeapMb } = this.#config
    const launched = (file: string, count: number, heap?: HeapBound) =>
      Array.from({ length: count }, (_, index) => this.#launch(file, index, {}, heap))
    const heap = { megabytes: gatewayHeapMb, flag: 'gateway-heap-mb' }
    this.#gateways = launched('gateway.thread.js', gateways, heap)
    this.#matchers = launched('matching.thread.js', matchers)
    this.#checkpointer = this.#launch('checkpointer.thread.js', 0)
    this.#derived = new DerivedWorkers({
      launch: (file, events) => this.#launch(file, 0, events),
      log: this.#log,
      degrade: (part, why) => this.#admin?.degrade(part, why),
      scheduler: this.#scheduler,
      makesSnapshots: snapshotMinutes > 0,
    })
  }

  #workers(): (WorkerHandle | DerivedWorker)[] {
    const rest = [this.#checkpointer, ...(this.#derived?.all ?? []), this.#member?.worker]
    return [...this.#gateways, ...this.#matchers, ...rest].filter((it) => it !== undefined)
  }

  #launch(file: string, index: number, own: OwnEvents = {}, heap?: HeapBound): WorkerHandle {
    const warned = () => this.#counters?.add(ExchangeCounter.warnings, 1)
    const events = { log: this.#log, warned, onFailure: this.#events.failed, ...own }
    return new WorkerHandle(file, index, events, heap)
  }
}
