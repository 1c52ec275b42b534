/** Every file of examples/ runs as it stands, beside an exchange with the liquidity of the demo. */
import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import ccxt from 'ccxt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { act } from './admin-server.ts'
import { Trader } from './trader.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const examples = path.join(root, 'examples')
let exchange: ExchangeProcess

beforeAll(async () => {
  exchange = await ExchangeProcess.start([...FEW_THREADS, '--liquidity', 'demo', '--sandbox', 'on'])
})
afterAll(() => exchange?.remove())

/** What it prints. Rejects when it ends with another code than 0. */
async function output(
  program: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = {
    ...process.env,
    EXCHANGE_URL: exchange.url,
    KEYS_FILE: path.join(exchange.data, 'demo-keys.json'),
    ...more,
  }
  const { stdout } = await run(program, args, { cwd: root, env })
  return stdout
}

const example = (name: string) => path.join(examples, name)

describe('examples', () => {
  test.each([
    ['ccxt.mjs', /^bought 0\.01 BTC at [\d.]+: closed$/m],
    ['ccxt-pro.mjs', /^order \d+ is open at [\d.]+\norder \d+ is canceled$/m],
    [
      'binance-spot-rest.mjs',
      /^order (\d+) is NEW\nits quantity is 0\.00100000,.*\norder \1 is CANCELED$/m,
    ],
    ['binance-spot-streams.mjs', /^order \d+ is FILLED\na trade of [\d.]+ at [\d.]+$/m],
    [
      'sbe.mjs',
      /^bid [\d.]+ at [\d.]+, ask .*\norder \d+ is FILLED\n0\.001\d* at [\d.]+, 2\d{3}-/m,
    ],
    ['place_order.py', /^bid [\d.]+, ask [\d.]+\norder \d+ is FILLED$/m],
  ])('%s', async (name, expected) => {
    const program = name.endsWith('.py') ? 'python3' : process.execPath
    expect(await output(program, [example(name)])).toMatch(expected)
  })

  test('ed25519.sh', async () => {
    const admin = `--admin-port ${exchange.adminPort} --data ${exchange.data}`
    const placed = await output('bash', [example('ed25519.sh')], { ADMIN_FLAGS: admin })
    const responses = placed.trim().split('\n')
    const states = responses.map((line) => JSON.parse(line).status)
    expect(states).toEqual(['NEW', 'NEW', 'CANCELED'])
  })

  /** Creates an Ed25519 key. Returns what a program finds it by. */
  async function newKey() {
    const pair = generateKeyPairSync('ed25519')
    const publicKey = String(pair.publicKey.export({ type: 'spki', format: 'pem' }))
    const file = path.join(exchange.data, 'private.pem')
    writeFileSync(file, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
    const action = [
      'key-create',
      '--account',
      'maker',
      '--kind',
      'ED25519',
      '--public-key',
      publicKey,
    ]
    const admin = ['--admin-port', String(exchange.adminPort), '--data', exchange.data]
    const main = path.join(root, 'dist/src/main.js')
    const { rows } = JSON.parse(
      await output(process.execPath, [main, ...action, ...admin, '--json']),
    )
    return { API_KEY: String(rows[0].apiKey), PRIVATE_KEY: file }
  }

  /** Trades until the program has ended. Returns what it wrote. */
  async function besideTrades(program: Promise<string>): Promise<string> {
    const trader = new Trader(exchange, 'trader1')
    let isRunning = true
    const ended = program.finally(() => (isRunning = false))
    while (isRunning) {
      for (const side of ['BUY', 'SELL']) {
        await trader.place({ symbol: 'BTCUSDT', side, type: 'MARKET', quantity: '0.001' })
      }
    }
    return ended
  }

  test('sbe-book.mjs', async () => {
    const more = { ...(await newKey()), SECONDS_LONG: '3' }
    const text = await besideTrades(output(process.execPath, [example('sbe-book.mjs')], more))
    expect(text).toMatch(/^bid [\d.]+, ask [\d.]+ after [1-9]\d* diffs, compared \d+ times$/m)
  })

  test('session.mjs', async () => {
    const key = await newKey()
    const text = await output(process.execPath, [example('session.mjs')], key)
    expect(text).toMatch(/^logged on\norder \d+ is FILLED$/m)
  })

  test('recorder.mjs writes a snapshot, and diffs that follow it', async () => {
    const recording = output(process.execPath, [example('recorder.mjs')], { SECONDS_LONG: '2' })
    const text = await besideTrades(recording)
    const [snapshot, ...lines] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(snapshot.e).toBe('snapshot')
    const diffs = lines.filter(({ e }) => e === 'depthUpdate')
    expect(diffs.length).toBeGreaterThan(0)
    let last = snapshot.lastUpdateId
    for (const { U, u } of diffs) {
      expect(U).toBeLessThanOrEqual(last + 1)
      expect(u).toBeGreaterThan(last)
      last = u
    }
  })

  describe('market-maker.mjs', () => {
    const QUOTED = /^[1-9]\d* quotes: [1-9]\d* orders placed, \d+ kept, \d+ refused$/m
    const quoting = async (flags: Readonly<Record<string, string>>) => {
      const text = await output(process.execPath, [example('market-maker.mjs')], flags)
      expect(text).toMatch(QUOTED)
      const trader = new Trader(exchange, 'trader1')
      const { body } = await trader.send('GET', '/api/v3/openOrders', { symbol: 'ETHUSDT' })
      expect(body).toEqual([])
      const { body: countdowns } = await trader.send('GET', '/ringbook/v1/countdown', {})
      expect(countdowns).toEqual([])
      return text
    }

    test('quotes on connections that are cut, and leaves no order', async () => {
      const proxy = await cuttingProxy(exchange.port, 2_000)
      await quoting({ EXCHANGE_URL: proxy.url, SECONDS_LONG: '8' })
      proxy.close()
      expect(proxy.cuts).toBeGreaterThan(0)
    })

    test('quotes through answers that are lost and streams that stand still', async () => {
      const quotes = { operation: 'quoteOrders', every: 2 }
      await act(exchange, 'fault-add', { name: 'cut', do: 'cut', ...quotes })
      await act(exchange, 'fault-add', { name: 'unknown', do: 'unknown', ...quotes })
      const diffs = { stream: 'ethusdt@depth*', every: 20, ms: 2_000 }
      await act(exchange, 'fault-add', { name: 'stall', do: 'stall', ...diffs })
      const text = await quoting({ SECONDS_LONG: '15' })
      expect(text).toMatch(/^[1-9]\d* answers lost/m)
      await act(exchange, 'fault-remove', { name: 'all' })
    })
  })

  test('load-scenario.toml', async () => {
    const keys = path.join(exchange.data, 'demo-keys.json')
    const flags = [
      '--url',
      exchange.url,
      '--keys',
      keys,
      '--scenario',
      example('load-scenario.toml'),
    ]
    const report = [
      '--report',
      path.join(exchange.data, 'load'),
      '--rate',
      '20',
      '--seconds',
      '2',
      '--warm-up',
      '1',
    ]
    const script = path.join(root, 'dist/scripts/load.js')
    const text = await output(process.execPath, [script, ...flags, ...report, '--timeout', '60'])
    expect(text).toContain('holds: every stream stayed open')
  })

  test('venue.toml', async () => {
    const venue = await ExchangeProcess.start([...FEW_THREADS, '--demo', 'off'])
    try {
      const admin = ['--admin-port', String(venue.adminPort), '--data', venue.data]
      const main = path.join(root, 'dist/src/main.js')
      const words = ['venue', 'apply', example('venue.toml'), ...admin]
      const apply = (...more: string[]) => output(process.execPath, [main, ...words, ...more])
      const markets = async () => {
        const response = await fetch(`${venue.url}/api/v3/exchangeInfo`)
        const { symbols } = (await response.json()) as { symbols: { symbol: string }[] }
        return symbols.map(({ symbol }) => symbol)
      }
      expect(await apply('--dry-run')).toContain('BTCUSDT')
      expect(await markets()).toEqual([])
      await apply()
      expect(await markets()).toEqual(['BTCUSDT', 'ETHBTC'])
      const accounts = await output(process.execPath, [main, 'accounts', ...admin])
      expect(accounts).toMatch(/alice[\s\S]*bob/)
    } finally {
      await venue.remove()
    }
  })

  test('freqtrade.json: its exchange is reached by the requests of a bot', async () => {
    const { exchange: of } = JSON.parse(readFileSync(example('freqtrade.json'), 'utf8'))
    const text = JSON.stringify(of.ccxt_config).replaceAll('http://127.0.0.1:8080', exchange.url)
    const { apiKey, secretKey } = exchange.keys().trader1!
    const client = new ccxt.binanceus({ apiKey, secret: secretKey, ...JSON.parse(text) })
    const [pair] = of.pair_whitelist
    const { bids } = await client.fetchOrderBook(pair)
    expect(bids.length).toBeGreaterThan(0)
    expect((await client.fetchOHLCV(pair, '1m')).length).toBeGreaterThan(0)
    expect(await client.fetchTickers(of.pair_whitelist)).toHaveProperty([pair])
    const price = client.priceToPrecision(pair, Number(bids[0]![0]) * 0.9)
    const placed = await client.createOrder(pair, 'limit', 'buy', 0.001, Number(price))
    expect((await client.fetchOrder(placed.id!, pair)).status).toBe('open')
    expect((await client.cancelOrder(placed.id!, pair)).status).toBe('canceled')
    expect((await client.fetchBalance()).USDT).toBeDefined()
    expect(await client.fetchMyTrades(pair)).toBeInstanceOf(Array)
  })

  test('each is named on the page of the folder', () => {
    const page = readFileSync(example('README.md'), 'utf8')
    for (const name of readdirSync(examples)) {
      if (name !== 'README.md') expect(page).toContain(`[${name}](${name})`)
    }
  })
})

/** Passes connections on, and cuts all that are open once, so long after the first one. */
async function cuttingProxy(port: number, afterMs: number) {
  const open = new Set<net.Socket>()
  const server = net.createServer((client) => {
    const target = net.connect(port, '127.0.0.1')
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(from)
      from.pipe(to)
      from
        .on('error', () => to.destroy())
        .on('close', () => {
          open.delete(from)
          to.destroy()
        })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy = {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    cuts: 0,
    close: () => server.close(),
  }
  server.once('connection', () =>
    setTimeout(() => {
      for (const socket of [...open]) {
        proxy.cuts++
        socket.destroy()
      }
    }, afterMs),
  )
  return proxy
}
