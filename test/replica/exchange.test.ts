/**
 * A real exchange on a real quorum: what was acknowledged survives the loss of the leader's machine and
 * of PostgreSQL's primary, and a leader that lost the lead acknowledges nothing.
 */
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'

const LIMIT = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01' }
const QUERY = { symbol: 'BTCUSDT' }

let servers: PostgresServers
const exchanges: ExchangeProcess[] = []
let databases = 0

beforeAll(async () => {
  servers = await PostgresServers.start(2)
})
afterAll(() => servers.remove())
afterEach(async () => {
  for (const exchange of exchanges.splice(0)) await exchange.remove()
})

async function newDatabase(of = servers): Promise<string> {
  const name = `exchange_${++databases}`
  await of.primary.query(`CREATE DATABASE ${name}`)
  return of.url(name)
}

/** An exchange that has not started. */
async function prepared(url: string, seconds = 30): Promise<ExchangeProcess> {
  const exchange = await ExchangeProcess.prepare([
    ...['--durability', 'replicated', '--replica', url, '--replica-seconds', String(seconds)],
    ...['--read-only-seconds', '3600'],
    ...FEW_THREADS,
  ])
  exchanges.push(exchange)
  return exchange
}

/** Another machine, which was given the key that decrypts API secrets and nothing else. */
async function successorOf(exchange: ExchangeProcess, url: string): Promise<ExchangeProcess> {
  const successor = await prepared(url)
  const name = 'secret.key'
  fs.copyFileSync(path.join(exchange.data, name), path.join(successor.data, name))
  return successor
}

class Trader {
  private readonly keys: Record<string, DemoKey>
  exchange: ExchangeProcess

  constructor(exchange: ExchangeProcess) {
    this.exchange = exchange
    this.keys = exchange.keys()
  }

  send(method: string, url: string, query: Record<string, string> = {}, account = 'trader1') {
    return new SignedClient(this.exchange.url, this.keys[account]!).send(method, url, query)
  }

  place(side: 'BUY' | 'SELL', price: string, id: string, account = 'trader1') {
    const order = { ...LIMIT, side, price, newClientOrderId: id }
    return this.send('POST', '/api/v3/order', order, account)
  }

  /** What both accounts own and have open. */
  async state() {
    const states = []
    for (const account of ['trader1', 'trader2']) {
      const { body } = await this.send('GET', '/api/v3/account', {}, account)
      const orders = await this.send('GET', '/api/v3/openOrders', QUERY, account)
      states.push({ balances: body.balances, orders: orders.body })
    }
    return states
  }
}

async function trade(trader: Trader, round: string): Promise<void> {
  expect((await trader.place('SELL', '50000', `sell-${round}`)).status).toBe(200)
  expect((await trader.place('BUY', '50000', `buy-${round}`, 'trader2')).status).toBe(200)
  expect((await trader.place('BUY', '40000', `rest-${round}`)).status).toBe(200)
}

test('another machine has all that was acknowledged, and the first one returns behind it', async () => {
  const url = await newDatabase()
  const first = await prepared(url)
  await first.run()
  const trader = new Trader(first)
  await trade(trader, '1')
  const before = await trader.state()
  await first.stop('SIGKILL')

  const second = await successorOf(first, url)
  await second.run()
  trader.exchange = second
  expect(await trader.state()).toEqual(before)
  await trade(trader, '2')
  const after = await trader.state()
  const stopped = await second.stop()
  expect(stopped.code, stopped.output).toBe(0)

  await first.run()
  trader.exchange = first
  expect(await trader.state()).toEqual(after)
  const found = await trader.send('GET', '/api/v3/order', { ...QUERY, origClientOrderId: 'rest-2' })
  expect(found.body).toMatchObject({ status: 'NEW', price: '40000.00000000' })
})

test('a leader that was overtaken answers that it does not know, and ends', async () => {
  const url = await newDatabase()
  const first = await prepared(url)
  await first.run()
  const trader = new Trader(first)
  await trade(trader, '1')
  const second = await successorOf(first, url)
  const refused = await second.launch()
  expect(refused.code).toBe(1)
  expect(refused.output).toContain('Another member leads')

  process.kill(first.pid, 'SIGSTOP')
  const before = await eventually('the successor', async () => {
    const exited = await Promise.race([second.run().then(() => undefined), second.ended()]).catch(
      () => 'again',
    )
    return exited === undefined ? 'started' : undefined
  })
  expect(before).toBe('started')
  // Whether its replica thread finds out by a beat or by the block, the order is not acknowledged.
  const unknown = trader.place('BUY', '41000', 'late')
  process.kill(first.pid, 'SIGCONT')
  // Or its gateway sees that it is cut off, before it takes the order.
  expect([-1001, -1007, -1016]).toContain((await unknown).body.code)
  const admin = `http://127.0.0.1:${first.adminPort}/healthz`
  await eventually(
    'a failed health check',
    async () => (await fetch(admin)).status === 503 || undefined,
  )
  const { code, output } = await first.stop('SIGTERM')
  expect(code).toBe(1)
  expect(output).toContain('Another member leads')

  trader.exchange = second
  const late = await trader.send('GET', '/api/v3/order', { ...QUERY, origClientOrderId: 'late' })
  expect(late.body).toMatchObject({ code: -2013 })
})

test('orders wait for a new primary, and none is lost or doubled', async () => {
  const own = await PostgresServers.start(2)
  try {
    const first = await prepared(await newDatabase(own), 60)
    await first.run()
    const trader = new Trader(first)
    await trade(trader, '1')
    const waiting = Array.from({ length: 20 }, (_, i) => trader.place('BUY', '30000', `wait-${i}`))
    await own.failOver()
    for (const { status, body } of await Promise.all(waiting)) {
      // A gateway gives up before the matcher does; the order is then unknown, and decided.
      expect(status === 200 || body.code === -1007).toBe(true)
    }
    await eventually('all orders', async () => {
      const { body } = await trader.send('GET', '/api/v3/openOrders', QUERY)
      return body.length === 21 || undefined
    })
    await trade(trader, '2')
    const before = await trader.state()
    await first.stop('SIGKILL')
    const second = await successorOf(first, own.url(`exchange_${databases}`))
    await second.run()
    trader.exchange = second
    expect(await trader.state()).toEqual(before)
  } finally {
    for (const exchange of exchanges.splice(0)) await exchange.remove()
    await own.remove()
  }
})

test('without standbys an order is unknown, the rest is read-only, and a start decides', async () => {
  const url = await newDatabase()
  const first = await prepared(url, 2)
  await first.run()
  const trader = new Trader(first)
  await trade(trader, '1')
  const { standbys } = servers
  for (const standby of standbys) standby.hang('SIGSTOP')
  try {
    expect((await trader.place('BUY', '41000', 'within')).body.code).toBe(-1007)
    await eventually('a refusal', async () => {
      const { body } = await trader.place('BUY', '42000', 'after')
      return body.code === -1016 || undefined
    })
  } finally {
    for (const standby of standbys) standby.hang('SIGCONT')
  }
  const { code, output } = await first.stop('SIGTERM')
  expect(code).toBe(1)
  expect(output).toContain('The quorum did not confirm')
  await first.run()
  const after = { ...QUERY, origClientOrderId: 'after' }
  expect((await trader.send('GET', '/api/v3/order', after)).body).toMatchObject({ code: -2013 })
  const within = await trader.send('GET', '/api/v3/order', {
    ...QUERY,
    origClientOrderId: 'within',
  })
  expect([200, 400]).toContain(within.status)
  await trade(trader, '2')
})

test('a folder that was never replicated is sent to the quorum', async () => {
  const url = await newDatabase()
  const first = await prepared(url)
  const alone = await ExchangeProcess.prepare([...FEW_THREADS, '--data', first.data])
  exchanges.push(alone)
  await alone.run()
  const trader = new Trader(first)
  trader.exchange = alone
  await trade(trader, '1')
  const before = await trader.state()
  expect((await alone.stop()).code).toBe(0)
  await first.run()
  trader.exchange = first
  expect(await trader.state()).toEqual(before)
  await first.stop('SIGKILL')
  const second = await successorOf(first, url)
  await second.run()
  trader.exchange = second
  expect(await trader.state()).toEqual(before)
})
