/**
 * The metrics of a real process, read as a strict scraper reads them: what a scripted session did is
 * what they count, and are absent when they are turned off.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type Family, parseExposition } from '../fixtures/exposition.ts'
import { operable } from './command-line.ts'
import { Trader } from './trader.ts'

/** All that is promised, by families of a kind. */
const promised = [
  'ringbook_symbol_orders_total',
  'ringbook_symbol_events_total',
  'ringbook_symbol_trades_total',
  'ringbook_symbol_resting_orders',
  'ringbook_symbol_waiting_orders',
  'ringbook_symbol_levels',
  'ringbook_rejects_total',
  'ringbook_symbol_rejects_total',
  'ringbook_answers_total',
  'ringbook_command_ring_slots_taken',
  'ringbook_command_ring_slots',
  'ringbook_gateway_command_ring_full_total',
  'ringbook_gateway_pending_full_total',
  'ringbook_gateway_event_bytes_waiting',
  'ringbook_gateway_reader_overrun_total',
  'ringbook_batch_commands',
  'ringbook_flush_seconds',
  'ringbook_order_stage_seconds',
  'ringbook_matcher_idle_seconds_total',
  'ringbook_archive_lag_blocks',
  'ringbook_checkpointer_lag_blocks',
  'ringbook_gateway_stream_subscriptions',
  'ringbook_gateway_user_subscriptions',
  'ringbook_gateway_slow_clients_closed_total',
  'ringbook_event_loop_delay_seconds',
  'ringbook_gateway_heap_bytes',
  'ringbook_shared_bytes',
  'ringbook_ready',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
]
const STAGES = ['parse', 'ring', 'match', 'journal', 'publish', 'answer']
const LIMIT = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC', quantity: 0.01 }

let exchange: ExchangeProcess
let maker: Trader
let taker: Trader
const sockets: WebSocket[] = []

beforeAll(async () => {
  exchange = await ExchangeProcess.start()
  await operable(exchange)
  maker = new Trader(exchange, 'maker')
  taker = new Trader(exchange, 'taker')
})
afterAll(async () => {
  for (const socket of sockets) socket.close()
  await maker?.leave()
  await exchange?.remove()
})

class Scrape {
  readonly families: Map<string, Family>

  constructor(text: string) {
    this.families = parseExposition(text)
  }

  static async take(): Promise<Scrape> {
    const response = await fetch(`http://127.0.0.1:${exchange.adminPort}/metrics`)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    return new Scrape(await response.text())
  }

  get ids(): string[] {
    return [...this.families.values()].flatMap(({ series }) => series.map(({ id }) => id))
  }

  /** Adds up the series of that name with these labels. */
  sum(name: string, wanted: Readonly<Record<string, string | number>> = {}): number {
    const series = [...this.families.values()].flatMap((family) => family.series)
    return series
      .filter((each) => each.name === name)
      .filter(({ labels }) =>
        Object.entries(wanted).every(([label, value]) => labels[label] === String(value)),
      )
      .reduce((total, { value }) => total + value, 0)
  }
}

type Count = readonly [name: string, labels: Record<string, string | number>, amount: number]

/** Matchers count what they have published a moment after others have read it. */
async function counted(before: Scrape, counts: readonly Count[]): Promise<Scrape> {
  let seen: unknown[] = []
  const attempt = async () => {
    const now = await Scrape.take()
    seen = counts.map(([name, labels]) => now.sum(name, labels) - before.sum(name, labels))
    return seen.every((amount, place) => amount === counts[place]![2]) ? now : undefined
  }
  try {
    return await eventually('the counts', attempt)
  } catch {
    const named = (amounts: readonly unknown[]) =>
      counts.map(([name, labels], place) => [name, labels, amounts[place]])
    expect(named(seen)).toEqual(named(counts.map(([, , amount]) => amount)))
    throw new Error('the counts were right at last')
  }
}

test('what is promised is there, and is written as the format demands', async () => {
  const { families } = await Scrape.take()
  expect(promised.filter((name) => !families.has(name))).toEqual([])
  const stages = families.get('ringbook_order_stage_seconds')!.series
  expect([...new Set(stages.map(({ labels }) => labels.stage))]).toEqual(STAGES)
})

test('counts are what a session did, and it makes no series', async () => {
  // What gateways queried at the start has been counted.
  const before = await eventually('a quiet exchange', async () => {
    const now = await Scrape.take()
    const sent = now.sum('ringbook_gateway_commands_total')
    return sent === now.sum('ringbook_matcher_commands_total') ? now : undefined
  })

  const asking = { 'X-RINGBOOK-RECEIPT': '1' }
  const place = (trader: Trader, side: string, price: number, more = {}) =>
    trader.send('POST', '/api/v3/order', { ...LIMIT, side, price, ...more }, asking)
  const statuses: number[] = []
  const note = async (answer: Promise<{ readonly status: number }>) => {
    statuses.push((await answer).status)
  }
  for (const price of [50_000, 50_001, 50_002]) await note(place(maker, 'SELL', price))
  await note(place(taker, 'BUY', 50_001, { quantity: 0.02 }))
  await note(place(maker, 'SELL', 60_000, { symbol: 'ETHUSDT' }))
  // Refused by the engine, by a filter, by a check; and a cancel of nothing.
  const takes = { symbol: 'BTCUSDT', type: 'LIMIT_MAKER', side: 'BUY', price: 50_002, quantity: 1 }
  await note(taker.send('POST', '/api/v3/order', takes, asking))
  await note(place(maker, 'BUY', 50_000.001))
  await note(place(maker, 'UP', 50_000))
  await note(maker.send('DELETE', '/api/v3/order', { symbol: 'BTCUSDT', orderId: 999_999 }, asking))
  expect(statuses).toEqual([200, 200, 200, 200, 200, 400, 400, 400, 400])
  expect((await fetch(`${exchange.url}/no/such/path`)).status).toBe(404)
  const followed = await maker.askSocket('userDataStream.subscribe.signature')
  expect(followed.status).toBe(200)
  const socket = new WebSocket(`${exchange.wsUrl}/stream?streams=btcusdt@trade/ethusdt@trade`)
  sockets.push(socket)
  await new Promise((resolve) => socket.once('open', resolve))

  const bitcoin = { symbol: 'BTCUSDT' }
  const after = await counted(before, [
    ['ringbook_symbol_orders_total', bitcoin, 4],
    ['ringbook_symbol_orders_total', { symbol: 'ETHUSDT' }, 1],
    ['ringbook_symbol_orders_total', {}, 5],
    ['ringbook_symbol_trades_total', bitcoin, 2],
    ['ringbook_symbol_resting_orders', bitcoin, 1],
    ['ringbook_symbol_levels', bitcoin, 1],
    ['ringbook_symbol_waiting_orders', {}, 0],
    ['ringbook_gateway_requests_total', {}, 11],
    ['ringbook_answers_total', { status: 200 }, 6],
    ['ringbook_answers_total', { status: 400 }, 4],
    ['ringbook_answers_total', { status: 404 }, 1],
    ['ringbook_answers_total', {}, 11],
    ['ringbook_rejects_total', { code: -2010 }, 1],
    ['ringbook_rejects_total', { code: -2011 }, 1],
    ['ringbook_rejects_total', {}, 4],
    ['ringbook_symbol_rejects_total', bitcoin, 4],
    ['ringbook_symbol_rejects_total', {}, 4],
    // Two were refused before they reached a matcher.
    ['ringbook_gateway_commands_total', {}, 7],
    ['ringbook_matcher_commands_total', {}, 7],
    ['ringbook_batch_commands_sum', {}, 7],
    ['ringbook_flush_seconds_count', {}, 5],
    ['ringbook_gateway_stream_subscriptions', {}, 2],
    ['ringbook_gateway_user_subscriptions', {}, 1],
    ['ringbook_gateway_connections', {}, 2],
    ['ringbook_gateway_slow_clients_closed_total', {}, 0],
    ...STAGES.map((stage): Count => ['ringbook_order_stage_seconds_count', { stage }, 7]),
    ['ringbook_archive_lag_blocks', {}, 0],
  ])
  expect(after.ids).toEqual(before.ids)
  expect(after.sum('ringbook_symbol_events_total')).toBeGreaterThan(
    before.sum('ringbook_symbol_events_total'),
  )
  expect(after.sum('ringbook_flush_seconds_sum')).toBeGreaterThan(0)
  expect(after.sum('ringbook_matcher_idle_seconds_total')).toBeGreaterThan(0)
  expect(after.sum('ringbook_ready')).toBe(1)
})

test('the receipt over a real flush is whole, and within what the client waited', async () => {
  const beganNs = process.hrtime.bigint()
  const { headers } = await maker.send(
    'POST',
    '/api/v3/order',
    { ...LIMIT, side: 'SELL', price: 70_000 },
    { 'X-RINGBOOK-RECEIPT': '1' },
  )
  const tookNs = Number(process.hrtime.bigint() - beganNs)
  const pairs = headers.get('x-ringbook-stages')!.split(';')
  const stages = new Map(pairs.map((pair) => pair.split('=') as [string, string]))
  expect([...stages.keys()]).toEqual([...STAGES, 'total'])
  const [total, ...parts] = [...stages.values()].map(Number).reverse()
  for (const ns of parts) expect(ns).toBeGreaterThan(0)
  expect(parts.reduce((sum, ns) => sum + ns)).toBe(total)
  expect(total).toBeLessThan(tookNs)
})

test('without metrics there are none, and receipts all the same', async () => {
  const plain = await ExchangeProcess.start(['--metrics', 'off', '--matchers', '1'])
  try {
    await operable(plain)
    expect((await fetch(`http://127.0.0.1:${plain.adminPort}/metrics`)).status).toBe(404)
    const { headers } = await new Trader(plain, 'maker').send(
      'POST',
      '/api/v3/order',
      { ...LIMIT, side: 'SELL', price: 70_000 },
      { 'X-RINGBOOK-RECEIPT': '1' },
    )
    expect(headers.get('x-ringbook-stages')).toMatch(/;total=\d+$/)
  } finally {
    await plain.remove()
  }
})
