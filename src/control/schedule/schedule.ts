/**
 * Schedules: which status a group of symbols has at which times of a business day, in a time zone. Pure: asked
 * for a span of time, a schedule returns the transitions within it. Between two transitions, overnight and over
 * holidays, the last status stays.
 */
import { namesOf, type SymbolStatus, SymbolStatus as statuses } from '../../base/codes.ts'
import { Ms, type SymbolId } from '../../base/units.ts'
import { DAY_MS } from '../../market/intervals.ts'
import { Zone } from './zone.ts'

/** Bounds of one schedule, and of all. */
export const SCHEDULES_MAX = 64
export const PHASES_PER_DAY_MAX = 64
export const HOLIDAYS_MAX = 1_000

/** The business day of 1970-01-01 was a Thursday. */
export const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const
const EPOCH_WEEKDAY = 4
/** How far a schedule is followed without a transition: past the longest row of holidays. */
const DAYS_AHEAD_MAX = HOLIDAYS_MAX + 14

export const statusNames = namesOf(statuses)

/** A status that begins at a time of the day. */
export interface ScheduledPhase {
  /** After local midnight, below a day. */
  readonly seconds: number
  readonly status: SymbolStatus
}

/** A date with other changes than usual, such as an early close; whatever its weekday. */
export interface HalfDay {
  /** Days since 1970-01-01. */
  readonly date: number
  /** Instead of the usual ones; likewise in order. */
  readonly phases: readonly ScheduledPhase[]
}

/** Weekdays with other changes than the usual ones, such as the opening of a week. */
export interface OwnDays {
  /** Numbers of weekdays, ascending. */
  readonly days: readonly number[]
  /** In the order of their times. */
  readonly phases: readonly ScheduledPhase[]
}

/** As the control journal has it. */
export interface ScheduleSpec {
  readonly name: string
  readonly symbols: readonly SymbolId[]
  /** A name of the IANA database. */
  readonly timeZone: string
  /** Numbers of weekdays that have the usual changes, Sunday first. */
  readonly days: readonly number[]
  /** None of which is among `days`. None when left out. */
  readonly ownDays?: readonly OwnDays[]
  /** In the order of their times, which differ. */
  readonly phases: readonly ScheduledPhase[]
  /** Dates without any transition: days since 1970-01-01, ascending. */
  readonly holidays: readonly number[]
  /** By date, none of which is a holiday. None when left out. */
  readonly halfDays?: readonly HalfDay[]
}

export interface Transition {
  readonly dueMs: Ms
  readonly status: SymbolStatus
  /** The business day. */
  readonly date: number
}

/** Whether the name is a time zone that this Node.js knows. */
export function isTimeZone(name: string): boolean {
  try {
    new Zone(name)
    return true
  } catch {
    return false
  }
}

export class Schedule {
  readonly spec: ScheduleSpec
  private readonly zone: Zone
  /** By date: the changes of holidays, which have none, and of half days. */
  private readonly unusual = new Map<number, readonly ScheduledPhase[]>()
  /** By weekday; a day that is not in it has no change. */
  private readonly weekly = new Map<number, readonly ScheduledPhase[]>()

  /** Throws RangeError for an unknown time zone. */
  constructor(spec: ScheduleSpec) {
    this.spec = spec
    this.zone = new Zone(spec.timeZone)
    for (const day of spec.days) this.weekly.set(day, spec.phases)
    for (const { days, phases } of spec.ownDays ?? []) {
      for (const day of days) this.weekly.set(day, phases)
    }
    for (const date of spec.holidays) this.unusual.set(date, [])
    for (const { date, phases } of spec.halfDays ?? []) this.unusual.set(date, phases)
  }

  /**
   * Yields the transitions after `afterMs`, in their order. Of transitions that the clocks make fall together
   * the last one counts. Ends when none comes within `DAYS_AHEAD_MAX` days.
   */
  *after(afterMs: Ms): Generator<Transition> {
    let waiting: Transition | undefined
    const today = this.zone.dateAt(afterMs)
    let last = today
    for (let date = today - 1; date - last <= DAYS_AHEAD_MAX; date++) {
      for (const transition of this.of(date)) {
        if (transition.dueMs <= afterMs) continue
        if (waiting !== undefined && waiting.dueMs < transition.dueMs) yield waiting
        waiting = transition
        last = date
      }
      // Clocks of the next day may still make it fall together with the first one there.
      if (waiting !== undefined && waiting.date < date) {
        yield waiting
        waiting = undefined
      }
    }
  }

  /** Returns the last transition up to a moment; undefined when there was none for long. */
  lastUntil(timeMs: Ms): Transition | undefined {
    const today = this.zone.dateAt(timeMs)
    for (let date = today + 1; today - date <= DAYS_AHEAD_MAX; date--) {
      const made = this.of(date).findLast(({ dueMs }) => dueMs <= timeMs)
      if (made !== undefined) return made
    }
    return undefined
  }

  /**
   * Returns the transitions in (afterMs, untilMs] that are made up for when nobody made them: what was left of
   * the business day of `afterMs`, and the last business day. On the days between no order came, so that their
   * calls would have traded nothing.
   */
  missed(afterMs: Ms, untilMs: Ms): readonly Transition[] {
    const last = this.lastUntil(untilMs)
    if (last === undefined || last.dueMs <= afterMs) return []
    const begun = this.lastUntil(afterMs)
    const missed: Transition[] = []
    if (begun !== undefined && begun.date !== last.date) {
      for (const transition of this.after(afterMs)) {
        if (transition.date !== begun.date) break
        missed.push(transition)
      }
    }
    const [first] = this.of(last.date) as readonly [Transition, ...Transition[]]
    const madeMs = missed.at(-1)?.dueMs ?? afterMs
    for (const transition of this.after(Ms(Math.max(madeMs, first.dueMs - 1)))) {
      if (transition.dueMs > untilMs) break
      missed.push(transition)
    }
    return missed
  }

  /** Returns all transitions of a business day; none of another day. */
  private of(date: number): readonly Transition[] {
    const weekday = (((date + EPOCH_WEEKDAY) % 7) + 7) % 7
    const phases = this.unusual.get(date) ?? this.weekly.get(weekday) ?? []
    return phases.map(({ seconds, status }) => ({
      dueMs: this.zone.momentOf(date, seconds),
      status,
      date,
    }))
  }
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** `2026-12-25` → days since 1970-01-01; undefined for a text that is no date. */
export function dateOf(text: string): number | undefined {
  const [, year, month, day] = DATE.exec(text) ?? []
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day))
  return year !== undefined && dateText(ms / DAY_MS) === text ? ms / DAY_MS : undefined
}

export const dateText = (date: number): string =>
  new Date(date * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length)
