/** Runs asynchronous actions one after another, in the order in which they came. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve()

  /** Runs the action when those before it have ended, and settles as it does. Its failure ends no other. */
  run<Value>(action: () => Promise<Value>): Promise<Value> {
    const done = this.last.then(action)
    this.last = done.catch(() => {})
    return done
  }

  /** Resolves when all actions so far have ended. */
  async ended(): Promise<void> {
    await this.last
  }
}
