/**
 * The carrier: copies the blocks of every matcher's tail into its journal in LMDB, so that matchers
 * find room in their tails and need no LMDB transaction of their own. It alone writes those journals.
 */
import { Carrier } from '../journal/carrier.ts'
import type { StoreWatch } from '../journal/store-watch.ts'
import type { TailCells } from '../journal/tail-cells.ts'
import { journalStore } from '../shared/counters.ts'
import type { Agent } from './agent.ts'
import type { Pace } from './pace.ts'
import { countedWatch } from './store-watches.ts'

/** It hurries once so many segments of a tail are full: one is free then, beside the one that is filled. */
const URGENT_SEGMENTS = 2

export interface CarrierOptions {
  readonly dataFolder: string
  /** By matcher. */
  readonly tails: readonly TailCells[]
  /** Of shared/counters.ts: blocks of the journals are written here. */
  readonly counters?: SharedArrayBuffer
  readonly warn?: (sentence: string) => void
}

export class CarrierAgent implements Agent {
  readonly name = 'carrier'
  readonly #tails: readonly TailCells[]
  readonly #carriers: readonly Carrier[]
  readonly #watches: readonly StoreWatch[]

  constructor({ dataFolder, tails, counters, warn = () => {} }: CarrierOptions) {
    this.#tails = tails
    this.#carriers = tails.map((cells, matcher) => new Carrier(dataFolder, matcher, cells))
    this.#watches =
      counters === undefined
        ? []
        : this.#carriers.map((carrier, matcher) =>
            countedWatch(counters, journalStore(matcher), () => carrier.figures(), warn),
          )
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

  /** Looks at the journals' files, by a steady clock. */
  watch(nowMs: number): void {
    for (const watch of this.#watches) watch.look(nowMs)
  }

  #isUrgent(): boolean {
    return this.#tails.some((cells) => cells.fullSegments() >= URGENT_SEGMENTS)
  }

  close(): void {
    for (const carrier of this.#carriers) carrier.close()
  }
}
