/** An embedded exchange that goes back to its mark shows nothing of later, and leaves nothing behind. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { readToken } from '../../../src/control/token.ts'
import { type EmbeddedExchange, type ExchangeOptions, startExchange } from '../../../src/index.ts'
import { embeddedFolders, held } from '../../fixtures/held.ts'
import { restoreFs, spyOnFs } from '../../fixtures/spied-fs.ts'
import { TestSocket } from '../../fixtures/test-socket.ts'

const started: EmbeddedExchange[] = []
const folders: string[] = []
afterEach(async () => {
  for (const exchange of started.splice(0)) await exchange.close()
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true })
})

async function start(options: ExchangeOptions = {}): Promise<EmbeddedExchange> {
  const accounts = { bot: { USDT: '100000', BTC: '1' }, other: { USDT: '100000', BTC: '1' } }
  const exchange = await startExchange({ accounts, ...options })
  started.push(exchange)
  return exchange
}

function scratch(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-mark-'))
  folders.push(folder)
  return folder
}

const clientOf = (exchange: EmbeddedExchange, account = 'bot') =>
  new SignedClient(exchange.url, { account, ...exchange.accounts[account]! })

const place = async (client: SignedClient, newClientOrderId: string, side = 'BUY') => {
  const { body } = await client.send('POST', '/api/v3/order', {
    symbol: 'BTCUSDT',
    side,
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '0.001',
    price: '20000',
    newClientOrderId,
  })
  return body
}

/** All that clients can ask for. */
async function shown(exchange: EmbeddedExchange): Promise<unknown> {
  const client = clientOf(exchange)
  const ofAccount = ['openOrders', 'allOrders', 'myTrades', 'account', 'rateLimit/order']
  const ofMarket = ['depth', 'trades', 'historicalTrades', 'aggTrades', 'ticker/24hr', 'avgPrice']
  const pages: unknown[] = []
  for (const name of ofAccount) {
    pages.push((await client.send('GET', `/api/v3/${name}`, { symbol: 'BTCUSDT' })).body)
  }
  for (const name of [...ofMarket, 'klines', 'exchangeInfo']) {
    const interval = name === 'klines' ? '&interval=1m' : ''
    const headers = { 'X-MBX-APIKEY': exchange.accounts.bot!.apiKey }
    const answer = await fetch(`${exchange.url}/api/v3/${name}?symbol=BTCUSDT${interval}`, {
      headers,
    })
    pages.push(await answer.json())
  }
  return JSON.parse(
    JSON.stringify([pages, await exchange.faults.list(), exchange.accounts], (key, value) =>
      key === 'serverTime' || key === 'closeTime' || key === 'openTime' ? undefined : value,
    ),
  )
}

const clientIds = async (exchange: EmbeddedExchange): Promise<readonly string[]> => {
  const { body } = await clientOf(exchange).send('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })
  return (body as unknown as { clientOrderId: string }[]).map((it) => it.clientOrderId)
}

async function listen({ url, accounts }: EmbeddedExchange, method = 'POST', key = '') {
  const query = key === '' ? '' : `?listenKey=${key}`
  const headers = { 'X-MBX-APIKEY': accounts.bot!.apiKey }
  const answer = await fetch(`${url}/api/v3/userDataStream${query}`, { method, headers })
  return (await answer.json()) as { readonly listenKey?: string; readonly code?: number }
}

const marksIn = ({ folder }: EmbeddedExchange) => fs.readdirSync(path.join(folder, 'marks')).sort()

/** Something of each kind, which a revert must take back. */
async function happen(exchange: EmbeddedExchange, name: string): Promise<void> {
  await place(clientOf(exchange), `${name}-rests`)
  await place(clientOf(exchange), `${name}-maker`)
  await place(clientOf(exchange, 'other'), `${name}-taker`, 'SELL')
  await clientOf(exchange).send('DELETE', '/api/v3/order', {
    symbol: 'BTCUSDT',
    origClientOrderId: `${name}-maker`,
  })
  await exchange.account('bot', { ETH: 1 })
  await exchange.account(`of-${name}`, { USDT: 5 })
}

test.each([
  'real',
  'virtual',
] as const)('nothing is seen of what was after the mark: %s time', async (clock) => {
  const exchange = await start({ clock })
  const { url, wsUrl, accounts } = exchange
  await happen(exchange, 'before')
  const rule = { operation: 'ping', do: 'answer', status: 418, every: 2 } as const
  const name = await exchange.faults.add(rule)
  await exchange.fetch('/api/v3/ping')
  const { listenKey = '' } = await listen(exchange)
  const atMark = await shown(exchange)
  let mark = await exchange.mark()
  expect(await shown(exchange)).toEqual(atMark)
  const ids: unknown[] = []
  for (let times = 0; times < 2; times++) {
    const socket = await TestSocket.open(`${wsUrl}/ws/${listenKey}`)
    expect((await exchange.fetch('/api/v3/ping')).status).toBe(418)
    await exchange.faults.add({ do: 'forbid', operation: 'time', name: 'later' })
    await happen(exchange, 'after')
    const { orderId } = await place(clientOf(exchange), 'id')
    ids.push(orderId)
    mark = await exchange.revert(mark)
    await socket.closed()
    expect(exchange).toMatchObject({ url, wsUrl })
    expect(exchange.accounts).toBe(accounts)
    expect(await shown(exchange)).toEqual(atMark)
    expect(await exchange.faults.list()).toMatchObject([{ name, matches: 1, touched: 0 }])
    expect(await listen(exchange, 'PUT', listenKey)).toEqual({})
  }
  expect(new Set(ids).size).toBe(1)
  const read = async (action: string) => {
    const response = await fetch(`${exchange.adminUrl}/actions/${action}`, {
      method: 'POST',
      body: '{}',
      headers: { Authorization: `Bearer ${readToken(exchange.folder)}` },
    })
    return (await response.json()) as { said: string; rows: Record<string, unknown>[] }
  }
  expect((await read('audit')).said).toBe('Every asset adds up.')
})

test('a listen key of later is none, and one that was closed or used again is as it was', async () => {
  const exchange = await start({ clock: 'virtual' })
  const { listenKey: kept = '' } = await listen(exchange)
  await exchange.clock.advance('50m')
  const marked = exchange.clock.now()
  let mark = await exchange.mark()
  await listen(exchange, 'PUT', kept)
  await exchange.clock.advance('30m')
  mark = await exchange.revert(mark)
  expect(exchange.clock.now()).toBe(marked)
  await exchange.clock.advance('9m')
  expect(await listen(exchange, 'PUT', kept)).toEqual({})
  mark = await exchange.revert(mark)
  await exchange.clock.advance('11m')
  expect(await listen(exchange, 'PUT', kept)).toMatchObject({ code: -1125 })
  const { listenKey: later = '' } = await listen(exchange)
  await exchange.revert(mark)
  expect(await listen(exchange, 'PUT', later)).toMatchObject({ code: -1125 })
})

test('a virtual clock that ran goes on from the mark at its speed', async () => {
  const exchange = await start({ clock: 'virtual' })
  await exchange.clock.speed(10)
  await exchange.clock.resume()
  const marked = exchange.clock.now()
  const mark = await exchange.mark()
  await exchange.clock.pause()
  await exchange.clock.advance('6h')
  await exchange.revert(mark)
  expect(exchange.clock.now() - marked).toBeLessThan(3 * 3_600_000)
  const before = exchange.clock.now()
  await expect.poll(() => exchange.clock.now()).toBeGreaterThan(before)
})

test('limits are used as at the mark, and no socket of before counts', async () => {
  const settings = { limits: true, 'sockets-per-address': 3, 'orders-per-day': 5 }
  const exchange = await start({ settings, clock: 'virtual' })
  await place(clientOf(exchange), 'before')
  const sockets = async () => {
    const opened = [1, 2, 3].map(() => TestSocket.open(`${exchange.wsUrl}/ws/btcusdt@trade`))
    return Promise.all(opened)
  }
  await sockets()
  let mark = await exchange.mark()
  for (let times = 0; times < 3; times++) {
    for (let i = 0; i < 4; i++)
      expect(await place(clientOf(exchange), `o-${i}`)).toHaveProperty('orderId')
    expect(await place(clientOf(exchange), 'more')).toMatchObject({ code: -1015 })
    mark = await exchange.revert(mark)
    for (const socket of await sockets()) expect(socket).toBeDefined()
    await expect(TestSocket.open(`${exchange.wsUrl}/ws/btcusdt@trade`)).rejects.toThrow()
  }
})

test('a mark is used once, and is of its exchange', async () => {
  const [exchange, other] = [await start(), await start()]
  const first = await exchange.mark()
  await place(clientOf(exchange), 'after-first')
  const second = await exchange.mark()
  await expect(exchange.revert(first)).rejects.toThrow('another one was made since')
  await expect(other.revert(second)).rejects.toThrow('is no mark of this exchange')
  const third = await exchange.revert(second)
  expect(await clientIds(exchange)).toEqual(['after-first'])
  // Nothing has happened since.
  expect(await exchange.mark()).toBe(third)
  await expect(exchange.revert(second)).rejects.toThrow('was used')
  await place(clientOf(exchange), 'again')
  const fourth = await exchange.mark()
  expect(fourth).not.toBe(third)
  await exchange.revert(fourth)
  // The link of what runs, the copy and the spare.
  await expect.poll(() => marksIn(exchange).length).toBe(3)
  expect(await clientIds(exchange)).toEqual(['after-first', 'again'])
})

test('ten reverts leave nothing behind', async () => {
  await (await start()).close()
  const outside = await held()
  const exchange = await start()
  let mark = await exchange.mark()
  const revert = async () => {
    await happen(exchange, 'after')
    mark = await exchange.revert(mark)
    await expect(exchange.revert('none')).rejects.toThrow('is no mark')
  }
  // A mark of another moment has a spare that is ready.
  const ready = async () => {
    await happen(exchange, 'marked')
    mark = await exchange.mark()
  }
  await revert()
  await ready()
  const [before, marks] = [await held(), marksIn(exchange).length]
  for (let i = 0; i < 10; i++) await revert()
  await ready()
  await expect.poll(held).toEqual(before)
  expect(marksIn(exchange)).toHaveLength(marks)
  await exchange.close()
  await expect.poll(held).toEqual(outside)
  expect(outside.folders).toEqual([])
})

test('readers of events learn of a revert, and read on by another call', async () => {
  const exchange = await start()
  const mark = await exchange.mark()
  const events = exchange.events()
  await events.ready
  const waiting = events.next()
  await exchange.revert(mark)
  await expect(waiting).rejects.toThrow()
  const next = exchange.events()
  await next.ready
  await place(clientOf(exchange), 'after')
  expect((await next.next()).value).toMatchObject({ clientOrderId: 'after', event: 'NEW' })
})

test('calls that race with a revert get one answer each', async () => {
  const exchange = await start()
  let mark = await exchange.mark()
  for (let times = 0; times < 5; times++) {
    const placed = Array.from({ length: 20 }, (_, i) =>
      place(clientOf(exchange), `r-${i}`).then(
        (body) => ('orderId' in body ? 'placed' : 'refused'),
        () => 'cut',
      ),
    )
    const reverts = [exchange.revert(mark), exchange.revert(mark)]
    const saved = exchange.save(`s-${times}`).then(
      () => 'saved',
      (error: Error) => error.message,
    )
    const [won, lost] = await Promise.allSettled(reverts)
    expect(won.status).toBe('fulfilled')
    expect(lost).toMatchObject({ status: 'rejected' })
    for (const answer of await Promise.all(placed))
      expect(['placed', 'refused', 'cut']).toContain(answer)
    expect(await saved).toMatch(/^saved$|is being loaded|is stopping|under way|no backup/)
    if (won.status === 'fulfilled') mark = won.value
    const left = await clientIds(exchange)
    expect(left.filter((id) => !id.startsWith('r-'))).toEqual([])
    mark = await exchange.revert(await exchange.mark())
  }
})

test('a close waits for a revert, and one while a mark is made leaves nothing', async () => {
  const one = await start()
  const reverted = one.revert(await one.mark())
  await one.close()
  await reverted.catch((error: Error) => expect(error.message).toMatch(/stopping|closed|was used/))
  const two = await start()
  const marked = two.mark()
  await two.close()
  await marked.catch((error: Error) =>
    expect(error.message).toMatch(/stops|stopping|closed|given up|being loaded/),
  )
  expect(embeddedFolders()).toEqual([])
})

test.each([
  'revert',
  'keep',
  'load',
] as const)('a %s that the disk refuses is told to caller and program, and a close leaves nothing', async (way) => {
  await (await start()).close()
  const before = await held()
  const failures: Error[] = []
  const exchange = await start({ failed: (error) => failures.push(error) })
  await exchange.save('one')
  const mark = await exchange.mark()
  const rename = fs.renameSync
  spyOnFs('renameSync').mockImplementation((from, to) => {
    if (path.basename(String(to)) !== 'replacing') return rename(from, to)
    throw Object.assign(new Error('refused'), { code: 'EIO' })
  })
  const sockets = way === 'keep' ? 'keep' : 'end'
  const call = way === 'load' ? exchange.load('one') : exchange.revert(mark, { sockets })
  await expect(call).rejects.toThrow('refused')
  restoreFs()
  expect(failures.map(({ message }) => message)).toEqual([expect.stringContaining('refused')])
  await exchange.close()
  expect(await held()).toEqual(before)
})

test('loads, saves and forks meet reverts', async () => {
  const exchange = await start()
  await place(clientOf(exchange), 'marked')
  let mark = await exchange.mark()
  await place(clientOf(exchange), 'saved')
  await exchange.save('one')
  mark = await exchange.revert(mark)
  await exchange.load('one')
  expect(await clientIds(exchange)).toEqual(['marked', 'saved'])
  mark = await exchange.revert(mark)
  expect(await clientIds(exchange)).toEqual(['marked'])
  const fork = await exchange.fork()
  await place(clientOf(fork), 'forked')
  mark = await exchange.revert(mark)
  expect(await clientIds(fork)).toEqual(['marked', 'forked'])
  const ofFork = await fork.mark()
  await place(clientOf(fork), 'gone')
  await fork.revert(ofFork)
  expect(await clientIds(fork)).toEqual(['marked', 'forked'])
  expect(await exchange.states()).toMatchObject([{ name: 'one' }, { name: 'fork-1' }])
  await exchange.reset()
  expect(await clientIds(exchange)).toEqual([])
  await exchange.revert(mark)
  expect(await clientIds(exchange)).toEqual(['marked'])
})

test('a kept folder has the content of the last revert', async () => {
  const folder = path.join(scratch(), 'kept')
  // As a process that was killed leaves it.
  fs.mkdirSync(path.join(folder, 'marks', 'spare-1'), { recursive: true })
  fs.symlinkSync('..', path.join(folder, 'marks', 'spare-2'))
  const exchange = await start({ folder })
  expect(fs.readdirSync(folder)).not.toContain('marks')
  await place(clientOf(exchange), 'marked')
  const mark = await exchange.revert(await exchange.mark())
  await place(clientOf(exchange), 'gone')
  await exchange.revert(mark)
  await place(clientOf(exchange), 'own')
  await exchange.close()
  expect(fs.readdirSync(folder)).not.toContain('marks')
  expect(await clientIds(await start({ folder }))).toEqual(['marked', 'own'])
})
