/** An exchange that begins with a seed file: what clients find, once and after a restart. */
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import WebSocket from 'ws'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { type ExchangeSettings, startExchange } from '../../../src/index.ts'
import { ControlStore } from '../../../src/journal/control-store.ts'
import { madeExchangeInfo } from '../../fixtures/made-exchange-info.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const folder = temporaryFolder()
const EXAMPLE = 'examples/seed/two-traders.toml'
const ALICE = { account: 'alice', apiKey: 'aliceKey'.repeat(8), secretKey: 'secret-of-alice' }
const BOB = { account: 'bob', apiKey: 'bobsTrad'.repeat(8), secretKey: 'secret-of-bob-2' }
const BOB_READS = { account: 'bob', apiKey: 'bobReads'.repeat(8), secretKey: 'secret-of-bob-1' }

const start = (data: string, settings: ExchangeSettings) => {
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const own = { 'log-level': 'info', ...settings } as const
  return startExchange({ folder: path.join(folder, data), log, settings: own }).then(
    (exchange) => ({ exchange, lines }),
  )
}
const get = async (url: string) => (await fetch(url)).json()

test('the example: symbols, accounts, keys, balances and orders', async () => {
  const { exchange } = await start('example', { seed: EXAMPLE })
  const keys = Object.fromEntries(
    [ALICE, BOB].map(({ account, ...key }) => [account, key] as const),
  )
  expect(exchange.accounts).toEqual(keys)
  const [alice, bob, reader] = [ALICE, BOB, BOB_READS].map(
    (key) => new SignedClient(exchange.url, key),
  )
  const { body: account } = await alice!.send('GET', '/api/v3/account')
  expect(account).toMatchObject({
    makerCommission: 10,
    balances: [
      { asset: 'BTC', free: '9.50000000', locked: '0.50000000' },
      { asset: 'ETH', free: '0.00000000', locked: '0.00000000' },
      { asset: 'USDT', free: '970005.00000000', locked: '29995.00000000' },
    ],
  })
  expect(await get(`${exchange.url}/api/v3/depth?symbol=BTCUSDT`)).toMatchObject({
    bids: [['59990.00000000', '0.50000000']],
    asks: [['60010.00000000', '0.50000000']],
  })
  const { body: waiting } = await bob!.send('GET', '/api/v3/openOrders')
  expect(waiting).toMatchObject([{ clientOrderId: 'seed-3', type: 'STOP_LOSS_LIMIT' }])
  const limit = { type: 'LIMIT', timeInForce: 'IOC', price: '60010', quantity: '0.1' }
  const order = { symbol: 'BTCUSDT', side: 'BUY', ...limit }
  const bought = await bob!.send('POST', '/api/v3/order', order)
  expect(bought.body).toMatchObject({ status: 'FILLED', cummulativeQuoteQty: '6001.00000000' })
  expect((await reader!.send('POST', '/api/v3/order', order)).body.code).toBe(-2015)
  await exchange.close()

  const again = await start('example', { seed: EXAMPLE })
  expect(again.exchange.accounts).toEqual(exchange.accounts)
  const { asks } = (await get(`${again.exchange.url}/api/v3/depth?symbol=BTCUSDT`)) as {
    asks: unknown
  }
  expect(asks).toEqual([['60010.00000000', '0.40000000']])
  expect(again.lines.join('')).not.toContain('of the seed placed')
  await again.exchange.close()
})

/** A seed with two orders that meet, and perhaps one that rests. */
const meeting = (more = '') => `
assets = ["BTC", "USDT"]
[symbols.BTCUSDT]
base = "BTC"
quote = "USDT"
template = "spot"
tick = "0.01"
step = "0.00001"
[accounts.alice.balances]
BTC = 10
[[accounts.alice.keys]]
api-key = "${ALICE.apiKey}"
secret-key = "${ALICE.secretKey}"
[accounts.bob.balances]
USDT = 1_000_000
${['alice/SELL', 'bob/BUY'].map(orderOf).join('')}${more}`
const orderOf = (text: string) => {
  const [account, side] = text.split('/')
  return `[[orders]]
account = "${account}"
symbol = "BTCUSDT"
side = "${side}"
price = 60000
quantity = 1
`
}

test('a start that was killed between orders places none of them twice, filled ones included', async () => {
  const [seed, whole] = [path.join(folder, 'meet.toml'), path.join(folder, 'whole.toml')]
  writeFileSync(seed, meeting())
  writeFileSync(whole, meeting(orderOf('alice/SELL')))
  const first = await start('killed', { seed })
  await first.exchange.close()
  const other = await start('other', { seed: whole })
  await other.exchange.close()
  // As the killed start had it: the facts of the founding, and no later one of the seed.
  const facts = ControlStore.open(path.join(folder, 'other'))
  const [fact] = [...facts.texts()].map((text) => JSON.parse(text)).filter(isSeed)
  facts.close()
  const control = ControlStore.open(path.join(folder, 'killed'))
  control.append(fact)
  control.close()

  const { exchange, lines } = await start('killed', { seed })
  expect(lines.join('')).toContain('3 orders of the seed placed')
  const alice = new SignedClient(exchange.url, ALICE)
  const { body: trades } = await alice.send('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })
  expect(trades).toMatchObject([{ qty: '1.00000000' }])
  const { body: open } = await alice.send('GET', '/api/v3/openOrders')
  expect(open).toMatchObject([{ clientOrderId: 'seed-3', executedQty: '0.00000000' }])
  await exchange.close()
})
const isSeed = ({ fact }: { fact: string }) => fact === 'seed'

test('a balance of more than there may be of an asset ends the start with the bound', async () => {
  const seed = path.join(folder, 'vast.toml')
  writeFileSync(seed, meeting().replace('BTC = 10', 'BTC = "589000000000000"'))
  await expect(start('vast', { seed })).rejects.toThrow(
    'vast.toml cannot be used: there is room for 46116860184.27387904 BTC (2^62 atoms).',
  )
})

test('symbols of another venue may come with it; an order that is refused is logged', async () => {
  const [info, seed] = [path.join(folder, 'info.json'), path.join(folder, 'seed.toml')]
  writeFileSync(info, madeExchangeInfo(2, 2))
  writeFileSync(
    seed,
    `[accounts.alice.balances]
USDT = 1000
[[accounts.alice.keys]]
api-key = "${ALICE.apiKey}"
secret-key = "${ALICE.secretKey}"
[[orders]]
account = "alice"
symbol = "AAAXUSDT"
side = "BUY"
price = "0.001"
quantity = 1
[[orders]]
account = "alice"
symbol = "AAAXUSDT"
side = "BUY"
price = "10"
quantity = 7`,
  )
  const { exchange, lines } = await start('both', { seed, 'symbols-from': info })
  const { body } = await new SignedClient(exchange.url, ALICE).send('GET', '/api/v3/openOrders')
  expect(body).toMatchObject([{ symbol: 'AAAXUSDT', origQty: '7.00000000' }])
  expect(lines.join('')).toContain('an order of the seed: ')
  expect(lines.join('')).toContain('1 order of the seed placed')
  await exchange.close()
})

/** A 1m kline as other venues answer it. */
const minuteRow = (openMs: number, close: number, lots: number) => [
  ...[openMs, '60000.00', '60100.00', '59900.00', `${close}.00`, `${lots}.00000`],
  ...[openMs + 59_999, `${lots * 60_000}.00`, 7, '0.50000', '30000.00', '0'],
]

/** Prices and volumes have eight decimals. */
const wire = (field: unknown) =>
  typeof field === 'string' && field !== '0' ? Number(field).toFixed(8) : field

async function firstFrame(url: string, stream: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/${stream}`)
  const [frame] = await once(socket, 'message')
  socket.terminate()
  return JSON.parse(String(frame))
}

test('klines come before its own, also after a restart and without the archive, and nothing else knows them', async () => {
  const hourMs = 3_600_000
  const dayMs = Math.floor(Date.now() / (24 * hourMs)) * 24 * hourMs - 24 * hourMs
  mkdirSync(path.join(folder, 'klines'))
  const [seed, file] = ['seed.toml', 'minutes.json'].map((name) =>
    path.join(folder, 'klines', name),
  )
  const before = [minuteRow(dayMs, 60_001, 1), minuteRow(dayMs + hourMs, 60_002, 2)]
  const lastMs = Math.floor(Date.now() / 60_000) * 60_000 - 60_000
  writeFileSync(file!, JSON.stringify([minuteRow(lastMs, 60_003, 4)]))
  const tables = `[[klines]]
symbol = "BTCUSDT"
rows = ${JSON.stringify(before)}
[[klines]]
symbol = "BTCUSDT"
file = "minutes.json"
`
  writeFileSync(seed!, meeting(tables))
  const first = await start('klines-data', { seed: seed! })
  const check = async (url: string) => {
    const of = (interval: string, more = '') =>
      get(`${url}/api/v3/klines?symbol=BTCUSDT&interval=${interval}${more}`) as Promise<unknown[][]>
    const minutes = await of('1m', `&startTime=${dayMs}&limit=2`)
    expect(minutes[0]).toMatchObject({ ...minuteRow(dayMs, 60_001, 1).map(wire) })
    expect(minutes[1]).toMatchObject({ 1: '60001.00000000', 5: '0.00000000', 8: 0 })
    const hours = await get(
      `${url}/api/v3/uiKlines?symbol=BTCUSDT&interval=1h&startTime=${dayMs}&limit=2`,
    )
    expect(hours).toMatchObject([{ 5: '1.00000000' }, { 4: '60002.00000000', 5: '2.00000000' }])
    // The whole: three seeded klines of seven trades, and the one of 1 BTC that was made here.
    const [month] = await of('1M', '&limit=1')
    const sum = async (interval: string) => {
      const rows = await of(interval, `&startTime=${dayMs - 62 * 24 * hourMs}`)
      return [5, 8].map((at) => rows.reduce((total, each) => total + Number(each[at]), 0))
    }
    for (const interval of ['1h', '4h', '1d', '3d', '1w', '1M']) {
      expect([interval, ...(await sum(interval))]).toEqual([interval, 8, 22])
    }
    expect(month).toMatchObject({ 4: '60000.00000000' })
    expect(await get(`${url}/api/v3/ticker/24hr?symbol=BTCUSDT`)).toMatchObject({
      firstId: 1,
      lastId: 1,
      count: 1,
      volume: '1.00000000',
      highPrice: '60000.00000000',
    })
    expect(await get(`${url}/api/v3/ticker?symbol=BTCUSDT&windowSize=7d`)).toMatchObject({
      firstId: 1,
      count: 1,
      volume: '1.00000000',
    })
    expect(await get(`${url}/api/v3/trades?symbol=BTCUSDT`)).toMatchObject([{ id: 1 }])
    // A stream has the same kline, with the ids of the exchange's own trades.
    const [week] = await of('1w', '&limit=1')
    const { k } = await firstFrame(url, 'btcusdt@kline_1w')
    expect([k.o, k.h, k.l, k.c, k.v, k.n]).toEqual([...week!.slice(1, 6), week![8]])
    expect(k).toMatchObject({ f: 1, L: 1 })
  }
  await check(first.exchange.url)
  await first.exchange.close()
  // The files are not needed any more.
  rmSync(path.join(folder, 'klines'), { recursive: true })
  const second = await start('klines-data', {})
  await check(second.exchange.url)
  await second.exchange.close()
  const data = path.join(folder, 'klines-data')
  const archives = readdirSync(data).filter((name) => name.startsWith('archive'))
  expect(archives).not.toEqual([])
  for (const name of archives) rmSync(path.join(data, name), { recursive: true })
  const third = await start('klines-data', { sandbox: 'on' })
  await check(third.exchange.url)
  await third.exchange.reset()
  await check(third.exchange.url)
  await third.exchange.close()
})

test('a file of klines that is not there ends the start with a sentence', async () => {
  const seed = path.join(folder, 'lost.toml')
  writeFileSync(seed, meeting('[[klines]]\nsymbol = "BTCUSDT"\nfile = "lost.json"\n'))
  await expect(start('lost', { seed })).rejects.toThrow(
    'lost.json cannot be read: it does not exist',
  )
})

test('a file of klines beyond its bound ends the start, and one at it is read', async () => {
  const seed = path.join(folder, 'large.toml')
  const file = path.join(folder, 'large.json')
  writeFileSync(seed, meeting('[[klines]]\nsymbol = "BTCUSDT"\nfile = "large.json"\n'))
  writeFileSync(file, '[')
  truncateSync(file, 8 * 1024 * 1024 + 1)
  await expect(start('large', { seed })).rejects.toThrow(
    'large.json cannot be read: it is too large',
  )
  truncateSync(file, 8 * 1024 * 1024)
  await expect(start('large', { seed })).rejects.toThrow('large.json is not JSON')
})

test('the example is found in the documents of examples', () => {
  expect(readFileSync('examples/README.md', 'utf8')).toContain('seed/two-traders.toml')
})
