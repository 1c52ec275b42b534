/**
 * One reading of the exchange, as the admin server sends it and the operator's screen draws it. Totals are those since the
 * start. Types alone, which a page can import.
 */
import type { DiskReading } from '../shared/disk.ts'
import type { QuorumReading } from '../shared/quorum-counts.ts'
import type { RoleReading } from '../shared/role.ts'

export type Row = Readonly<Record<string, number>>

export interface HistogramReading {
  readonly name: string
  /** Upper bounds of the buckets, in ns or commands. */
  readonly bounds: readonly number[]
  /** By bucket; one more for values above the last bound. */
  readonly counts: readonly number[]
}

export interface Snapshot {
  readonly number: number
  readonly timeMs: number
  readonly bytes: number
}

export interface ScheduleReading {
  readonly name: string
  readonly timeZone: string
  readonly symbols: number
  /** Symbols that an operator holds. */
  readonly held: number
  /** The next change; left out when none is to come. */
  readonly next?: { readonly timeMs: number; readonly status: string }
}

/** A saved state of the sandbox, or a fork. */
export interface SavedState {
  readonly name: string
  readonly kind: 'state' | 'fork'
  readonly timeMs: number
  readonly bytes: number
}

/** A fault rule of the sandbox. */
export interface FaultReading {
  /** As fault-remove takes it. */
  readonly name: string
  readonly do: string
  /** Its other fields, as `operation=placeOrder every=3`. */
  readonly rule: string
  readonly matches: number
  readonly touched: number
  readonly isOver: boolean
}

/** A virtual clock. */
export interface ClockReading {
  readonly nowMs: number
  readonly isPaused: boolean
  /** Times as fast as the machine, while it is not paused. */
  readonly speed: number
  readonly isMoving: boolean
  /** Left out when nothing is due. */
  readonly nextDueMs?: number
  readonly participants: number
  /** Whether it stands still for a participant. */
  readonly isHeld: boolean
  /** Names of the accounts for which it does. */
  readonly heldBy: readonly string[]
}

export interface Figures {
  /** Moment of the reading by the wall clock, ms since 1970. */
  readonly timeMs: number
  /** Steady: rates are taken by it. */
  readonly uptimeSeconds: number
  /** Text of the head; `good` is green. */
  readonly state: { readonly text: string; readonly level: 'good' | 'warn' | 'bad' }
  readonly role: RoleReading
  /** The disk of the data folder; growth is -1 before it is known. */
  readonly disk: DiskReading
  /** What this member brought to the quorum; left out without one. */
  readonly quorum?: QuorumReading
  /** Whether orders are timed. */
  readonly isTimed: boolean
  readonly process: {
    readonly cpuSeconds: number
    readonly residentBytes: number
    readonly sharedBytes: number
    readonly heapBytes: number
  }
  readonly exchange: Row
  readonly matchers: readonly Row[]
  readonly gateways: readonly Row[]
  /** The control journal's, the archive's, then the journals' by matcher. */
  readonly stores: readonly Row[]
  readonly wallet: Row
  readonly gatewayLoops: readonly { readonly activeMs: number; readonly idleMs: number }[]
  /** Columns, by symbol id. */
  readonly symbols: {
    readonly names: readonly string[]
    /** Its phase, with what is wanted where that differs. */
    readonly statuses: readonly string[]
    /** Its group of routed orders, '' for none; empty where there is no group. */
    readonly groups: readonly string[]
    readonly counters: Readonly<Record<string, readonly number[]>>
    /** Refusals of requests that named the symbol. */
    readonly refusals: readonly number[]
  }
  readonly schedules: readonly ScheduleReading[]
  /** Left out while the sandbox is off. */
  readonly states?: readonly SavedState[]
  /** Left out while the sandbox is off. */
  readonly faults?: readonly FaultReading[]
  /** Left out when the clock is the machine's. */
  readonly clock?: ClockReading
  readonly answers: readonly (readonly [status: number, count: number])[]
  readonly refusals: readonly (readonly [code: number, count: number, message: string])[]
  readonly histograms: readonly HistogramReading[]
  readonly rings: readonly {
    readonly gateway: number
    readonly matcher: number
    readonly taken: number
    readonly slots: number
  }[]
  readonly journals: readonly {
    readonly published: number
    readonly checkpointed: number
    readonly archived: number
  }[]
  /** 0 for never. */
  readonly snapshotMinutes: number
  readonly snapshots: readonly Snapshot[]
  /** Why they cannot be read. The other figures are wanted then all the more. */
  readonly snapshotsFailure?: string
  /** Warnings logged since the start. */
  readonly warnings: number
  /** Those that are not as by default; `usual` is '' for none. */
  readonly settings: readonly {
    readonly flag: string
    readonly value: string
    readonly usual: string
  }[]
  /** When the certificate ends; left out without TLS. */
  readonly certificateEndMs?: number
  /** The moment of the newest backup; 0 without one. */
  readonly backupMs: number
}
