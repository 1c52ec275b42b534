/**
 * Threads that stand still: a gateway is not waited for and finds back, an indexer keeps no client from
 * trading, and what a full write-ahead log waits for is counted. What lags is bounded, and it can be seen.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import { afterEach, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { LinuxScheduler } from '../../src/workers/background.ts'
import { hosting } from '../../src/workers/hosting.ts'
import { V8_NICENESS } from '../../src/workers/v8-threads.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { type Frame, FrameLog } from './frame-log.ts'
import { DEBUGGABLE, ThreadStall } from './thread-stall.ts'
import { Trader } from './trader.ts'

const SYMBOL = 'BTCUSDT'
/** The smallest size: some hundred orders are more than a gateway may lag behind. */
const RING_BYTES = 1_048_576
const FLAGS = ['--orders-per-symbol', '1024', '--event-ring-bytes', String(RING_BYTES)]
const SOCKETS = 24
const TOGETHER = 100
const IDLE_CLASS = '5'

let exchange: ExchangeProcess
afterEach(() => exchange?.remove())

async function start(flags: readonly string[]): Promise<void> {
  process.env.NODE_OPTIONS = DEBUGGABLE
  exchange = await ExchangeProcess.start(flags).finally(() => delete process.env.NODE_OPTIONS)
}

/** A counter's values, one of each thread that has it. */
async function counted(name: string): Promise<number[]> {
  const response = await fetch(`http://127.0.0.1:${exchange.adminPort}/counters`)
  const rows = (await response.json()) as { name: string; value: number }[]
  return rows.filter((row) => row.name === name).map(({ value }) => value)
}

/** Threads of the exchange that are of the scheduler's idle class: the 41st field of proc(5)'s stat. */
function idleThreads(): string[] {
  const folder = `/proc/${exchange.pid}/task`
  return readdirSync(folder).filter((thread) => {
    const fields = readFileSync(`${folder}/${thread}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return fields[41 - 3] === IDLE_CLASS
  })
}

/** The disk's class in ionice(1). */
const diskClass = (thread: string) => execFileSync('ionice', ['-p', thread], { encoding: 'utf8' })

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const order = (price: string, timeInForce: string) => ({
  symbol: SYMBOL,
  side: 'BUY',
  type: 'LIMIT',
  quantity: '0.01',
  price,
  timeInForce,
})

test.runIf(process.platform === 'linux')("V8's threads leave processors to others", async () => {
  await start(FLAGS)
  const threads = readdirSync(`/proc/${exchange.pid}/task`).map(Number)
  const [main, ...others] = threads.sort((a, b) => a - b).map((thread) => os.getPriority(thread))
  const own = os.getPriority()
  expect(main).toBe(own)
  expect(others.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => Math.max(own, V8_NICENESS)))
  // Matchers, gateways and others start later, and keep theirs.
  expect(others.filter((nice) => nice === own).length).toBeGreaterThan(4)
})

/** Whether this process, and one that it starts, may raise priorities. */
function mayRaise(): boolean {
  const own = os.getPriority()
  try {
    os.setPriority(own - 1)
    os.setPriority(own)
    return true
  } catch {
    return false
  }
}

test.runIf(process.platform === 'linux' && mayRaise())(
  'matchers and gateways go before other threads',
  async () => {
    await start([...FLAGS, '--matchers', '2', '--gateways', '1'])
    const raised = () => {
      const threads = readdirSync(`/proc/${exchange.pid}/task`).map(Number)
      const priorities = threads.map((thread) => os.getPriority(thread))
      return priorities.filter((nice) => nice < 0).sort((a, b) => a - b)
    }
    const { matching, gateway } = hosting
    const wanted = [matching.raisedTo, matching.raisedTo, gateway.raisedTo]
    // Clients may connect just before.
    await eventually('raised priorities', () => raised().length === wanted.length || undefined)
    expect(raised()).toEqual(wanted)
  },
)

test('a gateway that stalls is not waited for, misses events, and finds back', async () => {
  await start(FLAGS)
  const trader = new Trader(exchange, 'trader1')
  const open = () =>
    Array.from({ length: SOCKETS }, () =>
      FrameLog.open(`${exchange.wsUrl}/ws-api/v3?returnRateLimits=false`),
    )
  const sockets = await Promise.all(open())
  const stall = await ThreadStall.begin(exchange, 'gateway.thread.js')
  for (const socket of sockets) socket.send({ id: 'before', method: 'ping' })
  const live = await eventually('the other gateway', () => sockets.find(({ frames }) => frames[0]))
  let asked = 0
  const place = async (price: string, timeInForce: string): Promise<Frame> => {
    const params = trader.sign(order(price, timeInForce))
    return live.ask({ id: ++asked, method: 'order.place', params })
  }
  const before = sum(await counted('eventBytes'))
  while (sum(await counted('eventBytes')) - before <= RING_BYTES) {
    const answers = Array.from({ length: TOGETHER }, () => place('40000', 'IOC'))
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
  }
  expect((await place('41000', 'GTC')).status).toBe(200)
  const stalled = sockets.filter(({ frames }) => frames.length === 0)
  expect(stalled.length).toBeGreaterThan(0)
  expect(sum(await counted('readerOverrun'))).toBe(0)

  await stall.end()
  await eventually('an overrun that was counted', async () => {
    return sum(await counted('readerOverrun')) > 0 || undefined
  })
  const sentence = 'events were missed; closing streams and resynchronizing'
  await eventually('what the log says of it', () => exchange.output.includes(sentence) || undefined)
  // Its readers come back.
  await eventually('closed connections', () => stalled.every(({ closed }) => closed) || undefined)
  await Promise.all(sockets.map((socket) => socket.close()))
  const again = await Promise.all(open())
  const shown = again.map(async (socket) => {
    let looks = 0
    await eventually('the same book', async () => {
      const asked = { id: `look ${++looks}`, method: 'depth', params: { symbol: SYMBOL } }
      const { result } = (await socket.ask(asked)) as { result?: { bids: unknown[] } }
      return result?.bids.length === 1 || undefined
    })
  })
  await Promise.all(shown)
  await Promise.all(again.map((socket) => socket.close()))
})

test('an indexer that stalls keeps only those waiting who ask for the past', async () => {
  await start(FEW_THREADS)
  const trader = new Trader(exchange, 'trader1')
  const stall = await ThreadStall.begin(exchange, 'indexer.thread.js')
  const { orderId } = await trader.place(order('40000', 'GTC'))
  expect(await trader.order(SYMBOL, orderId)).toMatchObject({ status: 'NEW' })
  const metrics = await fetch(`http://127.0.0.1:${exchange.adminPort}/metrics`)
  expect(await metrics.text()).toMatch(/archive_lag_blocks\{[^}]*\} [1-9]/)
  const late = await trader.send('GET', '/api/v3/allOrders', { symbol: SYMBOL })
  expect(late).toMatchObject({ status: 504, body: { code: -1007 } })
  await stall.end()
  await eventually('the past', async () => {
    const { status, body } = await trader.send('GET', '/api/v3/allOrders', { symbol: SYMBOL })
    return status === 200 && JSON.stringify(body).includes(`"orderId":${orderId}`)
      ? true
      : undefined
  })
})

test('indexer and snapshots run while a processor is free, or when they would never run', async () => {
  await start(FEW_THREADS)
  const trader = new Trader(exchange, 'trader1')
  const allowed = await new LinuxScheduler().probe().then(
    () => 2,
    () => 0,
  )
  await eventually('the idle class', () => idleThreads().length === allowed || undefined)
  for (const thread of idleThreads()) expect(diskClass(thread)).toBe('best-effort: prio 7\n')
  const stall = await ThreadStall.begin(exchange, 'indexer.thread.js')
  await trader.place(order('40000', 'GTC'))
  await eventually('the normal class', () => idleThreads().length === 0 || undefined)
  await stall.end()
})

test('a checkpointer that stalls leaves blocks in the write-ahead log, where they can be seen', async () => {
  await start(FEW_THREADS)
  const trader = new Trader(exchange, 'trader1')
  const inWal = async () => {
    const response = await fetch(`http://127.0.0.1:${exchange.adminPort}/metrics`)
    const rows = (await response.text()).matchAll(/checkpointer_lag_blocks\{[^}]*\} (\d+)/g)
    return sum([...rows].map(([, blocks]) => Number(blocks)))
  }
  const stall = await ThreadStall.begin(exchange, 'checkpointer.thread.js')
  const before = await inWal()
  for (let i = 0; i < 3; i++) await trader.place(order('40000', 'GTC'))
  await eventually('three blocks more', async () => (await inWal()) === before + 3 || undefined)
  // What is only there is not lost either.
  await exchange.stop('SIGKILL')
  await exchange.run()
  expect(await trader.ask('GET', '/api/v3/openOrders')).toHaveLength(3)
  await eventually('an empty write-ahead log', async () => (await inWal()) === 0 || undefined)
  stall.leave()
})
