/** A journal whose blocks a test offers to a replicator. */
import { crc32 } from 'node:zlib'
import { NO_POINT, type QuorumBlock, type QuorumPoint } from '../../src/replica/quorum.ts'
import type { ReplicaSource } from '../../src/replica/replicator.ts'

export class OfferingJournal implements ReplicaSource {
  readonly journal: number
  /** All that was ever offered. */
  readonly blocks: QuorumBlock[] = []
  acknowledged = 0
  private readonly writer: string
  private end: QuorumPoint

  /** For a journal that ends at `end`; `writer` is part of each block's bytes. */
  constructor(journal: number, writer: string, end = NO_POINT) {
    this.journal = journal
    this.acknowledged = end.position
    this.writer = writer
    this.end = end
  }

  /** Offers one more block. */
  offer(size = 32): void {
    const position = this.end.position + 1
    const bytes = Buffer.alloc(size, `${this.writer} ${this.journal}.${position} `)
    const previous = this.end.checksum
    const checksum = crc32(bytes, previous >>> 0) | 0
    const block = { journal: this.journal, position, previous, checksum, bytes }
    this.blocks.push(block)
    this.end = block
  }

  offered(): readonly QuorumBlock[] {
    return this.blocks.filter(({ position }) => position > this.acknowledged)
  }

  acknowledge(position: number): void {
    this.acknowledged = position
  }

  get acknowledgedBlocks(): readonly QuorumBlock[] {
    return this.blocks.filter(({ position }) => position <= this.acknowledged)
  }
}
