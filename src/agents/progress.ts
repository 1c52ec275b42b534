/** Logs now and then how far long work is: events or blocks, their rate, and the time left. */
import { type Clock, elapsedMs } from '../base/time.ts'

/** How often it is logged; what is done sooner is not logged. */
const PROGRESS_MS = 1_000

export type LogProgress = (fields: Record<string, number>, message: string) => void

export class Progress {
  private readonly message: string
  private readonly blocksInAll: number
  private readonly unit: string
  private readonly log: LogProgress
  private readonly clock: Clock
  private readonly beganMs: number
  private saidMs: number
  private hasSpoken = false

  /** `unit` names what is counted beside blocks. */
  constructor(
    message: string,
    blocksInAll: number,
    clock: Clock,
    log: LogProgress,
    unit = 'events',
  ) {
    this.clock = clock
    this.beganMs = elapsedMs(clock)
    this.saidMs = this.beganMs
    this.message = message
    this.unit = unit
    this.blocksInAll = blocksInAll
    this.log = log
  }

  /** What is done so far. */
  at(blocks: number, events: number): void {
    const nowMs = elapsedMs(this.clock)
    if (nowMs - this.saidMs < PROGRESS_MS || blocks <= 0) return
    this.saidMs = nowMs
    this.hasSpoken = true
    const seconds = (nowMs - this.beganMs) / 1000
    const fields = {
      [this.unit]: events,
      [`${this.unit}PerSecond`]: Math.round(events / seconds),
      percent: Math.floor((100 * blocks) / this.blocksInAll),
      secondsLeft: Math.ceil((seconds / blocks) * (this.blocksInAll - blocks)),
    }
    this.log(fields, this.message)
  }

  /** Reports the end, if progress was reported before. */
  end(events: number): void {
    if (!this.hasSpoken) return
    const fields = {
      [this.unit]: events,
      seconds: Math.round((elapsedMs(this.clock) - this.beganMs) / 1000),
    }
    this.log(fields, `${this.message}: done`)
  }
}
