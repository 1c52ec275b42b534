/**
 * An exchange over a quorum of PostgreSQL whose parts fail one after another while clients use it. After
 * each fault all that clients were told is compared with what the leader says, the quorum's blocks with
 * those of before, and what followers say with the leader; at the end the journals and states of all
 * members with each other.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Prng } from '../../src/base/prng.ts'
import { cutOf } from '../../src/replica/cut.ts'
import { Retention } from '../../src/replica/retention.ts'
import { SignedClient } from '../exchange/signed-client.ts'
import type { PostgresServers } from '../postgres/postgres-servers.ts'
import { ClientLog } from './client-log.ts'
import { Comparison } from './comparison.ts'
import { History } from './history.ts'
import type { KnownOrder } from './known-orders.ts'
import { Lane, markets } from './lane.ts'
import type { Member, Members } from './members.ts'
import { Views } from './views.ts'

const LANES_PER_ACCOUNT = 3
const ANSWERS_MIN = 50
/** The exchange goes on after a fault: so many answers come before the comparison. */
const ANSWERS_AFTER = 30
const STOPPED_MS = 10_000
/** Followers wait for a shorter silence than the one, and take the lead within the other. */
const SHORT_CUT_MS = 1_500
const LONG_CUT_MS = 12_000
const LONG_CUT_CHANCE = 0.7
const BOUND_MS = 120_000
const PROBE_MS = 15_000
const PAUSE_MS = 50
const NO_SUCH_ORDER = -2011
/** An operator trims the quorum, while clients ask, before every third fault. */
const TRIM_ROUNDS = 3
const SILENT_HOURS = 24

export const faults = ['leader', 'follower', 'primary', 'standby', 'stop', 'cut'] as const
export type ReplicaFault = (typeof faults)[number]

export interface ReplicatedChaosOptions {
  readonly members: Members
  readonly servers: PostgresServers
  readonly kills: number
  readonly seed: number
  /** The most answers that clients receive before a fault. */
  readonly answersMax: number
  /** Where the clients' log is written. */
  readonly logFile: string
  /** The faults, in their order; drawn when left out. */
  readonly plan?: readonly ReplicaFault[]
  /** Called after each fault. */
  readonly struck: (fault: ReplicaFault) => void
}

export interface ReplicatedReport {
  readonly kills: Readonly<Record<ReplicaFault, number>>
  /** How often another member led than before. */
  readonly successions: number
  /** Blocks that were removed from the quorum, because all members had them. */
  readonly trimmed: number
  readonly answers: Comparison['known']['counts']
  readonly resolved: Comparison['resolved']
  /** What was lost, undone or cannot be; none when all is well. */
  readonly findings: readonly string[]
}

export class ReplicatedChaos {
  readonly #options: ReplicatedChaosOptions
  readonly #prng: Prng
  readonly #log: ClientLog
  readonly #history: History
  readonly #views: Views
  readonly #comparison: Comparison
  readonly #kills: Record<ReplicaFault, number> = {
    ...{ leader: 0, follower: 0, primary: 0, standby: 0, stop: 0, cut: 0 },
  }
  readonly #findings: string[] = []
  #successions = 0
  #trimmed = 0
  #round = 0
  #answers = 0
  /** Lanes go on. */
  #isLoading = false
  #lanes: readonly Lane[] = []
  /** Resolves when no client asks any more. */
  #asked: Promise<unknown> = Promise.resolve()

  constructor(options: ReplicatedChaosOptions) {
    this.#options = options
    this.#prng = new Prng(options.seed)
    this.#log = new ClientLog(options.logFile)
    this.#history = new History(options.servers)
    const { members } = options
    this.#views = new Views(members.keys())
    this.#comparison = new Comparison(members.leader.exchange.url, members.keys(), this.#log)
  }

  /** Ends after so many faults, with all members killed; or with the first round that found something. */
  async run(): Promise<ReplicatedReport> {
    const { kills, struck, servers } = this.#options
    await this.#comparison.begin()
    let open: ReadonlyMap<string, readonly KnownOrder[]> = new Map()
    while (this.#round < kills && this.#found.length === 0) {
      this.#round++
      await this.#load(open)
      if (this.#round % TRIM_ROUNDS === 0) await this.#trim()
      const fault = this.#options.plan?.[this.#round - 1] ?? this.#prng.pick(faults)
      await this.#strike(fault)
      await this.#rest()
      await until('all servers of PostgreSQL', () => servers.areWhole())
      open = await this.#compare()
      this.#kills[fault]++
      struck(fault)
    }
    await this.#finish()
    this.#log.close()
    const { known, resolved } = this.#comparison
    return {
      kills: this.#kills,
      successions: this.#successions,
      trimmed: this.#trimmed,
      answers: known.counts,
      resolved,
      findings: this.#found,
    }
  }

  get #found(): readonly string[] {
    return [...this.#comparison.findings, ...this.#findings]
  }

  get #leader(): Member {
    return this.#options.members.leader
  }

  /** Clients ask, until `#rest`. */
  async #load(open: ReadonlyMap<string, readonly KnownOrder[]>): Promise<void> {
    this.#isLoading = true
    this.#lanes = this.#makeLanes(open)
    this.#asked = Promise.all(this.#lanes.map((lane) => lane.run()))
    await this.#answered(this.#prng.between(ANSWERS_MIN, this.#options.answersMax))
  }

  #makeLanes(open: ReadonlyMap<string, readonly KnownOrder[]>): Lane[] {
    const { url } = this.#leader.exchange
    return this.#options.members.keys().flatMap((key) =>
      Array.from({ length: LANES_PER_ACCOUNT }, (_, lane) => {
        const own = open.get(key.account) ?? []
        return new Lane({
          ...{ url, key, log: this.#log },
          prng: new Prng(this.#prng.uint32()),
          name: `${this.#round}-${lane}`,
          open: own
            .filter(({ orderId }) => orderId % LANES_PER_ACCOUNT === lane)
            .map((order) => ({ ...order, origQty: String(Number(order.origQty) / 1e8) })),
          answered: () => this.#answers++,
          isWanted: () => this.#isLoading,
        })
      }),
    )
  }

  /** Resolves after so many more answers, or when no client asks any more. */
  async #answered(count: number): Promise<void> {
    const wanted = this.#answers + count
    let isOver = false
    const end = () => {
      isOver = true
    }
    void this.#asked.then(end, end)
    await until('answers', async () => isOver || this.#answers >= wanted)
  }

  /** As the act `quorum-trim`. */
  async #trim(): Promise<void> {
    const retention = new Retention({ url: this.#options.servers.url(), answerMs: PROBE_MS })
    try {
      await retention.open()
      const cut = cutOf(await retention.members(), SILENT_HOURS, [])
      if (cut !== undefined) this.#trimmed += await retention.trim(cut.sequence)
    } finally {
      retention.close()
    }
  }

  async #strike(fault: ReplicaFault): Promise<void> {
    if (fault === 'leader') await this.#killLeader()
    else if (fault === 'follower') await this.#killFollower()
    else if (fault === 'primary') await this.#killPrimary()
    else if (fault === 'standby') await this.#killStandby()
    else if (fault === 'stop') await this.#stopLeader()
    else await this.#cutLeader()
  }

  async #killLeader(): Promise<void> {
    const former = this.#leader
    await former.exchange.stop('SIGKILL')
    await this.#succeed(former)
  }

  async #killFollower(): Promise<void> {
    await this.#prng.pick(this.#options.members.followers).exchange.stop('SIGKILL')
    await this.#answered(ANSWERS_AFTER)
  }

  async #killPrimary(): Promise<void> {
    const { servers } = this.#options
    const { primary } = servers
    await servers.failOver()
    await this.#answered(ANSWERS_AFTER)
    await servers.rejoin(primary)
  }

  async #killStandby(): Promise<void> {
    const standby = this.#prng.pick(this.#options.servers.standbys)
    await standby.stop('SIGKILL')
    await this.#answered(ANSWERS_AFTER)
    await standby.start()
  }

  /** Longer than the silence after which another member leads. */
  async #stopLeader(): Promise<void> {
    const former = this.#leader
    const { pid } = former.exchange
    process.kill(pid, 'SIGSTOP')
    const isBack = delay(STOPPED_MS).then(() => process.kill(pid, 'SIGCONT'))
    await this.#succeed(former)
    await isBack
    await this.#checkEnd(former)
  }

  async #cutLeader(): Promise<void> {
    const former = this.#leader
    const { network } = former
    const isLong = this.#prng.chance(LONG_CUT_CHANCE)
    network.cut(this.#prng.pick(network.reaches))
    const isBack = delay(isLong ? LONG_CUT_MS : SHORT_CUT_MS).then(() => network.heal())
    if (isLong) await this.#succeed(former)
    await isBack
    if (isLong) await this.#checkEnd(former)
    else await this.#answered(ANSWERS_AFTER)
  }

  /** A leader that was overtaken ends by itself, whether it has heard of the new one or not. */
  async #checkEnd({ number, exchange }: Member): Promise<void> {
    const { code, output } = await exchange.ended()
    if (code === 1) return
    this.#findings.push(`member ${number} was overtaken, and ended with ${code}: ${output}`)
  }

  /** Resolves when another member leads than the former leader. */
  async #succeed(former: Member): Promise<void> {
    await this.#options.members.awaitLeader(former)
    this.#giveUp()
  }

  /** What the leader before has not acknowledged by now is never acknowledged. */
  #giveUp(): void {
    this.#successions++
    for (const lane of this.#lanes) lane.giveUp()
  }

  /** Clients stop asking, whatever they asked is decided, and all members run. */
  async #rest(): Promise<void> {
    const { members } = this.#options
    this.#isLoading = false
    const before = this.#leader
    members.startEnded()
    // A slow machine may look silent to followers.
    if ((await members.awaitLeader()) !== before) this.#giveUp()
    await this.#asked
    await until('an order that is taken', async () => {
      members.startEnded()
      await members.awaitLeader()
      return this.#isSettled()
    })
  }

  /** Whether every matcher answers what is asked now, and so has answered what was asked before. */
  async #isSettled(): Promise<boolean> {
    const [key] = this.#options.members.keys()
    const client = new SignedClient(this.#leader.exchange.url, key!)
    try {
      for (const { symbol } of markets) {
        const params = { symbol, origClientOrderId: 'no-such-order' }
        const signal = AbortSignal.timeout(PROBE_MS)
        const { body } = await client.send('DELETE', '/api/v3/order', params, signal)
        if (body.code !== NO_SUCH_ORDER) return false
      }
      return true
    } catch {
      return false
    }
  }

  async #compare(): Promise<ReadonlyMap<string, readonly KnownOrder[]>> {
    this.#comparison.moveTo(this.#leader.exchange.url)
    const open = await this.#comparison.compare()
    this.#findings.push(...(await this.#history.check()))
    const { members } = this.#options
    for (const follower of members.followers) {
      const difference = await this.#views.difference(this.#leader, follower)
      if (difference !== undefined) this.#findings.push(difference)
    }
    return open
  }

  /** All members are killed at the same place, and compared. */
  async #finish(): Promise<void> {
    const { members } = this.#options
    if (this.#found.length > 0) return
    await this.#comparison.compareHistory()
    await members.kill()
    const folders = members.all.map(({ exchange }) => exchange.data)
    this.#findings.push(...(await this.#history.compareFolders(folders)))
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + BOUND_MS
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error(`never happened: ${what}`)
    await delay(PAUSE_MS)
  }
}
