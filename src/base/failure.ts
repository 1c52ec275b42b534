/**
 * A failure that ends all waits. `Promise.race` with one lasting promise would keep the outcome of every wait in
 * memory as long as that promise.
 */
export class Failure {
  private readonly waiting = new Set<(error: Error) => void>()
  private first: Error | undefined = undefined

  /** Rejects what waits now and later. Only the first error counts. */
  fail(error: Error): void {
    if (this.first !== undefined) return
    this.first = error
    for (const reject of this.waiting) reject(error)
    this.waiting.clear()
  }

  /** Settles as the promise does, or rejects with the failure if that comes first. */
  orFirst<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.first === undefined) this.waiting.add(reject)
      else reject(this.first)
      const settled = () => this.waiting.delete(reject)
      promise.then(resolve, reject).then(settled)
    })
  }
}
