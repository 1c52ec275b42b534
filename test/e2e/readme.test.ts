/**
 * Walks README.md on a clean copy of the project's files: every command runs as it stands there, on other
 * ports, and every sentence that names something to see is looked up. What a test cannot run has its reason
 * in `notRun`. The copy has the packages of this checkout, because `npm ci` would need the registry.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimPort } from '../../scripts/exchange/ports.ts'
import { eventually } from '../fixtures/eventually.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
const words = readme.replaceAll(/\s+/g, ' ')

/** Commands that no test can run, or that the tests themselves are, with the reason. */
const notRun: Readonly<Record<string, string>> = {
  'npm ci': 'needs the registry: its dry run compares the lock file with package.json',
  'npm ci --omit=dev': 'needs the registry: dependencies.test.ts compares what a build needs',
  'npm ci && npm test': 'needs the registry: its script is in package.json',
  'npm run test:long': 'runs this test: its script is in package.json',
  'npm run bench -- wire':
    'needs the machine alone: its script is in package.json, its bench in src',
}

/** For a build of everything on a slow machine. */
const BUILD_MS = 400_000

let folder: string
let clone: string
let port: number
let adminPort: number
let exchange: ChildProcess
let output = ''

/** Replaces the addresses of the README by those of this run. */
const placed = (text: string) =>
  text
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${adminPort}`)

const shell = async (command: string) => {
  const env = { ...process.env, EXCHANGE_URL: `http://127.0.0.1:${port}` }
  return (await run('bash', ['-ec', placed(command)], { cwd: clone, env })).stdout
}

/** The blocks of code of a language, in their order. */
const blocks = (language: string) =>
  [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)]
    .filter(([, its]) => its === language)
    .map(([, , text]) => text!)

/** A block of shell lines that has these words. */
function block(has: string): string {
  const found = blocks('sh').filter((text) => text.includes(has))
  expect(found, `blocks with ${has}`).toHaveLength(1)
  return found[0]!
}

async function page(where: string): Promise<string> {
  const response = await fetch(placed(where))
  expect(response.status, where).toBe(200)
  return response.text()
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-readme-'))
  clone = path.join(folder, 'ringbook')
  mkdirSync(clone)
  const list = ['ls-files', '-co', '--exclude-standard', '--deduplicate']
  const files = String(execFileSync('git', list, { cwd: root }))
    .trim()
    .split('\n')
  for (const file of files) {
    cpSync(path.join(root, file), path.join(clone, file), { recursive: true, force: true })
  }
  const flags = ['ci', '--dry-run', '--offline', '--no-audit', '--no-fund']
  await run('npm', flags, { cwd: clone })
  symlinkSync(path.join(root, 'node_modules'), path.join(clone, 'node_modules'))
  ;[port, adminPort] = [await claimPort(), await claimPort()]
  expect(block('npm start').trim()).toBe('npm ci && npm start')
  exchange = spawn('npm', ['start'], {
    cwd: clone,
    detached: true,
    env: {
      ...process.env,
      RINGBOOK_PORT: String(port),
      RINGBOOK_ADMIN_PORT: String(adminPort),
      RINGBOOK_LOG_FORMAT: 'text',
    },
  })
  await new Promise<void>((resolve, reject) => {
    exchange.once('exit', () => reject(new Error(output)))
    for (const stream of [exchange.stdout!, exchange.stderr!]) {
      stream.on('data', (text) => {
        output += text
        if (output.includes('Control-C')) resolve()
      })
    }
  })
}, BUILD_MS)

afterAll(async () => {
  if (exchange?.exitCode === null) {
    const ended = once(exchange, 'exit')
    // npm and what it started.
    process.kill(-exchange.pid!, 'SIGTERM')
    await ended
  }
  // A program that was ended may write its last file now.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
})

/** Sentences that name something to see, as README.md has them, and how a reader would look. */
const sights: readonly (readonly [sentence: string, look: () => Promise<void>])[] = [
  [
    'prints its addresses and an order to paste: clients at `http://127.0.0.1:8080`, data in `./data`',
    async () => {
      expect(output).toContain(placed('http://127.0.0.1:8080'))
      expect(output).toContain('another terminal')
      expect(readdirSync(path.join(clone, 'data'))).toContain('control')
    },
  ],
  [
    'six symbols (BTCUSDT, ETHUSDT, SOLUSDT, ETHBTC, BNBUSDT, ADAUSDT)',
    async () => {
      const info = JSON.parse(await page('http://127.0.0.1:8080/api/v3/exchangeInfo'))
      const names = info.symbols.map(({ symbol }: { symbol: string }) => symbol)
      const listed = /six symbols \(([^)]*)\)/.exec(words)![1]!.split(', ')
      expect(names.sort()).toEqual(listed.sort())
    },
  ],
  [
    'four funded accounts (`maker`, `taker`, `trader1`, `trader2`), with keys in `data/demo-keys.json`',
    async () => {
      const keys = JSON.parse(readFileSync(path.join(clone, 'data/demo-keys.json'), 'utf8'))
      const accounts = keys.map(({ account }: { account: string }) => account)
      expect(accounts).toEqual(['maker', 'taker', 'trader1', 'trader2'])
    },
  ],
  [
    'so books and candles move immediately',
    async () => {
      await eventually('trades', async () => {
        const trades = await page('http://127.0.0.1:8080/api/v3/trades?symbol=BTCUSDT')
        return trades === '[]' ? undefined : true
      })
      const klines = 'http://127.0.0.1:8080/api/v3/klines?symbol=BTCUSDT&interval=1m'
      expect(JSON.parse(await page(klines)).length).toBeGreaterThan(0)
    },
  ],
  [
    'Open `http://127.0.0.1:8080` in a browser: the [console](docs/console.md)',
    async () => {
      const response = await fetch(placed('http://127.0.0.1:8080/'), {
        headers: { accept: 'text/html' },
      })
      expect(await response.text()).toContain('<!doctype html>')
    },
  ],
  [
    "operator's screen](docs/console.md#the-operators-screen) is at `http://127.0.0.1:8081`",
    async () => {
      expect(await page('http://127.0.0.1:8081/')).toContain('<!doctype html>')
    },
  ],
  [
    'These documents are at `http://127.0.0.1:8080/docs`, with forms that send each request',
    async () => {
      expect(await page('http://127.0.0.1:8080/docs')).toContain('href="/docs/api/trading"')
      expect(await page('http://127.0.0.1:8080/docs/api/trading')).toContain('data-method="POST"')
    },
  ],
  [
    '`/openapi.json` is OpenAPI 3.1',
    async () => {
      const document = JSON.parse(await page('http://127.0.0.1:8080/openapi.json'))
      expect(document.openapi).toMatch(/^3\.1\./)
    },
  ],
  [
    '`npm start -- --help` and [docs/settings.md](docs/settings.md) list them all',
    async () => {
      const help = await shell('npm start -- --help')
      const settings = readFileSync(path.join(clone, 'docs/settings.md'), 'utf8')
      const flags = [...settings.matchAll(/^\| `(--[\w-]+)`/gm)].map(([, flag]) => flag!)
      expect(flags.filter((flag) => !help.includes(flag))).toEqual([])
    },
  ],
]

/** What runs each command: its blocks and the commands within sentences. */
const runs: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'beforeAll',
  'npm start -- --help': 'sights',
  'npm start -- --liquidity off': 'other starts',
  'npm start -- --demo off': 'other starts',
  'node sell.mjs': 'trades',
  'node examples/ccxt.mjs': 'by its own',
  'npm run lesson -- price-time-priority': 'by its own',
}

describe('README.md', () => {
  test.each(sights)('%s', async (sentence, look) => {
    expect(words).toContain(sentence)
    await look()
  })

  test('its trades: a book, an order by curl, an order by ccxt', async () => {
    const { bids, asks } = JSON.parse(await shell(block('/api/v3/depth')))
    expect([bids.length, asks.length].every((levels) => levels > 0)).toBe(true)
    const bought = JSON.parse(await shell(block('openssl dgst')))
    expect(bought).toMatchObject({ status: 'FILLED', side: 'BUY' })
    const [program] = blocks('js')
    writeFileSync(path.join(clone, 'sell.mjs'), placed(program!))
    expect(words).toContain('save as `sell.mjs`, then `node sell.mjs`')
    const sold = await shell('node sell.mjs')
    expect(sold).toMatch(/status: 'closed'/)
    expect(sold).toMatch(/filled: 0\.01/)
  })

  test('every command is run here, or has the reason why not', () => {
    const inline = [...words.matchAll(/`((?:npm|npx|node) [^`]+)`/g)].map(([, command]) => command!)
    const first = blocks('sh').map((text) => text.trim().split('\n')[0]!)
    const started = first.filter((line) => /^(npm|npx|node) /.test(line))
    const known = new Set([...Object.keys(runs), ...Object.keys(notRun)])
    expect([...inline, ...started].filter((command) => !known.has(command))).toEqual([])
    for (const command of known) expect(readme, `${command} is stale`).toContain(command)
    const others = first.filter((line) => !/^(npm|curl|key=)/.test(line))
    expect(others, 'blocks that no test runs').toEqual([])
    expect(blocks('')).toEqual([])
  })

  test('scripts that are not run here are there', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(clone, 'package.json'), 'utf8'))
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['test', 'test:long', 'bench']))
    const benches = readFileSync(path.join(clone, 'bench/main.ts'), 'utf8')
    expect(benches).toContain('wire')
  })

  test.each([
    ['node examples/ccxt.mjs', /^bought 0\.01 BTC at [\d.]+: closed$/m],
    ['npm run lesson -- price-time-priority', /^All of it came true\.$/m],
  ])('%s', async (command, expected) => {
    expect(await shell(command)).toMatch(expected)
  })

  test.each([
    ['npm start -- --liquidity off', 'depth?symbol=BTCUSDT', { bids: [], asks: [] }],
    ['npm start -- --demo off', 'exchangeInfo', { symbols: [] }],
  ])('%s', async (command, path, expected) => {
    const own = await claimPort()
    const data = mkdtempSync(`${folder}/data-`)
    const places = ['--data', data, '--port', own, '--admin-port', await claimPort()].join(' ')
    const other = spawn('bash', ['-c', `${command} ${places}`], {
      cwd: clone,
      detached: true,
      stdio: 'ignore',
    })
    const text = await eventually('a response', async () => {
      const asked = fetch(`http://127.0.0.1:${own}/api/v3/${path}`)
      return (await asked.catch(() => undefined))?.text()
    })
    expect(JSON.parse(text)).toMatchObject(expected)
    const ended = once(other, 'exit')
    process.kill(-other.pid!, 'SIGTERM')
    await ended
  })
})
