/**
 * A table of journals' blocks that survives the loss of a machine, as leaders and followers see it.
 * postgres-quorum.ts and postgres-reader.ts in production, test/model/plain-quorum.ts in tests.
 *
 * One row names the leader and its epoch. Every write takes effect only while that row has the writer's
 * epoch, and only behind the block that the writer names as the last. So a member that lost the lead
 * writes nothing, whatever clocks show.
 *
 * Blocks of all journals have one order, their sequence, without gaps. A block comes behind all that it
 * depends on. A server may show blocks that the quorum lacks: standbys receive what no other one has
 * confirmed. The watermark is the highest sequence that a leader knew to be on the quorum. It stands in
 * each later block, and in its own row. What it claims stays true under every later leader.
 */
import { StorageError } from '../journal/environment.ts'

/** Number of the control journal among the journals of matchers, which count from 0. */
export const CONTROL_JOURNAL = -1

/** One block of a matcher, or one fact of the control journal. */
export interface QuorumBlock {
  readonly journal: number
  /** Counted from 1 without gaps. */
  readonly position: number
  /** Checksum of the journal's block before, 0 for the first. */
  readonly previous: number
  readonly checksum: number
  readonly bytes: Uint8Array
}

export interface SequencedBlock extends QuorumBlock {
  /** Counted from 1 over all journals, without gaps. */
  readonly sequence: number
}

/** The end of a journal. */
export interface QuorumPoint {
  readonly position: number
  readonly checksum: number
}

export const NO_POINT: QuorumPoint = { position: 0, checksum: 0 }

/** The row of the leader. */
export interface Lead {
  readonly epoch: number
  /** The leader's name for itself. */
  readonly member: string
  /** Counts the leader's beats, and changes with each. */
  readonly beat: number
  /** What clients use to reach the leader. */
  readonly address: string
  /** The member that shall take over now: its name, `any`, or empty when no handover is wanted. */
  readonly successor: string
}

/** What a member claims when it takes the lead. */
export interface Claim extends Pick<Lead, 'epoch' | 'member' | 'address'> {
  /** The claim fails when the quorum has later sequences: the member is too far behind. */
  readonly sequenceMax?: number
}

/**
 * The outcome of a call is unknown: the server did not answer, or reported that it did not wait for the
 * quorum. The caller opens again, commits a beat, and looks at what is there.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** The quorum refuses this member for good. It counts as a refusal of the disk. */
export class QuorumRefusal extends StorageError {}

/** For a member that lacks what an operator removed from the quorum. */
export const tooFarBehind = (what: string): QuorumRefusal =>
  new QuorumRefusal(
    `${what} is not on the quorum any more, and this member lacks it: seed an empty folder from a ` +
      'backup of another member (--seed-from).',
  )

/** Every call may reject with OutcomeUnknown, and with QuorumRefusal when trying again is of no use. */
export interface Quorum {
  /** Connects to the server that accepts writes, in place of the connection before. */
  open(): Promise<void>
  /** Makes what is missing of the tables. */
  prepare(): Promise<void>
  /** Returns the row of the leader, undefined before the first. */
  lead(): Promise<Lead | undefined>
  /**
   * Makes the claimer the leader, if the row is still as `expected`: the leader has neither beaten nor named
   * another successor since. Returns whether it did.
   */
  takeLead(expected: Lead | undefined, claim: Claim): Promise<boolean>
  /**
   * Commits a beat of the leader of `epoch`. When it returns, all that was committed before is on the
   * quorum as well. Returns the highest sequence that was.
   */
  beat(epoch: number): Promise<number>
  /** Names the successor of the leader of `epoch`. When it returns, the name is on the quorum. */
  nameSuccessor(epoch: number, successor: string): Promise<void>
  /**
   * Appends blocks, all or none, each behind the one that its `previous` names. When it returns, they are
   * on the quorum. Returns the sequence of the last. `watermark` is known to be on the quorum.
   */
  append(epoch: number, blocks: readonly QuorumBlock[], watermark: number): Promise<number>
  /** Raises the watermark for followers of a quiet leader. */
  mark(watermark: number): Promise<void>
  /** Returns the end of each journal that has blocks. */
  ends(): Promise<ReadonlyMap<number, QuorumPoint>>
  /** Returns the checksum of a block, undefined when it is not there. */
  checksumAt(journal: number, position: number): Promise<number | undefined>
  /** Returns blocks behind `position`, in order, about `bytes` of them but at least one, if any. */
  read(journal: number, position: number, bytes: number): Promise<readonly QuorumBlock[]>
  close(): Promise<void>
}

/** What a follower takes at once. */
export interface Followed {
  /** In order of sequence, without gaps. */
  readonly blocks: readonly SequencedBlock[]
  /** The highest sequence that the server can show. */
  readonly watermark: number
}

/**
 * The quorum as followers see it, on any of its servers: a standby, also of a standby. Shows nothing
 * beyond the watermark. A server may be behind the one before, so its watermark may be lower. Before the
 * first leader there is nothing. Calls reject as those of Quorum.
 */
export interface QuorumReader {
  /** Connects to the next server that answers, in place of the connection before. */
  open(): Promise<void>
  lead(): Promise<Lead | undefined>
  /** Returns blocks behind the sequence `after`, about `bytes` of them but at least one, if any. */
  follow(after: number, bytes: number): Promise<Followed>
  /** Returns the sequence of a block, undefined when it is not there yet. */
  sequenceAt(journal: number, position: number): Promise<number | undefined>
  checksumAt(journal: number, position: number): Promise<number | undefined>
  ends(): Promise<ReadonlyMap<number, QuorumPoint>>
  close(): Promise<void>
}
