/**
 * Whether a connection is silent, or lost, by looks at it twice a second. A look that comes late was held back, by a
 * hidden tab or a machine that slept: silence meanwhile proves nothing about the exchange. Pure.
 */

export const LOOK_MS = 500
const PROBE_MS = 2_000
/** After a message the connection is fresh for so long. */
const FRESH_MS = 3_000
/** Silence after which the connection counts as lost. */
const SILENCE_MS = 12_000
const LATE_MS = 2_000

export interface Look {
  readonly isSilent: boolean
  readonly isLost: boolean
  /** Whether to send the exchange a probe. */
  readonly isProbeDue: boolean
  /** Time since the last message, ms. */
  readonly silentMs: number
}

export class Silence {
  private heardMs: number
  private lookedMs: number
  /** When the last late look came. */
  private wokenMs = Number.NEGATIVE_INFINITY
  private probedMs = Number.NEGATIVE_INFINITY

  constructor(nowMs: number) {
    this.heardMs = nowMs
    this.lookedMs = nowMs
  }

  heard(nowMs: number): void {
    this.heardMs = nowMs
  }

  look(nowMs: number): Look {
    const isLate = nowMs - this.lookedMs > LATE_MS
    this.lookedMs = nowMs
    if (isLate) this.wokenMs = nowMs
    const isProbeDue = isLate || nowMs - this.probedMs >= PROBE_MS
    if (isProbeDue) this.probedMs = nowMs
    const silentMs = nowMs - this.heardMs
    const isLost = nowMs - Math.max(this.heardMs, this.wokenMs) > SILENCE_MS
    return { isSilent: silentMs > FRESH_MS, isLost, isProbeDue, silentMs }
  }
}
