/**
 * An exchange over a quorum of PostgreSQL whose parts fail one after another while clients use it. After
 * each fault all that clients received is compared with what the leader has, the quorum's blocks with
 * those of before, and what followers have with the leader; at the end the journals and states of all
 * members with each other.
 */
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Prng } from '../../src/base/prng.ts'
import { SignedClient } from '../exchange/signed-client.ts'
import type { PostgresServers } from '../postgres/postgres-servers.ts'
import { ClientLog } from './client-log.ts'
import { Comparison } from './comparison.ts'
import { FollowerReads } from './follower-reads.ts'
import { History } from './history.ts'
import type { KnownOrder } from './known-orders.ts'
import { type Lane, lanesOf, markets } from './lane.ts'
import { type Member, type Members, PROMOTE_AFTER_MS } from './members.ts'
import { OutageWatch } from './outages.ts'
import {
  boundedFaults,
  type FormerCounts,
  isPossible,
  type ReplicaFault,
  ReplicaFaults,
  replicaFaults,
} from './replica-faults.ts'
import { turnsOf } from './turns.ts'
import { Views } from './views.ts'

const ANSWERS_MIN = 50
const BOUND_MS = 120_000
const PROBE_MS = 15_000
const PAUSE_MS = 50
const NO_SUCH_ORDER = -2011
/** An operator trims the quorum, while clients send, before every third fault. */
const TRIM_ROUNDS = 3
/** The longest time without orders, while two members and PostgreSQL live. */
const OUTAGE_MS = PROMOTE_AFTER_MS + 5_000

export interface ReplicatedChaosOptions {
  readonly members: Members
  readonly servers: PostgresServers
  readonly kills: number
  readonly seed: number
  /** The most answers that clients receive before a fault. */
  readonly answersMax: number
  /** Where the clients' log is written. */
  readonly logFile: string
  /** The faults, in turn; drawn when left out. */
  readonly plan?: readonly ReplicaFault[]
  /** Called after each fault. */
  readonly struck: (fault: ReplicaFault) => void
}

export interface Outage {
  readonly ms: number
  /** Undefined while PostgreSQL fails over, which takes what it takes. */
  readonly boundMs: number | undefined
}

export interface ReplicatedReport {
  readonly kills: Readonly<Record<ReplicaFault, number>>
  /** How often another member led than before. */
  readonly successions: number
  /** Blocks that were removed from the quorum, because all members had them. */
  readonly trimmed: number
  /** By fault: the longest time in which no member took orders. */
  readonly outages: Readonly<Partial<Record<ReplicaFault, Outage>>>
  /** Outages beyond their bounds, in sentences: nothing is lost, but a busy machine may be too slow for a quorum. */
  readonly late: readonly string[]
  /** Orders that followers showed while parts failed. */
  readonly seen: number
  /** Counts of leaders that were overtaken while they lived. */
  readonly formers: FormerCounts
  readonly seeds: ReplicaFaults['seeds']
  readonly answers: Comparison['known']['counts']
  readonly resolved: Comparison['resolved']
  /** What was lost, undone or cannot be; none when all is well. */
  readonly findings: readonly string[]
}

export class ReplicatedChaos {
  private readonly options: ReplicatedChaosOptions
  private readonly prng: Prng
  private readonly log: ClientLog
  private readonly history: History
  private readonly views: Views
  private readonly comparison: Comparison
  private readonly faults: ReplicaFaults
  private readonly kills = Object.fromEntries(replicaFaults.map((fault) => [fault, 0])) as Record<
    ReplicaFault,
    number
  >
  private readonly outages: Partial<Record<ReplicaFault, Outage>> = {}
  private readonly late: string[] = []
  private readonly findings: string[] = []
  private readonly reads: FollowerReads
  private readonly nextFault: () => ReplicaFault
  private watch!: OutageWatch
  private successions = 0
  private round = 0
  private answers = 0
  /** Lanes continue. */
  private isLoading = false
  private lanes: readonly Lane[] = []
  /** Resolves when no client sends any more. */
  private asked: Promise<unknown> = Promise.resolve()

  constructor(options: ReplicatedChaosOptions) {
    this.options = options
    this.prng = new Prng(options.seed)
    this.nextFault = turnsOf(options.plan, replicaFaults.filter(isPossible), this.prng)
    this.log = new ClientLog(options.logFile)
    this.history = new History(options.servers)
    const { members } = options
    this.views = new Views(members.keys())
    this.reads = new FollowerReads(members, new Prng(options.seed))
    this.comparison = new Comparison(members.leader.exchange.url, members.keys(), this.log)
    this.faults = new ReplicaFaults({
      members,
      servers: options.servers,
      prng: this.prng,
      log: this.log,
      folder: path.dirname(options.logFile),
      answered: (count) => this.answered(count),
      succeeded: () => this.giveUp(),
      watchOutage: () => this.watch.begin(),
      found: (sentence) => this.findings.push(sentence),
    })
  }

  /** Ends after so many faults, with all members killed; or with the first round that found something. */
  async run(): Promise<ReplicatedReport> {
    const { kills, struck, servers } = this.options
    await this.comparison.begin()
    let open: ReadonlyMap<string, readonly KnownOrder[]> = new Map()
    while (this.round < kills && this.found.length === 0) {
      this.round++
      await this.load(open)
      if (this.round % TRIM_ROUNDS === 0) await this.faults.trim()
      const fault = this.nextFault()
      await this.strike(fault)
      await this.rest()
      await until('all servers of PostgreSQL', () => servers.areWhole())
      open = await this.compare()
      this.kills[fault]++
      struck(fault)
    }
    await this.finish()
    this.log.close()
    const { known, resolved } = this.comparison
    return {
      kills: this.kills,
      successions: this.successions,
      trimmed: this.faults.trimmed,
      outages: this.outages,
      late: this.late,
      seen: this.reads.seen,
      formers: this.faults.formers,
      seeds: this.faults.seeds,
      answers: known.counts,
      resolved,
      findings: this.found,
    }
  }

  private get found(): readonly string[] {
    return [...this.comparison.findings, ...this.reads.findings, ...this.findings]
  }

  private get leader(): Member {
    return this.options.members.leader
  }

  /** Clients send, until `rest`. */
  private async load(open: ReadonlyMap<string, readonly KnownOrder[]>): Promise<void> {
    this.isLoading = true
    this.watch = new OutageWatch(this.options.members, this.log, `${this.round}-watch`)
    this.reads.begin()
    this.lanes = this.makeLanes(open)
    this.asked = Promise.all(this.lanes.map((lane) => lane.run()))
    await this.answered(this.prng.between(ANSWERS_MIN, this.options.answersMax))
  }

  private makeLanes(open: ReadonlyMap<string, readonly KnownOrder[]>): Lane[] {
    return lanesOf(this.options.members.keys(), open, this.prng, `${this.round}`, {
      url: this.leader.exchange.url,
      log: this.log,
      answered: () => this.answers++,
      isWanted: () => this.isLoading,
    })
  }

  /** Resolves after so many more answers, or when no client sends any more. */
  private async answered(count: number): Promise<void> {
    const wanted = this.answers + count
    let isOver = false
    const end = () => {
      isOver = true
    }
    void this.asked.then(end, end)
    await until('answers', async () => isOver || this.answers >= wanted)
  }

  /** Measures how long orders stand still meanwhile. */
  private async strike(fault: ReplicaFault): Promise<void> {
    this.watch.begin()
    await this.faults.strike(fault, this.round)
    const ms = await this.watch.end()
    const boundMs = boundedFaults.has(fault) ? OUTAGE_MS : undefined
    if (ms > (this.outages[fault]?.ms ?? 0)) this.outages[fault] = { ms, boundMs }
    if (ms <= (boundMs ?? ms)) return
    this.late.push(`no member took orders for ${Math.round(ms)} ms (${fault}, round ${this.round})`)
  }

  /** What the leader before has not acknowledged by now is never acknowledged. */
  private giveUp(): void {
    this.successions++
    for (const lane of this.lanes) lane.giveUp()
  }

  /** Clients stop sending, whatever they sent is decided, and all members run. */
  private async rest(): Promise<void> {
    const { members } = this.options
    this.isLoading = false
    const before = this.leader
    members.startEnded()
    // A slow machine may look silent to followers.
    if ((await members.awaitLeader()) !== before) this.giveUp()
    await this.asked
    await Promise.all([this.watch.stop(), this.reads.stop()])
    await until('an order that is taken', async () => {
      members.startEnded()
      await members.awaitLeader()
      return this.isSettled()
    })
  }

  /** Whether every matcher answers what is sent now, and so has answered what was sent before. */
  private async isSettled(): Promise<boolean> {
    const [key] = this.options.members.keys()
    const client = new SignedClient(this.leader.exchange.url, key!)
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

  private async compare(): Promise<ReadonlyMap<string, readonly KnownOrder[]>> {
    this.comparison.moveTo(this.leader.exchange.url)
    const open = await this.comparison.compare()
    await this.reads.compare()
    this.findings.push(...(await this.history.check()))
    const { members } = this.options
    for (const follower of members.followers) {
      // One that gave up the lead may end only now.
      const restart = () => members.startEnded()
      const difference = await this.views.difference(this.leader, follower, restart)
      if (difference !== undefined) this.findings.push(difference)
    }
    return open
  }

  /** All members are killed at the same place, and compared. */
  private async finish(): Promise<void> {
    const { members } = this.options
    if (this.found.length > 0) return
    await this.comparison.compareHistory()
    await members.kill()
    const folders = members.all.map(({ exchange }) => exchange.data)
    this.findings.push(...(await this.history.compareFolders(folders)))
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + BOUND_MS
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error(`never happened: ${what}`)
    await delay(PAUSE_MS)
  }
}
