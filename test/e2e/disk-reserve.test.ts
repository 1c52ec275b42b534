/**
 * A disk that fills while the exchange runs: warnings, then no new orders on the reserve, then the end of
 * writing. The file system reports to the process what a file of the test has; all else is as it would be.
 */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { folderPerTest } from '../fixtures/temporary-folder.ts'
import { TestSocket } from '../fixtures/test-socket.ts'
import { line, operable } from './command-line.ts'

const SYMBOL = 'BTCUSDT'
const LIMIT = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01' }
const REFUSAL = {
  code: -1008,
  msg: 'This server takes no new orders, because its disk is almost full. Cancels continue.',
}
const RESTRICTION = 'no new orders: disk reserve'
const TOTAL_MIB = 20_000

const folder = folderPerTest()
let exchange: ExchangeProcess
beforeEach(() => {
  leave(10_000)
})
afterEach(() => exchange?.remove())

/** From now on so much of the disk is free, for all that the process can tell. */
function leave(mib: number): void {
  const file = folder('free')
  fs.writeFileSync(`${file}.new`, String(mib))
  fs.renameSync(`${file}.new`, file)
}

/** On a disk of TOTAL_MIB; `leave` sets how much is free. */
async function start(...flags: string[]): Promise<void> {
  const file = JSON.stringify(folder('free'))
  const hook = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    fs.statfsSync = () => {
      const bavail = Number(fs.readFileSync(${file}, 'utf8'))
      return { bsize: 2 ** 20, blocks: ${TOTAL_MIB}, bfree: bavail, bavail }
    }
    syncBuiltinESMExports()
  `
  process.env.NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hook)}`
  const all = [...FEW_THREADS, '--disk-reserve-mb', '1000', ...flags]
  exchange = await ExchangeProcess.start(all).finally(() => delete process.env.NODE_OPTIONS)
  await operable(exchange)
}

const clientOf = (account: string) =>
  new SignedClient(exchange.url, exchange.keys()[account] as DemoKey)

async function health(name: string): Promise<[status: number, body: Record<string, unknown>]> {
  const response = await fetch(`http://127.0.0.1:${exchange.adminPort}/${name}`)
  return [response.status, (await response.json()) as Record<string, unknown>]
}

const restricted = (isRestricted: boolean) =>
  eventually(`restricted: ${isRestricted}`, async () => {
    const [, body] = await health('readyz')
    return (body.restriction === RESTRICTION) === isRestricted || undefined
  })

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${exchange.adminPort}/metrics`)).text()
  return Number(new RegExp(`^ringbook_${name} (.*)$`, 'm').exec(text)?.[1])
}

test('it warns, then refuses new orders, takes them again, and at the very end writes no more', async () => {
  await start('--read-only-seconds', '3600')
  const client = clientOf('trader1')
  const place = (price: string) => client.send('POST', '/api/v3/order', { ...LIMIT, price })
  const first = await place('40000')
  const second = await place('41000')
  expect([first.status, second.status]).toEqual([200, 200])
  expect(await health('healthz')).toEqual([200, { ready: true }])

  leave(1_500)
  await eventually('a warning', async () => ((await health('healthz'))[1].disk ? true : undefined))
  expect((await place('42000')).status).toBe(200)
  leave(900)
  await restricted(true)
  const disk = '4.5 % of the disk (0.9 GiB) is free.'
  const state = { ready: true, restriction: RESTRICTION, disk }
  expect([await health('healthz'), await health('readyz')]).toEqual([
    [200, state],
    [200, state],
  ])
  expect(await metric('disk_refuses_orders')).toBe(1)
  expect((await line(exchange, 'status')).stdout).toContain(
    'The exchange accepts no new orders: disk reserve.',
  )
  const refused = await place('43000')
  expect([refused.status, refused.body]).toEqual([503, REFUSAL])
  const socket = await TestSocket.open(`${exchange.url.replace('http', 'ws')}/ws-api/v3`)
  const overSocket = await socket.ask({ id: 1, method: 'order.place', params: { ...LIMIT } })
  expect(overSocket).toMatchObject({ status: 503, error: REFUSAL })
  socket.close()
  const canceled = await client.send('DELETE', '/api/v3/order', {
    symbol: SYMBOL,
    orderId: Number(first.body.orderId),
  })
  expect([canceled.status, canceled.body.status]).toEqual([200, 'CANCELED'])
  const { body: open } = await client.send('GET', '/api/v3/openOrders', { symbol: SYMBOL })
  expect(open).toHaveLength(2)
  expect((await line(exchange, 'deposit', 'trader1', 'BTC', '1')).code).toBe(0)

  // A little more is not enough.
  leave(1_200)
  await eventually('a look', async () => (await metric('disk_free_bytes')) > 2 ** 30 || undefined)
  expect((await place('43000')).status).toBe(503)
  leave(5_000)
  await restricted(false)
  expect((await place('43000')).status).toBe(200)

  leave(10)
  await eventually('a refusal', async () => (await place('44000')).status === 503 || undefined)
  await eventually('a failed health', async () => {
    const [status, { failure }] = await health('healthz')
    return (status === 503 && /less than 64 MiB/.test(String(failure))) || undefined
  })
  const { code, output } = await exchange.stop('SIGTERM')
  expect(code).toBe(1)
  const said = ['at most 10 % of the disk is free', 'at most 5 % of the disk is free']
  const reserve = ['only the reserve of the disk is left', 'new orders are taken']
  for (const sentence of [...said, ...reserve]) expect(output).toContain(sentence)

  leave(10_000)
  await exchange.run()
  const { body: kept } = await client.send('GET', '/api/v3/openOrders', { symbol: SYMBOL })
  const prices = (kept as unknown as { price: string }[]).map(({ price }) => Number(price))
  expect(prices.slice(0, 3)).toEqual([41_000, 42_000, 43_000])
})

test('the market maker pauses on the reserve without a word, keeps its quotes, and continues', async () => {
  const table = folder('house.toml')
  fs.writeFileSync(table, `[${SYMBOL}]\nintensity = 4\n`)
  await start('--liquidity', 'on', '--liquidity-file', table)
  const last = async () => {
    const response = await fetch(`${exchange.url}/api/v3/trades?symbol=${SYMBOL}&limit=1`)
    return ((await response.json()) as { id: number }[])[0]?.id ?? -1
  }
  const trades = async (after: number) =>
    eventually('a trade', async () => (await last()) > after || undefined)
  await trades(await last())
  leave(900)
  await restricted(true)
  const file = path.join(exchange.data, 'liquidity-keys.json')
  const keys: DemoKey[] = JSON.parse(fs.readFileSync(file, 'utf8'))
  const maker = keys.find(({ account }) => account === `house-maker-${SYMBOL}`)!
  const quotes = async () => {
    const house = new SignedClient(exchange.url, maker)
    const { body } = await house.send('GET', '/api/v3/openOrders', { symbol: SYMBOL })
    return (body as unknown as unknown[]).length
  }
  const refused = async (times: number) =>
    eventually(`the market maker was refused ${times} times`, async () => {
      return (await metric('gateway_disk_refused_total\\{gateway="0"\\}')) >= times || undefined
    })
  await refused(1)
  const [before, traded] = [await quotes(), await last()]
  expect(before).toBeGreaterThan(0)
  await refused(2)
  expect([await quotes(), await last()]).toEqual([before, traded])
  leave(10_000)
  await restricted(false)
  await trades(traded)
  const { code, output } = await exchange.stop('SIGTERM')
  expect(code).toBe(0)
  expect(output).not.toContain('the market maker waits')
})
