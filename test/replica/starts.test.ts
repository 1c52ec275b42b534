/** Starts of members on PostgreSQL that must not happen: each is refused, and changes nothing. */
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { Trader } from '../e2e/trader.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'

const SYMBOL = 'BTCUSDT'

let servers: PostgresServers
const exchanges: ExchangeProcess[] = []
let databases = 0

beforeAll(async () => {
  servers = await PostgresServers.start(1)
})
afterAll(() => servers.remove())
afterEach(async () => {
  for (const exchange of exchanges.splice(0)) await exchange.remove()
})

async function newDatabase(): Promise<string> {
  const name = `starts_${++databases}`
  await servers.primary.query(`CREATE DATABASE ${name}`)
  return servers.url(name)
}

async function prepared(flags: readonly string[] = []): Promise<ExchangeProcess> {
  const exchange = await ExchangeProcess.prepare([...FEW_THREADS, ...flags])
  exchanges.push(exchange)
  return exchange
}

const replicated = (url: string) => ['--durability', 'replicated', '--replica', url]

async function placeOrders(exchange: ExchangeProcess, count: number): Promise<void> {
  const trader = new Trader(exchange, 'trader1')
  for (let i = 0; i < count; i++) {
    await trader.place({
      symbol: SYMBOL,
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: '40000',
      quantity: '0.001',
      newClientOrderId: `kept-${i}`,
    })
  }
}

async function openOrders(exchange: ExchangeProcess): Promise<number> {
  const rows = await new Trader(exchange, 'trader1').ask('GET', '/api/v3/openOrders', {
    symbol: SYMBOL,
  })
  return (rows as unknown as unknown[]).length
}

test("a start on another exchange's database is refused, and every acknowledged order stays", async () => {
  const url = await newDatabase()
  const other = await prepared(replicated(url))
  await other.run()
  await placeOrders(other, 2)
  await other.stop('SIGKILL')
  const own = await prepared()
  await own.run()
  await placeOrders(own, 20)
  await own.stop('SIGKILL')
  const follows = ['--follow', url, '--promote-after', '1', '--replica-seconds', '4']
  for (const flags of [replicated(url), follows]) {
    const { code, output } = await own.launch('pipe', flags)
    expect(code, output).toBe(1)
    expect(output).toMatch(/continued by itself|does not show/)
  }
  await own.run()
  expect(await openOrders(own)).toBe(20)
})

test('a copy of a data folder takes no lead from its living twin, by --replica or --follow', async () => {
  const url = await newDatabase()
  const first = await prepared(replicated(url))
  await first.run()
  await placeOrders(first, 3)
  const ways = [replicated(url), ['--follow', url, '--promote-after', '2']]
  for (const [i, flags] of ways.entries()) {
    const copy = await prepared(flags)
    fs.cpSync(first.data, copy.data, { recursive: true })
    if (i === 0) {
      const { code, output } = await copy.launch()
      expect(code, output).toBe(1)
      expect(output).toContain('Another member leads')
    } else {
      await copy.run()
      const role = await (await fetch(`${copy.url}/ringbook/role`)).json()
      expect(role).toMatchObject({ role: 'follower' })
    }
  }
  expect((await fetch(`${first.url}/ringbook/role`)).status).toBe(200)
  expect(await openOrders(first)).toBe(3)
})

test('a member without a name is refused in a sentence, and takes no lead', async () => {
  const url = await newDatabase()
  const first = await prepared(replicated(url))
  await first.run()
  const nameless = await prepared(['--follow', url, '--promote-after', '2'])
  fs.writeFileSync(path.join(nameless.data, 'replica-member'), '')
  fs.copyFileSync(path.join(first.data, 'secret.key'), path.join(nameless.data, 'secret.key'))
  const { code, output } = await nameless.launch()
  expect(code, output).toBe(1)
  expect(output).toContain('holds no name of a member. Remove it')
  expect((await fetch(`${first.url}/ringbook/role`)).status).toBe(200)
})
