import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { claimPort } from '../../../scripts/exchange/ports.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { Lots, Ms, QuoteAtoms, Ticks, TradeId } from '../../../src/base/units.ts'
import { AuctionView } from '../../../src/core/views/auction-view.ts'
import { DayWindow } from '../../../src/core/views/day-window.ts'
import { DepthView } from '../../../src/core/views/depth.ts'
import { ReferencePrice } from '../../../src/core/views/reference-price.ts'
import { Tape, type TapeTrade } from '../../../src/core/views/tape.ts'
import { ClientAddresses } from '../../../src/gateway/limits/client-address.ts'
import { limitBytes, RateLimits } from '../../../src/gateway/limits/rate-limits.ts'
import { SocketCounts } from '../../../src/gateway/limits/socket-counts.ts'
import { Port, realSockets } from '../../../src/gateway/port.ts'
import { Server, type ServerOptions } from '../../../src/gateway/server.ts'
import { Fanout } from '../../../src/gateway/streams/fanout.ts'
import { Topics } from '../../../src/gateway/streams/topics.ts'
import { nameQuota, type StreamParts } from '../../../src/gateway/websocket/ws-streams.ts'
import { countersBytes, readCounters, ThreadCounters } from '../../../src/shared/counters.ts'
import { eventually } from '../../fixtures/eventually.ts'
import {
  keyOf,
  limitSettings,
  OneThreadExchange,
  sign,
  tradedSymbols,
} from '../../fixtures/one-thread-exchange.ts'
import { signingKey } from './test-keys.ts'

const realTime = new RealTime()

describe('an exchange', () => {
  let exchange: OneThreadExchange
  beforeAll(async () => {
    exchange = await OneThreadExchange.start({ commandSlots: 4 })
  })
  afterAll(() => exchange.close())

  test('whose command ring is full is busy', async () => {
    exchange.pause()
    const orders = Array.from({ length: 6 }, () => exchange.limitOrder(1, 'BUY', '1.00', '10'))
    const busy = await Promise.race(orders)
    expect([busy.status, busy.body.code]).toEqual([503, -1008])
    // The requests come on separate connections: the last may be later than the first answer.
    await expect.poll(() => exchange.counter('commandRingFull')).toBe(2)
    exchange.resume()
    const statuses = (await Promise.all(orders)).map((it) => it.status).sort()
    expect(statuses).toEqual([200, 200, 200, 200, 503, 503])
    expect(exchange.counter('commandRingFull')).toBe(2)
  })

  test('that stops finishes what is in flight and takes nothing new', async () => {
    const [gateway] = exchange.gateways
    const kept = await exchange.socket('/ws-api/v3')
    const raw = await exchange.socket('/ws/btcusdt@trade?timeUnit=MICROSECOND')
    const combined = await exchange.socket('/stream?streams=btcusdt@trade')
    exchange.pause()
    const inFlight = exchange.limitOrder(1, 'BUY', '1.00', '10')
    while (exchange.waiting() === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    gateway!.stopAccepting()
    const drained = gateway!.drained()
    const event = { e: 'serverShutdown', E: expect.any(Number) }
    expect(await kept.next()).toEqual({ event })
    expect(await combined.next()).toEqual({ stream: '!serverShutdown', data: event })
    expect(String((await raw.next()).E)).toHaveLength(16)
    const { apiKey } = keyOf(1)
    const timestamp = exchange.nowMs()
    const payload = `apiKey=${apiKey}&symbol=BTCUSDT&timestamp=${timestamp}`
    const params = { symbol: 'BTCUSDT', apiKey, timestamp, signature: sign(1, payload) }
    const late = await kept.ask({ id: 1, method: 'openOrders.cancelAll', params })
    expect(late).toMatchObject({ status: 503, error: { code: -1016 } })
    expect(await kept.ask({ id: 2, method: 'ping' })).toMatchObject({ status: 200 })
    exchange.resume()
    await drained
    expect((await inFlight).status).toBe(200)
    await expect(exchange.socket('/ws')).rejects.toThrow()
    gateway!.close()
    expect([await kept.closed(), await raw.closed()]).toEqual([1001, 1001])
  })
})

test('an exchange that stops waits for answers from the archive, and asks it no more', async () => {
  let answer: () => void = () => {}
  let isAsked = false
  const list = async () => {
    isAsked = true
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return Buffer.from('[]')
  }
  const options = { history: { list } }
  const exchange = await OneThreadExchange.start(options)
  const [gateway] = exchange.gateways
  const kept = await exchange.socket('/ws-api/v3')
  const inFlight = exchange.signed(1, 'GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })
  await expect.poll(() => isAsked).toBe(true)
  gateway!.stopAccepting()
  await kept.next()
  let isDrained = false
  const drained = gateway!.drained().then(() => {
    isDrained = true
  })
  const { apiKey } = keyOf(1)
  const timestamp = exchange.nowMs()
  const payload = `apiKey=${apiKey}&symbol=BTCUSDT&timestamp=${timestamp}`
  const params = { symbol: 'BTCUSDT', apiKey, timestamp, signature: sign(1, payload) }
  const late = await kept.ask({ id: 1, method: 'myTrades', params })
  expect(late).toMatchObject({ status: 503, error: { code: -1016 } })
  expect(isDrained).toBe(false)
  answer()
  await drained
  expect((await inFlight).status).toBe(200)
  kept.close()
  await exchange.close()
})

test('an archive that is too far behind is asked again once records were missed', async () => {
  const price = { priceTicks: Ticks(100), lots: Lots(1), quoteAtoms: QuoteAtoms(100) }
  const trade = { tradeId: TradeId(7), ...price, timeMs: Ms(1), isBuyerMaker: true }
  const answers: (() => Promise<readonly TapeTrade[]>)[] = []
  const publicTrades = async () => answers.shift()?.() ?? []
  const options = { history: { publicTrades } }
  const exchange = await OneThreadExchange.start(options)
  const behind = () => Promise.reject(new Error('the archive is behind'))
  answers.push(
    behind,
    behind,
    async () => [trade],
    async () => [trade],
  )
  exchange.overrunEvents()
  const trades = async () => (await exchange.send('GET', '/api/v3/trades?symbol=BTCUSDT')).body
  await expect.poll(trades).toMatchObject([{ id: 7 }])
  const again = exchange.warnings.filter((it) => it.includes('asking again'))
  expect(again.length).toBe(2)
  await exchange.close()
})

/** Sockets of this machine that listen on the port. */
function listeningOn(port: number): number {
  const address = `:${port.toString(16).toUpperCase().padStart(4, '0')} `
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  return lines.filter((line) => line.includes(`${address}00000000:0000 0A`)).length
}

test('the kernel keeps 2,048 connections for a gateway that is busy, until it stops listening', async () => {
  const exchange = await OneThreadExchange.start()
  const { port } = exchange
  expect(listeningOn(port)).toBe(4)
  const sockets = Array.from({ length: 1_200 }, () => net.connect(port, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  expect((await exchange.send('GET', '/api/v3/ping')).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  exchange.gateways[0]!.stopAccepting()
  expect(listeningOn(port)).toBe(0)
  await exchange.close()
})

const ed25519 = signingKey('ED25519').spec

test.each([
  ['JSON', '', '0/rbtcusdt@trade'],
  ['SBE', '/sbe', '0/bbtcusdt@trade'],
])('a reader of a stream in %s that is too slow is closed, not gapped', async (encoding, prefix, topic) => {
  const port = await claimPort()
  const symbols = tradedSymbols()
  const cells = new SharedArrayBuffer(countersBytes(1, 1))
  const counters = ThreadCounters.ofGateway(cells, 0)
  const count = (name: string) => readCounters(cells, 1, 1).find((it) => it.name === name)!.value
  const topics = new Topics({
    symbols,
    depths: symbols.map((spec) => new DepthView(spec)),
    tapes: symbols.map((spec) => new Tape(spec)),
    dayWindows: symbols.map(() => new DayWindow()),
    auctions: symbols.map(() => new AuctionView()),
    references: symbols.map(({ tickUnits }) => new ReferencePrice(tickUnits)),
    history: { klines: async () => [], aggregateTrades: async () => [] },
    clock: realTime,
    warn: () => {},
    counters,
    publish: () => {},
  })
  const fanout = new Fanout({ counters, publish: () => {}, waits: () => {} })
  const rateLimits = new RateLimits(
    new SharedArrayBuffer(limitBytes(1)),
    1,
    limitSettings(['--limits', 'off']),
    counters,
  )
  const clients = new ClientAddresses('', true)
  const listenKeys = { accountOf: () => -1 }
  const memory = { refuses: () => false }
  const forwarding = { look: () => {}, glance: () => {} }
  const leadership = { isCutOff: false }
  const limits = { memory, names: nameQuota(), limited: false, clients }
  const own = { ...limits, fanout, forwarding, leadership }
  const streamKeyOf = () => ({ account: { id: ed25519.account }, apiKey: ed25519.apiKey })
  const keys = { listenKeys, streamKeyOf, sbe: { newest: 5 } }
  const parts = { clock: realTime, counters, rateLimits, topics, ...keys, ...own }
  const listener = new Port({
    ...{ sockets: realSockets, host: '127.0.0.1', port, tls: undefined, flag: 'port' },
  })
  const server = new Server({
    port: listener,
    sbePort: undefined,
    operations: [],
    newestSbe: 5,
    console: { files: [], docs: [], demoKeys: [] },
    socketCounts: new SocketCounts(rateLimits.guard, 10, 10),
    socketsPerAddress: 10,
    clientRead: () => {},
    api: parts as unknown as ServerOptions['api'],
    streams: parts as unknown as StreamParts,
  })
  await listener.listen()
  const open = async () => {
    const headers = { 'X-MBX-APIKEY': ed25519.apiKey }
    const url = `ws://127.0.0.1:${port}${prefix}/ws/btcusdt@trade`
    const socket = new WebSocket(url, { headers })
    await new Promise((resolve) => socket.once('open', resolve))
    return socket
  }
  const [slow, quick] = [await open(), await open()]
  const gone = new Promise<number>((resolve) => slow.once('close', resolve))
  const numbers = { slow: [] as number[], quick: [] as number[] }
  slow.on('message', (data) => numbers.slow.push(Number.parseInt(String(data), 10)))
  quick.on('message', (data) => numbers.quick.push(Number.parseInt(String(data), 10)))
  expect([count('streamSubscriptions'), count('slowClientsClosed')]).toEqual([2, 0])
  const frames = 4_000
  slow.pause()
  for (let n = 0; n < frames; n++) {
    const frame = Buffer.from(`${n} ${'x'.repeat(10_000)}`)
    listener.publish(topic, frame, encoding === 'SBE')
    // The quick reader gets all of these before there are more.
    if (n % 20 === 19) await eventually('a batch', () => numbers.quick.length > n || undefined)
  }
  slow.resume()
  // Without a frame that says why: it would not be read either.
  expect(await gone).toBe(1006)
  const whole = Array.from({ length: frames }, (_, n) => n)
  expect(numbers.quick).toEqual(whole)
  expect(numbers.slow.length).toBeLessThan(frames)
  expect(numbers.slow).toEqual(whole.slice(0, numbers.slow.length))
  expect([count('streamSubscriptions'), count('slowClientsClosed')]).toEqual([1, 1])
  server.close()
})
