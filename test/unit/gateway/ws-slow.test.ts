import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { eventually } from '../../fixtures/eventually.ts'
import {
  type Json,
  keyOf,
  OneThreadExchange,
  queryOf,
  sign,
} from '../../fixtures/one-thread-exchange.ts'

/** A client that asks, and stops reading when it is told to. */
class SlowClient {
  readonly #socket: WebSocket

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  static async open(exchange: OneThreadExchange, path: string): Promise<SlowClient> {
    const socket = new WebSocket(`ws://127.0.0.1:${exchange.port}${path}`)
    await new Promise((resolve) => socket.once('open', resolve))
    return new SlowClient(socket)
  }

  async ask(frame: unknown): Promise<Json> {
    const answer = new Promise((resolve) => this.#socket.once('message', resolve))
    this.#socket.send(JSON.stringify(frame))
    return JSON.parse(String(await answer))
  }

  /** Asks again and again, and never reads an answer, until the exchange ends the connection. */
  async askUntilClosed(
    exchange: OneThreadExchange,
    frame: () => unknown,
    burst = 1,
  ): Promise<void> {
    this.#socket.pause()
    const connections = exchange.counter('connections')
    await eventually('the end of the connection', () => {
      for (let i = 0; i < burst; i++) this.#socket.send(JSON.stringify(frame()))
      return exchange.counter('connections') < connections || undefined
    })
    this.#socket.terminate()
  }
}

/** Signed now, as the WebSocket API wants it: names in order of the alphabet. */
function signed(exchange: OneThreadExchange, account: number, params: Record<string, string>) {
  const all: Record<string, string | number> = {
    ...params,
    apiKey: keyOf(account).apiKey,
    timestamp: exchange.nowMs(),
  }
  const names = Object.keys(all).sort()
  const query = queryOf(Object.fromEntries(names.map((name) => [name, all[name]!])))
  return { ...all, signature: sign(account, query) }
}

test('a client that asks for much and reads nothing is closed; others go on', async () => {
  const exchange = await OneThreadExchange.start({ commandSlots: 1024 })
  for (let i = 0; i < 200; i++) await exchange.limitOrder(1, 'BUY', '1.00', '10')
  const other = await exchange.socket('/ws-api/v3')
  const slow = new WebSocket(`ws://127.0.0.1:${exchange.port}/ws-api/v3`)
  await new Promise((resolve) => slow.once('open', resolve))
  slow.pause()
  const { apiKey } = keyOf(1)
  const paramsNow = () => {
    const timestamp = exchange.nowMs()
    const signature = sign(1, `apiKey=${apiKey}&symbol=BTCUSDT&timestamp=${timestamp}`)
    return { apiKey, symbol: 'BTCUSDT', timestamp, signature }
  }
  const ask = (id: number) => ({ id, method: 'openOrders.status', params: paramsNow() })
  // Each answer has some 90 kB: the kernel keeps a few of them, the gateway one megabyte.
  const isOver = () => exchange.counter('connections') === 1
  await eventually('the end of the connection', () => {
    slow.send(JSON.stringify(ask(1)))
    return isOver() || undefined
  })
  expect([exchange.counter('slowClientsClosed'), exchange.counter('readerLapped')]).toEqual([1, 0])
  expect(await other.ask({ id: 2, method: 'ping' })).toMatchObject({ id: 2, status: 200 })
  const { status } = await other.ask(ask(3))
  expect(status).toBe(200)
  slow.terminate()
  other.close()
  exchange.close()
})

test('the end of a slow client cancels the orders of its session and its subscriptions', async () => {
  const exchange = await OneThreadExchange.start({ commandSlots: 1024 })
  for (let i = 0; i < 200; i++) await exchange.limitOrder(1, 'BUY', '1.00', '10')
  const slow = await SlowClient.open(exchange, '/ws-api/v3')
  const ask = (method: string, params: Record<string, unknown>) =>
    slow.ask({ id: 1, method, params })
  const bound = await ask('session.cancelOnDisconnect', { enabled: true })
  expect(bound).toMatchObject({ status: 200 })
  const order = {
    ...{ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '1.00' },
    ...{ quantity: '10', newClientOrderId: 'bound' },
  }
  expect(await ask('order.place', signed(exchange, 2, order))).toMatchObject({ status: 200 })
  const listening = await ask('userDataStream.subscribe.signature', signed(exchange, 1, {}))
  expect(listening).toMatchObject({ status: 200 })
  const openOf = async (account: number) => {
    const { body } = await exchange.signed(account, 'GET', '/api/v3/openOrders')
    return (body as unknown as Json[]).length
  }
  expect(await openOf(2)).toBe(1)
  await eventually('a subscription', () => exchange.counter('userSubscriptions') === 1 || undefined)
  const all = () => signed(exchange, 1, { symbol: 'BTCUSDT' })
  await slow.askUntilClosed(exchange, () => ({ id: 2, method: 'openOrders.status', params: all() }))
  await eventually('the cancel', async () => (await openOf(2)) === 0 || undefined)
  await eventually(
    'no subscription',
    () => exchange.counter('userSubscriptions') === 0 || undefined,
  )
  expect([await openOf(1), exchange.counter('slowClientsClosed')]).toEqual([200, 1])
  exchange.close()
})

test('and so it does the streams that it read', async () => {
  const exchange = await OneThreadExchange.start()
  const { body } = await exchange.send('POST', '/api/v3/userDataStream', 1)
  const slow = await SlowClient.open(exchange, `/ws/${body.listenKey}`)
  const intervals = [
    '1s',
    '1m',
    '3m',
    '5m',
    '15m',
    '30m',
    '1h',
    '2h',
    '4h',
    '6h',
    '8h',
    '12h',
    '1d',
  ]
  const names = ['btcusdt', 'ethusdt'].flatMap((symbol) =>
    intervals.map((interval) => `${symbol}@kline_${interval}`),
  )
  expect(await slow.ask({ method: 'SUBSCRIBE', params: names, id: 1 })).toMatchObject({ id: 1 })
  const counts = () =>
    ['streamSubscriptions', 'userSubscriptions'].map((it) => exchange.counter(it))
  await eventually('the subscriptions', () => String(counts()) === `${names.length},1` || undefined)
  await slow.askUntilClosed(exchange, () => ({ method: 'LIST_SUBSCRIPTIONS', id: 2 }), 20)
  await eventually('no subscription', () => counts().every((count) => count === 0) || undefined)
  expect(exchange.counter('slowClientsClosed')).toBe(1)
  exchange.close()
})
