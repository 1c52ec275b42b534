/** Reverts that keep the sockets of clients: these notice nothing but the state that they find. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { Agent, get } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { readToken } from '../../../src/control/token.ts'
import { type EmbeddedExchange, type ExchangeOptions, startExchange } from '../../../src/index.ts'
import { held } from '../../fixtures/held.ts'
import { type Json, TestSocket } from '../../fixtures/test-socket.ts'

const started: EmbeddedExchange[] = []
const sockets: TestSocket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  for (const exchange of started.splice(0)) await exchange.close()
})

const keep = { sockets: 'keep' } as const
const accounts = { bot: { USDT: '100000', BTC: '1' }, other: { USDT: '100000', BTC: '1' } }

async function start(options: ExchangeOptions = {}): Promise<EmbeddedExchange> {
  const exchange = await startExchange({ accounts, ...options })
  started.push(exchange)
  return exchange
}

async function open(url: string): Promise<TestSocket> {
  const socket = await TestSocket.open(url)
  sockets.push(socket)
  return socket
}

const isVirtual = new WeakSet<EmbeddedExchange>()
const nowOf = (exchange: EmbeddedExchange) =>
  isVirtual.has(exchange) ? exchange.clock.now() : Date.now()

async function startVirtual(options: ExchangeOptions = {}): Promise<EmbeddedExchange> {
  const exchange = await start({ clock: 'virtual', ...options })
  isVirtual.add(exchange)
  return exchange
}

const clientOf = (exchange: EmbeddedExchange, account = 'bot') =>
  new SignedClient(exchange.url, { account, ...exchange.accounts[account]! }, () => nowOf(exchange))

const limit = (newClientOrderId: string, more: Record<string, string> = {}) => ({
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.001',
  price: '20000',
  newClientOrderId,
  ...more,
})

async function place(exchange: EmbeddedExchange, id: string, more: Record<string, string> = {}) {
  const { status, body } = await clientOf(exchange).send('POST', '/api/v3/order', limit(id, more))
  expect(status).toBe(200)
  return body
}

async function openIds(exchange: EmbeddedExchange): Promise<readonly unknown[]> {
  const { body } = await clientOf(exchange).send('GET', '/api/v3/openOrders')
  return (body as unknown as Json[]).map(({ clientOrderId }) => clientOrderId)
}

/** A frame of the WebSocket API, signed by the account's key. */
function frame(exchange: EmbeddedExchange, method: string, params: Json = {}, account = 'bot') {
  const { apiKey, secretKey } = exchange.accounts[account]!
  const all: Json = { ...params, apiKey, timestamp: nowOf(exchange) }
  const text = Object.keys(all)
    .sort()
    .map((name) => `${name}=${all[name]}`)
    .join('&')
  const signature = createHmac('sha256', secretKey).update(text).digest('hex')
  return { id: 1, method, params: { ...all, signature } }
}

async function listenKeyOf(exchange: EmbeddedExchange, account = 'bot'): Promise<string> {
  const answer = await exchange.fetch('/api/v3/userDataStream', {
    method: 'POST',
    headers: { 'X-MBX-APIKEY': exchange.accounts[account]!.apiKey },
  })
  return ((await answer.json()) as { listenKey: string }).listenKey
}

/** Resolves to the first row of an operator's action. */
async function act({ adminUrl, folder }: EmbeddedExchange, name: string, args: object = {}) {
  const answer = await fetch(`${adminUrl}/actions/${name}`, {
    method: 'POST',
    body: JSON.stringify(args),
    headers: { Authorization: `Bearer ${readToken(folder)}` },
  })
  return ((await answer.json()) as { rows: readonly Json[] }).rows[0]!
}

/** Resolves to the next frame of an event. */
async function eventOf(socket: TestSocket, event: string): Promise<Json> {
  for (;;) {
    const next = await socket.next()
    const inner = (next.event ?? next.data ?? next) as Json
    if (inner.e === event) return inner
  }
}

test('streams, sessions and connections of REST go on from the mark', async () => {
  const exchange = await start()
  const listenKey = await listenKeyOf(exchange)
  await place(exchange, 'before')
  const names = ['btcusdt@depth@100ms', listenKey, 'btcusdt@status', 'nosuch@trade']
  const streams = await open(`${exchange.wsUrl}/stream?streams=${names.join('/')}`)
  const session = await open(`${exchange.wsApiUrl}?returnRateLimits=false`)
  const subscribed = await session.ask(frame(exchange, 'userDataStream.subscribe.signature'))
  expect(subscribed).toMatchObject({ status: 200, result: { subscriptionId: 0 } })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ports = new Set<number | undefined>()
  const overRest = () =>
    new Promise<number | undefined>((resolve, reject) => {
      get(`${exchange.url}/api/v3/ping`, { agent }, (response) => {
        ports.add(response.socket.localPort)
        response.resume().on('end', () => resolve(response.statusCode))
      }).on('error', reject)
    })
  await overRest()
  let mark = await exchange.mark()
  let after: Json | undefined
  for (let times = 0; times < 3; times++) {
    const placed = await place(exchange, 'after')
    const { U, u } = await eventOf(streams, 'depthUpdate')
    // All is as after the mark: ids begin again where it was.
    after ??= { ...placed, U, u, transactTime: 0, workingTime: 0 }
    expect({ ...placed, U, u, transactTime: 0, workingTime: 0 }).toEqual(after)
    expect(await eventOf(session, 'executionReport')).toMatchObject({
      c: 'after',
      i: placed.orderId,
    })
    while (streams.waiting + session.waiting > 0) {
      if (streams.waiting > 0) await streams.next()
      else await session.next()
    }
    mark = await exchange.revert(mark, keep)
    await streams.roundTrip()
    await session.roundTrip()
    expect([streams.waiting, session.waiting]).toEqual([0, 0])
    expect(await openIds(exchange)).toEqual(['before'])
    const listed = await streams.ask({ id: 7, method: 'LIST_SUBSCRIPTIONS' })
    expect(listed).toEqual({ id: 7, result: names })
    const { result } = await session.ask({ id: 8, method: 'session.subscriptions' })
    expect(result).toEqual([{ subscriptionId: 0 }])
    expect(await overRest()).toBe(200)
  }
  expect(ports.size).toBe(1)
  agent.destroy()
  // The default ends them.
  await exchange.revert(mark)
  expect(await streams.closed()).toBe(1001)
  expect(await session.closed()).toBe(1001)
})

test('each request that meets a revert has one answer, and no client notices', async () => {
  const exchange = await start()
  const session = await open(`${exchange.wsApiUrl}?returnRateLimits=false`)
  await place(exchange, 'marked')
  let mark = await exchange.mark()
  let isOver = false
  const counts = { rest: 0, session: 0, inner: 0 }
  const overRest = async () => {
    while (!isOver) {
      await place(exchange, `r-${counts.rest++}`)
    }
  }
  const overSession = async () => {
    while (!isOver) {
      const params = limit(`s-${counts.session++}`)
      const answer = await session.ask(frame(exchange, 'order.place', params))
      expect(answer).toMatchObject({
        status: 200,
        result: { clientOrderId: params.newClientOrderId },
      })
    }
  }
  const inside = async () => {
    while (!isOver) {
      const answer = await exchange.fetch('/api/v3/depth?symbol=BTCUSDT')
      expect(answer.status).toBe(200)
      counts.inner++
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const running = Promise.all([overRest(), overRest(), overSession(), inside()])
  for (let times = 0; times < 8; times++) {
    const [before] = [counts.session]
    await expect.poll(() => counts.session).toBeGreaterThan(before + 3)
    mark = await exchange.revert(mark, keep)
  }
  isOver = true
  await running
  await exchange.revert(mark, keep)
  expect(await openIds(exchange)).toEqual(['marked'])
})

test('what names something of later ends as the protocol has it', async () => {
  const exchange = await start()
  const mark = await exchange.mark()
  const later = await listenKeyOf(exchange)
  const streams = await open(`${exchange.wsUrl}/ws/${later}/btcusdt@trade`)
  await exchange.account('late', { USDT: 100 })
  const session = await open(`${exchange.wsApiUrl}?returnRateLimits=false`)
  await session.ask(frame(exchange, 'userDataStream.subscribe.signature', {}, 'late'))
  const ofLate = frame(exchange, 'account.status', {}, 'late')
  await exchange.revert(mark, keep)
  expect(await streams.next()).toMatchObject({ e: 'listenKeyExpired', listenKey: later })
  const listed = await streams.ask({ id: 7, method: 'LIST_SUBSCRIPTIONS' })
  expect(listed).toEqual({ id: 7, result: ['btcusdt@trade'] })
  await session.roundTrip()
  expect(session.waiting).toBe(1)
  expect(await eventOf(session, 'eventStreamTerminated')).toBeDefined()
  const { result } = await session.ask({ id: 8, method: 'session.subscriptions' })
  expect(result).toEqual([])
  expect(await session.ask(ofLate)).toMatchObject({ error: { code: -2015 } })
})

test('a drop copy ends where its key reads other accounts at the mark', async () => {
  const exchange = await start()
  const { apiKey } = exchange.accounts.bot!
  const grant = (...granted: readonly string[]) =>
    act(exchange, 'key-grant', { key: apiKey, accounts: granted })
  await grant('other')
  let mark = await exchange.mark()
  const session = await open(`${exchange.wsApiUrl}?returnRateLimits=false`)
  const subscribe = () => session.ask(frame(exchange, 'dropCopy.subscribe'))
  await subscribe()
  await exchange.revert(mark, keep)
  await place(exchange, 'copied')
  expect(await eventOf(session, 'executionReport')).toMatchObject({ c: 'copied' })
  mark = await exchange.mark()
  await grant()
  await eventOf(session, 'eventStreamTerminated')
  await subscribe()
  await exchange.revert(mark, keep)
  expect(await eventOf(session, 'eventStreamTerminated')).toBeDefined()
  expect(await subscribe()).toMatchObject({ result: { accounts: ['bot', 'other'] } })
})

test('rules of the mark touch the frames of kept sockets', async () => {
  const exchange = await start()
  const listenKey = await listenKeyOf(exchange)
  const stream = 'btcusdt@depth@100ms'
  const name = await exchange.faults.add({ do: 'drop', stream, account: 'bot' })
  const mark = await exchange.mark()
  await exchange.faults.remove(name)
  const touched = await open(`${exchange.wsUrl}/ws/${listenKey}/${stream}`)
  const other = await open(`${exchange.wsUrl}/ws/${stream}`)
  await exchange.revert(mark, keep)
  await place(exchange, 'after')
  await eventOf(other, 'depthUpdate')
  await eventOf(touched, 'executionReport')
  await touched.roundTrip()
  while (touched.waiting > 0) expect(await touched.next()).not.toMatchObject({ e: 'depthUpdate' })
  expect(await exchange.faults.list()).toMatchObject([{ name, touched: 1 }])
})

test('kept sockets count against the limits of their address, and are free when they close', async () => {
  const settings = { limits: true, 'sockets-per-address': 2 }
  const exchange = await start({ settings })
  const [one] = [await open(`${exchange.wsUrl}/ws`), await open(`${exchange.wsUrl}/ws`)]
  let mark = await exchange.mark()
  for (let times = 0; times < 2; times++) {
    mark = await exchange.revert(mark, keep)
    await expect(TestSocket.open(`${exchange.wsUrl}/ws`)).rejects.toThrow('429')
  }
  one.terminate()
  await expect
    .poll(() =>
      TestSocket.open(`${exchange.wsUrl}/ws`).then(
        (socket) => sockets.push(socket),
        () => 0,
      ),
    )
    .toBeGreaterThan(0)
  await expect(TestSocket.open(`${exchange.wsUrl}/ws`)).rejects.toThrow('429')
})

test('those who took part in the clock at the mark do so again, and no others', async () => {
  const exchange = await startVirtual()
  const marked = await open(`${exchange.wsUrl}/ws/${await listenKeyOf(exchange)}`)
  const late = await open(`${exchange.wsUrl}/ws/${await listenKeyOf(exchange, 'other')}`)
  expect(await marked.ask({ id: 1, method: 'JOIN_CLOCK' })).toEqual({ result: null, id: 1 })
  let mark = await exchange.mark()
  const holders = () => act(exchange, 'clock-show')
  for (let times = 0; times < 2; times++) {
    expect(await late.ask({ id: 2, method: 'JOIN_CLOCK' })).toEqual({ result: null, id: 2 })
    expect(await holders()).toMatchObject({ participants: 2 })
    mark = await exchange.revert(mark, keep)
    expect(await holders()).toMatchObject({ participants: 1 })
    // It acknowledges what it was sent before the revert, too.
    await place(exchange, 'own')
    await eventOf(marked, 'executionReport')
    expect(await holders()).toMatchObject({ heldBy: 'bot' })
    mark = await exchange.revert(mark, keep)
    expect(await holders()).toMatchObject({ heldBy: 'bot', participants: 1 })
    while (marked.waiting > 0) await marked.next()
    await marked.ask({ id: 3, method: 'ACKNOWLEDGE', params: [2] })
    const before = exchange.clock.now()
    expect(await exchange.clock.advance('1s')).toBe(before + 1_000)
  }
  // Those of sockets that end are gone.
  mark = await exchange.revert(mark)
  await exchange.revert(mark, keep)
  expect(await holders()).toMatchObject({ participants: 0 })
})

test('a mark is of the moment before somebody took part in the clock', async () => {
  const exchange = await startVirtual()
  const socket = await open(`${exchange.wsUrl}/ws/${await listenKeyOf(exchange)}`)
  const mark = await exchange.revert(await exchange.mark(), keep)
  expect(await exchange.mark()).toBe(mark)
  await socket.ask({ id: 1, method: 'JOIN_CLOCK' })
  expect(await exchange.mark()).not.toBe(mark)
})

/** Makes a key of the bot. Returns what makes a logon with it. */
async function logonKeyOf(exchange: EmbeddedExchange): Promise<() => Json> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  const row = await act(exchange, 'key-create', {
    account: 'bot',
    kind: 'ED25519',
    'public-key': pem,
  })
  return () => {
    const params = { apiKey: String(row.apiKey), timestamp: nowOf(exchange) }
    const text = Buffer.from(`apiKey=${params.apiKey}&timestamp=${params.timestamp}`)
    const signature = sign(null, text, privateKey).toString('base64')
    return { id: 1, method: 'session.logon', params: { ...params, signature } }
  }
}

test('a kept session counts as one that is logged on, until it ends', async () => {
  const exchange = await startVirtual({ settings: { limits: true } })
  const logon = await logonKeyOf(exchange)
  await act(exchange, 'account-limits', { account: 'bot', sessions: '1' })
  const mark = await exchange.mark()
  const [first, second] = [await open(exchange.wsApiUrl), await open(exchange.wsApiUrl)]
  expect(await first.ask(logon())).toMatchObject({ status: 200 })
  await exchange.revert(mark, keep)
  expect(await second.ask(logon())).toMatchObject({ status: 429, error: { code: -1034 } })
  first.terminate()
  await expect.poll(async () => (await second.ask(logon())).status).toBe(200)
  const third = await open(exchange.wsApiUrl)
  expect(await third.ask(logon())).toMatchObject({ status: 429 })
})

test('a session stays logged on, by a clock that went back, and binds orders from now on', async () => {
  const exchange = await startVirtual()
  const logon = await logonKeyOf(exchange)
  const mark = await exchange.mark()
  await exchange.clock.advance('2h')
  const session = await open(`${exchange.wsApiUrl}?returnRateLimits=false`)
  expect(await session.ask(logon())).toMatchObject({ status: 200 })
  const bound = { id: 1, method: 'session.cancelOnDisconnect', params: { enabled: true } }
  expect(await session.ask(bound)).toMatchObject({ status: 200 })
  await exchange.revert(mark, keep)
  const { result } = await session.ask({ id: 2, method: 'session.status' })
  const { connectedSince, serverTime } = result as Record<string, number>
  expect(connectedSince).toBe(serverTime)
  const order = { ...limit('bound'), timestamp: nowOf(exchange) }
  const unsigned = { id: 3, method: 'order.place', params: order }
  expect(await session.ask(unsigned)).toMatchObject({ status: 200 })
  await place(exchange, 'free')
  session.terminate()
  await expect.poll(() => openIds(exchange)).toEqual(['free'])
})

test('a connection is as old as at the mark', async () => {
  const exchange = await startVirtual()
  const older = await open(`${exchange.wsUrl}/ws`)
  await exchange.clock.advance('23h')
  const mark = await exchange.mark()
  await exchange.clock.advance('30m')
  const younger = await open(`${exchange.wsUrl}/ws`)
  await exchange.revert(mark, keep)
  await exchange.clock.advance('59m')
  await older.roundTrip()
  await exchange.clock.advance('2m')
  expect(await older.closed()).toBe(1000)
  await exchange.clock.advance('22h50m')
  await younger.roundTrip()
  await exchange.clock.advance('20m')
  expect(await younger.closed()).toBe(1000)
})

test('a load listens again behind a revert', async () => {
  const exchange = await start()
  await exchange.save('one')
  let mark = await exchange.mark()
  for (let times = 0; times < 2; times++) {
    const socket = await open(`${exchange.wsUrl}/ws`)
    mark = await exchange.revert(mark, keep)
    await socket.roundTrip()
    await exchange.load('one')
    await socket.closed()
    expect((await fetch(`${exchange.url}/api/v3/ping`)).status).toBe(200)
  }
})

test('ten reverts leave nothing behind', async () => {
  await (await start()).close()
  const outside = await held()
  const exchange = await start()
  const socket = await open(`${exchange.wsUrl}/ws/btcusdt@depth@100ms`)
  let mark = await exchange.mark()
  const revert = async () => {
    await place(exchange, 'after')
    await eventOf(socket, 'depthUpdate')
    mark = await exchange.revert(mark, keep)
  }
  // A mark of another moment has a spare that is ready.
  const ready = async (id: string) => {
    await place(exchange, id)
    mark = await exchange.mark()
  }
  await revert()
  await ready('one')
  const before = await held()
  for (let i = 0; i < 10; i++) await revert()
  await ready('two')
  await expect.poll(held).toEqual(before)
  socket.terminate()
  await exchange.close()
  await expect.poll(held).toEqual(outside)
})

test('a child process keeps its sockets, and refuses another word', async () => {
  const exchange = await start({ process: 'child' })
  const socket = await open(`${exchange.wsUrl}/ws/btcusdt@trade`)
  const mark = await exchange.mark()
  const wrong = { sockets: 'kept' } as unknown as typeof keep
  await expect(exchange.revert(mark, wrong)).rejects.toThrow('sockets must be "end" or "keep"')
  await exchange.revert(mark, keep)
  await socket.roundTrip()
})
