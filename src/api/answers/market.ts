/** Answers of market data (spec, Resources). */
import { Answer } from './answer.ts'

export const priceTicker = new Answer({ symbol: 'symbol', price: 'price' })

/** An empty side shows zeros. */
export const bookTicker = new Answer({
  symbol: 'symbol',
  bidPrice: 'price',
  bidQty: 'quantity',
  askPrice: 'price',
  askQty: 'quantity',
})

export const averagePrice = new Answer({ mins: 'integer', price: 'units', closeTime: 'time' })
