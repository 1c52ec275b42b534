/**
 * The templates of market streams, schema 1:0 (sbe/schemas/stream_1_0.xml of Binance's documents), by the frames that
 * they show.
 */
import { at, flag, group, int64, smallGroup, text8, time } from './fields.ts'
import { exponents, level, price, qty, template } from './templates.ts'

export const STREAM_SCHEMA_ID = 1
export const STREAM_SCHEMA_VERSION = 0

const eventTime = at('E', time)
const symbol = at('s', text8)
const bookUpdateId = at('u', int64)

export const streamTemplates = {
  /** It has a constant beside these, isBestMatch, which takes no bytes. */
  trades: template(10_000, 'TradesStreamEvent', {
    eventTime,
    transactTime: at('T', time),
    ...exponents,
    trades: group({
      id: at('t', int64),
      price: at('p', price),
      qty: at('q', qty),
      isBuyerMaker: at('m', flag),
    }),
    symbol,
  }),
  bestBidAsk: template(10_001, 'BestBidAskStreamEvent', {
    eventTime,
    bookUpdateId,
    ...exponents,
    bidPrice: at('b', price),
    bidQty: at('B', qty),
    askPrice: at('a', price),
    askQty: at('A', qty),
    symbol,
  }),
  topLevels: template(10_002, 'DepthSnapshotStreamEvent', {
    eventTime,
    bookUpdateId,
    ...exponents,
    bids: at('b', smallGroup(level)),
    asks: at('a', smallGroup(level)),
    symbol,
  }),
  depthChanges: template(10_003, 'DepthDiffStreamEvent', {
    eventTime,
    firstBookUpdateId: at('U', int64),
    lastBookUpdateId: bookUpdateId,
    ...exponents,
    bids: at('b', smallGroup(level)),
    asks: at('a', smallGroup(level)),
    symbol,
  }),
}
