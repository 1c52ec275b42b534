/** Market makers on a real exchange: books live, a stop leaves nothing, a kill leaves nothing twice. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type DemoKey, ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { operate } from './command-line.ts'

let exchange: ExchangeProcess
let folder: string
let tableFile: string

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-liquidity-'))
  tableFile = path.join(folder, 'liquidity.toml')
})
afterEach(() => exchange?.remove())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Depth {
  readonly bids: readonly (readonly [string, string])[]
  readonly asks: readonly (readonly [string, string])[]
}

const get = async <T>(question: string): Promise<T> =>
  (await (await fetch(`${exchange.url}/api/v3/${question}`)).json()) as T
const depth = (symbol: string) => get<Depth>(`depth?symbol=${symbol}`)
const trades = (symbol: string) => get<{ id: number; price: string }[]>(`trades?symbol=${symbol}`)

/** The market makers' keys are the operator's to read. */
function client(account: string): SignedClient {
  const file = path.join(exchange.data, 'liquidity-keys.json')
  const keys: DemoKey[] = JSON.parse(readFileSync(file, 'utf8'))
  return new SignedClient(exchange.url, keys.find((key) => key.account === account)!)
}

async function quotes(symbol: string): Promise<number> {
  const maker = client(`house-maker-${symbol}`)
  const { body } = await maker.send('GET', '/api/v3/openOrders', { symbol })
  return (body as unknown as unknown[]).length
}

/** A book with both sides in which something has traded since. */
async function lives(symbol: string): Promise<void> {
  const before = (await trades(symbol)).at(-1)?.id ?? -1
  await eventually(`${symbol} lives`, async () => {
    const { bids, asks } = await depth(symbol)
    if (bids.length === 0 || asks.length === 0) return undefined
    expect(Number(bids[0]![0])).toBeLessThan(Number(asks[0]![0]))
    return ((await trades(symbol)).at(-1)?.id ?? -1) > before ? true : undefined
  })
}

/** An exchange that goes by a liquidity file, which is written for each start. */
async function start(table: string, ...flags: string[]): Promise<void> {
  writeFileSync(tableFile, table)
  const liquidity = ['--liquidity', 'on', '--liquidity-file', tableFile]
  exchange = await ExchangeProcess.prepare([...liquidity, ...flags])
  await exchange.run()
}

test('books live within the limits, over a stop and a kill, and all adds up', async () => {
  // The test sends from 127.0.0.1, the market maker from its own address, which is limited.
  const limits = ['--limits', 'on', '--exempt-addresses', '127.0.0.1']
  const table = 'levels = 2\nintensity = 4\ntaker-share = 0.5\n'
  await start(`[BTCUSDT]\n${table}[ETHBTC]\n${table}`, ...limits)
  for (const symbol of ['BTCUSDT', 'ETHBTC']) await lives(symbol)
  await eventually('a kline', async () => {
    const klines = await get<unknown[]>('klines?symbol=BTCUSDT&interval=1m')
    return klines.length > 0 || undefined
  })
  const accounts = await operate(exchange, 'accounts')
  const names = accounts.map(({ account }) => account)
  expect(names.filter((name) => name?.startsWith('house-'))).toEqual([
    'house-maker-BTCUSDT',
    'house-maker-ETHBTC',
    'house-taker',
  ])

  await exchange.stop('SIGKILL')
  await exchange.run()
  await lives('BTCUSDT')
  // What the kill left open was taken on: two levels on each side, and no more for long.
  await eventually('as many quotes as planned', async () =>
    (await quotes('BTCUSDT')) <= 4 ? true : undefined,
  )
  expect(await operate(exchange, 'accounts')).toHaveLength(accounts.length)

  const [key] = (await operate(exchange, 'keys', 'house-maker-ETHBTC')) as { 'API key'?: string }[]
  await operate(exchange, 'key-revoke', Object.values(key!).find((it) => /^\w{64}$/.test(it))!)
  await eventually('a warning', () =>
    exchange.output.includes('Market maker paused on ETHBTC') ? true : undefined,
  )
  await lives('BTCUSDT')
  expect((await operate(exchange, 'audit')).length).toBeGreaterThan(0)
  expect((await exchange.stop()).code).toBe(0)
})

test('a frozen account of the market makers silences one symbol until it is lifted', async () => {
  const table = 'levels = 2\nintensity = 5\ntaker-share = 0.5\n'
  await start(`[BTCUSDT]\n${table}[ETHBTC]\n${table}`)
  for (const symbol of ['BTCUSDT', 'ETHBTC']) await lives(symbol)
  await operate(exchange, 'account-freeze', 'house-maker-BTCUSDT', '--cancel-orders', 'on')
  await eventually(
    'the warning',
    () =>
      exchange.output.includes('Market maker paused on BTCUSDT: its account is frozen') ||
      undefined,
  )
  expect(await quotes('BTCUSDT')).toBe(0)
  // The market maker leaves alone what others offer, though it stands above what it would ask for.
  const { taker } = exchange.keys()
  const { id: before, price } = (await trades('BTCUSDT')).at(-1)!
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
  await new SignedClient(exchange.url, taker!).send('POST', '/api/v3/order', {
    ...order,
    price: (Number(price) * 1.003).toFixed(2),
    quantity: 0.01,
  })
  for (let i = 0; i < 3; i++) await lives('ETHBTC')
  expect((await trades('BTCUSDT')).at(-1)!.id).toBe(before)
  expect((await depth('BTCUSDT')).bids).toHaveLength(1)
  await operate(exchange, 'account-freeze', 'house-maker-BTCUSDT', 'off')
  await lives('BTCUSDT')
})

test('a halt and a drain are news of the market makers, and no warning', async () => {
  await start('[BTCUSDT]\nlevels = 2\nintensity = 5\n')
  await lives('BTCUSDT')
  const isSaid = (why: string) =>
    exchange.output.includes(`Market maker paused on BTCUSDT: ${why}.`) || undefined
  await operate(exchange, 'halt', 'BTCUSDT')
  await eventually('news of the halt', () => isSaid('halted'))
  await operate(exchange, 'resume', 'BTCUSDT')
  await lives('BTCUSDT')
  await operate(exchange, 'drain')
  await eventually('news of the drain', () => isSaid('the exchange is drained'))
  const ofMakers = (await operate(exchange, 'warnings')).filter(({ text }) =>
    /Market maker/.test(text!),
  )
  expect(ofMakers).toEqual([])
})

test('a stop takes every quote back, and a house that fails ends nothing else', async () => {
  const table = '[BTCUSDT]\nlevels = 2\nintensity = 20\nprice = 40000\nspread-bps = 50'
  await start(table, ...FEW_THREADS)
  await lives('BTCUSDT')
  // A quote that was taken is missing until it is placed again.
  const { bids, asks } = await eventually('both sides', async () => {
    const found = await depth('BTCUSDT')
    return found.bids.length > 0 && found.asks.length > 0 ? found : undefined
  })
  const middle = (Number(bids[0]![0]) + Number(asks[0]![0])) / 2
  expect(Math.abs(middle / 40_000 - 1)).toBeLessThan(0.01)
  expect((await depth('ETHUSDT')).bids).toEqual([])
  const maker = client('house-maker-BTCUSDT')
  expect((await exchange.stop()).code).toBe(0)
  writeFileSync(path.join(exchange.data, 'liquidity-keys.json'), '{')
  await exchange.run()
  await eventually('a warning', () =>
    exchange.output.includes('Market makers are off: they failed') ? true : undefined,
  )
  // What stands now stood when it stopped.
  const { status, body } = await maker.send('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  expect([status, body]).toEqual([200, []])
  expect((await exchange.stop()).code).toBe(0)
})

test('a recording is played into the book, through all orders in its way', async () => {
  const E = 1_700_000_000_000
  const frame = (event: object) => ({ stream: 'ethusdt', data: { s: 'ETHUSDT', ...event } })
  const lines = [
    {
      lastUpdateId: 1,
      bids: [
        ['2000.00', '1.5'],
        ['1999.00', '2'],
      ],
      asks: [['2001.00', '1']],
    },
    frame({ e: 'depthUpdate', E, U: 2, u: 3, b: [['1999.00', '0']], a: [['2002.00', '3']] }),
    frame({ e: 'trade', E: E + 20, t: 1, p: '2001.00', q: '0.4', m: false }),
    frame({ e: 'depthUpdate', E: E + 40, U: 4, u: 5, b: [], a: [['2001.00', '0.6']] }),
    frame({
      e: 'depthUpdate',
      E: E + 60,
      U: 6,
      u: 7,
      b: [['2000.00', '1']],
      a: [['2003.123456', '1']],
    }),
  ]
  const recording = path.join(folder, 'eth.jsonl')
  writeFileSync(recording, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await start(`[ETHUSDT]\nreplay = "${recording}"\n`, ...FEW_THREADS)
  await eventually('the end of the recording', () =>
    exchange.output.includes('a recording was played') ? true : undefined,
  )
  expect(exchange.output).toContain('"events":5,"unfit":1')
  const played = {
    bids: [['2000.00000000', '1.00000000']],
    asks: [
      ['2001.00000000', '0.60000000'],
      ['2002.00000000', '3.00000000'],
    ],
  }
  // Either gateway may be queried, and be a moment late.
  await eventually('the book of the recording', async () => {
    const { bids, asks } = await depth('ETHUSDT')
    return isDeepStrictEqual({ bids, asks }, played) || undefined
  })
  const traded = await eventually('its trade', async () => {
    const found = await trades('ETHUSDT')
    return found.length > 0 ? found : undefined
  })
  expect(traded).toMatchObject([{ price: '2001.00000000', qty: '0.40000000' }])
  expect((await exchange.stop()).code).toBe(0)
})

test.each([
  ['[BTCUSDT]\nlevels = 0', /levels must be a number above 0, at most 1000\.\n$/],
  ['[BTCUSDT]\nreplay = "no.jsonl"', /The recording no\.jsonl cannot be read: .*\n$/],
])('a file that cannot be gone by is refused in a sentence: %j', async (text, sentence) => {
  await expect(start(text, ...FEW_THREADS)).rejects.toThrow(sentence)
})
