/** Leaders that lose PostgreSQL, or can write no more, beside followers and without. */
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { PostgresServers, urlOf } from '../../scripts/postgres/postgres-servers.ts'
import { Trader } from '../e2e/trader.ts'
import { CutLink } from '../fixtures/cut-link.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'

const SYMBOL = 'BTCUSDT'
const UNKNOWN = -1007
const GONE = -1016
const DUPLICATE = -2010

let servers: PostgresServers
let links: CutLink[]
const exchanges: ExchangeProcess[] = []
let databases = 0

beforeAll(async () => {
  servers = await PostgresServers.start(1)
  links = await Promise.all(servers.servers.map(({ port }) => CutLink.to(port)))
})
afterAll(async () => {
  for (const link of links) link.close()
  await servers.remove()
})
afterEach(async () => {
  for (const exchange of exchanges.splice(0)) await exchange.remove()
  cut(false)
})

function cut(isCut: boolean): void {
  for (const link of links) link.isCut = isCut
}

/** Returns the addresses of a new database: over links that can be cut, and directly. */
async function newDatabase() {
  const name = `cut_${++databases}`
  await servers.primary.query(`CREATE DATABASE ${name}`)
  const far = urlOf(
    links.map(({ port }) => `127.0.0.1:${port}`),
    name,
  )
  return { far, near: servers.url(name) }
}

async function member(
  url: string,
  first?: ExchangeProcess,
  flags: readonly string[] = ['--promote-after', '5', '--replica-seconds', '20'],
): Promise<ExchangeProcess> {
  const exchange = await ExchangeProcess.prepare([
    ...['--follow', url, '--read-only-seconds', '3600', ...FEW_THREADS, ...flags],
  ])
  exchanges.push(exchange)
  const key = 'secret.key'
  if (first !== undefined) {
    for (const name of [key, 'demo-keys.json']) {
      fs.copyFileSync(path.join(first.data, name), path.join(exchange.data, name))
    }
  }
  await exchange.run()
  return exchange
}

async function roleOf({ url }: ExchangeProcess) {
  const response = await fetch(`${url}/ringbook/role`)
  return { status: response.status, ...((await response.json()) as { role: string }) }
}

const roleBecomes = (exchange: ExchangeProcess, role: string) =>
  eventually(`role ${role}`, async () => {
    const found = await roleOf(exchange)
    return found.role === role ? found : undefined
  })

const orderOf = (id: string) => ({
  symbol: SYMBOL,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '40000',
  quantity: '0.001',
  newClientOrderId: id,
})

/** A busy machine may confirm a leader late: then it takes the order, or the stream, with the next try. */
const placed = (exchange: ExchangeProcess, id: string) =>
  eventually('an order', async () => {
    const trader = new Trader(exchange, 'trader1')
    const { status, body } = await trader.send('POST', '/api/v3/order', orderOf(id))
    // A try of unknown fate may have been carried out.
    return status === 200 || body.code === DUPLICATE || undefined
  })

/** Resolves to what closes the stream; to undefined when it is refused. */
async function streamOf({ wsUrl }: ExchangeProcess) {
  const stream = new WebSocket(`${wsUrl}/ws/${SYMBOL.toLowerCase()}@trade`)
  const isOpen = await new Promise<boolean>((resolve) => {
    stream.once('open', () => resolve(true))
    stream.once('error', () => resolve(false))
  })
  if (!isOpen) return undefined
  return { code: new Promise<number>((resolve) => stream.once('close', resolve)) }
}

const lookUp = (exchange: ExchangeProcess, id: string) =>
  new Trader(exchange, 'trader1').send('GET', '/api/v3/order', {
    symbol: SYMBOL,
    origClientOrderId: id,
  })

test('it says nothing definite once another member may lead, and ends when it finds out', async () => {
  const { far, near } = await newDatabase()
  const first = await member(far)
  await roleBecomes(first, 'leader')
  const second = await member(near, first)
  await placed(first, 'before')
  const closed = await eventually('a stream', () => streamOf(first))
  cut(true)
  await roleBecomes(second, 'leader')
  await placed(second, 'after')
  expect(await roleOf(first)).toMatchObject({ status: 503, role: 'cutOff', leader: '' })
  for (const id of ['before', 'after']) {
    expect((await lookUp(first, id)).body).toMatchObject({ code: UNKNOWN })
    expect((await lookUp(second, id)).status).toBe(200)
  }
  for (const path of ['depth', 'trades', 'ticker/24hr']) {
    const asked = `/api/v3/${path}?symbol=${SYMBOL}`
    const refused = await fetch(`${first.url}${asked}`)
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: -1001 }])
    expect((await fetch(`${second.url}${asked}`)).status).toBe(200)
  }
  expect(await closed.code).toBe(1013)
  expect(
    (await new Trader(first, 'trader1').send('POST', '/api/v3/order', orderOf('no'))).status,
  ).toBe(503)
  cut(false)
  await eventually('a refusal for good', async () => {
    const { body } = await new Trader(first, 'trader1').send('POST', '/api/v3/order', orderOf('no'))
    return first.output.includes('Another member leads') && body.code !== undefined
      ? true
      : undefined
  })
})

test('it leads again when the quorum answers again, if no other member took the lead', async () => {
  const { far } = await newDatabase()
  const first = await member(far)
  await roleBecomes(first, 'leader')
  await placed(first, 'before')
  cut(true)
  expect(await roleBecomes(first, 'cutOff')).toMatchObject({
    status: 503,
    reason: expect.stringContaining('does not confirm'),
  })
  cut(false)
  expect(await roleBecomes(first, 'leader')).toMatchObject({ status: 200 })
  expect((await lookUp(first, 'before')).status).toBe(200)
  await placed(first, 'after')
})

test('a leader that can write no more names any successor, and knows nothing definite', async () => {
  const { near } = await newDatabase()
  // No silence lets the follower lead.
  const flags = ['--promote-after', '600', '--replica-seconds', '2']
  const first = await member(near)
  await roleBecomes(first, 'leader')
  const second = await member(near, first, flags)
  await first.stop()
  await first.run(flags)
  await roleBecomes(first, 'leader')
  await placed(first, 'before')
  const [standby] = servers.standbys
  standby!.hang('SIGSTOP')
  try {
    const { body } = await new Trader(first, 'trader1').send(
      'POST',
      '/api/v3/order',
      orderOf('late'),
    )
    expect([UNKNOWN, -1001]).toContain(body.code)
    await eventually('a leader that is read-only', () =>
      first.output.includes('nothing can be written') ? true : undefined,
    )
  } finally {
    standby!.hang('SIGCONT')
  }
  await roleBecomes(second, 'leader')
  expect(first.isRunning).toBe(true)
  expect((await lookUp(first, 'before')).body).toMatchObject({ code: GONE })
  const account = await new Trader(first, 'trader1').send('GET', '/api/v3/account')
  expect(account.body).toMatchObject({ code: UNKNOWN })
  expect((await lookUp(second, 'before')).status).toBe(200)
  await placed(second, 'after')
})
