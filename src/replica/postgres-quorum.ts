/** The quorum in PostgreSQL with synchronous standbys, for the leader. */
import { elapsedMs, type Time } from '../base/time.ts'
import { PostgresSession, type ServerState } from './postgres-session.ts'
import {
  type Claim,
  type Lead,
  type Quorum,
  type QuorumBlock,
  type QuorumPoint,
  QuorumRefusal,
} from './quorum.ts'
import {
  APPEND_BLOCKS_MAX,
  appendOf,
  BEAT,
  CHECKSUM,
  ENDS,
  FIRST_LEAD,
  MARK,
  NAME_SUCCESSOR,
  PREPARE,
  READ,
  TAKE_LEAD,
} from './statements.ts'

/** The most blocks of one reading. */
export const READ_BLOCKS_MAX = 4_096

/** By the number of blocks, from 1. */
const APPENDS = Array.from({ length: APPEND_BLOCKS_MAX }, (_, i) => appendOf(i + 1))

export interface PostgresOptions {
  /** Connection URL of one or several hosts. */
  readonly url: string
  /** The longest wait for an answer. */
  readonly answerMs: number
  readonly time: Time
}

export interface QuorumOptions extends PostgresOptions {
  /** Called when the quorum has confirmed that this member led at this monotonic time (base/time.ts). */
  readonly confirmed?: (sinceMs: number) => void
}

export class PostgresQuorum implements Quorum {
  private readonly session: PostgresSession
  private readonly confirmed: (sinceMs: number) => void
  private readonly time: Time

  constructor({ confirmed = () => {}, ...options }: QuorumOptions) {
    this.session = new PostgresSession({ ...options, purpose: 'accepts writes', faultOf })
    this.confirmed = confirmed
    this.time = options.time
  }

  open(): Promise<void> {
    return this.session.open()
  }

  async prepare(): Promise<void> {
    // A change of tables waits for all who read them, such as a dump. An earlier layout is refused.
    if (await this.session.hasTables()) return
    await this.session.ask('prepare', PREPARE)
  }

  lead(): Promise<Lead | undefined> {
    return this.session.lead()
  }

  async takeLead(expected: Lead | undefined, claim: Claim): Promise<boolean> {
    const values = [claim.epoch, claim.member, claim.address]
    const { rowCount } =
      expected === undefined
        ? await this.session.write('first-lead', FIRST_LEAD, values)
        : await this.session.write('take-lead', TAKE_LEAD, [
            ...values,
            ...[expected.epoch, expected.member, expected.beat, expected.successor],
            claim.sequenceMax ?? null,
          ])
    return rowCount === 1
  }

  async beat(epoch: number): Promise<number> {
    const sinceMs = elapsedMs(this.time)
    const { rows } = await this.session.write('beat', BEAT, [epoch])
    if (rows[0] === undefined) await this.refused(epoch)
    this.confirmed(sinceMs)
    return Number(rows[0]?.sequence)
  }

  async nameSuccessor(epoch: number, successor: string): Promise<void> {
    const values = [epoch, successor]
    const { rowCount } = await this.session.write('successor', NAME_SUCCESSOR, values)
    if (rowCount !== 1) await this.refused(epoch)
  }

  async append(epoch: number, blocks: readonly QuorumBlock[], watermark: number): Promise<number> {
    if (blocks.length <= APPEND_BLOCKS_MAX) return this.insert('write', epoch, blocks, watermark)
    await this.session.ask('begin', 'BEGIN')
    let last = 0
    for (let at = 0; at < blocks.length; at += APPEND_BLOCKS_MAX) {
      const next = blocks.slice(at, at + APPEND_BLOCKS_MAX)
      last = await this.insert('ask', epoch, next, watermark)
    }
    await this.session.write('commit', 'COMMIT', [])
    return last
  }

  async mark(watermark: number): Promise<void> {
    await this.session.ask('mark', MARK, [watermark])
  }

  async ends(): Promise<ReadonlyMap<number, QuorumPoint>> {
    const { rows } = await this.session.ask('ends', ENDS)
    return endsIn(rows)
  }

  async checksumAt(journal: number, position: number): Promise<number | undefined> {
    const { rows } = await this.session.ask('checksum', CHECKSUM, [journal, position])
    return rows[0] === undefined ? undefined : Number(rows[0].checksum)
  }

  async read(journal: number, position: number, bytes: number): Promise<readonly QuorumBlock[]> {
    const values = [journal, position, bytes, READ_BLOCKS_MAX]
    const { rows } = await this.session.ask('read', READ, values)
    return rows.map((row) => blockIn({ ...row, journal }))
  }

  async close(): Promise<void> {
    this.session.drop()
  }

  /** Commits them by `write`; `ask` leaves that to the caller. */
  private async insert(
    how: 'write' | 'ask',
    epoch: number,
    blocks: readonly QuorumBlock[],
    watermark: number,
  ): Promise<number> {
    const { length } = blocks
    const values = blocks.flatMap(({ journal, position, previous, checksum, bytes }) => [
      ...[journal, position, previous, checksum],
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    ])
    const { rows } = await this.session[how](`append-${length}`, APPENDS[length - 1]!, [
      ...[epoch, watermark],
      ...values,
    ])
    if (rows.length !== length) await this.refused(epoch)
    return Math.max(...rows.map(({ sequence }) => Number(sequence)))
  }

  /** Throws the reason for which a write changed no row. */
  private async refused(epoch: number): Promise<never> {
    const session = this.session
    const lead = await this.lead()
    if (lead?.epoch !== epoch) {
      const leader = lead === undefined ? 'none' : `${lead.member}, epoch ${lead.epoch}`
      throw new QuorumRefusal(`Another member leads (${leader}), and this one had epoch ${epoch}.`)
    }
    const fault = faultOf(await session.serverState())
    if (fault !== undefined) throw session.lost(`the server ${fault}`)
    session.drop()
    throw new QuorumRefusal('The journals on the quorum are not those that this leader wrote.')
  }
}

/** Returns why a commit on this server would not survive the loss of a machine. */
function faultOf(state: ServerState): string | undefined {
  if (state.isReadOnly) return 'is a standby'
  if (!state.isFlushing) return 'has fsync or full_page_writes off'
  if (!state.isQuorum) return 'waits for no standby: its synchronous_standby_names is empty'
  if (!state.isWarning) return 'hides warnings: client_min_messages is error'
  return undefined
}

type Row = Readonly<Record<string, unknown>>

export const endsIn = (rows: readonly Row[]): ReadonlyMap<number, QuorumPoint> =>
  new Map(
    rows.map(({ journal, position, checksum }) => [
      Number(journal),
      { position: Number(position), checksum: Number(checksum) },
    ]),
  )

export const blockIn = (row: Row): QuorumBlock => ({
  journal: Number(row.journal),
  position: Number(row.position),
  previous: Number(row.previous),
  checksum: Number(row.checksum),
  bytes: row.bytes as Uint8Array,
})
