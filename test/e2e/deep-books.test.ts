/**
 * Books and lists of open orders as a large venue has them, with many gateways and a usual event ring:
 * an exchange starts with them, and queries of any size disturb no client but their own.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { journalDeepBooks, MAKER_ORDERS } from './deep-books.ts'
import { FrameLog } from './frame-log.ts'
import { Trader } from './trader.ts'

const SYMBOLS = 6
const LEVELS = 20_000
const SYMBOL = 'BTCUSDT'
const QUOTED = 'ETHUSDT'

let exchange: ExchangeProcess
beforeAll(async () => {
  exchange = await ExchangeProcess.prepare(['--matchers', '1', '--gateways', '4'])
  journalDeepBooks(exchange.data, SYMBOLS, LEVELS)
  await exchange.run()
})
afterAll(() => exchange?.remove())

/** A counter's values, one of each thread that has it. */
async function counted(name: string): Promise<number[]> {
  const response = await fetch(`http://127.0.0.1:${exchange.adminPort}/counters`)
  const rows = (await response.json()) as { name: string; value: number }[]
  return rows.filter((row) => row.name === name).map(({ value }) => value)
}

test('four gateways load six books of 20,000 levels, and none is overrun', async () => {
  const { symbols } = (await (await fetch(`${exchange.url}/api/v3/exchangeInfo`)).json()) as {
    symbols: { symbol: string }[]
  }
  for (const { symbol } of symbols.slice(0, SYMBOLS)) {
    const response = await fetch(`${exchange.url}/api/v3/depth?symbol=${symbol}&limit=5000`)
    const { bids, asks } = (await response.json()) as { bids: unknown[]; asks: unknown[] }
    expect([bids.length, asks.length]).toEqual([5000, 5000])
  }
  expect(await counted('readerOverrun')).toEqual([0, 0, 0, 0])
})

test('sixteen lists of 2,000 open orders at once are whole, and overrun no gateway', async () => {
  const maker = new Trader(exchange, 'maker')
  const lists = await Promise.all(
    Array.from({ length: 16 }, () => maker.ask('GET', '/api/v3/openOrders', { symbol: SYMBOL })),
  )
  for (const list of lists) {
    const ids = (list as unknown as { orderId: number }[]).map(({ orderId }) => orderId)
    // Buys and sells were placed in turns.
    expect(ids).toEqual(Array.from({ length: MAKER_ORDERS }, (_, index) => 1 + 2 * index))
  }
  expect(await counted('readerOverrun')).toEqual([0, 0, 0, 0])
})

test('300 questions for 200 open orders in one write disturb no other client', async () => {
  const asker = new Trader(exchange, 'trader1')
  const order = { symbol: QUOTED, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }
  const quotes = Array.from({ length: 200 }, (_, index) =>
    asker.place({ ...order, price: String(10 + index) }),
  )
  await Promise.all(quotes)
  const stream = await FrameLog.open(`${exchange.wsUrl}/ws/ethusdt@depth@100ms`)
  const socket = await FrameLog.open(`${exchange.wsUrl}/ws-api/v3?returnRateLimits=false`)
  const answers = Array.from({ length: 300 }, (_, id) =>
    socket.ask({ id, method: 'openOrders.status', params: asker.sign({ symbol: QUOTED }) }),
  )
  const other = new Trader(exchange, 'trader2')
  for (let i = 0; i < 20; i++) await other.place({ ...order, price: String(100 + i) })
  for (const { status, result } of await Promise.all(answers)) {
    expect([status, (result as unknown[]).length]).toEqual([200, 200])
  }
  expect([stream.closed, socket.closed]).toEqual([false, false])
  expect(await counted('readerOverrun')).toEqual([0, 0, 0, 0])
  await Promise.all([stream.close(), socket.close()])
})
