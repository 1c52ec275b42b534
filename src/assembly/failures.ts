/** Failures of workers: before the start is done they reject it, later they are the program's. */
export class Failures {
  private readonly failed: (error: Error) => void
  private readonly failure: Promise<never>
  private first: Error | undefined = undefined
  private reject: (error: Error) => void = () => {}
  private isStarted = false

  constructor(failed: (error: Error) => void) {
    this.failed = failed
    this.failure = new Promise((_, reject) => {
      this.reject = reject
    })
    this.failure.catch(() => {})
  }

  get hasAny(): boolean {
    return this.first !== undefined
  }

  note(error: Error): void {
    if (this.first !== undefined) return
    this.first = error
    if (this.isStarted) this.failed(error)
    else this.reject(error)
  }

  /** Rejects with the first failure until then. */
  orFirst<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([this.failure, promise])
  }

  /** Another start: failures reject it from now on. */
  startsAgain(): void {
    this.isStarted = false
  }

  hasStarted(): void {
    this.isStarted = true
  }
}
