/** Hundreds of readers of one stream on real sockets, and a taker order that trades hundreds of times. */
import uWebSockets, { type TemplatedApp } from 'uWebSockets.js'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { SLICE_SENDS } from '../../../src/gateway/streams/fanout.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { OneThreadExchange } from '../../fixtures/one-thread-exchange.ts'

const READERS = 300
const MAKERS = 200
/** What uWebSockets.js sends a socket by one system call. */
const CALL_FRAMES = 32

/** System calls of each tick of the loop, as the calls of `publish` and the subscribers show. */
class Turns {
  readonly calls: number[] = []
  private frames = new Map<string, { subscribers: number; count: number }>()
  private isCounting = true

  watch(app: TemplatedApp): TemplatedApp {
    const publish = app.publish.bind(app)
    app.publish = (topic, ...more) => {
      const group = String(topic).split('/')[0]!
      const { count, subscribers } = this.frames.get(group) ?? { count: 0, subscribers: 0 }
      this.frames.set(group, {
        subscribers: Math.max(subscribers, app.numSubscribers(topic)),
        count: count + 1,
      })
      return publish(topic, ...more)
    }
    return app
  }

  start(): void {
    this.frames.clear()
    setImmediate(() => this.ended())
  }

  private ended(): void {
    let calls = 0
    for (const { subscribers, count } of this.frames.values()) {
      calls += subscribers * Math.ceil(count / CALL_FRAMES)
    }
    if (calls > 0) this.calls.push(calls)
    if (this.isCounting) this.start()
  }

  stop(): void {
    this.isCounting = false
  }
}

const turns = new Turns()
let exchange: OneThreadExchange

beforeAll(async () => {
  const { App } = uWebSockets
  vi.spyOn(uWebSockets, 'App').mockImplementation(() => turns.watch(App()))
  exchange = await OneThreadExchange.start()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await exchange.close()
})

const order = (account: number, side: string, quantity: number) =>
  exchange.signed(account, 'POST', '/api/v3/order', {
    symbol: 'BTCUSDT',
    side,
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: '100.00',
    quantity,
  })

/** A client that notes the ids of trades, and whether each came in a combined frame. */
class Reader {
  readonly socket: WebSocket
  readonly trades: number[] = []
  readonly combined: boolean[] = []
  private answered: () => void = () => {}

  constructor(names: string) {
    this.socket = new WebSocket(`ws://127.0.0.1:${exchange.port}/ws/${names}`)
    this.socket.on('message', (text) => this.take(JSON.parse(String(text)) as Frame))
  }

  ask(request: object, answered: () => void): void {
    this.answered = answered
    this.socket.send(JSON.stringify(request))
  }

  private take(frame: Frame): void {
    const { e, t } = frame.data ?? frame
    if (frame.result === null) this.answered()
    if (e !== 'trade') return
    this.trades.push(t)
    this.combined.push(frame.data !== undefined)
  }
}

type Frame = { e: string; t: number; data?: { e: string; t: number }; result?: null }

async function open(names: string): Promise<Reader> {
  const reader = new Reader(names)
  await new Promise((resolve) => reader.socket.once('open', resolve))
  return reader
}

test('no turn of the loop sends more than a slice, and each reader gets each trade once', async () => {
  const names = ['btcusdt@trade', 'btcusdt@trade/btcusdt@bookTicker', 'ethusdt@trade/btcusdt@trade']
  const readers = await Promise.all(
    Array.from({ length: READERS }, (_, n) => open(names[n % names.length]!)),
  )
  for (let n = 0; n < MAKERS; n++) await order(1, 'SELL', 0.001)
  turns.start()
  const taken = await order(2, 'BUY', MAKERS / 1000)
  expect(taken.status).toBe(200)
  const late = await open('btcusdt@trade')
  const each = (count: number) => readers.every(({ trades }) => trades.length >= count) || undefined
  await eventually('all trades', () => each(MAKERS))
  await order(1, 'SELL', 0.001)
  await order(2, 'BUY', 0.001)
  await eventually('one more', () => each(MAKERS + 1))
  await eventually('the same', () => late.trades.length > 0 || undefined)
  turns.stop()
  const whole = Array.from({ length: MAKERS + 1 }, (_, n) => n + 1)
  for (const { trades } of readers) expect(trades).toEqual(whole)
  expect(late.trades).toEqual([MAKERS + 1])
  expect(Math.max(...turns.calls)).toBeLessThanOrEqual(SLICE_SENDS)
  // Each reader is sent 32 frames by one call, not one.
  const calls = turns.calls.reduce((sum, count) => sum + count, 0)
  expect(calls).toBeLessThan((READERS * MAKERS) / 16)
  for (const { socket } of [...readers, late]) socket.terminate()
})

test('what changes while frames wait takes its place among them', async () => {
  const crowd = await Promise.all(Array.from({ length: READERS }, () => open('btcusdt@trade')))
  const [reframed, leaving, ...others] = crowd as [Reader, Reader, ...Reader[]]
  const answers = { reframed: 0, leaving: 0 }
  reframed.socket.once('message', () => {
    reframed.ask({ method: 'SET_PROPERTY', params: ['combined', true], id: 1 }, () => {
      answers.reframed = reframed.trades.length
    })
  })
  leaving.socket.once('message', () => {
    leaving.ask({ method: 'UNSUBSCRIBE', params: ['btcusdt@trade'], id: 1 }, () => {
      answers.leaving = leaving.trades.length
    })
  })
  for (let n = 0; n < MAKERS; n++) await order(1, 'SELL', 0.001)
  await order(2, 'BUY', MAKERS / 1000)
  const isWhole = () => others.every(({ trades }) => trades.length === MAKERS) || undefined
  await eventually('all trades', isWhole)
  await eventually('answers', () => (answers.reframed > 0 && answers.leaving > 0) || undefined)
  const whole = others[0]!.trades
  await eventually('the same', () => reframed.trades.length === MAKERS || undefined)
  expect(reframed.trades).toEqual(whole)
  // Plain before the answer, combined after it.
  const combined = whole.map((_, n) => n >= answers.reframed)
  expect(reframed.combined).toEqual(combined)
  expect(leaving.trades).toEqual(whole.slice(0, answers.leaving))
  for (const { socket } of crowd) socket.terminate()
})
