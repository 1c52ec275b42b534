/** The load generator against small servers: what it sends, what it counts, what it refuses. */
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { buildNative } from '../../../bench/harness/native.ts'
import { overload, Plans, runLoad } from '../../../bench/wire/load.ts'
import { hasTool } from '../../runner/tools.ts'

const plans = new Plans()
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})
afterAll(() => plans.remove())

interface Seen {
  readonly method: string
  readonly url: URL
  readonly query: string
  readonly apiKey: string | undefined
  readonly body: string
}

/** Replies with `reply` to the n-th request, and keeps what was sent. */
async function serve(
  reply: (count: number) => { status?: number; body: string; afterMs?: number },
): Promise<{ port: number; seen: Seen[] }> {
  const seen: Seen[] = []
  const server = http.createServer(async (request, response) => {
    const body = await text(request)
    const url = new URL(request.url!, 'http://localhost')
    const apiKey = request.headers['x-mbx-apikey'] as string | undefined
    seen.push({ method: request.method!, url, query: url.search.slice(1), apiKey, body })
    const { status = 200, body: answer, afterMs = 0 } = reply(seen.length)
    response.statusCode = status
    response.setHeader('content-length', Buffer.byteLength(answer))
    setTimeout(() => response.end(answer), afterMs)
  })
  closing.push(() => server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, seen }
}

/** Gives a run ever more time until it was enough, which is for the machine to say. */
async function inTime<Report>(
  run: (seconds: number) => Promise<Report>,
  isEnough: (report: Report) => boolean,
): Promise<Report> {
  for (let seconds = 0.3; ; seconds *= 4) {
    const report = await run(seconds)
    if (isEnough(report) || seconds > 10) return report
  }
}

const lines = (count: number, line: string) => `${line}\n`.repeat(count)

describe.runIf(hasTool('g++'))('the load generator', () => {
  test('signs like the published vectors', async () => {
    const program = path.join(await buildNative(), 'load')
    const { status, stderr } = spawnSync(program, ['--self-test'], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })

  test('sends each line of a plan once, signed now with the key of the line', async () => {
    const { port, seen } = await serve(() => ({ body: '{"orderId":1}' }))
    const plan = plans.write(
      'signed',
      'key\tfirst\tsecret-1\nkey\tsecond\tsecret-2\nkey\tthird\t-\n' +
        'POST\t/api/v3/order\t0\tsymbol=BTCUSDT&price=1.5\n' +
        'DELETE\t/api/v3/order\t1\tsymbol=BTCUSDT&orderId=7\n' +
        'GET\t/api/v3/account\t0\t\n' +
        'POST\t/api/v3/userDataStream\t2\n' +
        'GET\t/api/v3/depth\t-\tsymbol=BTCUSDT\n' +
        'POST\t/json\t-\t\t{"price":"1"}\n',
    )
    const from = Date.now()
    const report = await runLoad({ port, plan, seconds: 30, connections: 1, require: 'orderId' })
    expect(report).toMatchObject({ sent: 6, answered: 6, errors: 0 })
    expect(seen.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      'POST /api/v3/order',
      'DELETE /api/v3/order',
      'GET /api/v3/account',
      'POST /api/v3/userDataStream',
      'GET /api/v3/depth',
      'POST /json',
    ])
    expect(seen.map(({ body }) => body)).toEqual(['', '', '', '', '', '{"price":"1"}'])
    expect(seen.map(({ apiKey }) => apiKey)).toEqual([
      'first',
      'second',
      'first',
      'third',
      undefined,
      undefined,
    ])
    expect(seen.slice(3).map(({ query }) => query)).toEqual(['', 'symbol=BTCUSDT', ''])
    for (const { query, url, apiKey } of seen.slice(0, 3)) {
      const [signed, signature] = query.split('&signature=') as [string, string]
      const secret = apiKey === 'first' ? 'secret-1' : 'secret-2'
      expect(signature).toBe(createHmac('sha256', secret).update(signed).digest('hex'))
      const timestamp = Number(url.searchParams.get('timestamp'))
      expect(timestamp).toBeGreaterThanOrEqual(from)
      expect(timestamp).toBeLessThanOrEqual(Date.now())
    }
  })

  test.each([
    { name: 'a status', reply: { status: 400, body: '{}' }, shown: '400 {}' },
    { name: 'an error in the body', reply: { body: '{"code":-1}' }, shown: '200 {"code":-1}' },
    { name: 'a missing text', reply: { body: '{"other":1}' }, shown: '200 {"other":1}' },
  ])('counts $name as a wrong answer', async ({ reply, shown }) => {
    const good = { body: '{"orderId":1}' }
    const { port } = await serve((count) => (count % 10 === 0 ? reply : good))
    const plan = plans.write('wrong', lines(100, 'GET\t/\t-'))
    const report = await runLoad({ port, plan, seconds: 30, connections: 4, require: 'orderId' })
    expect(report).toMatchObject({ sent: 100, answered: 100, errors: 10 })
    expect(report.errorTexts).toEqual(Array(5).fill(shown))
  })

  test('counts named answers, and keeps several requests in flight', async () => {
    const { port } = await serve((count) => ({ body: count % 4 === 0 ? 'FILLED' : 'NEW' }))
    const plan = plans.write('counted', lines(400, 'GET\t/\t-'))
    const options = { port, plan, seconds: 30, connections: 2, pipeline: 8 }
    const report = await runLoad({ ...options, counts: { filled: 'FILLED', rested: 'NEW' } })
    expect(report).toMatchObject({ answered: 400, errors: 0, counts: { filled: 100, rested: 300 } })
  })

  test('reports a connection that the server closes', async () => {
    const server = http.createServer((request) => request.socket.destroy())
    closing.push(() => server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const plan = plans.write('closed', lines(10, 'GET\t/\t-'))
    const { port } = server.address() as AddressInfo
    const report = await runLoad({ port, plan, seconds: 30, connections: 2 })
    expect(report).toMatchObject({ answered: 0, errors: 2 })
  })

  test('in an open loop, a server that stalls is charged for every request that fell due', async () => {
    const stallMs = 400
    const { port } = await serve((count) => ({ body: 'ok', afterMs: count === 1 ? stallMs : 0 }))
    const plan = plans.write('open', lines(1, 'GET\t/\t-'))
    const rate = 100
    const options = { port, plan, cycle: true, seconds: 0.5, connections: 1 }
    const report = await runLoad({ ...options, rate })
    // Half of the 50 fell due in the first 250 ms and waited for the rest of the stall.
    expect(report.latencyUs.p50).toBeGreaterThan((stallMs - 250) * 900)
  })

  test('asks over WebSockets and listens to what they send', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    closing.push(() => server.close())
    server.on('connection', (socket) => {
      socket.ping()
      socket.on('message', (data) => {
        socket.send(data.toString())
        if (data.toString().startsWith('twice')) socket.send('again')
      })
    })
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const plan = plans.write('frames', `twice ${'long '.repeat(100)}\nonce\n`)
    const options = { port, plan, websocket: '/ws', connections: 3 }
    const listened = await inTime(
      (seconds) => runLoad({ ...options, seconds, listen: true, counts: { again: 'again' } }),
      ({ answered }) => answered === 9,
    )
    expect(listened).toMatchObject({ sent: 6, answered: 9, errors: 0, counts: { again: 3 } })
    const one = plans.write('one', 'hello\n')
    const asked = await inTime(
      (seconds) => runLoad({ ...options, seconds, plan: one }),
      ({ answered }) => answered > 3,
    )
    expect(asked.errors).toBe(0)
    expect(asked.sent - asked.answered).toBeLessThanOrEqual(3)
    expect(asked.answered).toBeGreaterThan(3)
  })

  test('reads from frames how long they were on their way, beside connections that never read', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    closing.push(() => server.close())
    let connections = 0
    let asked = 0
    server.on('connection', (socket) => {
      connections++
      socket.on('message', () => {
        asked++
        socket.send(`{"E":1,"T":${Date.now() - 1_000_000},"m":true}`)
        socket.send('{"result":null}')
      })
    })
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const options = { port, plan: plans.write('ask', 'hello\n'), websocket: '/ws', connections: 3 }
    const listening = { listen: true, clock: '"T":', stalled: 2 }
    const { answered, errors, latencyUs } = await inTime(
      (seconds) => {
        connections = 0
        asked = 0
        return runLoad({ ...options, ...listening, seconds })
      },
      (report) => report.answered === 3,
    )
    expect([connections, asked, answered, errors]).toEqual([5, 3, 3, 0])
    expect(latencyUs.p50).toBeGreaterThan(990e6)
    expect(latencyUs.p50).toBeLessThan(1_100e6)
  })

  test('asks for more than can be done, and finds answers by their ids in any order', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    closing.push(() => server.close())
    const ids = new Set<number>()
    server.on('connection', (socket) => {
      let isLoggedOn = false
      socket.on('message', (data) => {
        if (!isLoggedOn) {
          isLoggedOn = true
          return socket.send('{"status":200}')
        }
        const { id, at } = JSON.parse(data.toString()) as { id: number; at: number }
        expect(at).toBeGreaterThan(0)
        ids.add(id)
        if (id % 2 === 1) return socket.send(`{"id":${id},"error":{"code":-1008,"msg":""}}`)
        setTimeout(() => socket.send(`{"id":${id},"orderId":1}`), 2)
      })
    })
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const plan = plans.write('overload', 'logon\tlogon\n0\t{"id":1,"at":$now}\n')
    const options = { port, plan, websocket: '/', connections: 2, pipeline: 9 }
    const most = await inTime(
      (seconds) => overload({ ...options, seconds }),
      ({ busy, accepted, inFlightMax }) =>
        busy.answered > 0 && accepted.answered > 0 && inFlightMax === 18 && Math.max(...ids) > 9,
    )
    expect(most.busy.answered).toBeGreaterThan(0)
    expect(most.accepted.answered).toBeGreaterThan(0)
    expect(most.other.answered).toBe(0)
    expect(most.inFlightMax).toBe(18)
    expect(Math.max(...ids)).toBeGreaterThan(9)
    const due = await overload({ ...options, pipeline: 1, rate: 1_000_000, seconds: 0.2 })
    expect(due.withheld).toBeGreaterThan(0)
    expect(due.inFlightMax).toBeLessThanOrEqual(2)
  })

  test('logs sessions on, and keeps the order of the plan among their keys', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    closing.push(() => server.close())
    const logons: string[] = []
    const frames: string[] = []
    let inFlightMax = 0
    server.on('connection', (socket) => {
      let key: string | undefined
      let inFlight = 0
      socket.on('message', (data) => {
        const text = data.toString()
        if (key === undefined) {
          key = text.slice('logon '.length)
          logons.push(key)
          socket.send('{"status":200}')
          return
        }
        expect(text.startsWith(key)).toBe(true)
        frames.push(text)
        inFlightMax = Math.max(inFlightMax, ++inFlight)
        // One key is slower to be answered.
        const answer = () => {
          inFlight--
          socket.send('{"orderId":1}')
        }
        setTimeout(answer, key === 'a' ? 1 : 3)
      })
    })
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const plan = plans.write(
      'sessions',
      'logon\tlogon a\nlogon\tlogon b\n0\ta1 at $now.\n0\ta2\n0\ta3\n1\tb1\n',
    )
    const options = { port, plan, websocket: '/ws-api/v3', connections: 8, pipeline: 4 }
    const from = Date.now()
    const count = (name: string) => frames.filter((frame) => frame.startsWith(name)).length
    const report = await inTime(
      (seconds) => {
        logons.length = 0
        frames.length = 0
        return runLoad({ ...options, sessions: true, seconds, require: 'orderId' })
      },
      () => count('a1') > 10 && inFlightMax === 4,
    )
    expect(report.errors).toBe(0)
    expect(report.sent).toBe(frames.length)
    expect(logons.sort().join('')).toBe('aaaaaabb')
    expect(inFlightMax).toBe(4)
    expect(count('a1')).toBeGreaterThan(10)
    // Sent in turn: no key is further ahead than the generator allows.
    expect(Math.abs(count('a3') - count('a1'))).toBeLessThanOrEqual(1)
    expect(Math.abs(count('b1') - count('a1'))).toBeLessThanOrEqual(256 / 4 + 1)
    const stamp = Number(/^a1 at (\d{13})\.$/.exec(frames.find((it) => it.startsWith('a1'))!)![1])
    expect(stamp).toBeGreaterThanOrEqual(from)
    expect(stamp).toBeLessThanOrEqual(Date.now())
  })

  test('ends when a session is refused', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    closing.push(() => server.close())
    server.on('connection', (socket) => socket.on('message', () => socket.send('{"status":401}')))
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const plan = plans.write('refused', 'logon\tlogon a\n0\ta1\n')
    const options = { port, plan, websocket: '/', sessions: true, connections: 1, seconds: 0.1 }
    await expect(runLoad(options)).rejects.toThrow('load ended with 1')
  })
})
