/**
 * Answers of market data. Sums are exact; an average and a percentage are rounded half
 * away from zero to the decimals shown.
 */
import { namesOf, SurplusSide } from '../../base/codes.ts'
import { powerOfTen } from '../../base/fixed.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import type { BarRow } from '../../history/market-history.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import { symbolStatusNames } from '../names.ts'
import { Answer } from './answer.ts'
import {
  choice,
  constant,
  derived,
  endTime,
  fixed,
  flag,
  integer,
  levels,
  name,
  optional,
  price,
  priceChange,
  quantity,
  row,
  symbol,
  time,
  units,
  unitsOrNull,
  volume,
  wireValue,
} from './element.ts'

/** Over how many minutes `avgPrice` averages (filters.md, Average price). */
export const AVERAGE_PRICE_MINUTES = 5
const PERCENT_DECIMALS = 3

export const empty = new Answer({})
export const pong = new Answer({})

export const serverTime = new Answer({ serverTime: time('nowMs') })

export const systemStatus = new Answer({
  status: wireValue<0 | 1>({ type: 'integer', enum: [0, 1] })('status'),
  msg: name('status', ['normal', 'system_maintenance']),
})

export const depth = Answer.kept({
  lastUpdateId: integer('updateId'),
  bids: levels('bids'),
  asks: levels('asks'),
})

export const publicTrade = new Answer({
  id: integer('tradeId'),
  price: price('priceTicks'),
  qty: quantity('lots'),
  quoteQty: units('quoteAtoms'),
  time: time('timeMs'),
  isBuyerMaker: flag('isBuyerMaker'),
  isBestMatch: constant(true),
})

/** Neither side is of the book: the buyer counts as its maker. */
export const blockTrade = new Answer({
  id: integer('blockTradeId'),
  price: price('priceTicks'),
  qty: quantity('lots'),
  quoteQty: units('quoteAtoms'),
  time: time('timeMs'),
  isBuyerMaker: constant(true),
})

export const aggregateTrade = new Answer({
  a: integer('aggregateId'),
  p: price('priceTicks'),
  q: quantity('lots'),
  f: integer('firstTradeId'),
  l: integer('lastTradeId'),
  T: time('timeMs'),
  m: flag('isBuyerMaker'),
  M: constant(true),
})

export const kline = new Answer(
  {
    openTime: time('openMs'),
    open: price('openTicks'),
    high: price('highTicks'),
    low: price('lowTicks'),
    close: price('closeTicks'),
    volume: volume('lots'),
    closeTime: endTime('closeMs'),
    quoteVolume: units('quoteAtoms'),
    count: integer('count'),
    takerBuyVolume: volume('takerBuyLots'),
    takerBuyQuoteVolume: units('takerBuyQuoteAtoms'),
    unused: constant('0'),
  },
  true,
)

export const referencePrice = new Answer({
  symbol: symbol('spec'),
  referencePrice: unitsOrNull('priceUnits'),
  timestamp: time('timeMs'),
})

/** Those of its calculation alone. */
export const referenceCalculation = new Answer({
  symbol: symbol('spec'),
  calculationType: choice('calculation', ['ARITHMETIC_MEAN', 'EXTERNAL']),
  bucketCount: optional(integer('bucketCount')),
  bucketWidthMs: optional(integer('bucketWidthMs')),
  externalCalculationId: optional(integer('externalId')),
})

export const averagePrice = new Answer({
  mins: integer('minutes'),
  price: units('priceUnits'),
  closeTime: time('lastTimeMs'),
})

const auctionPart = new Answer({
  price: price('priceTicks'),
  quantity: volume('volume'),
  surplusQuantity: volume('surplus'),
  surplusSide: name('surplusSide', namesOf(SurplusSide)),
  time: time('timeMs'),
})

const closePart = new Answer({ price: price('closeTicks'), time: time('timeMs') })

/** An extension. Prices and times of 0 for none. */
export const auction = new Answer({
  symbol: symbol('spec'),
  status: name('status', symbolStatusNames),
  indicative: row('indicative', auctionPart),
  last: row('last', auctionPart),
  close: row('close', closePart),
})

export const priceTicker = new Answer({ symbol: symbol('spec'), price: price('lastTicks') })

/** An empty side shows zeros. */
export const bookTicker = new Answer({
  symbol: symbol('spec'),
  bidPrice: price('bestBidTicks'),
  bidQty: quantity('bestBidLots'),
  askPrice: price('bestAskTicks'),
  askQty: quantity('bestAskLots'),
})

type Change = Pick<BarRow, 'openTicks' | 'closeTicks'>
type Traded = Pick<BarRow, 'lots' | 'quoteAtoms'> & { readonly spec: SymbolSpec }

/** From the first price to the last. */
export const change = derived(
  priceChange(''),
  ({ openTicks, closeTicks }: Change) => closeTicks - openTicks,
)

/** Change from the first price to the last, in per cent of the first price. */
export const changePercent = derived(fixed('', PERCENT_DECIMALS), (row: Change) => {
  const ticks = BigInt(row.closeTicks - row.openTicks)
  return ratio(ticks * 100n * 10n ** BigInt(PERCENT_DECIMALS), BigInt(row.openTicks))
})

/** Quote volume over base volume. */
export const weightedAverage = derived(units(''), ({ spec, lots, quoteAtoms }: Traded) =>
  ratio(quoteAtoms * BigInt(powerOfTen(WIRE_DECIMALS)), lots * BigInt(spec.lotUnits)),
)

/** Rounded half away from zero; 0 where nothing traded. */
function ratio(numerator: bigint, denominator: bigint): bigint {
  if (denominator === 0n) return 0n
  const magnitude = numerator < 0n ? -numerator : numerator
  const rounded = (magnitude * 2n + denominator) / (denominator * 2n)
  return numerator < 0n ? -rounded : rounded
}

const miniHead = { symbol: symbol('spec'), priceChange: change }
const fullHead = {
  ...miniHead,
  priceChangePercent: changePercent,
  weightedAvgPrice: weightedAverage,
}
const trades = {
  openPrice: price('openTicks'),
  highPrice: price('highTicks'),
  lowPrice: price('lowTicks'),
  lastPrice: price('closeTicks'),
  volume: volume('lots'),
  quoteVolume: units('quoteAtoms'),
  openTime: time('openMs'),
  closeTime: time('closeMs'),
  firstId: integer('firstTradeId'),
  lastId: integer('lastTradeId'),
  count: integer('count'),
}
const before = { prevClosePrice: price('beforeTicks') }

export const miniTicker = new Answer({ ...miniHead, ...trades })
export const ticker = new Answer({ ...fullHead, ...trades })
export const miniDayTicker = new Answer({ ...miniHead, ...before, ...trades })
export const dayTicker = new Answer({
  ...fullHead,
  ...before,
  lastQty: quantity('lastLots'),
  bidPrice: price('bestBidTicks'),
  bidQty: quantity('bestBidLots'),
  askPrice: price('bestAskTicks'),
  askQty: quantity('bestAskLots'),
  ...trades,
})
