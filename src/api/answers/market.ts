/** Answers of market data (spec, Resources). */
import { Answer } from './answer.ts'
import { integer, price, quantity, symbol, time, units } from './element.ts'

export const priceTicker = new Answer({ symbol: symbol('spec'), price: price('lastTicks') })

/** An empty side shows zeros. */
export const bookTicker = new Answer({
  symbol: symbol('spec'),
  bidPrice: price('bestBidTicks'),
  bidQty: quantity('bestBidLots'),
  askPrice: price('bestAskTicks'),
  askQty: quantity('bestAskLots'),
})

export const averagePrice = new Answer({
  mins: integer('minutes'),
  price: units('priceUnits'),
  closeTime: time('lastTimeMs'),
})
