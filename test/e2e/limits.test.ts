/**
 * Limits of a real process with two gateways, which no client can choose between: every request
 * comes on a separate connection.
 */
import { type IncomingHttpHeaders, request } from 'node:http'
import ccxt from 'ccxt'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ExchangeClock } from '../../scripts/exchange/exchange-clock.ts'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import { restClient } from './ccxt-clients.ts'

interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly code?: number; readonly msg?: string }
}

function send(url: string, method = 'GET', apiKey = ''): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, agent: false, headers: { 'X-MBX-APIKEY': apiKey } })
    asked.on('error', reject)
    asked.on('response', async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      const { statusCode = 0, headers } = response
      resolve({ status: statusCode, headers, body: text === '' ? {} : JSON.parse(text) })
    })
    asked.end()
  })
}

const used = ({ headers }: HttpAnswer) => Number(headers['x-mbx-used-weight-1m'])

describe('a client that does not stop', () => {
  const BAN_SECONDS = 1_000
  const clock = new ExchangeClock()
  let exchange: ExchangeProcess
  beforeAll(async () => {
    const flags = `--limits on --weight-limit 120 --ban-after 3 --ban-seconds ${BAN_SECONDS}`
    exchange = await ExchangeProcess.start(flags.split(' '), clock)
  })
  afterAll(() => exchange.remove())

  test('is refused, then banned, and then let in again', async () => {
    const heavy = `${exchange.url}/api/v3/depth?symbol=BTCUSDT&limit=1000`
    const begun = await send(heavy)
    expect(begun.status).toBe(200)
    expect(used(await send(heavy))).toBe(used(begun) + 50)
    for (let i = 0; i < 3; i++) {
      const refused = await send(heavy)
      expect([refused.status, refused.body.code]).toEqual([429, -1003])
      expect(refused.body.msg).toContain('current limit is 120 request weight per 1 MINUTE')
      expect(refused.headers['retry-after']).toBe('60')
    }
    const banned = await send(heavy)
    const [, untilMs] = /IP banned until (\d{13})\. Please/.exec(banned.body.msg!)!
    expect([banned.status, banned.body.code]).toEqual([418, -1003])
    expect(banned.headers['retry-after']).toBe(String(BAN_SECONDS))
    expect(Number(untilMs)).toBe(clock.nowMs() + BAN_SECONDS * 1_000)

    const client = restClient(exchange)
    await expect(client.fetchTime()).rejects.toBeInstanceOf(ccxt.DDoSProtection)
    for (let i = 0; i < 4; i++) {
      const still = await send(`${exchange.url}/api/v3/ping`)
      expect([still.status, still.body]).toEqual([418, banned.body])
    }
    const missing = await send(`${exchange.url}/api/v3/nothing`)
    expect([missing.status, used(missing)]).toEqual([418, used(begun) + 50])
    const stream = new WebSocket(`${exchange.wsUrl}/ws/btcusdt@trade`)
    await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject))
    stream.close()

    await clock.advance(BAN_SECONDS * 1_000 - 1)
    await expect(client.fetchTime()).rejects.toBeInstanceOf(ccxt.DDoSProtection)
    await clock.advance(1)
    expect(await client.fetchTime()).toBe(Number(untilMs))
  })
})

describe('with the usual limits', () => {
  const clock = new ExchangeClock()
  let exchange: ExchangeProcess
  beforeAll(async () => {
    exchange = await ExchangeProcess.start(['--limits', 'on'], clock)
  })
  afterAll(() => exchange.remove())
  // Counts of orders begin again, other than those of the day.
  beforeEach(() => clock.advance(60_000))

  const clientOf = (account: string) =>
    new SignedClient(exchange.url, exchange.keys()[account]!, () => clock.nowMs())
  const dayCount = async (account: string): Promise<number> => {
    const { body } = await clientOf(account).send('GET', '/api/v3/rateLimit/order')
    return (body as unknown as { count: number }[])[1]!.count
  }

  test('ccxt trades, and is told when it enters too many orders', async () => {
    const client = restClient(exchange, 'trader1')
    client.milliseconds = () => clock.nowMs()
    await client.loadMarkets()
    const orders = await Promise.allSettled(
      Array.from({ length: 30 }, () =>
        client.createOrder('BTC/USDT', 'limit', 'buy', 0.01, 30_000),
      ),
    )
    const refused = orders.filter((it) => it.status === 'rejected')
    expect(refused).toHaveLength(20)
    for (const { reason } of refused) expect(reason).toBeInstanceOf(ccxt.DDoSProtection)
    expect(await client.fetchOpenOrders('BTC/USDT')).toHaveLength(10)
    await client.cancelAllOrders('BTC/USDT')
    expect(await client.fetchOpenOrders('BTC/USDT')).toEqual([])
    const balance = await client.fetchBalance()
    expect(Number(balance.USDT!.used)).toBe(0)
    expect(await dayCount('trader1')).toBe(10)
  })

  test('no more orders of an account pass in a second than may, by whichever gateway', async () => {
    const key = exchange.keys().trader2!
    const client = clientOf('trader2')
    const place = () => {
      const order = { symbol: 'ETHUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
      const query = client.sign({ ...order, quantity: '0.01', price: '1000' })
      return send(`${exchange.url}/api/v3/order?${query}`, 'POST', key.apiKey)
    }
    const answers = await Promise.all(Array.from({ length: 40 }, place))
    const counts = answers
      .filter(({ status }) => status === 200)
      .map(({ headers }) => Number(headers['x-mbx-order-count-1d']))
    expect(counts.sort((a, b) => a - b)).toEqual(counts.map((_, index) => index + 1))
    expect(counts).toHaveLength(10)
    for (const { status, headers, body } of answers) {
      if (status === 200) {
        expect(Number(headers['x-mbx-order-count-1s'])).toBeLessThanOrEqual(10)
        continue
      }
      expect([status, body.code, headers['retry-after']]).toEqual([429, -1015, '1'])
    }
  })

  test('orders that trade make room for others', async () => {
    const maker = clientOf('maker')
    const taker = clientOf('taker')
    const terms = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC', price: '40000' }
    const [makerBefore, takerBefore] = [await dayCount('maker'), await dayCount('taker')]
    for (let i = 0; i < 7; i++) {
      const order = { ...terms, side: 'SELL', quantity: '0.01' }
      expect((await maker.send('POST', '/api/v3/order', order)).status).toBe(200)
    }
    expect(await dayCount('maker')).toBe(makerBefore + 7)
    const order = { ...terms, side: 'BUY', quantity: '0.005' }
    expect((await taker.send('POST', '/api/v3/order', order)).status).toBe(200)
    await eventually('the counts fell', async () => {
      const counts = [await dayCount('maker'), await dayCount('taker')]
      return counts[0] === makerBefore + 2 && counts[1] === takerBefore ? counts : undefined
    })
  })
})
