/**
 * Frames of the market streams (web-socket-streams.md): what REST shows at the same moment, under shorter names.
 * A frame is made once however many clients read it.
 */
import { namesOf, SurplusSide } from '../../base/codes.ts'
import { Interval } from '../../market/intervals.ts'
import { symbolStatusNames } from '../names.ts'
import { Answer } from './answer.ts'
import {
  constant,
  endTime,
  flag,
  formSymbol,
  integer,
  levels,
  name,
  price,
  quantity,
  row,
  rows,
  symbol,
  time,
  units,
  unitsOrNull,
  volume,
} from './element.ts'
import { AVERAGE_PRICE_MINUTES, change, changePercent, weightedAverage } from './market.ts'

/** What frames begin with. */
const headAt = <const Event extends string, const Property extends string>(
  event: Event,
  property: Property,
) => ({ e: constant(event), E: time(property), s: symbol('spec') })
const head = <const Event extends string>(event: Event) => headAt(event, 'eventMs')

export const tradeFrame = new Answer({
  ...head('trade'),
  t: integer('tradeId'),
  p: price('priceTicks'),
  q: quantity('lots'),
  T: time('timeMs'),
  m: flag('isBuyerMaker'),
  M: constant(true),
})

export const blockTradeFrame = new Answer({
  ...head('blockTrade'),
  t: integer('blockTradeId'),
  p: price('priceTicks'),
  q: quantity('lots'),
  T: time('timeMs'),
  m: constant(true),
})

export const aggregateTradeFrame = new Answer({
  ...head('aggTrade'),
  a: integer('aggregateId'),
  p: price('priceTicks'),
  q: quantity('lots'),
  f: integer('firstTradeId'),
  l: integer('lastTradeId'),
  T: time('timeMs'),
  m: flag('isBuyerMaker'),
  M: constant(true),
})

/** Absolute quantities; zero takes the level away. */
export const depthFrame = new Answer({
  ...head('depthUpdate'),
  U: integer('firstUpdateId'),
  u: integer('finalUpdateId'),
  b: levels('bids'),
  a: levels('asks'),
})

const best = {
  b: price('bestBidTicks'),
  B: quantity('bestBidLots'),
  a: price('bestAskTicks'),
  A: quantity('bestAskLots'),
}

/** Has neither an event name nor a time. */
export const bestPricesFrame = new Answer({ u: integer('updateId'), s: symbol('spec'), ...best })

// Streams in SBE have messages of their own (api/sbe/stream-templates.ts), except depthFrame.

const takenTrade = new Answer({
  t: integer('tradeId'),
  p: price('priceTicks'),
  q: quantity('lots'),
  m: flag('isBuyerMaker'),
})

/** All trades of an execution. */
export const tradesFrame = new Answer({
  E: time('eventMs'),
  T: time('timeMs'),
  trades: rows('trades', takenTrade),
  s: symbol('spec'),
})

export const bestBidAskFrame = new Answer({
  E: time('eventMs'),
  u: integer('updateId'),
  s: symbol('spec'),
  ...best,
})

export const topLevelsFrame = new Answer({
  E: time('eventMs'),
  u: integer('updateId'),
  b: levels('bids'),
  a: levels('asks'),
  s: symbol('spec'),
})

/** What REST's avgPrice shows at the time of the event. */
export const averagePriceFrame = new Answer({
  ...head('avgPrice'),
  i: constant(`${AVERAGE_PRICE_MINUTES}m`),
  w: units('priceUnits'),
  T: time('lastTimeMs'),
})

/** What REST's referencePrice shows; it has no time of the event. */
export const referencePriceFrame = new Answer({
  e: constant('referencePrice'),
  s: symbol('spec'),
  r: unitsOrNull('priceUnits'),
  t: time('timeMs'),
})

const auctionPart = new Answer({
  p: price('priceTicks'),
  q: volume('volume'),
  s: volume('surplus'),
  S: name('surplusSide', namesOf(SurplusSide)),
  T: time('timeMs'),
})

const closePart = new Answer({ p: price('closeTicks'), T: time('timeMs') })

/** An extension: `c` the official close, `i` what the auction would come to, `l` what the last one came to; prices of 0 for none. */
export const auctionFrame = new Answer({
  ...head('auction'),
  X: name('status', symbolStatusNames),
  i: row('indicative', auctionPart),
  l: row('last', auctionPart),
  c: row('close', closePart),
})

/** An extension. `X` as orders have their status. */
export const symbolStatusFrame = new Answer({
  ...head('symbolStatus'),
  X: name('status', symbolStatusNames),
})

export const klineFrame = new Answer({
  ...head('kline'),
  k: row(
    'kline',
    new Answer({
      t: time('openMs'),
      T: endTime('closeMs'),
      s: formSymbol,
      i: name('interval', Object.keys(Interval) as (keyof typeof Interval)[]),
      f: integer('firstTradeId'),
      L: integer('lastTradeId'),
      o: price('openTicks'),
      c: price('closeTicks'),
      h: price('highTicks'),
      l: price('lowTicks'),
      v: volume('lots'),
      n: integer('count'),
      x: flag('isClosed'),
      q: units('quoteAtoms'),
      V: volume('takerBuyLots'),
      Q: units('takerBuyQuoteAtoms'),
      B: constant('0'),
    }),
  ),
})

const volumes = { v: volume('lots'), q: units('quoteAtoms') }
const range = { o: price('openTicks'), h: price('highTicks'), l: price('lowTicks') }
const close = { c: price('closeTicks') }
/** The window, which ends with the event, and its trades. */
const lastMembers = {
  O: time('openMs'),
  C: time('closeMs'),
  F: integer('firstTradeId'),
  L: integer('lastTradeId'),
  n: integer('count'),
}

export const miniTickerFrame = new Answer({
  ...headAt('24hrMiniTicker', 'closeMs'),
  ...close,
  ...range,
  ...volumes,
})

export const dayTickerFrame = new Answer({
  ...headAt('24hrTicker', 'closeMs'),
  p: change,
  P: changePercent,
  w: weightedAverage,
  x: price('beforeTicks'),
  ...close,
  Q: quantity('lastLots'),
  ...best,
  ...range,
  ...volumes,
  ...lastMembers,
})

/** Sizes of rolling windows. */
export type WindowName = '1h' | '4h' | '1d'

const windowTickerFrame = (window: WindowName) =>
  new Answer({
    ...headAt(`${window}Ticker` as const, 'closeMs'),
    p: change,
    P: changePercent,
    ...range,
    ...close,
    w: weightedAverage,
    ...volumes,
    ...lastMembers,
  })

export const windowTickerFrames = {
  '1h': windowTickerFrame('1h'),
  '4h': windowTickerFrame('4h'),
  '1d': windowTickerFrame('1d'),
} as const
