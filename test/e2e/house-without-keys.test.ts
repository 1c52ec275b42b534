/** A market maker whose keys are lost or damaged leaves no orders in the books. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { act } from './admin-server.ts'

let exchange: ExchangeProcess | undefined
afterEach(() => exchange?.remove())

const MAKER = 'house-maker-BTCUSDT'
const orders = async () => (await act(exchange!, 'orders', { account: MAKER })).rows.length

test.each([
  ['lost, and it shall not act', 'off', undefined],
  ['damaged, and it shall act', 'on', '[{"account": "house-m'],
])('keys %s', async (_, liquidity, content) => {
  exchange = await ExchangeProcess.start([...FEW_THREADS, '--liquidity', 'on'])
  expect(await orders()).toBeGreaterThan(0)
  await exchange.stop('SIGKILL')
  const file = path.join(exchange.data, 'liquidity-keys.json')
  if (content === undefined) fs.rmSync(file)
  else fs.writeFileSync(file, content)
  await exchange.run(['--liquidity', liquidity])
  expect(await orders()).toBe(0)
  expect(exchange.output).toContain('canceled orders of market makers without keys')
  if (content === undefined) return
  expect(exchange.output).toContain('is damaged: remove it')
  expect(fs.readFileSync(file, 'utf8')).toBe(content)
})
