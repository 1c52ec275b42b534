/**
 * Faults of streams as a plain client, ccxt and the official connector meet them: a gap that a local book finds,
 * a duplicated event, a broken connection that they open again.
 */
import ccxt from 'ccxt'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import type { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { type Json, TestSocket } from '../../fixtures/test-socket.ts'
import { streamClient } from '../ccxt-clients.ts'
import { operate } from '../command-line.ts'
import { spotClient } from '../spot-clients.ts'
import { fault, noFaults, signedClient, startFaulty } from './faulty-exchange.ts'

let exchange: ExchangeProcess
let plain: SignedClient
beforeAll(async () => {
  exchange = await startFaulty()
  plain = signedClient(exchange, 'trader1')
})
afterAll(() => exchange?.remove())
beforeEach(() => noFaults(exchange))

let cents = 0
const newBest = () =>
  plain.send('POST', '/api/v3/order', {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '0.001',
    price: (20_000 + ++cents / 100).toFixed(2),
  })

test('a plain client finds the gap of a dropped frame', async () => {
  const socket = await TestSocket.open(`${exchange.wsUrl}/ws/btcusdt@depth@100ms`)
  await socket.ask({ method: 'LIST_SUBSCRIPTIONS', id: 1 })
  await fault(exchange, 'gap', 'drop', '--stream', 'btcusdt@depth*', '--after', '1', '--times', '1')
  await newBest()
  const before = await socket.next()
  const after = await whileTrading(socket.next())
  expect(Number(after.U)).toBeGreaterThan(Number(before.u) + 1)
  socket.close()
})

test('ccxt opens a stream again after it was closed', async () => {
  const client = streamClient(exchange)
  // The library wants this before it opens an address without TLS.
  await client.loadHttpProxyAgent()
  await whileTrading(client.watchTicker('BTC/USDT'))
  await fault(exchange, 'closed', 'close', '--code', '1001', '--stream', '*', '--times', '1')
  await expect(whileTrading(endOf(client))).rejects.toBeInstanceOf(ccxt.NetworkError)
  expect((await whileTrading(client.watchTicker('BTC/USDT'))).symbol).toBe('BTC/USDT')
  await client.close()
})

/** Watches until the library reports that its connection ended. */
async function endOf(client: ReturnType<typeof streamClient>): Promise<never> {
  for (;;) await client.watchTicker('BTC/USDT')
}

/** Places orders until this is settled. */
async function whileTrading<T>(wanted: Promise<T>): Promise<T> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  wanted.then(over, over)
  while (!isOver) await newBest()
  return wanted
}

test('the official connector gets one event of its account twice', async () => {
  const own = await spotClient(exchange, 'trader1').websocketAPI.connect()
  const { stream } = await own.userDataStreamSubscribeSignature()
  const ids: unknown[] = []
  stream.on('message', (data) => {
    const { e, i } = data as { readonly e?: string; readonly i?: unknown }
    if (e === 'executionReport') ids.push(Number(i))
  })
  await fault(exchange, 'twice', 'duplicate', '--stream', 'user', '--account', 'trader1')
  const { body } = await newBest()
  await expect.poll(() => ids).toEqual([body.orderId, body.orderId])
  await own.disconnect()
})

test('the official connector misses an event, and finds its order by a query', async () => {
  const own = await spotClient(exchange, 'trader1').websocketAPI.connect()
  const { stream } = await own.userDataStreamSubscribeSignature()
  const ids: number[] = []
  stream.on('message', (data) => {
    const { e, i } = data as { readonly e?: string; readonly i?: unknown }
    if (e === 'executionReport') ids.push(Number(i))
  })
  const words = ['--stream', 'user', '--account', 'trader1', '--times', '1']
  await fault(exchange, 'lost', 'drop', ...words)
  const missed = (await newBest()).body
  const seen = (await newBest()).body
  await expect.poll(() => ids).toEqual([seen.orderId])
  const query = { symbol: 'BTCUSDT', orderId: String(missed.orderId) }
  expect((await plain.send('GET', '/api/v3/order', query)).body.status).toBe('NEW')
  await own.disconnect()
})

async function listenKey(): Promise<unknown> {
  const headers = { 'X-MBX-APIKEY': exchange.keys().trader1!.apiKey }
  const address = `${exchange.url}/api/v3/userDataStream`
  const answer = (await (await fetch(address, { method: 'POST', headers })).json()) as Json
  return answer.listenKey
}

test('a plain client gets all frames of a stall together, and none is lost', async () => {
  const socket = await TestSocket.open(`${exchange.wsUrl}/ws/btcusdt@bookTicker`)
  await socket.ask({ method: 'LIST_SUBSCRIPTIONS', id: 1 })
  const words = ['--ms', '1500', '--stream', 'btcusdt@bookTicker', '--times', '1']
  await fault(exchange, 'stalled', 'stall', ...words)
  const prices = []
  for (let i = 0; i < 5; i++) prices.push(String((await newBest()).body.price))
  await expect.poll(async () => (await operate(exchange, 'faults'))[0]!.touched).toBe(1)
  await socket.roundTrip()
  expect(socket.waiting).toBe(0)
  const last = prices.at(-1)
  const bids: unknown[] = []
  do bids.push((await socket.next()).b)
  while (bids.at(-1) !== last)
  expect(bids).toEqual([...bids].sort())
  socket.close()
})

test('a plain client gets each frame later, in order, and another one at once', async () => {
  const streams = `${await listenKey()}/btcusdt@bookTicker`
  const own = await TestSocket.open(`${exchange.wsUrl}/stream?streams=${streams}`)
  const other = await TestSocket.open(`${exchange.wsUrl}/ws/btcusdt@bookTicker`)
  for (const socket of [own, other]) await socket.ask({ method: 'LIST_SUBSCRIPTIONS', id: 1 })
  const words = ['--ms', '1000', '--stream', 'btcusdt@*', '--account', 'trader1']
  await fault(exchange, 'late', 'lag', ...words)
  const sentMs = performance.now()
  await newBest()
  const prompt = (await other.next()).b
  await own.roundTrip()
  let late = await own.next()
  while (late.stream !== 'btcusdt@bookTicker') late = await own.next()
  expect((late.data as Json).b).toBe(prompt)
  expect(performance.now() - sentMs).toBeGreaterThanOrEqual(990)
  own.close()
  other.close()
})

test('a plain client is told of a shutdown, and a listen key ends early', async () => {
  const own = await TestSocket.open(`${exchange.wsUrl}/ws/${await listenKey()}`)
  await own.ask({ method: 'LIST_SUBSCRIPTIONS', id: 1 })
  await fault(
    exchange,
    'end',
    'shutdown',
    '--stream',
    'user',
    '--account',
    'trader1',
    '--times',
    '1',
  )
  await fault(exchange, 'expired', 'expire', '--account', 'trader1', '--after', '1', '--times', '1')
  await newBest()
  const events = []
  for (let i = 0; i < 4; i++) events.push((await own.next()).e)
  expect(events).toEqual([
    ...['serverShutdown', 'executionReport', 'outboundAccountPosition', 'listenKeyExpired'],
  ])
  own.close()
})
