/** Single orders that would be taken, for cases to spoil. */
import { SYMBOL } from './stage.ts'

export const PATH = '/api/v3/order'
export const LIMIT = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
export const GOOD = { ...LIMIT, price: '90', quantity: '1' }
export const MARKET = { symbol: SYMBOL, side: 'BUY', type: 'MARKET', quantity: '1' }
export const STOP = {
  symbol: SYMBOL,
  side: 'SELL',
  type: 'STOP_LOSS_LIMIT',
  timeInForce: 'GTC',
  price: '60',
  quantity: '1',
}
