/**
 * The checkpointer on the caller's event loop. Its transactions flush, which holds up the loop for as long as
 * the disk takes: nothing on a temporary folder in memory.
 */
import { drive } from '../../agents/agent-driver.ts'
import type { CheckpointerAgent } from '../../agents/checkpointer.ts'
import { CheckpointerDuty } from '../../agents/checkpointer-duty.ts'
import { Doorbell } from '../../ring/doorbell.ts'
import { checkpointerBellOffset, Phase } from '../../threads/memory.ts'
import type { ThreadStart } from '../../threads/thread-messages.ts'
import { sleepAtMost } from './loop-sleep.ts'
import { type LoopDuty, type LoopWays, turn } from './loop-worker.ts'

export class LoopCheckpointer implements LoopDuty {
  private readonly agent: CheckpointerAgent
  private readonly ways: LoopWays
  private readonly phase: Int32Array
  private readonly bell: Doorbell

  constructor({ config, regions }: ThreadStart, ways: LoopWays, agent: CheckpointerAgent) {
    this.agent = agent
    this.ways = ways
    this.phase = new Int32Array(regions.phase)
    const { matchers, gateways } = config
    this.bell = new Doorbell(regions.bells, checkpointerBellOffset(matchers, gateways))
  }

  async run(): Promise<void> {
    const { time, report } = this.ways
    report({ report: 'ready' })
    const duty = new CheckpointerDuty(this.agent, time)
    const idling = {
      idle: (hasWork: () => boolean, msMax: number) => sleepAtMost(msMax, this.bell, hasWork, time),
      turn: () => turn(time),
    }
    await drive(duty, idling, {
      isOver: () => Atomics.load(this.phase, 0) >= Phase.MATCHED,
      isEnding: () => Atomics.load(this.phase, 0) === Phase.ENDING,
    })
    this.bell.leave()
    report({ report: 'stopped' })
  }

  take(): void {}
}
