/** Chooses the feed that makes the frames of a stream. One per gateway. */
import type { StreamRow } from '../../../api/streams.ts'
import type { SymbolSpec } from '../../../market/listing.ts'
import { AuctionFeed } from './auction-feed.ts'
import {
  BestPricesFeed,
  DepthChangesFeed,
  sendBestBidAsk,
  sendBestPrices,
  TimedLevelsFeed,
  TopLevels,
  TopLevelsFeed,
} from './depth-feeds.ts'
import { type Feed, type FeedParts, isGenerated, type Send } from './feed.ts'
import { KlineFeed } from './kline-feed.ts'
import { AllStatusesFeed, StatusFeed } from './status-feeds.ts'
import {
  AllTickersFeed,
  AveragePriceFeed,
  ReferencePriceFeed,
  TickerFeed,
  tickersOf,
} from './ticker-feeds.ts'
import {
  AggregateTradeFeed,
  BlockTradeFeed,
  ExecutionTradesFeed,
  TradeFeed,
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
        return new AllTickersFeed(tickers, symbols, clock.nowMs(), send)
      }
      case 'STATUS':
        return new AllStatusesFeed(this.parts, send)
      default:
        throw new Error(`no stream of all symbols is made from ${source.kind}`)
    }
  }

  of({ source }: StreamRow, spec: SymbolSpec, send: Send): Feed {
    const parts = this.parts
    const depth = parts.depths[spec.id]!
    switch (source.kind) {
      case 'TRADE':
        return new TradeFeed(parts, spec, send)
      case 'EXECUTION_TRADES':
        return new ExecutionTradesFeed(parts, spec, send)
      case 'BLOCK_TRADE':
        return new BlockTradeFeed(parts, spec, send)
      case 'AGGREGATE_TRADE':
        return new AggregateTradeFeed(parts, spec, send)
      case 'KLINE':
        return new KlineFeed(parts, spec, source.interval, source.offsetMs, send)
      case 'BEST_PRICES':
        return new BestPricesFeed(
          depth,
          () => isGenerated(parts, spec),
          sendBestPrices(depth, send),
        )
      case 'BEST_BID_ASK':
        return new BestPricesFeed(
          depth,
          () => isGenerated(parts, spec),
          sendBestBidAsk(depth, parts.clock, send),
        )
      case 'DEPTH_CHANGES':
        return new DepthChangesFeed(depth, send)
      case 'TOP_LEVELS':
        return new TopLevelsFeed(this.topLevelsOf(spec, source.levels), send)
      case 'LEVELS_AND_TIME':
        return new TimedLevelsFeed(this.topLevelsOf(spec, source.levels), send)
      case 'STATUS':
        return new StatusFeed(parts, spec, send)
      case 'AUCTION':
        return new AuctionFeed(parts, spec, send)
      case 'AVERAGE_PRICE':
        return new AveragePriceFeed(parts.tapes[spec.id]!, send)
      case 'REFERENCE_PRICE':
        return new ReferencePriceFeed(depth, parts.references[spec.id]!, send)
      case 'MINI_TICKER':
      case 'DAY_TICKER':
      case 'WINDOW_TICKER':
        return new TickerFeed(tickersOf(parts, this.bars, source), spec, send)
    }
  }

  private topLevelsOf({ id }: SymbolSpec, levels: number): TopLevels {
    const key = `${id}/${levels}`
    const top = this.topLevels.get(key) ?? new TopLevels(this.parts.depths[id]!, levels)
    this.topLevels.set(key, top)
    return top
  }
}
