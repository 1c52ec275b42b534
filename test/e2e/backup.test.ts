/** A backup made under load, restored elsewhere: the same money, orders and journals at its moment. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { callAction } from '../../src/cli/cli.ts'
import type { BackupManifest } from '../../src/journal/backup.ts'
import { ControlStore } from '../../src/journal/control-store.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { journalFolder } from '../../src/journal/lmdb-store.ts'
import { recoverWals } from '../../src/journal/recovery.ts'
import { restoreBackup } from '../../src/journal/restore.ts'
import { eventually } from '../fixtures/eventually.ts'
import { act } from './admin-server.ts'

const started: ExchangeProcess[] = []
const folders: string[] = []
afterEach(async () => {
  for (const exchange of started.splice(0)) await exchange.remove()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

async function prepare(): Promise<ExchangeProcess> {
  const exchange = await ExchangeProcess.prepare(['--matchers', '2', '--gateways', '1'])
  started.push(exchange)
  return exchange
}

async function restored(backup: string): Promise<ExchangeProcess> {
  const elsewhere = await prepare()
  const words = ['restore', backup, '--data', elsewhere.data]
  const { code, text } = await callAction({ words, data: elsewhere.data, adminPort: 1 })
  expect([code, text]).toEqual([
    0,
    expect.stringMatching(/ is as it was at .*, with \d+ blocks?\./),
  ])
  return elsewhere
}

const symbols = ['BTCUSDT', 'ETHUSDT', 'ETHBTC'] as const
async function trade(client: SignedClient, side: string, isOver: () => boolean): Promise<void> {
  for (let i = 0; !isOver(); i++) {
    const symbol = symbols[i % symbols.length]!
    const price = symbol === 'ETHBTC' ? 0.05 : 2_000 + (i % 7)
    const order = { symbol, side, type: 'LIMIT', timeInForce: 'GTC', quantity: 0.01, price }
    await client.send('POST', '/api/v3/order', order)
    if (i % 9 === 0) await client.send('DELETE', '/api/v3/openOrders', { symbol })
  }
}

function blocksOf(data: string, matcher: number, last: number): Buffer[] {
  const reader = new JournalReader(journalFolder(data, matcher))
  try {
    return Array.from({ length: last }, (_, at) => Buffer.from(reader.block(at + 1)!))
  } finally {
    reader.close()
  }
}

function entriesOf(data: string): unknown[] {
  const control = ControlStore.open(data)
  try {
    return [...control.entries()]
  } finally {
    control.close()
  }
}

const stateOf = async (exchange: ExchangeProcess) => ({
  audit: (await act(exchange, 'audit', {})).rows,
  orders: (await act(exchange, 'orders', { limit: 1_000 })).rows,
  balances: await Promise.all(
    ['exchange', 'maker', 'taker', 'trader1', 'trader2'].map(
      async (account) => (await act(exchange, 'balances', { account })).rows,
    ),
  ),
})

test('under load: the journals up to one moment, which add up', async () => {
  const exchange = await prepare()
  await exchange.run()
  const { trader1, trader2, maker } = exchange.keys()
  let isOver = false
  const trading = [trader1, trader2, maker].map((key, i) =>
    trade(new SignedClient(exchange.url, key!), i === 1 ? 'SELL' : 'BUY', () => isOver),
  )
  const backup = `${exchange.data}-backup`
  folders.push(backup)
  try {
    await eventually('some trades', async () => {
      const response = await fetch(`${exchange.url}/api/v3/trades?symbol=BTCUSDT&limit=20`)
      return ((await response.json()) as unknown[]).length === 20 || undefined
    })
    await eventually('a snapshot', async () => {
      const { said } = await act(exchange, 'snapshot', {})
      return said.startsWith('Snapshot') || undefined
    })
    await act(exchange, 'deposit', { account: 'maker', asset: 'BTC', amount: '1' })
    const { said } = await act(exchange, 'backup', { folder: backup })
    expect(said).toMatch(/-backup holds \d+ blocks? up to 2/)
    await act(exchange, 'withdraw', { account: 'maker', asset: 'BTC', amount: '1' })
    await expect(act(exchange, 'backup', { folder: backup })).rejects.toThrow('exists already')
  } finally {
    isOver = true
    await Promise.all(trading)
  }
  const manifest: BackupManifest = JSON.parse(
    readFileSync(path.join(backup, 'backup.json'), 'utf8'),
  )
  expect(statSync(path.join(backup, 'secret.key')).mode & 0o777).toBe(0o600)
  const elsewhere = await restored(backup)
  await exchange.stop('SIGTERM')
  for (const [matcher, last] of manifest.positions.entries()) {
    expect(last).toBeGreaterThan(0)
    expect(blocksOf(elsewhere.data, matcher, last)).toEqual(blocksOf(exchange.data, matcher, last))
  }
  const control = entriesOf(elsewhere.data)
  expect(control).toEqual(entriesOf(exchange.data).slice(0, manifest.control))
  expect(control.at(-1)).toMatchObject({ fact: 'act', name: 'backup' })
  expect(recoverWals(elsewhere.data)).toBe(0)
  await elsewhere.run()
  expect(elsewhere.output).toContain('continues from a snapshot')
  expect((await act(elsewhere, 'audit', {})).said).toBe('Every asset adds up.')
})

test('at rest: balances and open orders are the same, keys work, and trading continues', async () => {
  const exchange = await prepare()
  await exchange.run()
  const maker = new SignedClient(exchange.url, exchange.keys().maker!)
  let placed = 0
  await trade(maker, 'BUY', () => placed++ > 40)
  const backup = `${exchange.data}-backup`
  folders.push(backup)
  const before = await stateOf(exchange)
  await act(exchange, 'backup', { folder: backup })
  const keys = exchange.keys()
  const parts: (readonly [number, number])[] = []
  const probe = `${exchange.data}-probe`
  folders.push(probe)
  restoreBackup(backup, probe, (bytes, ofAll) => parts.push([bytes, ofAll]))
  expect(parts.at(-1)![0]).toBe(parts.at(-1)![1])
  const elsewhere = await restored(backup)
  await elsewhere.run()
  expect(await stateOf(elsewhere)).toEqual(before)
  expect(before.orders.length).toBeGreaterThan(0)
  const there = new SignedClient(elsewhere.url, keys.maker!)
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
  const { status } = await there.send('POST', '/api/v3/order', {
    ...order,
    quantity: 1,
    price: 1_500,
  })
  expect(status).toBe(200)
  const words = ['restore', backup, '--data', elsewhere.data]
  expect(await callAction({ words, data: elsewhere.data, adminPort: 1 })).toEqual({
    code: 1,
    text: `${elsewhere.data} is in use by a running Ringbook. Stop it or pass --data.\n`,
  })
})

test('a folder that cannot be written is named in a sentence', async () => {
  const exchange = await prepare()
  await exchange.run()
  await expect(act(exchange, 'backup', { folder: '/no/such/backup' })).rejects.toThrow(
    /^\/no\/such\/backup cannot be written: it does not exist\.$/,
  )
  await expect(act(exchange, 'backup', { folder: 'here' })).rejects.toThrow('an absolute path')
  const backup = `${exchange.data}-backup`
  folders.push(backup)
  await act(exchange, 'backup', { folder: backup })
  const words = ['restore', backup, '--data', '/proc/none']
  expect(await callAction({ words, data: '/proc/none', adminPort: 1 })).toEqual({
    code: 1,
    text: '/proc/none cannot be written: it does not exist.\n',
  })
})

test.each<[what: string, make: (folder: string) => void, sentence: RegExp]>([
  ['no folder', () => {}, /is not a backup: it has no readable backup\.json\./],
  ['no manifest', (folder) => mkdirSync(folder), /is not a backup/],
  [
    'another format',
    (folder) => {
      mkdirSync(folder)
      writeFileSync(path.join(folder, 'backup.json'), '{"format":9}')
    },
    /was made in another format \(9\)/,
  ],
])('restore refuses %s', async (_, make, sentence) => {
  const exchange = await prepare()
  const backup = `${exchange.data}-wrong`
  folders.push(backup)
  make(backup)
  const words = ['restore', backup, '--data', exchange.data]
  const { code, text } = await callAction({ words, data: exchange.data, adminPort: 1 })
  expect(code).toBe(1)
  expect(text).toMatch(sentence)
  expect(existsSync(`${exchange.data}.partial`)).toBe(false)
})
