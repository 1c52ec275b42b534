/** Faults of requests over the WebSocket API. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ManualClock, ManualTime } from '../../../../src/base/manual-time.ts'
import { Ms } from '../../../../src/base/units.ts'
import { readFaultRule } from '../../../../src/sandbox/fault-rule.ts'
import { keyOf, OneThreadExchange, sign } from '../../../fixtures/one-thread-exchange.ts'
import type { TestSocket } from '../../../fixtures/test-socket.ts'

/** Delays last by it; a test moves it. */
const time = new ManualTime(new ManualClock(Ms(0)))
let exchange: OneThreadExchange
beforeAll(async () => {
  exchange = await OneThreadExchange.start({ sandbox: time })
})
afterAll(() => exchange.close())
beforeEach(async () => {
  await exchange.faults.remove(() => true)
})

type Values = Readonly<Record<string, string | number>>

const add = (given: Values) =>
  exchange.faults.add([readFaultRule({ name: 'rule', ...given }, () => undefined)])
const open = () => exchange.socket('/ws-api/v3?returnRateLimits=false')

const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
let ids = 0
function placing(newClientOrderId: string) {
  const params: Values = {
    ...order,
    price: '100',
    quantity: '1',
    newClientOrderId,
    apiKey: keyOf(1).apiKey,
    timestamp: exchange.nowMs(),
  }
  const pairs = Object.keys(params)
    .sort()
    .map((name) => `${name}=${params[name]}`)
  const signature = sign(1, pairs.join('&'))
  return { id: ++ids, method: 'order.place', params: { ...params, signature } }
}
const place = (socket: TestSocket, id: string) => socket.ask(placing(id))

async function statusOf(origClientOrderId: string) {
  const params = { symbol: 'BTCUSDT', origClientOrderId }
  const { status, body } = await exchange.signed(1, 'GET', '/api/v3/order', params)
  return status === 200 ? body!.status : body!.code
}

test('an unknown status, and silence, which ends the connection at last', async () => {
  const socket = await open()
  await add({ do: 'unknown', operation: 'placeOrder', status: 500, code: -1006 })
  expect(await place(socket, 'ws-1006')).toMatchObject({ status: 500, error: { code: -1006 } })
  expect(await statusOf('ws-1006')).toBe('NEW')
  await add({ do: 'unknown', operation: 'placeOrder', body: 'html' })
  expect(await place(socket, 'ws-page')).toMatchObject({ status: 504, error: { code: -1000 } })
  await add({ do: 'silence', way: 'in', operation: 'placeOrder' })
  socket.send(placing('ws-silent'))
  await expect.poll(() => exchange.faults.rows()[0]!.touched).toBe(1)
  expect(await socket.ask({ id: 'p', method: 'ping' })).toMatchObject({ id: 'p', status: 200 })
  time.advance(60_000)
  expect(await socket.closed()).toBe(1006)
  expect(await statusOf('ws-silent')).toBe(-2013)
  await add({ do: 'cut', way: 'in', operation: 'placeOrder' })
  const other = await open()
  other.send(placing('ws-cut'))
  expect(await other.closed()).toBe(1006)
  expect(await statusOf('ws-cut')).toBe(-2013)
})

describe('a catch-all rule', () => {
  const places = ['/ws/btcusdt@trade', '/stream', '/ws-api/v3']
  /** The status of the answer to a handshake, with its body; or why there is none. */
  const shaken = (path: string) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${exchange.port}${path}`)
      socket.on('unexpected-response', (_, response) => {
        let body = ''
        response.on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () => resolve(`${response.statusCode} ${body}`))
      })
      socket.on('open', () => {
        socket.terminate()
        resolve('open')
      })
      socket.on('error', (error) => resolve(error.message))
    })

  test.each(places)('of 503 refuses the handshake of %s, counted, and by number', async (path) => {
    await add({ do: 'answer', status: 503, message: 'Down.', every: 2 })
    expect(await shaken(path)).toBe('open')
    expect(await shaken(path)).toBe('503 {"code":-1000,"msg":"Down."}')
    expect(exchange.faults.rows()[0]).toMatchObject({ matches: 2, touched: 1 })
    await add({ do: 'proxy', status: 503 })
    expect(await shaken(path)).toContain('<h1>503 Service Temporarily Unavailable')
    await add({ do: 'limit', retry: 7 })
    expect(await shaken(path)).toBe('429 {"code":-1003,"msg":"Too many requests."}')
    await add({ do: 'answer', status: 503, address: '10.0.0.1' })
    expect(await shaken(path)).toBe('open')
  })

  test('of 503 refuses SUBSCRIBE, and nothing is subscribed', async () => {
    const socket = await exchange.socket('/ws')
    await add({ do: 'answer', status: 503, code: -1001, message: 'Down.' })
    const subscribe = { method: 'SUBSCRIBE', params: ['btcusdt@trade'], id: 5 }
    expect(await socket.ask(subscribe)).toEqual({ code: -1001, msg: 'Down.', id: 5 })
    await exchange.faults.remove(() => true)
    const list = { method: 'LIST_SUBSCRIPTIONS', id: 6 }
    expect(await socket.ask(list)).toEqual({ result: [], id: 6 })
    await add({ do: 'cut' })
    socket.send(subscribe)
    expect(await socket.closed()).toBe(1006)
  })

  test('of silence answers no handshake until it is over, and no SUBSCRIBE', async () => {
    const socket = await exchange.socket('/ws')
    await add({ do: 'silence', ms: 5_000 })
    let isOver = false
    const silent = shaken('/ws').finally(() => {
      isOver = true
    })
    await expect.poll(() => exchange.faults.rows()[0]!.touched).toBe(1)
    socket.send({ method: 'LIST_SUBSCRIPTIONS', id: 1 })
    await expect.poll(() => exchange.faults.rows()[0]!.touched).toBe(2)
    time.advance(4_999)
    await socket.roundTrip()
    expect([isOver, socket.waiting]).toEqual([false, 0])
    time.advance(1)
    expect(await silent).toContain('socket hang up')
    expect(await socket.closed()).toBe(1006)
    expect(time.nextInMs).toBeUndefined()
  })

  test.each(places)('of a delay has the handshake of %s come later', async (path) => {
    await add({ do: 'delay', ms: 300 })
    const later = shaken(path)
    await expect.poll(() => exchange.faults.rows()[0]!.touched).toBe(1)
    const gone = new WebSocket(`ws://127.0.0.1:${exchange.port}${path}`)
    gone.on('error', () => {})
    await expect.poll(() => exchange.faults.rows()[0]!.touched).toBe(2)
    gone.terminate()
    await exchange.faults.remove(() => true)
    time.advance(299)
    // Handshakes of now pass those that wait.
    expect(await shaken(path)).toBe('open')
    const isWaiting = async (handshake: Promise<string>) => {
      let isOver = false
      void handshake.then(() => {
        isOver = true
      })
      expect(await shaken(path)).toBe('open')
      return !isOver
    }
    expect(await isWaiting(later)).toBe(true)
    time.advance(1)
    expect(await later).toBe('open')
    await add({ do: 'delay', ms: 300 })
    await exchange.faults.add([readFaultRule({ name: 'then', do: 'forbid' }, () => undefined)])
    const forbidden = shaken(path)
    await expect.poll(() => exchange.faults.rows()[1]!.touched).toBe(1)
    await exchange.faults.remove(() => true)
    expect(await isWaiting(forbidden)).toBe(true)
    time.advance(300)
    expect(await forbidden).toContain('403')
  })

  test('of a delay has SUBSCRIBE carried out, or answered, later', async () => {
    const socket = await exchange.socket('/ws')
    const subscribe = { method: 'SUBSCRIBE', params: ['btcusdt@trade'], id: 5 }
    const list = { method: 'LIST_SUBSCRIPTIONS', id: 6 }
    const asked = async () => {
      socket.send(subscribe)
      await expect.poll(() => exchange.faults.rows()[0]!.touched).toBe(1)
      await exchange.faults.remove(() => true)
      return (await socket.ask(list)).result
    }
    await add({ do: 'delay', way: 'in', ms: 10 })
    expect(await asked()).toEqual([])
    time.advance(10)
    expect(await socket.next()).toEqual({ result: null, id: 5 })
    socket.send({ ...subscribe, method: 'UNSUBSCRIBE' })
    expect(await socket.next()).toEqual({ result: null, id: 5 })
    await add({ do: 'delay', ms: 10 })
    expect(await asked()).toEqual(['btcusdt@trade'])
    time.advance(10)
    expect(await socket.next()).toEqual({ result: null, id: 5 })
    socket.close()
  })

  test('of an unknown status subscribes, and answers with it', async () => {
    const socket = await exchange.socket('/ws')
    await add({ do: 'unknown' })
    const subscribe = { method: 'SUBSCRIBE', params: ['btcusdt@trade'], id: 5 }
    expect(await socket.ask(subscribe)).toMatchObject({ code: -1007, id: 5 })
    expect(await shaken('/ws')).toMatch(/^504 {"code":-1007,/)
    await exchange.faults.remove(() => true)
    const list = { method: 'LIST_SUBSCRIPTIONS', id: 6 }
    expect(await socket.ask(list)).toEqual({ result: ['btcusdt@trade'], id: 6 })
    socket.close()
  })

  test('of a silence of no time cuts', async () => {
    await add({ do: 'silence', ms: 0 })
    expect(await shaken('/ws')).toContain('socket hang up')
    await exchange.faults.remove(() => true)
    expect(await shaken('/ws')).toBe('open')
  })

  test('over REST, streams or sessions takes these alone', async () => {
    const taken = async () => {
      const { status } = await exchange.send('GET', '/api/v3/ping')
      const streams = await shaken('/ws')
      const sessions = await shaken('/ws-api/v3')
      return [status === 503, streams !== 'open', sessions !== 'open']
    }
    await add({ do: 'answer', status: 503, over: 'rest' })
    expect(await taken()).toEqual([true, false, false])
    await add({ do: 'answer', status: 503, over: 'streams' })
    expect(await taken()).toEqual([false, true, false])
    const socket = await open()
    await add({ do: 'answer', status: 503, over: 'sessions' })
    expect(await taken()).toEqual([false, false, true])
    expect(await socket.ask({ id: 1, method: 'ping' })).toMatchObject({ status: 503 })
    await add({ do: 'answer', status: 503 })
    expect(await taken()).toEqual([true, true, true])
    // A rule that names an operation, a parameter or a symbol is for requests.
    await add({ do: 'answer', status: 503, operation: '*' })
    expect(await taken()).toEqual([true, false, false])
  })
})

test('an error instead of execution has the shape of the protocol', async () => {
  const socket = await open()
  await add({ do: 'answer', operation: 'placeOrder', status: 500, code: -1001, message: 'Down.' })
  const error = { code: -1001, msg: 'Down.' }
  expect(await place(socket, 'never')).toEqual({ id: ids, status: 500, error })
  await add({ do: 'proxy', operation: 'placeOrder', status: 503 })
  expect(await place(socket, 'never')).toMatchObject({ status: 503, error: { code: -1000 } })
  await add({ do: 'limit', operation: 'placeOrder', retry: 9 })
  const limited = await place(socket, 'never')
  expect(limited).toMatchObject({ status: 429, error: { code: -1003 } })
  const { serverTime, retryAfter } = (limited.error as { data: Record<string, number> }).data
  expect(retryAfter! - serverTime!).toBe(9_000)
  await add({ do: 'refuse', operation: 'placeOrder', reason: 'INSUFFICIENT_BALANCE' })
  expect(await place(socket, 'never')).toMatchObject({ status: 400, error: { code: -2010 } })
  expect(await statusOf('never')).toBe(-2013)
  socket.close()
})

test('an order of unknown fate is found by a query', async () => {
  const socket = await open()
  await add({ do: 'unknown', operation: 'placeOrder' })
  expect(await place(socket, 'lost')).toMatchObject({ status: 504, error: { code: -1007 } })
  expect(await statusOf('lost')).toBe('NEW')
  socket.close()
})

test.each(['cut', 'half'])('the answer is %s, and the connection is gone', async (how) => {
  const socket = await open()
  await add({ do: how, operation: 'placeOrder' })
  socket.send(placing(`${how}-1`))
  expect(await socket.closed()).toBe(1006)
  expect(socket.waiting).toBe(0)
  expect(await statusOf(`${how}-1`)).toBe('NEW')
})

test('the answer comes twice, and the connection goes on', async () => {
  const socket = await open()
  await add({ do: 'twice', operation: 'placeOrder', times: 1 })
  const first = await place(socket, 'twice-1')
  expect([first.status, await socket.next()]).toEqual([200, first])
  expect((await place(socket, 'twice-2')).status).toBe(200)
  expect(await socket.ask({ id: 1, method: 'ping' })).toEqual({ id: 1, status: 200, result: {} })
  socket.close()
})

test('a delayed answer does not hold up those behind it', async () => {
  const socket = await open()
  await add({ do: 'delay', operation: 'placeOrder', ms: 300 })
  socket.send(placing('slow-1'))
  expect(await socket.ask({ id: 0, method: 'ping' })).toMatchObject({ id: 0 })
  await expect.poll(() => statusOf('slow-1')).toBe('NEW')
  time.advance(300)
  expect(await socket.next()).toMatchObject({ id: ids, status: 200 })
  socket.close()
})
