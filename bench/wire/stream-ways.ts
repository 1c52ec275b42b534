/**
 * How long an order takes to each stream beside its answer: a taker's orders over a session meet one resting order,
 * and each trade is awaited where it is shown. All are clients of one thread, which reads what comes in its order.
 */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import { quantile } from '../harness/report.ts'
import type { RingbookServer } from './server.ts'
import type { PlanKey } from './workload.ts'

const SYMBOL = 'ETHUSDT'
const PRICE = '3000'
const QUANTITY = 0.01
/** Answers and frames may be late by so much. */
const LATE_MS = 10_000
/** Subscriptions are in place, and the order rests. */
const READY_MS = 500
const UNCOUNTED = 50

/** Where a trade is awaited. */
export const ways = ['answer', 'trade', 'taker', 'maker'] as const
export type Way = (typeof ways)[number]
export type WayTimes = Readonly<Record<Way, { readonly p50Us: number; readonly p99Us: number }>>

interface Frame {
  readonly id?: number
  readonly status?: number
  readonly event?: { readonly e: string; readonly x?: string }
}

/** One connection of the WebSocket API. */
class Session {
  private readonly socket: WebSocket
  private readonly key: PlanKey
  private asked = 0

  constructor(port: number, key: PlanKey, take: (frame: Frame) => void) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/ws-api/v3?returnRateLimits=false`)
    this.key = key
    this.socket.on('message', (data) => {
      const text = String(data)
      // Orders beside these are of another symbol.
      if (!text.includes('executionReport') || text.includes(SYMBOL))
        take(JSON.parse(text) as Frame)
    })
  }

  opened(): Promise<unknown> {
    return once(this.socket, 'open')
  }

  /** Returns the id that the answer has. */
  send(method: string, params: Readonly<Record<string, string>>): number {
    const all: Record<string, string> = {
      ...params,
      apiKey: this.key.apiKey,
      timestamp: String(Date.now()),
    }
    const names = Object.keys(all).sort()
    const payload = names.map((name) => `${name}=${all[name]}`).join('&')
    const signature = createHmac('sha256', this.key.secretKey).update(payload).digest('hex')
    const id = this.asked++
    this.socket.send(JSON.stringify({ id, method, params: { ...all, signature } }))
    return id
  }

  close(): void {
    this.socket.terminate()
  }
}

/** Sends `rate` orders a second for so long. Returns the times from when they were due. */
export async function measureWays(
  { port, accounts }: RingbookServer,
  rate: number,
  seconds: number,
): Promise<WayTimes> {
  const [makerKey, takerKey] = accounts.keys as [PlanKey, PlanKey]
  const orders = rate * seconds + UNCOUNTED
  const came: Record<Way, number[]> = { answer: [], trade: [], taker: [], maker: [] }
  const isTrade = ({ event }: Frame) => event?.e === 'executionReport' && event.x === 'TRADE'
  const maker = new Session(port, makerKey, (frame) => {
    if (isTrade(frame)) came.maker.push(performance.now())
  })
  const reader = new Session(port, takerKey, (frame) => {
    if (isTrade(frame)) came.taker.push(performance.now())
  })
  const taker = new Session(port, takerKey, ({ status }) => {
    if (status !== 200) throw new Error('an order was refused')
    came.answer.push(performance.now())
  })
  const stream = new WebSocket(`ws://127.0.0.1:${port}/ws/${SYMBOL.toLowerCase()}@trade`)
  stream.on('message', () => came.trade.push(performance.now()))
  const sessions = [maker, reader, taker]
  await Promise.all([once(stream, 'open'), ...sessions.map((session) => session.opened())])
  for (const session of [maker, reader]) session.send('userDataStream.subscribe.signature', {})
  const order = { symbol: SYMBOL, type: 'LIMIT', price: PRICE }
  const resting = String(QUANTITY * orders)
  maker.send('order.place', { ...order, side: 'SELL', timeInForce: 'GTC', quantity: resting })
  await delay(READY_MS)
  const due: number[] = []
  const began = performance.now()
  for (let sent = 0; sent < orders; ) {
    const dueMs = began + (sent * 1_000) / rate
    if (performance.now() < dueMs) {
      await delay(1)
      continue
    }
    due.push(dueMs)
    const quantity = String(QUANTITY)
    taker.send('order.place', { ...order, side: 'BUY', timeInForce: 'IOC', quantity })
    sent++
  }
  const isWhole = () => ways.every((way) => came[way].length === orders)
  for (let waited = 0; !isWhole() && waited < LATE_MS; waited += 10) await delay(10)
  for (const session of sessions) session.close()
  stream.terminate()
  const times = (way: Way) => {
    if (came[way].length !== orders) throw new Error(`${came[way].length} of ${orders}: ${way}`)
    const us = came[way].map((ms, i) => (ms - due[i]!) * 1_000).slice(UNCOUNTED)
    return { p50Us: quantile(us, 0.5), p99Us: quantile(us, 0.99) }
  }
  return {
    answer: times('answer'),
    trade: times('trade'),
    taker: times('taker'),
    maker: times('maker'),
  }
}
