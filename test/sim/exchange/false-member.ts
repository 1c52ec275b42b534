/**
 * A simulated exchange as a member of a quorum: the simulation does what its replica thread would, before the
 * exchange starts and while it runs.
 */

import type { ReplicaMemory } from '../../../src/agents/replica-link.ts'
import type { Lead } from '../../../src/assembly/main/open-folder.ts'
import type { FollowingParts, Member } from '../../../src/assembly/main/quorum-member.ts'
import { assert } from '../../../src/base/assert.ts'
import type { JournalQuorum } from '../../../src/journal/journal.ts'
import { blockSlot } from '../../../src/replica/slots.ts'
import { DOORBELL_BYTES } from '../../../src/ring/doorbell.ts'
import { QUORUM_COUNTS_BYTES } from '../../../src/shared/quorum-counts.ts'
import type { RoleReading } from '../../../src/shared/role.ts'
import type { FalseReplica } from './false-replica.ts'

export class FalseMember implements Member {
  readonly name = 'member'
  readonly isAwaited = false
  isFollowing: boolean
  readonly aheadMs = undefined
  memory: ReplicaMemory = memoryOf(0)
  /** Once all of it runs. */
  parts: FollowingParts | undefined = undefined
  /** Undefined for a follower. */
  private replica: FalseReplica | undefined

  constructor(isFollowing: boolean, replica: FalseReplica | undefined) {
    this.isFollowing = isFollowing
    this.replica = replica
  }

  async start(): Promise<Lead | undefined> {
    return this.replica && { epoch: this.replica.epoch, before: this.replica.before }
  }

  /** The leader's matchers. */
  reserve(matchers: number): void {
    this.memory = memoryOf(matchers)
  }

  run(parts: FollowingParts): void {
    this.parts = parts
  }

  lead(replica: FalseReplica): void {
    this.isFollowing = false
    this.replica = replica
  }

  quorumOf(matcher: number): JournalQuorum {
    assert(this.replica !== undefined, 'who writes a journal leads')
    return this.replica.quorumOf(matcher)
  }

  deliver(): void {}

  resign(): void {}

  role(): RoleReading {
    throw new Error('no operator asks')
  }

  promote(): string {
    throw new Error('no operator asks')
  }

  handOver(): Promise<string> {
    throw new Error('no operator asks')
  }

  async stop(): Promise<void> {}

  async left(): Promise<void> {}

  async terminate(): Promise<void> {}
}

const memoryOf = (matchers: number): ReplicaMemory => ({
  blocks: Array.from({ length: matchers }, blockSlot),
  control: new SharedArrayBuffer(0),
  bell: new SharedArrayBuffer(DOORBELL_BYTES),
  counts: new SharedArrayBuffer(QUORUM_COUNTS_BYTES),
})
