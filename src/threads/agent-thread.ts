/** Runs an agent on the calling thread, from the start that the main thread posts until the agent is done. */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { type IdleStrategy, runAgent } from '../agents/agent-driver.ts'
import { idleOnLoop } from '../agents/loop-idle.ts'
import { assert } from '../base/assert.ts'
import { type SharedTime, type Time, tick } from '../base/time.ts'
import { stepBack } from './background.ts'
import { startedWith } from './start-gate.ts'
import type { ThreadReport } from './thread-messages.ts'
import { threadNumber } from './thread-number.ts'
import type { MakeAgent, WorkerAgent } from './worker-agent.ts'

/** However long an agent may idle, its thread looks for work so often. */
const LOOK_MS = 1_000

export interface ThreadOptions {
  /** Goes by the main thread's from the start on. */
  readonly time: SharedTime
  /** Scheduling priority from the moment that the agent is ready (Linux); the process's when left out. */
  readonly niceness?: number
}

export interface BlockingOptions extends ThreadOptions {
  /** Whether the event loop turns after each duty cycle. */
  readonly turns?: boolean
  /** The longest sleep between two looks for work, ms; LOOK_MS when left out. */
  readonly sleepMsMax?: number
}

/** Runs an agent that sleeps at its bell, with its thread blocked. Rejects when the agent fails. */
export async function runBlocking<Start>(
  make: MakeAgent<Start>,
  { turns = false, sleepMsMax = LOOK_MS, ...options }: BlockingOptions,
): Promise<void> {
  const { time } = options
  const { agent, port, posted } = begin(make, options)
  const bell = agent.waitsFor
  assert(!(bell instanceof Promise), 'an agent that waits for events does not block its thread')
  const mail = new Mail(port, posted, agent)
  const hasWork = () => mail.isWaiting || agent.hasWork()
  const idle: IdleStrategy = (_, done) => {
    if (done === 0) {
      const asleepNs = time.elapsedNs()
      bell.sleep(hasWork, Math.min(agent.idleMsMax, sleepMsMax), time)
      agent.slept?.(time.elapsedNs() - asleepNs)
    }
    if (mail.isWaiting) mail.deliver()
    return turns ? turnLoop(time) : undefined
  }
  await runAgent(agent, idle)
}

/** Runs an agent whose work the event loop brings. Reports a failure, since its thread may have sockets. */
export async function runOnEvents<Start>(
  make: MakeAgent<Start>,
  options: ThreadOptions,
): Promise<void> {
  const { agent, port, report } = begin(make, options)
  port.on('message', (order) => agent.take(order))
  try {
    await runAgent(agent, idleOnLoop(options.time))
    port.close()
  } catch (error) {
    const { name, message, stack } = error as Error
    report({ report: 'failed', name, message, stack })
  }
}

function begin<Start>(make: MakeAgent<Start>, { time, niceness }: ThreadOptions) {
  const { port, start, time: shared, posted } = startedWith<Start>()
  time.share(shared)
  const place = () => (niceness === undefined ? threadNumber() : stepBack(niceness))
  const report = (message: ThreadReport) =>
    port.postMessage(message.report === 'ready' ? { ...message, thread: place() } : message)
  return { agent: make(start, { time, report }), port, posted, report }
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
 * Turns the event loop of a thread that otherwise only works and blocks. lmdb sets a timer for each read
 * transaction, and frees native memory in tasks of the loop. Where the loop never turns, both pile up: some
 * 150 and 200 bytes each time, measured with lmdb 3.5. Messages stay where they are, since nothing listens to
 * the port.
 */
async function turnLoop(time: Time): Promise<void> {
  // The first turn runs timers that are due, the second what they left.
  await tick(time)
  await tick(time)
}
