/**
 * A market that is listed while the exchange runs: two matchers, two gateways. It trades at once over
 * both gateways, is streamed, shown, archived, in snapshots, and is there after a kill.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import { act } from './admin-server.ts'
import { operable } from './command-line.ts'
import { commandsOf, readByEveryGateway } from './every-gateway.ts'
import { FrameLog } from './frame-log.ts'

const filters = (tickSize: string, stepSize: string) =>
  JSON.stringify([
    { filterType: 'PRICE_FILTER', minPrice: tickSize, maxPrice: '10000', tickSize },
    { filterType: 'LOT_SIZE', minQty: stepSize, maxQty: '9000', stepSize },
  ])
/** Sockets that are opened of each kind, so that both gateways have some. */
const SOCKETS = 12

let exchange: ExchangeProcess
let aliceKey: DemoKey
let alice: SignedClient
let bob: SignedClient
const logs: FrameLog[] = []
/** Subscribed to before the symbol is listed. */
let early: FrameLog[]

beforeAll(async () => {
  exchange = await ExchangeProcess.prepare(['--demo', 'off'])
  await run()
})
afterAll(async () => {
  for (const log of logs) await log.close()
  await exchange?.remove()
})

const ask = (name: string, given: object = {}) => act(exchange, name, given)
const fetchJson = async (path: string) => (await fetch(`${exchange.url}${path}`)).json()

async function run(): Promise<void> {
  await exchange.run()
  await operable(exchange)
}

const place = (client: SignedClient, symbol: string, side: string, price: number) =>
  client.send('POST', '/api/v3/order', {
    symbol,
    side,
    type: 'LIMIT',
    timeInForce: 'GTC',
    price,
    quantity: 1,
  })

/** An account's key. */
async function open(account: string): Promise<DemoKey> {
  await ask('account-open', { account, maker: 0.001, taker: 0.001 })
  const [key] = (await ask('key-create', { account })).rows
  return { account, ...key } as unknown as DemoKey
}

async function openAll(path: string): Promise<FrameLog[]> {
  const opened = await Promise.all(
    Array.from({ length: SOCKETS }, () => FrameLog.open(`${exchange.wsUrl}${path}`)),
  )
  logs.push(...opened)
  return opened
}

describe('from nothing', () => {
  test('assets, symbols on both matchers, accounts and money, without a start', async () => {
    early = await openAll('/ws/dogeusdt@trade')
    for (const asset of ['USDT', 'BTC', 'DOGE']) {
      expect(await ask('asset-list', { asset })).toMatchObject({
        said: `Asset ${asset} is listed.`,
      })
    }
    const list = (base: string, quote: string, more: object) =>
      ask('symbol-list', { base, quote, ...more })
    await list('BTC', 'USDT', { filters: filters('0.01', '0.0001') })
    await list('DOGE', 'USDT', { filters: filters('0.01', '0.1'), matcher: 1 })
    await list('DOGE', 'BTC', { filters: filters('0.0001', '0.1'), matcher: 1 })
    expect((await ask('symbols')).rows.map(({ symbol, matcher }) => [symbol, matcher])).toEqual([
      ['BTCUSDT', 0],
      ['DOGEUSDT', 1],
      ['DOGEBTC', 1],
    ])
    aliceKey = await open('alice')
    alice = new SignedClient(exchange.url, aliceKey)
    bob = new SignedClient(exchange.url, await open('bob'))
    await ask('deposit', { account: 'alice', asset: 'USDT', amount: 1_000_000 })
    await ask('deposit', { account: 'bob', asset: 'DOGE', amount: 100_000 })
    await ask('deposit', { account: 'bob', asset: 'BTC', amount: 100 })
    const info = (await fetchJson('/api/v3/exchangeInfo')) as { symbols: { symbol: string }[] }
    expect(info.symbols.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'DOGEUSDT', 'DOGEBTC'])
    await expect(list('DOGE', 'BTC', { like: 'BTCUSDT' })).rejects.toThrow(
      'The symbol DOGEBTC is listed already.',
    )
  })

  test('it trades at once over both gateways, and readers of both hear of it', async () => {
    const streams = await openAll('/ws/dogeusdt@trade')
    const rounds = await eventually('orders over both gateways', async () => {
      const sides = ['BUY', 'SELL'].flatMap((side) => Array<string>(10).fill(side))
      const answers = await Promise.all(
        sides.map((side) => place(side === 'BUY' ? alice : bob, 'DOGEUSDT', side, 0.1)),
      )
      for (const { status } of answers) expect(status).toBe(200)
      return (await commandsOf(exchange)).every((count) => count > 3) ? answers.length : undefined
    })
    expect(rounds).toBe(20)
    // Any gateway may be queried, and be a moment late.
    await eventually('a book', async () => {
      const depth = await fetchJson('/api/v3/depth?symbol=DOGEUSDT')
      return (depth as { lastUpdateId: number }).lastUpdateId > 0 || undefined
    })
    const last = await eventually('a trade', async () => {
      const trades = await fetchJson('/api/v3/historicalTrades?symbol=DOGEUSDT')
      return (trades as { id: number }[]).at(-1)?.id
    })
    for (const log of [...early, ...streams]) {
      await log.first(`trade ${last}`, ({ t }) => t === last)
    }
  })

  test('its trades are archived, and count for trading volumes', async () => {
    const klines = (await fetchJson('/api/v3/klines?symbol=DOGEUSDT&interval=1d')) as unknown[]
    expect(klines.length).toBeGreaterThan(0)
    const mine = await alice.send('GET', '/api/v3/myTrades', { symbol: 'DOGEUSDT' })
    expect(mine.body).toHaveProperty('0.commissionAsset', 'DOGE')
  })

  test('the discount asset and filters of the exchange are in force at once', async () => {
    await ask('symbol-fees', { symbol: 'DOGEUSDT', discount: true })
    await ask('account-discount', { account: 'bob', discount: true })
    await ask('exchange-discount', { asset: 'BTC', rate: 0.5 })
    await place(alice, 'BTCUSDT', 'BUY', 1000)
    await place(bob, 'BTCUSDT', 'SELL', 1000)
    await eventually('a commission in BTC', async () => {
      await place(alice, 'DOGEUSDT', 'BUY', 0.1)
      await place(bob, 'DOGEUSDT', 'SELL', 0.1)
      const { body } = await bob.send('GET', '/api/v3/myTrades', { symbol: 'DOGEUSDT' })
      const [trade] = (body as unknown as { commissionAsset: string }[]).slice(-1)
      return trade?.commissionAsset === 'BTC' ? true : undefined
    })
    const one = { filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: 1 }
    await ask('exchange-filters', { filters: [one] })
    expect((await place(alice, 'BTCUSDT', 'BUY', 10)).status).toBe(200)
    expect((await place(alice, 'DOGEUSDT', 'BUY', 0.01)).body).toMatchObject({
      msg: 'Filter failure: EXCHANGE_MAX_NUM_ORDERS',
    })
    await ask('exchange-filters', { filters: [], remove: one.filterType })
    expect((await place(alice, 'DOGEBTC', 'SELL', 0.01)).status).toBe(200)
    const info = (await fetchJson('/api/v3/exchangeInfo')) as { exchangeFilters: unknown[] }
    expect(info.exchangeFilters).toEqual([])
  })

  test('features of a symbol are those of the moment of the order', async () => {
    const symbol = 'DOGEUSDT'
    await ask('symbol-features', { symbol, 'order-types': ['LIMIT'], amend: false })
    const market = { symbol, side: 'BUY', type: 'MARKET', quantity: 1 }
    expect((await alice.send('POST', '/api/v3/order', market)).body).toMatchObject({
      code: -2010,
    })
    const info = await fetchJson('/api/v3/exchangeInfo?symbol=DOGEUSDT')
    expect(info).toMatchObject({ symbols: [{ orderTypes: ['LIMIT'], amendAllowed: false }] })
    await ask('symbol-features', { symbol, 'order-types': 'LIMIT,MARKET', amend: 'on' })
    await place(bob, 'DOGEUSDT', 'SELL', 0.2)
    expect((await alice.send('POST', '/api/v3/order', market)).status).toBe(200)
  })
})

describe('after a kill', () => {
  const state = async () => ({
    audit: await ask('audit'),
    symbols: await ask('symbols'),
    alice: await ask('balances', { account: 'alice' }),
    bob: await ask('balances', { account: 'bob' }),
    open: (await alice.send('GET', '/api/v3/openOrders')).body,
    trades: (await bob.send('GET', '/api/v3/myTrades', { symbol: 'DOGEUSDT' })).body,
    depth: await fetchJson('/api/v3/depth?symbol=DOGEUSDT'),
  })

  test('all is there, with a snapshot that was made before and one that was not', async () => {
    const made = await eventually('a snapshot', async () => {
      const { said } = await ask('snapshot')
      return said.startsWith('Snapshot') ? said : undefined
    })
    expect(made).toMatch(/^Snapshot 1 covers \d+ events\.$/)
    await place(alice, 'DOGEUSDT', 'BUY', 0.05)
    // Listed behind the snapshot, and never traded.
    await ask('asset-list', { asset: 'ADA' })
    await ask('symbol-list', { base: 'ADA', quote: 'BTC', like: 'DOGEBTC' })
    await readByEveryGateway(exchange, aliceKey)
    const before = await state()
    // The kill falls somewhere into another listing, which is then whole or not there.
    const list = () => ask('symbol-list', { base: 'ADA', quote: 'USDT', like: 'DOGEUSDT' })
    const answered = list().then(
      () => true,
      () => false,
    )
    await exchange.stop('SIGKILL')
    await run()
    expect(exchange.output).toContain('continues from a snapshot')
    const { symbols, ...after } = await state()
    const { symbols: symbolsBefore, ...rest } = before
    expect(after).toEqual(rest)
    expect(symbols.rows.slice(0, 4)).toEqual(symbolsBefore.rows)
    if (symbols.rows.length === 4) {
      expect(await answered).toBe(false)
      await list()
    }
    await ask('deposit', { account: 'bob', asset: 'ADA', amount: 10 })
    expect((await place(bob, 'ADAUSDT', 'SELL', 1)).status).toBe(200)
    expect((await place(alice, 'ADAUSDT', 'BUY', 1)).body).toMatchObject({ status: 'FILLED' })
  })
})
