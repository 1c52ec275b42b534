/** The load generator against a real exchange, and against one that is lied about on the way. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import type { LoadReport } from '../../scripts/load/report.ts'
import { eventually } from '../fixtures/eventually.ts'
import { readMarkup } from '../fixtures/markup.ts'
import { Trader } from './trader.ts'

const script = path.resolve('dist/scripts/load.js')
const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const SYMBOL = 'BTCUSDT'
const LIMIT = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC' }
const RETRY_AFTER_SECONDS = 1

let exchange: ExchangeProcess
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-load-'))
  exchange = await ExchangeProcess.start()
})
/** Every test finds empty books: a load takes back what it has placed, a test's own orders end here. */
afterEach(() =>
  new Trader(exchange, 'trader2').send('DELETE', '/api/v3/openOrders', { symbol: SYMBOL }),
)
afterAll(async () => {
  await exchange?.remove()
  rmSync(folder, { recursive: true, force: true })
})

interface Run {
  readonly code: unknown
  readonly output: string
  readonly report: LoadReport
  readonly page: string
}

function execute(
  command: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<{ code: unknown; out: string }> {
  return new Promise((resolve) => {
    const child = execFile(command, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, out: stdout + stderr }),
    )
    signal?.addEventListener('abort', () => child.kill('SIGINT'))
  })
}

const keysFile = () => path.join(exchange.data, 'demo-keys.json')

/** A signal ends the load before its time, as who watches it may. */
async function load(flags: readonly string[], signal?: AbortSignal): Promise<Run> {
  const place = ['--url', exchange.url, '--keys', keysFile(), '--report', folder]
  const usual = [...place, '--timeout', '60', '--warm-up', '0']
  const { code, out } = await execute(process.execPath, [script, ...usual, ...flags], signal)
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')
  const text = existsSync(path.join(folder, 'report.json')) ? read('report.json') : '{}'
  return { code, output: out, report: JSON.parse(text), page: read('report.html') }
}

/** The sum of a metric over its labels. */
async function metric(name: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${exchange.adminPort}/metrics`)
  const rows = (await response.text()).split('\n').filter((line) => line.startsWith(`${name}{`))
  expect(rows.length, name).toBeGreaterThan(0)
  return rows.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0)
}

const metrics = async () => ({
  requests: await metric('ringbook_gateway_requests_total'),
  orders: await metric('ringbook_symbol_orders_total'),
  trades: await metric('ringbook_symbol_trades_total'),
  resting: await metric('ringbook_symbol_resting_orders'),
})

type Json = Record<string, unknown>

/** Between a client and the exchange. */
interface Middle {
  /** A status with which a request is refused, instead of being passed on. */
  readonly refuse?: (request: http.IncomingMessage) => number | undefined
  /** What is made of an answer. */
  readonly change?: (request: http.IncomingMessage, body: Json) => Json
}

async function between({ refuse, change }: Middle): Promise<{ url: string; close: () => void }> {
  const server = http.createServer(async (request, response) => {
    const status = refuse?.(request)
    if (status !== undefined) {
      response.writeHead(status, { 'Retry-After': String(RETRY_AFTER_SECONDS) })
      response.end('{"code":-1003,"msg":"Too many requests."}')
      return
    }
    const answer = await fetch(`${exchange.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'X-MBX-APIKEY': String(request.headers['x-mbx-apikey'] ?? '') },
    })
    const body = (await answer.json()) as Json
    response.writeHead(answer.status).end(JSON.stringify(change?.(request, body) ?? body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

/**
 * Orders of an account that takes no part in trading, on both sides of the prices at which the makers of
 * `mixed` quote, as far away as its takers go: those find something to take at any moment.
 */
async function stand(): Promise<Trader> {
  const own = new Trader(exchange, 'trader2')
  await own.place({ ...LIMIT, side: 'BUY', price: 49_900, quantity: 10 })
  await own.place({ ...LIMIT, side: 'SELL', price: 50_100, quantity: 10 })
  return own
}

const sockets = () => [
  ...['--ws-api', `${exchange.wsUrl}/ws-api/v3`],
  ...['--streams', `${exchange.wsUrl}/stream`],
]

describe('a load', () => {
  test('counts what the exchange counts, finds nothing wrong, and leaves nothing behind', async () => {
    const before = await metrics()
    const own = await stand()
    const flags = ['--scenario', 'mixed', '--rate', '60', '--seconds', '3', '--seed', '5']
    const run = await load(flags)
    expect(run.code, run.output).toBe(0)
    const { requests, orders, checks, latency, actions } = run.report
    expect(requests.due + requests.withheld).toBe(180)
    const open = (await own.ask('GET', '/api/v3/openOrders')) as unknown as Json[]
    const fills = (await own.ask('GET', '/api/v3/myTrades', {
      symbol: SYMBOL,
    })) as unknown as Json[]
    // What this test sent is known to it alone; two were orders.
    const expected = {
      requests: requests.sentInAll + 4,
      orders: orders.accepted + 2,
      trades: orders.tradesTaken,
      resting: 2,
    }
    // Matchers count what they have published a moment after others have read it.
    await eventually(`counts of ${JSON.stringify(expected)}`, async () => {
      const after = await metrics()
      const names = Object.keys(expected) as (keyof typeof expected)[]
      return names.every((name) => after[name] - before[name] === expected[name]) || undefined
    })
    expect(orders.tradesTaken).toBe(orders.tradesMade + fills.length)
    expect(orders.tradesTaken).toBeGreaterThan(0)
    // Only the orders that were there before.
    expect([open.length, orders.leftOpen]).toEqual([2, 0])
    expect(checks.map(({ failed }) => failed)).toEqual(checks.map(() => 0))
    for (const { check, compared } of checks) expect(compared, check).toBeGreaterThan(0)
    expect(latency.count).toBe(requests.due)
    expect(actions.reduce((sum, it) => sum + it.latency.count, 0)).toBe(requests.due)
    expect(run.report.intervals.reduce((sum, it) => sum + it.due, 0)).toBe(requests.due)
    await holdPage(run)
  })

  test('the lines of the manual load it', async () => {
    const page = readFileSync('docs/load.md', 'utf8')
    const [, block] = /```sh\n([\s\S]*?)```/.exec(page) ?? []
    const place = `--url ${exchange.url} --keys '${keysFile()}' --report '${folder}' --timeout 60`
    // The documented loads, but shorter and slower; the last flag of a name counts.
    const short = `$(case "$*" in *--ramp*) echo --ramp 20-60;; *) echo --rate 40;; esac) --seconds 1 --warm-up 1`
    const npm = `npm() { shift 3; '${process.execPath}' '${script}' "$@" ${place} ${short}; }`
    const { code, out } = await execute('bash', ['-ec', `${npm}\n${block}`])
    expect(code, out).toBe(0)
    expect(out).toContain('saturation: ')
    expect(out).not.toContain('FAILS')
  })

  test('an answer that is not what the stream says fails it', async () => {
    const liar = await between({
      change: ({ method }, body) =>
        method === 'POST' && Number(body.executedQty) === 0
          ? { ...body, executedQty: '7.0' }
          : body,
    })
    const flags = ['--url', liar.url, ...sockets(), '--scenario', 'market-maker']
    const { code, output, report } = await load([...flags, '--rate', '30', '--seconds', '1'])
    liar.close()
    expect(code, output).toBe(1)
    expect(report.isSound).toBe(false)
    expect(output).toContain('FAILS: answers agree with the user data streams')
    expect(output).toMatch(/filled 7\.0 for \S+ by its answer, 0 for 0 by the stream/)
  })

  test.each([
    ['empty', 0],
    ['not empty', 1],
  ])('a depth that is not what the diffs say fails it: the side is %s', async (_, standing) => {
    const own = new Trader(exchange, 'trader2')
    if (standing > 0) await own.place({ ...LIMIT, side: 'BUY', price: 40_000, quantity: 0.01 })
    const lies: number[] = []
    const liar = await between({
      change: ({ url = '' }, body) => {
        if (!url.includes('limit=1000')) return body
        const bids = body.bids as readonly unknown[]
        lies.push(bids.length)
        return { ...body, bids: [...bids, ['1.00', '5']] }
      },
    })
    // There are no takers: when it is compared the book is what stood there before the load.
    const flags = ['--url', liar.url, ...sockets(), '--scenario', 'cancel-storm']
    const paced = ['--rate', '30', '--seconds', '1', '--symbols', SYMBOL]
    const { code, output } = await load([...flags, ...paced])
    liar.close()
    expect(code, output).toBe(1)
    expect(lies.at(-1)).toBe(standing)
    const level = standing + 1
    expect(output).toContain(`bid ${level} is none by the diffs, 5 at 1 by a fresh snapshot`)
  })

  test('a target that limits is left alone, if asked, and named', async () => {
    const REFUSED = 10
    const ENOUGH = 30
    const enough = new AbortController()
    let snapshots = 0
    /** When each order came, ms. */
    const ordersMs: number[] = []
    const strict = await between({
      refuse: ({ method, url = '' }) => {
        if (method === 'POST') ordersMs.push(performance.now())
        if (method === 'POST' && ordersMs.length === ENOUGH) enough.abort()
        if (method === 'POST' && ordersMs.length === REFUSED) return 429
        // What is compared at the end is queried again.
        return url.includes('limit=1000') && ++snapshots === 1 ? 418 : undefined
      },
    })
    const flags = ['--url', strict.url, ...sockets(), '--scenario', 'market-maker']
    // One at a time, so that none is on its way when the limit is reported; until there were enough.
    const polite = ['--honor-limits', '--in-flight', '1', '--symbols', 'ETHUSDT']
    const endless = ['--rate', '50', '--seconds', '3600']
    const { code, output, report } = await load([...flags, ...polite, ...endless], enough.signal)
    strict.close()
    expect(code, output).toBe(0)
    expect(report.limits).toMatchObject({ refused: 1, banned: 0, said: 'Too many requests.' })
    expect(report.requests.limited).toBe(1)
    expect(report.requests.withheld).toBeGreaterThan(0)
    expect(ordersMs[REFUSED]! - ordersMs[REFUSED - 1]!).toBeGreaterThan(RETRY_AFTER_SECONDS * 1_000)
    expect(output).toContain('The target limits this load: 1 answers 429')
  })

  test.each([
    [['--scenario', 'none', '--rate', '1'], '--scenario must be a TOML file, or one of '],
    [['--scenario', 'mixed', '--rate', '1', '--symbols', 'XYZ'], 'was not answered: 400'],
    [['--scenario', 'mixed', '--rate', '1', '--url', 'http://127.0.0.1:9'], 'was not answered'],
  ])('%j is refused in a sentence', async (flags, sentence) => {
    const usual = ['--url', exchange.url, '--keys', keysFile(), '--report', folder]
    const { code, out } = await execute(process.execPath, [script, ...usual, ...flags])
    expect(code).toBe(2)
    expect(out.trim().split('\n')).toEqual([expect.stringContaining(sentence)])
  })

  test.each([
    '/proc/none',
    '/proc',
    '/dev/null',
    '/dev/null/none',
  ])('a report in %s is refused before any load', async (report) => {
    const usual = ['--url', 'http://127.0.0.1:9', '--keys', keysFile(), '--report', report]
    const { code, out } = await execute(process.execPath, [
      script,
      ...usual,
      '--scenario',
      'mixed',
      '--rate',
      '1',
    ])
    expect(code).toBe(2)
    expect(out).toMatch(/^--report cannot be (made|written): [^\n]+\n$/)
  })
})

test('two threads share a load, each with orders of its own', async () => {
  const flags = ['--scenario', 'mixed', '--rate', '40', '--seconds', '2', '--threads', '2']
  const { code, output, report } = await load([...flags, '--warm-up', '6'])
  expect(code, output).toBe(0)
  expect(report.settings.threads).toBe(2)
  expect(report.requests.due + report.requests.withheld).toBe(80)
  // The first rate for six seconds, before all that and apart from it: its orders count nowhere.
  expect(report.warmUp.requests).toBeGreaterThan(80)
  expect(report.warmUp.requests).toBeLessThanOrEqual(240)
  expect(report.orders.accepted).toBeLessThanOrEqual(report.requests.due)
  expect(report.warmUp.latency.count).toBe(report.warmUp.requests)
  expect(report.latency.count).toBe(report.requests.due)
  expect(report.service.count).toBe(report.requests.due)
  expect(report.service.max).toBeLessThanOrEqual(report.latency.max)
  expect(report.orders.accepted).toBeGreaterThan(0)
  expect(report.checks.every(({ failed }) => failed === 0)).toBe(true)
  const refused = await load([...flags.slice(2), '--scenario', 'mixed', '--symbols', 'XYZ'])
  expect(refused.code).toBe(2)
  expect(refused.output.trim().split('\n')).toEqual([expect.stringContaining('not answered: 400')])
})

test('an exchange of its own is loaded, held to a condition, and compared', async () => {
  const short = ['--warm-up', '1', '--seconds', '1', '--rate', '20']
  const own = ['--own-exchange', ...short, '--report', folder]
  const command = [script, ...own, '--fail-if', 'p99>1us', '--fail-if', 'rate<0/s']
  const { code, out } = await execute(process.execPath, command)
  expect(out).toMatch(/^FAILS: not p99>1us \(/m)
  expect(out).toContain('holds: not rate<0/s')
  expect(code).toBe(1)
  const report = path.join(folder, 'report.json')
  expect(readFileSync(path.join(folder, 'report.csv'), 'utf8')).toMatch(/^atSeconds,seconds,due,/)
  const files = ['--compare', `${report},${report}`, '--report', folder]
  const compared = await execute(process.execPath, [script, ...files])
  expect(compared.code, compared.out).toBe(0)
  expect(compared.out).toMatch(/^p99 .* same$/m)
  const page = readMarkup(readFileSync(path.join(folder, 'compare.html'), 'utf8'))
  expect(page.text).toContain('Both ran with the same settings.')
})

/** The page has what the report has, and needs nothing else. */
async function holdPage({ page, report }: Run): Promise<void> {
  const { counts, text, attributes } = readMarkup(page)
  expect(counts.svg).toBe(3)
  expect(counts.polyline).toBeGreaterThanOrEqual(8)
  expect(counts.script ?? 0).toBe(0)
  const outside = attributes.filter(([name]) => /^(src|href|srcset|onload)$/.test(name))
  expect(outside).toEqual([])
  expect(page).not.toMatch(/url\(|@import|NaN|Infinity|undefined/)
  for (const said of ['All checks hold.', 'Latency over time', 'Latency by percentile']) {
    expect(text).toContain(said)
  }
  for (const { check } of report.checks) expect(text).toContain(check)
  const browser = browsers.find((file) => existsSync(file))
  if (browser === undefined) return
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--dump-dom']
  const { out } = await execute(browser, [...flags, `file://${folder}/report.html`])
  expect(out.match(/<svg /g)).toHaveLength(3)
  expect(out).toContain('All checks hold.')
}
