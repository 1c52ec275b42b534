/**
 * A data folder of an earlier layout comes to a quorum of PostgreSQL: its blocks go there as they were
 * written, a follower has the answers of the build that wrote them, and continues with them as the leader.
 */
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { expectAnswers, isNewestLayout, recordedLayouts, unpack } from '../e2e/recorded-folder.ts'
import { Trader } from '../e2e/trader.ts'
import { eventually } from '../fixtures/eventually.ts'
import { casesOf } from '../runner/night.ts'

const LIMIT = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01' }

let servers: PostgresServers
const exchanges: ExchangeProcess[] = []

beforeAll(async () => {
  servers = await PostgresServers.start(2)
})
afterEach(async () => {
  for (const exchange of exchanges.splice(0)) await exchange.remove()
})
afterAll(() => servers?.remove())

async function prepare(flags: readonly string[]): Promise<ExchangeProcess> {
  const own = ['--demo', 'off', '--matchers', '2', '--gateways', '1', '--accept-clock', 'on']
  const exchange = await ExchangeProcess.prepare([...own, ...flags])
  exchanges.push(exchange)
  return exchange
}

const ordersOf = (exchange: ExchangeProcess): Promise<unknown> =>
  new Trader(exchange, 'one').ask('GET', '/api/v3/allOrders', {
    symbol: LIMIT.symbol,
    orderId: 0,
    limit: 1000,
  })

test.each(
  casesOf(recordedLayouts, isNewestLayout),
)('a folder of layout %i, led and followed', async (layout) => {
  const database = `layout_${layout}`
  await servers.primary.query(`CREATE DATABASE ${database}`)
  const url = servers.url(database)
  const leader = await prepare(['--durability', 'replicated', '--replica', url])
  unpack(layout, leader)
  await leader.run()
  await expectAnswers(layout, leader)

  const follower = await prepare(['--follow', url, '--promote-after', '2'])
  for (const name of ['secret.key', 'demo-keys.json']) {
    fs.copyFileSync(path.join(leader.data, name), path.join(follower.data, name))
  }
  await follower.run()
  await expectAnswers(layout, follower)
  const placed = await new Trader(leader, 'one').place({ ...LIMIT, side: 'SELL', price: 55_555 })
  const orders = await ordersOf(leader)
  await eventually('the new order', async () => {
    const followed = (await ordersOf(follower)) as { orderId: unknown }[]
    return followed.at(-1)?.orderId === placed.orderId || undefined
  })
  await leader.stop('SIGKILL')
  await eventually('the lead', async () => {
    const { status } = await fetch(`${follower.url}/ringbook/role`)
    return status === 200 || undefined
  })
  expect(await ordersOf(follower)).toEqual(orders)
  const sold = await new Trader(follower, 'one').place({ ...LIMIT, side: 'SELL', price: 55_556 })
  expect(sold.orderId).toBe(Number(placed.orderId) + 1)
})
