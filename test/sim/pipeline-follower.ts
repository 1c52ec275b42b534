/**
 * A follower of the simulated exchange, with its own journals: it gets each block once no power loss
 * can take it back, and must come to what the leader came to. It outlives the leader's ends, and has its
 * own ends.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { Ms } from '../../src/base/units.ts'
import { BlockReader } from '../../src/journal/block.ts'
import { EventRingReader } from '../../src/ring/event-ring.ts'
import { PipelineExchange } from './pipeline-exchange.ts'
import { PipelineStore } from './pipeline-store.ts'
import { type NamedRecord, readRecords } from './records.ts'
import { MATCHERS } from './world.ts'

/** Later than every leader's, whose blocks it views. */
const EPOCH = 2 ** 31 - 1
const unwatched = {
  executed: () => {},
  wentOn: () => {},
  walletExecuted: () => {},
  walletFired: () => {},
}

export class PipelineFollower {
  private readonly leader: readonly PipelineStore[]
  private readonly stores = Array.from(
    { length: MATCHERS },
    () => new PipelineStore('committed', 1_000),
  )
  private readonly block = new BlockReader()
  private exchange = this.started()
  private readers = this.newReaders()

  constructor(leader: readonly PipelineStore[]) {
    this.leader = leader
  }

  /** Follows what the leader's matcher has flushed. */
  follow(matcher: number): void {
    const leader = this.leader[matcher]!
    for (const { position, block } of leader.blocks(this.stores[matcher]!.lastPosition + 1)) {
      if (position > leader.flushedPosition) return
      this.exchange.followings[matcher]!.take(block)
      this.checkPublished(matcher, block)
    }
  }

  followAll(): void {
    for (let matcher = 0; matcher < MATCHERS; matcher++) this.follow(matcher)
  }

  /** Is killed, and starts again from its own journals. */
  restart(): void {
    const before = this.hash
    this.exchange = this.started()
    this.readers = this.newReaders()
    strictEqual(this.hash, before, 'a follower recovers what it has followed')
  }

  /** Whether nothing of the leader's is left to follow, flushed or not. */
  get isLevel(): boolean {
    const isLevel = ({ lastPosition }: PipelineStore, matcher: number) =>
      lastPosition === this.stores[matcher]!.lastPosition
    return this.leader.every(isLevel)
  }

  get hash(): string {
    return this.exchange.hash
  }

  /** Gateways get the block's events as those of no gateway. */
  private checkPublished(matcher: number, bytes: Uint8Array): void {
    const published: NamedRecord[] = []
    const reader = this.readers[matcher]!
    while (reader.poll((buffer, at) => published.push(...readRecords(buffer, at, at + 1))) > 0);
    this.block.open(bytes, 'The block')
    const { records, start, end } = this.block
    const journaled = readRecords(records, start, end).map((it) => ({ ...it, gateway: -1 }))
    deepStrictEqual(published, journaled)
  }

  private started(): PipelineExchange {
    const clock = { nowMs: () => Ms(0), elapsedNs: () => 0 }
    return new PipelineExchange(this.stores, EPOCH, clock, unwatched, () => {})
  }

  private newReaders(): readonly EventRingReader[] {
    return this.exchange.regions.eventRings.map((ring) => new EventRingReader(ring))
  }
}
