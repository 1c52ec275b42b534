/** A primary and standbys of PostgreSQL on loopback, in a temporary folder: `ANY 1` must confirm. */
import { chownSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { claimPort } from '../exchange/ports.ts'
import { owner, programsIn } from './binaries.ts'
import { PostgresServer } from './postgres-server.ts'

const SETTINGS = {
  unix_socket_directories: '',
  shared_buffers: '16MB',
  wal_keep_size: '256MB',
  hot_standby: 'on',
  // One call to the kernel for each flush (docs/decisions/replicated-journal.md).
  wal_sync_method: 'open_datasync',
  wal_receiver_timeout: '2s',
  wal_retrieve_retry_interval: '100ms',
}

/** Files that a copy of a running server must not have; its standby streams the log. */
const LEFT_OUT = /^\/(postmaster\.(pid|opts)|standby\.signal|pg_wal\/.|pg_replslot\/.)|pgsql_tmp/

/** Where servers listen beside loopback. */
export interface Network {
  readonly addresses: readonly string[]
  /** All clients' addresses, as CIDR. */
  readonly range: string
}

export class PostgresServers {
  private readonly folder: string
  readonly servers: readonly PostgresServer[]
  private readonly programs: string
  /** Standbys of a standby. */
  private readonly cascading: PostgresServer[] = []
  private _primary: PostgresServer

  private constructor(folder: string, programs: string, servers: readonly PostgresServer[]) {
    this.folder = folder
    this.programs = programs
    this.servers = servers
    this._primary = servers[0]!
  }

  /**
   * Starts a primary, the first server, and `standbys` that follow whichever server is the primary. They
   * listen on loopback, and on the addresses of `network`.
   */
  static async start(standbys = 2, network?: Network): Promise<PostgresServers> {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-postgres-'))
    if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
    const programs = programsIn(folder)
    const servers: PostgresServer[] = []
    for (let i = 0; i <= standbys; i++) {
      servers.push(
        new PostgresServer(programs, path.join(folder, `server-${i}`), await claimPort()),
      )
    }
    const [primary, ...others] = servers as [PostgresServer, ...PostgresServer[]]
    primary.initialize()
    const hosts = servers.map(() => '127.0.0.1').join(',')
    const ports = servers.map(({ port }) => port).join(',')
    if (network !== undefined) primary.trust(network.range)
    primary.set({
      ...SETTINGS,
      listen_addresses: ['127.0.0.1', ...(network?.addresses ?? [])].join(','),
      primary_conninfo:
        `host=${hosts} port=${ports} user=ringbook target_session_attrs=read-write ` +
        'connect_timeout=2',
      synchronous_standby_names: standbys === 0 ? '' : 'ANY 1 (*)',
    })
    for (const standby of others) {
      cpSync(primary.folder, standby.folder, { recursive: true })
      own(standby.folder)
      standby.sign('standby.signal')
    }
    const quorum = new PostgresServers(folder, programs, servers)
    try {
      for (const server of servers) await server.start()
    } catch (error) {
      await quorum.remove()
      throw error
    }
    return quorum
  }

  /** URL of all servers, for `--replica`. */
  url(database = 'postgres'): string {
    return urlOf(
      this.servers.map(({ port }) => `127.0.0.1:${port}`),
      database,
    )
  }

  get primary(): PostgresServer {
    return this._primary
  }

  /** The running servers that are not the primary. */
  get standbys(): readonly PostgresServer[] {
    return this.servers.filter((server) => server !== this._primary && server.isRunning)
  }

  /** Kills the primary, and promotes the standby that has received most. */
  async failOver(): Promise<void> {
    await this._primary.stop('SIGKILL')
    const received = await Promise.all(
      this.standbys.map(async (server) => {
        const [row] = await server.query(
          "SELECT pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0') AS bytes",
        )
        return { server, bytes: Number(row?.bytes) }
      }),
    )
    const [best] = received.sort((a, b) => b.bytes - a.bytes)
    if (best === undefined) throw new Error('no standby is left')
    this._primary = best.server
    await best.server.promote()
  }

  /** Starts a standby that receives from the first standby. */
  async addCascading(): Promise<PostgresServer> {
    const [from] = this.standbys
    if (from === undefined) throw new Error('there is no standby')
    const folder = path.join(this.folder, `cascading-${this.cascading.length}`)
    const server = new PostgresServer(this.programs, folder, await claimPort())
    await from.stop()
    cpSync(from.folder, folder, { recursive: true })
    own(folder)
    await from.start()
    server.set({ primary_conninfo: `host=127.0.0.1 port=${from.port} user=ringbook` })
    this.cascading.push(server)
    await server.start()
    return server
  }

  /**
   * A server that was killed follows the primary. One that was the primary may have commits that no
   * other server has, so it begins from a copy of the primary.
   */
  async rejoin(server: PostgresServer): Promise<void> {
    rmSync(server.folder, { recursive: true, force: true })
    await this._primary.session(async (ask) => {
      await ask("SELECT pg_backup_start('rejoin', true)")
      cpSync(this._primary.folder, server.folder, {
        recursive: true,
        filter: (source) => !LEFT_OUT.test(source.slice(this._primary.folder.length)),
      })
      const [row] = await ask('SELECT labelfile FROM pg_backup_stop(false)')
      writeFileSync(path.join(server.folder, 'backup_label'), String(row?.labelfile))
    })
    own(server.folder)
    server.sign('standby.signal')
    await server.start()
  }

  /** Whether every server runs, and all standbys receive from the primary. */
  async areWhole(): Promise<boolean> {
    const [row] = await this._primary.query(
      "SELECT count(*)::integer AS count FROM pg_stat_replication WHERE state = 'streaming'",
    )
    return row?.count === this.servers.length - 1
  }

  /** Processor time of all servers until now, Linux only. */
  processorMs(): number {
    return this.servers.reduce((sum, server) => sum + server.processorMs(), 0)
  }

  async remove(): Promise<void> {
    await Promise.all([...this.servers, ...this.cascading].map((server) => server.remove()))
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Returns the address of these hosts. */
export const urlOf = (hosts: readonly string[], database: string): string =>
  `postgres://ringbook@${hosts.join(',')}/${database}`

/** Gives the files to the user that runs the servers. */
function own(folder: string): void {
  if (owner === undefined) return
  for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    chownSync(path.join(folder, name), owner.uid, owner.gid)
  }
}
