/** Hosts an agent on the calling thread, from the start that the main thread posts until the agent is done. */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { type IdleStrategy, idleOnLoop, runAgent } from '../agents/agent-driver.ts'
import type { ThreadReport, WorkerStarts } from '../agents/messages.ts'
import { Throttle } from '../agents/throttle.ts'
import type { MakeAgent, WorkerAgent } from '../agents/worker-agent.ts'
import { assert } from '../base/assert.ts'
import { CALLING_THREAD, lowerPriority, threadNumber } from '../base/lower-priority.ts'
import { type SharedTime, type Time, tick } from '../base/time.ts'
import { type Hosting, hosting, type WorkerKind } from './hosting.ts'
import { startedWith } from './start-gate.ts'

/**
 * Runs the agent by its row of hosting.ts. `time` goes by the main thread's from the start on. Rejects when an
 * agent fails that blocks its thread; a failure of any other is reported, since its thread may have sockets.
 */
export async function hostOnThread<Kind extends WorkerKind>(
  kind: Kind,
  time: SharedTime,
  make: MakeAgent<WorkerStarts[Kind]>,
): Promise<void> {
  const row: Hosting = hosting[kind]
  const { port, start, time: shared, posted } = startedWith<WorkerStarts[Kind]>()
  time.share(shared)
  if (row.lowers === 'at start') lower(row)
  const report = (message: ThreadReport) => {
    if (message.report !== 'ready') return port.postMessage(message)
    if (row.lowers === 'when ready') lower(row)
    port.postMessage({ ...message, thread: threadNumber() })
  }
  if (row.waits === 'blocked') {
    const throttle = row.throttle && new Throttle(time, row.throttle)
    const agent = make(start, { time, report, throttle, rest: (ms) => time.idle(ms) })
    return runAgent(agent, blocking(row, time, agent, new Mail(port, posted, agent)))
  }
  const agent = make(start, { time, report })
  port.on('message', (order) => agent.take(order))
  try {
    await runAgent(agent, idleOnLoop(time))
    port.close()
  } catch (error) {
    const { name, message, stack } = error as Error
    report({ report: 'failed', name, message, stack })
  }
}

/** Gives the calling thread its low priority. */
function lower({ niceness }: Hosting): void {
  if (process.platform === 'linux') lowerPriority(CALLING_THREAD, niceness!)
}

/** Sleeps at the agent's bell, and delivers orders between two duty cycles. */
function blocking(
  { turns, sleepMsMax }: Extract<Hosting, { waits: 'blocked' }>,
  time: Time,
  agent: WorkerAgent,
  mail: Mail,
): IdleStrategy {
  const bell = agent.waitsFor
  assert(!(bell instanceof Promise), 'an agent that waits for events does not block its thread')
  const hasWork = () => mail.isWaiting || agent.hasWork()
  return (_, done) => {
    if (done === 0) {
      const asleepNs = time.elapsedNs()
      bell.sleep(hasWork, Math.min(agent.idleMsMax, sleepMsMax), time)
      agent.slept?.(time.elapsedNs() - asleepNs)
    }
    if (mail.isWaiting) mail.deliver()
    return turns ? turnLoop(time) : undefined
  }
}

/** Orders to a thread that no event loop reads. */
class Mail {
  private readonly port: MessagePort
  private readonly posted: () => number
  private readonly agent: WorkerAgent
  private read = 0

  constructor(port: MessagePort, posted: () => number, agent: WorkerAgent) {
    this.port = port
    this.posted = posted
    this.agent = agent
  }

  get isWaiting(): boolean {
    return this.posted() !== this.read
  }

  deliver(): void {
    // First: an order that is posted from here on is looked for again.
    this.read = this.posted()
    for (let post = receiveMessageOnPort(this.port); post; post = receiveMessageOnPort(this.port)) {
      this.agent.take(post.message)
    }
  }
}

/**
 * Runs the event loop of a thread that otherwise only works and blocks. lmdb sets a timer for each read
 * transaction, and frees native memory in tasks of the loop. Where the loop never runs, both pile up: some
 * 150 and 200 bytes each time, measured with lmdb 3.5. Messages stay where they are, since nothing listens to
 * the port.
 */
async function turnLoop(time: Time): Promise<void> {
  // The first tick runs timers that are due, the second what they left.
  await tick(time)
  await tick(time)
}
