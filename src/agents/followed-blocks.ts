/**
 * For the matcher of a member that follows: takes the blocks that the replica thread delivers, one run
 * after another, once its gateways have read most of the events before. The replica thread delivers no
 * run of another journal before this one is acknowledged.
 */

import { assert } from '../base/assert.ts'
import { elapsedMs } from '../base/time.ts'
import { readCorrections } from '../journal/corrections.ts'
import type { Journal } from '../journal/journal.ts'
import { ReplicaSlot } from '../replica/slots.ts'
import { Doorbell } from '../ring/doorbell.ts'
import { BulkThrottle } from './bulk-throttle.ts'
import { Following } from './following.ts'
import type { Matcher, MatcherOptions } from './matcher.ts'
import type { ThreadStart } from './messages.ts'
import { withSetting } from './recover.ts'

const REST_MS = 1

export interface FollowedOptions extends Omit<MatcherOptions, 'blocks'> {
  readonly journal: Journal
}

export class FollowedBlocks {
  /** What a matcher that begins to lead continues from. */
  readonly following: Following
  private readonly slot: ReplicaSlot
  private readonly bell: Doorbell
  /** Undefined where the matcher has no thread that may rest. */
  private readonly throttle: BulkThrottle | undefined
  private readonly matcher: Matcher
  private readonly rest: MatcherOptions['rest']

  /** `matcher` executes queries. */
  constructor({ replica, index, config }: ThreadStart, options: FollowedOptions, matcher: Matcher) {
    assert(replica !== undefined, 'a follower has the memory of its replica thread')
    const { journal, events, clock } = options
    const point = { position: journal.lastPosition, checksum: journal.lastChecksum }
    this.following = new Following({
      ...options,
      point,
      corrections: readCorrections(config.data),
      phaseChanged: () => matcher.followedPhase(),
    })
    this.slot = new ReplicaSlot(replica.blocks[index]!)
    this.bell = new Doorbell(replica.bell)
    this.matcher = matcher
    this.rest = options.rest
    this.throttle = this.rest && new BulkThrottle(events.capacity, () => elapsedMs(clock))
  }

  hasWork(): boolean {
    return this.slot.take() !== undefined
  }

  /** Takes a run of blocks. Returns 0 when there is none. */
  doWork(): number {
    const run = this.slot.take()
    if (run === undefined) return 0
    if (this.throttle?.mayContinue(this.matcher.behindBytes) === false) {
      this.rest?.(REST_MS)
      return 1
    }
    try {
      this.following.takeAll(run.bytes)
    } catch (error) {
      throw withSetting(error)
    }
    this.slot.acknowledge(run.last)
    this.bell.ring()
    return 1 + run.last - run.first
  }
}
