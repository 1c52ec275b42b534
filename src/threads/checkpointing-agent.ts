/**
 * The checkpointer's duty cycle: works when a segment of a write-ahead log is full, since large transactions
 * are cheap and each makes the disk busy, or else once in a while, so that a start after a crash finds little.
 * What is left at a stop it does in pieces; when the process ends, it does nothing more.
 */
import { CheckpointerAgent } from '../agents/checkpointer.ts'
import type { Throttle } from '../agents/throttle.ts'
import { elapsedMs } from '../base/time.ts'
import { WalCells } from '../journal/wal-cells.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { checkpointerBellOffset, Phase } from './memory.ts'
import type { ThreadStart } from './thread-messages.ts'
import type { AgentWays, WorkerAgent } from './worker-agent.ts'

/** The longest time that a block stays in its write-ahead log alone while no matcher needs room. */
const PERIOD_MS = 1_000

/** Returns the checkpointer of all journals. */
export const checkpointerOf = (
  { config, regions }: ThreadStart,
  report: AgentWays['report'],
): CheckpointerAgent =>
  new CheckpointerAgent({
    dataFolder: config.data,
    wals: regions.wals.map((memory) => new WalCells(memory)),
    counters: regions.counters,
    warn: (message) => report({ report: 'log', level: 'warn', fields: {}, message }),
  })

export class CheckpointingAgent implements WorkerAgent {
  readonly name = 'checkpointer'
  readonly waitsFor: Doorbell
  private readonly checkpointer: CheckpointerAgent
  private readonly ways: AgentWays
  private readonly phase: Int32Array
  private readonly throttle: Throttle | undefined
  private dueMs: number
  private _isDone = false

  /** Without a throttle it does not pause. */
  constructor(
    { config, regions }: ThreadStart,
    ways: AgentWays,
    checkpointer: CheckpointerAgent,
    throttle?: Throttle,
  ) {
    const offset = checkpointerBellOffset(config.matchers, config.gateways)
    this.waitsFor = new Doorbell(regions.bells, offset)
    this.phase = new Int32Array(regions.phase)
    this.ways = ways
    this.checkpointer = checkpointer
    this.throttle = throttle
    this.dueMs = elapsedMs(ways.time) + PERIOD_MS
  }

  get idleMsMax(): number {
    return Math.max(0, this.dueMs - elapsedMs(this.ways.time))
  }

  get isDone(): boolean {
    return this._isDone
  }

  start(): undefined {
    this.ways.report({ report: 'ready' })
  }

  take(): void {}

  hasWork(): boolean {
    return this.isOver || this.checkpointer.hasWork()
  }

  doWork(): number {
    if (this.isOver) return this.finish()
    if (!this.hasWork() && this.idleMsMax > 0) return 0
    const blocks = this.checkpointer.doWork(this.throttle)
    this.checkpointer.removeSealed()
    this.checkpointer.watch(elapsedMs(this.ways.time))
    this.dueMs = elapsedMs(this.ways.time) + PERIOD_MS
    return blocks
  }

  close(): void {
    this.checkpointer.close()
    this.waitsFor.leave()
    this.ways.report({ report: 'stopped' })
  }

  /** Whether no journal grows any more. */
  private get isOver(): boolean {
    return Atomics.load(this.phase, 0) >= Phase.MATCHED
  }

  private finish(): number {
    const blocks = Atomics.load(this.phase, 0) === Phase.ENDING ? 0 : this.checkpointer.doWork()
    this._isDone = blocks === 0
    return blocks
  }
}
