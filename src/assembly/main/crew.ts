/**
 * The workers of an exchange: all that write and read its memory are created at once, to load their modules
 * in parallel, and begin in the order of assembly/exchange.ts. A roster lists every worker, so that a start that is
 * given up ends those that there are by then.
 */

import type { Logger } from 'pino'
import type { Time } from '../../base/time.ts'
import type { VirtualClock } from '../../base/virtual-clock.ts'
import type { Config } from '../../config/config.ts'
import { FaultBook } from '../../control/fault-book.ts'
import {
  type ClockRow,
  type HouseAnswer,
  type HouseRequest,
  isOfHouse,
  type SandboxAnswer,
  type SandboxRequest,
} from '../../sandbox/requests.ts'
import type { Scheduler } from '../../workers/background.ts'
import { DerivedWorkers } from '../../workers/derived-workers.ts'
import type { WorkerKind } from '../../workers/hosting.ts'
import type { WorkerEvents, WorkerHandle } from '../../workers/worker-handle.ts'
import type { ChainPort } from './chain-port.ts'
import { faultTargets } from './fault-targets.ts'
import { PaymentSender } from './payment-sender.ts'

/** A worker, as far as its end is concerned. */
export interface Leaver {
  readonly name: string
  /** Whether a caller waits for it. */
  readonly isAwaited: boolean
  /** Has it leave its work wherever it is; resolves when it may be ended. */
  left(): Promise<unknown>
  terminate(): Promise<unknown>
}

export class Roster {
  private readonly leavers: Leaver[] = []
  private readonly endHandlers: (() => unknown)[] = []

  get count(): number {
    return this.leavers.length
  }

  add(...leavers: readonly Leaver[]): void {
    this.leavers.push(...leavers)
  }

  /** Has this done, too, when the workers are ended; the end waits for what it returns. */
  onEnd(action: () => unknown): void {
    this.endHandlers.push(action)
  }

  /** Returns the names of workers that a caller waits for. */
  awaited(): readonly string[] {
    return this.leavers.filter(({ isAwaited }) => isAwaited).map(({ name }) => name)
  }

  /** Ends all workers. May never resolve, when one does not leave LMDB. */
  async end(): Promise<void> {
    const left = this.leavers.map((leaver) => leaver.left())
    await Promise.all([...left, ...this.endHandlers.map((action) => action())])
    await Promise.all(this.leavers.map((leaver) => leaver.terminate()))
  }
}

/** Reports of some kinds of workers to the main thread. */
export type OwnEvents = Partial<
  Pick<WorkerEvents, 'onFacts' | 'onPayments' | 'onDegraded' | 'onFailure' | 'onSandbox'>
>

export interface CrewParts {
  readonly config: Config
  readonly hire: (
    kind: WorkerKind,
    index: number,
    own?: OwnEvents,
    heap?: { readonly megabytes: number; readonly flag: string },
  ) => WorkerHandle
  readonly log: Logger
  readonly degrade: (part: string, why: string | undefined) => void
  readonly scheduler: Scheduler
  readonly time: Time
  /** What moves the time; undefined where it is the machine's. */
  readonly clock: VirtualClock | undefined
  readonly chainPort: ChainPort
}

export class Crew {
  readonly gateways: readonly WorkerHandle[]
  readonly matchers: readonly WorkerHandle[]
  readonly checkpointer: WorkerHandle
  readonly derived: DerivedWorkers
  /** The rules of the sandbox; undefined while it is off. */
  readonly faults: FaultBook | undefined

  /** Gateways serve clients shortly before the faucet and the counterparty are there. */
  private askHouse: (request: HouseRequest) => Promise<HouseAnswer> = async () => ({
    refused: 'The exchange is starting; try again.',
  })

  /** Creates the workers of each kind, the slowest to load first. */
  constructor(parts: CrewParts, roster: Roster) {
    const { config, hire, log, degrade, scheduler, time, clock, chainPort: port } = parts
    const { gateways, matchers, gatewayHeapMb } = config
    const heap = { megabytes: gatewayHeapMb, flag: 'gateway-heap-mb' }
    const faults =
      config.sandbox === 'on' ? new FaultBook(time, () => this.gateways, faultTargets) : undefined
    const answer = async (request: SandboxRequest): Promise<SandboxAnswer> => {
      if (request.ask === 'clock') return { clock: clockRow(time, clock) }
      return isOfHouse(request) ? this.askHouse(request) : faults!.answer(request)
    }
    const own: OwnEvents = faults ? { onSandbox: answer } : {}
    this.faults = faults
    this.gateways = Array.from({ length: gateways }, (_, index) =>
      hire('gateway', index, own, heap),
    )
    const sender = new PaymentSender({
      ...{ port, time, log },
      journal: (step) => this.matchers[0]!.send([step]),
    })
    roster.onEnd(() => sender.close())
    const onPayments: OwnEvents['onPayments'] = (payments) => sender.take(payments)
    this.matchers = Array.from({ length: matchers }, (_, index) =>
      hire('matching', index, { onPayments }),
    )
    this.checkpointer = hire('checkpointer', 0)
    this.derived = new DerivedWorkers({
      launch: (kind, events) => hire(kind, 0, events),
      log,
      degrade,
      scheduler,
      time: time.wall,
      created: (worker) => roster.add(worker),
    })
    // A thread that ends with open sockets ends the process by SIGABRT, without an exit code.
    for (const gateway of this.gateways) roster.add(leaving(gateway, () => gateway.leave()))
    // Once they have recovered, they need nothing of LMDB.
    for (const it of this.matchers) roster.add(leaving(it, () => it.left('recovered')))
    roster.add(this.checkpointer)
    roster.onEnd(() => void this.derived.unschedule())
  }

  /** Requests to faucet and counterparty are answered by this from now on. */
  openHouse(answer: (request: HouseRequest) => Promise<HouseAnswer>): void {
    this.askHouse = answer
  }
}

const REAL = { isPaused: false, speed: 1, isMoving: false, participants: 0, heldBy: [] }

const clockRow = (time: Time, clock: VirtualClock | undefined): ClockRow => ({
  nowMs: time.nowMs(),
  isVirtual: clock !== undefined,
  ...(clock?.state() ?? REAL),
})

/** A worker that leaves in its own way. */
export const leaving = (worker: WorkerHandle, left: () => Promise<unknown>): Leaver => ({
  name: worker.name,
  get isAwaited() {
    return worker.isAwaited
  },
  left,
  terminate: () => worker.terminate(),
})
