/** A week of a whole exchange on one event loop, whose time a test moves: REST, streams and klines. */
import { expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { Ms } from '../../../src/base/units.ts'
import { TestSocket } from '../../fixtures/test-socket.ts'

const BEGAN_MS = Ms(Date.UTC(2030, 0, 7))
const HOUR_MS = 3_600_000
/** Six days without a stream, and one with it. */
const HOURS_ALONE = 6 * 24
const HOURS = 7 * 24
/** A client that answers no ping for longer than a minute is ended. */
const STEP_MS = 60_000
const LONG_STEP_MS = 600_000

const order = (side: string, price: number) => ({
  symbol: 'BTCUSDT',
  side,
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '1',
  price: `${price}.00`,
})

test('trades of each hour are in the klines of that hour, on REST and on the stream', async () => {
  const time = new ManualTime(new ManualClock(BEGAN_MS), new RealTime())
  const exchange = await startHere({}, time)
  const clientOf = (account: string) =>
    new SignedClient(exchange.url, { account, ...exchange.accounts[account]! }, () => time.nowMs())
  const [maker, taker] = [clientOf('maker'), clientOf('taker')]
  const trade = async (hour: number) => {
    const price = 50_000 + hour
    const sold = await maker.send('POST', '/api/v3/order', order('SELL', price))
    expect(sold.body.status).toBe('NEW')
    const bought = await taker.send('POST', '/api/v3/order', order('BUY', price))
    const transactTime = BEGAN_MS + hour * HOUR_MS
    expect(bought.body).toMatchObject({ status: 'FILLED', transactTime })
  }
  const pass = async (stepMs: number, between: () => Promise<void>) => {
    for (let passedMs = 0; passedMs < HOUR_MS; passedMs += stepMs) {
      time.advance(stepMs)
      await between()
    }
  }
  try {
    for (let hour = 0; hour < HOURS_ALONE; hour++) {
      await trade(hour)
      await pass(LONG_STEP_MS, () => new Promise((resolve) => time.defer(resolve)))
    }
    const stream = await TestSocket.open(`${exchange.wsUrl}/ws/btcusdt@kline_1h`)
    for (let hour = HOURS_ALONE; hour < HOURS; hour++) {
      await trade(hour)
      // The client has answered the exchange's ping, if there was one, before its own is answered.
      await pass(STEP_MS, () => stream.roundTrip())
    }
    const closes: unknown[] = []
    while (closes.length < HOURS - HOURS_ALONE - 1) {
      const { k } = (await stream.next()) as unknown as { k: { x: boolean; t: number; c: string } }
      if (k.x && k.t >= BEGAN_MS + HOURS_ALONE * HOUR_MS) closes.push([k.t, k.c])
    }
    const response = await fetch(
      `${exchange.url}/api/v3/klines?symbol=BTCUSDT&interval=1h&limit=1000`,
    )
    const klines = (await response.json()) as readonly (readonly unknown[])[]
    const rows = klines.map((row) => [row[0], row[4]])
    const expected = Array.from({ length: HOURS }, (_, hour) => [
      ...[BEGAN_MS + hour * HOUR_MS, `${50_000 + hour}.00000000`],
    ])
    // The next hour has begun, without a trade.
    expect(rows.slice(0, HOURS)).toEqual(expected)
    expect(closes).toEqual(expected.slice(HOURS_ALONE, -1))
  } finally {
    await exchange.close()
  }
})
