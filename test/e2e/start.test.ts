/** Starting and stopping, as an operator meets them. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { assetsMaxOf } from '../../src/base/limits.ts'
import { PAGE_BYTES } from '../../src/journal/environment.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { allowedProcessors } from '../fixtures/processors.ts'
import { hasTool } from '../runner/tools.ts'
import { Trader } from './trader.ts'

/** pino's number of the level. */
const WARN = 40
const BALANCE_BYTES = 32
const STOP_OR = 'Stop the program that has it or pass'

const started: ExchangeProcess[] = []
async function prepare(
  flags: readonly string[] = [],
  threads: readonly string[] = FEW_THREADS,
): Promise<ExchangeProcess> {
  const exchange = await ExchangeProcess.prepare([...threads, ...flags])
  started.push(exchange)
  return exchange
}
afterEach(async () => {
  for (const exchange of started.splice(0)) await exchange.remove()
})

const symbolNames = async (exchange: ExchangeProcess) => {
  const response = await fetch(`${exchange.url}/api/v3/exchangeInfo`)
  const info = (await response.json()) as { symbols: { symbol: string }[] }
  return info.symbols.map((row) => row.symbol).sort()
}

describe('starting', () => {
  test('an empty folder is given the demo; its secrets are nowhere in the clear', async () => {
    const exchange = await prepare()
    await exchange.run()
    expect(await symbolNames(exchange)).toEqual([
      'ADAUSDT',
      'BNBUSDT',
      'BTCUSDT',
      'ETHBTC',
      'ETHUSDT',
      'SOLUSDT',
    ])
    const admin = `http://127.0.0.1:${exchange.adminPort}`
    expect((await fetch(`${admin}/healthz`)).status).toBe(200)
    expect((await fetch(`${admin}/readyz`)).status).toBe(200)
    const counters = (await (await fetch(`${admin}/counters`)).json()) as { name: string }[]
    expect(counters.map((row) => row.name)).toContain('flushNsMax')
    const keyFile = path.join(exchange.data, 'demo-keys.json')
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(statSync(path.join(exchange.data, 'secret.key')).mode & 0o777).toBe(0o600)
    const keys = exchange.keys()
    expect(Object.keys(keys).sort()).toEqual(['maker', 'taker', 'trader1', 'trader2'])

    const report = await exchange.stop('SIGTERM')
    expect(report).toMatchObject({ code: 0, signal: null })
    const lines = report.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    // A machine that is busy with others may give reasons to warn, and to schedule threads otherwise.
    const isOfScheduling = (sentence: string) =>
      /indexer and snapshots|^Matcher and gateway threads/.test(sentence)
    const said = lines.filter(({ level, msg }) => level < WARN && !isOfScheduling(msg))
    expect(said).toHaveLength(2)
    const secrets = Object.values(keys).map((key) => key.secretKey)
    for (const file of filesBelow(exchange.data).filter((name) => name !== keyFile)) {
      const bytes = readFileSync(file).toString('latin1')
      for (const secret of secrets) expect(bytes.includes(secret), file).toBe(false)
    }
    for (const secret of secrets) expect(report.output).not.toContain(secret)
  })

  test('with demo off an empty folder stays empty, and says so politely', async () => {
    const exchange = await prepare(['--demo', 'off'])
    await exchange.run()
    expect(await symbolNames(exchange)).toEqual([])
    expect((await exchange.stop('SIGINT')).code).toBe(0)
  })

  test('at most 148 bytes are reserved an order beside the ledger, and few are resident', async () => {
    const exchange = await prepare(['--accounts', '4096'])
    await exchange.run()
    const line = exchange.output.split('\n').find((it) => it.includes('"started"'))
    const start = JSON.parse(line!)
    const ledgerBytes = BALANCE_BYTES * 4_096 * assetsMaxOf(4_096)
    const bytes = start.sharedBytes - ledgerBytes
    expect(bytes / start.restingOrdersMax).toBeLessThanOrEqual(148)
    const status = readFileSync(`/proc/${start.pid}/status`, 'utf8')
    const residentKib = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1])
    expect(residentKib).toBeLessThanOrEqual(360 * 1024)
  })

  test('matchers and gateways are kept on the processors that they are given, alone', async () => {
    const [own] = allowedProcessors('/proc/self')
    const flags = ['--gateway-processors', String(own), '--matcher-processors', String(own)]
    const exchange = await prepare(flags, ['--matchers', '2', '--gateways', '2'])
    await exchange.run()
    // As many as make the gateways use all of their history threads.
    const ask = () => fetch(`${exchange.url}/api/v3/klines?symbol=BTCUSDT&interval=1m`)
    await Promise.all(Array.from({ length: 20 }, ask))
    const process = `/proc/${exchange.pid}`
    const threads = readdirSync(`${process}/task`)
    const kept = threads.filter((it) => allowedProcessors(`${process}/task/${it}`).length === 1)
    const areFree = allowedProcessors(process).length > 1
    expect(kept).toHaveLength(areFree ? 2 + 2 : threads.length)
    for (const it of kept) expect(allowedProcessors(`${process}/task/${it}`)).toEqual([own])
  })

  test('the same folder, or the same port, is not served twice', async () => {
    const first = await prepare()
    await first.run()
    const sameFolder = await prepare(['--data', first.data])
    expect(await sameFolder.launch()).toMatchObject({
      code: 1,
      output: `${first.data} is in use by a running Ringbook. Stop it or pass --data.\n`,
    })
    const samePort = await prepare(['--port', String(first.port)])
    expect(await samePort.launch()).toMatchObject({
      code: 1,
      output: `Port ${first.port} on 127.0.0.1 is in use. ${STOP_OR} another --port.\n`,
    })
    const sameAdminPort = await prepare(['--admin-port', String(first.adminPort)])
    expect(await sameAdminPort.launch()).toMatchObject({
      code: 1,
      output: `Port ${first.adminPort} on 127.0.0.1 is in use. ${STOP_OR} another --admin-port.\n`,
    })
    expect((await fetch(`${first.url}/api/v3/ping`)).status).toBe(200)
  })

  const inNamespace = test.runIf(hasTool('unshare'))
  inNamespace('the same folder is not served twice from another network namespace', async () => {
    const first = await prepare()
    await first.run()
    const wrap = (words: readonly string[]) => ['unshare', '-rn', ...words]
    const flags = [...FEW_THREADS, '--data', first.data]
    const elsewhere = await ExchangeProcess.prepare(flags, undefined, { host: '', wrap })
    started.push(elsewhere)
    expect(await elsewhere.launch()).toMatchObject({
      code: 1,
      output: `${first.data} is in use by a running Ringbook. Stop it or pass --data.\n`,
    })
    // The kernel releases the lock of a process that is killed.
    await first.stop('SIGKILL')
    await first.run()
  })

  test('a folder that cannot be one, a bad value, an unknown key: one sentence, exit code 1', async () => {
    const exchange = await prepare()
    const file = path.join(exchange.data, 'a-file')
    writeFileSync(file, '')
    const cases: readonly (readonly [flags: string[], sentence: RegExp])[] = [
      [['--data', path.join(file, 'below')], /^The data folder .* cannot be written: .*\.\n$/],
      [['--data', '/proc/none/below'], /^The data folder .* cannot be written: .*\.\n$/],
      [['--matchers', '0'], /^--matchers must be a whole number from 1 to 32; it is 0\.\n$/],
      [
        ['--gateway-processors', '0-8191'],
        /^--gateway-processors has \d+, but this process may only use the processors [-,\d]+\.\n$/,
      ],
      [['--frobnicate', '1'], /^--frobnicate is not a known flag\. See --help\.\n$/],
      [['--config', '/no/such'], /^The settings file .* cannot be read: it does not exist\.\n$/],
      [
        ['--tls-cert', '/no/such', '--tls-key', '/no/such'],
        /^The file \/no\/such cannot be read: it does not exist\.\n$/,
      ],
      [
        ['--valuation-asset', 'DOGE'],
        /--valuation-asset DOGE is not listed\. The listed assets are BTC, ETH, USDT, .*\.\n$/,
      ],
    ]
    for (const [flags, sentence] of cases) {
      const report = await (await prepare(flags, [])).launch()
      expect(report.code).toBe(1)
      expect(report.output).toMatch(sentence)
    }
  })

  test('a data folder that lost something is not started on: one sentence, exit code 1', async () => {
    const exchange = await prepare()
    await exchange.run()
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
    await new Trader(exchange, 'trader1').place({ ...order, price: '40000', quantity: '0.01' })
    expect((await exchange.stop('SIGTERM')).code).toBe(0)
    const within = (...names: string[]) => path.join(exchange.data, ...names)
    const token = within('operator-token')
    const control = within('control', 'data.mdb')
    const refused = async (sentence: RegExp) => {
      const report = await exchange.launch()
      expect([report.code, report.signal], report.output).toEqual([1, null])
      expect(report.output.trim().split('\n').at(-1)).toMatch(sentence)
      expect(report.output).not.toContain('    at ')
    }
    renameSync(token, within('aside'))
    mkdirSync(token)
    await refused(/^The token .* cannot be read: .*\.$/)
    rmdirSync(token)
    writeFileSync(token, '')
    await refused(/^The token .* is empty; a start makes one if it is removed\.$/)
    writeFileSync(token, Buffer.alloc(65))
    await refused(/^The token .* is damaged; a start makes one if it is removed\.$/)
    renameSync(within('aside'), token)
    const whole = readFileSync(control)
    truncateSync(control, 2 * PAGE_BYTES)
    await refused(/^.*control.data\.mdb is damaged: .*\(ringbook restore\)\.$/)
    rmSync(within('control'), { recursive: true })
    await refused(/^The control journal is empty, but orders were journaled: .*\.$/)
    writeFileSync(control, whole)
    writeFileSync(within('snapshots'), '')
    await refused(/^.*snapshots cannot be used: /)
    rmSync(within('snapshots'))
    for (const lost of [within('journal-0'), within('journal-0', 'data.mdb')]) {
      renameSync(lost, within('aside'))
      await refused(/^journal-0 of .* is no longer there, and what it held would be lost, .*\.$/)
      renameSync(within('aside'), lost)
    }
    const journal = readFileSync(within('journal-0', 'data.mdb'))
    truncateSync(within('journal-0', 'data.mdb'))
    await refused(
      /^journal-0 of .* is no longer there, .* restore a backup \(ringbook restore\)\.$/,
    )
    writeFileSync(within('journal-0', 'data.mdb'), journal)
    await exchange.run()
  })
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}
