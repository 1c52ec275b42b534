/**
 * The edits of docs/recipes.md, all in one copy of the sources, which is generated, checked, built and started:
 * each kind of change does what its recipe states, and costs no edit that the page does not have.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { generatedSources } from '../../scripts/generate-sources.ts'
import { generated } from '../../scripts/generated.ts'
import type { openapiDocument } from '../../src/api/openapi/document.ts'
import { eventually } from '../fixtures/eventually.ts'
import { act } from './admin-server.ts'
import { FrameLog } from './frame-log.ts'
import { Trader } from './trader.ts'

const FOLDERS = ['src', 'scripts', 'docs', 'examples']
const FILES = ['README.md', 'package.json', 'package-lock.json', 'tsconfig.json']
const EDIT = /```diff (\S+)\n(.*?)\n```/gs
const copy = mkdtempSync(path.join(os.tmpdir(), 'ringbook-recipes-'))
let exchange: ExchangeProcess
let trader: Trader

/** Blocks of the page: of a file, lines that it has, that go and that come; a file that is not there comes whole. */
const edits = [...readFileSync('docs/recipes.md', 'utf8').matchAll(EDIT)].map(
  ([, file, block]) => [file!, block!.split('\n')] as const,
)

function edit(file: string, block: readonly string[]): void {
  const at = path.join(copy, file)
  const linesOf = (marks: string) =>
    block.map((line) => (marks.includes(line.charAt(0)) ? `${line.slice(1)}\n` : '')).join('')
  const before = linesOf(' -')
  const text = existsSync(at) ? readFileSync(at, 'utf8') : ''
  const isAlone = before === '' ? text === '' : text.split(before).length === 2
  expect(isAlone, `${before} in ${file}`).toBe(true)
  writeFileSync(
    at,
    text.replace(before, () => linesOf(' +')),
  )
}

const run = (...words: readonly string[]) =>
  execFileSync(process.execPath, words, { cwd: copy, stdio: 'pipe' })

beforeAll(async () => {
  for (const name of [...FOLDERS, ...FILES]) {
    cpSync(name, path.join(copy, name), { recursive: true })
  }
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'))
  for (const [file, block] of edits) edit(file, block)
  run('scripts/build.mjs', '--untyped', 'scripts')
  run('dist/scripts/generate.js')
  run('scripts/build.mjs', '--untyped', 'src')
  const place = {
    // Under its other name, answers are not held to the OpenAPI document of these sources.
    host: 'localhost',
    wrap: (words: readonly string[]) =>
      words.map((word) =>
        word.endsWith('dist/src/main.js') ? path.join(copy, 'dist/src/main.js') : word,
      ),
  }
  const flags = ['--demo', 'on', '--spread-ticks-max', '100000']
  exchange = await ExchangeProcess.prepare(flags, undefined, place)
  await exchange.run()
  trader = new Trader(exchange, 'maker')
}, 240_000)
afterAll(async () => {
  await trader?.leave()
  await exchange?.remove()
  rmSync(copy, { recursive: true, force: true })
})

const resting = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
const order = { ...resting, quantity: '0.01', price: '1000' }

test('no other files were written by hand, and types hold', () => {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(copy, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)),
  )
  const changed = names.filter((name) => {
    const original = path.relative(copy, name)
    return !existsSync(original) || !readFileSync(original).equals(readFileSync(name))
  })
  const paths = new Set([...generatedSources(), ...generated()].map(([file]) => file))
  const byHand = changed.map((name) => path.relative(copy, name)).filter((name) => !paths.has(name))
  expect(byHand.sort()).toEqual([...new Set(edits.map(([file]) => file))].sort())
  expect(changed).toContain(path.join(copy, 'docs/api/trading.md'))
  run('node_modules/typescript/bin/tsc', '--noEmit', '-p', '.')
}, 240_000)

test('every stage of an order carries the label', async () => {
  await trader.follow()
  // Command, event and view.
  const placed = await trader.place({ ...order, riskGroup: 77, strategyType: 1_000_000 })
  expect(placed).toMatchObject({ riskGroup: 77, strategyType: 1_000_000 })
  const plain = await trader.place(order)
  expect(plain).not.toHaveProperty('riskGroup')
  const [report, , other] = await trader.events(4)
  expect(report).toMatchObject({ e: 'executionReport', rG: 77, J: 1_000_000 })
  expect(other).not.toHaveProperty('rG')
  // A reply of the engine, before and after its state comes from a snapshot.
  const open = await trader.order('BTCUSDT', placed.orderId)
  expect(open).toMatchObject({ status: 'NEW', riskGroup: 77 })
  await eventually('a snapshot of both orders', async () => {
    const { said } = await act(exchange, 'snapshot', {})
    return said.endsWith('covers 4 events.') ? said : undefined
  })
  await trader.leave()
  await exchange.stop('SIGKILL')
  await exchange.run()
  expect(exchange.output).toContain('"recoveredEvents":0')
  expect(await trader.order('BTCUSDT', placed.orderId)).toEqual(open)
  const canceled = { symbol: 'BTCUSDT', orderId: Number(placed.orderId) }
  expect(await trader.ask('DELETE', '/api/v3/order', canceled)).toMatchObject({ riskGroup: 77 })
  const archived = await eventually('the archived order', async () => {
    const row = await trader.order('BTCUSDT', placed.orderId)
    return row.status === 'CANCELED' ? row : undefined
  })
  expect(archived).toMatchObject({ riskGroup: 77, strategyType: 1_000_000 })
})

test('each order of a list has one', async () => {
  const { orderReports } = await trader.ask('POST', '/api/v3/orderList/oto', {
    symbol: 'BTCUSDT',
    workingType: 'LIMIT',
    workingSide: 'BUY',
    workingPrice: 1000,
    workingQuantity: 0.01,
    workingTimeInForce: 'GTC',
    workingRiskGroup: 1,
    pendingType: 'LIMIT',
    pendingSide: 'SELL',
    pendingPrice: 2000,
    pendingQuantity: 0.01,
    pendingTimeInForce: 'GTC',
    pendingRiskGroup: 2,
  })
  expect(orderReports).toMatchObject([{ riskGroup: 1 }, { riskGroup: 2 }])
})

test('the OpenAPI document has it', async () => {
  const response = await fetch(`${exchange.url}/openapi.json`)
  const { components, paths } = (await response.json()) as ReturnType<typeof openapiDocument>
  for (const shape of ['OrderFull', 'Order', 'CanceledOrder']) {
    expect(components).toHaveProperty(['schemas', shape, 'properties', 'riskGroup'])
  }
  expect(JSON.stringify(paths['/api/v3/order']?.post)).toContain('riskGroup')
  expect(JSON.stringify(paths['/api/v3/orderList/oto']?.post)).toContain('workingRiskGroup')
})

test('an operation answers, refuses by its error and setting, and a stream follows', async () => {
  const ask = async () => {
    const response = await fetch(`${exchange.url}/ringbook/v1/spread?symbol=ETHUSDT`)
    return [response.status, await response.json()]
  }
  const stream = await FrameLog.open(`${exchange.url.replace('http', 'ws')}/ws/ethusdt@spread`)
  expect(await ask()).toEqual([400, expect.objectContaining({ code: -1112 })])
  const quote = async (bid: string, ask: string) => {
    await trader.place({ ...order, symbol: 'ETHUSDT', price: bid })
    await trader.place({ ...order, symbol: 'ETHUSDT', side: 'SELL', price: ask })
  }
  await quote('1000', '1001.5')
  const spread = { symbol: 'ETHUSDT', spread: '1.50000000' }
  expect(await ask()).toEqual([200, { ...spread, widest: '1.50000000' }])
  const frame = await stream.first('a frame', ({ e }) => e === 'spread')
  expect(frame).toMatchObject({ s: 'ETHUSDT', d: '1.50000000' })
  await stream.close()
  await trader.ask('DELETE', '/api/v3/openOrders', { symbol: 'ETHUSDT' })
  await quote('1000', '9000')
  const msg = 'Spread of 800000 ticks is wider than 100000.'
  expect(await ask()).toEqual([400, { code: -1113, msg }])
  // What an event has told outlives a kill.
  const reopen = async () => {
    await trader.ask('DELETE', '/api/v3/openOrders', { symbol: 'ETHUSDT' })
    await quote('1000', '1001.5')
    expect(await ask()).toEqual([200, { ...spread, widest: '8000.00000000' }])
  }
  await reopen()
  await exchange.stop('SIGKILL')
  await exchange.run()
  await reopen()
})

test('a worker does its work beside the others', async () => {
  const pulse = /"thread":"pulse-0","blocks":\d+,"msg":"journaled"/
  await eventually('the pulse', () => pulse.test(exchange.output) || undefined)
})
