/** Refusals that take thousands of orders to provoke: what one turn and one price level have room for. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import { EXECUTION_MATCHES_MAX } from '../../../src/base/limits.ts'
import { lotSize, priceFilter, stageExchange } from '../staged-exchange.ts'
import { type Params, Trader } from '../trader.ts'
import { expectRefusal } from './raise.ts'

const AT_ONCE = 64
/** 2^43 lots of 1e-8, the most that a listing allows: 1,024 such orders fill a level. */
const VAST_QUANTITY = '87960.93022208'
const FILL_LEVEL = 1_024

export function largeTests(): void {
  let exchange: ExchangeProcess
  let own: Trader
  beforeAll(async () => {
    const tickSize = '0.00010000'
    exchange = await stageExchange({
      assets: ['BTC', 'USDT'],
      symbols: [
        { name: 'DEEP' },
        {
          name: 'VAST',
          filters: [
            { ...priceFilter, minPrice: tickSize, maxPrice: '100', tickSize },
            { ...lotSize, minQty: '0.00000001', maxQty: VAST_QUANTITY, stepSize: '0.00000001' },
          ],
        },
      ],
      accounts: {
        own: { funds: { BTC: 1_000, USDT: 1_000_000 } },
        other: { funds: { BTC: 1_000, USDT: 1_000_000 } },
      },
    })
    await exchange.run()
    own = new Trader(exchange, 'own')
  })
  afterAll(async () => {
    await own.leave()
    await exchange.remove()
  })

  async function placeMany(count: number, params: Params): Promise<void> {
    for (let placed = 0; placed < count; placed += AT_ONCE) {
      const size = Math.min(AT_ONCE, count - placed)
      const answers = await Promise.all(
        Array.from({ length: size }, () => own.askSocket('order.place', params)),
      )
      expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    }
  }

  test('TOO_MANY_MATCHES', async () => {
    const limit = { symbol: 'DEEP', type: 'LIMIT', timeInForce: 'GTC', price: '100' }
    await placeMany(EXECUTION_MATCHES_MAX + 1, { ...limit, side: 'SELL', quantity: '0.01' })
    const take = { symbol: 'DEEP', side: 'BUY', type: 'MARKET' }
    const other = new Trader(exchange, 'other')
    const quantity = ((EXECUTION_MATCHES_MAX + 1) / 100).toFixed(2)
    const refused = await other.send('POST', '/api/v3/order', { ...take, quantity })
    expectRefusal('TOO_MANY_MATCHES', refused, -2010, 'Order would match too many orders.')
    const { status } = await other.place({
      ...take,
      quantity: (EXECUTION_MATCHES_MAX / 100).toFixed(2),
    })
    expect(status).toBe('FILLED')
  })

  test('LEVEL_FULL', async () => {
    const bid = { symbol: 'VAST', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '0.0001' }
    const params = { ...bid, quantity: VAST_QUANTITY }
    await placeMany(FILL_LEVEL - 1, params)
    const refused = await own.send('POST', '/api/v3/order', params)
    const msg = 'Order exceeds the quantity that its price level can hold.'
    expectRefusal('LEVEL_FULL', refused, -2010, msg)
  })
}
