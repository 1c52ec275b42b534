/** A year of the virtual clock: what a client finds behind it, by every query of the past. */
import path from 'node:path'
import { expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import type { StartExchange } from '../../../src/index.ts'

const { startExchange: startBuilt } = (await import(
  /* @vite-ignore */ path.resolve('dist/src/index.js')
)) as { startExchange: StartExchange }

const DAY_MS = 86_400_000
const BEGAN_MS = Date.UTC(2024, 2, 1)
/** Days between two trades: more than any retention of the demo, and a year in all. */
const PAUSE_DAYS = 73
const TRADES = 6

type Row = Readonly<Record<string, unknown>>

/** It takes forty seconds of a processor. */
const PATIENCE_MS = 900_000

test('a year finds everything', { timeout: PATIENCE_MS }, async () => {
  const accounts = { bot: { USDT: 1_000_000 }, other: { BTC: 10 } }
  const exchange = await startBuilt({ clock: { at: BEGAN_MS }, accounts })
  const clientOf = (account: 'bot' | 'other') =>
    new SignedClient(exchange.url, { account, ...exchange.accounts[account]! }, () =>
      exchange.clock.now(),
    )
  const [bot, other] = [clientOf('bot'), clientOf('other')]
  const read = async (query: string) =>
    (await (await exchange.fetch(`/api/v3/${query}`)).json()) as readonly Row[]
  const own = async (name: string, more = {}) =>
    (await bot.send('GET', `/api/v3/${name}`, { symbol: 'BTCUSDT', ...more }))
      .body as unknown as readonly Row[]
  const order = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }
  try {
    const times: number[] = []
    for (let trade = 0; trade < TRADES; trade++) {
      if (trade > 0) await exchange.clock.advance(`${PAUSE_DAYS}d`)
      const price = `${20_000 + trade}.00`
      await bot.send('POST', '/api/v3/order', { ...order, side: 'BUY', price })
      const sold = await other.send('POST', '/api/v3/order', { ...order, side: 'SELL', price })
      expect(sold.body.status).toBe('FILLED')
      times.push(BEGAN_MS + trade * PAUSE_DAYS * DAY_MS)
    }
    expect(times.at(-1)! - times[0]!).toBe(365 * DAY_MS)
    const fills = await own('myTrades')
    expect(fills.map(({ time }) => time)).toEqual(times)
    const orders = await own('allOrders')
    expect(orders.map(({ time, status }) => [time, status])).toEqual(
      times.map((time) => [time, 'FILLED']),
    )
    expect(await own('order', { orderId: Number(fills[0]!.orderId) })).toMatchObject({
      time: times[0],
    })
    const trades = await read('trades?symbol=BTCUSDT')
    expect(trades.map(({ time }) => time)).toEqual(times)
    expect(await read('historicalTrades?symbol=BTCUSDT&fromId=0')).toEqual(trades)
    const grouped = await read('aggTrades?symbol=BTCUSDT&fromId=0')
    expect(grouped.map(({ T }) => T)).toEqual(times)
    for (const interval of ['1s', '1m', '1d', '1M']) {
      const klines = (await read(
        `klines?symbol=BTCUSDT&interval=${interval}&startTime=${BEGAN_MS}&limit=1`,
      )) as unknown as readonly (readonly unknown[])[]
      expect(klines[0]!.slice(0, 2)).toEqual([BEGAN_MS, '20000.00000000'])
    }
  } finally {
    await exchange.close()
  }
})
