/**
 * What members still need of the quorum, and the removal of what none does. A member notes the sequence up
 * to which its folder has all blocks on its disk. Blocks behind the lowest one may be removed.
 */
import type { MemberNote } from './cut.ts'
import type { PostgresOptions } from './postgres-quorum.ts'
import { PostgresSession } from './postgres-session.ts'
import { BEFORE_LACKING, FORGET_MEMBERS, MEMBERS, NOTE_MEMBER, SHOWN, TRIM } from './statements.ts'

/** Blocks of one transaction: a leader's insert waits for none of them. */
const TRIM_BLOCKS = 10_000

/** Calls reject with OutcomeUnknown and QuorumRefusal. */
export class Retention {
  private readonly session: PostgresSession

  constructor(options: PostgresOptions) {
    this.session = new PostgresSession({
      ...options,
      purpose: 'accepts writes',
      faultOf: ({ isReadOnly }) => (isReadOnly ? 'is a standby' : undefined),
    })
  }

  /** Connects. Returns whether there are tables. */
  async open(): Promise<boolean> {
    await this.session.open()
    return this.session.hasTables()
  }

  /** Notes what a member's folder has: the last position of each journal, on its disk. */
  async note(
    member: string,
    address: string,
    positions: ReadonlyMap<number, number>,
  ): Promise<void> {
    const values = [[...positions.keys()], [...positions.values()]]
    const { rows } = await this.session.ask('before-lacking', BEFORE_LACKING, values)
    const { watermark } = await this.shown()
    const sequence = Math.min(watermark, Number(rows[0]?.sequence ?? watermark))
    await this.session.write('note-member', NOTE_MEMBER, [member, address, sequence])
  }

  /** Returns what members noted, those that have least first. */
  async members(): Promise<readonly MemberNote[]> {
    const { rows } = await this.session.ask('members', MEMBERS)
    return rows.map((row) => ({
      member: String(row.member),
      address: String(row.address),
      sequence: Number(row.sequence),
      seconds: Number(row.seconds),
    }))
  }

  /** Removes what these members noted. One that runs notes again within a minute. */
  async forget(members: readonly string[]): Promise<void> {
    await this.session.write('forget-members', FORGET_MEMBERS, [members])
  }

  /** Removes blocks up to the sequence but the last of each journal. Returns their number. */
  async trim(sequence: number): Promise<number> {
    let removed = 0
    const { first } = await this.shown()
    for (let after = first - 1; after < sequence; after += TRIM_BLOCKS) {
      const values = [after, Math.min(after + TRIM_BLOCKS, sequence), sequence]
      removed += (await this.session.write('trim', TRIM, values)).rowCount ?? 0
    }
    return removed
  }

  close(): void {
    this.session.drop()
  }

  /** Returns the watermark, and the lowest sequence that is there. */
  async shown(): Promise<{ readonly watermark: number; readonly first: number }> {
    const { rows } = await this.session.ask('shown', SHOWN)
    return { watermark: Number(rows[0]?.watermark), first: Number(rows[0]?.first) }
  }
}
