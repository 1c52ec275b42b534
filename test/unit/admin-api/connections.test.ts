/** The admin server stays open to monitors and operators, whatever strangers do at its port. */
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimPort } from '../../../scripts/exchange/ports.ts'
import { AdminServer } from '../../../src/admin-api/admin-server.ts'
import { AdminConnections, ROOM_SIZES } from '../../../src/admin-api/connections.ts'
import { noFeed } from './no-feed.ts'

const port = await claimPort()
let server: AdminServer
let displaced = 0
let sockets: net.Socket[] = []
/** Actions under way end when this resolves, by finish(). */
let underWay = Promise.resolve()
let finish = () => {}

beforeEach(async () => {
  displaced = 0
  underWay = new Promise((resolve) => {
    finish = resolve
  })
  server = new AdminServer([], () => displaced++)
  await server.listen(port)
  server.ready({
    readCounters: () => [],
    metrics: { text: () => 'up 1\n' },
    actions: {
      ...noFeed,
      knows: ({ headers }) => headers.authorization === 'Bearer own',
      answer: async ({ url }) => {
        if (url === '/actions/backup') await underWay
        return [200, { said: 'Done.' }]
      },
    },
  })
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  finish()
  await server.close()
})

async function open(): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

const requestText = (url: string, headers = '') =>
  `GET ${url} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`
const OWN = 'Authorization: Bearer own\r\n'

/** Sends a request, and returns the first bytes of its answer; '' when the connection was closed. */
async function ask(socket: net.Socket, url: string, headers = ''): Promise<string> {
  const answer = Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.write(requestText(url, headers))
  return String((await answer)[0])
}

async function expectOpen(): Promise<void> {
  for (const url of ['/healthz', '/readyz', '/counters', '/metrics']) {
    expect(await ask(await open(), url)).toMatch(/^HTTP\/1\.1 200 /)
  }
  expect(await ask(await open(), '/actions/halt', OWN)).toMatch(/^HTTP\/1\.1 200 /)
}

/** Opens as many connections, which do the same each, one after the other. */
async function crowd(count: number, deed: (socket: net.Socket) => unknown): Promise<void> {
  for (let i = 0; i < count; i++) await deed(await open())
}

test('silent connections make room for each other, and none for those who ask', async () => {
  const operator = await open()
  await ask(operator, '/actions', OWN)
  const monitor = await open()
  await ask(monitor, '/metrics')
  await crowd(3 * ROOM_SIZES.stranger, () => {})
  await expectOpen()
  expect(displaced).toBeGreaterThanOrEqual(2 * ROOM_SIZES.stranger)
  expect(await ask(monitor, '/metrics')).toMatch(/^HTTP\/1\.1 200 /)
  expect(await ask(operator, '/actions', OWN)).toMatch(/^HTTP\/1\.1 200 /)
})

test('connections whose headers never end do not either', async () => {
  await crowd(2 * ROOM_SIZES.stranger, (socket) => socket.write('GET / HTTP/1.1\r\nHost: loc'))
  await expectOpen()
})

test('monitors make room for each other', async () => {
  await crowd(3 * ROOM_SIZES.monitor, (socket) => ask(socket, '/healthz'))
  await expectOpen()
})

test.each<[status: number, url: string, headers: string]>([
  [403, '/healthz', 'Origin: https://evil.example\r\n'],
  [403, '/actions', `${OWN}Sec-Fetch-Site: cross-site\r\n`],
  [404, '/none', ''],
])('a refusal %d of %s ends its connection', async (status, url, headers) => {
  const socket = await open()
  const closed = once(socket, 'close')
  expect(await ask(socket, url, headers)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  await closed
})

test('a client reads its refusal although the body was long', async () => {
  const request = http.request({ port, host: '127.0.0.1', path: '/actions/halt', method: 'POST' })
  request.setHeader('Origin', 'https://evil.example')
  request.end('x'.repeat(200_000))
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  expect([response.statusCode, response.headers.connection]).toEqual([403, 'close'])
})

test('connections that have ended are no longer counted', () => {
  let closed = 0
  const connections = new AdminConnections(() => closed++)
  for (let i = 0; i < 3 * ROOM_SIZES.stranger; i++) {
    const connection = new PassThrough()
    connections.enter(connection)
    connection.emit('close')
  }
  for (let i = 0; i < ROOM_SIZES.stranger; i++) connections.enter(new PassThrough())
  expect(closed).toBe(0)
  connections.enter(new PassThrough())
  expect(closed).toBe(1)
})

test('silence is ended soon', async () => {
  const socket = await open()
  socket.resume()
  const closed = once(socket, 'close').then(() => 'closed')
  expect(await Promise.race([closed, pause(5_000, 'open')])).toBe('closed')
})

test('acts under way are not displaced; idle operators are', async () => {
  const busy: Promise<string>[] = []
  await crowd(ROOM_SIZES.operator - 1, (socket) => busy.push(ask(socket, '/actions/backup', OWN)))
  const idle = await open()
  await ask(idle, '/actions', OWN)
  const last = await open()
  const closed = once(idle, 'close')
  busy.push(ask(last, '/actions/backup', OWN))
  await closed
  expect(await ask(await open(), '/actions', OWN)).toMatch(/^HTTP\/1\.1 503 /)
  expect(await ask(await open(), '/healthz')).toMatch(/^HTTP\/1\.1 200 /)
  finish()
  for (const answer of await Promise.all(busy)) expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})
