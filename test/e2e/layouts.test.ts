/**
 * Data folders of earlier layouts under this build: what they answer is what the build that wrote them
 * answered, also after a kill in the first start, after new orders, and from a backup.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ExchangeClock } from '../../scripts/exchange/exchange-clock.ts'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { archiveFolder } from '../../src/archive/archive-folder.ts'
import { callAction } from '../../src/cli/cli.ts'
import { ControlStore } from '../../src/journal/control-store.ts'
import { JOURNAL_LAYOUT, OLDEST_LAYOUT } from '../../src/layout/conversions.ts'
import { DAY_MS } from '../../src/market/intervals.ts'
import { eventually } from '../fixtures/eventually.ts'
import { casesOf } from '../runner/night.ts'
import { act } from './admin-server.ts'
import {
  expectAnswers,
  isNewestLayout,
  recorded,
  recordedLayouts,
  unpack,
} from './recorded-folder.ts'
import { Trader } from './trader.ts'

const FLAGS = ['--demo', 'off', '--matchers', '2', '--gateways', '1', '--accept-clock', 'on']
/** Pauses before kills, which fall into all of a start. */
const KILL_MS = [150, 300, 450, 600, 800, 1_000]

const started: ExchangeProcess[] = []
const folders: string[] = []
afterEach(async () => {
  for (const exchange of started.splice(0)) await exchange.remove()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

async function prepare(layout?: number): Promise<ExchangeProcess> {
  const exchange = await ExchangeProcess.prepare(FLAGS)
  started.push(exchange)
  if (layout !== undefined) unpack(layout, exchange)
  return exchange
}

function script(name: string, ...words: string[]): string {
  const file = path.resolve(`dist/scripts/${name}.js`)
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words])
  expect(status, `${stdout}${stderr}`).toBe(0)
  return String(stdout)
}

/** Everything that the journals say, as the older build exported it. */
function expectExports(layout: number, { data }: ExchangeProcess): void {
  const out = `${data}-export`
  folders.push(out)
  for (const what of ['orders', 'trades', 'ledger']) {
    script('export', '--data', data, '--what', what, '--out', out)
    expect(readFileSync(out, 'utf8') === recorded(layout, `export/${what}.csv`), what).toBe(true)
  }
}

test('there is a folder of each layout that is read', () => {
  const read = Array.from({ length: JOURNAL_LAYOUT - OLDEST_LAYOUT }, (_, i) => OLDEST_LAYOUT + i)
  expect(recordedLayouts).toEqual(expect.arrayContaining(read))
})

describe.each(casesOf(recordedLayouts, isNewestLayout))('a folder of layout %i', (layout) => {
  test('is verified and exported before any start', async () => {
    const exchange = await prepare(layout)
    // No recording has a token of the operator.
    const verdict = 'There is no operator-token: a start makes another.\nAll else is well.'
    expect(script('verify-journal', '--data', exchange.data)).toContain(verdict)
    expectExports(layout, exchange)
  })

  test('answers as before, continues, and keeps both after kill -9', async () => {
    const exchange = await prepare(layout)
    await exchange.run()
    await expectAnswers(layout, exchange)
    const orders = await goOn(exchange)
    await exchange.stop('SIGKILL')
    expect(script('verify-journal', '--data', exchange.data)).toContain('All is well.')
    await exchange.run(['--matchers', '1'])
    expect(await ordersOf(exchange)).toEqual(orders)
    const { said } = await act(exchange, 'audit', {})
    expect(said).toBe('Every asset adds up.')
  })

  test('answers as before after starts that were killed', async () => {
    const exchange = await prepare(layout)
    for (const ms of KILL_MS) {
      const ended = exchange.launch()
      await new Promise((resolve) => setTimeout(resolve, ms))
      await exchange.stop('SIGKILL')
      expect((await ended).code).toBeNull()
    }
    await exchange.run()
    await expectAnswers(layout, exchange)
    expect((await act(exchange, 'snapshot', {})).said).toMatch(/^Snapshot 2 covers/)
    await exchange.stop('SIGKILL')
    await exchange.run()
    expect(exchange.output).toContain('continues from a snapshot')
    await expectAnswers(layout, exchange)
  })

  test('answers as before from a backup', async () => {
    const exchange = await prepare(layout)
    await exchange.run()
    const backup = `${exchange.data}-backup`
    folders.push(backup)
    await act(exchange, 'backup', { folder: backup })
    age(backup, layout)
    const other = await prepare()
    const words = ['restore', backup, '--data', other.data]
    expect((await callAction({ words, data: other.data, adminPort: 1 })).code).toBe(0)
    copyFileSync(keysOf(exchange), keysOf(other))
    await other.run()
    await expectAnswers(layout, other)
  })

  test('answers as before from a state at a path, which a start or a load takes', async () => {
    const exchange = await prepare(layout)
    await exchange.run(['--sandbox', 'on'])
    const state = `${exchange.data}-state`
    folders.push(state)
    await act(exchange, 'save', { name: state })
    age(state, layout)
    const other = await prepare()
    await other.run(['--sandbox', 'on', '--seed-from', state])
    await expectAnswers(layout, other)
    await act(exchange, 'load', { name: state })
    await expectAnswers(layout, exchange)
  })
})

/** Has a backup's or a state's manifest say what an older build would have, which summed neither files nor this one. */
function age(folder: string, layout: number): void {
  const manifest = path.join(folder, 'backup.json')
  const { files: _, sum: __, ...written } = JSON.parse(readFileSync(manifest, 'utf8'))
  expect(written.layout).toBe(JOURNAL_LAYOUT)
  writeFileSync(manifest, JSON.stringify({ ...written, layout }))
}

test('a folder answers as before without the old segments that retention removed', async () => {
  const layout = 4
  const clock = new ExchangeClock('runs')
  await clock.advance(3 * DAY_MS)
  const exchange = await ExchangeProcess.prepare(
    [...FLAGS, '--journal-kept', 'snapshots', '--snapshots-kept', '1', '--keep-journal-days', '1'],
    clock,
  )
  started.push(exchange)
  unpack(layout, exchange)
  await exchange.run()
  await act(exchange, 'snapshot', {})
  await eventually('the removal', async () => {
    const removed = exchange.output.match(/removed old segments of a journal/g) ?? []
    return removed.length === 2 || undefined
  })
  await expectAnswers(layout, exchange)
  await exchange.stop('SIGKILL')
  for (const journal of [0, 1]) {
    const left = readdirSync(path.join(exchange.data, `old-journals/journal-${journal}`))
    expect(left).toEqual(['removed'])
  }
  expect(script('verify-journal', '--data', exchange.data)).toContain('All is well.')
  rmSync(archiveFolder(exchange.data), { recursive: true })
  await exchange.run()
  await expectAnswers(layout, exchange)
})

test('a folder of a newer layout is refused, and so is a backup of one', async () => {
  const exchange = await prepare(OLDEST_LAYOUT)
  const layout = JOURNAL_LAYOUT + 1
  const control = ControlStore.open(exchange.data)
  control.append({ fact: 'start', epoch: 9, timeMs: 1, layout })
  control.close()
  const { code, output } = await exchange.launch()
  expect(code).toBe(1)
  const read = `this Ringbook reads layouts ${OLDEST_LAYOUT} to ${JOURNAL_LAYOUT}`
  const way = 'use the Ringbook that wrote it, or a newer one.'
  const sentence = `was written in journal layout ${layout}, and ${read}: ${way}`
  expect(output).toContain(`The data folder ${sentence}`)

  const backup = `${exchange.data}-backup`
  folders.push(backup)
  mkdirSync(backup)
  writeFileSync(path.join(backup, 'backup.json'), JSON.stringify({ format: 1, layout }))
  const other = await prepare()
  const words = ['restore', backup, '--data', other.data]
  const { text } = await callAction({ words, data: other.data, adminPort: 1 })
  expect(text).toContain(`${backup} ${sentence}`)
})

const keysOf = ({ data }: ExchangeProcess): string => path.join(data, 'demo-keys.json')

/** Trades with orders that the older build has placed, and replaces one. Returns all orders. */
async function goOn(exchange: ExchangeProcess): Promise<unknown> {
  const [one, three] = [new Trader(exchange, 'one'), new Trader(exchange, 'three')]
  const limit = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC' }
  const [open] = (await one.ask('GET', '/api/v3/openOrders', {
    symbol: 'BTCUSDT',
  })) as unknown as { orderId: number; side: string }[]
  await one.ask('POST', '/api/v3/order/cancelReplace', {
    ...limit,
    side: 'SELL',
    price: 51_002,
    quantity: '0.3',
    strategyId: 5,
    cancelReplaceMode: 'STOP_ON_FAILURE',
    cancelOrderId: open!.orderId,
  })
  const bought = await three.place({ ...limit, side: 'BUY', price: 51_003, quantity: '0.6' })
  expect(Number(bought.executedQty)).toBeGreaterThan(0)
  return ordersOf(exchange)
}

async function ordersOf(exchange: ExchangeProcess): Promise<unknown> {
  const rows = ['one', 'two', 'three'].map(async (name) => {
    const trader = new Trader(exchange, name)
    const query = { symbol: 'BTCUSDT', orderId: 0, limit: 1000 }
    const [orders, trades] = [
      await trader.ask('GET', '/api/v3/allOrders', query),
      await trader.ask('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT', fromId: 0, limit: 1000 }),
    ]
    return { balances: await trader.balances(), orders, trades }
  })
  return Promise.all(rows)
}
