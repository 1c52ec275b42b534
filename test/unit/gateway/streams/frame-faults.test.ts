/** Faults of frames: the connection that a rule is for meets them, and no other one notices. */
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../../src/base/manual-time.ts'
import { AccountId, Ms } from '../../../../src/base/units.ts'
import { type FaultedReader, FrameFaults } from '../../../../src/gateway/streams/frame-faults.ts'
import { readFaultRule } from '../../../../src/sandbox/fault-rule.ts'
import { FAULT_CELLS_BYTES } from '../../../../src/sandbox/fault-trigger.ts'
import { countersBytes, ThreadCounters } from '../../../../src/shared/counters.ts'
import type { SessionRow } from '../../../../src/shared/operator-query.ts'
import { handshake } from '../../../fixtures/handshake.ts'
import { type Json, keyOf, OneThreadExchange, sign } from '../../../fixtures/one-thread-exchange.ts'
import type { TestSocket } from '../../../fixtures/test-socket.ts'

/** Stalls last by it; a test moves it. */
const time = new ManualTime(new ManualClock(Ms(1_000)))
let exchange: OneThreadExchange
let sockets: TestSocket[] = []
beforeAll(async () => {
  exchange = await OneThreadExchange.start({ sandbox: time })
})
afterAll(() => exchange.close())
beforeEach(() => exchange.faults.remove(() => true))
afterEach(async () => {
  for (const socket of sockets) socket.close()
  sockets = []
  await exchange.signed(1, 'DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
})

type Given = Readonly<Record<string, string | number>>
const add = (given: Given) =>
  exchange.faults.add([
    readFaultRule({ name: 'rule', ...given }, (text) => AccountId(Number(text))),
  ])
async function open(path: string): Promise<TestSocket> {
  const socket = await exchange.socket(path)
  sockets.push(socket)
  // Behind its subscriptions.
  expect(await socket.ask({ method: 'LIST_SUBSCRIPTIONS', id: 1 })).toMatchObject({ id: 1 })
  return socket
}
let cents = 0
/** A new best price, and so a frame of every stream of the book. */
const newBest = () => exchange.limitOrder(1, 'BUY', (10 + ++cents / 100).toFixed(2), '1')

const bidOf = async (socket: TestSocket) => Number((await socket.next()).b)

describe('of a market stream', () => {
  test('a dropped frame leaves a gap between u and U, and other readers have none', async () => {
    const own = await open(`/stream?streams=${await listenKey(1)}/btcusdt@depth@100ms`)
    const other = await open('/stream?streams=btcusdt@depth@100ms')
    await add({ do: 'drop', stream: 'btcusdt@depth*', account: 1, every: 2, times: 1 })
    const frames: Json[] = []
    const others: Json[] = []
    for (let i = 0; i < 3; i++) {
      await exchange.limitOrder(2, 'BUY', `2${i}.00`, '1')
      others.push((await other.next()).data as Json)
      await expect.poll(() => exchange.faults.rows()[0]!.matches).toBe(i + 1)
    }
    for (let i = 0; i < 2; i++) frames.push((await own.next()).data as Json)
    expect(frames).toEqual([others[0], others[2]])
    expect([hasGap(frames), hasGap(others)]).toEqual([true, false])
    await exchange.signed(2, 'DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  })

  const hasGap = (frames: readonly Json[]): boolean =>
    frames.some((frame, at) => at > 0 && Number(frame.U) !== Number(frames[at - 1]!.u) + 1)

  test('a rule that comes later moves a connection out of the shared topics, in order', async () => {
    const socket = await open('/ws/btcusdt@bookTicker')
    await newBest()
    const first = await bidOf(socket)
    await add({ do: 'duplicate', stream: 'btcusdt@bookTicker' })
    await newBest()
    const [second, again] = [await bidOf(socket), await bidOf(socket)]
    expect(second).toBeGreaterThan(first)
    expect(again).toBe(second)
    await exchange.faults.remove(() => true)
    await newBest()
    expect(await bidOf(socket)).toBeGreaterThan(second)
    expect(await socket.ask({ method: 'SET_PROPERTY', params: ['combined', true], id: 2 })).toEqual(
      {
        result: null,
        id: 2,
      },
    )
    await newBest()
    expect(await socket.next()).toMatchObject({ stream: 'btcusdt@bookTicker' })
    await socket.ask({ method: 'UNSUBSCRIBE', params: ['btcusdt@bookTicker'], id: 3 })
    await newBest()
    expect(await socket.ask({ method: 'LIST_SUBSCRIPTIONS', id: 4 })).toEqual({ result: [], id: 4 })
  })

  test('a stall holds frames back and then sends all, in order', async () => {
    const socket = await open('/ws/btcusdt@bookTicker')
    await add({ do: 'stall', stream: 'btcusdt@bookTicker', ms: 5_000, times: 1 })
    for (let i = 0; i < 3; i++) await newBest()
    await expect.poll(() => exchange.faults.rows()[0]!.touched).toBe(1)
    time.advance(4_999)
    expect(await socket.ask({ method: 'LIST_SUBSCRIPTIONS', id: 9 })).toMatchObject({ id: 9 })
    time.advance(1)
    const bids = [await bidOf(socket), await bidOf(socket), await bidOf(socket)]
    expect(bids).toEqual([...bids].sort((a, b) => a - b))
  })

  test('frames that are held back count as unread', async () => {
    const socket = await open('/ws/btcusdt@bookTicker')
    await add({ do: 'lag', stream: 'btcusdt@bookTicker', ms: 1_000 })
    await newBest()
    await newBest()
    await expect.poll(() => exchange.faults.rows()[0]!.touched).toBe(2)
    const unread = async () => {
      const query = { ask: 'sessions', after: 0, limit: 10, account: undefined } as const
      const { value } = (await exchange.gateways[0]!.answer(query)) as { value: SessionRow[] }
      return value.map(({ unreadBytes }) => unreadBytes)
    }
    expect((await unread())[0]).toBeGreaterThan(100)
    time.advance(1_000)
    await bidOf(socket)
    await bidOf(socket)
    expect(await unread()).toEqual([0])
  })

  test('a lag delays each frame and keeps their order; other readers have none', async () => {
    const own = await open(`/stream?streams=${await listenKey(1)}/btcusdt@bookTicker`)
    const other = await open('/ws/btcusdt@bookTicker')
    await add({ do: 'lag', stream: 'btcusdt@*', ms: 1_000, times: 1, account: 1 })
    await exchange.limitOrder(2, 'BUY', '5002', '1')
    expect((await other.next()).b).toBe('5002.00000000')
    await expect.poll(() => exchange.faults.rows()[0]!.touched).toBe(1)
    // Its rule is spent, and the next frame waits for the one before it all the same.
    await exchange.limitOrder(2, 'BUY', '5003', '1')
    expect((await other.next()).b).toBe('5003.00000000')
    time.advance(999)
    await own.roundTrip()
    expect(own.waiting).toBe(0)
    time.advance(1)
    const bids = [await own.next(), await own.next()].map(({ data }) => (data as Json).b)
    expect(bids).toEqual(['5002.00000000', '5003.00000000'])
    await exchange.signed(2, 'DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  })

  test.each([
    [{ do: 'close', code: 1001, message: 'maintenance' }, 1001, 'maintenance'],
    [{ do: 'close', code: 4000 }, 4000, ''],
    [{ do: 'close' }, 1006, ''],
  ])('%o ends the connection', async (rule, code, reason) => {
    const socket = await open('/ws/btcusdt@bookTicker')
    await add({ ...rule, stream: 'btcusdt@bookTicker' })
    await newBest()
    expect([await socket.closed(), socket.closeReason]).toEqual([code, reason])
  })

  test('a torn frame arrives by half, and ends the connection', async () => {
    const own = await open('/ws/btcusdt@bookTicker')
    const { port } = exchange
    const plain = connect(port, '127.0.0.1')
    const received: Buffer[] = []
    plain.on('data', (chunk) => received.push(chunk))
    plain.write(handshake('/ws/btcusdt@bookTicker'))
    await expect.poll(() => String(Buffer.concat(received))).toContain('101 Switching')
    await add({ do: 'tear', stream: 'btcusdt@bookTicker', over: 'streams' })
    await add({ name: 'other', do: 'drop', over: 'sessions' })
    await newBest()
    await new Promise((resolve) => plain.once('close', resolve))
    const text = String(Buffer.concat(received))
    expect(text).toMatch(/\{"u":\d+,"s":"BTCUSDT"/)
    expect(text).not.toMatch(/\}$/)
    expect([await own.closed(), own.waiting]).toEqual([1006, 0])
    expect(exchange.faults.rows().map(({ touched }) => touched)).toEqual([2, 0])
  })

  test('serverShutdown is announced before a frame', async () => {
    const socket = await open('/ws/btcusdt@bookTicker')
    await add({ do: 'shutdown', symbol: 'BTCUSDT', times: 1 })
    await newBest()
    expect(await socket.next()).toMatchObject({ e: 'serverShutdown' })
    expect(await socket.next()).toMatchObject({ s: 'BTCUSDT' })
  })

  test('readers of other streams, symbols and addresses are not touched, nor fed by themselves', async () => {
    const socket = await open('/ws/btcusdt@bookTicker')
    await add({ do: 'cut', operation: 'distributions' })
    await add({ name: 'a', do: 'close', stream: '*@trade' })
    await add({ name: 'b', do: 'close', symbol: 'ETHUSDT' })
    await add({ name: 'c', do: 'close', address: '10.0.0.1' })
    await add({ name: 'd', do: 'close', account: 1, stream: 'btcusdt@*' })
    await newBest()
    expect((await socket.next()).s).toBe('BTCUSDT')
    expect(exchange.faults.rows().map(({ matches }) => matches)).toEqual([0, 0, 0, 0, 0])
  })
})

async function listenKey(account: number): Promise<string> {
  const { body } = await exchange.send('POST', '/api/v3/userDataStream', account)
  return String(body!.listenKey)
}

describe('of user events', () => {
  test('a duplicated event comes twice to its account, and once to others', async () => {
    const own = await open(`/ws/${await listenKey(1)}`)
    const other = await open(`/ws/${await listenKey(2)}`)
    await add({ do: 'duplicate', stream: 'user', account: 1, times: 1 })
    await newBest()
    const first = await own.next()
    expect(first.e).toBe('executionReport')
    expect(await own.next()).toEqual(first)
    expect((await own.next()).e).toBe('outboundAccountPosition')
    await exchange.limitOrder(2, 'SELL', '5000', '1')
    expect([(await other.next()).e, (await other.next()).e]).toEqual([
      'executionReport',
      'outboundAccountPosition',
    ])
    expect(other.waiting).toBe(0)
    await exchange.signed(2, 'DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  })

  test('a listen key expires early, behind the event', async () => {
    const key = await listenKey(1)
    const own = await open(`/ws/${key}`)
    const other = await open(`/ws/${await listenKey(2)}`)
    await add({ do: 'expire', account: 1, times: 1 })
    await newBest()
    expect((await own.next()).e).toBe('executionReport')
    expect((await own.next()).e).toBe('outboundAccountPosition')
    expect(await own.next()).toMatchObject({ e: 'listenKeyExpired', listenKey: key })
    const kept = await exchange.send('PUT', `/api/v3/userDataStream?listenKey=${key}`, 1)
    expect(kept.body!.code).toBe(-1125)
    expect(await other.ask({ method: 'LIST_SUBSCRIPTIONS', id: 1 })).toMatchObject({ id: 1 })
  })

  test('one of ones own rules is for ones own events, and for streams beside them', async () => {
    const own = await open(`/stream?streams=${await listenKey(1)}/btcusdt@bookTicker`)
    const other = await open('/ws/btcusdt@bookTicker')
    const rule = { name: 'mine', do: 'close', stream: 'btcusdt@bookTicker', code: 4001 }
    const asked = { ask: 'add', account: AccountId(1), given: rule } as const
    expect(await exchange.faults.answer(asked)).toMatchObject({ rows: [{ name: 'mine' }] })
    await exchange.limitOrder(2, 'BUY', '5001', '1')
    expect(await own.closed()).toBe(4001)
    expect((await other.next()).s).toBe('BTCUSDT')
    await exchange.faults.answer({ ask: 'remove', account: AccountId(1), name: undefined })
    await exchange.signed(2, 'DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  })

  test('subscriptions of the WebSocket API have them too', async () => {
    const socket = await exchange.socket('/ws-api/v3?returnRateLimits=false')
    sockets.push(socket)
    const params = `apiKey=${keyOf(1).apiKey}&timestamp=${exchange.nowMs()}`
    const named = Object.fromEntries(new URLSearchParams(params))
    const subscribe = 'userDataStream.subscribe.signature'
    const frame = { id: 1, method: subscribe, params: { ...named, signature: sign(1, params) } }
    expect(await socket.ask(frame)).toMatchObject({ status: 200 })
    await add({ do: 'duplicate', stream: 'user', account: 1, times: 1 })
    await add({ name: 'later', do: 'drop', stream: 'user', after: 1, times: 1 })
    await newBest()
    const first = await socket.next()
    expect(await socket.next()).toEqual(first)
    expect((first.event as Json).e).toBe('executionReport')
    // The position was dropped: the next event is of the next order.
    await newBest()
    expect(((await socket.next()).event as Json).e).toBe('executionReport')
  })
})

describe('spread lags', () => {
  const textOf = (frame: unknown) => String(frame)
  function gateWith(...rules: readonly Given[]) {
    const sent: string[] = []
    const reader: Partial<FaultedReader> = {
      accounts: [],
      sendEventFrame: (frame) => sent.push(textOf(frame)),
      announceShutdown: () => sent.push('shutdown'),
      closeWith: (code) => sent.push(`close ${code}`),
    }
    const faults = new FrameFaults(time, { add: () => {} } as unknown as ThreadCounters)
    faults.set(
      rules.map((given, at) => ({
        rule: readFaultRule({ name: `rule${at}`, ...given }, () => undefined),
        untilMs: Number.POSITIVE_INFINITY,
        cells: new SharedArrayBuffer(FAULT_CELLS_BYTES),
      })),
    )
    return { sent, faults, gate: faults.gateOf(reader as FaultedReader) }
  }
  const stream = 'btcusdt@trade'

  test.each([
    { spread: 'uniform', ms: 0, most: 200 },
    { spread: 'lognormal', ms: 30, sigma: 2 },
    { spread: 'recorded', histogram: '0:50 5:30 500:20' },
  ])('%o reorder nothing, and no frame is early', (spread) => {
    const { sent, gate } = gateWith({ do: 'lag', seed: 5, ...spread })
    for (let i = 0; i < 200; i++) {
      gate.pass({ stream }, Buffer.from(`frame ${i}`))
      time.advance(1)
    }
    expect(sent.length).toBeLessThan(200)
    time.advance(60_000)
    expect(sent).toEqual(Array.from({ length: 200 }, (_, i) => `frame ${i}`))
  })

  test('delay what other rules do, in the order of the frames', () => {
    const { sent, gate } = gateWith(
      { do: 'lag', ms: 100, times: 1 },
      { do: 'shutdown', after: 1, times: 1 },
      { do: 'drop', after: 2, times: 1 },
      { do: 'close', code: 4000, after: 3, times: 1 },
    )
    for (let i = 0; i < 5; i++) gate.pass({ stream }, Buffer.from(`frame ${i}`))
    expect(sent).toEqual([])
    time.advance(100)
    expect(sent).toEqual(['frame 0', 'shutdown', 'frame 1', 'close 4000', 'frame 4'])
  })

  test('a connection that holds its frames back by itself ends no stall, and the stop ends all', () => {
    const { sent, gate, faults } = gateWith({ do: 'stall', ms: 1_000, times: 1 })
    gate.pass({ stream }, Buffer.from('a'))
    gate.hold()
    gate.pass({ stream }, Buffer.from('b'))
    gate.release()
    time.advance(500)
    expect(sent).toEqual([])
    faults.stop()
    expect(sent).toEqual(['a', 'b'])
  })
})

test('a stalled connection that falls too far behind is closed as a slow reader', () => {
  let isDropped = false
  const sent: unknown[] = []
  const reader: Partial<FaultedReader> = {
    accounts: [],
    sendEventFrame: (frame) => sent.push(frame),
    drop: () => {
      isDropped = true
    },
  }
  const faults = new FrameFaults(time, { add: () => {} } as unknown as ThreadCounters)
  const rule = readFaultRule({ name: 'stall', do: 'stall', ms: 1_000 }, () => undefined)
  const cells = new SharedArrayBuffer(FAULT_CELLS_BYTES)
  faults.set([{ rule, untilMs: Number.POSITIVE_INFINITY, cells }])
  const gate = faults.gateOf(reader as FaultedReader)
  const frame = Buffer.alloc(64 * 1024, 'x')
  for (let i = 0; i < 16; i++) gate.pass({ stream: 'btcusdt@trade' }, frame)
  expect(isDropped).toBe(false)
  gate.pass({ stream: 'btcusdt@trade' }, frame)
  expect([isDropped, sent]).toEqual([true, []])
  gate.close()
  time.advance(1_000)
  expect(sent).toEqual([])
})

test('a change of rules looks at streams of readers that a rule may be for, and at no others', () => {
  const counters = ThreadCounters.ofGateway(new SharedArrayBuffer(countersBytes(1, 1)), 0)
  const faults = new FrameFaults(time, counters)
  const given = { name: 'own', do: 'drop', account: '1', stream: 'btcusdt@*' }
  const rule = readFaultRule(given, (text) => AccountId(Number(text)))
  const cells = new SharedArrayBuffer(FAULT_CELLS_BYTES)
  faults.set([{ rule, untilMs: Number.POSITIVE_INFINITY, cells }])
  const readerOf = (account: number) =>
    ({ accounts: [account], remoteAddress: new ArrayBuffer(4) }) as unknown as FaultedReader
  let seen = 0
  function* streams() {
    for (const stream of ['ethusdt@trade', 'btcusdt@trade', 'btcusdt@depth']) {
      seen++
      yield stream
    }
  }
  expect([faults.mayTouch(streams(), readerOf(2)), seen]).toEqual([false, 0])
  expect([faults.mayTouch(streams(), readerOf(1)), seen]).toEqual([true, 2])
})
