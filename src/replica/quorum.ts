/**
 * A table of journals' blocks that survives the loss of a machine: what the leader needs of it.
 * postgres-quorum.ts in production, test/model/plain-quorum.ts in tests.
 *
 * One row names the leader and its epoch. Every write takes effect only while that row has the writer's
 * epoch, and only behind the block that the writer names as the last. So a member that lost the lead
 * writes nothing, whatever clocks say.
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

/** The end of a journal. */
export interface QuorumPlace {
  readonly position: number
  readonly checksum: number
}

export const NO_PLACE: QuorumPlace = { position: 0, checksum: 0 }

/** The row of the leader. */
export interface Lead {
  readonly epoch: number
  /** The leader's name for itself. */
  readonly member: string
  /** Counts the leader's beats, and changes with each. */
  readonly beat: number
}

/**
 * The outcome of a call is unknown: the server did not answer, or said that it did not wait for the
 * quorum. The caller opens again, commits a beat, and looks at what is there.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** The quorum refuses this member for good. It counts as a refusal of the disk. */
export class QuorumRefusal extends StorageError {}

/** Every call may reject with OutcomeUnknown, and with QuorumRefusal when trying again is of no use. */
export interface Quorum {
  /** Connects to the server that accepts writes, in place of the connection before. */
  open(): Promise<void>
  /** Makes what is missing of the tables. */
  prepare(): Promise<void>
  /** Returns the row of the leader, undefined before the first. */
  lead(): Promise<Lead | undefined>
  /** Makes `member` the leader of `epoch`, if `expected` still leads. Returns whether it did. */
  takeLead(expected: Lead | undefined, member: string, epoch: number): Promise<boolean>
  /**
   * Commits a beat of the leader of `epoch`. When it returns, all that was committed before is on the
   * quorum as well.
   */
  beat(epoch: number): Promise<void>
  /**
   * Appends blocks, all or none, each behind the one that its `previous` names. When it returns, they are
   * on the quorum.
   */
  append(epoch: number, blocks: readonly QuorumBlock[]): Promise<void>
  /** Returns the end of each journal that has blocks. */
  ends(): Promise<ReadonlyMap<number, QuorumPlace>>
  /** Returns the checksum of a block, undefined when it is not there. */
  checksumAt(journal: number, position: number): Promise<number | undefined>
  /** Returns blocks behind `position`, in order, about `bytes` of them but at least one, if any. */
  read(journal: number, position: number, bytes: number): Promise<readonly QuorumBlock[]>
  close(): Promise<void>
}
