/** How the exchange's clock is, as the sandbox shows it to clients. */
import type { Ms } from '../base/units.ts'

export interface ClockRow {
  readonly nowMs: Ms
  /** Whether it is not the machine's. */
  readonly isVirtual: boolean
  readonly isPaused: boolean
  /** Times as fast as the machine's, while it is not paused. */
  readonly speed: number
  /** Whether it is on its way to a moment that it was sent to. */
  readonly isMoving: boolean
  readonly participants: number
}

export interface ClockRequest {
  readonly ask: 'clock'
}
export interface ClockAnswer {
  readonly clock: ClockRow
}
