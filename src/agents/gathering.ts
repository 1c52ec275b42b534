/**
 * A duty cycle that waits for more commands before its next batch. A flush asks the disk twice and sleeps
 * twice, for one order as for fifty, and each batch wakes the gateways. A matcher that begins the next
 * batch at once makes batches of few orders alternate with batches of many, whose clients wait for both. So
 * after a batch it gathers for half as long as that batch took. An order that comes later does not wait.
 */
import type { Clock } from '../base/time.ts'

/** The part of a batch's time for which the matcher gathers. */
const SHARE = 0.5
/** A shorter wait is not worth a sleep, ns. */
const SLEEP_NS_MIN = 15_000

/** What is done in batches. */
export interface GatheredDuty {
  /** Whether commands wait. */
  hasWork(): boolean
  /** Does one batch. Returns how much was done, 0 when nothing was. */
  doWork(): number
  sleep(ms: number): void
}

export class Gathering {
  private readonly duty: GatheredDuty
  private readonly clock: Pick<Clock, 'elapsedNs'>
  private readonly nsMax: number
  private untilNs = Number.NEGATIVE_INFINITY

  /** `usMax` is the longest wait, µs; 0 for none. */
  constructor(duty: GatheredDuty, clock: Pick<Clock, 'elapsedNs'>, usMax: number) {
    this.duty = duty
    this.clock = clock
    this.nsMax = usMax * 1_000
  }

  /** Does one batch. If commands wait already, it first sleeps until the last batch's wait is over. */
  doWork(): number {
    const duty = this.duty
    const clock = this.clock
    const leftNs = this.untilNs - clock.elapsedNs()
    if (leftNs >= SLEEP_NS_MIN && duty.hasWork()) duty.sleep(leftNs / 1_000_000)
    const beganNs = clock.elapsedNs()
    const done = duty.doWork()
    if (done === 0) return 0
    const endedNs = clock.elapsedNs()
    this.untilNs = endedNs + Math.min((endedNs - beganNs) * SHARE, this.nsMax)
    return done
  }
}
