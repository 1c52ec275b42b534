/** The feed of prices over a WebSocket: who may open one, what its messages get, and what ends it. */
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { claimPort } from '../../../scripts/exchange/ports.ts'
import { ActionRequests } from '../../../src/admin-api/action-requests.ts'
import { AdminServer } from '../../../src/admin-api/admin-server.ts'
import { ROOM_SIZES } from '../../../src/admin-api/connections.ts'
import { MESSAGE_BYTES_MAX, UNANSWERED_MAX } from '../../../src/admin-api/price-feed.ts'
import type { Table } from '../../../src/base/cold-input.ts'
import { ActionError } from '../../../src/control/action.ts'
import type { CommandExecutor } from '../../../src/control/command-executor.ts'
import type { Operator } from '../../../src/control/operators.ts'

const port = await claimPort()
const PRICES = '{"BTCUSDT":"65000"}'
let server: AdminServer
/** By token. */
let operators: Record<string, Operator>
let taken: Table[]
/** Prices are journaled when this resolves, by journal(). */
let journaled: Promise<void>
let journal = () => {}
let sockets: (WebSocket | net.Socket)[]

beforeEach(async () => {
  operators = { own: { name: 'own', role: 'admin' }, other: { name: 'other', role: 'support' } }
  taken = []
  journaled = Promise.resolve()
  sockets = []
  const executor = {
    operatorOf: (token: string) => operators[token],
    feed: async (prices: Table) => {
      if ('X' in prices) throw new ActionError('There is no symbol X.')
      if ('Y' in prices) throw new Error('the disk is full')
      taken.push(prices)
      await journaled
      return { BTCUSDT: 'set' }
    },
  } as unknown as CommandExecutor
  server = new AdminServer()
  await server.listen(port)
  ready(executor)
})
afterEach(async () => {
  journal()
  for (const socket of sockets) {
    if (socket instanceof WebSocket) socket.terminate()
    else socket.destroy()
  }
  await server.close()
})

function ready(executor: CommandExecutor): void {
  const token = { accepts: () => false }
  const readings = { figures: () => ({}), history: () => undefined }
  const actions = new ActionRequests(executor, token, readings)
  server.ready({ readCounters: () => [], metrics: { text: () => 'up 1\n' }, actions })
}

function holdJournal(): void {
  journaled = new Promise((resolve) => {
    journal = resolve
  })
}

function connect(token = 'own', path = '/reference-prices', headers = {}): WebSocket {
  const authorization = { Authorization: `Bearer ${token}` }
  const url = `ws://127.0.0.1:${port}${path}`
  const socket = new WebSocket(url, { headers: { ...authorization, ...headers } })
  socket.on('error', () => {})
  sockets.push(socket)
  return socket
}

async function open(token = 'own'): Promise<WebSocket> {
  const socket = connect(token)
  await once(socket, 'open')
  return socket
}

async function ask(socket: WebSocket, text: string | Buffer): Promise<unknown> {
  socket.send(text)
  const [answer] = await once(socket, 'message')
  return JSON.parse(String(answer))
}

/** The refusal of a handshake. */
async function refusal(socket: WebSocket): Promise<[status: number, body: string]> {
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    http.IncomingMessage,
  ]
  let body = ''
  for await (const chunk of response) body += String(chunk)
  return [response.statusCode!, body]
}

const closing = async (socket: WebSocket): Promise<number> =>
  Number((await once(socket, 'close'))[0])

describe('messages', () => {
  test('are taken as the route takes them, each with an answer', async () => {
    const socket = await open()
    expect(await ask(socket, PRICES)).toEqual({ BTCUSDT: 'set' })
    expect(taken).toEqual([{ BTCUSDT: '65000' }])
    expect(await ask(socket, '{"X":"1"}')).toEqual({ error: 'There is no symbol X.' })
    expect(await ask(socket, '{"Y":"1"}')).toEqual({
      error: 'The prices are not set: the disk is full',
    })
    expect(await ask(socket, '[')).toEqual({ error: 'The arguments must be a JSON object.' })
    expect(taken).toHaveLength(1)
  })

  test('are answered in their order, while a price is on its way', async () => {
    const socket = await open()
    holdJournal()
    const answers: unknown[] = []
    socket.on('message', (data) => answers.push(JSON.parse(String(data))))
    socket.send(PRICES)
    socket.send('{"X":"1"}')
    await expect.poll(() => taken).toHaveLength(1)
    expect(answers).toEqual([])
    journal()
    await expect.poll(() => answers).toHaveLength(2)
    expect(answers).toEqual([{ BTCUSDT: 'set' }, { error: 'There is no symbol X.' }])
  })

  test('are read no further while as many have no answer', async () => {
    const socket = await open()
    holdJournal()
    let answers = 0
    socket.on('message', () => answers++)
    const count = 40 * UNANSWERED_MAX
    for (let i = 0; i < count; i++) socket.send(PRICES)
    await expect.poll(() => taken.length).toBeGreaterThanOrEqual(UNANSWERED_MAX)
    const { length } = taken
    // What one read of the connection brought is taken.
    expect(length).toBeLessThan(UNANSWERED_MAX + (64 * 1024) / PRICES.length)
    expect((await refusal(connect('nobody')))[0]).toBe(401)
    expect(taken).toHaveLength(length)
    journal()
    await expect.poll(() => answers).toBe(count)
    expect(taken).toHaveLength(count)
  })

  test.each([
    ['of the most bytes', PRICES.padEnd(MESSAGE_BYTES_MAX)],
    ['of 126 bytes', PRICES.padEnd(126)],
    ['of 125 bytes', PRICES.padEnd(125)],
  ])('%s are taken', async (_, text) => {
    expect(await ask(await open(), text)).toEqual({ BTCUSDT: 'set' })
  })

  test('in pieces are taken, with a ping between them', async () => {
    const socket = await open()
    socket.send(PRICES.slice(0, 5), { fin: false })
    socket.ping('x')
    expect(String((await once(socket, 'pong'))[0])).toBe('x')
    socket.send('', { fin: false })
    expect(await ask(socket, PRICES.slice(5))).toEqual({ BTCUSDT: 'set' })
    expect(taken).toEqual([{ BTCUSDT: '65000' }])
  })
})

describe('a feed ends', () => {
  test('at its next message once its token is not valid any more', async () => {
    const socket = await open()
    expect(await ask(socket, PRICES)).toEqual({ BTCUSDT: 'set' })
    delete operators.own
    socket.send(PRICES)
    expect(await closing(socket)).toBe(1008)
    expect(taken).toHaveLength(1)
  })

  test('with the server', async () => {
    const socket = await open()
    const closed = closing(socket)
    await server.close()
    expect(await closed).toBe(1006)
  })

  test('when its client closes it', async () => {
    const socket = await open()
    socket.close()
    expect(await closing(socket)).toBe(1000)
  })

  test.each<[why: string, code: number, send: (socket: WebSocket) => void]>([
    ['a message is a byte too long', 1009, (it) => it.send(PRICES.padEnd(MESSAGE_BYTES_MAX + 1))],
    [
      'its pieces are a byte too long',
      1009,
      (it) => {
        it.send(PRICES.padEnd(MESSAGE_BYTES_MAX), { fin: false })
        it.send(' ')
      },
    ],
    ['a message is binary', 1003, (it) => it.send(Buffer.from(PRICES))],
    [
      'a message is no UTF-8',
      1007,
      (it) => it.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false }),
    ],
  ])('when %s', async (_, code, send) => {
    const socket = await open()
    send(socket)
    expect(await closing(socket)).toBe(code)
    expect(taken).toEqual([])
  })
})

describe('on the wire', () => {
  async function raw(headers = ''): Promise<net.Socket> {
    const socket = net.connect(port, '127.0.0.1')
    sockets.push(socket)
    await once(socket, 'connect')
    socket.write(
      'GET /reference-prices HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer own\r\n' +
        `Connection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`,
    )
    return socket
  }
  const HANDSHAKE = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  const read = async (socket: net.Socket): Promise<Buffer> => (await once(socket, 'data'))[0]

  test('the handshake is signed as RFC 6455 says', async () => {
    const socket = await raw(HANDSHAKE)
    expect(String(await read(socket))).toMatch(
      /^HTTP\/1\.1 101 .*\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n\r\n$/s,
    )
  })

  test.each([
    '',
    HANDSHAKE.replace('13', '8'),
    HANDSHAKE.replace('==', '='),
  ])('the headers %j are no handshake', async (headers) => {
    const socket = await raw(headers)
    const closed = once(socket, 'close')
    expect(String(await read(socket))).toMatch(/^HTTP\/1\.1 400 /)
    await closed
  })

  const MASK = [0, 0, 0, 0]
  test.each<[what: string, code: number, bytes: readonly number[]]>([
    ['a frame without a mask', 1002, [0x81, 0x00]],
    ['a frame of an extension', 1002, [0xc1, 0x80, ...MASK]],
    ['an opcode of none', 1002, [0x83, 0x80, ...MASK]],
    ['a control frame of none', 1002, [0x8b, 0x80, ...MASK]],
    ['a ping in pieces', 1002, [0x09, 0x80, ...MASK]],
    ['a ping of 126 bytes', 1002, [0x89, 0xfe, 0, 126, ...MASK]],
    ['a piece of no message', 1002, [0x80, 0x80, ...MASK]],
    ['a message within another', 1002, [0x01, 0x80, ...MASK, 0x81, 0x80, ...MASK]],
    ['a length of 2^63', 1009, [0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0]],
  ])('%s closes the connection, and nothing behind it is read', async (_, code, bytes) => {
    const socket = await raw(HANDSHAKE)
    await read(socket)
    const message = [0x81, 0x80 | PRICES.length, ...MASK, ...Buffer.from(PRICES)]
    socket.write(Buffer.from([...bytes, ...message]))
    const answer = await read(socket)
    expect([...answer.subarray(0, 4)]).toEqual([0x88, 0x02, code >> 8, code & 0xff])
    expect(taken).toEqual([])
  })

  test('a message is taken that came byte by byte, its first ones with the handshake', async () => {
    const message = [0x81, 0x80 | PRICES.length, 1, 2, 3, 4]
    for (const [i, byte] of Buffer.from(PRICES).entries()) message.push(byte ^ ((i & 3) + 1))
    const socket = await raw()
    socket.destroy()
    const other = net.connect(port, '127.0.0.1')
    sockets.push(other)
    const head =
      'GET /reference-prices HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer own\r\n' +
      `Connection: Upgrade\r\nUpgrade: websocket\r\n${HANDSHAKE}\r\n`
    other.write(Buffer.concat([Buffer.from(head), Buffer.from(message.slice(0, 3))]))
    await read(other)
    for (const byte of message.slice(3)) {
      other.write(Buffer.from([byte]))
      await new Promise(setImmediate)
    }
    expect(String((await read(other)).subarray(2))).toBe('{"BTCUSDT":"set"}')
  })

  test('a client that reads nothing is ended', async () => {
    const socket = await raw(HANDSHAKE)
    await read(socket)
    socket.pause()
    socket.on('error', () => {})
    const ping = Buffer.from([0x89, 0x80 | 125, ...MASK, ...Buffer.alloc(125)])
    const flood = Buffer.concat(Array.from({ length: 2_000 }, () => ping))
    let isClosed = false
    const closed = new Promise<void>((resolve) => {
      socket.on('close', () => {
        isClosed = true
        resolve()
      })
    })
    while (!isClosed) {
      if (socket.write(flood)) continue
      const drained = new Promise<void>((resolve) => socket.once('drain', () => resolve()))
      await Promise.race([drained, closed])
    }
  })
})

describe('a handshake', () => {
  test.each<[status: number, token: string, headers: object]>([
    [401, 'nobody', {}],
    [403, 'other', {}],
    [403, 'own', { Origin: 'https://evil.example' }],
  ])('gets %d with the token %s and %j', async (status, token, headers) => {
    expect((await refusal(connect(token, '/reference-prices', headers)))[0]).toBe(status)
  })

  test('of another path gets what the path has', async () => {
    expect(await refusal(connect('own', '/metrics'))).toEqual([200, 'up 1\n'])
    expect((await refusal(connect('own', '/none')))[0]).toBe(404)
  })

  test('for another protocol is a request of HTTP/1.1', async () => {
    const headers = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c' }
    const request = http.get({ host: '127.0.0.1', port, path: '/metrics', headers })
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    expect(response.statusCode).toBe(200)
    response.resume()
    await once(response, 'end')
  })

  test('before the start, and after a failure, says why', async () => {
    server.fail('The disk failed.')
    expect(await refusal(connect())).toEqual([503, '{"error":"The disk failed."}'])
    await server.close()
    server = new AdminServer()
    await server.listen(port)
    expect((await refusal(connect()))[0]).toBe(503)
  })

  test('displaces the feed that was quiet longest, and none whose price is on its way', async () => {
    const feeds: WebSocket[] = []
    for (let i = 0; i < ROOM_SIZES.feed; i++) feeds.push(await open())
    const [first, second, ...others] = feeds
    expect(await ask(first!, PRICES)).toEqual({ BTCUSDT: 'set' })
    const closed = closing(second!)
    const newest = await open()
    expect(await closed).toBe(1006)
    holdJournal()
    const busy = [first!, ...others, newest]
    for (const socket of busy) socket.send(PRICES)
    await expect.poll(() => taken).toHaveLength(1 + busy.length)
    expect(await refusal(connect())).toEqual([503, '{"error":"Four feeds of prices are busy."}'])
    const answered = Promise.all(busy.map((socket) => once(socket, 'message')))
    journal()
    await answered
    await open()
  })
})
