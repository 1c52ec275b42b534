/**
 * The soak in small (scripts/soak.ts), by counts instead of hours: what grows with each thousand
 * operations, while nothing that is kept does but the journal and what follows from it.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccount } from '../../scripts/exchange/admin-client.ts'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { WsClient } from '../../scripts/exchange/ws-client.ts'
import { accountKeyOf } from '../../scripts/load/keys.ts'
import { Target } from '../../scripts/load/target.ts'
import { HistoryReader } from '../../scripts/soak/history.ts'
import { SoakMaker } from '../../scripts/soak/maker.ts'
import { SoakOperator } from '../../scripts/soak/operator.ts'
import { Readers } from '../../scripts/soak/readers.ts'
import { foldersOf, handlesOf, memoryOf, metricsOf } from '../../scripts/soak/samples.ts'
import { leastSquares } from '../../scripts/soak/slopes.ts'
import { Tally } from '../../scripts/soak/tally.ts'
import { Prng } from '../../src/base/prng.ts'
import { marketOf, type SymbolInfo } from '../../src/liquidity/market.ts'
import { eventually } from '../fixtures/eventually.ts'

const MAKERS = 8
const CONNECTIONS = 12
const TIMEOUT_MS = 30_000
/** Each maker sends a request in a turn; the indexer looks about ten times a second. */
const EXECUTION_MS = 25
const READ_TURNS = 60
const QUIET_TURNS = 50
const QUIET_SAMPLES = 8
/** Rows take about 1 byte for each byte of events; pages that are not used again make it 20. */
const ARCHIVE_BYTES_PER_EVENT_BYTE = 3
/** The heaps of all threads are flat from some 5,000 operations on. */
const WARM_UP_ROUNDS = 10
/** Their halves are 9,000 operations apart; young generations go up and down, and are at their lowest in each. */
const ROUNDS = 24
const TURNS = 60
/** Each of 13 queries. */
const QUERY_ROUNDS = 20
const READERS = 8
/** A journal's events fill rings that were not used before; the rest of the growth is the collectors'. */
const SNAPSHOT_ROUNDS = 12
const ROUND_ORDERS = 1_000
const LANES = 64
const SNAPSHOT_GROWTH_BYTES = 32 << 20
/** For each request or query. */
const MEMORY_BYTES = 2_048
const HANDLES_PER_THOUSAND = 0.5
const SNAPSHOT_BYTES_PER_THOUSAND = 4_096

const tally = new Tally(() => {})
const prng = new Prng(20_266)
const makers: SoakMaker[] = []
let exchange: ExchangeProcess
let target: Target
let history: HistoryReader
let readers: Readers
let operator: SoakOperator

beforeAll(async () => {
  exchange = await ExchangeProcess.start(['--matchers', '1', '--gateways', '1'])
  const { url, wsUrl, port, data, adminPort } = exchange
  target = new Target(url, CONNECTIONS, TIMEOUT_MS)
  operator = new SoakOperator({ data, adminPort, tally, prng })
  const { symbols: infos } = await target.ask<{ symbols: SymbolInfo[] }>('/api/v3/exchangeInfo')
  const markets = infos.map(marketOf).filter(({ quoteAsset }) => quoteAsset === 'USDT')
  const symbols = markets.map(({ symbol }) => symbol)
  for (let at = 0; at < MAKERS; at++) {
    const market = markets[at % markets.length]!
    const funds = { [market.baseAsset]: '1000000', USDT: '1000000' }
    const key = accountKeyOf(await openAccount(operator.act, `soak${at}`, funds))
    const ws = at % 2 === 0 ? undefined : new WsClient(`${wsUrl}/ws-api/v3`, key, TIMEOUT_MS)
    makers.push(new SoakMaker({ key, market, middle: () => 100, target, ws, tally, prng }))
  }
  const accounts = makers.map(({ key, symbol }) => ({ key, symbol }))
  const keys = accounts.map(({ key }) => key)
  history = new HistoryReader({ target, symbols, accounts, tally, runMs: 0 })
  readers = new Readers({ wsUrl, port, symbols, keys, target, tally, prng })
})
afterAll(async () => {
  readers?.end()
  await target?.close()
  await exchange?.remove()
})

async function trade(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await Promise.all([...makers.map((maker) => maker.act(performance.now())), delay(EXECUTION_MS)])
  }
}

async function sample() {
  const { eventBytes, gauges } = await eventually('an archive that keeps up', async () => {
    const metrics = await metricsOf(exchange.adminPort)
    return metrics.gauges['ringbook_archive_lag_blocks{matcher="0"}'] === 0 ? metrics : undefined
  })
  const { archive = 0, snapshots = 0 } = foldersOf(exchange.data)
  const { files, sockets, threads } = handlesOf(exchange.pid)
  return {
    thousands: (tally.orders + tally.queries) / 1_000,
    eventBytes,
    archive,
    snapshots,
    files,
    sockets,
    threads,
    anonymous: memoryOf(exchange.pid).anonymous,
    heap: gauges['ringbook_gateway_heap_bytes{gateway="0"}'] ?? 0,
  }
}
type SoakSample = Awaited<ReturnType<typeof sample>>

test('an archive without queries for a while uses its pages again', async () => {
  // Each history thread has read, and waits.
  await trade(READ_TURNS)
  for (let i = 0; i < QUERY_ROUNDS; i++) await history.round()
  const samples: SoakSample[] = []
  for (let i = 0; i < QUIET_SAMPLES; i++) {
    await trade(QUIET_TURNS)
    samples.push(await sample())
  }
  const points = samples.map(({ eventBytes, archive }) => [eventBytes, archive] as const)
  expect(leastSquares(points)).toBeLessThan(ARCHIVE_BYTES_PER_EVENT_BYTE)
})

test('nothing grows with orders, queries and readers', { timeout: 400_000 }, async () => {
  const samples: SoakSample[] = []
  for (let at = 0; at < WARM_UP_ROUNDS + ROUNDS; at++) {
    await round()
    if (at >= WARM_UP_ROUNDS) samples.push(await sample())
  }
  const perThousand = (name: keyof SoakSample) =>
    leastSquares(samples.map((each) => [each.thousands, each[name]]))
  for (const name of ['files', 'sockets', 'threads'] as const) {
    expect(perThousand(name), name).toBeLessThan(HANDLES_PER_THOUSAND)
  }
  expect(perThousand('snapshots')).toBeLessThan(SNAPSHOT_BYTES_PER_THOUSAND)
  const [before, after] = [samples.slice(0, ROUNDS / 2), samples.slice(ROUNDS / 2)]
  const operations = 1_000 * (after[0]!.thousands - before[0]!.thousands)
  for (const name of ['anonymous', 'heap'] as const) {
    // Between two collections memory grows: the lowest samples have what is left.
    const lowest = (of: readonly SoakSample[]) => Math.min(...of.map((each) => each[name]))
    expect((lowest(after) - lowest(before)) / operations, name).toBeLessThan(MEMORY_BYTES)
  }
  expect(tally.failed).toBe(0)
})

async function round(): Promise<void> {
  await trade(TURNS)
  for (let i = 0; i < READERS; i++) await readers.come()
  for (let i = 0; i < QUERY_ROUNDS; i++) await history.round()
  readers.end()
  const { symbol } = makers[0]!
  await operator.act('halt', { symbol })
  await operator.act('resume', { symbol })
  await operator.act('snapshot', {})
}

test('snapshots take no more memory from the third on', { timeout: 400_000 }, async () => {
  const rounds = await ExchangeProcess.start(['--matchers', '1', '--gateways', '1'])
  try {
    const { data, adminPort, wsUrl, pid } = rounds
    const key = accountKeyOf(rounds.keys().maker!)
    const ws = new WsClient(`${wsUrl}/ws-api/v3`, key, TIMEOUT_MS)
    const samples: number[] = []
    for (let round = 0; round < SNAPSHOT_ROUNDS; round++) {
      await placeAndCancel(ws)
      await new SoakOperator({ data, adminPort, tally, prng }).act('snapshot', {})
      samples.push(memoryOf(pid).anonymous)
    }
    ws.close()
    expect(Math.min(...samples.slice(SNAPSHOT_ROUNDS / 2)) - samples[1]!).toBeLessThan(
      SNAPSHOT_GROWTH_BYTES,
    )
  } finally {
    await rounds.remove()
  }
})

/** ROUND_ORDERS, so many of them at once. */
async function placeAndCancel(ws: WsClient): Promise<void> {
  const terms = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
  let next = 0
  const lane = async () => {
    while (next < ROUND_ORDERS) {
      const price = 20_000 + (next++ % 500)
      const placed = await ws.send('order.place', { ...terms, quantity: '0.001', price })
      const { orderId } = placed.body as { orderId: number }
      const { status } = await ws.send('order.cancel', { symbol: 'BTCUSDT', orderId })
      expect(status).toBe(200)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

test('a soak that is ended early compares and evaluates what it has', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-soak-'))
  const words = ['dist/scripts/soak.js', '--hours', '0.02', '--disk-mb', '0', '--folder', folder]
  const soak = spawn(process.execPath, words)
  let output = ''
  soak.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const ended = new Promise((resolve) => soak.once('close', resolve))
  const samples = path.join(folder, 'samples.jsonl')
  const sampled = () => (existsSync(samples) ? readFileSync(samples, 'utf8').split('\n').length : 0)
  // They are ten seconds apart: how long a slow machine takes to start does not count among them.
  await eventually('a sample', () => sampled() > 1 || undefined)
  await eventually('three samples more', () => sampled() > 4 || undefined)
  soak.kill('SIGINT')
  expect(await ended, output).toBe(0)
  const report = JSON.parse(output.trimEnd().split('\n').at(-1)!)
  expect(report).toMatchObject({ isWhole: true, isWell: true, lost: 0, failed: 0 })
  expect(report.compared).toBeGreaterThan(20)
  expect(readdirSync(folder).sort()).toEqual(['exchange.log', 'samples.jsonl', 'soak.svg'])
  rmSync(folder, { recursive: true })
})
