/** The checkpointer's thread. */
import { drive } from '../agents/agent-driver.ts'
import { CheckpointerAgent } from '../agents/checkpointer.ts'
import { CheckpointerDuty } from '../agents/checkpointer-duty.ts'
import { Throttle } from '../agents/throttle.ts'
import { RealTime } from '../base/real-time.ts'
import { WalCells } from '../journal/wal-cells.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { stepBack } from './background.ts'
import { turnLoop } from './loop-turn.ts'
import { checkpointerBellOffset, Phase } from './memory.ts'
import { startedWith } from './start-gate.ts'
import type { ThreadReport, ThreadStart } from './thread-messages.ts'

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
  const agent = new CheckpointerAgent({
    dataFolder: config.data,
    wals: regions.wals.map((memory) => new WalCells(memory)),
    counters: regions.counters,
    warn: (message) => report({ report: 'log', level: 'warn', fields: {}, message }),
  })
  const duty = new CheckpointerDuty(agent, time, new Throttle(time, WORK_MS, REST_MS))
  const phase = new Int32Array(regions.phase)
  const bell = new Doorbell(regions.bells, checkpointerBellOffset(config.matchers, config.gateways))
  report({ report: 'ready', thread: stepBack(NICENESS) })
  await drive(
    duty,
    { idle: async (hasWork, msMax) => bell.sleep(hasWork, msMax), turn: () => turnLoop(time) },
    {
      isOver: () => Atomics.load(phase, 0) >= Phase.MATCHED,
      isEnding: () => Atomics.load(phase, 0) === Phase.ENDING,
    },
  )
  report({ report: 'stopped' })
}
