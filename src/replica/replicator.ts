/**
 * Brings what journals offer to the quorum, and acknowledges it once it is there. Blocks that are offered
 * while others are on their way go with the next ones, all in one transaction.
 *
 * When the outcome of a call is unknown, it opens the quorum again, commits a beat, and looks at the ends
 * of the journals: the beat's commit proves that all that is seen is on the quorum. Then each offered block
 * is there, and is acknowledged, or is not, and is sent again.
 */
import {
  NO_POINT,
  OutcomeUnknown,
  type Quorum,
  type QuorumBlock,
  type QuorumPoint,
  QuorumRefusal,
} from './quorum.ts'

/** A journal, as the replicator sees it. */
export interface ReplicaSource {
  readonly journal: number
  /** Returns the blocks behind `end` that wait for the quorum; the same ones until acknowledged. */
  offered(end: QuorumPoint): readonly QuorumBlock[]
  acknowledge(position: number): void
}

export interface ReplicatorOptions {
  readonly quorum: Quorum
  /** Epoch of this leader, which has taken the lead. */
  readonly epoch: number
  readonly sources: readonly ReplicaSource[]
  /** The ends of the journals on the quorum. */
  readonly ends: ReadonlyMap<number, QuorumPoint>
  /** A sequence that is known to be on the quorum. */
  readonly watermark: number
}

/** What is on its way, of one journal. */
interface Shipment {
  readonly source: ReplicaSource
  readonly blocks: readonly QuorumBlock[]
}

export class Replicator {
  private readonly quorum: Quorum
  private readonly epoch: number
  private readonly sources: readonly ReplicaSource[]
  /** The last acknowledged block of each journal. */
  private readonly ends: Map<number, QuorumPoint>
  /** Highest sequence that is known to be on the quorum. */
  private watermark: number
  /** Blocks that were sent, and their bytes. */
  private blocks = 0
  private bytes = 0
  /** The watermark that followers can see. */
  private marked = 0
  /** Whether all that is committed is known. */
  private isKnown = true

  /** For a quorum that is open. */
  constructor({ quorum, epoch, sources, ends, watermark }: ReplicatorOptions) {
    this.quorum = quorum
    this.epoch = epoch
    this.sources = sources
    this.ends = new Map(ends)
    this.watermark = watermark
  }

  /** Blocks and facts that were sent until now, and their bytes. */
  get sent(): { readonly blocks: number; readonly bytes: number } {
    return { blocks: this.blocks, bytes: this.bytes }
  }

  /** Whether followers can see the watermark. */
  get isMarked(): boolean {
    return this.marked === this.watermark
  }

  /**
   * Sends what is offered. Returns the number of blocks. Rejects with OutcomeUnknown, after which it may
   * be called again, and with QuorumRefusal.
   */
  async send(): Promise<number> {
    return this.whileKnown(async () => {
      const shipments = this.shipments()
      const blocks = shipments.flatMap((shipment) => shipment.blocks)
      if (blocks.length === 0) return 0
      const marked = this.watermark
      this.watermark = await this.quorum.append(this.epoch, blocks, marked)
      this.marked = marked
      this.blocks += blocks.length
      for (const { bytes } of blocks) this.bytes += bytes.length
      for (const { source, blocks } of shipments) this.acknowledge(source, blocks.at(-1)!)
      return blocks.length
    })
  }

  /** Commits a beat. Rejects as `send`, also when another member has taken the lead. */
  async beat(): Promise<void> {
    await this.whileKnown(() => this.beatOnce())
  }

  /** Shows the watermark to followers when no block follows that would carry it. Rejects as `send`. */
  async mark(): Promise<void> {
    await this.whileKnown(async () => {
      const marked = this.watermark
      await this.quorum.mark(marked)
      this.marked = marked
    })
  }

  private async whileKnown<T>(action: () => Promise<T>): Promise<T> {
    if (!this.isKnown) await this.lookAgain()
    try {
      return await action()
    } catch (error) {
      if (error instanceof OutcomeUnknown) this.isKnown = false
      throw error
    }
  }

  private async beatOnce(): Promise<void> {
    this.watermark = Math.max(this.watermark, await this.quorum.beat(this.epoch))
  }

  private async lookAgain(): Promise<void> {
    await this.quorum.open()
    await this.beatOnce()
    // A mark waits for no standby, so a failover may have lost it.
    this.marked = 0
    const found = await this.quorum.ends()
    for (const { source, blocks } of this.shipments()) {
      const there = found.get(source.journal)
      const arrived = blocks.find((block) => isSame(block, there))
      if (arrived !== undefined) this.acknowledge(source, arrived)
    }
    for (const { journal } of this.sources) this.check(journal, found.get(journal) ?? NO_POINT)
    this.isKnown = true
  }

  /** Throws QuorumRefusal unless the journal ends where this leader's does. */
  private check(journal: number, found: QuorumPoint): void {
    const end = this.endOf(journal)
    if (isSame(end, found)) return
    const [wanted, there] = [end.position, found.position]
    throw new QuorumRefusal(
      there < wanted
        ? `The quorum has lost blocks ${there + 1} to ${wanted} of journal ${journal}.`
        : `Block ${there} of journal ${journal} on the quorum is not this leader's.`,
    )
  }

  private shipments(): readonly Shipment[] {
    return this.sources
      .map((source) => ({ source, blocks: source.offered(this.endOf(source.journal)) }))
      .filter(({ blocks }) => blocks.length > 0)
  }

  private acknowledge(source: ReplicaSource, last: QuorumBlock): void {
    const { position, checksum } = last
    this.ends.set(source.journal, { position, checksum })
    source.acknowledge(position)
  }

  private endOf(journal: number): QuorumPoint {
    return this.ends.get(journal) ?? NO_POINT
  }
}

const isSame = (a: QuorumPoint, b: QuorumPoint | undefined): boolean =>
  a.position === b?.position && a.checksum === b.checksum
