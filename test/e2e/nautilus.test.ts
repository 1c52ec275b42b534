/**
 * What the node of examples/nautilus_node.py sends: NautilusTrader's adapter for Python with an Ed25519 key,
 * request by request, over its three connections. All parameters stand in the address, under a JSON type.
 */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LoopExchange } from '../fixtures/loop-exchange.ts'
import { operate } from './command-line.ts'
import { type Frame, FrameLog } from './frame-log.ts'

type Sent = Readonly<Record<string, string>>

let exchange: LoopExchange
let apiKey: string
let streams: FrameLog
let user: FrameLog
const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

beforeAll(async () => {
  exchange = await LoopExchange.start(['--liquidity', 'on'])
  const key = ['key-create', '--account', 'trader1', '--kind', 'ED25519']
  const [row] = await operate(exchange, ...key, '--public-key', publicKey)
  apiKey = row!.apiKey!
  streams = await FrameLog.open(`${exchange.wsUrl}/stream`)
  user = await FrameLog.open(`${exchange.wsUrl}/ws-api/v3`)
})
afterAll(() => exchange?.remove())

const signatureOf = (text: string): string =>
  sign(null, Buffer.from(text), createPrivateKey(privateKey)).toString('base64')

async function ask(method: string, path: string, params: Sent, isSigned = true): Promise<Frame> {
  const payload = isSigned
    ? { ...params, recvWindow: '5000', timestamp: String(exchange.nowMs()) }
    : params
  const text = String(new URLSearchParams(payload))
  const all = isSigned
    ? new URLSearchParams({ ...payload, signature: signatureOf(text) })
    : new URLSearchParams(payload)
  const headers = { 'Content-Type': 'application/json', 'X-MBX-APIKEY': apiKey }
  const response = await fetch(`${exchange.url}${path}?${all}`, { method, headers })
  const body = (await response.json()) as Frame
  expect(response.status, `${method} ${path}: ${JSON.stringify(body)}`).toBe(200)
  return body
}

test('the instruments are loaded, with their fees', async () => {
  const fees = await ask('GET', '/sapi/v1/asset/tradeFee', {})
  expect(fees).toContainEqual(expect.objectContaining({ symbol: 'ETHUSDT' }))
  const info = await ask('GET', '/api/v3/exchangeInfo', {}, false)
  expect(info.symbols).toContainEqual(expect.objectContaining({ symbol: 'ETHUSDT' }))
  expect((await ask('GET', '/api/v3/time', {}, false)).serverTime).toBeGreaterThan(0)
})

test('the session logs on, and the user stream begins without a signature', async () => {
  const params = { apiKey, timestamp: exchange.nowMs() }
  const signature = signatureOf(`apiKey=${params.apiKey}&timestamp=${params.timestamp}`)
  const logon = { id: 'logon', method: 'session.logon', params: { ...params, signature } }
  expect(await user.ask(logon)).toMatchObject({ status: 200, result: { apiKey } })
  const subscribed = await user.ask({ id: 'user', method: 'userDataStream.subscribe' })
  expect(subscribed).toMatchObject({ status: 200 })
})

test('quotes and trades are subscribed by frames of the combined stream', async () => {
  const names = ['ethusdt@bookTicker', 'ethusdt@trade']
  for (const [n, name] of names.entries()) {
    const answer = await streams.ask({ method: 'SUBSCRIBE', params: [name], id: n + 1 })
    expect(answer).toEqual({ result: null, id: n + 1 })
  }
  await streams.first('a quote', ({ stream }) => stream === 'ethusdt@bookTicker')
})

test('what is open is reconciled at its start', async () => {
  const { balances } = await ask('GET', '/api/v3/account', {})
  expect(balances).toContainEqual(expect.objectContaining({ asset: 'ETH' }))
  expect(await ask('GET', '/api/v3/openOrders', {})).toEqual([])
  const symbol = { symbol: 'ETHUSDT' }
  expect(await ask('GET', '/api/v3/allOrders', symbol)).toEqual([])
  expect(await ask('GET', '/api/v3/myTrades', symbol)).toEqual([])
})

test('a post-only quote is placed, told of, queried and canceled', async () => {
  const quote = await streams.first('a quote', ({ stream }) => stream === 'ethusdt@bookTicker')
  const price = (Number((quote.data as Frame).b) * 0.95).toFixed(2)
  const newClientOrderId = 'O-20251126-120000-001-000-1'
  const placed = await ask('POST', '/api/v3/order', {
    symbol: 'ETHUSDT',
    side: 'BUY',
    type: 'LIMIT_MAKER',
    quantity: '0.01',
    price,
    newClientOrderId,
  })
  expect(placed).toMatchObject({ clientOrderId: newClientOrderId })
  const told = (status: string) =>
    user.first(status, ({ event }) => {
      const { c, C, X } = (event ?? {}) as Frame
      return [c, C].includes(newClientOrderId) && X === status
    })
  await told('NEW')
  const own = { symbol: 'ETHUSDT', origClientOrderId: newClientOrderId }
  expect(await ask('GET', '/api/v3/order', own)).toMatchObject({ status: 'NEW' })
  expect(await ask('DELETE', '/api/v3/order', own)).toMatchObject({ status: 'CANCELED' })
  await told('CANCELED')
})

test('its end cancels all orders of the symbol', async () => {
  await ask('POST', '/api/v3/order', {
    symbol: 'ETHUSDT',
    side: 'SELL',
    type: 'LIMIT_MAKER',
    quantity: '0.01',
    price: '3300.00',
    newClientOrderId: 'O-20251126-120001-001-000-2',
  })
  const canceled = await ask('DELETE', '/api/v3/openOrders', { symbol: 'ETHUSDT' })
  expect(canceled).toMatchObject([{ status: 'CANCELED' }])
})
