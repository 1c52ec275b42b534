/**
 * The checkpointer's thread. It works when a segment of a write-ahead log is full, since large
 * transactions are cheap and each makes the disk busy, or else once in a while, so that a start after a
 * crash finds little.
 */

import { CheckpointerAgent } from '../agents/checkpointer.ts'
import { Pace } from '../agents/pace.ts'
import { RealTime } from '../base/real-time.ts'
import { elapsedMs } from '../base/time.ts'
import { WalCells } from '../journal/wal-cells.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { stepBack } from './background.ts'
import { turnLoop } from './loop-turn.ts'
import { checkpointerBellOffset, Phase } from './memory.ts'
import { startedWith } from './start-gate.ts'
import type { ThreadReport, ThreadStart } from './thread-messages.ts'

/** The longest time that a block stays in its write-ahead log alone while no matcher needs room. */
const PACE_MS = 1_000
/** Periods of work and rest while matchers have room; shorter ones take more time than they save. */
const WORK_MS = 0.25
const REST_MS = 1
/**
 * Its transactions take longer than a matcher's batch, so matchers and gateways go first (bench `tail`).
 * Not less: with little of a busy machine's time it would let a write-ahead log become full.
 */
const NICENESS = 5

const time = new RealTime()
const { port, start } = startedWith<ThreadStart>()
const report = (message: ThreadReport) => port.postMessage(message)
await run(start)

async function run({ config, regions }: ThreadStart): Promise<void> {
  const wals = regions.wals.map((memory) => new WalCells(memory))
  const checkpointer = new CheckpointerAgent({
    ...{ dataFolder: config.data, wals, counters: regions.counters },
    warn: (message) => report({ report: 'log', level: 'warn', fields: {}, message }),
  })
  const pace = new Pace(time, WORK_MS, REST_MS)
  report({ report: 'ready', thread: stepBack(NICENESS) })
  const phase = new Int32Array(regions.phase)
  const bell = new Doorbell(regions.bells, checkpointerBellOffset(config.matchers, config.gateways))
  const isOver = () => Atomics.load(phase, 0) >= Phase.MATCHED
  while (!isOver()) {
    bell.sleep(() => isOver() || checkpointer.hasWork(), PACE_MS)
    checkpointer.doWork(pace)
    checkpointer.removeSealed()
    checkpointer.watch(elapsedMs(time))
    await turnLoop(time)
  }
  while (Atomics.load(phase, 0) !== Phase.ENDING && checkpointer.doWork() > 0);
  checkpointer.close()
  report({ report: 'stopped' })
}
