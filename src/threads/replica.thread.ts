/**
 * The replica thread: this member's way to the quorum. A leader takes the lead and makes the data folder
 * equal to the quorum, before any other thread opens the folder (lead-quorum.ts). A follower brings the
 * folder up to the watermark first, and follows (follow-quorum.ts) until it takes the lead.
 */
import { RealTime } from '../base/real-time.ts'
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
import { catchUpInTime, LiveFollower, SHALL_LEAD } from './follow-quorum.ts'
import { type Held, leadQuorum, PAUSE_MS, type Told } from './lead-quorum.ts'
import { addressOf } from './member-address.ts'
import type { ReplicaMemory } from './replica-link.ts'
import { startedWith } from './start-gate.ts'
import type { Delivery, ReplicaStart, ThreadOrder, ThreadReport } from './thread-messages.ts'

/** The longest wait for one answer, as a share of the time that orders wait. */
const ANSWER_SHARE = 0.2
/** Beats in the time that a leader leads without a confirmed one. */
const BEATS_OF_LEASE = 4
/** The time until which a member leads that does not. */
const NEVER_MS = 1

const time = new RealTime()
const { port, start } = startedWith<ReplicaStart>()
const report = (message: ThreadReport) => port.postMessage(message)
const told: Told = { isStopping: false, isResigning: false, successor: undefined }
const isStopping = () => told.isStopping || told.isResigning
const bells: Doorbell[] = []
/** Once the exchange has reserved its memory. */
let roleCells: RoleCells | undefined
/** When the quorum last confirmed that this member leads, monotonic. */
let confirmedMs: number | undefined
const asked: LeadWatch[] = []
let deliver: (delivery: Delivery | undefined) => void = () => {}
const delivered = new Promise<Delivery | undefined>((resolve) => {
  deliver = resolve
})
port.on('message', (message: ThreadOrder) => {
  if (message.order === 'deliver') {
    roleCells = new RoleCells(message.delivery.role, time)
    if (confirmedMs !== undefined) confirmed(confirmedMs)
    deliver(message.delivery)
  } else if (message.order === 'promote') for (const watch of asked) watch.ask()
  else if (message.order === 'resign') {
    told.isResigning = true
    // Before another member hears of it.
    roleCells?.confirm(NEVER_MS)
    deliver(undefined)
  } else if (message.order === 'handOver') {
    told.successor = { name: message.successor, number: message.number }
  } else if (message.order === 'stop') {
    told.isStopping = true
    deliver(undefined)
  }
  for (const bell of bells) bell.ring()
})
/** The quorum has confirmed that this member led at `sinceMs`. */
function confirmed(sinceMs: number): void {
  confirmedMs = sinceMs
  if (told.isResigning) return
  roleCells?.confirm(sinceMs + leaseMs(start.config))
}

/**
 * How long this member leads without hearing of the quorum: no longer than others wait before one of them
 * takes the lead.
 */
const leaseMs = ({ promoteAfter }: Config): number =>
  promoteAfter === 0 ? SILENCE_MS : Math.min(SILENCE_MS, promoteAfter * 1_000)

async function run(start: ReplicaStart): Promise<void> {
  const { config } = start
  const patienceMs = config.replicaSeconds * 1_000
  const answerMs = patienceMs * ANSWER_SHARE
  const follows = config.follow !== ''
  const url = follows ? config.follow : config.replica
  const quorum = new PostgresQuorum({ url, answerMs, time, confirmed })
  if (follows) await new FollowThread(start, quorum, patienceMs, answerMs).run()
  else await lead(quorum, start, await joinInTime(quorum, config))
  await quorum.close()
  report({ report: 'stopped' })
  port.close()
}

/** Leads from the start on. */
async function lead(quorum: Quorum, { config, memory }: ReplicaStart, joined: Joined) {
  const { epoch, loaded, sent, succeeded } = joined
  const fields = { epoch, loaded, sent, ...(succeeded !== undefined && { succeeded }) }
  report({ report: 'log', level: 'info', fields, message: 'leads the quorum' })
  await goOnLeading(quorum, memory, config, joined)
}

async function goOnLeading(quorum: Quorum, memory: ReplicaMemory, config: Config, held: Held) {
  bells.push(new Doorbell(memory.bell))
  report({ report: 'leads', epoch: held.epoch, address: addressOf(config) })
  const patienceMs = config.replicaSeconds * 1_000
  const beatMs = Math.min(BEAT_MS, leaseMs(config) / BEATS_OF_LEASE)
  const member = memberOf(config.data)
  await leadQuorum({ quorum, memory, member, told, patienceMs, beatMs, report, time }, held)
}

function reportTry(cause: Cause | undefined): void {
  const message = 'takes the lead, unless another member is quicker'
  report({ report: 'log', level: 'info', fields: { cause }, message })
}

class FollowThread {
  private readonly start: ReplicaStart
  private readonly quorum: Quorum
  private readonly patienceMs: number
  private readonly reader: PostgresReader
  private readonly watch: LeadWatch

  constructor(start: ReplicaStart, quorum: Quorum, patienceMs: number, answerMs: number) {
    const { config } = start
    this.start = start
    this.quorum = quorum
    this.patienceMs = patienceMs
    this.reader = new PostgresReader({ url: config.follow, answerMs, time })
    const afterMs = config.promoteAfter === 0 ? undefined : config.promoteAfter * 1_000
    const passedMs = elapsedMs(time)
    this.watch = new LeadWatch({ member: memberOf(config.data), afterMs, passedMs })
    asked.push(this.watch)
  }

  /** Follows until it is told to stop, or leads until then. */
  async run(): Promise<void> {
    await this.runFollower()
    await this.reader.close()
  }

  private async runFollower(): Promise<void> {
    const { config } = this.start
    const reader = this.reader
    const watch = this.watch
    const options = { dataFolder: config.data, reader, watch, isStopping, report, time }
    for (;;) {
      const caught = await catchUpInTime(options, this.patienceMs)
      if (caught === undefined) return
      if (caught !== SHALL_LEAD) {
        const { cursor, loaded } = caught
        const fields = { sequence: cursor, loaded }
        report({ report: 'log', level: 'info', fields, message: 'follows the quorum' })
        report({ report: 'follows' })
        const delivery = await delivered
        if (delivery === undefined) return
        bells.push(new Doorbell(delivery.memory.bell))
        await this.follow(new LiveFollower(options, caught, delivery), delivery)
        return
      }
      const joined = await this.join()
      if (joined !== undefined) return lead(this.quorum, this.start, joined)
    }
  }

  /** Takes the lead before any thread runs. Resolves to undefined when another member leads. */
  private async join(): Promise<Joined | undefined> {
    const { config } = this.start
    try {
      return await joinOnce(this.quorum, config, lastEpochIn(config.data))
    } catch (error) {
      if (error instanceof OutcomeUnknown || error instanceof LeaderAlive) return undefined
      throw error
    }
  }

  /** Follows until it is told to stop, or leads from the moment that it takes the lead. */
  private async follow(live: LiveFollower, { memory, role: cells }: Delivery): Promise<void> {
    const { config } = this.start
    const role = new RoleCells(cells, time)
    const options = { quorum: this.quorum, ...claimOf(config) }
    let tried: Cause | undefined
    while (!isStopping()) {
      await live.run()
      if (isStopping()) return
      const cause = this.watch.cause(elapsedMs(time))
      if (cause !== tried) reportTry(cause)
      tried = cause
      role.become(Role.TAKING_OVER)
      const held = await live.takeOver(options)
      if (held !== undefined) return goOnLeading(this.quorum, memory, config, held)
      role.become(Role.FOLLOWER)
      await pause(time, PAUSE_MS)
    }
  }
}

/** Tries until --replica-seconds have passed. */
async function joinInTime(quorum: Quorum, config: Config): Promise<Joined> {
  const lastEpoch = lastEpochIn(config.data)
  const deadlineMs = elapsedMs(time) + config.replicaSeconds * 1_000
  for (;;) {
    try {
      return await joinOnce(quorum, config, lastEpoch)
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error
      if (elapsedMs(time) > deadlineMs) {
        throw new QuorumRefusal(`The quorum (--replica) does not answer: ${error.message}.`)
      }
      await pause(time, PAUSE_MS)
    }
  }
}

const joinOnce = (quorum: Quorum, config: Config, lastEpoch: number): Promise<Joined> =>
  join({
    ...{ dataFolder: config.data, quorum, lastEpoch, address: addressOf(config) },
    sleep: (ms) => pause(time, ms),
  })

const claimOf = (config: Config) => ({
  claimer: { member: memberOf(config.data), address: addressOf(config) },
})

function lastEpochIn(dataFolder: string): number {
  const control = ControlStore.open(dataFolder)
  try {
    const facts = [...control.entries()] as Fact[]
    return Math.max(0, ...facts.map((fact) => (fact.fact === 'start' ? fact.epoch : 0)))
  } finally {
    control.close()
  }
}

run(start).catch((error: Error) => {
  const { name, message, stack } = error
  report({ report: 'failed', name, message, stack })
})
