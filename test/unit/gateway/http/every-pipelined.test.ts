/** Which operations are answered before the next request of their connection is read: those of memory. */
import net from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOnEmptyHistory } from '../../../../bench/workloads/empty-history.ts'
import { answersAtOnce, operations } from '../../../../src/api/operations/index.ts'
import { neverAnswered } from '../../../../src/api/operations/market.ts'
import { paramNames } from '../../../../src/api/parameters.ts'
import { historyQueries } from '../../../../src/history/queries.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import { keyOf, OneThreadExchange, queryOf, sign } from '../../../fixtures/one-thread-exchange.ts'

let exchange: OneThreadExchange
let listenKey: string

beforeAll(async () => {
  // As the pool of history threads does, it answers in a later tick.
  const history = historyQueries(async (name, query, form) => {
    await new Promise((resolve) => setImmediate(resolve))
    return runOnEmptyHistory(name, query, form)
  })
  exchange = await OneThreadExchange.start({ history })
  const { body } = await exchange.send('POST', '/api/v3/userDataStream', 1)
  listenKey = String(body.listenKey)
  // What waits for an engine has no answer.
  exchange.pause()
})
afterAll(() => exchange.close())

type Sent = Readonly<Record<string, string>>

const symbol = { symbol: 'BTCUSDT' }
const limit = { side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '100.00' }
const order = { ...symbol, ...limit, quantity: '1.00000' }
const batch = (one: Sent): Sent => ({ orders: JSON.stringify([one]) })
const pair = { ...symbol, side: 'SELL', quantity: '1' }
const oco = {
  ...pair,
  aboveType: 'LIMIT_MAKER',
  abovePrice: '200',
  belowType: 'STOP_LOSS',
  belowStopPrice: '50',
}
const paying = {
  ...symbol,
  workingType: 'LIMIT',
  workingSide: 'BUY',
  workingPrice: '100',
  workingQuantity: '1',
  workingTimeInForce: 'GTC',
  pendingSide: 'SELL',
}
const working = { ...paying, pendingQuantity: '1' }
const exits = {
  pendingAboveType: 'LIMIT_MAKER',
  pendingAbovePrice: '200',
  pendingBelowType: 'STOP_LOSS',
  pendingBelowStopPrice: '50',
}

/** What each operation needs to be carried out; others need nothing. */
const needed: Readonly<Record<string, Sent>> = {
  depth: symbol,
  trades: symbol,
  historicalTrades: symbol,
  historicalBlockTrades: { ...symbol, fromId: '0' },
  aggTrades: symbol,
  klines: { ...symbol, interval: '1m' },
  uiKlines: { ...symbol, interval: '1m' },
  auction: symbol,
  avgPrice: symbol,
  ticker: symbol,
  tickerTradingDay: symbol,
  myFilters: symbol,
  placeOrder: order,
  testOrder: order,
  routeOrder: order,
  testRoutedOrder: order,
  queryOrder: { ...symbol, orderId: '7' },
  cancelOrder: { ...symbol, orderId: '7' },
  cancelOpenOrders: symbol,
  cancelWhere: symbol,
  replaceOrder: { ...order, cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: '7' },
  amendOrder: { ...symbol, orderId: '7', newQty: '1' },
  openOrders: symbol,
  quoteOrders: { ...symbol, bids: '[["10","1"]]' },
  placeBatch: batch(order),
  cancelBatch: batch({ ...symbol, orderId: '7' }),
  replaceBatch: batch({ ...order, cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: '7' }),
  setCountdown: { countdownTime: '5000' },
  setProtection: { ...symbol, windowMs: '1000', maxFills: '20' },
  resetProtection: symbol,
  placeOldOco: { ...pair, price: '200', stopPrice: '50' },
  placeOco: oco,
  placeOto: { ...working, pendingType: 'MARKET' },
  placeOtoco: { ...working, ...exits },
  placeOpo: { ...paying, pendingType: 'MARKET' },
  placeOpoco: { ...paying, ...exits },
  cancelOrderList: { ...symbol, orderListId: '7' },
  orderList: { orderListId: '7' },
  allOrders: symbol,
  myTrades: symbol,
  myAllocations: symbol,
  myPreventedMatches: { ...symbol, orderId: '7' },
  amendments: { ...symbol, orderId: '7' },
  commission: symbol,
}

interface Reading {
  statuses: readonly string[]
  isClosed: boolean
}

/** Sends the request and one for ping in one packet. Resolves to what came back. */
async function withPingBehind(request: string): Promise<Reading> {
  const reading: Reading = { statuses: [], isClosed: false }
  let received = ''
  const socket = net.connect(exchange.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    reading.statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status!)
  })
  socket.on('close', () => {
    reading.isClosed = true
  })
  socket.write(`${request}GET /api/v3/ping HTTP/1.1\r\nHost: x\r\n\r\n`)
  const isOver = () => reading.isClosed || reading.statuses.length === 2 || undefined
  await eventually('two answers or the end', isOver)
  socket.destroy()
  return reading
}

/**
 * Refused at once: no symbol here has a reference price, no account a sub-account, no coin
 * a network, and none is in a group.
 */
const absent = [
  ...['referencePrice', 'referencePriceCalculation', 'depositAddress', 'withdraw'],
  ...['routeOrder', 'testRoutedOrder'],
  ...['subAccountAssets', 'subAccountTransfer', 'universalTransfer'],
  ...['subAccountDepositAddress', 'subAccountDeposits', 'subAddress', 'subDeposits'],
  'depositAddresses',
]

test.each(operations.map((row) => [row.id, row] as const))('%s', async (id, row) => {
  const isOfKey = ['keepListenKey', 'closeListenKey'].includes(id) || row.params.some(isListenKey)
  const params: Sent = { ...needed[id], ...(isOfKey ? { listenKey } : {}) }
  const query = queryOf(row.signed ? { ...params, timestamp: exchange.nowMs() } : params)
  const address = row.signed ? `${query}&signature=${sign(1, query)}` : query
  const headers = `Host: x\r\nX-MBX-APIKEY: ${keyOf(1).apiKey}\r\nContent-Length: 0\r\n`
  const got = await withPingBehind(
    `${row.method} ${row.path}?${address} HTTP/1.1\r\n${headers}\r\n`,
  )
  const isRefused = row.answer === neverAnswered || absent.includes(id)
  const statuses = [isRefused ? '400' : '200', '200']
  expect([got.statuses, got.isClosed]).toEqual(
    isRefused || answersAtOnce(row) ? [statuses, false] : [[], true],
  )
})

const isListenKey = ({ slot }: { readonly slot: number }) => paramNames[slot] === 'listenKey'
