/**
 * The schedules of an exchange, how far each was carried out, and which symbols an operator holds. The sum of
 * the control journal's facts about them; the registry has one.
 */
import { type SymbolStatus, SymbolStatus as statuses } from '../../base/codes.ts'
import type { Ms, SymbolId } from '../../base/units.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { HeldFact, ScheduleFact, TransitionFact } from '../facts.ts'
import { SCHEDULES_MAX, Schedule, statusNames, type Transition } from './schedule.ts'

/** A schedule, and the moment up to which its transitions are made. */
interface Running {
  readonly schedule: Schedule
  readonly madeMs: Ms
}

/** What a screen shows of a schedule. */
export interface ScheduleReading {
  readonly name: string
  readonly timeZone: string
  readonly symbols: number
  /** Symbols that an operator holds. */
  readonly held: number
  /** When the next change comes, and to which status; left out when none is to come. */
  readonly next?: { readonly timeMs: number; readonly status: string }
}

export interface DueTransition extends Transition {
  readonly schedule: string
}

export class Schedules {
  /** By name. */
  private readonly running = new Map<string, Running>()
  /** Ids of symbols that stay as they are. */
  private readonly held = new Set<number>()
  /** Ids of symbols that an operator set to CANCEL_ONLY. */
  private readonly restricted = new Set<number>()
  /** By symbol id: the transition of its schedule that an operator has made ahead of its time. */
  private readonly ahead = new Map<number, Ms>()
  /** Kept, since it is read often. */
  private knownNextMs: number | undefined = undefined
  private knownReadings: readonly ScheduleReading[] | undefined = undefined

  get all(): readonly Schedule[] {
    return [...this.running.values()].map(({ schedule }) => schedule)
  }

  named(name: string): Schedule | undefined {
    return this.running.get(name)?.schedule
  }

  ofSymbol(id: SymbolId): Schedule | undefined {
    return this.all.find(({ spec }) => spec.symbols.includes(id))
  }

  isHeld(id: SymbolId): boolean {
    return this.held.has(id)
  }

  /** When the last change of the symbol is due that was made ahead of its time; 0 without one. */
  aheadOf(id: SymbolId): number {
    return this.ahead.get(id) ?? 0
  }

  /** Throws RangeError for a fact that there is no room for. */
  apply(fact: ScheduleFact | TransitionFact | HeldFact): void {
    this.knownNextMs = undefined
    this.knownReadings = undefined
    switch (fact.fact) {
      case 'schedule':
        this.set(fact)
        break
      case 'transition': {
        const running = this.running.get(fact.schedule)
        if (running === undefined) break
        this.running.set(fact.schedule, { ...running, madeMs: fact.dueMs })
        break
      }
      case 'held':
        if (fact.held) this.held.add(fact.symbol)
        else this.held.delete(fact.symbol)
        if (fact.aheadMs > 0) this.ahead.set(fact.symbol, fact.aheadMs)
        else this.ahead.delete(fact.symbol)
        break
    }
  }

  /** The clock was wrong: what was made later is made up to `nowMs`, and nothing is made ahead. */
  correct(nowMs: Ms): void {
    this.knownNextMs = undefined
    this.knownReadings = undefined
    for (const [name, running] of this.running) {
      if (running.madeMs > nowMs) this.running.set(name, { ...running, madeMs: nowMs })
    }
    this.ahead.clear()
  }

  /** Returns a copy that further facts may be applied to. */
  copy(): Schedules {
    const copy = new Schedules()
    for (const [name, running] of this.running) copy.running.set(name, running)
    for (const id of this.held) copy.held.add(id)
    for (const id of this.restricted) copy.restricted.add(id)
    for (const [id, ms] of this.ahead) copy.ahead.set(id, ms)
    return copy
  }

  /** Returns the first transition of each schedule that is due and not made; see `Schedule.missed`. */
  due(nowMs: Ms): readonly DueTransition[] {
    const due: DueTransition[] = []
    for (const { schedule, madeMs } of this.running.values()) {
      const [first] = schedule.missed(madeMs, nowMs)
      if (first !== undefined) due.push({ ...first, schedule: schedule.spec.name })
    }
    return due.sort((a, b) => a.dueMs - b.dueMs)
  }

  /** When the next transition is due that is not made; infinite when none is to come. */
  get nextMs(): number {
    this.knownNextMs ??= Math.min(
      ...[...this.running.values()].map(({ schedule, madeMs }) => {
        const [next] = schedule.after(madeMs)
        return next?.dueMs ?? Number.POSITIVE_INFINITY
      }),
    )
    return this.knownNextMs
  }

  /** Kept until something changes, since the screen reads them every second. */
  readings(): readonly ScheduleReading[] {
    this.knownReadings ??= [...this.running.values()].map(({ schedule, madeMs }) => {
      const { name, timeZone, symbols } = schedule.spec
      const [next] = schedule.after(madeMs)
      const held = symbols.filter((id) => this.held.has(id)).length
      const reading = { name, timeZone, symbols: symbols.length, held }
      if (next === undefined) return reading
      return { ...reading, next: { timeMs: next.dueMs, status: statusNames[next.status]! } }
    })
    return this.knownReadings
  }

  /** Returns the transition that comes next for the symbol: past what was made ahead of its time. */
  nextOf(id: SymbolId): Transition | undefined {
    for (const { schedule, madeMs } of this.running.values()) {
      if (!schedule.spec.symbols.includes(id)) continue
      const aheadMs = this.ahead.get(id) ?? madeMs
      const [next] = schedule.after(aheadMs > madeMs ? aheadMs : madeMs)
      return next
    }
    return undefined
  }

  /** Returns the status that the schedule has for the symbol now; undefined without a schedule. */
  statusAt(id: SymbolId, nowMs: Ms): SymbolStatus | undefined {
    const schedule = this.ofSymbol(id)
    if (schedule === undefined) return undefined
    const aheadMs = this.ahead.get(id) ?? nowMs
    return schedule.lastUntil(aheadMs > nowMs ? aheadMs : nowMs)?.status
  }

  /** Whether a new schedule reaches the symbol: operators alone end a stop or a hold. */
  isReached(spec: SymbolSpec): boolean {
    return !this.isStopped(spec) && !this.held.has(spec.id)
  }

  /** Whether an operator has stopped the symbol: it stays so until an operator resumes it, or sets its status. */
  isStopped({ id, status }: SymbolSpec): boolean {
    return status === statuses.HALT || this.restricted.has(id)
  }

  /** The symbol has this status from now on. Without `byOperator` a CANCEL_ONLY stays whose it was. */
  noteStatus(id: SymbolId, status: SymbolStatus, byOperator?: boolean): void {
    if (status !== statuses.CANCEL_ONLY || byOperator === false) this.restricted.delete(id)
    else if (byOperator === true) this.restricted.add(id)
  }

  /** Whether a transition reaches the symbol. */
  reaches(spec: SymbolSpec, dueMs: Ms): boolean {
    return this.isReached(spec) && this.aheadOf(spec.id) < dueMs
  }

  /** What was made ahead of its time was measured by the schedule as it was. */
  private set({ fact: _, fromMs, ...spec }: ScheduleFact): void {
    const before = this.named(spec.name)?.spec.symbols ?? []
    for (const id of [...before, ...spec.symbols]) this.ahead.delete(id)
    if (spec.phases.length === 0 && spec.ownDays === undefined) {
      this.running.delete(spec.name)
      return
    }
    if (!this.running.has(spec.name) && this.running.size >= SCHEDULES_MAX) {
      throw new RangeError(`there is room for ${SCHEDULES_MAX} schedules, not for another`)
    }
    this.running.set(spec.name, { schedule: new Schedule(spec), madeMs: fromMs })
  }
}
