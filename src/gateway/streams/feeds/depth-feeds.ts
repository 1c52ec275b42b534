/** Streams of the book: best prices as they change, levels that changed, and the best levels. */

import { Rows } from '../../../api/answers/answer.ts'
import { depth } from '../../../api/answers/market.ts'
import {
  bestBidAskFrame,
  bestPricesFrame,
  depthFrame,
  topLevelsFrame,
} from '../../../api/answers/market-streams.ts'
import { BookRow } from '../../../api/rows/market.ts'
import type { Clock } from '../../../base/time.ts'
import type { DepthView } from '../../../core/views/depth.ts'
import { DepthDiff } from '../../../core/views/depth-diff.ts'
import type { Feed, Send } from './feed.ts'

/** Calls `sendBest` when they change from now on. */
export function bestPricesFeed(
  view: DepthView,
  isGenerated: () => boolean,
  sendBest: () => void,
): Feed {
  let { bestBidTicks, bestBidLots, bestAskTicks, bestAskLots } = view
  return {
    turnEnded: () => {
      const isSame =
        bestBidTicks === view.bestBidTicks &&
        bestBidLots === view.bestBidLots &&
        bestAskTicks === view.bestAskTicks &&
        bestAskLots === view.bestAskLots
      if (isSame || !view.synced || !isGenerated()) return
      ;({ bestBidTicks, bestBidLots, bestAskTicks, bestAskLots } = view)
      sendBest()
    },
  }
}

/** Sends a frame without a time. */
export const sendBestPrices = (view: DepthView, send: Send) => (): void =>
  send((microseconds) => new Rows(bestPricesFrame, view, { microseconds }))

/** Sends a message of SBE. */
export const sendBestBidAsk = (view: DepthView, clock: Pick<Clock, 'nowMs'>, send: Send) => () => {
  const { spec, updateId, bestBidTicks, bestBidLots, bestAskTicks, bestAskLots } = view
  const best = { bestBidTicks, bestBidLots, bestAskTicks, bestAskLots }
  const row = { spec, eventMs: clock.nowMs(), updateId, ...best }
  send((microseconds) => new Rows(bestBidAskFrame, row, { microseconds }))
}

export function depthChangesFeed(view: DepthView, send: Send): Feed {
  const diff = new DepthDiff(view)
  return {
    tick: (eventMs, isDue) => {
      const changes = isDue ? diff.takeChanges() : undefined
      if (changes === undefined) return
      const { firstUpdateId, finalUpdateId, bids, asks } = changes
      const row = { firstUpdateId, finalUpdateId, bids, asks, spec: view.spec, eventMs }
      send((microseconds) => new Rows(depthFrame, row, { microseconds }))
    },
    isIdle: () => !diff.hasChanges,
    close: () => diff.close(),
  }
}

/** The best levels of a book: one row, and so one encoding, for the streams of all speeds. */
export class TopLevels {
  readonly view: DepthView
  private readonly levels: number
  private _row: BookRow | undefined = undefined

  constructor(view: DepthView, levels: number) {
    this.view = view
    this.levels = levels
  }

  get row(): BookRow {
    const known = this._row
    if (known?.updateId === this.view.updateId) return known
    const row = new BookRow(this.view, this.levels)
    this._row = row
    return row
  }
}

/** Sent every interval, whether the book has changed or not. */
export const topLevelsFeed = (top: TopLevels, send: Send): Feed => ({
  tick: (_nowMs, isDue) => {
    const { view, row } = top
    if (!isDue || !view.synced) return
    send((microseconds) => new Rows(depth, row, { spec: view.spec, microseconds }))
  },
})

/** The same in SBE, with the time. */
export const timedLevelsFeed = (top: TopLevels, send: Send): Feed => ({
  tick: (eventMs, isDue) => {
    const { view, row } = top
    if (!isDue || !view.synced) return
    const { updateId, bids, asks } = row
    const timed = { spec: view.spec, eventMs, updateId, bids, asks }
    send((microseconds) => new Rows(topLevelsFrame, timed, { microseconds }))
  },
})
