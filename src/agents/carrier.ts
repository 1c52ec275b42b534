/**
 * The carrier: copies the blocks of every matcher's tail into its journal in LMDB, so that matchers
 * find room in their tails and need no LMDB transaction of their own. It alone writes those journals.
 */
import { Carrier } from '../journal/carrier.ts'
import type { TailCells } from '../journal/tail-cells.ts'
import type { Agent } from './agent.ts'
import type { Pace } from './pace.ts'

/** It hurries once so many segments of a tail are full: one is free then, beside the one that is filled. */
const URGENT_SEGMENTS = 2

export interface CarrierOptions {
  readonly dataFolder: string
  /** By matcher. */
  readonly tails: readonly TailCells[]
}

export class CarrierAgent implements Agent {
  readonly name = 'carrier'
  readonly #tails: readonly TailCells[]
  readonly #carriers: readonly Carrier[]

  constructor({ dataFolder, tails }: CarrierOptions) {
    this.#tails = tails
    this.#carriers = tails.map((cells, matcher) => new Carrier(dataFolder, matcher, cells))
  }

  /**
   * Runs at most one transaction for each journal, at a pace, if there is one, until a matcher is about to
   * need the room. Returns the number of blocks.
   */
  doWork(pace?: Pick<Pace, 'begin' | 'tread'>): number {
    pace?.begin()
    const breathe = () => {
      if (!this.#isUrgent()) pace?.tread()
    }
    return this.#carriers.reduce((sum, carrier) => sum + carrier.carry(breathe), 0)
  }

  /** Removes some of the blocks that were moved out of the journals. Returns their number. */
  removeMoved(): number {
    return this.#carriers.reduce((sum, carrier) => sum + carrier.removeMoved(), 0)
  }

  /** Whether enough waits to be worth a transaction. */
  hasWork(): boolean {
    return this.#tails.some((cells) => cells.fullSegments() > 0)
  }

  #isUrgent(): boolean {
    return this.#tails.some((cells) => cells.fullSegments() >= URGENT_SEGMENTS)
  }

  close(): void {
    for (const carrier of this.#carriers) carrier.close()
  }
}
