/** A leader and its followers over three servers of PostgreSQL, all on this machine. */
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'

const SECRET = 'secret.key'
const SMALL = ['--matchers', '1', '--gateways', '1']

export class Exchanges {
  readonly servers: PostgresServers
  readonly leader: ExchangeProcess
  readonly followers: ExchangeProcess[] = []

  private constructor(servers: PostgresServers, leader: ExchangeProcess) {
    this.servers = servers
    this.leader = leader
  }

  /** Starts the servers and a leader. */
  static async start(): Promise<Exchanges> {
    const servers = await PostgresServers.start(2)
    const replicated = ['--durability', 'replicated', '--replica', servers.url()]
    const leader = await ExchangeProcess.prepare([...replicated, ...SMALL])
    const exchanges = new Exchanges(servers, leader)
    try {
      await leader.run()
      return exchanges
    } catch (error) {
      await exchanges.remove()
      throw error
    }
  }

  /** Starts a follower. */
  async follow(more: readonly string[] = []): Promise<ExchangeProcess> {
    const flags = ['--follow', this.servers.url(), ...SMALL, ...more]
    const follower = await ExchangeProcess.prepare(flags)
    this.followers.push(follower)
    copyFileSync(path.join(this.leader.data, SECRET), path.join(follower.data, SECRET))
    await follower.run()
    return follower
  }

  async remove(): Promise<void> {
    for (const exchange of [this.leader, ...this.followers]) await exchange.remove()
    await this.servers.remove()
  }
}
