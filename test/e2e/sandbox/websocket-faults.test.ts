/** Faults of the WebSocket API as the official connector and a plain client meet them. */
import { createHmac } from 'node:crypto'
import { SpotWebsocketAPI } from '@binance/spot'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import type { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { TestSocket } from '../../fixtures/test-socket.ts'
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
    ...{ symbol: 'BTCUSDT', side: BUY, type: LIMIT, timeInForce: GTC },
    ...{ quantity: 0.001, price: 20_000, newClientOrderId },
  })

test.each([
  [['limit'], -1003, -2013],
  [['refuse', '--reason', 'INSUFFICIENT_BALANCE'], -2010, -2013],
  [['answer', '--status', '500', '--code', '-1001', '--message', 'Down.'], -1001, -2013],
  [['unknown'], -1007, 'NEW'],
])('the connector meets %j', async (words, code, fate) => {
  await fault(exchange, 'one', ...words, '--operation', 'placeOrder')
  await expect(place(`ws${code}`)).rejects.toMatchObject({ code })
  expect(await fateOf(plain, `ws${code}`)).toBe(fate)
})

test('a connection that breaks before the answer leaves an order, which a query finds', async () => {
  await fault(exchange, 'gone', 'cut', '--operation', 'placeOrder', '--times', '1')
  const own = await TestSocket.open(`${exchange.wsUrl}/ws-api/v3`)
  own.send({ id: 1, method: 'order.place', params: signedOrder('ws-cut') })
  expect(await own.closed()).toBe(1006)
  expect(await fateOf(plain, 'ws-cut')).toBe('NEW')
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
