/**
 * The quorum in PostgreSQL, for followers: on the primary, on a standby, or on a standby of a standby.
 * Each call is one statement, so watermark and blocks are of one moment of one server.
 */
import { blockIn, endsIn, type PostgresOptions, READ_BLOCKS_MAX } from './postgres-quorum.ts'
import { type Answer, PostgresSession } from './postgres-session.ts'
import {
  type Followed,
  type Lead,
  type QuorumPoint,
  type QuorumReader,
  tooFarBehind,
} from './quorum.ts'
import { FOLLOW, SHOWN_BLOCK, SHOWN_ENDS } from './statements.ts'

export class PostgresReader implements QuorumReader {
  private readonly session: PostgresSession
  private hasTables = false

  constructor(options: PostgresOptions) {
    const faultOf = () => undefined
    this.session = new PostgresSession({ ...options, purpose: 'can be read', faultOf })
  }

  async open(): Promise<void> {
    this.hasTables = false
    await this.session.open()
    await this.checkTables()
  }

  async lead(): Promise<Lead | undefined> {
    return (await this.checkTables()) ? this.session.lead() : undefined
  }

  async follow(after: number, bytes: number): Promise<Followed> {
    const rows = await this.ask('follow', FOLLOW, [after, bytes, READ_BLOCKS_MAX])
    const blocks = rows
      .filter(({ sequence }) => sequence !== null)
      .map((row) => ({ ...blockIn(row), sequence: Number(row.sequence) }))
    const watermark = Number(rows[0]?.watermark ?? 0)
    const gap = blocks.findIndex(({ sequence }, i) => sequence !== after + 1 + i)
    // Removal up to a cut leaves the last block of each journal.
    if (gap === 0 || (blocks.length === 0 && watermark > after)) {
      throw tooFarBehind(`Sequence ${after + 1}`)
    }
    return { blocks: gap === -1 ? blocks : blocks.slice(0, gap), watermark }
  }

  async sequenceAt(journal: number, position: number): Promise<number | undefined> {
    const [row] = await this.ask('shown-block', SHOWN_BLOCK, [journal, position])
    return row === undefined ? undefined : Number(row.sequence)
  }

  async checksumAt(journal: number, position: number): Promise<number | undefined> {
    const [row] = await this.ask('shown-block', SHOWN_BLOCK, [journal, position])
    return row === undefined ? undefined : Number(row.checksum)
  }

  async ends(): Promise<ReadonlyMap<number, QuorumPoint>> {
    return endsIn(await this.ask('shown-ends', SHOWN_ENDS, []))
  }

  async close(): Promise<void> {
    this.session.drop()
  }

  /** Returns no rows before the first leader made the tables. */
  private async ask(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<Answer['rows']> {
    return (await this.checkTables()) ? (await this.session.ask(name, text, values)).rows : []
  }

  private async checkTables(): Promise<boolean> {
    this.hasTables ||= await this.session.hasTables()
    return this.hasTables
  }
}
