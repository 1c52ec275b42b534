/** Makes what operators act by: the executor of actions, and all that actions reach. */
import * as fs from 'node:fs'
import type { AdminServer } from '../../admin-api/admin-server.ts'
import { bookMemory } from '../../agents/book-memory.ts'
import { matcherBellOffset } from '../../agents/memory.ts'
import { ClientFills } from '../../control/client-fills.ts'
import { CommandExecutor } from '../../control/command-executor.ts'
import { Faucet } from '../../control/faucet.ts'
import { SavedStates } from '../../control/saved-states.ts'
import { ScheduleRunner } from '../../control/schedule/schedule-runner.ts'
import type { OwnerToken } from '../../control/token.ts'
import {
  type ActionEffects,
  type ControlPlaneCells,
  type NotifiedCrew,
  WorkerControlPlane,
} from '../../control/worker-control-plane.ts'
import { SharedListenKeys } from '../../gateway/streams/listen-keys.ts'
import { archiveBaseFile } from '../../journal/sealed-segments.ts'
import { snapshotsIn } from '../../journal/snapshot.ts'
import { WalCells } from '../../journal/wal-cells.ts'
import { Doorbell } from '../../ring/doorbell.ts'
import { ExchangeCounter } from '../../shared/counters.ts'
import { DiskCells } from '../../shared/disk.ts'
import { BackupWorker } from '../../workers/backup-worker.ts'
import type { DerivedWorker } from '../../workers/derived-worker.ts'
import { LiquidityWorker } from '../../workers/liquidity-worker.ts'
import { tryContent } from '../main/content-room.ts'
import { whyNoActions } from '../main/quorum-member.ts'
import { type Claimed, Drain } from '../main/running-exchange.ts'
import { type Opened, openToken } from './open.ts'
import type { Recovered } from './recover.ts'
import type { Reserved } from './reserve.ts'
import type { Starting } from './starting.ts'

/** What actions reach. */
interface Reached {
  readonly token: OwnerToken
  readonly liquidity: LiquidityWorker
  readonly backups: BackupWorker
  /** Undefined when no snapshots are made. */
  readonly snapshots: DerivedWorker | undefined
  readonly drain: Drain
  /** Undefined while the sandbox is off. */
  readonly states: SavedStates | undefined
}

export interface Operated extends Reached {
  readonly executor: CommandExecutor
  readonly schedules: ScheduleRunner
}

export function operate(
  starting: Starting,
  { admin }: Claimed,
  opened: Opened,
  reserved: Reserved,
  { startNow }: Recovered,
): Operated {
  const { parts, roster } = starting
  const { time, clock, log } = parts
  const { config, folder } = opened
  const { registry, vault, control } = folder
  const snapshots = beginSnapshots(starting, opened, startNow)
  const reached = { ...reach(starting, opened, reserved, admin), snapshots }
  const plane = new WorkerControlPlane({
    settings: config,
    decided: { registry, vault, control, balances: reserved.balances },
    crew: crewOf(opened, reserved, reached),
    cells: cellsOf(reserved),
    condition: {
      isReady: () => admin.isReady,
      degraded: () => admin.degraded,
      whyNoActions: () => whyNoActions(reserved.role),
      warnings: parts.warnings,
      newestSnapshot: () => snapshotsIn(config.data)[0] ?? 0,
      clock: time,
    },
    effects: effectsOf(starting, opened, reserved, reached),
  })
  const executor = new CommandExecutor(registry, vault, plane, time)
  serveHouse(opened, executor)
  runMember(starting, opened, reserved, { ...reached, plane, executor })
  const schedules = new ScheduleRunner({
    registry,
    executor,
    time,
    whyNoActions: plane.whyNoActions,
    warn: (sentence) => log.warn(sentence),
  })
  plane.onScheduleChanged(() => schedules.wake())
  roster.onEnd(() => schedules.stop())
  clock?.watch(executor)
  roster.onEnd(() => clock?.forget(executor))
  return { ...reached, executor, schedules }
}

function beginSnapshots(
  { counts }: Starting,
  { config, crew }: Opened,
  startNow: Recovered['startNow'],
): DerivedWorker | undefined {
  if (config.snapshotMinutes === 0) return undefined
  counts.add(ExchangeCounter.threads, 1)
  return crew.derived.beginSnapshots(startNow)
}

function reach(
  starting: Starting,
  { token = openToken(starting), config, folder, crew }: Opened,
  { regions }: Reserved,
  admin: AdminServer,
): Omit<Reached, 'snapshots'> {
  const { parts, roster, hireUnlisted } = starting
  const { log, time, events, marks } = parts
  const liquidity = new LiquidityWorker(config, time, log, hireUnlisted)
  const backups = new BackupWorker(config.data, regions, time.wall, log, hireUnlisted)
  roster.onEnd(() => backups.left())
  const drain = new Drain(admin, crew.gateways)
  if (config.sandbox === 'off') return { token, liquidity, backups, drain, states: undefined }
  const states = new SavedStates({
    dataFolder: config.data,
    control: folder.control,
    isCopying: () => backups.isBusy,
    tryContent: (content) => tryContent(config, content, time.wall),
    replace: events.replaceWanted,
    marks,
    isUndoable: parts.chainPort?.isUndoable ?? true,
  })
  roster.onEnd(() => states.left())
  return { token, liquidity, backups, drain, states }
}

function effectsOf(
  { parts, reload }: Starting,
  { config, folder, crew, member, machineClock }: Opened,
  { regions }: Reserved,
  { token, liquidity, drain, states }: Reached,
): ActionEffects {
  const { time, clock, events } = parts
  return {
    listenKeys: new SharedListenKeys(regions.listenKeys, time),
    bookMemory: () => bookMemory(config),
    readAgain: () => reload.read(),
    ownerToken: token,
    reloaded: (reread) => {
      reload.note(reread)
      if (reread.hasTls) liquidity.trustCertificate()
    },
    faults: crew.faults?.ofSymbols(folder.registry),
    states,
    networks: parts.networks,
    clock,
    machineClock,
    quorumAheadMs: () => member?.aheadMs,
    hasRemovedBlocks: () => fs.existsSync(archiveBaseFile(config.data)),
    startAgain: () => events.replaceWanted(() => {}),
    drain: () => drain.run(),
    // The action that asked for it returns first.
    stop: () => time.defer(events.stopWanted),
    fail: events.failed,
  }
}

/** Requests of clients to the sandbox. */
function serveHouse({ config, folder, crew }: Opened, executor: CommandExecutor): void {
  const faucet = new Faucet(config.faucet, executor, folder.registry)
  const fills = new ClientFills(config.faucet, executor.counterparty)
  crew.openHouse((request) =>
    request.ask === 'fill' ? fills.answer(request) : faucet.answer(request),
  )
}

function runMember(
  { parts: { log, time, events } }: Starting,
  { folder, member, machineClock }: Opened,
  { regions }: Reserved,
  { liquidity, plane, executor }: Acting,
): void {
  const { registry, control } = folder
  member?.run({
    registry,
    regions,
    control,
    executor,
    plane,
    log,
    failed: events.failed,
    machineClock,
    led: () => void liquidity.start([], executor, registry),
    left: () => time.defer(events.stopWanted),
    corrected: () => void events.replaceWanted(() => {}).catch(events.failed),
  })
}

interface Acting extends Pick<Reached, 'liquidity'> {
  readonly plane: WorkerControlPlane
  readonly executor: CommandExecutor
}

function crewOf(
  { crew, member }: Opened,
  { regions: { bells } }: Reserved,
  { backups, snapshots }: Reached,
): NotifiedCrew {
  const { matchers, gateways, derived } = crew
  return {
    matchers,
    matcherBells: matchers.map((_, index) => new Doorbell(bells, matcherBellOffset(index))),
    gateways,
    indexer: derived.indexer,
    snapshots,
    backups,
    member,
  }
}

const cellsOf = ({ regions }: Reserved): ControlPlaneCells => ({
  maintenance: regions.maintenance,
  counters: regions.counters,
  accountLatency: regions.accountLatency,
  openCounts: regions.openCounts,
  published: new BigInt64Array(regions.published),
  archived: new BigInt64Array(regions.archived),
  wals: regions.wals.map((memory) => new WalCells(memory)),
  disk: new DiskCells(regions.disk),
})
