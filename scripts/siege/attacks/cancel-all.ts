/** Four accounts with 10,000 orders each cancel them all in one moment. */
import type { Attack } from '../attack.ts'
import { frameBytes } from '../bytes.ts'

const SYMBOL = 'ADAUSDT'
const ACCOUNTS = 4
const ORDERS = 10_000
const CANCEL_AT = 0.5

export const cancelAll: Attack = {
  name: 'cancel-all',
  about: 'cancels four times 10,000 orders in one moment',
  addresses: 1,
  prepare: async (stage) => {
    const keys = []
    for (let account = 0; account < ACCOUNTS; account++) {
      const key = await stage.bidder(`cancels${account}`, ORDERS, (index) => ({
        symbol: SYMBOL,
        price: (0.2 + (index % 5_000) / 10_000).toFixed(4),
        quantity: '100.0',
      }))
      keys.push(key)
    }
    return { keys }
  },
  run: (raid) => {
    const keys = raid.provisions.keys ?? []
    const lines = keys.map(() => raid.webSocket(0, '/ws-api/v3'))
    raid.at(CANCEL_AT, () => {
      for (const [index, key] of keys.entries()) {
        const frame = frameBytes(raid.message(key, 'openOrders.cancelAll', { symbol: SYMBOL }))
        lines[index]!.write(frame)
      }
    })
  },
}
