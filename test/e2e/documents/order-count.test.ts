/**
 * The unfilled order count of lists and replacements. The examples of the public FAQ are in
 * unit/gateway/limits/limits; what a count that is exceeded makes of a cancel-replace, in
 * protocol/replace-answers.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeClock } from '../../../scripts/exchange/exchange-clock.ts'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import type { Frame } from '../frame-log.ts'
import { stageExchange } from '../staged-exchange.ts'
import { Trader } from '../trader.ts'

const SYMBOL = 'BTCUSDT'
const LIMIT = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }
const funds = { BTC: 1000, USDT: 100_000 }

let exchange: ExchangeProcess

beforeAll(async () => {
  const accounts = { lists: { funds }, replaces: { funds } }
  exchange = await stageExchange(
    { assets: ['BTC', 'USDT'], symbols: [{ name: SYMBOL }], accounts },
    ['--matchers', '1', '--limits', 'on'],
    new ExchangeClock(),
  )
  await exchange.run()
})
afterAll(() => exchange?.remove())

async function countOf(trader: Trader): Promise<number> {
  const limits = (await trader.ask('GET', '/api/v3/rateLimit/order')) as unknown as Frame[]
  return Number(limits.find(({ interval }) => interval === 'DAY')?.count)
}

test('lists count all their orders, tests and refusals at the door none', async () => {
  const own = new Trader(exchange, 'lists')
  const pair = {
    symbol: SYMBOL,
    side: 'SELL',
    quantity: '1',
    aboveType: 'LIMIT_MAKER',
    abovePrice: '900',
    belowType: 'STOP_LOSS',
    belowStopPrice: '1',
  }
  const placed = await own.send('POST', '/api/v3/orderList/oco', pair)
  expect(placed.status).toBe(200)
  expect(placed.headers.get('x-mbx-order-count-1d')).toBe('2')
  const trio = await own.send('POST', '/api/v3/orderList/otoco', {
    symbol: SYMBOL,
    workingType: 'LIMIT',
    workingSide: 'BUY',
    workingPrice: '1',
    workingQuantity: '1',
    workingTimeInForce: 'GTC',
    pendingSide: 'SELL',
    pendingQuantity: '1',
    pendingAboveType: 'LIMIT_MAKER',
    pendingAbovePrice: '900',
    pendingBelowType: 'STOP_LOSS',
    pendingBelowStopPrice: '1',
  })
  expect(trio.headers.get('x-mbx-order-count-1d')).toBe('5')
  await own.ask('POST', '/api/v3/order/test', { ...LIMIT, side: 'BUY', price: '1' })
  await own.send('POST', '/api/v3/order', { ...LIMIT, side: 'BUY', price: '0.001' })
  expect(await countOf(own)).toBe(5)
})

test('a replacement that was not attempted counts all the same', async () => {
  const own = new Trader(exchange, 'replaces')
  const answer = await own.send('POST', '/api/v3/order/cancelReplace', {
    ...LIMIT,
    side: 'BUY',
    price: '1',
    cancelReplaceMode: 'STOP_ON_FAILURE',
    cancelOrderId: 999_999,
  })
  expect(answer.body).toMatchObject({ data: { newOrderResult: 'NOT_ATTEMPTED' } })
  expect(await countOf(own)).toBe(1)
})
