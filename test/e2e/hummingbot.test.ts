/**
 * What hummingbot's Binance connector sends (at 2bfaccc), header for header, with the addresses of its
 * example.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LoopExchange } from '../fixtures/loop-exchange.ts'
import { FrameLog } from './frame-log.ts'

let exchange: LoopExchange
let user: FrameLog

beforeAll(async () => {
  exchange = await LoopExchange.start(['--liquidity', 'on'])
  user = await FrameLog.open(`${sockets()}/ws-api/v3`)
})
afterAll(() => exchange?.remove())

const sockets = () => exchange.url.replace('http', 'ws')
const key = () => exchange.keys().trader1!
const signatureOf = (text: string) =>
  createHmac('sha256', key().secretKey).update(text).digest('hex')

type Sent = Readonly<Record<string, string>>
interface Got {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** A POST carries its parameters as a form under a JSON type, other methods in the address. */
function ask(method: string, path: string, params: Sent, isSigned = true): Promise<Got> {
  const stamped = { ...params, timestamp: String(exchange.nowMs()) }
  const form = String(new URLSearchParams(isSigned ? stamped : params))
  const query = isSigned ? `${form}&signature=${signatureOf(form)}` : form
  const isPost = method === 'POST'
  const type = method === 'GET' ? 'application/x-www-form-urlencoded' : 'application/json'
  const headers = { 'Content-Type': type, ...(isSigned && { 'X-MBX-APIKEY': key().apiKey }) }
  const url = `${exchange.url}/api/v3${path}${isPost ? '' : `?${query}`}`
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode!, body: JSON.parse(String(Buffer.concat(chunks))) }),
      )
    })
    sending.on('error', reject)
    sending.end(isPost ? query : undefined)
  })
}

const id = () => `x-MG43PCSN${randomUUID().replaceAll('-', '').slice(0, 22)}`
const bid = async () => {
  const { body } = await ask('GET', '/ticker/bookTicker', { symbol: 'ETHUSDT' }, false)
  return Number(body.bidPrice)
}

test('the user stream starts by a signed subscription', async () => {
  const params = { apiKey: key().apiKey, timestamp: exchange.nowMs() }
  const signature = signatureOf(`apiKey=${params.apiKey}&timestamp=${params.timestamp}`)
  const method = 'userDataStream.subscribe.signature'
  const answer = await user.ask({ id: randomUUID(), method, params: { ...params, signature } })
  expect(answer.status).toBe(200)
})

test.each([
  ['LIMIT', { timeInForce: 'GTC' }],
  ['LIMIT_MAKER', {}],
])('a %s order is placed, told of, queried and canceled', async (type, more) => {
  const newClientOrderId = id()
  const price = ((await bid()) * 0.9).toFixed(2)
  const order = {
    symbol: 'ETHUSDT',
    side: 'BUY',
    quantity: '0.0100',
    type,
    newClientOrderId,
    price,
  }
  const placed = await ask('POST', '/order', { ...order, ...more })
  expect([placed.status, placed.body.clientOrderId]).toEqual([200, newClientOrderId])
  const told = (status: string) =>
    user.first(status, ({ event }) => {
      const { c, C, X } = (event ?? {}) as Record<string, unknown>
      return [c, C].includes(newClientOrderId) && X === status
    })
  await told('NEW')
  const named = { symbol: 'ETHUSDT', origClientOrderId: newClientOrderId }
  expect((await ask('GET', '/order', named)).body.status).toBe('NEW')
  expect((await ask('DELETE', '/order', named)).body.status).toBe('CANCELED')
  await told('CANCELED')
})

test('a MARKET order fills, and its trades and balances can be read', async () => {
  const newClientOrderId = id()
  const order = { symbol: 'ETHUSDT', side: 'BUY', quantity: '0.0100', type: 'MARKET' }
  const { status, body } = await ask('POST', '/order', { ...order, newClientOrderId })
  expect([status, body.status]).toEqual([200, 'FILLED'])
  const trades = await ask('GET', '/myTrades', { symbol: 'ETHUSDT', orderId: `${body.orderId}` })
  expect(trades.body).toMatchObject([{ orderId: body.orderId }])
  const { balances } = (await ask('GET', '/account', {})).body as { balances: { asset: string }[] }
  expect(balances.map(({ asset }) => asset)).toContain('ETH')
})

test('books and trades are followed over one connection without names in its address', async () => {
  const log = await FrameLog.open(`${sockets()}/ws`)
  for (const [n, name] of ['ethusdt@trade', 'ethusdt@depth@100ms'].entries()) {
    expect(await log.ask({ method: 'SUBSCRIBE', params: [name], id: n + 1 })).toMatchObject({
      result: null,
    })
  }
  const { body } = await ask('GET', '/depth', { symbol: 'ETHUSDT', limit: '1000' }, false)
  expect(body.lastUpdateId).toBeGreaterThan(0)
  await log.first('a change of the book', ({ e }) => e === 'depthUpdate')
})
