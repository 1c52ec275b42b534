/**
 * When requests are due. The load is open: each arrival has its moment whether or not earlier ones
 * were answered, and latency counts from that moment, so that a target that stalls cannot hide it by
 * keeping the generator waiting.
 */

/** So many arrivals a second, evenly spaced, for so long. */
export interface Step {
  readonly perSecond: number
  readonly seconds: number
}

const RAMP_STEP_SECONDS = 5
const RAMP_STEPS_MIN = 2
const RAMP_STEPS_MAX = 40

/** From one rate to the other in steps that grow by the same factor and last about 5 s each. */
export function rampSteps(from: number, to: number, seconds: number): readonly Step[] {
  const wanted = Math.round(seconds / RAMP_STEP_SECONDS)
  const count = Math.min(RAMP_STEPS_MAX, Math.max(RAMP_STEPS_MIN, wanted))
  const factor = (to / from) ** (1 / (count - 1))
  return Array.from({ length: count }, (_, index) => ({
    perSecond: Math.round(from * factor ** index),
    seconds: seconds / count,
  }))
}

export class Schedule {
  readonly steps: readonly Step[]
  /** When each step begins, ms after the start, and the end of the last one. */
  private readonly beginsMs: number[] = [0]
  /** How many arrivals are due before each step begins, and in all. */
  private readonly dueBefore: number[] = [0]
  private step = 0
  private next = 0

  constructor(steps: readonly Step[]) {
    this.steps = steps
    for (const { perSecond, seconds } of steps) {
      this.beginsMs.push(this.beginsMs.at(-1)! + seconds * 1000)
      this.dueBefore.push(this.dueBefore.at(-1)! + Math.floor(perSecond * seconds))
    }
  }

  /** When it all ends, ms after the start. */
  get endMs(): number {
    return this.beginsMs.at(-1)!
  }

  get arrivals(): number {
    return this.dueBefore.at(-1)!
  }

  /** Index of the step that is on so many ms after the start; the last one's after the end. */
  stepAt(elapsedMs: number): number {
    let step = 0
    while (step < this.steps.length - 1 && this.beginsMs[step + 1]! <= elapsedMs) step++
    return step
  }

  /** When the next arrival is due, ms after the start; Infinity after the last one. */
  nextDueMs(): number {
    while (this.next >= this.dueBefore[this.step + 1]!) {
      if (this.step === this.steps.length - 1) return Number.POSITIVE_INFINITY
      this.step++
    }
    const within = this.next - this.dueBefore[this.step]!
    return this.beginsMs[this.step]! + (within * 1000) / this.steps[this.step]!.perSecond
  }

  /** Moves to the next arrival. */
  advance(): void {
    this.next++
  }
}
