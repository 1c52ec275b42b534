/** Clients that continue after a limit was met, on real sockets of two gateways. */
import net from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import {
  ANSWER_BYTES_MAX,
  BAD_SIGNATURES_MAX,
  BYTES_INTERVAL_MS,
  FRAME_BYTES_MAX,
  REFUSALS_MAX,
} from '../../../../src/gateway/limits/address-guard.ts'
import { handshake } from '../../../fixtures/handshake.ts'
import { limitSettings, OneThreadExchange, queryOf } from '../../../fixtures/one-thread-exchange.ts'
import { signingKey } from '../test-keys.ts'

let exchange: OneThreadExchange
afterEach(() => exchange.close())

async function begin(flags: string, keys = [signingKey('ED25519').spec]): Promise<void> {
  const limits = limitSettings(flags === '' ? [] : flags.split(' '))
  exchange = await OneThreadExchange.start({ gateways: 2, limits, keys })
  exchange.frozenMs = Math.ceil(Date.now() / 86_400_000) * 86_400_000
}

const PING = 'GET /api/v3/ping HTTP/1.1\r\nHost: x\r\n\r\n'

/** Requests in one connection, one after another answer; what came until the server closed, if it did. */
function pipeline(count: number): Promise<{ text: string; closed: boolean }> {
  return new Promise((resolve) => {
    const socket = net.connect(exchange.port, '127.0.0.1')
    let text = ''
    const done = (closed: boolean) => {
      socket.destroy()
      resolve({ text, closed })
    }
    socket.on('data', (data) => {
      text += data.toString('latin1')
      if ((text.match(/HTTP\/1\.1 /g) ?? []).length >= count) done(false)
    })
    socket.on('error', () => {})
    socket.on('close', () => done(true))
    socket.write(PING.repeat(count))
  })
}

describe('on the WebSocket API', () => {
  test.each([
    ['requests', JSON.stringify({ id: 1, method: 'ping' })],
    ['malformed frames', '{'],
    ['unknown methods', JSON.stringify({ id: 1, method: 'x' })],
  ])('%s after a limit are answered until the ban, then closed', async (_, frame) => {
    await begin('--weight-limit 7 --ban-after 3')
    const socket = await exchange.socket('/ws-api/v3')
    const statuses = []
    for (let i = 0; i < 9; i++)
      statuses.push(((await socket.ask(frame)) as { status: number }).status)
    expect(statuses.slice(5)).toEqual([429, 429, 429, 418])
    expect([await socket.closed(), socket.closeReason]).toEqual([1008, 'Too many requests'])
  })

  test('a flood of tiny frames is cut off after the ban, not judged for ever', async () => {
    await begin('--weight-limit 7 --ban-after 3')
    const socket = await exchange.socket('/ws-api/v3')
    for (let i = 0; i < 5_000; i++) socket.send('1')
    // A flood may be cut off without a close frame.
    expect([1006, 1008]).toContain(await socket.closed())
    const sum = exchange.counter('requests', 0) + exchange.counter('requests', 1)
    expect(sum).toBeLessThanOrEqual(10)
  })

  test('a flood is cut off after a hundred refusals where no ban comes', async () => {
    await begin('--weight-limit 7 --ban-after 1000000')
    const socket = await exchange.socket('/ws-api/v3')
    for (let i = 0; i < 5_000; i++) socket.send('1')
    // A flood may be cut off without a close frame.
    expect([1006, 1008]).toContain(await socket.closed())
    const sum = exchange.counter('requests', 0) + exchange.counter('requests', 1)
    expect(sum).toBeLessThanOrEqual(5 + 101)
  })

  test('a ban closes idle connections of its address, and no streams', async () => {
    await begin('--weight-limit 20 --ban-after 1')
    const stream = await exchange.socket('/ws')
    const sockets = [await exchange.socket('/ws-api/v3'), await exchange.socket('/ws-api/v3')]
    while ((await exchange.send('GET', '/api/v3/ping')).status !== 418) {}
    for (const socket of sockets) expect(await socket.closed()).toBe(1008)
    expect(await stream.ask({ method: 'LIST_SUBSCRIPTIONS', id: 1 })).toMatchObject({ id: 1 })
  })
})

test('an address that continues after its ban is closed at accept; its streams stay', async () => {
  await begin('--weight-limit 5 --ban-after 3')
  const stream = await exchange.socket('/ws')
  const { text, closed } = await pipeline(2 * REFUSALS_MAX)
  expect(closed).toBe(true)
  expect(text.match(/HTTP\/1\.1 418/g)!.length).toBeLessThanOrEqual(REFUSALS_MAX)
  expect(await pipeline(1)).toEqual({ text: '', closed: true })
  expect(await stream.ask({ method: 'LIST_SUBSCRIPTIONS', id: 1 })).toMatchObject({ id: 1 })
  await expect(exchange.socket('/ws')).rejects.toThrow()
  exchange.frozenMs! += 60_000
  expect((await pipeline(1)).text).toMatch(/^HTTP\/1\.1 418/)
})

test.each(['/nothing', '/openapi.json', '/ws'])('requests for %s are limited too', async (path) => {
  await begin('--raw-requests-limit 5 --ban-after 3')
  for (let i = 0; i < 10; i++) await fetch(`${exchange.url}${path}`)
  const after = await exchange.send('GET', '/api/v3/ping')
  expect(after.status).toBe(418)
})

test('an address that sends more WebSocket upgrades than it may is closed in the end', async () => {
  await begin('--connections-limit 1')
  const first = await exchange.socket('/ws')
  const socket = net.connect(exchange.port, '127.0.0.1')
  let text = ''
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  socket.on('error', () => {})
  socket.write(handshake().repeat(REFUSALS_MAX + 50))
  await new Promise((resolve) => socket.once('close', resolve))
  expect(text.match(/HTTP\/1\.1 429/g)!.length).toBeLessThanOrEqual(REFUSALS_MAX)
  expect(await first.ask({ method: 'LIST_SUBSCRIPTIONS', id: 1 })).toMatchObject({ id: 1 })
})

test('bad signatures of costly keys are refused unchecked after a hundred, HMAC is not', async () => {
  const { spec, sign } = signingKey('ED25519')
  await begin('', [spec])
  const ask = (isGood: boolean) => {
    const query = queryOf({ symbol: 'BTCUSDT', timestamp: exchange.nowMs() })
    const signature = encodeURIComponent(sign(isGood ? query : `${query}0`))
    const headers = { 'X-MBX-APIKEY': spec.apiKey }
    return exchange.send('GET', `/api/v3/openOrders?${query}&signature=${signature}`, 0, {
      headers,
    })
  }
  expect((await ask(true)).status).toBe(200)
  for (let i = 0; i < BAD_SIGNATURES_MAX; i++) {
    expect((await ask(false)).body.code).toBe(-1022)
  }
  for (const isGood of [false, true]) {
    const refused = await ask(isGood)
    expect([refused.status, refused.body.code]).toEqual([429, -1003])
    expect(refused.headers.get('retry-after')).toBe('60')
  }
  expect((await exchange.signed(1, 'GET', '/api/v3/rateLimit/order')).status).toBe(200)
  exchange.frozenMs! += 60_000
  expect((await ask(true)).status).toBe(200)
})

describe('bytes of one address, over all gateways, in ten seconds', () => {
  test('of long frames are bounded: the connection that sends more is closed unread', async () => {
    await begin('')
    const bytes = 60_000
    const frame = JSON.stringify({ id: 1, method: 'ping', more: ''.padEnd(bytes, 'x') })
    const sockets = [await exchange.socket('/ws-api/v3'), await exchange.socket('/ws-api/v3')]
    let frames = 0
    for (; (frames + 1) * frame.length <= FRAME_BYTES_MAX; frames++) {
      expect(await sockets[frames % 2]!.ask(frame)).toMatchObject({ status: 200 })
    }
    const requests = exchange.counter('requests', 0) + exchange.counter('requests', 1)
    expect(requests).toBe(frames)
    sockets[0]!.send(frame)
    expect(await sockets[0]!.closed()).toBe(1006)
    // Frames of the usual size continue, and long ones in the next interval.
    expect(await sockets[1]!.ask({ id: 1, method: 'ping' })).toMatchObject({ status: 200 })
    exchange.frozenMs! += BYTES_INTERVAL_MS
    expect(await sockets[1]!.ask(frame)).toMatchObject({ status: 200 })
    const refused = exchange.counter('framesRefused', 0) + exchange.counter('framesRefused', 1)
    expect(refused).toBe(1)
  })

  test.each([
    ['a document', '/openapi.json'],
    ['an operation', '/api/v3/depth?symbol=BTCUSDT&limit=5000'],
  ])('of answers are bounded, those of %s too', async (_, path) => {
    await begin('--weight-limit 100000000 --orders-per-second 1000')
    for (let level = 1; level <= 1_000; level++) {
      const price = (level / 100).toFixed(2)
      expect((await exchange.limitOrder(1, 'BUY', price, '1')).status).toBe(200)
    }
    let bytes = 0
    while (bytes < ANSWER_BYTES_MAX) {
      const answer = await exchange.send('GET', path)
      expect(answer.status).toBe(200)
      bytes += JSON.stringify(answer.body).length
    }
    const refused = await exchange.send('GET', '/api/v3/ping')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect(exchange.counter('answersRefused', 0) + exchange.counter('answersRefused', 1)).toBe(1)
    exchange.frozenMs! += BYTES_INTERVAL_MS
    expect((await exchange.send('GET', path)).status).toBe(200)
  })
})
