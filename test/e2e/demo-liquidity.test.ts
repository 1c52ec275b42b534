/**
 * A new demo has liquidity from its first second, over stops and kills, until an operator turns it off;
 * a venue that existed before gets none.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { operate } from './command-line.ts'

/** Symbols of the demo, with a quantity that every filter takes. */
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

const houseAccounts = async (): Promise<number> =>
  (await operate(exchange, 'accounts')).filter(({ account }) => account?.startsWith('house-'))
    .length

test('a new demo fills market orders at once, continues after a kill, and can be turned off', async () => {
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
  const accounts = await operate(exchange, 'accounts')
  expect(await houseAccounts()).toBe(symbols.length + 1)
  // Clients' limits and money are their own.
  const { body } = await demoClient('trader2').send('GET', '/api/v3/rateLimit/order', {})
  expect(body).toMatchObject([{ count: 0 }, { count: 0 }])

  await exchange.stop('SIGKILL')
  await exchange.run()
  await expectFilled(demoClient('trader1'))
  expect(await operate(exchange, 'accounts')).toHaveLength(accounts.length)

  await exchange.stop('SIGKILL')
  await exchange.run(['--liquidity', 'off'])
  await expectEmptyBooks()
  expect((await exchange.stop()).code).toBe(0)

  await exchange.run()
  await expectFilled(demoClient('trader1'))
  expect((await operate(exchange, 'audit')).length).toBeGreaterThan(0)
  expect((await exchange.stop()).code).toBe(0)
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
  exchange = await ExchangeProcess.prepare([...FEW_THREADS, '--liquidity', 'demo'])
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
  expect(readFileSync(path.join(folder, 'control/data.mdb'), 'latin1')).not.toContain('"demo"')
  expect((await exchange.stop()).code).toBe(0)
})
