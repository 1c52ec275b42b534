/**
 * A week of an exchange whose time only the test moves: orders, streams, klines, pings, listen keys and
 * limits go by it, and nothing is due while it stands still.
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { Ms } from '../../../src/base/units.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/market/intervals.ts'
import { limitSettings, OneThreadExchange } from '../../fixtures/one-thread-exchange.ts'
import type { Json, TestSocket } from '../../fixtures/test-socket.ts'

/** A Monday, at midnight. */
const MONDAY_MS = Ms(Date.UTC(2026, 0, 5))
const HOURS = 7 * 24
const MINUTES = HOURS * 60
const MINUTES_OF_DAY = DAY_MS / MINUTE_MS
const MARKET = '/ws/btcusdt@kline_1h/btcusdt@aggTrade'
/** Clients connect so long before, and again a day later each time: before an hour's trade, which streams need. */
const EARLY_MINUTES = 50
const START_MS = Ms(MONDAY_MS - EARLY_MINUTES * MINUTE_MS)
const KEEP_ALIVE_MINUTES = 30
const TRADE_MINUTE = 45
const WEIGHT_LIMIT = 100

let time: ManualTime
let exchange: OneThreadExchange
let market: TestSocket
let user: TestSocket
let frames: Json[]
let reports: Json[]

beforeEach(async () => {
  time = new ManualTime(new ManualClock(START_MS), new RealTime())
  const limits = limitSettings(['--weight-limit', String(WEIGHT_LIMIT)])
  exchange = await OneThreadExchange.start({ time, limits })
  ;[frames, reports] = [[], []]
  await connect()
})
afterEach(async () => {
  for (const socket of [market, user]) socket.close()
  await exchange.close()
})

async function connect(): Promise<void> {
  const { body } = await exchange.send('POST', '/api/v3/userDataStream', 1)
  market = await exchange.socket(MARKET)
  user = await exchange.socket(`/ws/${body.listenKey}`)
}

/** Reads all frames so far. Behind the second answer the gateway has the pongs to all pings before. */
async function read(socket: TestSocket, into: Json[]): Promise<void> {
  for (const id of [1, 2]) {
    socket.send({ id, method: 'LIST_SUBSCRIPTIONS' })
    for (let frame = await socket.next(); frame.id !== id; frame = await socket.next()) {
      into.push(frame)
    }
  }
}

const readBoth = () => Promise.all([read(market, frames), read(user, reports)])

/** A trade; returns the time of its answer. */
async function trade(price: string): Promise<unknown> {
  await exchange.limitOrder(1, 'SELL', price, '1.00000')
  const { body, headers } = await exchange.limitOrder(2, 'BUY', price, '1.00000')
  expect(body.status).toBe('FILLED')
  // The exchange's minutes count, or a week of requests would be over the limit.
  expect(Number(headers.get('x-mbx-used-weight-1m'))).toBeLessThan(WEIGHT_LIMIT / 10)
  return body.transactTime
}

const priceOf = (hour: number) => `${100 + hour}.00`

test('a week takes seconds, and everything that has a time happens in its time', async () => {
  const tradeTimes: unknown[] = []
  let [pings, daysOver] = [0, 0]
  for (let minute = -EARLY_MINUTES, age = 0; minute <= MINUTES; minute++, age++) {
    if (minute % 60 === TRADE_MINUTE)
      tradeTimes.push(await trade(priceOf((minute - TRADE_MINUTE) / 60)))
    // A listen key lives for an hour.
    if (minute % KEEP_ALIVE_MINUTES === 0) await exchange.send('POST', '/api/v3/userDataStream', 1)
    if (age > 0) await readBoth()
    time.advance(MINUTE_MS)
    if (age < MINUTES_OF_DAY) continue
    expect([await market.closed(), await user.closed()]).toEqual([1000, 1000])
    expect(market.closeReason).toBe('a connection lasts 24 hours')
    for (; market.waiting > 0; ) frames.push(await market.next())
    pings += market.pings
    daysOver++
    await connect()
    age = -1
  }
  await readBoth()
  const hours = Array.from({ length: HOURS }, (_, hour) => hour)
  const openMs = hours.map((hour) => MONDAY_MS + hour * HOUR_MS)
  const tradedMs = openMs.map((ms) => ms + TRADE_MINUTE * MINUTE_MS)
  expect(tradeTimes).toEqual(tradedMs)
  const trades = frames.filter(({ e }) => e === 'aggTrade')
  expect(trades.map(({ T }) => T)).toEqual(tradedMs)
  const klines = frames.flatMap(({ e, k }) => (e === 'kline' ? [k as Json] : []))
  const closed = klines.filter(({ x }) => x === true)
  expect(closed.map(({ t, T, c }) => [t, T, c])).toEqual(
    hours.map((hour) => [openMs[hour], openMs[hour]! + HOUR_MS - 1, `${priceOf(hour)}000000`]),
  )
  const filled = reports.filter(({ e, x }) => e === 'executionReport' && x === 'TRADE')
  expect(filled.map(({ T }) => T)).toEqual(tradedMs)
  expect([daysOver, pings > 0]).toEqual([7, true])
})

test('while time stands still, orders are answered and nothing is due', async () => {
  for (let count = 0; count < 5; count++) expect(await trade('100.00')).toBe(START_MS)
  await readBoth()
  expect(frames.filter(({ e }) => e === 'aggTrade')).toHaveLength(5)
  // Klines are sent with a speed.
  expect(frames.filter(({ e }) => e === 'kline')).toEqual([])
  expect([market.pings, user.pings]).toEqual([0, 0])
})

test('a client that answers no ping, and a listen key that nobody keeps alive, end by the same time', async () => {
  const silent = await exchange.socket(MARKET, { autoPong: false })
  for (let minute = 0; minute < 2; minute++) {
    time.advance(MINUTE_MS)
    await readBoth()
  }
  expect([await silent.closed(), silent.closeReason]).toEqual([1008, 'Pong timeout'])
  for (let minute = 2; minute < 59; minute++) {
    time.advance(MINUTE_MS)
    await readBoth()
  }
  expect(reports).toEqual([])
  time.advance(MINUTE_MS)
  expect(await user.next()).toMatchObject({ e: 'listenKeyExpired', E: START_MS + HOUR_MS })
})
