/**
 * A member that follows, on a standby of PostgreSQL: it serves what its leader serves, receives operators'
 * actions, survives its own kill and its leader's, and refuses what writes.
 */
import fs from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { act } from '../e2e/admin-server.ts'
import { type Frame, FrameLog } from '../e2e/frame-log.ts'
import { eventually } from '../fixtures/eventually.ts'

const DATABASE = 'following'
const ACCOUNTS = ['trader1', 'trader2']
/** The second is of the second matcher. */
const SYMBOLS = ['BTCUSDT', 'ETHUSDT']

/** Events of one account in a round of trades: reports and positions. */
const EVENTS = 12

let servers: PostgresServers
let leader: ExchangeProcess
let follower: ExchangeProcess
let keys: Record<string, DemoKey>
const logs: FrameLog[] = []

beforeAll(async () => {
  servers = await PostgresServers.start(2)
  await servers.primary.query(`CREATE DATABASE ${DATABASE}`)
  leader = await ExchangeProcess.prepare([
    ...['--durability', 'replicated', '--replica', servers.url(DATABASE)],
    ...['--matchers', '2', '--gateways', '1'],
  ])
  const standby = `127.0.0.1:${servers.standbys[0]!.port}`
  follower = await ExchangeProcess.prepare([
    ...['--follow', `postgres://ringbook@${standby}/${DATABASE}`],
    // Its matchers are as many as the leader's, its gateways are its own.
    ...['--matchers', '1', '--gateways', '2'],
  ])
})
afterAll(async () => {
  for (const log of logs) await log.close()
  await follower?.remove()
  await leader?.remove()
  await servers?.remove()
})

type Query = Record<string, string>

/** Public queries of a symbol. */
const VIEWS: readonly (readonly [url: string, more?: Query])[] = [
  ['depth'],
  ['trades'],
  ['historicalTrades'],
  ['klines', { interval: '1d' }],
  ['ticker/price'],
]

const client = (of: ExchangeProcess, account: string) => new SignedClient(of.url, keys[account]!)

async function place(symbol: string, side: string, price: string, id: string, account: string) {
  const order = { symbol, side, price, type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01' }
  const placed = await client(leader, account).send('POST', '/api/v3/order', {
    ...order,
    newClientOrderId: id,
  })
  expect(placed.status, JSON.stringify(placed.body)).toBe(200)
}

/** Orders that meet, rest, and are canceled, on both matchers. */
async function trade(round: string): Promise<void> {
  for (const symbol of SYMBOLS) {
    const [price, lower] = symbol === 'BTCUSDT' ? ['50000', '40000'] : ['3000', '2400']
    await place(symbol, 'SELL', price, `sell-${round}`, 'trader1')
    await place(symbol, 'BUY', price, `buy-${round}`, 'trader2')
    await place(symbol, 'BUY', lower, `rest-${round}`, 'trader1')
    await place(symbol, 'BUY', lower, `gone-${round}`, 'trader2')
    const gone = { symbol, origClientOrderId: `gone-${round}` }
    await client(leader, 'trader2').send('DELETE', '/api/v3/order', gone)
  }
}

async function get(of: ExchangeProcess, url: string, query: Query = {}): Promise<unknown> {
  const response = await fetch(`${of.url}${url}?${new URLSearchParams(query)}`)
  return response.json()
}

/** What clients of a member see: of the market, and of each account. */
async function seen(of: ExchangeProcess, symbols: readonly string[], accounts: readonly string[]) {
  const market = (symbol: string) =>
    VIEWS.map(([url, more]) => get(of, `/api/v3/${url}`, { symbol, ...more }))
  const own = (account: string) => {
    const ask = (url: string, query: Query = {}) =>
      client(of, account).send('GET', `/api/v3/${url}`, query)
    const orders = symbols.flatMap((symbol) =>
      ['openOrders', 'allOrders', 'myTrades'].map((url) => ask(url, { symbol })),
    )
    return [ask('account'), ...orders]
  }
  const info = withoutTime(await get(of, '/api/v3/exchangeInfo'))
  return [
    info,
    ...(await Promise.all(symbols.flatMap(market))),
    ...(await Promise.all(accounts.flatMap(own))),
  ]
}

/** Less the times at which a member has answered or sent it. */
const withoutTime = (frame: unknown): Frame => ({ ...(frame as object), serverTime: 0, E: 0 })

/**
 * Waits until the follower has what the leader has. The leader itself shows what its quorum has, a moment after an
 * action was answered.
 */
async function expectEqual(symbols = SYMBOLS, accounts = ACCOUNTS): Promise<void> {
  let wanted: unknown
  let found: unknown
  await eventually("the leader's state", async () => {
    wanted = await seen(leader, symbols, accounts)
    found = await seen(follower, symbols, accounts)
    return isDeepStrictEqual(found, wanted) || undefined
  }).catch(() => expect(found).toEqual(wanted))
}

/** The user stream of an account on a member. */
async function streamOf(of: ExchangeProcess, account: string): Promise<FrameLog> {
  const response = await fetch(`${of.url}/api/v3/userDataStream`, {
    method: 'POST',
    headers: { 'X-MBX-APIKEY': keys[account]!.apiKey },
  })
  const { listenKey } = (await response.json()) as { listenKey: string }
  const log = await FrameLog.open(`${of.wsUrl}/ws/${listenKey}`)
  logs.push(log)
  return log
}

test('a follower has what its leader has, from its beginning and live', async () => {
  await leader.run()
  keys = leader.keys()
  await trade('before')
  fs.copyFileSync(path.join(leader.data, 'secret.key'), path.join(follower.data, 'secret.key'))
  await follower.run()
  await expectEqual()

  const streams = await Promise.all([leader, follower].map((of) => streamOf(of, 'trader1')))
  const depths = await Promise.all(
    [leader, follower].map((of) => FrameLog.open(`${of.wsUrl}/ws/btcusdt@trade`)),
  )
  logs.push(...depths)
  await trade('live')
  await expectEqual()
  const [own, followed] = await Promise.all(
    streams.map(async (it) => {
      const frames = await it.atLeast(EVENTS, 'an event', () => true)
      return frames.map(withoutTime)
    }),
  )
  expect([own!.length, followed!.length]).toEqual([EVENTS, EVENTS])
  // Symbols of two matchers may be read in another order.
  for (const symbol of SYMBOLS) {
    const reportsOf = (frames: readonly Frame[]) => frames.filter(({ s }) => s === symbol)
    expect(reportsOf(followed!)).toEqual(reportsOf(own!))
  }
  const [trades, seenTrades] = await Promise.all(
    depths.map((it) => it.atLeast(1, 'a trade', () => true)),
  )
  expect(seenTrades!.map(withoutTime)).toEqual(trades!.map(withoutTime))
})

test('it refuses orders and actions that write, and names the leader', async () => {
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' }
  const { status, body } = await client(follower, 'trader1').send('POST', '/api/v3/order', order)
  expect([status, body.code]).toEqual([503, -1001])
  await expect(act(follower, 'halt', { symbol: 'BTCUSDT' })).rejects.toThrow(
    `This member follows ${leader.url}`,
  )
  const role = (await get(follower, '/ringbook/role')) as Record<string, unknown>
  expect(role).toMatchObject({ role: 'follower', leader: leader.url })
})

test("operators' actions at the leader reach it: account, key, deposit, listing, halt", async () => {
  await act(leader, 'asset-list', { asset: 'DOGE' })
  await act(leader, 'symbol-list', { base: 'DOGE', quote: 'USDT', like: 'ADAUSDT', matcher: 1 })
  await act(leader, 'account-open', { account: 'late' })
  await act(leader, 'deposit', { account: 'late', asset: 'USDT', amount: '1000' })
  await act(leader, 'withdraw', { account: 'late', asset: 'USDT', amount: '1' })
  const { rows } = await act(leader, 'key-create', { account: 'late' })
  const { apiKey, secretKey } = rows[0] as unknown as DemoKey
  keys = { ...keys, late: { account: 'late', apiKey, secretKey } }
  const order = { symbol: 'DOGEUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
  const placed = await client(leader, 'late').send('POST', '/api/v3/order', {
    ...order,
    price: '0.5',
    quantity: '100',
  })
  expect(placed.status).toBe(200)
  await act(leader, 'halt', { symbol: 'BTCUSDT' })
  await expectEqual([...SYMBOLS, 'DOGEUSDT'], [...ACCOUNTS, 'late'])
  await act(leader, 'resume', { symbol: 'BTCUSDT' })
})

test('it has the phases of its leader, the indicative price of a call, and its auction', async () => {
  interface Auction {
    readonly status: string
    readonly indicative: { readonly price: string; readonly quantity: string }
    readonly last: { readonly price: string }
  }
  const auction = async (of: ExchangeProcess) =>
    (await get(of, '/api/v3/auction', { symbol: 'ETHUSDT' })) as Auction
  const stream = await FrameLog.open(`${follower.wsUrl}/ws/ethusdt@auction`)
  logs.push(stream)
  await act(leader, 'symbol-status', { symbol: 'ETHUSDT', status: 'AUCTION_MATCH' })
  await place('ETHUSDT', 'SELL', '3000', 'call-sell', 'trader1')
  await place('ETHUSDT', 'BUY', '3000', 'call-buy', 'trader2')
  const { indicative } = await eventually("the leader's indicative price", async () => {
    const found = await auction(leader)
    return Number(found.indicative.price) > 0 ? found : undefined
  })
  await eventually("the follower's", async () => {
    const found = (await auction(follower)).indicative
    const isSame = found.price === indicative.price && found.quantity === indicative.quantity
    return isSame || undefined
  })
  await stream.first('the indicative price', ({ i }) => {
    return (i as { p: string } | undefined)?.p === indicative.price
  })
  await act(leader, 'symbol-status', { symbol: 'ETHUSDT', status: 'TRADING' })
  const { last } = await eventually("the follower's auction", async () => {
    const found = await auction(follower)
    return Number(found.last.price) > 0 ? found : undefined
  })
  expect(last.price).toBe(indicative.price)
  await expectEqual()
})

test('a killed follower continues where it was, and follows its leader over a start', async () => {
  await follower.stop('SIGKILL')
  await trade('missed')
  await follower.run()
  await expectEqual([...SYMBOLS, 'DOGEUSDT'], [...ACCOUNTS, 'late'])
  await leader.stop('SIGKILL')
  await leader.run()
  await trade('again')
  await expectEqual([...SYMBOLS, 'DOGEUSDT'], [...ACCOUNTS, 'late'])
})

/** The leader begins with these settings; the follower, whose matchers are not as its leader's, ends and begins again. */
async function beginAgain(settings: readonly string[], round: string): Promise<void> {
  const ended = follower.ended()
  expect((await leader.stop()).code).toBe(0)
  await leader.run(settings)
  const { code, output } = await ended
  expect(code).toBe(1)
  expect(output).toContain('The leader has begun again with other matchers')
  await follower.run()
  await trade(round)
  await expectEqual([...SYMBOLS, 'DOGEUSDT'], [...ACCOUNTS, 'late'])
}

test('it begins again when its leader has other matchers', async () => {
  await act(leader, 'symbol-list', { base: 'DOGE', quote: 'BTC', like: 'ETHBTC' })
  await beginAgain(['--matchers', '1'], 'after')
})

test('it begins again when its leader has begun with a group of symbols', async () => {
  const symbols = 'DOGEUSDT,DOGEBTC'
  await act(leader, 'sor-group', { base: 'DOGE', symbols, account: 'late' })
  await beginAgain(['--matchers', '1'], 'grouped')
  const stopped = await follower.stop()
  expect(stopped.code, stopped.output).toBe(0)
})
