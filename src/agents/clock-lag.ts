/**
 * The lag of the clock behind the journal's last time, after the clock was ahead and was corrected. The
 * journal's time never falls, so events carry its last time until the clock catches up. Requests do not
 * suffer: the clock judges whether they have expired. It is logged, at most once a minute.
 */

/** A lag below this is the work of a time daemon and is not logged. */
const LOGGED_MS = 1_000
/** Time between two lines about the same lag. */
const REPEAT_NS = 60_000_000_000

export class ClockLag {
  private readonly log: (message: string) => void
  /** Time of the last line about the present lag; undefined while there is none. */
  private loggedNs: number | undefined = undefined

  constructor(log: (message: string) => void) {
    this.log = log
  }

  /** Notes the present lag; 0 when the clock is not behind. `elapsedNs` is the monotonic time. */
  note(lagMs: number, elapsedNs: number): void {
    if (lagMs < LOGGED_MS) {
      if (lagMs === 0 && this.loggedNs !== undefined) {
        this.loggedNs = undefined
        this.log("the clock has caught up with the journal's last time")
      }
      return
    }
    if (this.loggedNs !== undefined && elapsedNs - this.loggedNs < REPEAT_NS) return
    this.loggedNs = elapsedNs
    const seconds = Math.ceil(lagMs / 1000).toLocaleString('en-US')
    this.log(
      `the clock is ${seconds} s behind the journal's last time; trades carry that time until it catches up`,
    )
  }
}
