import { Failure } from '../base/failure.ts'

/** Failures of workers: before a start is done they reject it, later they are the program's. */
export class Failures {
  private readonly failed: (error: Error) => void
  private readonly ofStarts = new Failure()
  private first: Error | undefined = undefined
  private isStarted = false

  constructor(failed: (error: Error) => void) {
    this.failed = failed
  }

  get hasAny(): boolean {
    return this.first !== undefined
  }

  note(error: Error): void {
    this.first ??= error
    if (this.isStarted) this.failed(error)
    else this.ofStarts.fail(error)
  }

  /** Rejects with the first failure until then. */
  orFirst<T>(promise: Promise<T>): Promise<T> {
    return this.ofStarts.orFirst(promise)
  }

  /** Another start: failures reject it from now on. */
  startsAgain(): void {
    this.isStarted = false
  }

  hasStarted(): void {
    this.isStarted = true
  }
}

/** Returns what calls `failed` with the first error alone. */
export function onlyFirst(failed: (error: Error) => void): (error: Error) => void {
  let hasFailed = false
  return (error) => {
    if (hasFailed) return
    hasFailed = true
    failed(error)
  }
}
