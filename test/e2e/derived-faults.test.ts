/**
 * What can be made again from the journals fails alone: orders are acknowledged meanwhile, health shows what
 * is degraded, and afterwards everything is there again (docs/what-fails-alone.md).
 */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { casesOf } from '../runner/night.ts'
import { line, operable, operate } from './command-line.ts'
import { PlantedFaults } from './planted-faults.ts'

const SYMBOL = 'BTCUSDT'
const PAGE_BYTES = 4096

let exchange: ExchangeProcess
let faults: PlantedFaults
let placed = 0

beforeEach(() => {
  faults = new PlantedFaults()
  placed = 0
})
afterEach(async () => {
  await exchange?.remove()
  faults.remove()
})

async function start(...flags: string[]): Promise<void> {
  exchange = await ExchangeProcess.prepare([...FEW_THREADS, ...flags])
  await run()
}

async function run(): Promise<void> {
  process.env.NODE_OPTIONS = faults.options
  await exchange.run().finally(() => delete process.env.NODE_OPTIONS)
  await operable(exchange)
}

const clientOf = (account: string) =>
  new SignedClient(exchange.url, exchange.keys()[account] as DemoKey)

/** Places an order that must be acknowledged; every second one trades with the one before it. */
async function order(): Promise<void> {
  const isMaker = placed++ % 2 === 0
  const { status, body } = await clientOf(isMaker ? 'maker' : 'taker').send(
    'POST',
    '/api/v3/order',
    {
      symbol: SYMBOL,
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: '0.001',
      side: isMaker ? 'SELL' : 'BUY',
      price: String(50_000 + Math.floor(placed / 2)),
    },
  )
  expect([status, body.code]).toEqual([200, undefined])
}

async function orders(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await order()
}

const trades = () =>
  clientOf('taker').send('GET', '/api/v3/myTrades', { symbol: SYMBOL, limit: 1000 })

/** All that the archive answers of the time up to `endTime`; every query must succeed. */
async function past(endTime: number): Promise<unknown> {
  const found: unknown[] = []
  for (const account of ['maker', 'taker']) {
    for (const route of ['allOrders', 'myTrades']) {
      const query = { symbol: SYMBOL, limit: 1000 }
      const { status, body } = await clientOf(account).send('GET', `/api/v3/${route}`, query)
      expect(status, JSON.stringify(body)).toBe(200)
      found.push(body)
    }
  }
  for (const query of [
    'historicalTrades?limit=1000',
    'aggTrades?limit=1000',
    `klines?interval=1m&endTime=${endTime}`,
  ]) {
    const response = await fetch(`${exchange.url}/api/v3/${query}&symbol=${SYMBOL}`)
    expect(response.status).toBe(200)
    found.push(await response.json())
  }
  return found
}

interface Health {
  readonly ready: boolean
  readonly degraded?: readonly string[]
}

/** It accepts orders all the while. */
async function health(): Promise<Health> {
  const response = await fetch(`http://127.0.0.1:${exchange.adminPort}/readyz`)
  expect(response.status).toBe(200)
  return response.json() as Promise<Health>
}

const degraded = (what: RegExp) =>
  eventually(`health that says ${what}`, async () => {
    const found = (await health()).degraded?.find((it) => what.test(it))
    if (found === undefined) await order()
    return found
  })

const whole = () =>
  eventually('health that says nothing', async () =>
    (await health()).degraded === undefined ? true : undefined,
  )

const archives = () => fs.readdirSync(exchange.data).filter((name) => /^archive(-\d+)?$/.test(name))

/** Has the disk lose all pages but the two that LMDB begins with. */
function ruin(): void {
  const file = path.join(exchange.data, 'archive', 'data.mdb')
  const length = fs.statSync(file).size - 2 * PAGE_BYTES
  const descriptor = fs.openSync(file, 'r+')
  fs.writeSync(descriptor, new Uint8Array(length), 0, length, 2 * PAGE_BYTES)
  fs.closeSync(descriptor)
}

/** The answers of the archive that is there, and those of one that a start makes from the journals alone. */
async function checkPast(): Promise<void> {
  await whole()
  const endTime = Date.now()
  const found = await past(endTime)
  expect((await trades()).body).toHaveLength(Math.floor(placed / 2))
  expect((await exchange.stop()).code).toBe(0)
  for (const name of archives()) fs.rmSync(path.join(exchange.data, name), { recursive: true })
  await run()
  await whole()
  expect(await past(endTime)).toEqual(found)
}

/** Blocks that the journals' write-ahead logs hold. */
async function uncheckpointed(): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${exchange.adminPort}/metrics`)
  const lags = [
    ...(await response.text()).matchAll(/^ringbook_checkpointer_lag_blocks\{.*\} (\d+)$/gm),
  ]
  expect(lags.length).toBeGreaterThan(0)
  return lags.reduce((sum, [, blocks]) => sum + Number(blocks), 0)
}

/** How a thread ends: by day in the way that takes least. */
const endings = casesOf(['throw', 'exit', 'outOfMemory'] as const, (it) => it === 'exit')

test('an archive that is ruined under orders is made again while they continue', async () => {
  await start()
  await orders(60)
  await eventually('an archive', async () => ((await trades()).status === 200 ? true : undefined))
  faults.refuse('/archive-2/')
  ruin()
  await degraded(/applied again|takes no more rows/)
  expect(await degraded(/takes no more rows for now: .*disk is full|planted/)).toContain('archive')
  expect(await trades()).toMatchObject({ status: 503, body: { code: -1008 } })
  const rows = await operate(exchange, 'status')
  expect(rows.filter(({ what }) => what === 'degraded')).toHaveLength(1)
  await orders(60)
  // The write-ahead logs' blocks go into the journals without the archive.
  await eventually('empty write-ahead logs', async () =>
    (await uncheckpointed()) === 0 ? true : undefined,
  )
  faults.allow()
  await whole()
  expect(archives()).toEqual(['archive-2'])
  expect(exchange.output).toContain('The archive is applied again from the journals.')
  expect(exchange.output).toContain('The archive has all rows again.')
  await checkPast()
})

test('killed while the archive is made again, it continues with the new one and removes the old', async () => {
  await start()
  await orders(40)
  await eventually('an archive', async () => ((await trades()).status === 200 ? true : undefined))
  faults.refuse('/archive-2/')
  ruin()
  await degraded(/takes no more rows/)
  await exchange.stop('SIGKILL')
  // As if the kill had come before the old one was gone.
  fs.mkdirSync(path.join(exchange.data, 'archive'))
  expect(archives().sort()).toEqual(['archive', 'archive-2'])
  faults.allow()
  await run()
  await whole()
  expect(archives()).toEqual(['archive-2'])
  await orders(4)
  await checkPast()
})

test('damage that a query finds fails the query, and the archive is made again', async () => {
  await start()
  await orders(40)
  const before = await eventually('an archive', async () => {
    const found = await trades()
    return found.status === 200 ? found : undefined
  })
  await eventually('an idle archive', async () =>
    (await uncheckpointed()) === 0 ? true : undefined,
  )
  ruin()
  expect(await trades()).toMatchObject({ status: 503, body: { code: -1008 } })
  expect(
    await eventually('the same trades', async () => {
      const found = await trades()
      return found.status === 200 ? found : undefined
    }),
  ).toEqual(before)
  expect(archives()).toEqual(['archive-2'])
  await checkPast()
})

test.each(
  endings,
)('an indexer that ends (%s) is replaced, and the archive is made again', async (ending) => {
  await start()
  await orders(20)
  faults.end('indexer', ending)
  await eventually('the fault', async () => {
    await order()
    return faults.isMet('indexer') || undefined
  })
  await degraded(/indexer-0 failed/)
  await orders(20)
  await whole()
  expect(archives()).toEqual(['archive-2'])
  await checkPast()
})

test.each(
  endings,
)('a history thread that ends (%s) fails its query, and is replaced', async (ending) => {
  await start()
  await orders(20)
  for (let i = 0; i < 4; i++) {
    faults.end('history', ending)
    const failed = await trades()
    expect([failed.status, failed.body.code]).toEqual([504, -1007])
    expect((await trades()).status).toBe(200)
    await order()
  }
  await checkPast()
})

test('a history thread that hangs is lost, and others answer', async () => {
  await start('--stop-seconds', '2')
  await orders(20)
  faults.end('history', 'hang')
  const gone = new AbortController()
  const lost = clientOf('taker')
    .send('GET', '/api/v3/myTrades', { symbol: SYMBOL }, gone.signal)
    .catch(() => 'gone')
  await eventually('the fault', () => faults.isMet('history') || undefined)
  expect((await trades()).status).toBe(200)
  await order()
  gone.abort()
  expect(await lost).toBe('gone')
})

test('a snapshot that cannot be made is made at the next attempt', async () => {
  await start()
  await orders(20)
  const snapshots = path.join(exchange.data, 'snapshots')
  fs.rmSync(snapshots, { recursive: true, force: true })
  fs.writeFileSync(snapshots, 'not a folder')
  expect((await line(exchange, 'snapshot')).code).toBe(1)
  expect(await degraded(/No snapshot was made/)).toContain('snapshots')
  await orders(2)
  fs.rmSync(snapshots)
  // It covers what is in LMDB: the blocks come there within a second.
  await eventually('a snapshot', async () => {
    await operate(exchange, 'snapshot')
    return fs.existsSync(snapshots) ? true : undefined
  })
  await whole()
  expect(fs.readdirSync(snapshots)).toHaveLength(1)
})

test.each(endings)('a thread of snapshots that ends (%s) is replaced', async (ending) => {
  await start()
  await orders(20)
  faults.end('snapshot', ending)
  await degraded(/snapshot-0 failed/)
  await orders(2)
  await eventually('a snapshot', async () => {
    const { code } = await line(exchange, 'snapshot')
    return code === 0 ? true : undefined
  })
  await whole()
})

test.each(
  endings,
)('a thread that makes a backup and ends (%s) fails its action alone', async (ending) => {
  await start()
  await orders(20)
  faults.end('backup', ending)
  const folder = path.join(exchange.data, 'copy')
  expect((await line(exchange, 'backup', folder)).code).toBe(1)
  expect(faults.isMet('backup')).toBe(true)
  await orders(2)
  fs.rmSync(folder, { recursive: true, force: true })
  expect((await line(exchange, 'backup', folder)).code).toBe(0)
})
