/** Chooses the feed that makes the frames of a stream. One per gateway. */
import type { StreamRow } from '../../../api/streams.ts'
import type { SymbolSpec } from '../../../market/listing.ts'
import { auctionFeed } from './auction-feed.ts'
import {
  bestPricesFeed,
  depthChangesFeed,
  sendBestBidAsk,
  sendBestPrices,
  TopLevels,
  timedLevelsFeed,
  topLevelsFeed,
} from './depth-feeds.ts'
import { type Feed, type FeedParts, isGenerated, type Send } from './feed.ts'
import { KlineFeed } from './kline-feed.ts'
import { allStatusesFeed, statusFeed } from './status-feeds.ts'
import {
  allTickersFeed,
  averagePriceFeed,
  referencePriceFeed,
  tickerFeed,
  tickersOf,
} from './ticker-feeds.ts'
import {
  AggregateTradeFeed,
  blockTradeFeed,
  executionTradesFeed,
  tradeFeed,
} from './trade-feeds.ts'
import { WindowBars } from './window-bars.ts'

export class Feeds {
  private readonly parts: FeedParts
  private readonly bars: WindowBars
  /** By symbol id and number of levels: as many as there are such streams. */
  private readonly topLevels = new Map<string, TopLevels>()

  constructor(parts: FeedParts) {
    this.parts = parts
    this.bars = new WindowBars(parts.dayWindows)
  }

  /** Returns the feed of a stream of all symbols. */
  ofAll({ source }: StreamRow, send: Send): Feed {
    switch (source.kind) {
      case 'MINI_TICKER':
      case 'DAY_TICKER':
      case 'WINDOW_TICKER': {
        const { symbols, clock } = this.parts
        const tickers = tickersOf(this.parts, this.bars, source)
        return allTickersFeed(tickers, symbols, clock.nowMs(), send)
      }
      case 'STATUS':
        return allStatusesFeed(this.parts, send)
      default:
        throw new Error(`no stream of all symbols is made from ${source.kind}`)
    }
  }

  of({ source }: StreamRow, spec: SymbolSpec, send: Send): Feed {
    const parts = this.parts
    const depth = parts.depths[spec.id]!
    switch (source.kind) {
      case 'TRADE':
        return tradeFeed(parts, spec, send)
      case 'EXECUTION_TRADES':
        return executionTradesFeed(parts, spec, send)
      case 'BLOCK_TRADE':
        return blockTradeFeed(parts, spec, send)
      case 'AGGREGATE_TRADE':
        return new AggregateTradeFeed(parts, spec, send)
      case 'KLINE':
        return new KlineFeed(parts, spec, source.interval, source.offsetMs, send)
      case 'BEST_PRICES':
        return bestPricesFeed(depth, () => isGenerated(parts, spec), sendBestPrices(depth, send))
      case 'BEST_BID_ASK':
        return bestPricesFeed(
          depth,
          () => isGenerated(parts, spec),
          sendBestBidAsk(depth, parts.clock, send),
        )
      case 'DEPTH_CHANGES':
        return depthChangesFeed(depth, send)
      case 'TOP_LEVELS':
        return topLevelsFeed(this.topLevelsOf(spec, source.levels), send)
      case 'LEVELS_AND_TIME':
        return timedLevelsFeed(this.topLevelsOf(spec, source.levels), send)
      case 'STATUS':
        return statusFeed(parts, spec, send)
      case 'AUCTION':
        return auctionFeed(parts, spec, send)
      case 'AVERAGE_PRICE':
        return averagePriceFeed(parts.tapes[spec.id]!, send)
      case 'REFERENCE_PRICE':
        return referencePriceFeed(depth, parts.references[spec.id]!, send)
      case 'MINI_TICKER':
      case 'DAY_TICKER':
      case 'WINDOW_TICKER':
        return tickerFeed(tickersOf(parts, this.bars, source), spec, send)
    }
  }

  private topLevelsOf({ id }: SymbolSpec, levels: number): TopLevels {
    const key = `${id}/${levels}`
    const top = this.topLevels.get(key) ?? new TopLevels(this.parts.depths[id]!, levels)
    this.topLevels.set(key, top)
    return top
  }
}
