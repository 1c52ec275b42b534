/**
 * The assembly of an exchange: its stages in the order in which they start, each a record of what the later
 * ones need. How it stops is in running-exchange.ts.
 *
 * The stages: both ports and the folder → lead of the quorum, if there is one → control journal → shared
 * memory → snapshot → matchers recover → checkpointer → matchers match → indexer → gateways → snapshots →
 * operators.
 */
import { randomInt } from 'node:crypto'
import * as fs from 'node:fs'
import type { Logger } from 'pino'
import { AdminServer } from '../admin-api/admin-server.ts'
import { bookMemory } from '../agents/book-memory.ts'
import { addressOf } from '../agents/member-address.ts'
import {
  checkpointerBellOffset,
  indexerBellOffset,
  matcherBellOffset,
  Phase,
  type Regions,
  reserve,
  snapshotBellOffset,
} from '../agents/memory.ts'
import type { GatewayStart, ThreadStart } from '../agents/messages.ts'
import { takeSnapshot } from '../agents/recover.ts'
import { assetsMaxOf } from '../base/limits.ts'
import { StartError } from '../base/start-error.ts'
import { elapsedMs, type Time } from '../base/time.ts'
import type { Ms } from '../base/units.ts'
import type { VirtualClock } from '../base/virtual-clock.ts'
import type { Config } from '../config/config.ts'
import { removeAdminPort, writeAdminPort } from '../control/admin-address.ts'
import { ClientFills } from '../control/client-fills.ts'
import { CommandExecutor } from '../control/command-executor.ts'
import { Faucet } from '../control/faucet.ts'
import type { Registry } from '../control/registry.ts'
import { type Marks, SavedStates } from '../control/saved-states.ts'
import { ScheduleRunner } from '../control/schedule/schedule-runner.ts'
import { OwnerToken } from '../control/token.ts'
import {
  type ControlPlaneCells,
  type NotifiedCrew,
  WorkerControlPlane,
} from '../control/worker-control-plane.ts'
import { Balances } from '../core/ledger/balances.ts'
import { SharedListenKeys } from '../gateway/streams/listen-keys.ts'
import { archiveBaseFile } from '../journal/sealed-segments.ts'
import { snapshotsIn } from '../journal/snapshot.ts'
import { WalCells } from '../journal/wal-cells.ts'
import { readPlans } from '../liquidity/read-plans.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { ExchangeCounter, ExchangeCounters } from '../shared/counters.ts'
import { DiskCells } from '../shared/disk.ts'
import { Role, RoleCells } from '../shared/role.ts'
import type { KeptFigures } from '../telemetry/kept-figures.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { WarningLog } from '../telemetry/warning-log.ts'
import { watchAlerts } from './alert-watch.ts'
import type { Scheduler } from './background.ts'
import { BackupWorker } from './backup-worker.ts'
import { type BannerFacts, clientUrl } from './banner.ts'
import { ClockWatch } from './clock-watch.ts'
import { readScreen } from './console-parts.ts'
import { checkRoom, tryContent } from './content-room.ts'
import { watchControl } from './control-watch.ts'
import { Crew, type CrewParts, type OwnEvents, Roster } from './crew.ts'
import type { DerivedWorker } from './derived-worker.ts'
import { DiskWatch } from './disk-watch.ts'
import { type Claim, portSentence, probePort } from './exclusive.ts'
import { keepFigures } from './figure-watch.ts'
import { raisePriorities } from './foreground.ts'
import type { WorkerKind } from './hosting.ts'
import { LiquidityWorker } from './liquidity-worker.ts'
import { fillMemory, type MarkedMemory } from './marked-memory.ts'
import { openAdminServer } from './open-admin-server.ts'
import { acceptsWithin, openFilesMax, socketsWithin } from './open-files.ts'
import { type OpenedFolder, openFolder, openFollower } from './open-folder.ts'
import { checkMoney, creditDeposits } from './open-ledger.ts'
import { PhaseSwitch } from './phase-switch.ts'
import { checkPlaces, keepOn } from './placement.ts'
import { isMember, type Member, QuorumMember, whyNoActions } from './quorum-member.ts'
import { Reload } from './reload.ts'
import { retentionOf } from './retention-days.ts'
import { Drain, type Place, RunningExchange } from './running-exchange.ts'
import { placeSeedOrders } from './seed-orders.ts'
import { StartCounts } from './start-counts.ts'
import { startedFields } from './started-fields.ts'
import { checkTls } from './tls-files.ts'
import type { HeapBound, Hire, WorkerHandle } from './worker-handle.ts'

/** What is known once the exchange serves clients. */
export interface Started {
  /** Fields of the log's line. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly banner: Pick<BannerFacts, 'scheme' | 'symbols' | 'quoted'>
}

export interface ExchangeEvents {
  /** Called when the exchange serves clients. */
  readonly started: (started: Started) => void
  /** Called when a thread ends by itself; the process must then exit. */
  readonly failed: (error: Error) => void
  /** Called when the data folder is open, and before anything is recovered. */
  readonly opened?: (folder: OpenedFolder) => void
  /** Called when an operator asks for the stop. */
  readonly stopWanted: () => void
  /**
   * Called when an operator wants other content of the data folder: the exchange stops, `swap` changes the folder,
   * and another exchange starts in this one's place. Resolves when it serves clients.
   */
  readonly replaceWanted: (swap: () => void) => Promise<void>
}

/** What an exchange is made of. */
export interface AssemblyParts {
  readonly config: Config
  /** What reads settings again, over all exchanges of the process; none does when left out. */
  readonly reload?: Reload
  /** The figures that plots begin with, likewise; none are kept when left out. */
  readonly kept?: KeptFigures | undefined
  /** Whether the charts of a new demo begin with a past; not when left out. */
  readonly hasPast?: boolean
  readonly time: Time
  readonly log: Logger
  readonly warnings: WarningLog
  readonly events: ExchangeEvents
  /** What moves the time; undefined where it is the machine's. */
  readonly clock?: VirtualClock | undefined
  /** Takes the data folder, so that no other process runs on it. Rejects with StartError. */
  readonly takeFolder: (config: Config, log: Logger) => Promise<Claim>
  /** Where an exchange has run that left: it is claimed already. */
  readonly place?: Place | undefined
  /** Whether another exchange still runs in the place, until the sockets of this one may listen. */
  readonly isSpare?: boolean | undefined
  /** What it begins with of what is in no journal; nothing when left out. */
  readonly memory?: MarkedMemory | undefined
  /** Its marks; an exchange of a process of its own has none. */
  readonly marks?: Marks | undefined
  /** Creates the workers: on threads, or on this event loop. */
  readonly hire: Hire
  /** Gives background threads their scheduling class. */
  readonly scheduler: Scheduler
  /** Makes the shared memory; of the sizes of memory.ts when left out. */
  readonly reserve?: typeof reserve
  /** The member of a quorum, where the settings want one; one with a replica thread when left out. */
  readonly openMember?: () => Member
}

/** The data folder, and the workers for it. A follower has as many matchers as its leader. */
interface Opened {
  readonly config: Config
  readonly folder: OpenedFolder
  readonly crew: Crew
  /** Undefined without a quorum. */
  readonly member: Member | undefined
  /** Whether another member leads, at this start. */
  readonly follows: boolean
  /** Undefined where the machine's clock is not watched. */
  readonly machineClock: ClockWatch | undefined
}

/** The shared memory. */
interface Reserved {
  readonly regions: Regions
  readonly balances: Balances
  readonly role: RoleCells
}

/** What operators act by. */
interface Operated {
  readonly executor: CommandExecutor
  readonly liquidity: LiquidityWorker
  readonly backups: BackupWorker
  readonly drain: Drain
  readonly schedules: ScheduleRunner
  /** Undefined while the sandbox is off. */
  readonly states: SavedStates | undefined
}

export class Exchange {
  private readonly parts: AssemblyParts
  private readonly reload: Reload
  private readonly roster = new Roster()
  private readonly phase = new PhaseSwitch()
  private readonly counts = new StartCounts()
  /** What is closed when a start is given up. */
  private readonly claimed: { close(): unknown }[] = []
  /** Before the exchange has its place: what it says of itself then. */
  private readonly degradedBefore = new Map<string, string | undefined>()
  private isPlaced = false
  private _isOpening = false
  private isEnding = false

  constructor(parts: AssemblyParts) {
    this.parts = parts
    this.reload = parts.reload ?? new Reload(parts.config, undefined, parts.log)
  }

  /** Resolves when the exchange serves clients. Rejects with StartError, VaultError or JournalDamage. */
  async start(): Promise<RunningExchange> {
    const { log, events, time, isSpare } = this.parts
    const { wall } = time
    const beganMs = elapsedMs(wall)
    const place = await this.claimPlace()
    this.throwIfEnding()
    const opened = await this.openFolder(place)
    const { config, crew, folder, member, follows, machineClock } = opened
    events.opened?.(folder)
    const { registry, keys, control } = folder
    const symbolNames = registry.symbols.map(({ name }) => name)
    const plans = follows ? [] : readPlans(config, symbolNames, registry.isDemo)
    const openToken = () => new OwnerToken(config.data, wall)
    // That of a spare is the other exchange's until then.
    const earlyToken = isSpare ? undefined : openToken()
    const reserved = this.reserve(opened, place)
    const { regions } = reserved
    const disk = DiskWatch.begin(config, new DiskCells(regions.disk), wall, log)
    this.claimed.push({ close: () => disk.stop() })
    if (!follows) member?.deliver(regions)
    const { recovered, startNow, start } = await this.recover(opened, reserved)
    await this.makeMissed(opened)
    this.throwIfEnding()
    await crew.derived.beginIndexer(regions, startNow)
    await this.openGateways(crew, { ...start, keys, socketsInAll: place.socketsInAll })
    if (isSpare) this.takePlace(place)
    await this.place(crew)
    this.throwIfEnding()
    this.phase.enter(Phase.RUNNING)
    const snapshots = this.beginSnapshots(opened, startNow)
    const token = earlyToken ?? openToken()
    const operated = this.operate({ ...opened, token }, reserved, place, snapshots)
    const { executor, liquidity } = operated
    const isResumed = recovered.recoveredEvents > 0 || recovered.snapshot !== undefined
    if (!follows) await placeSeedOrders({ registry, control, view: executor.view, log, isResumed })
    const quoted = follows ? [] : await liquidity.start(plans, executor, registry)
    const { kept } = this.parts
    const gatewayLoops = () => crew.gateways.map((gateway) => gateway.loopTime())
    const seen = { config, registry, regions, time: wall, gatewayLoops }
    const metrics = openAdminServer(place.admin, {
      ...{ ...seen, executor, token, warnings: this.parts.warnings, kept },
      quorumCounts: member?.memory.counts,
      ...{ machineClock, reload: this.reload },
    })
    const night = [
      ...(kept === undefined ? [] : [keepFigures({ ...seen, kept })]),
      ...this.watchAlerts(metrics, regions),
    ]
    for (const each of night) this.claimed.push({ close: () => each.stop() })
    const startMs = elapsedMs(wall) - beganMs
    events.started({
      fields: {
        ...startedFields(config, registry, regions, follows, place),
        ...{ ...recovered, startMs },
      },
      banner: { scheme: place.scheme, symbols: symbolNames, quoted },
    })
    const watch = watchControl(control, regions.counters, wall, (sentence) => log.warn(sentence))
    this.claimed.push({ close: () => watch.stop() })
    crew.derived.schedule(regions)
    const parts = { ...operated, place, crew, member, control, regions }
    const { phase, roster } = this
    const watches = [disk, watch, ...night, ...(machineClock ? [machineClock] : [])]
    return new RunningExchange({ ...parts, log, phase, roster, watches })
  }

  /** Nothing without a file of alerts, and within another program. */
  private watchAlerts(
    metrics: Metrics,
    { counters }: Regions,
  ): readonly ReturnType<typeof watchAlerts>[] {
    const { config, time, log } = this.parts
    const { targets } = this.reload
    if (targets === undefined) return []
    const member = addressOf(config)
    const inForce = () => this.reload.targets ?? targets
    return [watchAlerts({ targets: inForce, metrics, counters, time: time.wall, log, member })]
  }

  /** Takes the data folder and both ports. */
  private async claimPlace(): Promise<Place> {
    const { config, log, takeFolder, place, isSpare } = this.parts
    if (place !== undefined) {
      if (!isSpare) this.takePlace(place)
      return place
    }
    const folder = await takeFolder(config, log)
    const claim = {
      close: () => {
        removeAdminPort(config.data)
        folder.close()
      },
    }
    this.claimed.push(claim)
    const certificateEndMs = checkTls(config, (sentence) => log.warn(sentence))
    this.reload.certificateEndMs = certificateEndMs
    const scheme = certificateEndMs === undefined ? 'http' : 'https'
    const filesMax = openFilesMax()
    const socketsInAll = socketsWithin(config, filesMax)
    await checkPlaces(config)
    await probePort(config.host, config.port)
    const admin = new AdminServer(readScreen(), () =>
      this.counts.add(ExchangeCounter.doorDisplaced, 1),
    )
    await admin.listen(config.adminPort).catch((error: NodeJS.ErrnoException) => {
      throw new StartError(portSentence('admin-port', '127.0.0.1', config.adminPort, error))
    })
    this.claimed.push(admin)
    this.isPlaced = true
    writeAdminPort(config.data, config.adminPort)
    return { claim, scheme, filesMax, socketsInAll, admin }
  }

  private takePlace({ claim, admin }: Place): void {
    this.claimed.push(claim, admin)
    this.isPlaced = true
    for (const [part, why] of this.degradedBefore) admin.degrade(part, why)
  }

  private degrade(admin: AdminServer, part: string, why: string | undefined): void {
    if (this.isPlaced) admin.degrade(part, why)
    else this.degradedBefore.set(part, why)
  }

  /** Opens the data folder, once it is as the quorum, if there is one, and creates all workers. */
  private async openFolder({ admin }: Place): Promise<Opened> {
    const { config, log, hasPast } = this.parts
    const machineClock = this.watchClock(admin)
    const begun = (lastMs: Ms) => machineClock?.opened(lastMs)
    const member = isMember(config) ? this.openMember() : undefined
    // A member that leads loads its threads meanwhile; a follower learns first how many it has.
    const early = config.follow === '' ? this.createCrew(config, admin) : undefined
    const lead = await member?.start()
    this.throwIfEnding()
    const follows = member?.isFollowing === true
    if (!follows) {
      const crew = early ?? this.createCrew(config, admin)
      const folder = await openFolder(config, this.parts.time, log, begun, lead, hasPast)
      this.claimed.push(folder.control)
      return { config, folder, crew, member, follows, machineClock }
    }
    const folder = openFollower(config, log, begun)
    this.claimed.push(folder.control)
    const { matchers } = folder.registry
    member.reserve(matchers)
    const own = { ...config, matchers }
    const crew = this.createCrew(own, admin)
    return { config: own, folder, crew, member, follows, machineClock }
  }

  private watchClock(admin: AdminServer): ClockWatch | undefined {
    const { config, time, log } = this.parts
    const watch = ClockWatch.begin(time, config.clockStepSeconds, {
      accepts: config.acceptClock === 'on',
      degrade: (part, why) => this.degrade(admin, part, why),
      log,
    })
    if (watch !== undefined) this.claimed.push({ close: () => watch.stop() })
    return watch
  }

  private openMember(): Member {
    const { config, time, openMember } = this.parts
    const hire = (onFacts: () => void) => this.hire('replica', 0, { onFacts })
    const member = openMember?.() ?? new QuorumMember(config, time.wall, hire)
    this.roster.add(member)
    return member
  }

  private createCrew(config: Config, admin: AdminServer): Crew {
    const { log, scheduler, time, clock } = this.parts
    const hire: CrewParts['hire'] = (...worker) => this.hire(...worker)
    const degrade: CrewParts['degrade'] = (part, why) => this.degrade(admin, part, why)
    return new Crew({ config, hire, log, degrade, scheduler, time, clock }, this.roster)
  }

  private hire(
    kind: WorkerKind,
    index: number,
    own: OwnEvents = {},
    heap?: HeapBound,
  ): WorkerHandle {
    const { log, events, hire } = this.parts
    const warned = () => this.counts.add(ExchangeCounter.warnings, 1)
    return hire(kind, index, { log, warned, onFailure: events.failed, ...own }, heap)
  }

  private reserve({ config, folder, follows }: Opened, place: Place): Reserved {
    const { registry } = folder
    checkRoom(config, registry, config.data)
    const assetsMax = assetsMaxOf(config.accounts)
    const make = this.parts.reserve ?? reserve
    const regions = make(config, registry.symbols, this.phase.memory)
    const { memory } = this.parts
    if (memory !== undefined) fillMemory(regions, memory)
    this.phase.wakes(bellsOf(config).map((offset) => new Doorbell(regions.bells, offset)))
    this.counts.add(ExchangeCounter.threads, this.roster.count)
    this.counts.moveTo(new ExchangeCounters(regions.counters))
    const balances = new Balances(regions.balances, config.accounts, assetsMax)
    creditDeposits(balances, registry)
    const role = new RoleCells(regions.role, this.parts.time.wall)
    if (follows) role.become(Role.FOLLOWER)
    else role.noteLeader(registry.epoch, clientUrl({ ...config, ...place }))
    return { regions, balances, role }
  }

  /**
   * Resolves when matchers hold what was journaled, and write. `start` is what workers of this start begin
   * with; one in place of another that failed begins with the state of that moment, `startNow`.
   */
  private async recover(
    { config, folder, crew, ...opened }: Opened,
    { regions, balances }: Reserved,
  ) {
    const { clock, log } = this.parts
    const { registry } = folder
    clock?.observe((account) => registry.accounts[account]?.name ?? '', log)
    const facts = () => factsFor({ config, registry, regions, ...opened })
    const first = facts()
    const chosen = takeSnapshot(first, balances, (sentence) => log.warn(sentence))
    if (chosen !== undefined) log.info(chosen, 'continues from a snapshot')
    const { snapshot } = chosen ?? {}
    const start = { ...first, snapshot: snapshot ?? 0 }
    const recoveredEvents = await this.recoverMatchers(crew, start)
    checkMoney(balances, registry)
    this.throwIfEnding()
    crew.checkpointer.begin({ ...start, index: 0 })
    await crew.checkpointer.waitFor('ready')
    folder.noteJournals(config.matchers)
    // Orders that sessions of the last start left open are canceled then.
    this.phase.enter(Phase.RECOVERED)
    await Promise.all(crew.matchers.map((matcher) => matcher.waitFor('ready')))
    const startNow = () => ({ ...facts(), snapshot: 0, index: 0 })
    return { recovered: { snapshot, recoveredEvents }, start, startNow }
  }

  /**
   * Makes the changes of schedules that were due while nothing ran, before any client is served. Each is in the
   * journals, with its auctions, before the next is noted: a kill loses none of them.
   */
  private async makeMissed({ folder, crew }: Opened): Promise<void> {
    for (;;) {
      const symbols = folder.noteDue(this.parts.time.nowMs())
      if (symbols === undefined) return
      const changes = symbols.map((symbol) => ({ kind: 'symbol', symbol }) as const)
      await Promise.all(
        crew.matchers.map((it) => it.notify([{ kind: 'settle' }, ...changes, { kind: 'settle' }])),
      )
    }
  }

  /** Returns the number of events that the matchers applied. They write nothing before their release. */
  private async recoverMatchers(
    { matchers }: Crew,
    start: Omit<ThreadStart, 'index'>,
  ): Promise<number> {
    for (const [index, matcher] of matchers.entries()) matcher.begin({ ...start, index })
    const reports = await Promise.all(matchers.map((it) => it.waitFor('recovered')))
    for (const it of reports) if (it.report === 'recovered') this.parts.clock?.begin(it.journaledMs)
    return reports.reduce((sum, it) => sum + (it.report === 'recovered' ? it.events : 0), 0)
  }

  /** Resolves when all gateways serve clients. */
  private async openGateways(
    { gateways, faults }: Crew,
    start: Omit<GatewayStart, 'index' | 'acceptsPerAddress'>,
  ): Promise<void> {
    this.throwIfEnding()
    this._isOpening = true
    const acceptsPerAddress = acceptsWithin(start.config, start.socketsInAll)
    for (const [index, gateway] of gateways.entries()) {
      const own: GatewayStart = { ...start, index, acceptsPerAddress }
      gateway.begin(own)
    }
    await faults?.begin(this.parts.memory?.faults ?? [])
    await Promise.all(gateways.map((gateway) => gateway.waitFor('ready')))
  }

  /**
   * Places matchers and gateways on their processors, and raises their priorities, once they have created
   * all their threads, which would inherit both.
   */
  private async place(crew: Crew): Promise<void> {
    const { config, log } = this.parts
    const threadsOf = (workers: readonly WorkerHandle[]) =>
      Promise.all(workers.map((worker) => worker.thread()))
    const gateways = await threadsOf(crew.gateways)
    const matchers = await threadsOf(crew.matchers)
    if ([...gateways, ...matchers].every((thread) => thread === undefined)) return
    await keepOn(gateways, config.gatewayProcessors)
    await keepOn(matchers, config.matcherProcessors)
    log.info(raisePriorities({ matchers, gateways }))
  }

  /** Returns undefined when no snapshots are made. */
  private beginSnapshots(
    { config, crew }: Opened,
    startNow: () => ThreadStart,
  ): DerivedWorker | undefined {
    if (config.snapshotMinutes === 0) return undefined
    this.counts.add(ExchangeCounter.threads, 1)
    return crew.derived.beginSnapshots(startNow)
  }

  /** What actions do about the machine's clock. */
  private machineEffects({ config, member, machineClock }: Opened) {
    return {
      machineClock,
      quorumAheadMs: () => member?.aheadMs,
      hasRemovedBlocks: () => fs.existsSync(archiveBaseFile(config.data)),
      startAgain: () => this.parts.events.replaceWanted(() => {}),
    }
  }

  private operate(
    opened: Opened & { readonly token: OwnerToken },
    { regions, balances, role }: Reserved,
    { admin }: Place,
    snapshots: DerivedWorker | undefined,
  ): Operated {
    const { log, events, hire, time } = this.parts
    const { config, folder, crew, member, machineClock } = opened
    const { registry, vault, control } = folder
    const liquidity = new LiquidityWorker(config, time, log, hire)
    const backups = new BackupWorker(config.data, regions, time.wall, log, hire)
    this.roster.onEnd(() => backups.left())
    const drain = new Drain(admin, crew.gateways)
    const states =
      config.sandbox === 'on'
        ? new SavedStates({
            ...{ dataFolder: config.data, control, isCopying: () => backups.isBusy },
            tryContent: (content) => tryContent(config, content, time.wall),
            ...{ replace: events.replaceWanted, marks: this.parts.marks },
          })
        : undefined
    this.roster.onEnd(() => states?.left())
    const plane = new WorkerControlPlane({
      settings: config,
      decided: { registry, vault, control, balances },
      crew: { ...notifiedCrew(opened, regions), backups, snapshots },
      cells: controlPlaneCells(regions),
      condition: {
        isReady: () => admin.isReady,
        degraded: () => admin.degraded,
        whyNoActions: () => whyNoActions(role),
        warnings: this.parts.warnings,
        newestSnapshot: () => snapshotsIn(config.data)[0] ?? 0,
        clock: time,
      },
      effects: {
        listenKeys: new SharedListenKeys(regions.listenKeys, time),
        bookMemory: () => bookMemory(config),
        readAgain: () => this.reload.read(),
        ownerToken: opened.token,
        reloaded: (reread) => {
          this.reload.note(reread)
          if (reread.hasTls) liquidity.trustCertificate()
        },
        ...{ faults: crew.faults?.ofSymbols(registry), states, clock: this.parts.clock },
        ...this.machineEffects(opened),
        scheduleChanged: () => schedules.wake(),
        drain: () => drain.run(),
        // The action that asked for it returns first.
        stop: () => time.defer(events.stopWanted),
        fail: events.failed,
      },
    })
    const executor = new CommandExecutor(registry, vault, plane, time)
    const faucet = new Faucet(config.faucet, executor, registry)
    const fills = new ClientFills(config.faucet, executor.counterparty)
    crew.openHouse((request) =>
      request.ask === 'fill' ? fills.answer(request) : faucet.answer(request),
    )
    member?.run({
      ...{ registry, regions, control, executor, plane, log, failed: events.failed, machineClock },
      led: () => void liquidity.start([], executor, registry),
      left: () => time.defer(events.stopWanted),
      corrected: () => void events.replaceWanted(() => {}).catch(events.failed),
    })
    const schedules = new ScheduleRunner({
      ...{ registry, executor, time, whyNoActions: plane.whyNoActions },
      warn: (sentence) => log.warn(sentence),
    })
    this.roster.onEnd(() => schedules.stop())
    this.parts.clock?.watch(executor)
    this.roster.onEnd(() => this.parts.clock?.forget(executor))
    return { executor, liquidity, backups, drain, schedules, states }
  }

  /** Whether clients may have connected, or soon will. */
  get isOpening(): boolean {
    return this._isOpening
  }

  /** Returns the names of the threads that the stop waits for. */
  awaited(): readonly string[] {
    return this.roster.awaited()
  }

  /**
   * Ends every worker without finishing its work: acknowledged orders are on the disk already. May never
   * resolve, when a thread does not leave LMDB.
   */
  async abort(): Promise<void> {
    this.isEnding = true
    this.phase.enter(Phase.ENDING)
    await this.roster.end()
  }

  /** Gives back what the start has claimed, once it is aborted, where the process continues. */
  async release(): Promise<void> {
    for (const claimed of this.claimed.splice(0).reverse()) await claimed.close()
  }

  /** Throws StartError once the start was given up: no thread begins after the end. */
  private throwIfEnding(): void {
    if (this.isEnding) throw new StartError('The start was given up.')
  }
}

interface FactParts extends Pick<Opened, 'config' | 'member'> {
  readonly registry: Registry
  readonly regions: Regions
}

/** What each worker begins with. */
function factsFor({
  config,
  registry,
  regions,
  member,
}: FactParts): Omit<ThreadStart, 'index' | 'snapshot'> {
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
    klines: registry.klines,
    retention: retentionOf(config, registry.isDemo),
    follows: member?.isFollowing === true,
    replica: member?.memory,
  }
}

/** Bells of workers that sleep until the phase changes. */
const bellsOf = ({ matchers, gateways }: Config): readonly number[] => [
  ...Array.from({ length: matchers }, (_, index) => matcherBellOffset(index)),
  indexerBellOffset(matchers, gateways),
  checkpointerBellOffset(matchers, gateways),
  snapshotBellOffset(matchers, gateways),
]

function notifiedCrew(
  { crew, member }: Opened,
  { bells }: Regions,
): Omit<NotifiedCrew, 'backups' | 'snapshots'> {
  const { matchers, gateways, derived } = crew
  return {
    matchers,
    matcherBells: matchers.map((_, index) => new Doorbell(bells, matcherBellOffset(index))),
    gateways,
    indexer: derived.indexer,
    member,
  }
}

const controlPlaneCells = (regions: Regions): ControlPlaneCells => ({
  maintenance: regions.maintenance,
  counters: regions.counters,
  openCounts: regions.openCounts,
  published: new BigInt64Array(regions.published),
  archived: new BigInt64Array(regions.archived),
  wals: regions.wals.map((memory) => new WalCells(memory)),
  disk: new DiskCells(regions.disk),
})
