/** Snapshots on the caller's event loop, in slices of some milliseconds. */
import { type MadeSnapshot, snapshotSteps } from '../../agents/snapshots.ts'
import { elapsedMs } from '../../base/time.ts'
import type { AssetSpec, SymbolSpec } from '../../market/listing.ts'
import { Phase } from '../../threads/memory.ts'
import {
  type Attempt,
  attempted,
  noteSealedAtStart,
  oldBlocksSteps,
  refused,
  snapshotOptions,
} from '../../threads/snapshot-parts.ts'
import type { ThreadOrder, ThreadStart } from '../../threads/thread-messages.ts'
import { type LoopDuty, type LoopWays, turn } from './loop-worker.ts'

const LOOK_MS = 100
/** Between two turns of the loop: some milliseconds. */
const SLICE_BLOCKS = 64
const MINUTE_MS = 60_000

export class LoopSnapshots implements LoopDuty {
  private readonly start: ThreadStart
  private readonly ways: LoopWays
  private readonly phase: Int32Array
  private readonly symbols: SymbolSpec[]
  private valuationAsset: AssetSpec | undefined
  private asked: number[] = []

  constructor(start: ThreadStart, ways: LoopWays) {
    this.start = start
    this.ways = ways
    this.phase = new Int32Array(start.regions.phase)
    this.symbols = [...start.symbols]
    this.valuationAsset = start.valuationAsset
  }

  async run(): Promise<void> {
    const { time, report } = this.ways
    const periodMs = this.start.config.snapshotMinutes * MINUTE_MS
    report({ report: 'ready' })
    noteSealedAtStart(this.start)
    const goesOn = () => this.goesOn()
    const parts = {
      ...{ symbols: () => this.symbols, valuationAsset: () => this.valuationAsset },
      ...{ clock: time, goesOn },
    }
    let dueMs = elapsedMs(time) + periodMs
    while (this.goesOn()) {
      await new Promise<void>((resolve) => time.after(LOOK_MS, resolve))
      const asked = this.asked.splice(0)
      if (!this.goesOn() || (asked.length === 0 && elapsedMs(time) < dueMs)) continue
      const outcome = await this.attempt()
      report({ report: 'degraded', why: 'refused' in outcome ? outcome.refused : undefined })
      for (const number of asked) report({ report: 'applied', number, ...outcome })
      for (const _ of oldBlocksSteps(this.start, parts, report)) await turn(time)
      dueMs = elapsedMs(time) + periodMs
    }
    report({ report: 'stopped' })
  }

  take(order: ThreadOrder): void {
    if (order.order === 'snapshot') this.asked.push(order.number)
    if (order.order !== 'announce') return
    for (const news of order.announcements) {
      if (news.kind === 'asset' && news.isValuation) this.valuationAsset = news.asset
      if (news.kind !== 'listing') continue
      const { symbol } = news.listed
      if (symbol.id === this.symbols.length) this.symbols.push(symbol)
    }
  }

  private goesOn(): boolean {
    return Atomics.load(this.phase, 0) < Phase.STOPPING
  }

  private async attempt(): Promise<Attempt> {
    const { time, report } = this.ways
    const beganMs = elapsedMs(time)
    try {
      const made = await this.make()
      return attempted(made, elapsedMs(time) - beganMs, report)
    } catch (error) {
      return refused(error, report)
    }
  }

  private async make(): Promise<MadeSnapshot | undefined> {
    const { time, report } = this.ways
    const steps = snapshotSteps(snapshotOptions(this.start, () => this.symbols, report))
    for (let blocks = 1, step = steps.next(); ; blocks++, step = steps.next()) {
      if (step.done === true) return step.value
      if (!this.goesOn()) {
        steps.return(undefined)
        return undefined
      }
      if (blocks % SLICE_BLOCKS === 0) await turn(time)
    }
  }
}
