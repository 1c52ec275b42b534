/** An exchange on a virtual clock, moved by the program that started it. */
import { afterEach, expect, test } from 'vitest'
import { type Answer, SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import { operateOver } from '../../../src/assembly/operate.ts'
import type { EmbeddedExchange } from '../../../src/assembly/options.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

let exchange: EmbeddedExchange
afterEach(() => exchange.close())

const clientOf = (account: string, nowMs = () => exchange.clock.now()) =>
  new SignedClient(exchange.url, { account, ...exchange.accounts[account]! }, nowMs)

const order = (side: string, price: number) => ({
  symbol: 'BTCUSDT',
  side,
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '1',
  price: `${price}.00`,
})

test('time stands still until it is moved, and is the time of orders', async () => {
  exchange = await startHere({ clock: 'virtual' })
  const { clock } = exchange
  const beganMs = clock.now()
  const maker = clientOf('maker')
  const first = await maker.send('POST', '/api/v3/order', order('SELL', 50_000))
  expect(first.body).toMatchObject({ status: 'NEW', transactTime: beganMs })
  await clock.advance('1d12h')
  expect(clock.now()).toBe(beganMs + 129_600_000)
  const time = await fetch(`${exchange.url}/api/v3/time`)
  expect(await time.json()).toEqual({ serverTime: beganMs + 129_600_000 })
  const second = await clientOf('taker').send('POST', '/api/v3/order', order('BUY', 50_000))
  expect(second.body).toMatchObject({ status: 'FILLED', transactTime: beganMs + 129_600_000 })
})

test('the clock begins when a program says, and a fork has its time', async () => {
  const folder = temporaryFolder()
  const beganMs = Date.parse('2024-03-01T00:00:00Z')
  try {
    exchange = await startHere({ folder, clock: { at: '2024-03-01T00:00:00Z' } })
    expect(exchange.clock.now()).toBe(beganMs)
    await exchange.clock.advance('30d')
    const placed = await clientOf('maker').send('POST', '/api/v3/order', order('SELL', 50_000))
    expect(placed.body).toMatchObject({ status: 'NEW', transactTime: beganMs + 30 * DAY_MS })
    const fork = await exchange.fork()
    expect(fork.clock.now()).toBe(beganMs + 30 * DAY_MS)
    await fork.clock.advance('1h')
    expect(exchange.clock.now()).toBe(beganMs + 30 * DAY_MS)
    await exchange.close()
    const earlier = startHere({ folder, clock: { at: beganMs + 30 * DAY_MS - 1 } })
    await expect(earlier).rejects.toThrow('The folder has an order that is later')
    exchange = await startHere({ folder, clock: { at: new Date(beganMs + 30 * DAY_MS) } })
    expect(exchange.clock.now()).toBe(beganMs + 30 * DAY_MS)
  } finally {
    await exchange.close()
  }
})

test('nine days later all of its history is there', async () => {
  exchange = await startHere({ clock: 'virtual' })
  const trade = async () => {
    await clientOf('maker').send('POST', '/api/v3/order', order('SELL', 50_000))
    await clientOf('taker').send('POST', '/api/v3/order', order('BUY', 50_000))
  }
  const list = async (path: string): Promise<unknown[]> => {
    const { apiKey } = exchange.accounts.taker!
    const response = await exchange.fetch(path, { headers: { 'X-MBX-APIKEY': apiKey } })
    return (await response.json()) as unknown[]
  }
  const own = async (name: string) =>
    (await clientOf('taker').send('GET', `/api/v3/${name}`, { symbol: 'BTCUSDT' })).body.length
  const counts = async () => ({
    myTrades: await own('myTrades'),
    allOrders: await own('allOrders'),
    historicalTrades: (await list('/api/v3/historicalTrades?symbol=BTCUSDT&fromId=0')).length,
    trades: (await list('/api/v3/trades?symbol=BTCUSDT')).length,
    aggTrades: (await list('/api/v3/aggTrades?symbol=BTCUSDT&fromId=0')).length,
    first: await list(
      `/api/v3/klines?symbol=BTCUSDT&interval=1s&startTime=${beganMs - 1_000}&limit=1`,
    ),
  })
  const beganMs = exchange.clock.now()
  await trade()
  await expect.poll(counts).toMatchObject({ myTrades: 1, aggTrades: 1 })
  const before = await counts()
  expect(before).toMatchObject({ myTrades: 1, allOrders: 1, historicalTrades: 1, trades: 1 })
  await exchange.clock.advance('9d')
  await trade()
  await expect.poll(counts).toEqual({
    ...before,
    myTrades: 2,
    allOrders: 2,
    historicalTrades: 2,
    trades: 2,
    aggTrades: 2,
  })
})

test('a timestamp is valid by the wall too, unless it must be virtual', async () => {
  exchange = await startHere({ clock: 'virtual' })
  await exchange.clock.advance('1h')
  const place = (nowMs: () => number) =>
    clientOf('maker', nowMs).send('POST', '/api/v3/order', order('SELL', 50_000))
  const virtual = () => exchange.clock.now()
  const answers = [await place(virtual), await place(Date.now)]
  expect(answers.map(({ body }) => body.status)).toEqual(['NEW', 'NEW'])
  expect(answers[1]!.body.transactTime).toBe(virtual())
  const neither = await place(() => virtual() + 60_000)
  expect(neither.body.code).toBe(-1021)
  await exchange.close()
  exchange = await startHere({ clock: 'virtual', settings: { 'virtual-timestamps': 'virtual' } })
  await exchange.clock.advance('1h')
  expect((await place(virtual)).body.status).toBe('NEW')
  expect((await place(Date.now)).body.code).toBe(-1021)
})

test('another start on the folder goes on where orders were placed', async () => {
  const folder = temporaryFolder()
  try {
    exchange = await startHere({ clock: 'virtual', folder })
    const placedMs = await exchange.clock.advance('1w')
    await clientOf('maker').send('POST', '/api/v3/order', order('SELL', 50_000))
    await exchange.close()
    exchange = await startHere({ clock: 'virtual', folder })
    expect(exchange.clock.now()).toBe(placedMs)
  } finally {
    await exchange.close()
  }
})

test('a clock of the machine is moved by nobody', async () => {
  exchange = await startHere()
  expect(() => exchange.clock.now()).toThrow('Only an exchange in this process')
  await expect(exchange.clock.advance('1h')).rejects.toThrow("The clock is the machine's")
})

test('moves that are none are refused', async () => {
  exchange = await startHere({ clock: 'virtual' })
  const { clock } = exchange
  for (const length of ['1 h', '', 'h', '-1h', -1, Number.NaN, '1000000d']) {
    await expect(clock.advance(length)).rejects.toThrow('is no length of time')
  }
  for (const moment of ['2027-01-31T00:00', 'today', Number.NaN, '2101-01-01', 0]) {
    await expect(clock.advanceTo(moment)).rejects.toThrow('is no moment to come')
  }
  await expect(clock.speed(0)).rejects.toThrow('A speed is from')
})

test('schedules change the status at their moments, over a jump of days', async () => {
  exchange = await startHere({ clock: 'virtual' })
  const operate = operateOver(exchange.adminUrl, exchange.folder)
  const phases = '09:00=TRADING,17:30=END_OF_DAY'
  await operate('schedule-set', { schedule: 'day', all: true, zone: 'UTC', phases })
  const status = async () => {
    const { symbols } = (await (
      await exchange.fetch('/api/v3/exchangeInfo?symbol=BTCUSDT')
    ).json()) as { readonly symbols: readonly [{ readonly status: string }] }
    return symbols[0].status
  }
  await exchange.clock.advanceTo(Math.ceil(exchange.clock.now() / DAY_MS) * DAY_MS)
  const seen: string[] = []
  for (const length of ['9h', '8h', '29m', '1m', '15h', '30m', '1d', '8h', '30m']) {
    await exchange.clock.advance(length)
    seen.push(`${length} ${await status()}`)
  }
  expect(seen).toEqual([
    ...['9h TRADING', '8h TRADING', '29m TRADING', '1m END_OF_DAY', '15h END_OF_DAY'],
    ...['30m TRADING', '1d TRADING', '8h TRADING', '30m END_OF_DAY'],
  ])
  const { rows } = await operate('log', { limit: 100 })
  const times = rows.filter(({ action }) => action === 'schedule-run').map(({ time }) => time)
  const exact = /T(09:00|17:30):00\.000Z$/
  expect(times.slice(0, 5).filter((time) => exact.test(String(time)))).toHaveLength(5)
})

test('500 orders in an hour, by three faults, end the same each time', async () => {
  const run = async () => {
    exchange = await startHere({ clock: 'virtual' })
    const { clock, faults } = exchange
    const beganMs = clock.now()
    await faults.add({ do: 'unknown', operation: 'placeOrder', every: 50 })
    await faults.add({ do: 'delay', way: 'in', ms: 300, operation: 'placeOrder', every: 10 })
    await faults.add({ do: 'answer', status: 503, operation: 'placeOrder', every: 33 })
    const clients = [clientOf('maker'), clientOf('taker')]
    const answers: Promise<readonly unknown[]>[] = []
    for (let count = 0; count < 500; count++) {
      const terms = order(count % 2 === 0 ? 'SELL' : 'BUY', 50_000 + (count >> 1))
      const query = clients[count % 2]!.sign({ ...terms, newOrderRespType: 'RESULT' })
      const { apiKey } = exchange.accounts[count % 2 === 0 ? 'maker' : 'taker']!
      const init = { method: 'POST', headers: { 'X-MBX-APIKEY': apiKey } }
      answers.push(
        exchange.fetch(`/api/v3/order?${query}`, init).then(async (response) => {
          const { status, orderId, transactTime } = (await response.json()) as Answer['body']
          return [response.status, status, orderId, Number(transactTime) - beganMs]
        }),
      )
      await clock.advance(HOUR_MS / 500)
    }
    const all = await Promise.all(answers)
    expect(clock.now()).toBe(beganMs + HOUR_MS)
    await exchange.close()
    return all
  }
  const first = await run()
  expect(await run()).toEqual(first)
  const countOf = (status: number) => first.filter(([of]) => of === status).length
  expect([200, 503, 504].map(countOf)).toEqual([476, 14, 10])
})

test('market makers trade the same in each jump over the same time', async () => {
  const run = async () => {
    exchange = await startHere({ clock: 'virtual', settings: { liquidity: true } })
    const beganMs = await exchange.clock.advance(1)
    await exchange.clock.advance('3m')
    const trades = await Promise.all(
      ['BTCUSDT', 'ETHBTC', 'ADAUSDT'].map(async (symbol) => {
        const response = await exchange.fetch(`/api/v3/trades?symbol=${symbol}&limit=1000`)
        const rows = (await response.json()) as readonly { readonly time: number }[]
        return rows.map((row) => ({ ...row, time: row.time - beganMs }))
      }),
    )
    await exchange.close()
    return trades
  }
  const first = await run()
  expect(Math.min(...first.map((trades) => trades.length))).toBeGreaterThan(20)
  expect(await run()).toEqual(first)
})
