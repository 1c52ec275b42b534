/** Streams of the book: best prices as they change, levels that changed, and the best levels. */

import { Rows } from '../../../api/answers/answer.ts'
import { depth } from '../../../api/answers/market.ts'
import { bestPricesFrame, depthFrame } from '../../../api/answers/market-streams.ts'
import { BookRow } from '../../../api/rows/market.ts'
import type { Ms } from '../../../base/units.ts'
import type { DepthFold } from '../../../core/folds/depth.ts'
import { DepthDiff } from '../../../core/folds/depth-diff.ts'
import type { Feed, Send } from './feed.ts'

export class BestPricesFeed implements Feed {
  readonly #fold: DepthFold
  readonly #isGenerated: () => boolean
  readonly #send: Send
  #bidTicks = 0
  #bidLots = 0
  #askTicks = 0
  #askLots = 0

  /** Sends the changes from now on. */
  constructor(fold: DepthFold, isGenerated: () => boolean, send: Send) {
    this.#fold = fold
    this.#isGenerated = isGenerated
    this.#send = send
    this.#note()
  }

  turnEnded(): void {
    const fold = this.#fold
    const unchanged =
      this.#bidTicks === fold.bestBidTicks &&
      this.#bidLots === fold.bestBidLots &&
      this.#askTicks === fold.bestAskTicks &&
      this.#askLots === fold.bestAskLots
    if (unchanged || !fold.synced || !this.#isGenerated()) return
    this.#note()
    this.#send((microseconds) => new Rows(bestPricesFrame, fold, { microseconds }))
  }

  #note(): void {
    this.#bidTicks = this.#fold.bestBidTicks
    this.#bidLots = this.#fold.bestBidLots
    this.#askTicks = this.#fold.bestAskTicks
    this.#askLots = this.#fold.bestAskLots
  }
}

export class DepthChangesFeed implements Feed {
  readonly #fold: DepthFold
  readonly #diff: DepthDiff
  readonly #send: Send

  constructor(fold: DepthFold, send: Send) {
    this.#fold = fold
    this.#diff = new DepthDiff(fold)
    this.#send = send
  }

  tick(nowMs: Ms, isDue: boolean): void {
    const changes = isDue ? this.#diff.takeChanges() : undefined
    if (changes === undefined) return
    const { firstUpdateId, finalUpdateId, bids, asks } = changes
    const row = { firstUpdateId, finalUpdateId, bids, asks, spec: this.#fold.spec, eventMs: nowMs }
    this.#send((microseconds) => new Rows(depthFrame, row, { microseconds }))
  }

  close(): void {
    this.#diff.close()
  }
}

/** The best levels of a book: one row, and so one encoding, for the streams of all speeds. */
export class TopLevels {
  readonly fold: DepthFold
  readonly #levels: number
  #row: BookRow | undefined

  constructor(fold: DepthFold, levels: number) {
    this.fold = fold
    this.#levels = levels
  }

  get row(): BookRow {
    const known = this.#row
    if (known?.updateId === this.fold.updateId) return known
    const row = new BookRow(this.fold, this.#levels)
    this.#row = row
    return row
  }
}

/** Sent every interval, whether the book has changed or not. */
export class TopLevelsFeed implements Feed {
  readonly #top: TopLevels
  readonly #send: Send

  constructor(top: TopLevels, send: Send) {
    this.#top = top
    this.#send = send
  }

  tick(_nowMs: Ms, isDue: boolean): void {
    const { fold, row } = this.#top
    if (!isDue || !fold.synced) return
    this.#send((microseconds) => new Rows(depth, row, { spec: fold.spec, microseconds }))
  }
}
