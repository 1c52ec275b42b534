/** The wallet's endpoints against a real process: what they say of orders that were really placed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeClock } from '../../scripts/exchange/exchange-clock.ts'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { ControlStore } from '../../src/journal/control-store.ts'
import { eventually } from '../fixtures/eventually.ts'
import { operate } from './command-line.ts'

/** Trading status is made every half minute. */
const REFRESH_MS = 30_000
const ORDERS = 300

type Json = Record<string, unknown>
interface Indicator {
  readonly i: string
  readonly c: number
  readonly v: number
}

const clock = new ExchangeClock()
let exchange: ExchangeProcess
let quiet: SignedClient
let busy: SignedClient
let maker: SignedClient

beforeAll(async () => {
  exchange = await ExchangeProcess.start(['--trading-locks', 'on'], clock)
  await exchange.stop()
  const control = ControlStore.open(exchange.data)
  const credit = { fact: 'deposit', account: 3, asset: 2, atoms: '1000000000' }
  control.appendAll([
    { ...credit, timeMs: 1_563_189_166_000, category: 'rebate' },
    { ...credit, timeMs: 1_563_189_167_000, category: 'airdrop' },
  ])
  control.close()
  await exchange.run()
  quiet = new SignedClient(exchange.url, exchange.keys().trader1!, () => clock.nowMs())
  maker = new SignedClient(exchange.url, exchange.keys().maker!, () => clock.nowMs())
  busy = new SignedClient(exchange.url, exchange.keys().trader2!, () => clock.nowMs())
})
afterAll(() => exchange.remove())

async function bodyOf(client: SignedClient, path: string, params = {}): Promise<Json> {
  const { status, body } = await client.send('GET', path, params)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const order = (side: string, price: string, timeInForce = 'GTC') => ({
  symbol: 'BTCUSDT',
  side,
  type: 'LIMIT',
  timeInForce,
  price,
  quantity: '0.001',
})

const place = (client: SignedClient, side: string, price: string, timeInForce?: string) =>
  client.send('POST', '/api/v3/order', order(side, price, timeInForce))

describe('an account that trades', () => {
  test('is shown how, is locked when it trades badly, and may cancel all the same', async () => {
    for (let i = 0; i < ORDERS; i++) {
      expect((await place(busy, 'BUY', '10000')).status).toBe(200)
    }
    const { body: sold } = await place(maker, 'SELL', '60000')
    await place(quiet, 'SELL', '61000')
    await place(quiet, 'BUY', '60000', 'IOC')
    await place(quiet, 'BUY', '50000', 'IOC')
    const { body: resting } = await place(quiet, 'BUY', '20000')
    const own = { symbol: 'BTCUSDT', orderId: resting.orderId as number }
    await quiet.send('DELETE', '/api/v3/order', own)
    expect(sold.status).toBe('NEW')

    // Both have been archived before the half minute ends.
    for (const client of [busy, quiet]) {
      const path = '/api/v3/allOrders'
      expect(await bodyOf(client, path, { symbol: 'BTCUSDT' })).not.toEqual([])
    }
    await clock.advance(REFRESH_MS)
    const { status } = await eventually('a lock', async () => {
      const found = await bodyOf(busy, '/sapi/v3/apiTradingStatus')
      return (found.status as Json).isLocked === true ? found : undefined
    })
    const { plannedRecoverTime, updateTime, indicators } = status as Json & {
      readonly indicators: Record<string, readonly Indicator[]>
    }
    expect(Number(updateTime) % REFRESH_MS).toBe(0)
    expect(Number(plannedRecoverTime) - Number(updateTime)).toBe(5 * 60_000)
    expect(indicators.BTCUSDT![0]).toMatchObject({ i: 'UFR', c: ORDERS, v: 1 })

    expect(await bodyOf(busy, '/sapi/v3/accountStatus')).toEqual({
      msg: 'Order failed:Low Order fill rate! Will be reactivated after 5 minutes.',
      success: true,
      objs: ['5'],
    })
    expect((await place(busy, 'BUY', '10000')).body).toEqual({
      code: -2010,
      msg: 'This action is disabled on this account.',
    })
    const canceled = await busy.send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
    expect(canceled.status).toBe(200)

    const { status: good } = await bodyOf(quiet, '/sapi/v3/apiTradingStatus')
    expect(good).toMatchObject({ isLocked: false, plannedRecoverTime: 0 })
    expect((good as { readonly indicators: Json }).indicators.BTCUSDT).toMatchObject([
      { i: 'UFR', c: 4, v: 0.75 },
      { i: 'IFER', c: 2, v: 0.5 },
      { i: 'GCR', c: 2, v: 0.5 },
    ])
    expect(await bodyOf(quiet, '/sapi/v3/accountStatus')).toEqual({ msg: 'Normal', success: true })
  })
})

describe('what the operator decided', () => {
  test('distributions', async () => {
    const path = '/sapi/v1/asset/assetDistributionHistory'
    const rebate = {
      amount: '10.00000000',
      asset: 'USDT',
      divTime: 1_563_189_166_000,
      category: 'rebate',
      tranId: 25,
    }
    expect(await bodyOf(quiet, path, { category: 'rebate' })).toEqual({ rows: [rebate], total: 1 })
    expect(await bodyOf(quiet, path, { limit: 1 })).toMatchObject({
      rows: [{ category: 'airdrop', tranId: 26 }],
      total: 2,
    })
    expect(await bodyOf(busy, path)).toEqual({ rows: [], total: 0 })
  })

  test('maintenance', async () => {
    const announce = (what: string) => operate(exchange, 'maintenance', what)
    const status = () => bodyOf(quiet, '/sapi/v1/system/status')
    await announce('on')
    expect(await status()).toEqual({ status: 1, msg: 'system_maintenance' })
    await announce('off')
    expect(await status()).toEqual({ status: 0, msg: 'normal' })
  })

  test('fees and volume', async () => {
    const fees = await bodyOf(quiet, '/sapi/v1/asset/query/trading-fee', { symbol: 'BTCUSDT' })
    const fee = { makerCommission: '0.00100000', takerCommission: '0.00100000' }
    expect(fees).toEqual([{ symbol: 'BTCUSDT', ...fee }])
    // Only whole days count, so today does not yet.
    const volume = await bodyOf(quiet, '/sapi/v1/asset/query/trading-volume')
    expect(volume).toEqual({ past30DaysTradingVolume: 0 })
  })
})
