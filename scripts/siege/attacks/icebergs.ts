/** One order crosses thousands of icebergs that were placed before. */
import type { Attack } from '../attack.ts'
import { frameBytes } from '../bytes.ts'

const SYMBOL = 'SOLUSDT'
const ICEBERGS = 6_800
/** A hundred slices each, the most that ICEBERG_PARTS allows. */
const LOTS = { quantity: '1.000', icebergQty: '0.010' }
const SWEEP_AT = 0.3

export const icebergs: Attack = {
  name: 'icebergs',
  about: 'crosses 6,800 icebergs of a hundred slices by one order',
  addresses: 1,
  prepare: async (stage) => {
    const key = await stage.account('icebergs', { SOL: '100000' })
    const sweeper = await stage.account('sweeper', { USDT: '10000000' })
    await stage.orders(stage.size(ICEBERGS), () => ({
      key,
      symbol: SYMBOL,
      side: 'SELL',
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: '100.00',
      ...LOTS,
    }))
    return { keys: [sweeper] }
  },
  run: (raid) => {
    const line = raid.webSocket(0, '/ws-api/v3')
    const terms = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
    raid.at(SWEEP_AT, () => {
      const quantity = `${raid.size(ICEBERGS)}.000`
      const order = { ...terms, price: '100.00', quantity }
      line.write(frameBytes(raid.message(raid.key(), 'order.place', order)))
    })
  },
}
