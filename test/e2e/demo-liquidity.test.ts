/**
 * A new demo has liquidity from its first second, over stops and kills, until an operator turns it off, and its
 * charts have a past; a venue that existed before gets neither.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { PAST_DAYS } from '../../src/market/seeded-klines.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { LoopExchange } from '../fixtures/loop-exchange.ts'
import { operate } from './command-line.ts'

/** Symbols of the demo, with the price at which each begins. */
const prices = {
  BTCUSDT: 60_000,
  ETHUSDT: 3_000,
  SOLUSDT: 150,
  ETHBTC: 0.05,
  BNBUSDT: 600,
  ADAUSDT: 0.5,
}
/** Quantities that every filter takes. */
const quantities = {
  BTCUSDT: '0.01',
  ETHUSDT: '0.1',
  SOLUSDT: '1',
  ETHBTC: '0.1',
  BNBUSDT: '0.5',
  ADAUSDT: '100',
}
const symbols = Object.keys(quantities)

let exchange: ExchangeProcess

afterEach(() => exchange?.remove())

const get = async <T>(question: string): Promise<T> =>
  (await (await fetch(`${exchange.url}/api/v3/${question}`)).json()) as T
const demoClient = (account: string) => new SignedClient(exchange.url, exchange.keys()[account]!)

/** Buys and sells at the market in every symbol, without any wait. */
async function expectFilled(client: SignedClient): Promise<void> {
  const orders = Object.entries(quantities).flatMap(([symbol, quantity]) =>
    ['BUY', 'SELL'].map((side) => ({ symbol, side, type: 'MARKET', quantity })),
  )
  const answers = await Promise.all(
    orders.map((order) => client.send('POST', '/api/v3/order', order)),
  )
  for (const [index, { body }] of answers.entries()) {
    const { symbol, side, quantity } = orders[index]!
    expect(body, `${side} ${quantity} ${symbol}`).toMatchObject({ status: 'FILLED' })
  }
}

async function expectEmptyBooks(): Promise<void> {
  for (const symbol of symbols) {
    expect(await get(`depth?symbol=${symbol}`)).toMatchObject({ bids: [], asks: [] })
  }
}

/** The klines of each interval that opened before the exchange was made. */
const pastOf = async (symbol: string, beforeMs: number) => {
  const ask = (interval: string) =>
    get<(string | number)[][]>(
      `klines?symbol=${symbol}&limit=1000&endTime=${beforeMs}&interval=${interval}`,
    )
  const [seconds, minutes, days] = [await ask('1s'), await ask('1m'), await ask('1d')]
  // The last day continues.
  return { seconds, minutes, days: days.slice(0, -1) }
}

const houseAccounts = async (): Promise<number> =>
  (await operate(exchange, 'accounts')).filter(({ account }) => account?.startsWith('house-'))
    .length

test('a new demo fills market orders at once, continues after a kill, and can be turned off', async () => {
  const beforeMs = Math.floor(Date.now() / 60_000) * 60_000 - 60_000
  exchange = await ExchangeProcess.start([
    ...[...FEW_THREADS, '--liquidity', 'demo', '--limits', 'on', '--orders-per-second', '20'],
  ])
  await expectFilled(demoClient('trader1'))
  for (const symbol of symbols) {
    await eventually(`a trade of the market makers in ${symbol}`, async () => {
      const klines = await get<unknown[]>(`klines?symbol=${symbol}&interval=1m`)
      const trades = await get<unknown[]>(`trades?symbol=${symbol}`)
      // Two are the test's own.
      return (klines.length > 0 && trades.length > 2) || undefined
    })
  }
  const pasts = await Promise.all(symbols.map((symbol) => pastOf(symbol, beforeMs)))
  for (const [index, { seconds, minutes, days }] of pasts.entries()) {
    const symbol = symbols[index]!
    expect([seconds.length, minutes.length], symbol).toEqual([0, 1000])
    expect(days.length, symbol).toBeGreaterThanOrEqual(PAST_DAYS - 1)
    // Up to two minutes later it ends at the price of the first quotes.
    const [nearly, first] = [Number(minutes.at(-1)![4]), Object.values(prices)[index]!]
    expect(Math.abs(nearly / first - 1), symbol).toBeLessThan(0.02)
    // No ticker has it.
    const ticker = await get<{ openTime: number; firstId: number }>(`ticker?symbol=${symbol}`)
    expect(ticker.firstId, symbol).toBe(1)
  }
  const accounts = await operate(exchange, 'accounts')
  expect(await houseAccounts()).toBe(symbols.length + 1)
  // Clients' limits and money are their own.
  const { body } = await demoClient('trader2').send('GET', '/api/v3/rateLimit/order', {})
  expect(body).toMatchObject([{ count: 0 }, { count: 0 }])

  await exchange.stop('SIGKILL')
  rmSync(path.join(exchange.data, 'archive'), { recursive: true })
  await exchange.run()
  await expectFilled(demoClient('trader1'))
  expect(await operate(exchange, 'accounts')).toHaveLength(accounts.length)
  // The archive was made again, and the past is not.
  const again = await Promise.all(symbols.map((symbol) => pastOf(symbol, beforeMs)))
  expect(again).toEqual(pasts)

  await exchange.stop('SIGKILL')
  await exchange.run(['--liquidity', 'off'])
  await expectEmptyBooks()
  expect((await exchange.stop()).code).toBe(0)

  await exchange.run()
  await expectFilled(demoClient('trader1'))
  expect((await operate(exchange, 'audit')).length).toBeGreaterThan(0)
  expect((await exchange.stop()).code).toBe(0)
})

test('an exchange within another program has no past', async () => {
  const beganMs = Date.now()
  const embedded = await LoopExchange.start(['--liquidity', 'demo'])
  try {
    await eventually('a kline', async () => {
      const query = 'symbol=BTCUSDT&interval=1m&limit=1000'
      const response = await fetch(`${embedded.url}/api/v3/klines?${query}`)
      const klines = (await response.json()) as readonly (readonly number[])[]
      for (const [openMs] of klines) expect(openMs).toBeGreaterThan(beganMs - 60_000)
      return klines.length > 0 || undefined
    })
  } finally {
    await embedded.remove()
  }
})

test('a demo without room for the accounts of market makers starts without liquidity', async () => {
  exchange = await ExchangeProcess.start([...FEW_THREADS, '--liquidity', 'demo', '--accounts', '8'])
  expect(exchange.output).toContain('there is no room for 7 more accounts (--accounts)')
  expect(await houseAccounts()).toBe(0)
  await expectEmptyBooks()
})

test('a venue without the demo gets no liquidity', async () => {
  exchange = await ExchangeProcess.start([...FEW_THREADS, '--liquidity', 'demo', '--demo', 'off'])
  expect(await operate(exchange, 'accounts')).toHaveLength(1)
  expect((await exchange.stop()).code).toBe(0)
  // Once made, it stays what it is.
  await exchange.run(['--demo', 'on'])
  expect(await operate(exchange, 'accounts')).toHaveLength(1)
})

interface Recorded {
  readonly account: string
  readonly target: string
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
}

test('a demo of an earlier version keeps everything, and gets no liquidity', async () => {
  exchange = await ExchangeProcess.prepare([
    ...FEW_THREADS,
    '--liquidity',
    'demo',
    '--accept-clock',
    'on',
  ])
  const folder = path.resolve(exchange.data)
  const archive = path.resolve('test/fixtures/recorded/demo.tar.gz')
  const unpack = ['-C', folder, '--strip-components=1', '-xzf', archive, 'data']
  execFileSync('tar', unpack)
  const recorded = execFileSync('tar', ['-xzOf', archive, 'answers.json'])
  const answers: Recorded[] = JSON.parse(String(recorded))
  await exchange.run()
  expect(answers.length).toBe(8)
  for (const { account, target, params, body } of answers) {
    const now = await demoClient(account).send('GET', `/api/v3/${target}`, params)
    expect(now.body, `${target} of ${account}`).toEqual(body)
  }
  expect(await houseAccounts()).toBe(0)
  const { bids, asks } = await get<{ bids: unknown[]; asks: unknown[] }>('depth?symbol=BTCUSDT')
  expect([bids.length, asks.length]).toEqual([1, 1])
  expect((await operate(exchange, 'audit')).length).toBeGreaterThan(0)
  // It was recorded before the demo knew of liquidity, so its journal has no such fact.
  expect(readFileSync(path.join(folder, 'control/data.mdb'), 'latin1')).not.toMatch(
    /"demo"|"klines"/,
  )
  expect((await exchange.stop()).code).toBe(0)
})
