/** Faults of the WebSocket API as the official connector and a plain client meet them. */
import { createHmac } from 'node:crypto'
import { SpotWebsocketAPI } from '@binance/spot'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import type { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { TestSocket } from '../../fixtures/test-socket.ts'
import { operate } from '../command-line.ts'
import { spotClient } from '../spot-clients.ts'
import { fateOf, fault, noFaults, signedClient, startFaulty } from './faulty-exchange.ts'

let exchange: ExchangeProcess
let plain: SignedClient
let socket: SpotWebsocketAPI.WebsocketAPIConnection
beforeAll(async () => {
  exchange = await startFaulty()
  plain = signedClient(exchange, 'trader1')
  socket = await spotClient(exchange, 'trader1').websocketAPI.connect()
})
afterAll(async () => {
  await socket?.disconnect()
  await exchange?.remove()
})
beforeEach(() => noFaults(exchange))

const { BUY } = SpotWebsocketAPI.OrderPlaceSideEnum
const { LIMIT } = SpotWebsocketAPI.OrderPlaceTypeEnum
const { GTC } = SpotWebsocketAPI.OrderPlaceTimeInForceEnum
const place = (newClientOrderId: string) =>
  socket.orderPlace({
    symbol: 'BTCUSDT',
    side: BUY,
    type: LIMIT,
    timeInForce: GTC,
    quantity: 0.001,
    price: 20_000,
    newClientOrderId,
  })

test.each([
  [['limit'], -1003, -2013],
  [['refuse', '--reason', 'INSUFFICIENT_BALANCE'], -2010, -2013],
  [['answer', '--status', '500', '--code', '-1001', '--message', 'Down.'], -1001, -2013],
  [['ban'], -1003, -2013],
  [['forbid'], -1000, -2013],
  [['proxy', '--status', '503'], -1000, -2013],
  [['refuse', '--reason', 'FILTER_FAILURE', '--filter', 'LOT_SIZE'], -1013, -2013],
  [['unknown'], -1007, 'NEW'],
])('the connector meets %j', async (words, code, fate) => {
  await fault(exchange, 'one', ...words, '--operation', 'placeOrder')
  const id = `ws-${words
    .join('')
    .replaceAll(/[^a-z0-9]/gi, '')
    .slice(0, 24)}`
  await expect(place(id)).rejects.toMatchObject({ code })
  expect(await fateOf(plain, id)).toBe(fate)
})

test('the connector meets a halted symbol, and a skewed clock', async () => {
  await fault(exchange, 'halt', 'halt', '--symbol', 'BTCUSDT', '--account', 'trader1')
  await expect(place('ws-halt')).rejects.toMatchObject({ code: -2010 })
  await noFaults(exchange)
  await fault(exchange, 'ahead', 'skew', '--ms', '20000', '--account', 'trader1')
  await expect(place('ws-skew')).rejects.toMatchObject({ code: -1021 })
  await noFaults(exchange)
  expect([await fateOf(plain, 'ws-halt'), await fateOf(plain, 'ws-skew')]).toEqual([-2013, -2013])
})

test.each([
  ['in', -2013],
  ['out', 'NEW'],
])('an answer of the connector is late on the way %s, and comes', async (way, fate) => {
  const words = ['--way', way, '--ms', '1200', '--operation', 'placeOrder', '--times', '1']
  await fault(exchange, 'late', 'delay', ...words)
  const placed = place(`ws-late-${way}`)
  await expect.poll(async () => (await operate(exchange, 'faults'))[0]!.touched).toBe(1)
  expect(await fateOf(plain, `ws-late-${way}`)).toBe(fate)
  await placed
  expect(await fateOf(plain, `ws-late-${way}`)).toBe('NEW')
})

test.each([
  'cut',
  'half',
])('a connection that ends by %s leaves an order, which a query finds', async (how) => {
  await fault(exchange, 'gone', how, '--operation', 'placeOrder', '--times', '1')
  const own = await TestSocket.open(`${exchange.wsUrl}/ws-api/v3`)
  own.send({ id: 1, method: 'order.place', params: signedOrder(`ws-${how}`) })
  expect(await own.closed()).toBe(1006)
  expect(await fateOf(plain, `ws-${how}`)).toBe('NEW')
})

function signedOrder(newClientOrderId: string): Record<string, string> {
  const { apiKey, secretKey } = exchange.keys().trader1!
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
  const terms = { quantity: '0.001', price: '20000', newClientOrderId }
  const params = new URLSearchParams({ ...order, ...terms, apiKey, timestamp: `${Date.now()}` })
  params.sort()
  const signature = createHmac('sha256', secretKey).update(params.toString()).digest('hex')
  return { ...Object.fromEntries(params), signature }
}

test('a plain client gets one answer twice', async () => {
  await fault(exchange, 'again', 'twice', '--operation', 'ping')
  const own = new WebSocket(`${exchange.wsUrl}/ws-api/v3`)
  const frames: string[] = []
  own.on('message', (data) => frames.push(String(data)))
  await new Promise((resolve) => own.once('open', resolve))
  own.send(JSON.stringify({ id: 7, method: 'ping' }))
  await expect.poll(() => frames.length).toBe(2)
  expect(frames[1]).toBe(frames[0])
  own.close()
})
