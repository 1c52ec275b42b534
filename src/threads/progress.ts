/** Says now and then how far a long piece of a start is: events, their rate, and the time left. */
import type { ThreadReport } from './thread-messages.ts'

/** How often it is said; what is done sooner is not said at all. */
const PROGRESS_MS = 1_000

export class Progress {
  readonly #message: string
  readonly #blocksInAll: number
  readonly #report: (message: ThreadReport) => void
  readonly #beganMs = performance.now()
  #saidMs = this.#beganMs
  #hasSpoken = false

  constructor(message: string, blocksInAll: number, report: (message: ThreadReport) => void) {
    this.#message = message
    this.#blocksInAll = blocksInAll
    this.#report = report
  }

  /** What is done so far. */
  at(blocks: number, events: number): void {
    const nowMs = performance.now()
    if (nowMs - this.#saidMs < PROGRESS_MS || blocks <= 0) return
    this.#saidMs = nowMs
    this.#hasSpoken = true
    const seconds = (nowMs - this.#beganMs) / 1000
    const fields = {
      events,
      eventsPerSecond: Math.round(events / seconds),
      percent: Math.floor((100 * blocks) / this.#blocksInAll),
      secondsLeft: Math.ceil((seconds / blocks) * (this.#blocksInAll - blocks)),
    }
    this.#report({ report: 'log', level: 'info', fields, message: this.#message })
  }

  /** All of it is done: said when anything was said before. */
  end(events: number): void {
    if (!this.#hasSpoken) return
    const fields = { events, seconds: Math.round((performance.now() - this.#beganMs) / 1000) }
    this.#report({ report: 'log', level: 'info', fields, message: `${this.#message}: done` })
  }
}
