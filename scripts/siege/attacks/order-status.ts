/** A key holder with 2,000 open orders queries all of them, many times in one write. */
import type { Attack } from '../attack.ts'
import { frameBytes } from '../bytes.ts'

const SYMBOL = 'ETHUSDT'
const ORDERS = 2_000
/** Sixteen queries of weight 6 every second stay within the weight of a minute. */
const QUERIES = 16
const EVERY_MS = 1_000

export const orderStatus: Attack = {
  name: 'order-status',
  about: 'asks for 2,000 open orders, sixteen times in one write, once a second',
  addresses: 1,
  prepare: async (stage) => {
    const key = await stage.bidder('status', ORDERS, (index) => ({
      symbol: SYMBOL,
      price: (1_000 + index / 100).toFixed(2),
      quantity: '0.0100',
    }))
    return { keys: [key] }
  },
  run: (raid) => {
    const key = raid.key()
    const line = raid.webSocket(0, '/ws-api/v3')
    raid.every(EVERY_MS, () => {
      const query = frameBytes(raid.message(key, 'openOrders.status', { symbol: SYMBOL }))
      line.write(Buffer.concat(Array.from({ length: raid.size(QUERIES) }, () => query)))
    })
  },
}
