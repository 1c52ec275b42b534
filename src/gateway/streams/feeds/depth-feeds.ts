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

/** The best levels of a book as text, made once for the streams of all speeds. */
export class TopLevels {
  readonly fold: DepthFold
  readonly #levels: number
  #updateId = -1
  #text = ''

  constructor(fold: DepthFold, levels: number) {
    this.fold = fold
    this.#levels = levels
  }

  get text(): string {
    if (this.fold.updateId !== this.#updateId) this.#text = renderDepth(this.fold, this.#levels)
    this.#updateId = this.fold.updateId
    return this.#text
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
    if (isDue && this.#top.fold.synced) this.#send(() => this.#top.text)
  }
}
