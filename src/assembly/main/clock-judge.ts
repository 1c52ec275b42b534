/**
 * Whether a step of the machine's wall clock is believed. A clock that is wrong for a moment must not stamp the
 * journal, whose time never goes back. So the exchange's own time is the monotonic clock and an offset, and this
 * rule decides when the offset follows the machine:
 *
 * | the machine's clock                                   | then                                        |
 * |-------------------------------------------------------|---------------------------------------------|
 * | went back                                             | is followed at once                         |
 * | went forward by `stepMs` at most, in any `AGREE_MS`   | is followed at once                         |
 * | went forward by a day at most                         | is followed once it has agreed `AGREE_MS`   |
 * | went further                                          | is followed once an operator believes it    |
 * | at a start: is ahead of the journal by `GAP_MS`       | likewise, and no order is taken until then  |
 *
 * Forward counts from the latest time that was followed: a clock that went back may return.
 */
import { DAY_MS } from '../../market/intervals.ts'

/** For how long a doubted step must stay what it is. */
export const AGREE_MS = 60_000
/** A larger step is never believed by itself. */
export const STEP_MS_MAX = DAY_MS
/** An absence that a start believes. */
export const GAP_MS = 30 * DAY_MS
/** Two readings of a doubted clock agree within this. */
const SAME_MS = 1_000
/** The two clocks are not read at one moment. */
const JITTER_MS = 1

export interface ClockReading {
  /** The machine's wall clock, ms. */
  readonly machineMs: number
  /** The exchange's own time, ms. */
  readonly nowMs: number
  /** The monotonic time, ms and fractions. */
  readonly elapsedMs: number
  /** Whether the own time is the journal's last: how long the exchange was absent is unknown. */
  readonly isAwaited: boolean
}

type OwnTime = Pick<ClockReading, 'nowMs' | 'elapsedMs'>

/** A step that is not believed. */
export interface Doubt {
  /** By how much the machine's clock is ahead of the exchange's own time. */
  readonly aheadMs: number
  /** In how long it is believed if it stays; undefined when only an operator decides. */
  readonly believedInMs: number | undefined
}

export class ClockJudge {
  private readonly stepMs: number
  /** The latest offset that was followed. */
  private highestMs = Number.NEGATIVE_INFINITY
  /** Forward steps of the window that began at `windowMs`. */
  private climbedMs = 0
  private windowMs = Number.NEGATIVE_INFINITY
  /** The offset that is doubted, and since when it has been the same, monotonic. */
  private doubted: { readonly offsetMs: number; readonly sinceMs: number } | undefined = undefined

  /** `stepMs` is the largest forward step that is followed at once. */
  constructor(stepMs: number) {
    this.stepMs = stepMs
  }

  /** The own time is what forward counts from: of a start, or by a decision. */
  trust({ nowMs, elapsedMs }: OwnTime): void {
    this.highestMs = nowMs - elapsedMs
    this.doubted = undefined
  }

  /** Returns undefined when the own time is to follow the machine's, or is the same. */
  judge({ machineMs, nowMs, elapsedMs, isAwaited }: ClockReading): Doubt | undefined {
    const offsetMs = machineMs - elapsedMs
    const forwardMs = offsetMs - this.highestMs
    const isBelieved = isAwaited
      ? forwardMs <= GAP_MS
      : this.isBelieved(forwardMs, offsetMs, elapsedMs)
    if (isBelieved) {
      this.highestMs = Math.max(this.highestMs, offsetMs)
      this.doubted = undefined
      return undefined
    }
    const mayBeBelieved = !isAwaited && forwardMs <= STEP_MS_MAX
    const believedInMs = mayBeBelieved ? AGREE_MS - (elapsedMs - this.doubted!.sinceMs) : undefined
    return { aheadMs: machineMs - nowMs, believedInMs }
  }

  private isBelieved(forwardMs: number, offsetMs: number, elapsedMs: number): boolean {
    if (elapsedMs - this.windowMs >= AGREE_MS) {
      this.windowMs = elapsedMs
      this.climbedMs = 0
    }
    if (this.climbedMs + forwardMs <= this.stepMs) {
      if (forwardMs > JITTER_MS) this.climbedMs += forwardMs
      return true
    }
    return this.doubt(offsetMs, elapsedMs) >= AGREE_MS && forwardMs <= STEP_MS_MAX
  }

  /** Returns for how long the doubted offset has been the same. */
  private doubt(offsetMs: number, elapsedMs: number): number {
    const { doubted } = this
    if (doubted !== undefined && Math.abs(offsetMs - doubted.offsetMs) <= SAME_MS) {
      return elapsedMs - doubted.sinceMs
    }
    this.doubted = { offsetMs, sinceMs: elapsedMs }
    return 0
  }
}

/** Whether a start waits for a decision: its journal ends at `lastMs`, and the machine's clock is later. */
export const isGap = (lastMs: number, machineMs: number): boolean => machineMs - lastMs > GAP_MS

/** Whether the own time is moved to the machine's, once that is believed: what two readings may differ by is left. */
export const differs = ({ machineMs, nowMs, isAwaited }: ClockReading): boolean =>
  isAwaited || Math.abs(machineMs - nowMs) > JITTER_MS
