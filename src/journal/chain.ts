/**
 * The chain that makes blocks a journal: each follows the one before it. Readers of consecutive blocks
 * check every one.
 */
import { type BlockReader, JournalDamage } from './block.ts'

/** Where reading a journal continues: behind the block of this position and checksum. */
export interface JournalPoint {
  readonly position: number
  readonly checksum: number
}

export const BEGINNING: JournalPoint = { position: 0, checksum: 0 }

export class BlockChain {
  readonly matcher: number
  private _position: number
  private checksum: number
  private epoch: number

  /** `epoch` is that of the block at `point`, or 0 where it does not matter. */
  constructor(matcher: number, point: JournalPoint, epoch = 0) {
    this.matcher = matcher
    this._position = point.position
    this.checksum = point.checksum
    this.epoch = epoch
  }

  get position(): number {
    return this._position
  }

  /** Throws JournalDamage, which calls it `name`, when the block is not the next one. */
  check(block: BlockReader, point: string): void {
    if (block.position !== this._position + 1) {
      throw new JournalDamage(`${point} says it is another.`)
    }
    if (block.matcher !== this.matcher) throw new JournalDamage(`${point} is another matcher's.`)
    if (block.previous !== this.checksum) {
      throw new JournalDamage(`${point} does not follow the block before it.`)
    }
    if (block.epoch < this.epoch) {
      throw new JournalDamage(`${point} is of an earlier start than the block before it.`)
    }
  }

  /** Makes the checked block the last one. */
  advance(block: BlockReader): void {
    this._position = block.position
    this.checksum = block.checksum
    this.epoch = block.epoch
  }
}
