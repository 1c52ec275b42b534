/** A request to stop, and pauses that end with it. */
export class Stop {
  #isWanted = false
  readonly #wakes = new Set<() => void>()

  get isWanted(): boolean {
    return this.#isWanted
  }

  want(): void {
    this.#isWanted = true
    for (const wake of this.#wakes) wake()
  }

  /** Resolves when a stop is requested. */
  wanted(): Promise<void> {
    if (this.#isWanted) return Promise.resolve()
    return new Promise((resolve) => this.#wakes.add(resolve))
  }

  /** Resolves after `ms`, or as soon as a stop is requested. */
  wait(ms: number): Promise<void> {
    if (this.#isWanted || ms <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#wakes.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      this.#wakes.add(wake)
    })
  }
}
