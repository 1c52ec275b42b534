/** An agent whose work the event loop brings: the loop is what it idles with, and a duty cycle does nothing. */
import type { ThreadOrder } from './thread-messages.ts'
import type { AgentWays, WorkerAgent } from './worker-agent.ts'

export abstract class EventAgent implements WorkerAgent {
  abstract readonly name: string
  readonly waitsFor: Promise<void>
  readonly idleMsMax = Number.POSITIVE_INFINITY
  protected readonly ways: AgentWays
  private resolve = () => {}
  private reject: (error: Error) => void = () => {}
  private _isDone = false

  constructor(ways: AgentWays) {
    this.ways = ways
    this.waitsFor = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    // It may fail before its driver waits.
    this.waitsFor.catch(() => {})
  }

  abstract start(): Promise<void> | undefined

  abstract take(order: ThreadOrder): void

  doWork(): number {
    return 0
  }

  hasWork(): boolean {
    return false
  }

  get isDone(): boolean {
    return this._isDone
  }

  close(): void {
    this.ways.report({ report: 'stopped' })
  }

  /** Called by the agent when its work is done. */
  protected finish(): void {
    this._isDone = true
    this.resolve()
  }

  /** Has its driver fail with this error. */
  fail(error: Error): void {
    this.reject(error)
  }
}
