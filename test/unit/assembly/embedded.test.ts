/** An exchange within this process: what clients see of it, and that a close leaves nothing behind. */
import { existsSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { Ms } from '../../../src/base/units.ts'
import { accountLimitNames } from '../../../src/control/actions/accounts.ts'
import {
  type AccountLimits,
  type EmbeddedExchange,
  type ExchangeOptions,
  type Funds,
  startExchange,
} from '../../../src/index.ts'
import { act } from '../../e2e/admin-server.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { embeddedFolders, held } from '../../fixtures/held.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { TestSocket } from '../../fixtures/test-socket.ts'
import { collectGarbage } from '../../sim/collect-garbage.ts'

const open: EmbeddedExchange[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((exchange) => exchange.close()))
})

/** Two months ago. */
class Earlier extends RealTime {
  override machineMs(): Ms {
    return Ms(super.machineMs() - 60 * 86_400_000)
  }
}

async function started(options?: ExchangeOptions): Promise<EmbeddedExchange> {
  const exchange = await startExchange(options)
  open.push(exchange)
  return exchange
}

const clientOf = ({ url, accounts }: EmbeddedExchange, account: string): SignedClient =>
  new SignedClient(url, { account, ...accounts[account]! })

const limit = (side: string, price: string, symbol = 'BTCUSDT') => ({
  symbol,
  side,
  type: 'LIMIT',
  timeInForce: 'GTC',
  price,
  quantity: '1',
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
  // The archive, which one loop reads inline, has what clients received.
  const trades = await taker.send('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })
  expect(trades.body).toMatchObject([{ price: '60000.00000000', isBuyer: true }])
  const klines = await get(`${exchange.url}/api/v3/klines?symbol=BTCUSDT&interval=1m`)
  expect(klines).toHaveLength(1)
  expect(await get(`${exchange.url}/api/v3/ticker/price?symbol=BTCUSDT`)).toMatchObject({
    price: '60000.00000000',
  })
})

test('before the first trade a MARKET order is judged by the best price across, a stop by its own', async () => {
  const exchange = await started()
  const [maker, taker] = [clientOf(exchange, 'maker'), clientOf(exchange, 'taker')]
  const order = { symbol: 'BTCUSDT', side: 'BUY' }
  const place = async (client: SignedClient, params: Record<string, string>) => {
    const { body } = await client.send('POST', '/api/v3/order', { ...order, ...params })
    return body.msg ?? body.status
  }
  const market = (quantity: string) => place(taker, { type: 'MARKET', quantity })
  const stop = (quantity: string) =>
    place(taker, { type: 'STOP_LOSS', stopPrice: '50000', quantity, newOrderRespType: 'RESULT' })
  const trailing = { type: 'TAKE_PROFIT', trailingDelta: '100', newOrderRespType: 'RESULT' }
  // Nothing rests.
  expect(await market('0.00001')).toBe('No orders on book for symbol.')
  expect(await stop('0.00009')).toBe('Filter failure: NOTIONAL')
  expect(await stop('0.0001')).toBe('NEW')
  expect(await place(taker, { ...trailing, quantity: '0.00001' })).toBe('NEW')
  // The demo's minimum is 5 USDT.
  await maker.send('POST', '/api/v3/order', limit('BUY', '10'))
  await maker.send('POST', '/api/v3/order', limit('SELL', '62500'))
  expect(await market('0.00007')).toBe('Filter failure: NOTIONAL')
  expect(await place(taker, { ...trailing, quantity: '0.00007' })).toBe('Filter failure: NOTIONAL')
  expect(await market('0.00008')).toBe('FILLED')
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

test('limits of accounts, from the start and later', async () => {
  const limits: Required<AccountLimits> = {
    'orders-per-second': 20,
    'orders-per-day': 1_000,
    weight: 100,
    sessions: 3,
    'open-orders': 1,
    bans: 'off',
  }
  expect(Object.keys(limits)).toEqual(accountLimitNames)
  const funds: Funds = { USDT: '1000' }
  const exchange = await started({
    accounts: { alice: { USDT: '1000', limits }, bob: funds },
    settings: { limits: true },
  })
  const alice = clientOf(exchange, 'alice')
  const countsOf = async (client: SignedClient) => {
    const { body } = await client.send('GET', '/api/v3/rateLimit/order')
    return (body as unknown as readonly { limit: number }[]).map(({ limit }) => limit)
  }
  expect(await countsOf(alice)).toEqual([20, 1_000])
  expect(await countsOf(clientOf(exchange, 'bob'))).not.toEqual([20, 1_000])
  await alice.send('POST', '/api/v3/order', limit('BUY', '10'))
  const more = () => alice.send('POST', '/api/v3/order', limit('BUY', '11'))
  expect((await more()).body.msg).toContain('EXCHANGE_MAX_NUM_ORDERS')
  await exchange.account('alice', { limits: { 'open-orders': 2 } })
  expect(await more()).toMatchObject({ status: 200 })
  expect(await countsOf(alice)).toEqual([20, 1_000])
  await exchange.account('carol', { USDT: 5, limits: { 'orders-per-second': 7 } })
  expect((await countsOf(clientOf(exchange, 'carol')))[0]).toBe(7)
})

test('keys that withdraw, from the start and later', async () => {
  const exchange = await started({ accounts: { a: { withdraw: true }, b: {} } })
  const may = async () => {
    const { rows } = await act(
      { data: exchange.folder, adminPort: Number(new URL(exchange.adminUrl).port) },
      'keys',
      {},
    )
    return rows.slice(-2).map((row) => row.withdrawsTo)
  }
  expect(await may()).toEqual(['anywhere', ''])
  await exchange.account('a', { USDT: 5 })
  await exchange.account('b', { withdraw: ['0xab', '0xcd'] })
  expect(await may()).toEqual(['anywhere', '0xab, 0xcd'])
  await exchange.account('b', { withdraw: false })
  expect(await may()).toEqual(['anywhere', ''])
  const { body } = await clientOf(exchange, 'a').send('GET', '/sapi/v1/account/apiRestrictions')
  expect(body).toMatchObject({ enableWithdrawals: true, enableReading: true, ipRestrict: false })
})

test('sub-accounts, from the start and later', async () => {
  const exchange = await started({
    accounts: { fund: { USDT: 5 }, a: { master: 'fund', email: 'a@example.com' } },
  })
  await exchange.account('b', { master: 'fund', USDT: 7 })
  await exchange.account('b', { master: 'fund', email: 'b@example.com' })
  await expect(exchange.account('b', { master: 'a' })).rejects.toThrow(
    'b is open, and no sub-account of a.',
  )
  const { rows } = await act(
    { data: exchange.folder, adminPort: Number(new URL(exchange.adminUrl).port) },
    'accounts',
    {},
  )
  expect(rows.slice(-3)).toMatchObject([
    { account: 'fund', master: '', email: 'fund@ringbook.invalid' },
    { account: 'a', master: 'fund', email: 'a@example.com' },
    { account: 'b', master: 'fund', email: 'b@example.com' },
  ])
})

test('the highest price that a book has room for rests on either side, and trades', async () => {
  const highest = '2147483647'
  const exchange = await started({
    venue: `
      assets = ["ABC", "USDT"]
      [symbols.ABCUSDT]
      base = "ABC"
      quote = "USDT"
      template = "plain"
      tick = "1"
      step = "1"
      max-price = "${highest}"`,
    accounts: { alice: { USDT: '20000000000', ABC: '5' }, bob: { USDT: '20000000000', ABC: '5' } },
  })
  const [alice, bob] = [clientOf(exchange, 'alice'), clientOf(exchange, 'bob')]
  const place = async (client: SignedClient, params: object) => {
    const order = { symbol: 'ABCUSDT', quantity: '1', ...params }
    return (await client.send('POST', '/api/v3/order', order)).body
  }
  const prices = async () => {
    const depth = await get(`${exchange.url}/api/v3/depth?symbol=ABCUSDT`)
    const { bids, asks } = depth as { readonly [side in 'bids' | 'asks']: readonly string[][] }
    return [bids, asks].map((side) => side.map(([price]) => Number(price)))
  }
  for (const price of [highest, '64', '5']) await place(alice, limit('BUY', price, 'ABCUSDT'))
  expect(await prices()).toEqual([[2_147_483_647, 64, 5], []])
  await place(bob, { side: 'SELL', type: 'MARKET' })
  expect(await prices()).toEqual([[64, 5], []])
  for (const price of ['65', '2147483646', highest]) {
    await place(alice, limit('SELL', price, 'ABCUSDT'))
  }
  expect(await prices()).toEqual([
    [64, 5],
    [65, 2_147_483_646, 2_147_483_647],
  ])
  const bought = await place(bob, { side: 'BUY', type: 'MARKET', quantity: '3' })
  expect(bought).toMatchObject({ status: 'FILLED', cummulativeQuoteQty: '4294967358.00000000' })
  expect(await prices()).toEqual([[64, 5], []])
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

test('a folder stays, with its orders and keys, and takes orders after two months', async () => {
  const folder = temporaryFolder()
  try {
    const accounts = { alice: { USDT: '1000' } }
    const earlier = new Earlier()
    const first = await startHere({ folder, accounts }, earlier)
    const alice = { account: 'alice', ...first.accounts.alice! }
    await new SignedClient(first.url, alice, () => earlier.nowMs()).send('POST', '/api/v3/order', {
      ...limit('BUY', '100'),
      quantity: '2',
    })
    await first.close()
    const second = await started({ folder, accounts })
    expect(second.accounts).toEqual(first.accounts)
    const { body } = await clientOf(second, 'alice').send('GET', '/api/v3/openOrders')
    expect(body).toMatchObject([{ price: '100.00000000', origQty: '2.00000000' }])
    const placed = clientOf(second, 'alice').send('POST', '/api/v3/order', limit('BUY', '100'))
    expect(await placed).toMatchObject({ status: 200 })
  } finally {
    await Promise.all(open.splice(0).map((exchange) => exchange.close()))
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
  const before = embeddedFolders()
  const misspelt: object = { gateway: 2 }
  await expect(startExchange({ settings: misspelt })).rejects.toThrow(/--gateway/)
  const replicated = {
    sandbox: false,
    durability: 'replicated',
    replica: 'postgres://localhost/none',
  } as const
  await expect(startExchange({ settings: replicated })).rejects.toThrow('no member of a quorum')
  expect(embeddedFolders()).toEqual(before)
})

test.each<[Record<string, unknown>, string]>([
  [{ acounts: {} }, 'startExchange has no option acounts. Did you mean accounts?'],
  [{ toString: 1 }, 'startExchange has no option toString. It has process, clock, port'],
  [{ process: 'thread' }, 'The option process is this or child, not thread.'],
  [{ clock: 'virtul' }, 'The option clock is real or virtual or { at }, not virtul.'],
  [{ clock: null }, 'The option clock is real or virtual or { at }, not null.'],
  [{ exit: true }, 'The option exit is a function, not true.'],
  [{ folder: 7 }, 'The option folder is a text, not 7.'],
  [{ settings: 7 }, 'The option settings is an object, not 7.'],
  [{ accounts: [] }, 'The option accounts is an object, not [].'],
  [{ accounts: { bob: 7 } }, 'The funds of bob are an object, not 7.'],
  [{ accounts: { bob: { USDT: 'much' } } }, 'much is no amount of USDT.'],
  [{ accounts: { bob: { USDT: '-1' } } }, '-1 is no amount of USDT.'],
  [{ accounts: { bob: { limits: 7 } } }, 'The limits of bob are an object, not 7.'],
  [{ accounts: { bob: { limits: { weigth: 7 } } } }, 'Did you mean weight?'],
  [{ clock: { at: 0, sped: 2 } }, 'The option clock has no sped. It has at.'],
  [{ process: 'child', log: 'all' }, 'The option log is a function, not all.'],
  [{ clock: { at: 'noon' } }, "noon is no moment before 2100, such as '2024-03-01T00:00:00Z'."],
  [{ clock: { at: -1 } }, '-1 is no moment'],
  [{ settings: { port: 1 } }, 'The setting port has no effect here: give the option port.'],
  [{ settings: { data: '/' } }, 'The setting data has no effect here: give the option folder.'],
  [{ clock: 'real', settings: { clock: 'virtual' } }, 'The clock is given twice'],
  [{ settings: { acounts: 1 } }, '--acounts is not a known flag. Did you mean --accounts?'],
])('%j is refused', async (options, sentence) => {
  await expect(startExchange(options)).rejects.toThrow(sentence)
})

test('exit gets its close; one that throws ends the start, and leaves nothing', async () => {
  const before = embeddedFolders()
  const ends: (() => Promise<void>)[] = []
  const exchange = await startExchange({ exit: (close) => ends.push(close) })
  {
    await using fork = await exchange.fork()
    expect(fork.port).not.toBe(exchange.port)
  }
  expect(await exchange.states()).toEqual([])
  expect(ends).toHaveLength(1)
  await ends[0]!()
  await expect(exchange.fetch('/api/v3/time')).rejects.toThrow('The exchange is closed.')
  const late = () => {
    throw new Error('too late for a hook')
  }
  await expect(startExchange({ exit: late })).rejects.toThrow('too late for a hook')
  expect(embeddedFolders()).toEqual(before)
})

test('a rule begins and ends at a Date, a number or a text', async () => {
  const { faults } = await started({ clock: { at: '2024-03-01T00:00:00Z' } })
  const [from, until] = [new Date('2024-03-01T01:00:00Z'), new Date('2024-03-01T02:00:00Z')]
  await faults.add({ do: 'forbid', from, until })
  await faults.add({ do: 'forbid', from: Number(from), until: until.toISOString() })
  expect((await faults.list()).map(({ rule }) => rule)).toEqual([
    'from=1709254800000 until=1709258400000',
    'from=1709254800000 until=2024-03-01T02:00:00.000Z',
  ])
  await expect(faults.add({ do: 'forbid', from: new Date(Number.NaN) })).rejects.toThrow(
    'from must be a moment',
  )
})

test.each(['real', 'virtual'] as const)('after a close (%s clock) all refuse', async (clock) => {
  const exchange = await startHere({ clock })
  await exchange.close()
  const closed = 'The exchange is closed.'
  const calls: readonly (() => Promise<unknown>)[] = [
    ...[() => exchange.fetch('/api/v3/time'), () => exchange.account('bob')],
    ...[() => exchange.faults.list(), () => exchange.faults.apply('')],
    ...[() => exchange.fill({ symbol: 'BTCUSDT', orderId: 1 }), () => exchange.save('one')],
    ...[() => exchange.load('one'), () => exchange.reset(), () => exchange.fork()],
    ...[() => exchange.clock.step(), () => exchange.clock.advance('1h')],
    ...[() => exchange.clock.pause(), () => exchange.clock.advanceTo(0)],
  ]
  for (const call of calls) await expect(call(), String(call)).rejects.toThrow(closed)
  expect(() => exchange.events()).toThrow(closed)
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
