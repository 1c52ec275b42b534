/** Opens the admin server once the exchange runs: actions, counters, metrics, figures. */

import { ActionRequests } from '../../admin-api/action-requests.ts'
import type { AdminServer } from '../../admin-api/admin-server.ts'
import { FigureReader, type LoopTime } from '../../admin-api/figures.ts'
import { type Regions, reservedBytes } from '../../agents/memory.ts'
import { answerStatuses, errorCodes, errorMessages } from '../../api/errors.ts'
import type { Time } from '../../base/time.ts'
import { type Config, changedSettings } from '../../config/config.ts'
import type { MachineClock } from '../../control/action.ts'
import { faultReadings, ownerName } from '../../control/actions/faults.ts'
import { groupTexts } from '../../control/actions/groups.ts'
import type { CommandExecutor } from '../../control/command-executor.ts'
import { tradingCount } from '../../control/exchange-state.ts'
import type { Registry } from '../../control/registry.ts'
import type { OwnerToken } from '../../control/token.ts'
import { WalCells } from '../../journal/wal-cells.ts'
import { readCounters } from '../../shared/counters.ts'
import { DiskCells } from '../../shared/disk.ts'
import { QUORUM_COUNTS_BYTES, QuorumCounts } from '../../shared/quorum-counts.ts'
import { RoleCells } from '../../shared/role.ts'
import type { KeptFigures } from '../../telemetry/kept-figures.ts'
import { Metrics, type MetricsParts } from '../../telemetry/metrics.ts'
import type { WarningLog } from '../../telemetry/warning-log.ts'
import type { Reload } from './reload.ts'

interface OpenAdminServerParts {
  readonly config: Config
  readonly registry: Registry
  readonly regions: Regions
  readonly executor: CommandExecutor
  readonly token: OwnerToken
  readonly time: Time
  readonly warnings: WarningLog
  readonly gatewayLoops: () => readonly LoopTime[]
  /** What the replica thread counts; undefined without a quorum. */
  readonly quorumCounts: SharedArrayBuffer | undefined
  /** Undefined where the machine's clock is not watched. */
  readonly machineClock: MachineClock | undefined
  /** Undefined where no figures are kept. */
  readonly kept: KeptFigures | undefined
  /** Knows the settings and the certificate in force. */
  readonly reload: Reload
}

/** Returns the metrics, which alerts are evaluated on whether they are served or not. */
export function openAdminServer(admin: AdminServer, parts: OpenAdminServerParts): Metrics {
  const { config, registry, regions, executor, token } = parts
  const { matchers, gateways } = config
  const { counters } = regions
  const figures = figuresOf(admin, parts)
  const metrics = metricsOf(admin, parts)
  admin.ready({
    readCounters: () => readCounters(counters, matchers, gateways, registry.symbols.length),
    metrics: config.metrics === 'on' ? metrics : undefined,
    actions: new ActionRequests(executor, token, {
      figures: () => figures.read(),
      history: (spanSeconds) => parts.kept?.read(spanSeconds),
    }),
    readDisk: () => new DiskCells(regions.disk).read(),
  })
  return metrics
}

function metricsOf(admin: AdminServer, parts: OpenAdminServerParts): Metrics {
  const { registry, regions, quorumCounts = new SharedArrayBuffer(QUORUM_COUNTS_BYTES) } = parts
  const { matchers, gateways } = parts.config
  const { counters, histograms, outcomes, commandRings } = regions
  return new Metrics({
    clock: parts.time,
    matchers,
    gateways,
    counters,
    histograms,
    outcomes,
    commandRings,
    symbolNames: () => registry.symbols.map(({ name }) => name),
    published: new BigInt64Array(regions.published),
    archived: new BigInt64Array(regions.archived),
    wals: regions.wals.map((memory) => new WalCells(memory)),
    statuses: answerStatuses,
    codes: errorCodes,
    role: new RoleCells(regions.role, parts.time),
    disk: new DiskCells(regions.disk),
    quorum: new QuorumCounts(quorumCounts, parts.time),
    clockAheadMs: () => parts.machineClock?.reading().doubt?.aheadMs ?? 0,
    certificateEndMs: () => parts.reload.certificateEndMs,
    backupMs: () => registry.backupMs,
    sharedBytes: reservedBytes(regions),
    isReady: () => admin.isReady,
    degraded: () => admin.degraded,
    faults: faultReader(parts),
  })
}

/** Reads none while the sandbox is off. */
function faultReader({ executor, registry }: OpenAdminServerParts): MetricsParts['faults'] {
  const book = executor.view.faults
  return () => (book?.rows() ?? []).map((row) => ({ ...row, account: ownerName(row, registry) }))
}

function figuresOf(admin: AdminServer, parts: OpenAdminServerParts): FigureReader {
  const { config, registry, regions, executor, warnings, gatewayLoops, quorumCounts } = parts
  const { matchers, gateways, snapshotMinutes } = config
  const { counters, histograms, outcomes, commandRings } = regions
  return new FigureReader({
    matchers,
    gateways,
    counters,
    histograms,
    outcomes,
    commandRings,
    gatewayLoops,
    dataFolder: config.data,
    symbols: () => registry.symbols,
    groups: () => groupTexts(registry),
    schedules: () => registry.schedules.readings(),
    states: () => executor.view.states?.rows(),
    faults: () => executor.view.faults && faultReadings(executor.view.faults, registry),
    clock: () => executor.view.clock?.state(),
    journals: () => executor.view.journals(),
    statuses: answerStatuses,
    codes: errorCodes.map((code) => [code, errorMessages.get(code)!]),
    role: new RoleCells(regions.role, parts.time),
    disk: new DiskCells(regions.disk),
    quorum: quorumCounts && new QuorumCounts(quorumCounts, parts.time),
    sharedBytes: reservedBytes(regions),
    state: () => ({
      isReady: admin.isReady,
      isReadOnly: admin.hasFailed,
      degradedParts: admin.degradedParts,
      isUnderMaintenance: registry.isUnderMaintenance,
      trading: tradingCount(registry),
    }),
    warnings: () => warnings.count,
    snapshotMinutes,
    isTimed: config.metrics === 'on',
    settings: () => changedSettings(parts.reload.config),
    certificateEndMs: () => parts.reload.certificateEndMs,
    backupMs: () => registry.backupMs,
    nowMs: () => parts.time.nowMs(),
  })
}
