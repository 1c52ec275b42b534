/** The faults of an exchange over a quorum, each with what must follow from it. */
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Prng } from '../../src/base/prng.ts'
import { canRefuse, type DiskError, refuseWrites } from '../exchange/disk-errors.ts'
import type { PostgresServers } from '../postgres/postgres-servers.ts'
import type { ClientLog } from './client-log.ts'
import { FormerLeader } from './former-leader.ts'
import { damageLogs, logDamages } from './log-damage.ts'
import type { Member, Members } from './members.ts'
import { isMounted } from './mounts.ts'
import { isLeast, nameIn, noteStopped, trimQuorum } from './quorum-trims.ts'
import { seed } from './seeds.ts'

/** The exchange continues after a fault: so many answers come before the comparison. */
const ANSWERS_AFTER = 30
const STOPPED_MS = 10_000
/** Followers wait for a shorter silence than the one, and take the lead within the other. */
const SHORT_CUT_MS = 1_500
const LONG_CUT_MS = 12_000
const LONG_CUT_CHANCE = 0.7
/** Orders wait for servers that come back after the one, and are given up within the other. */
const GONE_MS = [8_000, 14_000]
/** Members note once a minute what they have. */
const NOTED_MS = 90_000
const LOOK_MS = 500

export const replicaFaults = [
  ...(['leader', 'follower', 'primary', 'standby', 'stop', 'cut'] as const),
  ...(['full', 'broken', 'gone', 'trim', 'seed'] as const),
  ...(['follower-full', 'follower-broken', 'follower-cut', 'logs'] as const),
]
export type ReplicaFault = (typeof replicaFaults)[number]

export const isPossible = (fault: ReplicaFault): boolean =>
  !fault.endsWith('broken') || canRefuse('broken')

/** Two members live, and so does PostgreSQL: orders continue soon. */
export const boundedFaults: ReadonlySet<ReplicaFault> = new Set(
  replicaFaults.filter((fault) => fault !== 'primary'),
)

/** What overtaken leaders answered. */
export interface FormerCounts {
  answers: number
  definite: number
  contradictions: number
}

export interface FaultStage {
  readonly members: Members
  readonly servers: PostgresServers
  readonly prng: Prng
  readonly log: ClientLog
  /** Where backups are made. */
  readonly folder: string
  /** Resolves after so many more answers, or when no client sends any more. */
  answered(count: number): Promise<void>
  /** Another member leads. */
  succeeded(): void
  /** Forgets what was until now of how long orders stood still. */
  watchOutage(): void
  /** Something is wrong. */
  found(sentence: string): void
}

export class ReplicaFaults {
  readonly formers: FormerCounts = { answers: 0, definite: 0, contradictions: 0 }
  /** Followers that were seeded into a folder with a key, and into a mount point. */
  readonly seeds = { key: 0, mount: 0 }
  trimmed = 0
  private readonly stage: FaultStage
  private round = 0

  constructor(stage: FaultStage) {
    this.stage = stage
  }

  async strike(fault: ReplicaFault, round: number): Promise<void> {
    this.round = round
    if (fault === 'leader') await this.killLeader()
    else if (fault === 'follower') await this.killFollower()
    else if (fault === 'primary') await this.killPrimary()
    else if (fault === 'standby') await this.killStandby()
    else if (fault === 'stop') await this.stopLeader()
    else if (fault === 'cut') await this.cutLeader()
    else if (fault === 'full' || fault === 'broken') await this.loseDisk(fault)
    else if (fault === 'follower-full') await this.loseFollowersDisk('full')
    else if (fault === 'follower-broken') await this.loseFollowersDisk('broken')
    else if (fault === 'follower-cut') await this.cutFollower()
    else if (fault === 'logs') await this.loseLogs()
    else if (fault === 'gone') await this.loseServers()
    else if (fault === 'trim') await this.trimBehindStopped()
    else await this.seedFollower()
  }

  /** As an operator does, while clients send. */
  async trim(without: readonly string[] = []): Promise<void> {
    this.trimmed += await trimQuorum(this.stage.servers.url(), without)
  }

  private get leader(): Member {
    return this.stage.members.leader
  }

  private get follower(): Member {
    const { prng, members } = this.stage
    return prng.pick(members.followers)
  }

  private async killLeader(): Promise<void> {
    const former = this.leader
    await former.exchange.stop('SIGKILL')
    await this.succeed(former)
  }

  private async killFollower(): Promise<void> {
    await this.follower.exchange.stop('SIGKILL')
    await this.stage.answered(ANSWERS_AFTER)
  }

  private async killPrimary(): Promise<void> {
    const { servers, answered } = this.stage
    const { primary } = servers
    await servers.failOver()
    await answered(ANSWERS_AFTER)
    await servers.rejoin(primary)
  }

  private async killStandby(): Promise<void> {
    const { servers, prng, answered } = this.stage
    const standby = prng.pick(servers.standbys)
    await standby.stop('SIGKILL')
    await answered(ANSWERS_AFTER)
    await standby.start()
  }

  /** Longer than the silence after which another member leads. */
  private async stopLeader(): Promise<void> {
    await this.overtake(async ({ exchange }) => {
      const { pid } = exchange
      process.kill(pid, 'SIGSTOP')
      await delay(STOPPED_MS)
      process.kill(pid, 'SIGCONT')
    })
  }

  private async cutLeader(): Promise<void> {
    const { prng, answered } = this.stage
    const { network } = this.leader
    const reach = prng.pick(network.reaches)
    if (prng.chance(LONG_CUT_CHANCE)) {
      await this.overtake(async () => {
        network.cut(reach)
        await delay(LONG_CUT_MS)
        network.heal()
      }, reach === 'quorum')
      return
    }
    network.cut(reach)
    await delay(SHORT_CUT_MS)
    network.heal()
    await answered(ANSWERS_AFTER)
  }

  private async loseDisk(error: DiskError): Promise<void> {
    await this.overtake(({ exchange }) => refuseWrites(exchange.pid, error), true)
  }

  private async loseFollowersDisk(error: DiskError): Promise<void> {
    const { answered, found } = this.stage
    const { exchange, number } = this.follower
    await refuseWrites(exchange.pid, error)
    await answered(ANSWERS_AFTER)
    const { code, output } = await exchange.ended()
    if (code !== 1) found(`follower ${number} lost its disk, and ended with ${code}: ${output}`)
  }

  private async cutFollower(): Promise<void> {
    const { prng, answered } = this.stage
    const { network } = this.follower
    network.cut(prng.pick(network.reaches))
    await answered(ANSWERS_AFTER)
    await delay(prng.chance(LONG_CUT_CHANCE) ? LONG_CUT_MS : SHORT_CUT_MS)
    network.heal()
    await answered(ANSWERS_AFTER)
  }

  /** A member is killed, and its write-ahead logs are damaged; then it starts again, and reads the quorum. */
  private async loseLogs(): Promise<void> {
    const { prng, members, answered, found } = this.stage
    const lost = prng.pick(members.all)
    const isLeader = lost === this.leader
    await lost.exchange.stop('SIGKILL')
    const how = prng.pick(logDamages)
    const isMissed = damageLogs(lost.exchange.data, how)
    if (isLeader) await this.succeed(lost)
    await answered(ANSWERS_AFTER)
    members.startEnded()
    await answered(ANSWERS_AFTER)
    const deadlineMs = performance.now() + NOTED_MS
    const { exchange, number } = lost
    while (!exchange.output.includes('The quorum is asked for them')) {
      if (!isMissed) return
      if (performance.now() > deadlineMs) {
        found(`member ${number} lost its logs (${how}), and does not say so: ${exchange.output}`)
        return
      }
      await delay(LOOK_MS)
    }
  }

  /** All at once, as with the room that they are in. */
  private async loseServers(): Promise<void> {
    const { prng, watchOutage } = this.stage
    const all = this.stage.servers.servers
    await Promise.all(all.map((server) => server.stop('SIGKILL')))
    await delay(prng.pick(GONE_MS))
    await Promise.all(all.map((server) => server.start()))
    watchOutage()
  }

  /** What the member has stays enough, whatever is removed. */
  private async trimBehindStopped(): Promise<void> {
    const { members, servers, answered } = this.stage
    const { exchange } = this.follower
    await exchange.stop('SIGKILL')
    await answered(ANSWERS_AFTER)
    const url = servers.url()
    await noteStopped(url, exchange.data)
    const deadlineMs = performance.now() + NOTED_MS
    while (!(await isLeast(url, exchange.data)) && performance.now() < deadlineMs) {
      await delay(LOOK_MS)
    }
    await this.trim()
    members.startEnded()
  }

  /** The operator leaves it behind, and it begins with a backup of the leader. */
  private async seedFollower(): Promise<void> {
    const { answered, folder, found } = this.stage
    const follower = this.follower
    const { data } = follower.exchange
    await follower.exchange.stop('SIGKILL')
    await this.trim([nameIn(data)])
    await answered(ANSWERS_AFTER)
    const backup = path.join(folder, `backup-${this.round}`)
    const prepared = this.seeds.key > this.seeds.mount ? 'mount' : 'key'
    const wrong = await seed(follower, this.leader, prepared, backup)
    if (wrong !== undefined) found(wrong)
    this.seeds[isMounted(data) ? 'mount' : 'key']++
  }

  /**
   * A fault that costs the leader the lead, but not its life. It is queried about what the next one decides,
   * until it ends by itself.
   */
  private async overtake(
    strike: (former: Member) => Promise<void>,
    isReached = false,
  ): Promise<void> {
    const { members, log, found } = this.stage
    const former = this.leader
    const [key] = members.keys()
    const watched = await FormerLeader.watch(former, key!, log, this.round)
    const struck = strike(former)
    await this.succeed(former)
    await watched.contradict(this.leader)
    await struck
    if (isReached) watched.checkStreams()
    const { code, output } = await former.exchange.ended()
    const { answers, definite, contradictions } = await watched.end()
    this.formers.answers += answers
    this.formers.definite += definite
    this.formers.contradictions += contradictions.length
    for (const sentence of contradictions) found(sentence)
    if (code === 1) return
    found(`member ${former.number} was overtaken, and ended with ${code}: ${output}`)
  }

  /** Resolves when another member leads than the former leader. */
  private async succeed(former: Member): Promise<void> {
    await this.stage.members.awaitLeader(former)
    this.stage.succeeded()
  }
}
