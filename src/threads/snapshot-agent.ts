/**
 * The snapshots' worker: at intervals, and when an operator asks, it makes a snapshot beside the running
 * exchange (agents/snapshots.ts), in slices. Then it works on old blocks, if the settings want that. Only that
 * operator waits for it, and it gives up when the exchange stops. It logs why it cannot make a snapshot, and
 * retries at the next interval: the journals have everything. When the worker fails, another one takes its place
 * (derived-worker.ts).
 */
import { SnapshotMaker } from '../agents/snapshots.ts'
import type { Throttle } from '../agents/throttle.ts'
import { elapsedMs } from '../base/time.ts'
import type { ControlMessage } from '../market/control-message.ts'
import type { AssetSpec, SymbolSpec } from '../market/listing.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { Phase, snapshotBellOffset } from './memory.ts'
import {
  type Attempt,
  attempted,
  noteSealedAtStart,
  oldBlocksSteps,
  refused,
  snapshotOptions,
} from './snapshot-parts.ts'
import type { ThreadOrder, ThreadStart } from './thread-messages.ts'
import type { AgentWays, WorkerAgent } from './worker-agent.ts'

/** Blocks in one duty cycle: some milliseconds. */
const SLICE_BLOCKS = 64
const MINUTE_MS = 60_000

export class SnapshotAgent implements WorkerAgent {
  readonly name = 'snapshot'
  readonly waitsFor: Doorbell
  private readonly begun: ThreadStart
  private readonly ways: AgentWays
  private readonly throttle: Throttle | undefined
  private readonly phase: Int32Array
  /** By id, all symbols that may have trades: a symbol is listed here before it is opened. */
  private readonly symbols: SymbolSpec[]
  /** What the archive counts trading volumes in. */
  private valuationAsset: AssetSpec | undefined
  /** Numbers of the operators' orders. */
  private readonly asked: number[] = []
  private readonly maker: SnapshotMaker
  private dueMs = 0
  /** The work under way: yields the blocks that a step counts for, 1 when left out. */
  private steps: Generator<number | undefined, void, void> | undefined = undefined

  /** Without a throttle it does not pause. */
  constructor(start: ThreadStart, ways: AgentWays, throttle?: Throttle) {
    const { matchers, gateways } = start.config
    this.begun = start
    this.ways = ways
    this.throttle = throttle
    this.phase = new Int32Array(start.regions.phase)
    this.symbols = [...start.symbols]
    this.maker = new SnapshotMaker(snapshotOptions(start, () => this.symbols, ways.report))
    this.valuationAsset = start.valuationAsset
    this.waitsFor = new Doorbell(start.regions.bells, snapshotBellOffset(matchers, gateways))
  }

  get idleMsMax(): number {
    return Math.max(0, this.dueMs - elapsedMs(this.ways.time))
  }

  get isDone(): boolean {
    return Atomics.load(this.phase, 0) >= Phase.STOPPING
  }

  start(): undefined {
    this.ways.report({ report: 'ready' })
    noteSealedAtStart(this.begun)
    this.schedule()
  }

  take(order: ThreadOrder): void {
    if (order.order === 'snapshot') this.asked.push(order.number)
    if (order.order !== 'control') return
    for (const message of order.messages) this.apply(message)
  }

  hasWork(): boolean {
    return this.steps !== undefined || this.asked.length > 0 || this.isDone
  }

  doWork(): number {
    if (!this.hasWork() && this.idleMsMax > 0) return 0
    if (this.isDone) return 0
    this.throttle?.begin()
    this.steps ??= this.round()
    for (let blocks = 0; blocks < SLICE_BLOCKS; ) {
      const { done, value = 1 } = this.steps.next()
      if (done === true) {
        this.steps = undefined
        break
      }
      blocks += value
      this.throttle?.tread()
    }
    return 1
  }

  close(): void {
    this.steps?.return()
    this.waitsFor.leave()
    this.ways.report({ report: 'stopped' })
  }

  private apply(message: ControlMessage): void {
    if (message.kind === 'asset' && message.isValuation) this.valuationAsset = message.asset
    if (message.kind !== 'listing') return
    const { symbol } = message.listed
    // One that began after the action has it already.
    if (symbol.id === this.symbols.length) this.symbols.push(symbol)
  }

  private schedule(): void {
    this.dueMs = elapsedMs(this.ways.time) + this.begun.config.snapshotMinutes * MINUTE_MS
  }

  /** Makes a snapshot, then works on old blocks: a block at each step, then a segment or a transaction. */
  private *round(): Generator<number | undefined, void, void> {
    const { time, report } = this.ways
    const asked = this.asked.splice(0)
    const outcome = yield* this.attempt()
    report({ report: 'degraded', why: 'refused' in outcome ? outcome.refused : undefined })
    for (const number of asked) report({ report: 'applied', number, ...outcome })
    const parts = {
      symbols: () => this.symbols,
      valuationAsset: () => this.valuationAsset,
      ...{ clock: time, goesOn: () => this.goesOn() },
    }
    for (const _ of oldBlocksSteps(this.begun, parts, report)) yield SLICE_BLOCKS
    this.schedule()
  }

  private *attempt(): Generator<undefined, Attempt, void> {
    const { time, report } = this.ways
    const beganMs = elapsedMs(time)
    try {
      const made = yield* this.maker.steps()
      return attempted(made, elapsedMs(time) - beganMs, report)
    } catch (error) {
      return refused(error, report)
    }
  }

  private goesOn(): boolean {
    this.throttle?.tread()
    return !this.isDone
  }
}
