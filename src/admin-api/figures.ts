/**
 * What the operator's screen draws: every counter, histogram and lag at one moment, as JSON. Totals are
 * those since the start; the screen takes rates from two readings. A reading delays no thread. What it
 * holds follows from settings and listings; of clients it has their fault rules alone, which are bounded.
 */
import { statSync } from 'node:fs'
import type { SymbolStatus } from '../base/codes.ts'
import { SymbolId } from '../base/units.ts'
import type { ClockState } from '../base/virtual-clock.ts'
import type { JournalPoint } from '../control/action.ts'
import type { FaultReading } from '../control/actions/faults.ts'
import { actualStatus, phasesIn } from '../control/actual-status.ts'
import { exchangeState, type StateParts } from '../control/exchange-state.ts'
import type { ScheduleReading } from '../control/schedule/schedules.ts'
import { snapshotFile, snapshotsIn } from '../journal/snapshot.ts'
import type { SavedState } from '../journal/states.ts'
import { commandRingUse } from '../ring/command-ring.ts'
import { type CounterReading, readCounters } from '../shared/counters.ts'
import type { DiskCells } from '../shared/disk.ts'
import { readHistograms } from '../shared/histograms.ts'
import { OutcomeReader } from '../shared/outcomes.ts'
import type { QuorumCounts } from '../shared/quorum-counts.ts'
import type { RoleCells } from '../shared/role.ts'
import type { ClockReading, Figures, Row } from './readings.ts'

/** Time that a thread's event loop worked and waited, since its start. */
export interface LoopTime {
  readonly activeMs: number
  readonly idleMs: number
}

export interface FigureParts {
  readonly dataFolder: string
  readonly matchers: number
  readonly gateways: number
  /** By id. */
  readonly symbols: () => readonly { readonly name: string; readonly status: SymbolStatus }[]
  /** By symbol id; empty where there is no group of routed orders. */
  readonly groups: () => readonly string[]
  readonly schedules: () => readonly ScheduleReading[]
  /** Undefined while the sandbox is off. */
  readonly states: () => readonly SavedState[] | undefined
  /** The fault rules; undefined while the sandbox is off. */
  readonly faults: () => readonly FaultReading[] | undefined
  /** Undefined when the clock is the machine's. */
  readonly clock: () => ClockState | undefined
  readonly counters: SharedArrayBuffer
  readonly histograms: SharedArrayBuffer
  readonly outcomes: SharedArrayBuffer
  /** By gateway, then matcher. */
  readonly commandRings: readonly (readonly SharedArrayBuffer[])[]
  readonly journals: () => readonly JournalPoint[]
  readonly gatewayLoops: () => readonly LoopTime[]
  /** Every status of a response. */
  readonly statuses: readonly number[]
  /** Every code of a refusal, with its message where it has one alone. */
  readonly codes: readonly (readonly [code: number, message: string])[]
  readonly sharedBytes: number
  readonly role: Pick<RoleCells, 'read'>
  readonly disk: Pick<DiskCells, 'read'>
  /** Left out without a quorum. */
  readonly quorum: Pick<QuorumCounts, 'read'> | undefined
  /** What the head of the screen shows, except what is read here. */
  readonly state: () => Omit<StateParts, 'role' | 'disk' | 'quorumWaitMs'>
  /** Warnings logged since the start. */
  readonly warnings: () => number
  /** Snapshots are made at intervals; 0 for never. */
  readonly snapshotMinutes: number
  /** Whether orders are timed. */
  readonly isTimed: boolean
  /** Those that are not as by default. */
  readonly settings: () => Figures['settings']
  /** When the certificate ends; undefined without TLS. */
  readonly certificateEndMs: () => number | undefined
  /** The moment of the newest backup; 0 without one. */
  readonly backupMs: () => number
  readonly nowMs: () => number
}

export class FigureReader {
  private readonly parts: FigureParts
  private readonly outcomes: OutcomeReader

  constructor(parts: FigureParts) {
    this.parts = parts
    this.outcomes = new OutcomeReader(parts.outcomes, parts.gateways)
  }

  read(): Figures {
    const { histograms, matchers, gateways, state, nowMs, warnings } = this.parts
    const { statuses, codes, gatewayLoops, journals, snapshotMinutes, isTimed } = this.parts
    const outcomes = this.outcomes
    const role = this.parts.role.read()
    const disk = this.parts.disk.read()
    const quorum = this.parts.quorum?.read()
    return {
      timeMs: nowMs(),
      uptimeSeconds: process.uptime(),
      state: exchangeState({ ...state(), role, disk, quorumWaitMs: quorum?.waitMs ?? 0 }),
      role,
      disk,
      ...(quorum && { quorum }),
      isTimed,
      process: this.readProcess(),
      ...this.readCounters(),
      gatewayLoops: gatewayLoops(),
      schedules: this.parts.schedules(),
      ...this.readSandbox(),
      answers: statuses
        .map((status) => [status, outcomes.answers(status)] as const)
        .filter(([, count]) => count > 0),
      refusals: codes
        .map(([code, message]) => [code, outcomes.refusals(code), message] as const)
        .filter(([, count]) => count > 0),
      histograms: readHistograms(histograms, matchers, gateways).map(
        ({ name, bounds, counts }) => ({ name, bounds, counts }),
      ),
      rings: this.readRings(),
      journals: journals(),
      snapshotMinutes,
      ...readSnapshots(this.parts.dataFolder),
      warnings: warnings(),
      settings: this.parts.settings(),
      ...this.readDates(),
    }
  }

  private readDates(): Pick<Figures, 'certificateEndMs' | 'backupMs'> {
    const certificateEndMs = this.parts.certificateEndMs()
    const backupMs = this.parts.backupMs()
    return certificateEndMs === undefined ? { backupMs } : { certificateEndMs, backupMs }
  }

  private readSandbox(): Pick<Figures, 'states' | 'faults' | 'clock'> {
    const states = this.parts.states()
    const faults = this.parts.faults()
    const clock = clockReading(this.parts.clock())
    return { ...(states && { states }), ...(faults && { faults }), ...(clock && { clock }) }
  }

  private readProcess(): Figures['process'] {
    const { user, system } = process.cpuUsage()
    const { rss: residentBytes, heapUsed: heapBytes } = process.memoryUsage()
    const { sharedBytes } = this.parts
    return { cpuSeconds: (user + system) / 1e6, residentBytes, sharedBytes, heapBytes }
  }

  private readCounters(): Pick<
    Figures,
    'exchange' | 'matchers' | 'gateways' | 'stores' | 'wallet' | 'symbols'
  > {
    const { counters, matchers, gateways, symbols } = this.parts
    const listed = symbols()
    const readings = readCounters(counters, matchers, gateways, listed.length)
    const [exchange = {}] = rowsOf(readings, 'exchange')
    const [wallet = {}] = rowsOf(readings, 'wallet')
    const phases = phasesIn(readings)
    return {
      exchange,
      matchers: rowsOf(readings, 'matcher'),
      gateways: rowsOf(readings, 'gateway'),
      stores: rowsOf(readings, 'store'),
      wallet,
      symbols: {
        names: listed.map(({ name }) => name),
        statuses: listed.map(({ status }, id) => actualStatus(status, phases[id] ?? 0)),
        groups: this.parts.groups(),
        counters: columnsOf(readings),
        refusals: listed.map((_, id) => this.outcomes.refusalsOn(SymbolId(id))),
      },
    }
  }

  private readRings(): Figures['rings'] {
    return this.parts.commandRings.flatMap((rings, gateway) =>
      rings.map((ring, matcher) => ({ gateway, matcher, ...commandRingUse(ring) })),
    )
  }
}

function clockReading(state: ClockState | undefined): ClockReading | undefined {
  if (state === undefined) return undefined
  const { nextDueMs, ...always } = state
  return nextDueMs === undefined ? always : { ...always, nextDueMs }
}

/** By index of the thread. */
function rowsOf(readings: readonly CounterReading[], wanted: CounterReading['scope']): Row[] {
  const rows: Record<string, number>[] = []
  for (const { scope, index, name, value } of readings) {
    if (scope !== wanted) continue
    rows[index] ??= {}
    rows[index][name] = value
  }
  return rows
}

function columnsOf(readings: readonly CounterReading[]): Record<string, number[]> {
  const columns: Record<string, number[]> = {}
  for (const { scope, name, value } of readings) {
    if (scope !== 'symbol') continue
    columns[name] ??= []
    columns[name].push(value)
  }
  return columns
}

type SnapshotReading = Pick<Figures, 'snapshots' | 'snapshotsFailure'>

function readSnapshots(dataFolder: string): SnapshotReading {
  try {
    return { snapshots: snapshotFiles(dataFolder) }
  } catch (error) {
    return { snapshots: [], snapshotsFailure: (error as Error).message }
  }
}

/** The newest first. One that is removed meanwhile is left out. Throws StorageError, or the fault of a file. */
function snapshotFiles(dataFolder: string): Figures['snapshots'] {
  return snapshotsIn(dataFolder).flatMap((number) => {
    const file = statSync(snapshotFile(dataFolder, number), { throwIfNoEntry: false })
    if (file === undefined) return []
    return [{ number, timeMs: Math.round(file.mtimeMs), bytes: file.size }]
  })
}
