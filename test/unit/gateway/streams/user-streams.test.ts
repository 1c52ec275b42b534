import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, keyOf, OneThreadExchange, sign } from '../../../fixtures/one-thread-exchange.ts'
import type { TestSocket } from '../../../fixtures/test-socket.ts'

let exchange: OneThreadExchange
const opened: TestSocket[] = []

beforeAll(async () => {
  exchange = await OneThreadExchange.start()
})
afterAll(async () => {
  for (const socket of opened) socket.close()
  await exchange.close()
})

async function open(path: string): Promise<TestSocket> {
  const socket = await exchange.socket(path)
  opened.push(socket)
  return socket
}

async function listenKeyOf(account: number): Promise<string> {
  const { body } = await exchange.send('POST', '/api/v3/userDataStream', account)
  return body.listenKey as string
}

const signedParams = (account: number) => {
  const { apiKey } = keyOf(account)
  const timestamp = exchange.nowMs()
  const signature = sign(account, `apiKey=${apiKey}&timestamp=${timestamp}`)
  return { apiKey, timestamp, signature }
}

const subscribe = (account: number) => ({
  id: 'sub',
  method: 'userDataStream.subscribe.signature',
  params: signedParams(account),
})

const brief = ({ e, x, X, c }: Json) => [e, x, X, c].filter((it) => it !== undefined).join(' ')

/** The next n events, in short. */
async function events(socket: TestSocket, count: number): Promise<Json[]> {
  const list: Json[] = []
  for (let i = 0; i < count; i++) list.push(await socket.next())
  return list
}

describe('by listen key', () => {
  test('an account hears of its orders and then of its balances, in order', async () => {
    const maker = await open(`/ws/${await listenKeyOf(1)}`)
    const taker = await open(`/ws/${await listenKeyOf(2)}`)
    await exchange.limitOrder(1, 'SELL', '100.00', '1.00000')
    await exchange.limitOrder(2, 'BUY', '100.00', '1.00000')
    expect((await events(maker, 4)).map(({ e, x, X }) => [e, x, X])).toEqual([
      ['executionReport', 'NEW', 'NEW'],
      ['outboundAccountPosition', undefined, undefined],
      ['executionReport', 'TRADE', 'FILLED'],
      ['outboundAccountPosition', undefined, undefined],
    ])
    const [created, traded, position] = await events(taker, 3)
    expect([created!.x, traded!.x]).toEqual(['NEW', 'TRADE'])
    const { body } = await exchange.signed(2, 'GET', '/api/v3/account')
    for (const { a, f, l } of position!.B as Json[]) {
      expect(body.balances).toContainEqual({ asset: a, free: f, locked: l })
    }
  })

  test('a combined connection names the key as the stream', async () => {
    const key = await listenKeyOf(1)
    const socket = await open(`/stream?streams=${key}/btcusdt@trade`)
    await exchange.limitOrder(1, 'BUY', '1.00', '10.00000')
    const frame = await socket.next()
    expect(frame).toMatchObject({ stream: key, data: { e: 'executionReport' } })
  })

  test('the same key is given again, kept alive, and refused to others', async () => {
    const key = await listenKeyOf(1)
    expect(await listenKeyOf(1)).toBe(key)
    expect(key).toMatch(/^[A-Za-z0-9]{64}$/)
    const put = (account: number, listenKey: string) =>
      exchange.send('PUT', `/api/v3/userDataStream?listenKey=${listenKey}`, account)
    expect((await put(1, key)).body).toEqual({})
    expect((await put(2, key)).body.code).toBe(-1125)
    expect((await put(1, `${key.slice(1)}x`)).body.code).toBe(-1125)
  })

  test.each<[string, string, number | undefined]>([
    ['/ws', 'a'.repeat(64), 1008],
    ['/ws', `Z${'9'.repeat(63)}`, 1008],
    ['/stream?streams=', `btcusdt@trade/${'a'.repeat(64)}`, 1008],
    ['/ws', 'a'.repeat(63), undefined],
    ['/ws', 'a'.repeat(65), undefined],
    ['/ws', `${'a'.repeat(63)}_`, undefined],
    ['/ws', '0', undefined],
  ])('a connection to %s/%s, which is no key, ends if it could be one', async (path, name, code) => {
    const socket = await open(path === '/ws' ? `/ws/${name}` : `${path}${name}`)
    if (code === undefined) {
      expect(
        await socket.ask({ id: 1, method: 'SET_PROPERTY', params: ['combined', false] }),
      ).toEqual({ result: null, id: 1 })
    } else {
      expect(await socket.closed()).toBe(code)
      expect(socket.closeReason).toBe('This listenKey does not exist.')
    }
  })

  test('closing the key closes its connections', async () => {
    const key = await listenKeyOf(1)
    const socket = await open(`/ws/${key}`)
    await exchange.send('DELETE', `/api/v3/userDataStream?listenKey=${key}`, 1)
    expect(await listenKeyOf(1)).not.toBe(key)
    expect(await socket.closed()).toBe(1000)
  })

  test('a key that runs out says so', async () => {
    const key = await listenKeyOf(2)
    const socket = await open(`/ws/${key}`)
    exchange.pass(60 * 60 * 1000)
    expect(await socket.next()).toMatchObject({ e: 'listenKeyExpired', listenKey: key })
    await exchange.limitOrder(2, 'BUY', '1.00', '10.00000')
    expect(socket.waiting).toBe(0)
  })
})

describe('by subscription', () => {
  test('events name the subscription, until it ends', async () => {
    const socket = await open('/ws-api/v3')
    const started = await socket.ask(subscribe(2))
    expect(started).toMatchObject({ id: 'sub', status: 200, result: { subscriptionId: 0 } })
    const again = await socket.ask(subscribe(2))
    expect(again).toMatchObject({ status: 400, error: { code: -2035 } })
    const other = await socket.ask(subscribe(1))
    expect(other.result).toEqual({ subscriptionId: 1 })
    expect((await socket.ask({ id: 1, method: 'session.subscriptions' })).result).toEqual([
      { subscriptionId: 0 },
      { subscriptionId: 1 },
    ])
    await exchange.limitOrder(2, 'BUY', '2.00', '10.00000')
    const [report, position] = await events(socket, 2)
    expect(report).toMatchObject({ subscriptionId: 0, event: { e: 'executionReport', x: 'NEW' } })
    expect(position).toMatchObject({ event: { e: 'outboundAccountPosition' } })
    const ended = { id: 2, method: 'userDataStream.unsubscribe', params: { subscriptionId: 0 } }
    expect(await socket.ask(ended)).toMatchObject({ status: 200, result: {} })
    expect(await socket.next()).toMatchObject({ event: { e: 'eventStreamTerminated' } })
    expect(await socket.ask(ended)).toMatchObject({ status: 400, error: { code: -2036 } })
  })

  test('a cancel is told by its own id and the one of the order', async () => {
    const socket = await open('/ws-api/v3')
    await socket.ask(subscribe(1))
    const placed = await exchange.limitOrder(1, 'BUY', '3.00', '10.00000')
    await exchange.signed(1, 'DELETE', '/api/v3/order', {
      symbol: 'BTCUSDT',
      orderId: placed.body.orderId as number,
      newClientOrderId: 'bye',
    })
    const frames = await events(socket, 4)
    const shown = frames.map((frame) => brief(frame.event as Json))
    expect(shown[2]).toBe('executionReport CANCELED CANCELED bye')
    expect((frames[2]!.event as Json).C).toBe(placed.body.clientOrderId)
    expect(shown[3]).toBe('outboundAccountPosition')
  })

  test.each([
    ['a wrong signature', { signature: '0'.repeat(64) }, 400, -1022],
    ['an unknown key', { apiKey: 'z'.repeat(64) }, 401, -2015],
    ['no timestamp', { timestamp: null }, 400, -1102],
  ])('%s is refused', async (_, change, status, code) => {
    const socket = await open('/ws-api/v3')
    const frame = { ...subscribe(1), params: { ...signedParams(1), ...change } }
    expect(await socket.ask(frame)).toMatchObject({ status, error: { code } })
  })
})

describe('more than plain orders', () => {
  const inShort = (frames: Json[]) =>
    frames.map(({ e, x, X, l, r }) => [e, x ?? l, X, r].filter((it) => it !== undefined).join(' '))

  async function listener(account: number): Promise<TestSocket> {
    const socket = await open(`/ws/${await listenKeyOf(account)}`)
    // Else its response may come before it listens.
    await exchange.limitOrder(account, 'BUY', '1.00', '10.00000')
    await events(socket, 2)
    return socket
  }

  test('a list is told of as it is placed and as it is canceled', async () => {
    const socket = await listener(2)
    const pair = {
      symbol: 'BTCUSDT',
      side: 'SELL',
      quantity: '1.00000',
      aboveType: 'LIMIT_MAKER',
      abovePrice: '150.00',
      belowType: 'STOP_LOSS_LIMIT',
      belowStopPrice: '50.00',
      belowPrice: '49.00',
      belowTimeInForce: 'GTC',
    }
    const { body } = await exchange.signed(2, 'POST', '/api/v3/orderList/oco', pair)
    const placed = await events(socket, 4)
    expect(inShort(placed)).toEqual([
      'executionReport NEW NEW NONE',
      'executionReport NEW NEW NONE',
      'listStatus EXEC_STARTED NONE',
      'outboundAccountPosition',
    ])
    const { orderListId, orders } = body as { orderListId: number; orders: Json[] }
    expect(placed.slice(0, 2).map(({ g, i, w, P }) => [g, i, w, P])).toEqual([
      [orderListId, orders[0]!.orderId, false, '50.00000000'],
      [orderListId, orders[1]!.orderId, true, '0.00000000'],
    ])
    expect(placed[2]).toMatchObject({ g: orderListId, c: 'OCO', L: 'EXECUTING' })
    await exchange.signed(2, 'DELETE', '/api/v3/orderList', { symbol: 'BTCUSDT', orderListId })
    expect(inShort(await events(socket, 4))).toEqual([
      'executionReport CANCELED CANCELED NONE',
      'executionReport CANCELED CANCELED NONE',
      'listStatus ALL_DONE NONE',
      'outboundAccountPosition',
    ])
  })

  test('a replacement that cannot be paid for is told of as refused', async () => {
    const socket = await listener(1)
    const resting = await exchange.limitOrder(1, 'BUY', '2.00', '10.00000')
    await events(socket, 2)
    const { body } = await exchange.signed(1, 'POST', '/api/v3/order/cancelReplace', {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      cancelReplaceMode: 'STOP_ON_FAILURE',
      cancelOrderId: resting.body.orderId as number,
      quantity: '9000.00000',
      price: '90.00',
      newClientOrderId: 'dear',
    })
    expect(body.code).toBe(-2021)
    const told = await events(socket, 3)
    expect(inShort(told)).toEqual([
      'executionReport CANCELED CANCELED NONE',
      'executionReport REJECTED REJECTED INSUFFICIENT_BALANCES',
      'outboundAccountPosition',
    ])
    expect(told[1]).toMatchObject({ c: 'dear', p: '90.00000000', q: '9000.00000000', i: -1 })
  })

  test('an amendment keeps the order and changes its id', async () => {
    const socket = await listener(1)
    const resting = await exchange.limitOrder(1, 'BUY', '2.00', '10.00000')
    await events(socket, 2)
    const { orderId } = resting.body
    const { body } = await exchange.signed(1, 'PUT', '/api/v3/order/amend/keepPriority', {
      symbol: 'BTCUSDT',
      orderId: orderId as number,
      newQty: '6.00000',
      newClientOrderId: 'less',
    })
    const [replaced, position] = await events(socket, 2)
    expect(replaced).toMatchObject({ x: 'REPLACED', X: 'NEW', c: 'less', C: '', q: '6.00000000' })
    expect(replaced).toMatchObject({ i: orderId, I: body.executionId, w: true })
    expect(position!.e).toBe('outboundAccountPosition')
  })
})
