import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, OneThreadExchange } from '../../fixtures/one-thread-exchange.ts'
import type { TestSocket } from '../../fixtures/test-socket.ts'
import { upgrade } from '../../fixtures/upgrade.ts'

let exchange: OneThreadExchange
const opened: TestSocket[] = []

async function open(path: string): Promise<TestSocket> {
  const socket = await exchange.socket(path)
  opened.push(socket)
  return socket
}

beforeAll(async () => {
  exchange = await OneThreadExchange.start()
})
afterAll(async () => {
  for (const socket of opened) socket.close()
  await exchange.close()
})

const known = '`SUBSCRIBE`, `UNSUBSCRIBE`, `LIST_SUBSCRIPTIONS`, `SET_PROPERTY`, `GET_PROPERTY`'

describe('subscribing', () => {
  test.each([
    ['/ws', []],
    ['/ws/0', ['0']],
    ['/ws/btcusdt@trade', ['btcusdt@trade']],
    ['/ws/btcusdt@trade/ethusdt@depth@100ms', ['btcusdt@trade', 'ethusdt@depth@100ms']],
    ['/ws/btcusdt%40trade', ['btcusdt@trade']],
    ['/ws/%zz', []],
    [`/ws/${'-'.repeat(64)}/${'a'.repeat(65)}`, ['-'.repeat(64)]],
    ['/ws/btcusdt@kline_1d@+08:00', ['btcusdt@kline_1d@+08:00']],
    ['/ws/btcusdt%40kline_1d%40%2B08%3A00', ['btcusdt@kline_1d@+08:00']],
    ['/ws/!ticker@arr/%21miniTicker%40arr', ['!ticker@arr', '!miniTicker@arr']],
    ['/stream', []],
    ['/stream?streams=', []],
    ['/stream/', []],
    ['/stream/?streams=', []],
    ['/stream/?streams=btcusdt@trade', ['btcusdt@trade']],
    ['/stream?streams=btcusdt%40trade%2Fethusdt%40trade', ['btcusdt@trade', 'ethusdt@trade']],
    ['/stream?streams=!bookTicker', ['!bookTicker']],
    ['/stream?streams=btcusdt@trade/what@ever', ['btcusdt@trade', 'what@ever']],
    ['/stream?timeUnit=MICROSECOND&streams=btcusdt@bookTicker', ['btcusdt@bookTicker']],
  ])('%s begins with %j', async (path, names) => {
    const socket = await open(path)
    const listed = await socket.ask({ method: 'LIST_SUBSCRIPTIONS', id: 3 })
    expect(listed).toEqual({ result: names, id: 3 })
  })

  test.each([
    '/ws',
    '/ws/btcusdt@trade',
    '/stream',
    '/stream/',
    '/ws-api/v3',
    '/ws-api/v3/',
  ])('%s with a unit of time that is none is refused as over REST', async (path) => {
    expect((await upgrade(exchange.url, `${path}?timeUnit=HOUR`)).statusCode).toBe(400)
    expect((await upgrade(exchange.url, `${path}?timeUnit=microsecond`)).statusCode).toBe(101)
  })

  test.each([
    ['responseFormat=json&sbeSchemaId=3', 101, undefined],
    ['responseFormat=json&responseFormat=json', 101, undefined],
    ['responseFormat=sbe&sbeSchemaId=3&sbeSchemaVersion=5', 101, undefined],
    ['responseFormat=sbe&sbeSchemaId=3&sbeSchemaVersion=2', 101, undefined],
    ['responseFormat=sbe', 400, -1153],
    ['responseFormat=sbe&sbeSchemaId=3', 400, -1153],
    ['responseFormat=sbe&sbeSchemaId=3&sbeSchemaVersion=x', 400, -1153],
    ['responseFormat=sbe&sbeSchemaId=3&sbeSchemaVersion=6', 400, -1153],
    ['responseFormat=sbe&sbeSchemaId=3&sbeSchemaVersion=1', 400, -1153],
    ['responseFormat=sbe&sbeSchemaId=2&sbeSchemaVersion=1', 400, -1153],
    ['responseFormat=sbe&responseFormat=json', 400, -1130],
    ['responseFormat=xml', 400, -1130],
    ['responseFormat=', 400, -1130],
  ])('a session with %s: %d', async (query, status, code) => {
    const response = await upgrade(exchange.url, `/ws-api/v3?${query}`)
    expect(response.statusCode).toBe(status)
    if (code === undefined) return
    expect(response.headers['content-type']).toBe('application/json;charset=UTF-8')
    expect(await json(response)).toMatchObject({ code })
    expect((await upgrade(exchange.url, `/ws?${query}`)).statusCode).toBe(101)
  })

  test('adds names once, takes them away, echoes every kind of id', async () => {
    const socket = await open('/ws')
    const names = ['btcusdt@trade', 'btcusdt@trade', 'no_such@stream']
    socket.send('{"method":"SUBSCRIBE","params":["ethusdt@trade"],"id":9223372036854775807}')
    expect(await socket.nextText()).toBe('{"result":null,"id":9223372036854775807}')
    const id = '0123456789abcdef0123456789abcdef'
    expect(await socket.ask({ method: 'SUBSCRIBE', params: names, id })).toEqual({
      result: null,
      id,
    })
    const gone = { method: 'UNSUBSCRIBE', params: ['ethusdt@trade', 'never there'], id: null }
    expect(await socket.ask(gone)).toEqual({ result: null, id: null })
    expect(await socket.ask({ method: 'LIST_SUBSCRIPTIONS', id: -1 })).toEqual({
      result: ['btcusdt@trade', 'no_such@stream'],
      id: -1,
    })
  })

  test.each([
    '0',
    '-1',
    '9223372036854775807',
    '-9223372036854775808',
    'null',
    '""',
    '"9d32157c-a556-4d27-9866-66760a174b57"',
  ])('the id %s is echoed', async (id) => {
    const socket = await open('/ws')
    socket.send(`{"method":"LIST_SUBSCRIPTIONS","id":${id}}`)
    expect(await socket.nextText()).toBe(`{"result":[],"id":${id}}`)
  })

  test.each([
    '9223372036854775808',
    '-9223372036854775809',
    '1.5',
    '1e3',
    'true',
    '[]',
    '{}',
    '"a b"',
    '"123456789012345678901234567890123456x"',
  ])('the id %s is refused', async (id) => {
    const socket = await open('/ws')
    socket.send(`{"method":"LIST_SUBSCRIPTIONS","id":${id}}`)
    const msg = 'Invalid request: request ID must be an unsigned integer'
    expect(await socket.nextText()).toBe(JSON.stringify({ code: 2, msg }))
  })

  test.each([
    ['/ws', false],
    ['/stream', true],
  ])('%s has combined = %s until it is set', async (path, combined) => {
    const socket = await open(path)
    const asked = { method: 'GET_PROPERTY', params: ['combined'], id: 1 }
    expect(await socket.ask(asked)).toEqual({ result: combined, id: 1 })
    await socket.ask({ method: 'SET_PROPERTY', params: ['combined', !combined], id: 2 })
    expect(await socket.ask(asked)).toEqual({ result: !combined, id: 1 })
  })

  test.each<[string, number, string]>([
    ['{"method":"SET_PROPERTY","params":["colour",true],"id":1}', 0, 'Unknown property'],
    ['{"method":"GET_PROPERTY","params":["colour"],"id":1}', 0, 'Unknown property'],
    [
      '{"method":"SET_PROPERTY","params":["combined",1],"id":1}',
      1,
      'Invalid value type: expected Boolean',
    ],
    [
      '{"method":"SET_PROPERTY","params":[5,true],"id":1}',
      2,
      'Invalid request: property name must be a string',
    ],
    ['{"method":"GET_PROPERTY","id":1}', 2, 'Invalid request: property name must be a string'],
    [
      '{"method":"SUBSCRIBE","params":["a"],"id":{}}',
      2,
      'Invalid request: request ID must be an unsigned integer',
    ],
    [
      '{"method":"SUBSCRIBE","params":["a"]}',
      2,
      'Invalid request: request ID must be an unsigned integer',
    ],
    [
      '{"method":"GET_PROPERTY","params":["combined","b"],"id":1}',
      2,
      'Invalid request: too many parameters',
    ],
    [
      '{"method":"LIST_SUBSCRIPTIONS","params":["b"],"id":1}',
      2,
      'Invalid request: too many parameters',
    ],
    [
      '{"method":"SUBSCRIBE","params":[1],"id":1}',
      2,
      'Invalid request: params must be an array of strings',
    ],
    ['{"id":1}', 2, 'Invalid request: missing field `method` at line 1 column 8'],
    ['[1]', 2, 'Invalid request: missing field `method` at line 1 column 3'],
    [
      '{"method":"SUBSCRIBEX","id":1}',
      2,
      `Invalid request: unknown variant SUBSCRIBEX, expected one of ${known} at line 1 column 22`,
    ],
    ['{"method":', 3, 'Invalid JSON: expected value at line 1 column 11'],
    ['{\n"method": what}', 3, 'Invalid JSON: expected value at line 2 column 11'],
    ['', 3, 'Invalid JSON: expected value at line 1 column 1'],
  ])('%s is answered with code %i', async (frame, code, msg) => {
    const socket = await open('/ws')
    expect(await socket.ask(frame)).toMatchObject({ code, msg })
  })

  test('more streams than a connection may have are refused', async () => {
    const socket = await open('/ws')
    const names = Array.from({ length: 1025 }, (_, i) => `s${i}`)
    const change = (method: string, params: readonly string[]) =>
      socket.ask({ method, params, id: 1 })
    expect(await change('SUBSCRIBE', names)).toMatchObject({ code: 2 })
    expect(await change('SUBSCRIBE', names.slice(0, 1024))).toEqual({ result: null, id: 1 })
    expect(await change('SUBSCRIBE', names.slice(1024))).toMatchObject({ code: 2 })
    await change('UNSUBSCRIBE', names.slice(0, 1))
    expect(await change('SUBSCRIBE', names.slice(1024))).toEqual({ result: null, id: 1 })
    const { result } = await socket.ask({ method: 'LIST_SUBSCRIPTIONS', id: 2 })
    expect(result).toEqual(names.slice(1))
  })
})

describe('names that are no stream', () => {
  test.each([
    'BTCUSDT@trade',
    'btcusdt@Trade',
    '!bookTicker',
    'nosuch@trade',
    'btcusdt@depth7',
  ])('%s is accepted and stays silent', async (name) => {
    const socket = await open('/ws')
    const asked = { method: 'SUBSCRIBE', params: [name], id: 1 }
    expect(await socket.ask(asked)).toEqual({ result: null, id: 1 })
    const other = await open('/ws/btcusdt@trade')
    await exchange.limitOrder(1, 'SELL', '300.00', '1.00000')
    await exchange.limitOrder(2, 'BUY', '300.00', '1.00000')
    await other.next()
    expect(socket.waiting).toBe(0)
  })
})

describe('market streams', () => {
  test('tell a trade in every framing and unit of time', async () => {
    const sockets = [
      await open('/ws/btcusdt@trade'),
      await open('/stream?streams=btcusdt@trade'),
      await open('/ws/btcusdt@trade?timeUnit=microsecond'),
      await open('/stream?streams=btcusdt@trade&timeUnit=MICROSECOND'),
    ]
    await exchange.limitOrder(1, 'SELL', '300.00', '1.00000')
    await exchange.limitOrder(2, 'BUY', '300.00', '1.00000')
    const [raw, combined, micro, both] = await Promise.all(sockets.map((it) => it.next()))
    expect(raw).toMatchObject({ e: 'trade', s: 'BTCUSDT', p: '300.00000000', m: false })
    expect(combined).toEqual({ stream: 'btcusdt@trade', data: { ...raw } })
    expect(String(micro!.T)).toBe(`${raw!.T}000`)
    expect((both!.data as Json).T).toBe(micro!.T)
  })

  test('tell changes of the best prices, and only those', async () => {
    const socket = await open('/ws/ethusdt@bookTicker')
    const place = (side: string, price: string) =>
      exchange.signed(1, 'POST', '/api/v3/order', {
        symbol: 'ETHUSDT',
        side,
        type: 'LIMIT',
        timeInForce: 'GTC',
        price,
        quantity: '1.00000',
      })
    await place('BUY', '10.00')
    await place('BUY', '9.00')
    await place('BUY', '11.00')
    const [first, second] = [await socket.next(), await socket.next()]
    expect(first).toMatchObject({ s: 'ETHUSDT', b: '10.00000000', B: '1.00000000' })
    expect(second).toMatchObject({ b: '11.00000000', u: (first.u as number) + 2 })
    expect(first).not.toHaveProperty('E')
  })

  test('depth frames continue each other and lead from a snapshot to the next', async () => {
    const socket = await open('/ws/btcusdt@depth@100ms')
    const snapshot = await exchange.send('GET', '/api/v3/depth?symbol=BTCUSDT&limit=5000')
    const book = new Map<string, string>()
    const apply = (side: string, rows: unknown) => {
      for (const [price, quantity] of rows as [string, string][]) {
        if (Number(quantity) === 0) book.delete(side + price)
        else book.set(side + price, quantity)
      }
    }
    apply('b', snapshot.body.bids)
    apply('a', snapshot.body.asks)
    let at = snapshot.body.lastUpdateId as number
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 5; i++) await exchange.limitOrder(1, 'BUY', `5${round}.0${i}`, '1.00000')
      await exchange.limitOrder(2, 'SELL', `5${round}.04`, '1.00000')
    }
    const { body } = await exchange.send('GET', '/api/v3/depth?symbol=BTCUSDT&limit=5000')
    while (at < (body.lastUpdateId as number)) {
      const frame = await socket.next()
      if ((frame.u as number) <= at) continue
      expect(frame.U as number).toBeLessThanOrEqual(at + 1)
      apply('b', frame.b)
      apply('a', frame.a)
      at = frame.u as number
    }
    expect(at).toBe(body.lastUpdateId)
    const rows = (side: string) => body[side === 'b' ? 'bids' : 'asks'] as [string, string][]
    const expected = ['b', 'a'].flatMap((side) => rows(side).map(([p, q]) => [side + p, q]))
    expect(Object.fromEntries(book)).toEqual(Object.fromEntries(expected))
  })

  test('a depth stream continues without a gap when its framing changes', async () => {
    const socket = await open('/ws/btcusdt@depth@100ms')
    let last = 0
    const frames: Json[] = []
    for (let round = 0; round < 6; round++) {
      await exchange.limitOrder(1, 'BUY', '3.00', '1.00000')
      const params = ['combined', round % 2 === 0]
      socket.send({ method: 'SET_PROPERTY', params, id: round })
      await exchange.limitOrder(1, 'BUY', '3.00', '1.00000')
    }
    const { body } = await exchange.send('GET', '/api/v3/depth?symbol=BTCUSDT')
    while (last < (body.lastUpdateId as number)) {
      const frame = await socket.next()
      if ('result' in frame) continue
      const update = (frame.data ?? frame) as Json
      frames.push(update)
      last = update.u as number
    }
    expect(frames.slice(1).map((frame) => frame.U)).toEqual(
      frames.slice(0, -1).map((frame) => (frame.u as number) + 1),
    )
    expect((frames[0]!.U as number) + 11).toBe(last)
  })

  test('a stream that was left stays silent', async () => {
    const socket = await open('/ws/btcusdt@trade')
    await socket.ask({ method: 'UNSUBSCRIBE', params: ['btcusdt@trade'], id: 1 })
    const other = await open('/ws/btcusdt@trade')
    await exchange.limitOrder(1, 'SELL', '300.00', '1.00000')
    await exchange.limitOrder(2, 'BUY', '300.00', '1.00000')
    await other.next()
    expect(socket.waiting).toBe(0)
  })
})

describe('a reader that was overrun', () => {
  test('closes streams, fails who waits, and knows the book again', async () => {
    const socket = await open('/ws/btcusdt@trade')
    await exchange.limitOrder(1, 'BUY', '20.00', '3.00000')
    exchange.pause()
    const waiting = exchange.limitOrder(1, 'BUY', '21.00', '3.00000')
    while (exchange.waiting() === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    exchange.overrunEvents()
    const { status, body } = await waiting
    expect([status, body.code]).toEqual([504, -1007])
    expect(await socket.closed()).toBe(1013)
    expect(socket.closeReason).toBe('events were missed, reconnect')
    expect(exchange.warnings).toHaveLength(1)
    expect(exchange.counter('readerOverrun')).toBe(1)
    exchange.resume()
    await exchange.limitOrder(1, 'BUY', '22.00', '1.00000')
    const bids = async () =>
      (await exchange.send('GET', '/api/v3/depth?symbol=BTCUSDT&limit=5000')).body.bids
    await expect.poll(bids).toContainEqual(['21.00000000', '3.00000000'])
    expect(await bids()).toContainEqual(['22.00000000', '1.00000000'])
  })
})
