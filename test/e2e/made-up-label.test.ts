/**
 * A label of orders costs its row in the table and its parameter: a copy of the sources gets one that does
 * not exist, by an edit of two files, is generated and built, and the exchange carries the label through
 * every stage.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
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
import { generated } from '../../scripts/generated.ts'
import type { openapiDocument } from '../../src/api/openapi/document.ts'
import { eventually } from '../fixtures/eventually.ts'
import { act } from './admin-server.ts'
import { Trader } from './trader.ts'

const FOLDERS = ['src', 'scripts', 'docs', 'examples', 'native-bench']
const FILES = ['README.md', 'package.json', 'package-lock.json', 'tsconfig.json']
const copy = mkdtempSync(path.join(os.tmpdir(), 'ringbook-label-'))
let exchange: ExchangeProcess
let trader: Trader

/** By file: what is written behind a line that it has, once. */
const edits: Readonly<Record<string, readonly (readonly [line: RegExp, added: string])[]>> = {
  'src/layout/schema/order-fields.ts': [
    [
      /^ {2}\[\['strategyType'.*\n/m,
      "  [['riskGroup', 'int64', '-1 for none', -1], " +
        "{ asked: 5, section: 11, column: 15, report: 'rG' }],\n",
    ],
  ],
  'src/api/parameters.ts': [
    [/^ {2}subscriptionId: 36,\n/m, '  riskGroup: 37,\n'],
    [/^ {2}strategyType: of\(.*\n/m, '  riskGroup: of(LONG, "the client\'s label"),\n'],
  ],
}

function edit(file: string): void {
  const at = path.join(copy, file)
  let text = readFileSync(at, 'utf8')
  for (const [line, added] of edits[file]!) {
    expect(text.match(new RegExp(line, 'gm')), `${line} in ${file}`).toHaveLength(1)
    text = text.replace(line, (found) => found + added)
  }
  writeFileSync(at, text)
}

const run = (...words: readonly string[]) =>
  execFileSync(process.execPath, words, { cwd: copy, stdio: 'pipe' })

beforeAll(async () => {
  for (const name of [...FOLDERS, ...FILES]) {
    cpSync(name, path.join(copy, name), { recursive: true })
  }
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'))
  for (const file of Object.keys(edits)) edit(file)
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
  exchange = await ExchangeProcess.prepare(['--demo', 'on'], undefined, place)
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

test('two files were written by hand, and types hold', () => {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)),
  )
  const changed = names.filter(
    (name) => !readFileSync(name).equals(readFileSync(path.join(copy, name))),
  )
  const paths = new Set(generated().map(([file]) => file))
  expect(changed.filter((name) => !paths.has(name)).sort()).toEqual(Object.keys(edits).sort())
  expect(changed).toContain('docs/api/trading.md')
  run('node_modules/typescript/bin/tsc', '--noEmit', '-p', '.')
}, 240_000)

test('every stage of an order carries the label', async () => {
  await trader.follow()
  // Command, event and view.
  const placed = await trader.place({ ...order, riskGroup: 77, strategyType: 1_000_000 })
  expect(placed).toMatchObject({ riskGroup: 77, strategyType: 1_000_000 })
  const plain = await trader.place(order)
  expect(plain).not.toHaveProperty('riskGroup')
  // Execution reports.
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
  // The archive.
  const archived = await eventually('the archived order', async () => {
    const row = await trader.order('BTCUSDT', placed.orderId)
    return row.status === 'CANCELED' ? row : undefined
  })
  expect(archived).toMatchObject({ riskGroup: 77, strategyType: 1_000_000 })
})

test('each order of a list has one', async () => {
  const { orderReports } = await trader.ask('POST', '/api/v3/orderList/oto', {
    symbol: 'BTCUSDT',
    ...{ workingType: 'LIMIT', workingSide: 'BUY', workingPrice: 1000, workingQuantity: 0.01 },
    ...{ workingTimeInForce: 'GTC', workingRiskGroup: 1 },
    ...{ pendingType: 'LIMIT', pendingSide: 'SELL', pendingPrice: 2000, pendingQuantity: 0.01 },
    ...{ pendingTimeInForce: 'GTC', pendingRiskGroup: 2 },
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
