/** Other users of the machine read nothing of the data folder, whatever its own mode is. */
import { chmodSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { operate } from './command-line.ts'

const SHARED = 0o077

let exchange: ExchangeProcess
beforeAll(async () => {
  exchange = await ExchangeProcess.prepare([...FEW_THREADS, '--snapshot-minutes', '60'])
  chmodSync(exchange.data, 0o755)
  await exchange.run()
})
afterAll(() => exchange?.remove())

const below = (recursive: boolean): readonly string[] =>
  readdirSync(exchange.data, { recursive }).map((name) => path.join(exchange.data, String(name)))
const sharedOf = (files: readonly string[]): readonly string[] =>
  files.filter((file) => (statSync(file).mode & SHARED) !== 0)

test('all that is made is private', async () => {
  await operate(exchange, 'deposit', 'trader1', 'BTC', '1')
  await operate(exchange, 'snapshot')
  await operate(exchange, 'backup', `${exchange.data}/copy`)
  const files = below(true)
  const names = ['secret.key', 'control/data.mdb', 'control/lock.mdb', 'journal-0/data.mdb']
  for (const name of names) expect(files).toContain(path.join(exchange.data, name))
  expect(sharedOf(files)).toEqual([])
})

test('all that an earlier process left readable is private after a start', async () => {
  await exchange.stop('SIGTERM')
  for (const file of below(true)) chmodSync(file, statSync(file).isDirectory() ? 0o755 : 0o644)
  await exchange.run()
  expect(sharedOf(below(false))).toEqual([])
})
