/** States of an exchange on the test's own event loop, saved, loaded and reset by an operator. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { readToken } from '../../../src/control/token.ts'
import { type EmbeddedExchange, type ExchangeOptions, startExchange } from '../../../src/index.ts'
import { embeddedFolders } from '../../fixtures/held.ts'
import { TestSocket } from '../../fixtures/test-socket.ts'

const started: EmbeddedExchange[] = []
const folders: string[] = []
afterEach(async () => {
  for (const exchange of started.splice(0)) await exchange.close()
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true })
})

function scratch(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-state-'))
  folders.push(folder)
  return folder
}

async function start(options: ExchangeOptions = {}): Promise<EmbeddedExchange> {
  const exchange = await startExchange({
    accounts: { bot: { USDT: '10000', BTC: '1' } },
    settings: { sandbox: true },
    ...options,
  })
  started.push(exchange)
  return exchange
}

const KEYS = ['bot', 'maker', 'taker', 'trader1', 'trader2']

async function act({ adminUrl, folder }: EmbeddedExchange, name: string, given: object = {}) {
  const response = await fetch(`${adminUrl}/actions/${name}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${readToken(folder)}` },
    body: JSON.stringify(given),
  })
  const answer = (await response.json()) as { said: string; rows: Record<string, unknown>[] }
  if (response.status !== 200) throw new Error(JSON.stringify(answer))
  return answer
}

const bot = (exchange: EmbeddedExchange) =>
  new SignedClient(exchange.url, { account: 'bot', ...exchange.accounts.bot! })

const place = (client: SignedClient, newClientOrderId: string) =>
  client.send('POST', '/api/v3/order', {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '0.001',
    price: '20000',
    newClientOrderId,
  })

async function openOf(client: SignedClient): Promise<readonly string[]> {
  const { body } = await client.send('GET', '/api/v3/openOrders')
  return (body as unknown as { clientOrderId: string }[]).map((it) => it.clientOrderId)
}

async function allOf(client: SignedClient): Promise<readonly string[]> {
  const { body } = await client.send('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })
  return (body as unknown as { clientOrderId: string }[]).map((it) => it.clientOrderId)
}

test('load goes back to what was saved, and nothing of later is seen', async () => {
  const exchange = await start()
  const client = bot(exchange)
  const first = await place(client, 'before')
  const { body: key } = await client.send('POST', '/api/v3/userDataStream')
  await exchange.save('one')
  const second = await place(client, 'after')
  expect(await openOf(client)).toEqual(['before', 'after'])
  await exchange.account('later', { USDT: 5 })
  await exchange.load('one')
  expect(Object.keys(exchange.accounts).sort()).toEqual(KEYS)
  expect(await openOf(client)).toEqual(['before'])
  expect(await allOf(client)).toEqual(['before'])
  const again = await place(client, 'after')
  expect(again.body.orderId).toBe(second.body.orderId)
  expect(Number(again.body.orderId)).toBeGreaterThan(Number(first.body.orderId))
  const url = `${exchange.url}/api/v3/userDataStream?listenKey=${key.listenKey}`
  const headers = { 'X-MBX-APIKEY': exchange.accounts.bot!.apiKey }
  const kept = await fetch(url, { method: 'PUT', headers })
  expect(await kept.json()).toMatchObject({ code: -1125 })
  const { rows } = await act(exchange, 'log')
  expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(['save', 'load']))
  expect((await act(exchange, 'audit')).said).toBe('Every asset adds up.')
})

test.each([
  'this',
  'child',
] as const)('a state at a path begins other exchanges: %s', async (where) => {
  const state = path.join(scratch(), 'funded')
  const exchange = await start({ process: where })
  await exchange.account('later', { USDT: 5 })
  await place(bot(exchange), 'saved')
  await exchange.save(state)
  await place(bot(exchange), 'after')
  await expect(exchange.save(state)).rejects.toThrow(`${state} exists already.`)
  await expect(exchange.removeState(state)).rejects.toThrow('remove its folder')
  expect(await exchange.states()).toEqual([])
  const others = [where, 'this'] as const
  for (const process of others) {
    const other = await start({ process, state, accounts: { more: { USDT: '7' } } })
    expect(Object.keys(other.accounts).sort()).toEqual([...KEYS, 'later', 'more'].sort())
    expect(other.accounts.bot).toEqual(exchange.accounts.bot)
    expect(await allOf(bot(other))).toEqual(['saved'])
    const fork = await other.fork()
    expect(await openOf(bot(fork))).toEqual(['saved'])
  }
  await exchange.load(state)
  expect(await allOf(bot(exchange))).toEqual(['saved'])
  expect(fs.readdirSync(path.dirname(state))).toEqual(['funded'])
})

test('what is no whole state is refused, and nothing is left of it', async () => {
  const folder = scratch()
  const at = (name: string) => path.join(folder, name)
  const exchange = await start()
  await place(bot(exchange), 'saved')
  await exchange.save(at('good'))
  const altered = (name: string, alter: (state: string) => void) => {
    fs.cpSync(at('good'), at(name), { recursive: true })
    alter(at(name))
  }
  const edit = (alter: (manifest: Record<string, unknown>) => void) => (state: string) => {
    const file = path.join(state, 'backup.json')
    const { sum: _, ...manifest } = JSON.parse(fs.readFileSync(file, 'utf8'))
    alter(manifest)
    fs.writeFileSync(file, JSON.stringify(manifest))
  }
  fs.mkdirSync(at('foreign'))
  altered('half', (state) => fs.rmSync(path.join(state, 'backup.json')))
  altered('lacking', (state) => fs.rmSync(path.join(state, 'journal-0'), { recursive: true }))
  altered('damaged', (state) => fs.truncateSync(path.join(state, 'control', 'data.mdb'), 4_096))
  altered(
    'layout',
    edit((manifest) => {
      manifest.layout = 99
    }),
  )
  const refused = {
    missing: 'is not a backup',
    foreign: 'is not a backup',
    half: 'is not a backup',
    lacking: 'journal-0',
    damaged: 'data.mdb',
    layout: 'layout 99',
  }
  const before = embeddedFolders()
  for (const [name, why] of Object.entries(refused)) {
    await expect(exchange.load(at(name)), name).rejects.toThrow(why)
    await expect(startExchange({ state: at(name) }), name).rejects.toThrow(why)
    const kept = at('kept')
    await expect(startExchange({ state: at(name), folder: kept }), name).rejects.toThrow(why)
    expect(fs.existsSync(path.join(kept, 'control')), name).toBe(false)
  }
  expect(embeddedFolders()).toEqual(before)
  expect(await openOf(bot(exchange))).toEqual(['saved'])
  await expect(exchange.save(at('none/state'))).rejects.toThrow('is no folder')
})

test('of two exchanges that save to one path at once, one does', async () => {
  const folder = scratch()
  const state = path.join(folder, 'one')
  const left = path.join(folder, 'one.0.copy')
  fs.mkdirSync(left)
  fs.utimesSync(left, 0, 0)
  const exchanges = [await start(), await start()]
  for (const [index, exchange] of exchanges.entries()) await place(bot(exchange), `of-${index}`)
  const saved = await Promise.allSettled(exchanges.map((exchange) => exchange.save(state)))
  const winner = saved.findIndex(({ status }) => status === 'fulfilled')
  expect(saved[1 - winner]).toMatchObject({
    status: 'rejected',
    reason: { message: `${state} exists already.` },
  })
  expect(fs.readdirSync(folder)).toEqual(['one'])
  const other = await start({ state })
  expect(await openOf(bot(other))).toEqual([`of-${winner}`])
})

test('a kept folder begins with a state, and goes on with its own content', async () => {
  const state = path.join(scratch(), 'funded')
  const exchange = await start()
  await place(bot(exchange), 'saved')
  await exchange.save(state)
  const options = { state, folder: path.join(scratch(), 'kept') }
  const first = await start(options)
  await place(bot(first), 'own')
  await first.close()
  expect(await openOf(bot(await start(options)))).toEqual(['saved', 'own'])
})

test('a process that is killed leaves a folder whose next start is as after the last revert', async () => {
  const folder = path.join(scratch(), 'kept')
  const program = `
    import { startExchange } from ${JSON.stringify(path.resolve('dist/src/index.js'))}
    const exchange = await startExchange({ folder: ${JSON.stringify(folder)}, accounts: { bot: { USDT: 1000 } } })
    await exchange.account('marked')
    const mark = await exchange.mark()
    await exchange.account('gone')
    await exchange.revert(mark)
    await exchange.account('own')
    process.kill(process.pid, 'SIGKILL')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: 'inherit',
  })
  await once(child, 'close')
  expect(fs.readdirSync(folder)).toContain('marks')
  const exchange = await start({ folder })
  expect(fs.readdirSync(folder)).not.toContain('marks')
  expect(Object.keys(exchange.accounts)).toEqual(expect.arrayContaining(['marked', 'own']))
  expect(Object.keys(exchange.accounts)).not.toContain('gone')
})

test('a child goes back to its mark', async () => {
  const exchange = await start({ process: 'child', clock: 'virtual' })
  await place(bot(exchange), 'marked')
  let mark = await exchange.mark()
  for (let times = 0; times < 2; times++) {
    await place(bot(exchange), 'gone')
    await exchange.account('later')
    await exchange.clock.advance('1h')
    mark = await exchange.revert(mark)
    expect(await allOf(bot(exchange))).toEqual(['marked'])
    expect(Object.keys(exchange.accounts).sort()).toEqual(KEYS)
  }
  await expect(exchange.revert('none')).rejects.toThrow('is no mark of this exchange')
})

test('reset goes back to what the program asked for at the start, with the same keys', async () => {
  const exchange = await start()
  const client = bot(exchange)
  await place(client, 'gone')
  await act(exchange, 'deposit', { account: 'bot', asset: 'BTC', amount: '3' })
  for (let times = 0; times < 3; times++) {
    await exchange.account('later')
    await exchange.reset()
    expect(Object.keys(exchange.accounts).sort()).toEqual(KEYS)
    expect(await openOf(client)).toEqual([])
    expect(await allOf(client)).toEqual([])
    const { rows } = await act(exchange, 'balances', { account: 'bot' })
    const free = Object.fromEntries(rows.map((row) => [row.asset, row.free]))
    expect(free).toMatchObject({ BTC: '1.00000000', USDT: '10000.00000000' })
    expect((await place(client, 'again')).status).toBe(200)
  }
})

test('a fork has the same orders at its moment, and both go on', async () => {
  const exchange = await start()
  const client = bot(exchange)
  await place(client, 'both')
  const other = await exchange.fork()
  await place(client, 'here')
  await place(bot(other), 'there')
  expect(await openOf(client)).toEqual(['both', 'here'])
  expect(await openOf(bot(other))).toEqual(['both', 'there'])
  await expect(act(exchange, 'state-remove', { name: 'fork-1' })).rejects.toThrow('runs on')
  await other.close()
  expect((await act(exchange, 'states')).rows).toEqual([])
  expect(await openOf(client)).toEqual(['both', 'here'])
})

test('forks close with the exchange that they are of', async () => {
  const exchange = await start()
  const fork = await exchange.fork()
  const nested = await fork.fork()
  expect((await place(bot(nested), 'deep')).status).toBe(200)
  await exchange.close()
  for (const { url } of [fork, nested]) await expect(fetch(url)).rejects.toThrow()
})

test('a close ends a load that is under way, or waits for it', async () => {
  for (const isReplacing of [false, true]) {
    const exchange = await start()
    await exchange.save('one')
    const loaded = exchange.load('one').then(
      () => 'loaded',
      (error: Error) => error.message,
    )
    if (isReplacing) {
      await expect.poll(async () => (await fetch(`${exchange.adminUrl}/readyz`)).status).toBe(503)
    }
    await exchange.close()
    expect(await loaded).toMatch(isReplacing ? /^loaded$/ : /cannot be written|is stopping/)
    await expect(fetch(exchange.url)).rejects.toThrow()
  }
})

test.each([
  { settings: { clock: 'virtual' } },
  { clock: 'virtual', process: 'child' },
] as const)('a virtual clock goes on over a load, and a fork begins at its moment: %j', async (options) => {
  const exchange = await start(options)
  const timeOf = async (venue: EmbeddedExchange) =>
    Number(
      ((await (await venue.fetch('/api/v3/time')).json()) as { serverTime: number }).serverTime,
    )
  await place(bot(exchange), 'before')
  await exchange.save('one')
  const later = await exchange.clock.advance('1h')
  await exchange.load('one')
  expect(await timeOf(exchange)).toBeGreaterThanOrEqual(later)
  expect(await openOf(bot(exchange))).toEqual(['before'])
  const fork = await exchange.fork()
  expect(await timeOf(fork)).toBe(later)
  await fork.clock.advance('1h')
  await exchange.clock.advance('2h')
  expect(await openOf(bot(fork))).toEqual(['before'])
})

test('a reset places the orders of a seed again', async () => {
  const exchange = await start({
    settings: { sandbox: true, seed: 'examples/seed/two-traders.toml' },
    accounts: { bot: {} },
  })
  const openOrders = async () =>
    (await act(exchange, 'orders')).rows.map(({ account, price, quantity }) => [
      ...[account, price, quantity],
    ])
  const seeded = await openOrders()
  expect(seeded.length).toBeGreaterThan(0)
  await exchange.save('seeded')
  for (const goBack of [() => exchange.reset(), () => exchange.load('seeded')]) {
    await act(exchange, 'cancel-orders', { all: 'on' })
    expect(await openOrders()).toEqual([])
    await goBack()
    expect(await openOrders()).toEqual(seeded)
  }
})

test('a state that the settings have no room for is refused, and the exchange goes on', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-room-'))
  try {
    const sellers = Array.from({ length: 7 }, (_, i) => `seller${i}`)
    const funds = Object.fromEntries(sellers.map((name) => [name, { USDT: '1000000' }]))
    const large = await start({
      folder,
      settings: { sandbox: true, limits: false, 'snapshot-minutes': 60 },
      accounts: { ...funds, bot: { USDT: '10000' } },
    })
    await large.save('small')
    for (const name of sellers) {
      const client = new SignedClient(large.url, { account: name, ...large.accounts[name]! })
      const placed = Array.from({ length: 170 }, (_, i) => place(client, `o-${i}`))
      for (const { status } of await Promise.all(placed)) expect(status).toBe(200)
    }
    await large.save('orders')
    // A start from it needs the room of the snapshot.
    await act(large, 'snapshot')
    await large.save('snapshot')
    await act(large, 'cancel-orders', { all: 'on' })
    await act(large, 'snapshot')
    for (let i = 0; i < 4; i++) await large.account(`more${i}`)
    await large.save('accounts')
    await large.load('small')
    await large.close()
    const smaller = { sandbox: true, 'orders-per-symbol': 1024, accounts: 14 }
    const exchange = await start({ folder, settings: smaller })
    const client = bot(exchange)
    await place(client, 'kept')
    const refused = {
      orders: '--orders-per-symbol must be above 1024: more orders, or price levels, were open on',
      snapshot: '--orders-per-symbol must be above 1024: more orders, or price levels, were open',
      accounts: '--accounts must be at least 17, the accounts of the state accounts.',
    }
    const socket = await TestSocket.open(`${exchange.wsUrl}/ws/btcusdt@trade`)
    for (const [name, why] of Object.entries(refused)) {
      await expect(exchange.load(name)).rejects.toThrow(why)
      expect(await openOf(client)).toEqual(['kept'])
    }
    expect(await socket.ask({ id: 1, method: 'LIST_SUBSCRIPTIONS' })).toMatchObject({ id: 1 })
    socket.close()
    expect(fs.existsSync(path.join(folder, 'replacing.partial'))).toBe(false)
    await exchange.load('small')
    expect(await openOf(client)).toEqual([])
  } finally {
    for (const exchange of started.splice(0)) await exchange.close()
    fs.rmSync(folder, { recursive: true })
  }
})
