/** An exchange within this process: what clients see of it, and that a close leaves nothing behind. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { type EmbeddedExchange, type ExchangeOptions, startExchange } from '../../../src/index.ts'
import { act } from '../../e2e/admin-server.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { TestSocket } from '../../fixtures/test-socket.ts'
import { collectGarbage } from '../../sim/collect-garbage.ts'

const open: EmbeddedExchange[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((exchange) => exchange.close()))
})

async function started(options?: ExchangeOptions): Promise<EmbeddedExchange> {
  const exchange = await startExchange(options)
  open.push(exchange)
  return exchange
}

const clientOf = ({ url, accounts }: EmbeddedExchange, account: string): SignedClient =>
  new SignedClient(url, { account, ...accounts[account]! })

const limit = (side: string, price: string, symbol = 'BTCUSDT') => ({
  ...{ symbol, side, type: 'LIMIT', timeInForce: 'GTC', price, quantity: '1' },
})

const get = async (url: string) => (await fetch(url)).json()

test('the demo trades: orders, streams and history', async () => {
  const exchange = await started()
  const [maker, taker] = [clientOf(exchange, 'maker'), clientOf(exchange, 'taker')]
  const stream = await TestSocket.open(`${exchange.wsUrl}/ws/btcusdt@trade`)
  const resting = await maker.send('POST', '/api/v3/order', limit('SELL', '60000'))
  expect(resting).toMatchObject({ status: 200, body: { status: 'NEW' } })
  const bought = await taker.send('POST', '/api/v3/order', limit('BUY', '60000'))
  expect(bought.body.status).toBe('FILLED')
  expect(await stream.next()).toMatchObject({ e: 'trade', p: '60000.00000000', q: '1.00000000' })
  // The archive, which one loop reads inline, has what clients were told.
  const trades = await taker.send('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })
  expect(trades.body).toMatchObject([{ price: '60000.00000000', isBuyer: true }])
  const klines = await get(`${exchange.url}/api/v3/klines?symbol=BTCUSDT&interval=1m`)
  expect(klines).toHaveLength(1)
  expect(await get(`${exchange.url}/api/v3/ticker/price?symbol=BTCUSDT`)).toMatchObject({
    price: '60000.00000000',
  })
})

test('it answers on the WebSocket API', async () => {
  const { wsApiUrl } = await started()
  const socket = await TestSocket.open(wsApiUrl)
  socket.send({ id: 1, method: 'ping' })
  expect(await socket.next()).toMatchObject({ id: 1, status: 200 })
})

test('a venue and accounts of its own', async () => {
  const exchange = await started({
    venue: `
      assets = ["ABC", "USDT"]
      [symbols.ABCUSDT]
      base = "ABC"
      quote = "USDT"
      template = "spot"
      tick = "0.01"
      step = "0.01"`,
    accounts: { alice: { USDT: '1000' }, bob: { ABC: '5' } },
  })
  expect(Object.keys(exchange.accounts)).toEqual(['alice', 'bob'])
  await clientOf(exchange, 'bob').send('POST', '/api/v3/order', limit('SELL', '10', 'ABCUSDT'))
  const alice = clientOf(exchange, 'alice')
  const { body } = await alice.send('POST', '/api/v3/order', limit('BUY', '10', 'ABCUSDT'))
  expect(body.status).toBe('FILLED')
})

test('settings go by their documented names', async () => {
  const exchange = await started({ settings: { limits: true, 'orders-per-second': 1 } })
  const maker = clientOf(exchange, 'maker')
  const placed = [1, 2, 3].map((price) =>
    maker.send('POST', '/api/v3/order', { ...limit('BUY', `${price}00`) }),
  )
  const codes = (await Promise.all(placed)).map(({ body }) => body.code)
  expect(codes).toContain(-1015)
})

test('a folder stays, with its orders and keys', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-embedded-'))
  try {
    const accounts = { alice: { USDT: '1000' } }
    const first = await startExchange({ folder, accounts })
    await clientOf(first, 'alice').send('POST', '/api/v3/order', {
      ...limit('BUY', '100'),
      quantity: '2',
    })
    await first.close()
    const second = await started({ folder, accounts })
    expect(second.accounts).toEqual(first.accounts)
    const { body } = await clientOf(second, 'alice').send('GET', '/api/v3/openOrders')
    expect(body).toMatchObject([{ price: '100.00000000', origQty: '2.00000000' }])
  } finally {
    await Promise.all(open.splice(0).map((exchange) => exchange.close()))
    rmSync(folder, { recursive: true })
  }
})

test('market makers quote beside it', async () => {
  const { url } = await started({ settings: { liquidity: true } })
  const bids = async () => {
    const { bids } = (await get(`${url}/api/v3/depth?symbol=BTCUSDT`)) as { bids: unknown[] }
    return bids.length > 0 || undefined
  }
  await eventually('a quote', bids)
})

test('operators act on it, and a snapshot is made in slices', async () => {
  const exchange = await started({ settings: { 'snapshot-minutes': 60 } })
  await clientOf(exchange, 'maker').send('POST', '/api/v3/order', limit('SELL', '60000'))
  const adminPort = Number(new URL(exchange.adminUrl).port)
  const made = async () => {
    const { said } = await act({ data: exchange.folder, adminPort }, 'snapshot', {})
    return said.startsWith('Snapshot 1 covers') || undefined
  }
  // The journal has the order once the checkpointer has moved it into LMDB.
  await eventually('a snapshot', made)
})

test('a start that cannot be says why, and leaves nothing', async () => {
  const before = temporaryFolders()
  await expect(startExchange({ settings: { gateway: 2 } })).rejects.toThrow(/--gateway/)
  const replicated = {
    sandbox: false,
    durability: 'replicated',
    replica: 'postgres://localhost/none',
  }
  await expect(startExchange({ settings: replicated })).rejects.toThrow('no member of a quorum')
  expect(temporaryFolders()).toEqual(before)
})

test('ten one after another, and four side by side, leave nothing behind', async () => {
  // The first one loads what stays: modules, and threads of libuv and V8.
  await useOnce()
  const before = await held()
  for (let i = 0; i < 10; i++) await useOnce()
  expect(await held()).toEqual(before)
  await Promise.all([1, 2, 3, 4].map(useOnce))
  expect(await held()).toEqual(before)
})

test('the memory of a closed exchange is free again', async () => {
  for (let i = 0; i < 2; i++) await useOnce()
  const before = sharedBytes()
  for (let i = 0; i < 3; i++) await useOnce()
  // One takes some 60 MB. Of the last one something may still be on its way out.
  expect(sharedBytes() - before).toBeLessThan(100 << 20)
})

function sharedBytes(): number {
  collectGarbage()
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

async function useOnce(): Promise<void> {
  const exchange = await startExchange()
  expect(existsSync(exchange.folder)).toBe(true)
  const { status } = await clientOf(exchange, 'maker').send(
    'POST',
    '/api/v3/order',
    limit('SELL', '60000'),
  )
  expect(status).toBe(200)
  await exchange.close()
  await exchange.close()
  expect(existsSync(exchange.folder)).toBe(false)
}

/** Files, threads and sockets of this process; what is closed takes some turns of the loop to be gone. */
async function held(): Promise<object> {
  let now = reading()
  await eventually('two readings alike', async () => {
    const before = now
    await new Promise((resolve) => setTimeout(resolve, 50))
    now = reading()
    return JSON.stringify(now) === JSON.stringify(before) || undefined
  })
  return now
}

const reading = () => ({
  files: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
  threads: process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0,
  servers: process.getActiveResourcesInfo().filter((name) => name.endsWith('ServerWrap')).length,
  folders: temporaryFolders(),
})

/** This process's: folders of others come and go. */
const temporaryFolders = (): readonly string[] =>
  ['/dev/shm', os.tmpdir()]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder))
    .filter((name) => name.startsWith(`ringbook-embedded-${process.pid}-`))
