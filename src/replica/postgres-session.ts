/**
 * One connection to one of several servers of PostgreSQL: the only file that knows the package pg. A
 * statement is one transaction. The server answers a write once a standby has flushed its commit. The
 * answer is trusted only if it comes in time, without a notice, and before the server reads new settings:
 * a wait that was cancelled ends with a notice, one that `synchronous_standby_names = ''` released does not.
 */
import { createRequire } from 'node:module'
import * as net from 'node:net'
import type pg from 'pg'
import { assert } from '../base/assert.ts'
import { hostOf, hostUrls } from '../base/postgres-url.ts'
import type { Time } from '../base/time.ts'
import { type Lead, OutcomeUnknown, QuorumRefusal } from './quorum.ts'
import { CHECK, LAYOUT, LEAD, TABLES, TABLES_LAYOUT } from './statements.ts'

/**
 * By major version: the first release whose commits wait for standbys from the server's first moment on. The
 * later ones all do.
 */
const VERSIONS_MIN = [150_013, 160_009, 170_005]
/** SQLSTATEs of a write that a commit of an unknown outcome has overtaken. */
const UNIQUE_VIOLATION = '23505'
/** Classes of SQLSTATE after which another server, or the same one later, may take the statement. */
const PASSING = /^(08|25006|25P|40|53|55|57|58|XX)/

const load = createRequire(import.meta.url)
/** Loads the package when a session needs it: most exchanges have no quorum. */
const loadPg = (): typeof pg => load('pg')

/** The longest wait for a lock, as a share of that for an answer. */
const LOCK_SHARE = 0.8

export interface SessionOptions {
  /** Connection URL of one or several hosts. */
  readonly url: string
  /** The longest wait for an answer. */
  readonly answerMs: number
  readonly time: Time
  /** What the session is for: the reason when no server will do. */
  readonly purpose: string
  /** Returns why a server will not do. */
  readonly faultOf: (serverState: ServerState) => string | undefined
}

/** What a server reports of itself. */
export interface ServerState {
  readonly version: number
  readonly isReadOnly: boolean
  readonly isFlushing: boolean
  readonly isQuorum: boolean
  /** Whether notices come. */
  readonly isWarning: boolean
  /** When the session's process last read the server's settings. */
  readonly settingsRead: string
}

interface Connection {
  readonly client: pg.Client
  readonly socket: net.Socket
  /** Notices of the statement under way. */
  notices: number
  /** When the settings that the server was checked with were read (ServerFacts). */
  settingsRead: string
}

export interface Answer {
  readonly rowCount: number | null
  readonly rows: readonly Record<string, unknown>[]
}

export class PostgresSession {
  private readonly urls: readonly string[]
  private readonly answerMs: number
  private readonly time: Time
  private readonly purpose: string
  private readonly faultOf: SessionOptions['faultOf']
  private connection: Connection | undefined = undefined
  /** Index of the host that is tried first. */
  private next = 0

  constructor({ url, answerMs, time, purpose, faultOf }: SessionOptions) {
    const urls = hostUrls(url)
    assert(urls !== undefined, 'the settings check the address')
    this.urls = urls
    this.answerMs = answerMs
    this.time = time
    this.purpose = purpose
    this.faultOf = faultOf
  }

  /** Connects to the next server that will do. Rejects with OutcomeUnknown when none does. */
  async open(): Promise<void> {
    this.drop()
    const reasons: string[] = []
    for (let tried = 0; tried < this.urls.length; tried++) {
      const url = this.urls[this.next]!
      // A server that will do and then fails is left for the next one.
      this.next = (this.next + 1) % this.urls.length
      const reason = await this.connect(url)
      if (reason === undefined) return
      reasons.push(`${hostOf(url)} ${reason}`)
    }
    throw new OutcomeUnknown(`no server of PostgreSQL ${this.purpose}: ${reasons.join('; ')}`)
  }

  /** Queries the connected server about itself. */
  async serverState(): Promise<ServerState> {
    const { rows } = await this.ask('check', CHECK, [])
    return rows[0] as unknown as ServerState
  }

  /** Returns whether there are tables. Rejects with QuorumRefusal when they have another layout. */
  async hasTables(): Promise<boolean> {
    const tables = await this.ask('tables', TABLES)
    if (tables.rows[0]?.exist !== true) return false
    const { rows } = await this.ask('layout', LAYOUT)
    const layout = rows[0]?.layout
    if (layout === undefined || layout === TABLES_LAYOUT) return true
    throw new QuorumRefusal(
      `The tables of the quorum have layout ${layout}, and this Ringbook uses layout ` +
        `${TABLES_LAYOUT}: use an empty database.`,
    )
  }

  async lead(): Promise<Lead | undefined> {
    const { rows } = await this.ask('lead', LEAD)
    const row = rows[0]
    if (row === undefined) return undefined
    return {
      epoch: Number(row.epoch),
      member: String(row.member),
      beat: Number(row.beat),
      address: String(row.address),
      successor: String(row.successor),
    }
  }

  /** A statement that commits rows. Rejects with OutcomeUnknown unless the server waited for the quorum. */
  async write(name: string, text: string, values: readonly unknown[]): Promise<Answer> {
    const connection = this.connection
    if (connection !== undefined) connection.notices = 0
    const answer = await this.ask(name, text, values)
    if (connection?.notices !== 0) throw this.lost('the server did not wait for its standbys')
    const serverState = await this.serverState()
    const fault = this.faultOf(serverState)
    if (fault !== undefined) throw this.lost(`the server ${fault}`)
    // They may have let the wait go, even if they are good again.
    if (serverState.settingsRead !== connection.settingsRead) {
      throw this.lost('the server has read new settings meanwhile')
    }
    return answer
  }

  async ask(name: string, text: string, values?: readonly unknown[]): Promise<Answer> {
    const connection = this.connection
    if (connection === undefined) throw new OutcomeUnknown('there is no connection')
    const asked =
      values === undefined ? { text } : { name: `ringbook-${name}`, text, values: [...values] }
    try {
      return await this.inTime(connection, connection.client.query(asked))
    } catch (error) {
      const { message } = error as Error
      const code = error instanceof loadPg().DatabaseError ? error.code : undefined
      if (code === undefined || PASSING.test(code) || code === UNIQUE_VIOLATION) {
        throw this.lost(message)
      }
      throw new QuorumRefusal(`PostgreSQL refuses a statement of Ringbook's: ${message}.`)
    }
  }

  /** Ends the connection. Returns the error for a call whose outcome is unknown. */
  lost(reason: string): OutcomeUnknown {
    this.drop()
    return new OutcomeUnknown(reason)
  }

  drop(): void {
    this.connection?.socket.destroy()
    this.connection = undefined
  }

  /** Returns why the server will not do; undefined when it is connected. */
  private async connect(url: string): Promise<string | undefined> {
    const socket = new net.Socket()
    const client = new (loadPg().Client)({
      connectionString: url,
      application_name: 'ringbook',
      stream: () => socket,
    })
    const connection = { client, socket, notices: 0, settingsRead: '' }
    client.on('notice', () => connection.notices++)
    // A waiting caller gets the error; the next call finds a connection that ended in between.
    client.on('error', () => {})
    try {
      await this.inTime(connection, client.connect())
      await this.inTime(connection, client.query(this.settings()))
      const { rows } = await this.inTime(connection, client.query(CHECK))
      const serverState: ServerState = rows[0]
      const fault = isTooOld(serverState.version)
        ? 'is older than PostgreSQL 15.13, 16.9 or 17.5'
        : this.faultOf(serverState)
      connection.settingsRead = serverState.settingsRead
      if (fault !== undefined) socket.destroy()
      else this.connection = connection
      return fault
    } catch (error) {
      socket.destroy()
      return `does not answer (${(error as Error).message})`
    }
  }

  /**
   * Returns the settings of each connection, whatever its role or database has set. A transaction whose member is
   * lost ends: its lock of the leader's row would keep every other member from the lead. While no standby
   * confirms, one commit keeps that lock. Statements that wait for it end before their member gives up, and
   * those whose member is gone end too: otherwise each try would leave a process in the server.
   */
  private settings(): string {
    const answerMs = Math.ceil(this.answerMs)
    const settings = {
      synchronous_commit: 'on',
      client_min_messages: 'notice',
      idle_in_transaction_session_timeout: answerMs,
      lock_timeout: Math.ceil(answerMs * LOCK_SHARE),
      client_connection_check_interval: answerMs,
    }
    return Object.entries(settings)
      .map(([name, value]) => `SET ${name} = ${value}`)
      .join('; ')
  }

  /** Ends the connection when the answer is late: its outcome is then unknown. */
  private async inTime<T>(connection: Connection, answer: Promise<T>): Promise<T> {
    const late = this.time.after(this.answerMs, () => {
      connection.socket.destroy(new Error(`no answer within ${this.answerMs} ms`))
    })
    try {
      return await answer
    } finally {
      late.cancel()
    }
  }
}

/** Whether a server of this version (`server_version_num`) may answer a commit that waited for no standby. */
export function isTooOld(version: number): boolean {
  const major = (it: number) => Math.floor(it / 10_000)
  if (major(version) < major(VERSIONS_MIN[0]!)) return true
  return VERSIONS_MIN.some((first) => major(version) === major(first) && version < first)
}
