/** Says now and then how far a long piece of a start is: events, their rate, and the time left. */

/** How often it is said; what is done sooner is not said at all. */
const PROGRESS_MS = 1_000

export type LogProgress = (fields: Record<string, number>, message: string) => void

export class Progress {
  readonly #message: string
  readonly #blocksInAll: number
  readonly #log: LogProgress
  readonly #beganMs = performance.now()
  #saidMs = this.#beganMs
  #hasSpoken = false

  constructor(message: string, blocksInAll: number, log: LogProgress) {
    this.#message = message
    this.#blocksInAll = blocksInAll
    this.#log = log
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
    this.#log(fields, this.#message)
  }

  /** All of it is done: said when anything was said before. */
  end(events: number): void {
    if (!this.#hasSpoken) return
    const fields = { events, seconds: Math.round((performance.now() - this.#beganMs) / 1000) }
    this.#log(fields, `${this.#message}: done`)
  }
}
