import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { eventually } from '../../fixtures/eventually.ts'
import {
  type Json,
  keyOf,
  limitSettings,
  OneThreadExchange,
  queryOf,
  sign,
} from '../../fixtures/one-thread-exchange.ts'

/** A client that sends, and stops reading on demand. */
class SlowClient {
  private readonly socket: WebSocket

  private constructor(socket: WebSocket) {
    this.socket = socket
  }

  static async open(exchange: OneThreadExchange, path: string): Promise<SlowClient> {
    const socket = new WebSocket(`ws://127.0.0.1:${exchange.port}${path}`)
    await new Promise((resolve) => socket.once('open', resolve))
    return new SlowClient(socket)
  }

  async ask(frame: unknown): Promise<Json> {
    const answer = new Promise((resolve) => this.socket.once('message', resolve))
    this.socket.send(JSON.stringify(frame))
    return JSON.parse(String(await answer))
  }

  send(frame: unknown): void {
    this.socket.send(JSON.stringify(frame))
  }

  pause(): void {
    this.socket.pause()
  }

  /** Reads so many answers. Returns their ids. */
  readIds(count: number): Promise<number[]> {
    const ids: number[] = []
    const whole = new Promise<number[]>((resolve) => {
      this.socket.on('message', (data) => {
        ids.push((JSON.parse(String(data)) as { id: number }).id)
        if (ids.length === count) resolve(ids)
      })
    })
    this.socket.resume()
    return whole
  }

  /** Sends again and again, and never reads an answer, until the exchange ends the connection. */
  async askUntilClosed(
    exchange: OneThreadExchange,
    frame: () => unknown,
    burst = 1,
  ): Promise<void> {
    this.socket.pause()
    const connections = exchange.counter('connections')
    await eventually('the end of the connection', () => {
      for (let i = 0; i < burst; i++) this.socket.send(JSON.stringify(frame()))
      return exchange.counter('connections') < connections || undefined
    })
    this.socket.terminate()
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

/** Some 4 kB each, at any rate: the kernel keeps some megabytes of them, the gateway one. */
const unlimited = { limits: limitSettings(['--limits', 'off']) }
const asked = () => ({ id: 2, method: 'exchangeInfo' })
const BURST = 100

test('a client that asks for much and reads nothing is closed; others continue', async () => {
  const exchange = await OneThreadExchange.start(unlimited)
  const other = await exchange.socket('/ws-api/v3')
  const slow = await SlowClient.open(exchange, '/ws-api/v3')
  await slow.askUntilClosed(exchange, asked, BURST)
  expect([exchange.counter('slowClientsClosed'), exchange.counter('readerOverrun')]).toEqual([1, 0])
  expect(await other.ask({ id: 2, method: 'ping' })).toMatchObject({ id: 2, status: 200 })
  await other.close()
  await exchange.close()
})

test('one that asks for lists of orders and reads none is sent a few, and holds up no other', async () => {
  const exchange = await OneThreadExchange.start({ ...unlimited, commandSlots: 1024 })
  for (let i = 0; i < 200; i++) await exchange.limitOrder(1, 'BUY', '1.00', '10')
  const other = await exchange.socket('/ws-api/v3')
  const slow = await SlowClient.open(exchange, '/ws-api/v3')
  const ask = (id: number) => {
    const params = signed(exchange, 1, { symbol: 'BTCUSDT' })
    return { id, method: 'openOrders.status', params }
  }
  slow.pause()
  // Each has some 90 kB: together they are more than the kernel and the gateway would keep.
  for (let id = 0; id < 200; id++) slow.send(ask(id))
  await eventually('lists that wait', async () => {
    const before = exchange.counter('commands')
    expect((await other.ask(ask(1))).status).toBe(200)
    return exchange.counter('commands') === before + 1 || undefined
  })
  expect([exchange.counter('connections'), exchange.counter('slowClientsClosed')]).toEqual([2, 0])
  const ids = await slow.readIds(200)
  expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, id) => id))
  await other.close()
  await exchange.close()
})

test('the end of a slow client cancels the orders of its session and its subscriptions', async () => {
  const exchange = await OneThreadExchange.start(unlimited)
  const slow = await SlowClient.open(exchange, '/ws-api/v3')
  const ask = (method: string, params: Record<string, unknown>) =>
    slow.ask({ id: 1, method, params })
  const bound = await ask('session.cancelOnDisconnect', { enabled: true })
  expect(bound).toMatchObject({ status: 200 })
  const order = {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: '1.00',
    quantity: '10',
    newClientOrderId: 'bound',
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
  await slow.askUntilClosed(exchange, asked, BURST)
  await eventually('the cancel', async () => (await openOf(2)) === 0 || undefined)
  await eventually(
    'no subscription',
    () => exchange.counter('userSubscriptions') === 0 || undefined,
  )
  expect(exchange.counter('slowClientsClosed')).toBe(1)
  await exchange.close()
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
  await exchange.close()
})
