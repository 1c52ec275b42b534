/** The quorum in PostgreSQL and its plain twin, with the same faults and readers. */

import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { PostgresQuorum } from '../../src/replica/postgres-quorum.ts'
import { PostgresReader } from '../../src/replica/postgres-reader.ts'
import type { Quorum, QuorumReader } from '../../src/replica/quorum.ts'
import { Fault, PlainQuorum, type PlainReplica } from '../model/plain-quorum.ts'

export interface Stage {
  /** Returns a connection of a member, not opened yet. */
  connect(): Quorum
  /** Returns readers on the primary and on a standby, not opened yet. */
  readers(): readonly QuorumReader[]
  /** Runs a write whose commit no standby confirms; the server has to end its wait. */
  whileWaitIsCancelled(write: () => Promise<void>): Promise<void>
  /** Runs a write whose commit is confirmed after the member has given up. */
  whileAnswerIsLate(write: () => Promise<void>): Promise<void>
  /** The primary is lost; a standby takes its place. */
  failOver(): Promise<void>
  /** The primary is killed and starts again. */
  restart(): Promise<void>
  /** Ends what is the stage's alone. */
  close(): Promise<void>
}

/** The longest wait of a member for an answer. */
const ANSWER_MS = 1_000

export class PlainStage implements Stage {
  private readonly servers = new PlainQuorum()
  private readonly replica: PlainReplica = this.servers.replica()

  connect(): Quorum {
    return this.servers.connect()
  }

  readers(): readonly QuorumReader[] {
    const standby = this.replica.connect()
    const follow: QuorumReader['follow'] = (...asked) => {
      this.replica.receive(1)
      return standby.follow(...asked)
    }
    const lagging = new Proxy(standby, {
      get: (target, name: keyof QuorumReader) =>
        name === 'follow' ? follow : target[name].bind(target),
    })
    return [this.servers.connectReader(), lagging]
  }

  async whileWaitIsCancelled(write: () => Promise<void>): Promise<void> {
    await this.with(Fault.cancelledWait, write)
  }

  async whileAnswerIsLate(write: () => Promise<void>): Promise<void> {
    await this.with(Fault.lostAnswer, write)
  }

  async failOver(): Promise<void> {
    this.servers.failOver()
  }

  async restart(): Promise<void> {
    this.servers.restart()
  }

  async close(): Promise<void> {}

  private async with(fault: Fault, write: () => Promise<void>): Promise<void> {
    this.servers.nextFault = () => fault
    await write().finally(() => {
      this.servers.nextFault = () => Fault.none
    })
  }
}

export class PostgresStage implements Stage {
  readonly servers: PostgresServers
  private readonly database: string
  private readonly areOwn: boolean

  private constructor(servers: PostgresServers, database: string, areOwn = false) {
    this.servers = servers
    this.database = database
    this.areOwn = areOwn
  }

  /** On separate servers. */
  static async alone(): Promise<PostgresStage> {
    return new PostgresStage(await PostgresServers.start(2), 'postgres', true)
  }

  /** On servers that other stages may use as well. */
  static async on(servers: PostgresServers, database: string): Promise<PostgresStage> {
    await servers.primary.query(`CREATE DATABASE ${database}`)
    return new PostgresStage(servers, database)
  }

  connect(answerMs = ANSWER_MS): Quorum {
    return new PostgresQuorum({
      url: this.servers.url(this.database),
      answerMs,
      time: new RealTime(),
    })
  }

  readers(): readonly QuorumReader[] {
    const { primary, standbys } = this.servers
    return [primary, standbys[0]!].map(({ port }) => {
      const url = `postgres://ringbook@127.0.0.1:${port}/${this.database}`
      return new PostgresReader({ url, answerMs: ANSWER_MS, time: new RealTime() })
    })
  }

  async whileWaitIsCancelled(write: () => Promise<void>): Promise<void> {
    const { primary } = this.servers
    await this.whileHanging(async () => {
      const written = write()
      // A failure is the caller's to see, once the wait has ended.
      written.catch(() => {})
      for (let cancelled = 0; cancelled === 0; ) {
        const rows = await primary.query(
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'
            AND datname = '${this.database}'`,
        )
        cancelled = rows.length
      }
      await written
    })
  }

  async whileAnswerIsLate(write: () => Promise<void>): Promise<void> {
    await this.whileHanging(write)
  }

  async failOver(): Promise<void> {
    await this.servers.failOver()
  }

  async restart(): Promise<void> {
    await this.servers.primary.stop('SIGKILL')
    await this.servers.primary.start()
  }

  async close(): Promise<void> {
    if (this.areOwn) await this.servers.remove()
  }

  private async whileHanging(action: () => Promise<void>): Promise<void> {
    const { standbys } = this.servers
    for (const standby of standbys) standby.hang('SIGSTOP')
    try {
      await action()
    } finally {
      for (const standby of standbys) standby.hang('SIGCONT')
    }
  }
}
