/** The machines on which an exchange over a quorum may run, each with a data folder of its own. */
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type DemoKey, ExchangeProcess } from '../exchange/exchange-process.ts'
import { PostgresServers, urlOf } from '../postgres/postgres-servers.ts'
import { type MemberNetwork, makeNetworks, type Networks } from './networks.ts'

const SECRET = 'secret.key'
/** Longest time until a member leads; it waits for the silence of the leader before. */
const SUCCESSION_MS = 120_000
const PAUSE_MS = 200
const DATABASE = 'postgres'

const COUNT = 3
/** A leader that was overtaken ends soon. */
const FLAGS = ['--read-only-seconds', '1']

export interface Member {
  readonly number: number
  readonly exchange: ExchangeProcess
  readonly network: MemberNetwork
  /** Of PostgreSQL, as this member sees it. */
  readonly url: string
}

export class Members {
  readonly all: readonly Member[]
  readonly networks: Networks
  #leader: Member

  private constructor(all: readonly Member[], networks: Networks) {
    this.all = all
    this.networks = networks
    this.#leader = all[0]!
  }

  /** Starts a leader and its followers. */
  static async start(networks: Networks, servers: PostgresServers): Promise<Members> {
    const ports = servers.servers.map(({ port }) => port)
    const all: Member[] = []
    for (const [number, network] of networks.members.entries()) {
      const url = urlOf(await network.reachServers(ports), DATABASE)
      const { place } = network
      const host = place === undefined ? [] : ['--host', place.host]
      const exchange = await ExchangeProcess.prepare([...FLAGS, ...host], undefined, place)
      all.push({ number, exchange, network, url })
    }
    const members = new Members(all, networks)
    const { leader } = members
    await leader.exchange.run(flagsOfLeader(leader))
    for (const { exchange } of members.followers) {
      copyFileSync(path.join(leader.exchange.data, SECRET), path.join(exchange.data, SECRET))
    }
    await members.followAll()
    return members
  }

  get leader(): Member {
    return this.#leader
  }

  get followers(): readonly Member[] {
    return this.all.filter((member) => member !== this.#leader)
  }

  /** Of the accounts that the first leader made. */
  keys(): readonly DemoKey[] {
    return Object.values(this.all[0]!.exchange.keys())
  }

  /**
   * Ends a member, unless it has ended, and starts it as the leader; tries again while it finds that
   * another one leads, as long as that is wanted. Returns whether it leads.
   */
  async lead(member: Member, isWanted = () => true): Promise<boolean> {
    const { exchange } = member
    if (exchange.isRunning) await exchange.stop('SIGKILL')
    const deadlineMs = performance.now() + SUCCESSION_MS
    for (;;) {
      try {
        await exchange.run(flagsOfLeader(member))
        this.#leader = member
        return true
      } catch (error) {
        if (!isWanted()) return false
        if (performance.now() > deadlineMs) throw error
        await delay(PAUSE_MS)
      }
    }
  }

  /** Lets all members that have ended follow the leader. */
  async followAll(): Promise<void> {
    const ended = this.followers.filter(({ exchange }) => !exchange.isRunning)
    await Promise.all(ended.map(({ exchange, url }) => exchange.run(['--follow', url])))
  }

  /** Kills those that run; their folders stay. */
  async kill(): Promise<void> {
    for (const { exchange } of this.all) if (exchange.isRunning) await exchange.stop('SIGKILL')
  }

  async remove(): Promise<void> {
    await this.kill()
    for (const { exchange, network } of this.all) {
      await exchange.remove()
      network.remove()
    }
  }
}

const flagsOfLeader = ({ url }: Member) => ['--durability', 'replicated', '--replica', url]

/** Starts three servers of PostgreSQL and an exchange over them. */
export async function startMembers(): Promise<{ members: Members; servers: PostgresServers }> {
  const networks = makeNetworks(COUNT)
  const servers = await PostgresServers.start(2, networks.servers)
  return { members: await Members.start(networks, servers), servers }
}
