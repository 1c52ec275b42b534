/** The machines on which an exchange over a quorum may run, each with its own data folder. */
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type DemoKey, ExchangeProcess } from '../exchange/exchange-process.ts'
import { PostgresServers, urlOf } from '../postgres/postgres-servers.ts'
import { unmount } from './mounts.ts'
import { type MemberNetwork, makeNetworks, type Networks } from './networks.ts'

const SECRET = 'secret.key'
/** Longest time until a member leads, and all others know. */
const SUCCESSION_MS = 180_000
const PAUSE_MS = 100
/** The longest wait for a member's role; one that stands still does not answer. */
const ROLE_MS = 1_000
const DATABASE = 'postgres'

const COUNT = 3
/** Every member takes the lead after three seconds of silence. */
export const PROMOTE_AFTER_MS = 3_000
/** One that can write no more lives on for longer than orders may stand still: it must not keep the lead. */
const READ_ONLY_SECONDS = 12
const FLAGS = [
  ...['--promote-after', String(PROMOTE_AFTER_MS / 1_000)],
  ...['--read-only-seconds', String(READ_ONLY_SECONDS)],
]

export interface Member {
  readonly number: number
  readonly exchange: ExchangeProcess
  readonly network: MemberNetwork
}

/** What a member reports of itself and its leader. */
interface Standing {
  readonly member: Member
  readonly isLeading: boolean
  readonly role: string
  readonly epoch: number
  readonly leader: string
}

export class Members {
  readonly all: readonly Member[]
  readonly networks: Networks
  private _leader: Member
  private demoKeys: readonly DemoKey[] = []

  private constructor(all: readonly Member[], networks: Networks) {
    this.all = all
    this.networks = networks
    this._leader = all[0]!
  }

  /** Starts a member, which takes the lead of an empty quorum, and the others with its key. */
  static async start(networks: Networks, servers: PostgresServers): Promise<Members> {
    const ports = servers.servers.map(({ port }) => port)
    const all: Member[] = []
    for (const [number, network] of networks.members.entries()) {
      const url = urlOf(await network.reachServers(ports), DATABASE)
      const { place } = network
      const host = place === undefined ? [] : ['--host', place.host]
      const flags = ['--follow', url, ...FLAGS, ...host]
      const exchange = await ExchangeProcess.prepare(flags, undefined, place)
      all.push({ number, exchange, network })
    }
    const members = new Members(all, networks)
    const [first, ...others] = all as [Member, ...Member[]]
    await first.exchange.run()
    members.demoKeys = Object.values(first.exchange.keys())
    for (const { exchange } of others) {
      copyFileSync(path.join(first.exchange.data, SECRET), path.join(exchange.data, SECRET))
    }
    members.startEnded()
    await members.awaitLeader()
    return members
  }

  /** The one that was found last. */
  get leader(): Member {
    return this._leader
  }

  get followers(): readonly Member[] {
    return this.all.filter((member) => member !== this._leader)
  }

  /** Keys of the accounts that the first leader made. */
  keys(): readonly DemoKey[] {
    return this.demoKeys
  }

  /** Starts members that have ended, as a supervisor does. */
  startEnded(): void {
    for (const { exchange } of this.all) if (!exchange.isRunning) void exchange.launch()
  }

  /** Resolves when a member leads, and another one reports it too; `former` does not count. */
  async awaitLeader(former?: Member): Promise<Member> {
    const deadlineMs = performance.now() + SUCCESSION_MS
    for (;;) {
      const found = await this.agreed(former)
      if (found !== undefined) {
        this._leader = found
        return found
      }
      if (performance.now() > deadlineMs) {
        const logs = this.all.map(({ exchange }) => exchange.output)
        throw new Error(`no member leads:\n${logs.join('\n')}`)
      }
      await delay(PAUSE_MS)
    }
  }

  /** Kills those that run, all at once: none takes the lead of another. Their folders stay. */
  async kill(): Promise<void> {
    const running = this.all.filter(({ exchange }) => exchange.isRunning)
    await Promise.all(running.map(({ exchange }) => exchange.stop('SIGKILL')))
  }

  async remove(): Promise<void> {
    await this.kill()
    for (const { exchange, network } of this.all) {
      unmount(exchange.data)
      await exchange.remove()
      network.remove()
    }
  }

  /** A leader that was overtaken may not know it yet: the highest epoch counts. */
  private async agreed(former?: Member): Promise<Member | undefined> {
    const all = await Promise.all(this.all.map((member) => standingOf(member)))
    const said = all.filter((standing) => standing !== undefined)
    const epoch = Math.max(0, ...said.map((standing) => standing.epoch))
    const last = said.filter((standing) => standing.epoch === epoch)
    const leading = last.find(({ isLeading, member }) => isLeading && member !== former)
    if (leading === undefined) return undefined
    const isTold = last.some((it) => it !== leading && it.leader === leading.leader)
    return isTold ? leading.member : undefined
  }
}

export async function isLeading(member: Member): Promise<boolean> {
  return (await standingOf(member))?.isLeading === true
}

/** Whether it follows the leader that it names. */
export async function isFollowing(member: Member): Promise<boolean> {
  return (await standingOf(member))?.role === 'follower'
}

async function standingOf(member: Member): Promise<Standing | undefined> {
  if (!member.exchange.isRunning) return undefined
  try {
    const signal = AbortSignal.timeout(ROLE_MS)
    const response = await fetch(`${member.exchange.url}/ringbook/role`, { signal })
    const said = (await response.json()) as Pick<Standing, 'role' | 'epoch' | 'leader'>
    return { member, isLeading: response.status === 200, ...said }
  } catch {
    return undefined
  }
}

/** Starts three servers of PostgreSQL and an exchange over them. */
export async function startMembers(): Promise<{ members: Members; servers: PostgresServers }> {
  const networks = makeNetworks(COUNT)
  const servers = await PostgresServers.start(2, networks.servers)
  return { members: await Members.start(networks, servers), servers }
}
