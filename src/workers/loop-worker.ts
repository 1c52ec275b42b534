/**
 * A worker on the caller's event loop: the same agent as a thread's, driven on the loop. It never blocks, and
 * gives the loop a tick after each duty cycle.
 */
import { idleOnLoop, runAgent } from '../agents/agent-driver.ts'
import type { ThreadOrder } from '../agents/messages.ts'
import type { MakeAgent, WorkerAgent } from '../agents/worker-agent.ts'
import type { Time } from '../base/time.ts'
import { Doorbell, wakeHere } from '../ring/doorbell.ts'
import { type WorkerEvents, WorkerHandle, type WorkerStart } from './worker-handle.ts'

/** The program around it may replace the methods of the global object. */
const eventLoopUtilization = performance.eventLoopUtilization.bind(performance)

/** Runs an agent until it is done. Rejects when it fails. */
export type Drive = (agent: WorkerAgent) => Promise<void>

/** Drives an agent as soon as the loop gets to it, and whenever it has work. */
export const driveOnLoop =
  (time: Time): Drive =>
  (agent) =>
    runAgent(agent, idleOnLoop(time))

export class LoopWorker extends WorkerHandle {
  private readonly time: Time
  private readonly drive: Drive
  private readonly make: MakeAgent<WorkerStart>
  private agent: WorkerAgent | undefined = undefined

  constructor(
    name: string,
    events: WorkerEvents,
    { time, drive, make }: { time: Time; drive: Drive; make: MakeAgent<WorkerStart> },
  ) {
    super(name, events)
    this.time = time
    this.drive = drive
    this.make = make
  }

  override begin(start: WorkerStart): void {
    if ('regions' in start) wakeHere(start.regions.bells)
    try {
      const agent = this.make(start, { time: this.time, report: (message) => this.take(message) })
      this.agent = agent
      this.drive(agent).catch((error: Error) => this.failed(error))
    } catch (error) {
      this.failed(error as Error)
    }
  }

  /** The loop is the caller's. */
  override loopTime(): { readonly activeMs: number; readonly idleMs: number } {
    const { active, idle } = eventLoopUtilization()
    return { activeMs: active, idleMs: idle }
  }

  protected override get hasBegun(): boolean {
    return this.agent !== undefined
  }

  protected override async leftUnbegun(): Promise<void> {}

  protected override async end(): Promise<void> {}

  protected override post(order: ThreadOrder): void {
    const { agent } = this
    if (agent === undefined) return
    agent.take(order)
    if (agent.waitsFor instanceof Doorbell) agent.waitsFor.ring()
  }
}
