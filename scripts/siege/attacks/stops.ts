/** One trade wakes a stop, whose trade wakes the next, thousands of times over. */
import type { Attack } from '../attack.ts'
import { frameBytes } from '../bytes.ts'

const SYMBOL = 'BNBUSDT'
const STOPS = 3_000
const FIRST_PRICE = 600
const TRIGGER_AT = 0.4

/** Prices fall by a cent from level to level. */
const priceAt = (level: number): string => (FIRST_PRICE - level / 100).toFixed(2)

export const stops: Attack = {
  name: 'stops',
  about: 'wakes a cascade of 3,000 stops by one trade',
  addresses: 1,
  prepare: async (stage) => {
    const count = stage.size(STOPS)
    const filters = [{ filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: STOPS }]
    await stage.act('symbol-filters', { symbol: SYMBOL, filters: JSON.stringify(filters) })
    const key = await stage.account('stops', { BNB: '1000' })
    const buyer = await stage.account('stopsbuyer', { USDT: '1000000' })
    const common = { symbol: SYMBOL, quantity: '0.010' }
    const limit = { ...common, type: 'LIMIT', timeInForce: 'GTC' }
    await stage.orders(count + 2, (level) => {
      return { key: buyer, side: 'BUY', price: priceAt(level), ...limit }
    })
    // A trade above all stops, since a stop is refused whose price would wake it at once.
    await stage.orders(1, () => ({ key, side: 'SELL', price: priceAt(0), ...limit }))
    await stage.orders(count, (level) => {
      return { key, side: 'SELL', type: 'STOP_LOSS', stopPrice: priceAt(level + 1), ...common }
    })
    return { keys: [key] }
  },
  run: (raid) => {
    const line = raid.webSocket(0, '/ws-api/v3')
    const order = { symbol: SYMBOL, side: 'SELL', type: 'MARKET', quantity: '0.010' }
    raid.at(TRIGGER_AT, () => {
      line.write(frameBytes(raid.message(raid.key(), 'order.place', order)))
    })
  },
}
