/**
 * A disk that refuses: what is in flight is answered -1007, what comes after -1016, market data stays
 * readable, health fails, the log has why and the exit code is 1; and after a start with room
 * everything acknowledged is there. The kernel refuses every byte that the process wants to write to a
 * file, by a limit that any user may set to its own processes (RLIMIT_FSIZE).
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { Chaos } from '../../scripts/chaos/chaos.ts'
import { type DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { line, operable } from './command-line.ts'

const SYMBOL = 'BTCUSDT'
const LIMIT = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01' }
/** NODE_OPTIONS that make short rests long, so that archiving anything takes seconds. */
const DROWSY = `--import=data:text/javascript,${encodeURIComponent(`
  const { wait } = Atomics
  Atomics.wait = (cells, at, value, ms) => wait(cells, at, value, ms < 5 ? 50 : ms)
`)}`
/** Longer than any test. */
const STAYS = ['--read-only-seconds', '3600']

let exchange: ExchangeProcess
afterEach(() => exchange?.remove())

const clientOf = (account: string) =>
  new SignedClient(exchange.url, exchange.keys()[account] as DemoKey)

/** From now on the kernel refuses what the exchange writes to files. */
function refuseWrites(): void {
  execFileSync('prlimit', ['--pid', String(exchange.pid), '--fsize=0'])
}

/** No thread has anything left to write. */
async function quiet(): Promise<void> {
  await eventually('journals that are carried and archived', async () => {
    const response = await fetch(`http://127.0.0.1:${exchange.adminPort}/metrics`)
    const lags = [...(await response.text()).matchAll(/_lag_blocks\{[^}]*\} (\d+)/g)]
    return (lags.length > 0 && lags.every(([, blocks]) => blocks === '0')) || undefined
  })
}

async function health(door: string): Promise<[status: number, failure: unknown]> {
  const response = await fetch(`http://127.0.0.1:${exchange.adminPort}/${door}`)
  return [response.status, ((await response.json()) as { failure?: string }).failure]
}

async function depth(): Promise<{ readonly bids: readonly unknown[] }> {
  const response = await fetch(`${exchange.url}/api/v3/depth?symbol=${SYMBOL}`)
  expect(response.status).toBe(200)
  return response.json() as Promise<{ bids: unknown[] }>
}

test('an order that meets the fault is unknown, and the rest is read-only', async () => {
  exchange = await ExchangeProcess.start(STAYS)
  const client = clientOf('trader1')
  const place = (side: string, price: string, newClientOrderId: string) =>
    client.send('POST', '/api/v3/order', { ...LIMIT, side, price, newClientOrderId })
  expect((await place('BUY', '40000', 'before')).status).toBe(200)
  const before = await eventually('the order in the book', async () => {
    const found = await depth()
    return found.bids.length > 0 ? found : undefined
  })
  await operable(exchange)
  await quiet()
  refuseWrites()
  expect([-1007, -1016]).toContain((await place('BUY', '41000', 'within')).body.code)
  // The other gateway may learn of it a moment later.
  await eventually('a refusal', async () => {
    const { status, body } = await place('BUY', '42000', 'after')
    expect([-1007, -1016]).toContain(body.code)
    return status === 503 || undefined
  })
  const query = { symbol: SYMBOL, origClientOrderId: 'before' }
  await eventually('a refusal of a query', async () => {
    const { status, body } = await client.send('GET', '/api/v3/order', query)
    return (status === 503 && body.code === -1016) || undefined
  })
  expect(await depth()).toEqual(before)
  const failure = expect.stringMatching(/cannot be (written|used)/)
  expect(await health('healthz')).toEqual([503, failure])
  expect(await health('readyz')).toEqual([503, failure])
  const { code, stderr } = await line(exchange, 'deposit', 'trader1', 'BTC', '1')
  expect([code, stderr]).toEqual([1, failure])

  const ended = await exchange.stop('SIGTERM')
  expect([ended.code, ended.signal]).toEqual([1, null])
  expect(ended.output).toContain('nothing can be written; read-only until the end')
  expect(ended.output).toMatch(/cannot be (written: EFBIG|used: )/)

  await exchange.run()
  expect(await client.send('GET', '/api/v3/order', query)).toMatchObject({ status: 200 })
  const within = { symbol: SYMBOL, origClientOrderId: 'within' }
  const resolved = await client.send('GET', '/api/v3/order', within)
  expect([200, 400]).toContain(resolved.status)
  const after = { symbol: SYMBOL, origClientOrderId: 'after' }
  expect(await client.send('GET', '/api/v3/order', after)).toMatchObject({ body: { code: -2013 } })
})

test('an action that meets the fault has failed, and is there or not after a start', async () => {
  exchange = await ExchangeProcess.start([...FEW_THREADS, '--read-only-seconds', '1'])
  await operable(exchange)
  const owned = async () => {
    const { body } = await clientOf('trader1').send('GET', '/api/v3/account')
    return (body.balances as { asset: string; free: string }[]).find((it) => it.asset === 'ADA')
      ?.free
  }
  const before = await owned()
  await quiet()
  refuseWrites()
  const { code, stderr } = await line(exchange, 'deposit', 'trader1', 'ADA', '1')
  expect([code, stderr]).toEqual([1, expect.stringMatching(/./)])
  // It ends by itself.
  expect((await exchange.ended()).code).toBe(1)
  await exchange.run()
  const more = (Number(before) + 1).toFixed(8)
  expect([before, more]).toContain(await owned())
})

test('without time to stay it ends at once', async () => {
  exchange = await ExchangeProcess.start([...FEW_THREADS, '--read-only-seconds', '0'])
  refuseWrites()
  await clientOf('trader1')
    .send('POST', '/api/v3/order', { ...LIMIT, side: 'BUY', price: '40000' })
    .catch(() => undefined)
  expect((await exchange.ended()).code).toBe(1)
})

test('it ends also when a thread is in the midst of a transaction', async () => {
  process.env.NODE_OPTIONS = DROWSY
  exchange = await ExchangeProcess.start([...FEW_THREADS, '--read-only-seconds', '0']).finally(
    () => delete process.env.NODE_OPTIONS,
  )
  const client = clientOf('trader1')
  const place = () =>
    client.send('POST', '/api/v3/order', { ...LIMIT, side: 'BUY', price: '40000' })
  await Promise.all(Array.from({ length: 100 }, place))
  refuseWrites()
  await place().catch(() => undefined)
  expect((await exchange.ended()).code).toBe(1)
})

test('under load, nothing acknowledged is lost, and what was unknown is resolved', async () => {
  exchange = await ExchangeProcess.prepare(STAYS)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-faults-'))
  const end = async () => {
    refuseWrites()
    await eventually(
      'a failed health',
      async () => (await health('healthz'))[0] === 503 || undefined,
    )
    await depth()
    expect((await exchange.stop('SIGTERM')).code).toBe(1)
  }
  const { findings } = await new Chaos({
    exchange,
    kills: 2,
    seed: 20_267,
    answersMax: 150,
    end,
    logFile: path.join(folder, 'clients.jsonl'),
    plan: ['kill'],
    struck: () => {},
    verify: () => [],
  }).run()
  expect(findings).toEqual([])
  fs.rmSync(folder, { recursive: true })
})
