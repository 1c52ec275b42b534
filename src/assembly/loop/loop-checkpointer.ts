/**
 * The checkpointer on the caller's event loop. Its transactions flush, which holds up the loop for as long as
 * the disk takes: nothing on a temporary folder in memory.
 */
import type { CheckpointerAgent } from '../../agents/checkpointer.ts'
import { elapsedMs } from '../../base/time.ts'
import { Doorbell } from '../../ring/doorbell.ts'
import { checkpointerBellOffset, Phase } from '../../threads/memory.ts'
import type { ThreadStart } from '../../threads/thread-messages.ts'
import { sleepAtMost } from './loop-sleep.ts'
import { type LoopDuty, type LoopWays, turn } from './loop-worker.ts'

/** The longest time that a block stays in its write-ahead log alone. */
const PACE_MS = 1_000

export class LoopCheckpointer implements LoopDuty {
  readonly #agent: CheckpointerAgent
  readonly #ways: LoopWays
  readonly #phase: Int32Array
  readonly #bell: Doorbell

  constructor({ config, regions }: ThreadStart, ways: LoopWays, agent: CheckpointerAgent) {
    this.#agent = agent
    this.#ways = ways
    this.#phase = new Int32Array(regions.phase)
    const { matchers, gateways } = config
    this.#bell = new Doorbell(regions.bells, checkpointerBellOffset(matchers, gateways))
  }

  async run(): Promise<void> {
    const { time, report } = this.#ways
    const agent = this.#agent
    report({ report: 'ready' })
    const isOver = () => Atomics.load(this.#phase, 0) >= Phase.MATCHED
    while (!isOver()) {
      await sleepAtMost(PACE_MS, this.#bell, () => isOver() || agent.hasWork(), time)
      agent.doWork()
      agent.removeSealed()
      agent.watch(elapsedMs(time))
    }
    const isEnding = () => Atomics.load(this.#phase, 0) === Phase.ENDING
    while (!isEnding() && agent.doWork() > 0) await turn(time)
    agent.close()
    this.#bell.leave()
    report({ report: 'stopped' })
  }

  take(): void {}
}
