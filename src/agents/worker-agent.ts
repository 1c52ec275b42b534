/** A worker's work: an agent that reports to the main part, and takes its orders. */
import type { Time } from '../base/time.ts'
import { Doorbell } from '../ring/doorbell.ts'
import type { Agent } from './agent.ts'
import type { ThreadOrder, ThreadReport, ThreadStart } from './messages.ts'
import type { Throttle } from './throttle.ts'

export interface WorkerAgent extends Agent {
  /** Takes an order, between two duty cycles. */
  take(order: ThreadOrder): void
  /** Called with the time that its thread has slept, where that is counted. */
  slept?(ns: number): void
}

/** What every agent is handed by its host. */
export interface AgentWays {
  readonly time: Time
  readonly report: (message: ThreadReport) => void
  /** Blocks the thread; undefined where the agent has none that it may block. */
  readonly rest?: ((ms: number) => void) | undefined
  /** How it rests between pieces of work; it does not where there is none. */
  readonly throttle?: Throttle | undefined
}

/** Makes a worker's agent of what the worker starts with. */
export type MakeAgent<Start> = (start: Start, ways: AgentWays) => WorkerAgent

/** An agent whose work the event loop brings: the loop is what it idles with, and a duty cycle does nothing. */
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

/** An agent that sleeps at its bell, which rings at each phase of the exchange, too. */
export abstract class BellAgent<Ways extends AgentWays = AgentWays> implements WorkerAgent {
  readonly name: string
  readonly waitsFor: Doorbell
  protected readonly ways: Ways
  protected _isDone = false
  private readonly phase: Int32Array

  /** `offset` is that of its bell. */
  constructor(name: string, offset: number, { regions }: ThreadStart, ways: Ways) {
    this.name = name
    this.waitsFor = new Doorbell(regions.bells, offset)
    this.phase = new Int32Array(regions.phase)
    this.ways = ways
  }

  abstract readonly idleMsMax: number

  abstract start(): undefined

  abstract take(order: ThreadOrder): void

  abstract hasWork(): boolean

  abstract doWork(): number

  get isDone(): boolean {
    return this._isDone
  }

  close(): void {
    this.waitsFor.leave()
    this.ways.report({ report: 'stopped' })
  }

  /** The phase of the exchange. */
  protected get at(): number {
    return Atomics.load(this.phase, 0)
  }
}
