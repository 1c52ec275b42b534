/** Streams of the book: best prices as they change, levels that changed, and the best levels. */

import { renderDepth } from '../../../api/render/market.ts'
import { bookTickerFrame, depthFrame } from '../../../api/render/market-stream.ts'
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
    this.#send(() => bookTickerFrame(fold.spec, fold))
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
    this.#send((microseconds) => depthFrame(this.#fold.spec, changes, nowMs, microseconds))
  }

  close(): void {
    this.#diff.close()
  }
}

/** Sent every interval, whether the book has changed or not. */
export class TopLevelsFeed implements Feed {
  readonly #fold: DepthFold
  readonly #levels: number
  readonly #send: Send
  #updateId = -1
  #text = ''

  constructor(fold: DepthFold, levels: number, send: Send) {
    this.#fold = fold
    this.#levels = levels
    this.#send = send
  }

  tick(_nowMs: Ms, isDue: boolean): void {
    const fold = this.#fold
    if (!isDue || !fold.synced) return
    if (fold.updateId !== this.#updateId) this.#text = renderDepth(fold, this.#levels)
    this.#updateId = fold.updateId
    this.#send(() => this.#text)
  }
}
