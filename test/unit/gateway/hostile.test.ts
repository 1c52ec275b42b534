import net from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Prng } from '../../../src/base/prng.ts'
import { keyOf, OneThreadExchange, queryOf, sign } from '../../fixtures/one-thread-exchange.ts'

let exchange: OneThreadExchange

beforeAll(async () => {
  exchange = await OneThreadExchange.start()
  await exchange.limitOrder(1, 'BUY', '100.00', '1.00000')
})
afterAll(() => exchange.close())

/** What comes back for raw bytes, until the server closes: they are all that is sent. */
function raw(bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = net.connect(exchange.port, '127.0.0.1')
    const end = () => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('data', (data) => {
      answer += data.toString('latin1')
    })
    socket.on('close', end)
    socket.on('error', () => {})
    socket.end(bytes)
  })
}

async function stateOfBook(): Promise<string> {
  const depth = await exchange.send('GET', '/api/v3/depth?symbol=BTCUSDT&limit=5000')
  const open = await exchange.signed(1, 'GET', '/api/v3/openOrders')
  return JSON.stringify([depth.body, open.body])
}

const head = (line: string, ...headers: string[]) =>
  `${[line, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`

describe('what is no request of the protocol', () => {
  test.each<[string, string]>([
    ['nothing', ''],
    ['no HTTP', 'hello\r\n\r\n'],
    ['half a request', 'GET /api/v3/ping HTT'],
    ['huge headers', head('GET /api/v3/ping HTTP/1.1', `X: ${'a'.repeat(1 << 20)}`)],
    ['a huge address', head(`GET /api/v3/ping?${'a'.repeat(1 << 20)} HTTP/1.1`)],
    ['a huge length', head('POST /api/v3/order HTTP/1.1', 'Content-Length: 99999999999999999999')],
    ['a negative length', head('POST /api/v3/order HTTP/1.1', 'Content-Length: -1')],
    ['half a body', `${head('POST /api/v3/order HTTP/1.1', 'Content-Length: 100')}symbol=`],
    ['bad chunks', `${head('POST /api/v3/order HTTP/1.1', 'Transfer-Encoding: chunked')}zz\r\n`],
    ['a broken upgrade', head('GET /ws HTTP/1.1', 'Upgrade: websocket', 'Sec-WebSocket-Key: x')],
  ])('%s is refused or cut off', async (_, bytes) => {
    const before = await stateOfBook()
    expect(await raw(bytes)).not.toMatch(/^HTTP\/1\.1 (200|50[0-4])/)
    expect(await stateOfBook()).toBe(before)
  })

  test('chunks in a row over the bound are cut off', async () => {
    const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`
    const request = head('POST /api/v3/order HTTP/1.1', 'Transfer-Encoding: chunked')
    expect(await raw(request + chunk.repeat(8))).toMatch(/^(HTTP\/1\.1 413|$)/)
  })

  test('requests sent at once are answered in order', async () => {
    const answers = await raw(head('GET /api/v3/ping HTTP/1.1').repeat(3))
    expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3)
  })

  test('random bytes change nothing', async () => {
    const prng = new Prng(1)
    const before = await stateOfBook()
    for (let round = 0; round < 30; round++) {
      const bytes = new Uint8Array(prng.between(1, 400)).map(() => prng.below(256))
      expect(await raw(bytes)).not.toMatch(/^HTTP\/1\.1 (200|50[0-4])/)
    }
    expect(await stateOfBook()).toBe(before)
  })
})

test('mutations of a signed order get an error of the protocol, and change nothing', async () => {
  const prng = new Prng(2)
  const order = 'symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&price=100.00&quantity=1.00000'
  const inserts = [
    '%',
    '%zz',
    '&',
    '=',
    '&symbol=ETHUSDT',
    '0'.repeat(40),
    '\u00e9',
    '+',
    '"',
    '-1',
  ]
  const before = await stateOfBook()
  for (let round = 0; round < 300; round++) {
    const query = `${order}&timestamp=${exchange.nowMs()}`
    const whole = `${query}&signature=${sign(1, query)}`
    const at = prng.below(whole.length)
    const insert = prng.pick(inserts)
    const changed = whole.slice(0, at) + insert + whole.slice(at + prng.below(3))
    // Percent and plus are the query's own business; the rest must be put into an address.
    const path = `/api/v3/order?${changed.replace('"', '%22').replace('\u00e9', '%C3%A9')}`
    const { status, body } = await exchange.send('POST', path, 1)
    expect([400, 401], changed).toContain(status)
    expect(body.code, changed).toBeLessThan(0)
    expect(typeof body.msg).toBe('string')
  }
  expect(await stateOfBook()).toBe(before)
})

test('random frames on every WebSocket address are answered or cut off', async () => {
  const prng = new Prng(3)
  const seeds = [
    '{"method":"SUBSCRIBE","params":["btcusdt@trade"],"id":1}',
    '{"id":1,"method":"order.place","params":{"symbol":"BTCUSDT","quantity":1e400}}',
    '{"id":1,"method":"depth","params":{"symbol":"BTCUSDT","limit":5}}',
  ]
  const before = await stateOfBook()
  for (const path of ['/ws', '/stream', '/ws-api/v3']) {
    const socket = await exchange.socket(path)
    for (let round = 0; round < 200; round++) {
      const frame = prng.pick(seeds)
      const at = prng.below(frame.length)
      socket.send(frame.slice(0, at) + String.fromCharCode(prng.below(300)) + frame.slice(at + 1))
      expect(await socket.next()).toBeTypeOf('object')
    }
    socket.send('['.repeat(60_000))
    expect(await socket.next()).toBeTypeOf('object')
    socket.send('x'.repeat(70_000))
    expect([await socket.closed(), socket.closeReason]).toEqual([1009, 'Message too big'])
  }
  expect(await stateOfBook()).toBe(before)
})

test('a signature over other bytes than were sent is refused', async () => {
  const query = queryOf({ symbol: 'BTCUSDT', newClientOrderId: 'a:b', timestamp: exchange.nowMs() })
  expect(query).toContain('%3A')
  const plain = query.replace('%3A', ':')
  const headers = { 'X-MBX-APIKEY': keyOf(1).apiKey }
  const path = `/api/v3/openOrders?${query}&signature=${sign(1, plain)}`
  const { body } = await exchange.send('GET', path, 0, { headers })
  expect(body.code).toBe(-1022)
})
