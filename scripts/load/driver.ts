/**
 * Sends what is due when it is due, whatever became of earlier requests, and notes what came of each.
 * A ramp ends with the first step that the target does not hold: at its end more than half a second
 * of arrivals were not answered, or more than one in a hundred was left out.
 */
import type { Work } from './account-orders.ts'
import type { Actor } from './actors.ts'
import type { LimitGate } from './limit-gate.ts'
import type { Measure, OutcomeKind } from './measure.ts'
import type { Schedule } from './schedule.ts'
import type { Answer, Target } from './target.ts'

export interface DriverParts {
  readonly schedule: Schedule
  readonly measure: Measure
  readonly gate: LimitGate
  readonly target: Target
  /** Who does something at an arrival; undefined for none. */
  readonly pick: () => Actor
  readonly isRamp: boolean
  readonly honorsLimits: boolean
  readonly inFlightMax: number
  /** Called a few times a second, with ms after the start. */
  readonly shown: (elapsedMs: number) => void
}

/** How a step of the schedule went. */
export interface StepResult {
  readonly perSecond: number
  readonly seconds: number
  /** Requests that waited for their answers at its end. */
  readonly inFlight: number
  readonly withheld: number
  readonly isHeld: boolean
}

const TICK_MS = 1
const SHOW_MS = 200
/** Arrivals of a step that may wait at its end: so many seconds of them, and always so many. */
const BACKLOG_SECONDS = 0.5
const BACKLOG_REQUESTS = 50
const LEFT_OUT_SHARE = 0.01
const PICKS_MAX = 4

export class Driver {
  private readonly parts: DriverParts
  private readonly _steps: StepResult[] = []
  private readonly beganMs = performance.now()
  private step = 0
  private withheldBefore = 0
  private shownMs = 0
  private isAborted = false
  private outstanding = 0
  private drained: () => void = () => {}

  constructor(parts: DriverParts) {
    this.parts = parts
  }

  /** Results of the steps that are over. */
  get steps(): readonly StepResult[] {
    return this._steps
  }

  /** Since the load began. */
  get elapsedMs(): number {
    return this.nowMs()
  }

  /** Ends the load now; `run` then resolves as at its end. */
  abort(): void {
    this.isAborted = true
  }

  /** Resolves with its length, ms, when the schedule is over and everything is answered or given up. */
  async run(): Promise<number> {
    const elapsedMs = await new Promise<number>((resolve) => {
      const tick = () => {
        const nowMs = this.nowMs()
        if (!this.isAborted) this.sendDue(nowMs)
        if (this.isOver(nowMs)) {
          resolve(nowMs)
          return
        }
        this.show(nowMs)
        setTimeout(tick, TICK_MS)
      }
      tick()
    })
    await new Promise<void>((resolve) => {
      this.drained = resolve
      if (this.outstanding === 0) resolve()
    })
    return elapsedMs
  }

  private nowMs(): number {
    return performance.now() - this.beganMs
  }

  /** Judges the steps that have ended. */
  private isOver(nowMs: number): boolean {
    const { schedule, isRamp } = this.parts
    const isEnd = nowMs >= schedule.endMs || this.isAborted
    const now = isEnd ? schedule.steps.length : schedule.stepAt(nowMs)
    while (this.step < now && !this.isAborted) {
      this.judge()
      if (isRamp && !this._steps.at(-1)!.isHeld) return true
    }
    return isEnd
  }

  private judge(): void {
    const { schedule, measure } = this.parts
    const { perSecond, seconds } = schedule.steps[this.step]!
    const withheld = measure.withheldCount - this.withheldBefore
    const allowed = Math.max(BACKLOG_REQUESTS, perSecond * BACKLOG_SECONDS)
    const isServed = withheld <= perSecond * seconds * LEFT_OUT_SHARE
    const isHeld = isServed && this.outstanding <= allowed
    this._steps.push({ perSecond, seconds, inFlight: this.outstanding, withheld, isHeld })
    this.withheldBefore = measure.withheldCount
    this.step++
  }

  private sendDue(nowMs: number): void {
    const { schedule, measure, gate, honorsLimits, inFlightMax, pick } = this.parts
    for (let dueMs = schedule.nextDueMs(); dueMs <= nowMs; dueMs = schedule.nextDueMs()) {
      schedule.advance()
      const isPaused = honorsLimits && gate.isPausedAt(nowMs)
      const isFull = isPaused || this.outstanding >= inFlightMax
      const work = isFull ? undefined : workOf(pick)
      if (work === undefined) measure.withheld(dueMs)
      else void this.send(work, dueMs)
    }
  }

  private async send(work: Work, dueMs: number): Promise<void> {
    const { measure, gate, target } = this.parts
    this.outstanding++
    const begunMs = this.nowMs()
    let sentMs = begunMs
    measure.sent(dueMs, begunMs)
    const answer = await target.send(work.request, () => {
      sentMs = this.nowMs()
    })
    const nowMs = this.nowMs()
    const kind = kindOf(answer, gate.note(answer, nowMs))
    measure.done(work.action, outcomeOf(answer), kind, dueMs, nowMs, { begunMs, sentMs })
    work.settle(answer)
    this.outstanding--
    if (this.outstanding === 0) this.drained()
  }

  private show(nowMs: number): void {
    if (nowMs - this.shownMs < SHOW_MS) return
    this.shownMs = nowMs
    this.parts.shown(nowMs)
  }
}

/** An actor with nothing to send leaves the arrival to another. */
function workOf(pick: () => Actor): Work | undefined {
  for (let tried = 0; tried < PICKS_MAX; tried++) {
    const work = pick()()
    if (work !== undefined) return work
  }
  return undefined
}

function kindOf({ status }: Answer, isLimit: boolean): OutcomeKind {
  if (isLimit) return 'limited'
  if (status === 200) return 'answered'
  return status === 0 || status >= 500 ? 'failed' : 'refused'
}

function outcomeOf({ status, code, failure }: Answer): string {
  if (failure !== '') return failure
  return code === 0 ? String(status) : `${status} ${code}`
}
