/**
 * The quorum in PostgreSQL with synchronous standbys: the only file that knows the package pg. A
 * statement is one transaction, and the server answers its commit once a standby has flushed it. The
 * answer is trusted only if it comes in time and without a notice: a wait that was cancelled ends with
 * one.
 */
import net from 'node:net'
import pg from 'pg'
import { assert } from '../base/assert.ts'
import { hostOf, hostUrls } from '../base/postgres-url.ts'
import {
  type Lead,
  OutcomeUnknown,
  type Quorum,
  type QuorumBlock,
  type QuorumPlace,
  QuorumRefusal,
} from './quorum.ts'
import {
  APPEND,
  BEAT,
  CHECK,
  CHECKSUM,
  ENDS,
  FIRST_LEAD,
  LEAD,
  PREPARE,
  READ,
  TABLES_LAYOUT,
  TAKE_LEAD,
} from './statements.ts'

const VERSION_MIN = 150_000
/** The most blocks of one reading. */
const READ_BLOCKS_MAX = 4_096
/** SQLSTATEs of a write that a commit of an unknown outcome has overtaken. */
const UNIQUE_VIOLATION = '23505'
/** Classes of SQLSTATE after which another server, or the same one later, may take the statement. */
const PASSING = /^(08|25006|40|53|55|57|58|XX)/

export interface PostgresQuorumOptions {
  /** Of one or several hosts. */
  readonly url: string
  /** The longest wait for an answer. */
  readonly answerMs: number
}

interface Connection {
  readonly client: pg.Client
  readonly socket: net.Socket
  /** Notices of the statement under way. */
  notices: number
}

interface Answer {
  readonly rowCount: number | null
  readonly rows: readonly Record<string, unknown>[]
}

export class PostgresQuorum implements Quorum {
  readonly #urls: readonly string[]
  readonly #answerMs: number
  #connection: Connection | undefined
  /** Index of the host that is tried first. */
  #next = 0

  constructor({ url, answerMs }: PostgresQuorumOptions) {
    const urls = hostUrls(url)
    assert(urls !== undefined, 'the settings check the address')
    this.#urls = urls
    this.#answerMs = answerMs
  }

  async open(): Promise<void> {
    this.#drop()
    const reasons: string[] = []
    for (let tried = 0; tried < this.#urls.length; tried++) {
      const url = this.#urls[this.#next]!
      // A server that accepts writes and confirms none is left for the next one.
      this.#next = (this.#next + 1) % this.#urls.length
      const reason = await this.#connect(url)
      if (reason === undefined) return
      reasons.push(`${hostOf(url)} ${reason}`)
    }
    throw new OutcomeUnknown(`no server of PostgreSQL accepts writes: ${reasons.join('; ')}`)
  }

  async prepare(): Promise<void> {
    await this.#ask('prepare', PREPARE)
  }

  async lead(): Promise<Lead | undefined> {
    const { rows } = await this.#ask('lead', LEAD)
    const row = rows[0]
    if (row === undefined) return undefined
    if (row.layout !== TABLES_LAYOUT) {
      throw new QuorumRefusal(
        `The tables of the quorum have layout ${row.layout}, and this Ringbook uses layout ` +
          `${TABLES_LAYOUT}.`,
      )
    }
    return { epoch: Number(row.epoch), member: String(row.member), beat: Number(row.beat) }
  }

  async takeLead(expected: Lead | undefined, member: string, epoch: number): Promise<boolean> {
    const { rowCount } =
      expected === undefined
        ? await this.#write('first-lead', FIRST_LEAD, [epoch, member])
        : await this.#write('take-lead', TAKE_LEAD, [
            ...[epoch, member],
            ...[expected.epoch, expected.member],
          ])
    return rowCount === 1
  }

  async beat(epoch: number): Promise<void> {
    const { rowCount } = await this.#write('beat', BEAT, [epoch])
    if (rowCount !== 1) await this.#refused(epoch)
  }

  async append(epoch: number, blocks: readonly QuorumBlock[]): Promise<void> {
    if (blocks.length === 1) {
      await this.#insert(epoch, blocks[0]!)
      return
    }
    await this.#ask('begin', 'BEGIN')
    for (const block of blocks) await this.#insert(epoch, block)
    await this.#write('commit', 'COMMIT', [])
  }

  async ends(): Promise<ReadonlyMap<number, QuorumPlace>> {
    const { rows } = await this.#ask('ends', ENDS)
    return new Map(
      rows.map(({ journal, position, checksum }) => [
        Number(journal),
        { position: Number(position), checksum: Number(checksum) },
      ]),
    )
  }

  async checksumAt(journal: number, position: number): Promise<number | undefined> {
    const { rows } = await this.#ask('checksum', CHECKSUM, [journal, position])
    return rows[0] === undefined ? undefined : Number(rows[0].checksum)
  }

  async read(journal: number, position: number, bytes: number): Promise<readonly QuorumBlock[]> {
    const values = [journal, position, bytes, READ_BLOCKS_MAX]
    const { rows } = await this.#ask('read', READ, values)
    return rows.map((row) => ({
      journal,
      position: Number(row.position),
      previous: Number(row.previous),
      checksum: Number(row.checksum),
      bytes: row.bytes as Uint8Array,
    }))
  }

  async close(): Promise<void> {
    this.#drop()
  }

  async #insert(epoch: number, block: QuorumBlock): Promise<void> {
    const { journal, position, previous, checksum, bytes } = block
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const values = [epoch, journal, position, previous, checksum, buffer]
    const { rowCount } = await this.#write('append', APPEND, values)
    if (rowCount !== 1) await this.#refused(epoch)
  }

  /** Returns why the server is not the one; undefined when it is connected and accepts writes. */
  async #connect(url: string): Promise<string | undefined> {
    const socket = new net.Socket()
    const client = new pg.Client({
      connectionString: url,
      application_name: 'ringbook',
      stream: () => socket,
    })
    const connection = { client, socket, notices: 0 }
    client.on('notice', () => connection.notices++)
    // A caller that waits is told; the next call finds a connection that ended in between.
    client.on('error', () => {})
    try {
      await this.#inTime(connection, client.connect())
      await this.#inTime(connection, client.query('SET synchronous_commit = on'))
      const { rows } = await this.#inTime(connection, client.query(CHECK))
      const fault = faultOf(rows[0] as ServerFacts)
      if (fault !== undefined) socket.destroy()
      else this.#connection = connection
      return fault
    } catch (error) {
      socket.destroy()
      return `does not answer (${(error as Error).message})`
    }
  }

  /** A statement that changes rows: a notice says that the server did not wait for the quorum. */
  async #write(name: string, text: string, values: readonly unknown[]): Promise<Answer> {
    const connection = this.#connection
    if (connection !== undefined) connection.notices = 0
    const answer = await this.#ask(name, text, values)
    if (connection?.notices !== 0) throw this.#lost('the server did not wait for its standbys')
    return answer
  }

  async #ask(name: string, text: string, values?: readonly unknown[]): Promise<Answer> {
    const connection = this.#connection
    if (connection === undefined) throw new OutcomeUnknown('there is no connection')
    const asked =
      values === undefined ? { text } : { name: `ringbook-${name}`, text, values: [...values] }
    try {
      return await this.#inTime(connection, connection.client.query(asked))
    } catch (error) {
      const { message } = error as Error
      const code = error instanceof pg.DatabaseError ? error.code : undefined
      if (code === undefined || PASSING.test(code) || code === UNIQUE_VIOLATION) {
        throw this.#lost(message)
      }
      throw new QuorumRefusal(`PostgreSQL refuses a statement of Ringbook's: ${message}.`)
    }
  }

  /** Ends the connection when the answer is late: its outcome is then unknown. */
  async #inTime<T>(connection: Connection, answer: Promise<T>): Promise<T> {
    const late = setTimeout(() => {
      connection.socket.destroy(new Error(`no answer within ${this.#answerMs} ms`))
    }, this.#answerMs)
    try {
      return await answer
    } finally {
      clearTimeout(late)
    }
  }

  /** Throws the reason for which a write changed no row. */
  async #refused(epoch: number): Promise<never> {
    const lead = await this.lead()
    if (lead?.epoch !== epoch) {
      const leader = lead === undefined ? 'none' : `${lead.member}, epoch ${lead.epoch}`
      throw new QuorumRefusal(`Another member leads (${leader}), and this one had epoch ${epoch}.`)
    }
    const { rows } = await this.#ask('check', CHECK)
    const fault = faultOf(rows[0] as unknown as ServerFacts)
    if (fault !== undefined) throw this.#lost(`the server ${fault}`)
    this.#drop()
    throw new QuorumRefusal('The journals on the quorum are not those that this leader wrote.')
  }

  #lost(reason: string): OutcomeUnknown {
    this.#drop()
    return new OutcomeUnknown(reason)
  }

  #drop(): void {
    this.#connection?.socket.destroy()
    this.#connection = undefined
  }
}

interface ServerFacts {
  readonly version: number
  readonly isReadOnly: boolean
  readonly isFlushing: boolean
  readonly isQuorum: boolean
}

/** Returns why a commit on this server would not survive the loss of a machine. */
function faultOf(facts: ServerFacts): string | undefined {
  if (facts.version < VERSION_MIN) return 'is older than PostgreSQL 15'
  if (facts.isReadOnly) return 'is a standby'
  if (!facts.isFlushing) return 'has fsync or full_page_writes off'
  if (!facts.isQuorum) return 'waits for no standby: its synchronous_standby_names is empty'
  return undefined
}
