/**
 * The replica worker: this member's way to the quorum. A leader takes the lead and makes the data folder
 * equal to the quorum, before any other thread opens the folder (lead-quorum.ts). A follower brings the
 * folder up to the watermark first, and follows (follow-quorum.ts) until it takes the lead.
 */
import { elapsedMs, pause } from '../base/time.ts'
import type { Config } from '../config/config.ts'
import type { Fact } from '../control/facts.ts'
import { ControlStore } from '../journal/control-store.ts'
import { BEAT_MS, type Joined, join, LeaderAlive, SILENCE_MS } from '../replica/join.ts'
import { type Cause, LeadWatch } from '../replica/lead-watch.ts'
import { memberOf } from '../replica/member-name.ts'
import { PostgresQuorum } from '../replica/postgres-quorum.ts'
import { PostgresReader } from '../replica/postgres-reader.ts'
import { OutcomeUnknown, type Quorum, QuorumRefusal } from '../replica/quorum.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { Role, RoleCells } from '../shared/role.ts'
import { catchUpInTime, damageReporter, LiveFollower, SHALL_LEAD } from './follow-quorum.ts'
import { LeadLease } from './lead-lease.ts'
import { type LeadRequests, leadQuorum, PAUSE_MS, type TakenLead } from './lead-quorum.ts'
import { addressOf } from './member-address.ts'
import type { Delivery, ReplicaStart, ThreadOrder } from './messages.ts'
import type { ReplicaMemory } from './replica-link.ts'
import { type AgentWays, EventAgent } from './worker-agent.ts'

/** The longest wait for one answer, as a share of the time that orders wait. */
const ANSWER_SHARE = 0.2
/** Beats in the time that a leader leads without a confirmed one. */
const BEATS_OF_LEASE = 4

export class ReplicaAgent extends EventAgent {
  readonly name = 'replica'
  private readonly begun: ReplicaStart
  private readonly quorum: Quorum
  private readonly requests: LeadRequests = {
    isStopping: false,
    isResigning: false,
    successor: undefined,
  }
  private readonly bells: Doorbell[] = []
  private readonly lease: LeadLease
  /** Watches the lead for a member that follows; undefined for others. */
  private watch: LeadWatch | undefined = undefined
  private deliver: (delivery: Delivery | undefined) => void = () => {}
  private readonly delivered = new Promise<Delivery | undefined>((resolve) => {
    this.deliver = resolve
  })

  constructor(start: ReplicaStart, ways: AgentWays) {
    super(ways)
    const { follow, replica } = start.config
    const { time } = ways
    this.begun = start
    this.lease = new LeadLease(leaseMs(start.config))
    this.quorum = new PostgresQuorum({
      url: follow === '' ? replica : follow,
      answerMs: this.answerMs,
      time,
      confirmed: (sinceMs) => this.lease.confirmed(sinceMs),
    })
  }

  start(): undefined {
    this.run().then(
      () => this.finish(),
      (error: Error) => this.fail(error),
    )
  }

  take(message: ThreadOrder): void {
    const { requests } = this
    if (message.order === 'deliver') {
      this.lease.deliver(new RoleCells(message.delivery.role, this.ways.time))
      this.deliver(message.delivery)
    } else if (message.order === 'promote') this.watch?.ask()
    else if (message.order === 'resign') {
      requests.isResigning = true
      this.lease.resign()
      this.deliver(undefined)
    } else if (message.order === 'handOver') {
      requests.successor = { name: message.successor, number: message.number }
    } else if (message.order === 'stop') {
      requests.isStopping = true
      this.deliver(undefined)
    }
    for (const bell of this.bells) bell.ring()
  }

  private get isStopping(): boolean {
    return this.requests.isStopping || this.requests.isResigning
  }

  private get patienceMs(): number {
    return this.begun.config.replicaSeconds * 1_000
  }

  private get answerMs(): number {
    return this.patienceMs * ANSWER_SHARE
  }

  private info(fields: Record<string, unknown>, message: string): void {
    this.ways.report({ report: 'log', level: 'info', fields, message })
  }

  private async run(): Promise<void> {
    if (this.begun.config.follow === '') await this.lead(await this.joinInTime())
    else await this.follow()
    await this.quorum.close()
  }

  /** Leads from the start on. */
  private async lead(joined: Joined): Promise<void> {
    const { epoch, loaded, sent, succeeded } = joined
    const fields = { epoch, loaded, sent, ...(succeeded !== undefined && { succeeded }) }
    this.info(fields, 'leads the quorum')
    await this.goOnLeading(this.begun.memory, joined)
  }

  private async goOnLeading(memory: ReplicaMemory, taken: TakenLead): Promise<void> {
    const { config } = this.begun
    const { quorum, requests, patienceMs } = this
    this.bells.push(new Doorbell(memory.bell))
    this.ways.report({ report: 'leads', epoch: taken.epoch, address: addressOf(config) })
    const beatMs = Math.min(BEAT_MS, leaseMs(config) / BEATS_OF_LEASE)
    const member = memberOf(config.data)
    await leadQuorum({ quorum, memory, member, requests, patienceMs, beatMs, ...this.ways }, taken)
  }

  /** Follows until it has to stop, or leads until then. */
  private async follow(): Promise<void> {
    const { config } = this.begun
    const { time } = this.ways
    const reader = new PostgresReader({ url: config.follow, answerMs: this.answerMs, time })
    const afterMs = config.promoteAfter === 0 ? undefined : config.promoteAfter * 1_000
    const member = memberOf(config.data)
    this.watch = new LeadWatch({ member, afterMs, passedMs: elapsedMs(time) })
    await this.followBy(reader, this.watch)
    await reader.close()
  }

  private async followBy(reader: PostgresReader, watch: LeadWatch): Promise<void> {
    const { data: dataFolder } = this.begun.config
    const isStopping = () => this.isStopping
    const options = { dataFolder, reader, watch, isStopping, ...this.ways }
    for (;;) {
      const caught = await catchUpInTime(options, this.patienceMs)
      if (caught === undefined) return
      if (caught !== SHALL_LEAD) {
        const { cursor, loaded } = caught
        this.info({ sequence: cursor, loaded }, 'follows the quorum')
        this.ways.report({ report: 'follows' })
        const delivery = await this.delivered
        if (delivery === undefined) return
        this.bells.push(new Doorbell(delivery.memory.bell))
        await this.followLive(new LiveFollower(options, caught, delivery), watch, delivery)
        return
      }
      const joined = await this.joinUnlessLed()
      if (joined !== undefined) return this.lead(joined)
    }
  }

  /** Follows until it has to stop, or leads once it takes the lead. */
  private async followLive(
    live: LiveFollower,
    watch: LeadWatch,
    { memory, role: cells }: Delivery,
  ): Promise<void> {
    const { time } = this.ways
    const { config } = this.begun
    const role = new RoleCells(cells, time)
    const claimer = { member: memberOf(config.data), address: addressOf(config) }
    let tried: Cause | undefined
    while (!this.isStopping) {
      await live.run()
      if (this.isStopping) return
      const cause = watch.cause(elapsedMs(time))
      if (cause !== tried) this.info({ cause }, 'takes the lead, unless another member is quicker')
      tried = cause
      role.become(Role.TAKING_OVER)
      const taken = await live.takeOver({ quorum: this.quorum, claimer })
      if (taken !== undefined) return this.goOnLeading(memory, taken)
      role.become(Role.FOLLOWER)
      await pause(time, PAUSE_MS)
    }
  }

  /** Takes the lead before any thread runs. Resolves to undefined when another member leads. */
  private async joinUnlessLed(): Promise<Joined | undefined> {
    try {
      return await this.joinOnce(lastEpochIn(this.begun.config.data))
    } catch (error) {
      if (error instanceof OutcomeUnknown || error instanceof LeaderAlive) return undefined
      throw error
    }
  }

  /** Tries until --replica-seconds have passed. */
  private async joinInTime(): Promise<Joined> {
    const { time } = this.ways
    const lastEpoch = lastEpochIn(this.begun.config.data)
    const deadlineMs = elapsedMs(time) + this.patienceMs
    for (;;) {
      try {
        return await this.joinOnce(lastEpoch)
      } catch (error) {
        if (!(error instanceof OutcomeUnknown)) throw error
        if (elapsedMs(time) > deadlineMs) {
          throw new QuorumRefusal(`The quorum (--replica) does not answer: ${error.message}.`)
        }
        await pause(time, PAUSE_MS)
      }
    }
  }

  private joinOnce(lastEpoch: number): Promise<Joined> {
    const { config } = this.begun
    return join({
      dataFolder: config.data,
      quorum: this.quorum,
      lastEpoch,
      address: addressOf(config),
      sleep: (ms) => pause(this.ways.time, ms),
      damaged: damageReporter(this.ways.report),
    })
  }
}

/**
 * How long this member leads without an answer of the quorum: no longer than others wait before one of them
 * takes the lead.
 */
const leaseMs = ({ promoteAfter }: Config): number =>
  promoteAfter === 0 ? SILENCE_MS : Math.min(SILENCE_MS, promoteAfter * 1_000)

function lastEpochIn(dataFolder: string): number {
  // What it has lost is logged once it is compared with the quorum.
  const control = ControlStore.open(dataFolder, { doubted: () => {}, isWritten: true })
  try {
    const facts = [...control.entries()] as Fact[]
    return Math.max(0, ...facts.map((fact) => (fact.fact === 'start' ? fact.epoch : 0)))
  } finally {
    control.close()
  }
}
