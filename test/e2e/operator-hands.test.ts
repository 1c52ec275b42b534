/**
 * What an operator sees and does of clients' orders and connections, on a running exchange: by command
 * line, and the same over HTTP.
 */
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import { act } from './admin-server.ts'
import { line, operate, refusal } from './command-line.ts'
import { FrameLog } from './frame-log.ts'

let exchange: ExchangeProcess
let maker: SignedClient
let taker: SignedClient

beforeAll(async () => {
  exchange = await ExchangeProcess.start(['--matchers', '2', '--gateways', '2'])
  const keys = exchange.keys()
  maker = new SignedClient(exchange.url, keys.maker!)
  taker = new SignedClient(exchange.url, keys.taker!)
})
afterAll(() => exchange?.remove())

const place = (client: SignedClient, symbol: string, side: string, price: number, quantity = 1) =>
  client.send('POST', '/api/v3/order', {
    symbol,
    side,
    price,
    quantity,
    type: 'LIMIT',
    timeInForce: 'GTC',
  })
const openOrders = async (...words: string[]) =>
  (await operate(exchange, 'orders', ...words)).map(({ account, symbol, price }) => [
    account,
    symbol,
    Number(price),
  ])

describe('orders and trades', () => {
  test('of an account, of a symbol, of all, page by page', async () => {
    for (const price of [20_000, 20_001, 20_002]) await place(maker, 'BTCUSDT', 'BUY', price)
    await place(taker, 'BTCUSDT', 'BUY', 20_003)
    await place(maker, 'ETHUSDT', 'BUY', 1_000)
    expect(await openOrders('maker')).toEqual([
      ['maker', 'BTCUSDT', 20_000],
      ['maker', 'BTCUSDT', 20_001],
      ['maker', 'BTCUSDT', 20_002],
      ['maker', 'ETHUSDT', 1_000],
    ])
    expect(await openOrders('--symbol', 'BTCUSDT')).toHaveLength(4)
    expect(await openOrders('taker', 'ETHUSDT')).toEqual([])
    const first = await act(exchange, 'orders', { limit: 3 })
    expect(first.rows).toHaveLength(3)
    const rest = await act(exchange, 'orders', { limit: 3, after: first.more })
    expect(rest.rows.map(({ account, symbol }) => `${account} ${symbol}`)).toEqual([
      'taker BTCUSDT',
      'maker ETHUSDT',
    ])
    expect(rest.more).toBeUndefined()
  })

  test('one order by both ids, and trades with both sides', async () => {
    const { body } = await place(maker, 'BTCUSDT', 'SELL', 20_003)
    const { orderId, clientOrderId } = body as { orderId: number; clientOrderId: string }
    for (const id of [String(orderId), clientOrderId]) {
      const rows = await operate(exchange, 'order', 'maker', 'BTCUSDT', id)
      expect(rows).toContainEqual({ field: 'orderId', value: String(orderId) })
    }
    const trades = await act(exchange, 'trades', { symbol: 'BTCUSDT' })
    const ofTaker = await act(exchange, 'trades', { account: 'taker' })
    expect(trades.rows).toHaveLength(1)
    expect(ofTaker.rows).toHaveLength(1)
    expect(ofTaker.rows.every(({ symbol }) => symbol === 'BTCUSDT')).toBe(true)
    expect(await refusal(exchange, 'order', 'taker', 'BTCUSDT', '999999')).toBe(
      'Order does not exist.',
    )
  })

  test('the book in its order', async () => {
    const rows = await operate(exchange, 'book', 'BTCUSDT', '--levels', '2')
    const bids = rows.filter(({ side }) => side === 'bid').map(({ price }) => Number(price))
    expect(bids).toEqual([...bids].sort((a, b) => b - a))
    expect(bids.length).toBeGreaterThan(0)
  })

  test('cancels of an account on a symbol, of a symbol, of an account', async () => {
    await place(taker, 'BTCUSDT', 'BUY', 19_000)
    await place(taker, 'ETHUSDT', 'BUY', 900)
    await operate(exchange, 'cancel-orders', 'maker', 'BTCUSDT')
    expect(await openOrders('maker')).toEqual([['maker', 'ETHUSDT', 1_000]])
    expect(await openOrders('taker', 'BTCUSDT')).not.toEqual([])
    await act(exchange, 'cancel-orders', { symbol: 'ETHUSDT', all: true })
    expect(await openOrders('--symbol', 'ETHUSDT')).toEqual([])
    await act(exchange, 'cancel-orders', { account: 'taker', all: true })
    expect(await openOrders()).toEqual([])
  })
})

test('sessions are seen, and one is closed', async () => {
  const log = await FrameLog.open(`${exchange.wsUrl}/ws/btcusdt@trade`)
  const shown = await eventually('the session', async () => {
    const rows = await operate(exchange, 'sessions')
    return rows.length > 0 ? rows : undefined
  })
  expect(shown).toHaveLength(1)
  expect(shown[0]).toMatchObject({ transport: 'streams', address: '127.0.0.1', streams: 1 })
  expect(await operate(exchange, 'sessions', 'maker')).toEqual([])
  await operate(exchange, 'session-close', shown[0]!.session!)
  await eventually('the end', async () => {
    const rows = await operate(exchange, 'sessions')
    return rows.length === 0 ? true : undefined
  })
  expect(await refusal(exchange, 'session-close', shown[0]!.session!)).toMatch(
    /^There is no session [01]:\d+\.$/,
  )
  await log.close()
})

test('a venue file is applied as a whole, trades at once, and outlasts a kill', async () => {
  const file = path.join(exchange.data, 'venue.toml')
  const first = await line(exchange, 'init', file, '--symbols', 'DOGE/USDT,DOGE/BTC')
  expect(first.code).toBe(0)
  const dry = await line(exchange, 'venue', 'apply', file, '--dry-run')
  expect(dry.stdout).toContain('would make 5 changes to the venue.')
  expect((await line(exchange, 'venue', 'apply', file)).stdout).toContain('5 changes made.')
  expect((await line(exchange, 'venue', 'apply', file)).stdout).toBe(
    'The venue is as the file says.\n',
  )
  expect((await place(maker, 'DOGEUSDT', 'BUY', 1, 100)).status).toBe(200)
  await exchange.stop('SIGKILL')
  await exchange.run()
  expect((await line(exchange, 'venue', 'apply', file)).stdout).toBe(
    'The venue is as the file says.\n',
  )
  expect(await openOrders('--symbol', 'DOGEUSDT')).toEqual([['maker', 'DOGEUSDT', 1]])
})

test('a delisted symbol keeps no order and takes none; a renamed account trades on', async () => {
  await operate(exchange, 'symbol-delist', 'DOGEUSDT')
  expect(await openOrders('--symbol', 'DOGEUSDT')).toEqual([])
  expect((await place(maker, 'DOGEUSDT', 'BUY', 1, 100)).status).toBe(400)
  const info = await fetch(`${exchange.url}/api/v3/exchangeInfo?symbol=DOGEUSDT`)
  expect(await info.json()).toMatchObject({ symbols: [{ status: 'BREAK' }] })
  await operate(exchange, 'account-rename', 'maker', 'quoter')
  expect((await place(maker, 'DOGEBTC', 'BUY', 1, 100)).status).toBe(200)
  expect((await openOrders('quoter'))[0]).toEqual(['quoter', 'DOGEBTC', 1])
  await exchange.stop('SIGKILL')
  await exchange.run()
  expect(await refusal(exchange, 'resume', 'DOGEUSDT')).toBe('DOGEUSDT is delisted.')
  expect((await openOrders('quoter'))[0]).toEqual(['quoter', 'DOGEBTC', 1])
  const log = await act(exchange, 'log', { limit: 2 })
  expect(log.rows.map((row) => row.action)).toEqual(['account-rename', 'symbol-delist'])
})

test('a status on one screen', async () => {
  const { said, rows } = await act(exchange, 'status', {})
  expect(said).toBe('The exchange accepts orders.')
  const cellOf = (what: string) => rows.find((row) => row.what === what)?.value
  expect(cellOf('ready')).toBe('yes')
  expect(cellOf('open orders')).toBe(1)
  expect(cellOf('threads')).toBe('2 + 2')
})
