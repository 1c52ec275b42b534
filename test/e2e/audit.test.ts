/** The scripts on the data folder of an exchange that was killed, which they must not change. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'

const PAIRS = 40

let exchange: ExchangeProcess | undefined
afterEach(() => exchange?.remove())

function script(name: string, ...args: string[]) {
  const file = path.resolve(import.meta.dirname, `../../dist/scripts/${name}.js`)
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args])
  return { status, text: `${stdout}${stderr}` }
}

test('after kill -9 the journals are verified and exported as they were left', async () => {
  exchange = await ExchangeProcess.start(FEW_THREADS)
  const { data } = exchange
  const { maker, taker } = exchange.keys()
  const sell = new SignedClient(exchange.url, maker!)
  const buy = new SignedClient(exchange.url, taker!)
  const terms = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01' }
  for (let i = 0; i < PAIRS; i++) {
    const price = String(50_000 + i)
    await sell.send('POST', '/api/v3/order', { ...terms, side: 'SELL', price })
    const { body } = await buy.send('POST', '/api/v3/order', { ...terms, side: 'BUY', price })
    expect(body.status).toBe('FILLED')
  }
  const running = script('verify-journal', '--data', data)
  expect(running.status).toBe(2)
  expect(running.text).toContain('is in use by a running Ringbook')
  await exchange.stop('SIGKILL')

  for (let i = 0; i < 2; i++) {
    const verified = script('verify-journal', '--data', data)
    expect(verified.text).toContain('All is well.')
    expect(verified.text).toContain(`journal-0: ${2 * PAIRS} whole blocks`)
    expect(verified.status).toBe(0)
  }
  const out = path.join(data, 'export')
  const lines = (what: string, format: string) => {
    const { status, text } = script(
      ...(['export', '--data', data, '--what', what, '--format', format, '--out', out] as const),
    )
    expect(status, text).toBe(0)
    return readFileSync(out, 'utf8').trimEnd().split('\n')
  }
  expect(lines('trades', 'csv')).toHaveLength(PAIRS + 1)
  const orders = lines('orders', 'jsonl').map((line) => JSON.parse(line))
  expect(orders.filter(({ status }) => status === 'FILLED')).toHaveLength(2 * PAIRS)
  expect(lines('ledger', 'csv').length).toBeGreaterThan(PAIRS * 6)
  expect(script('export', '--data', data, '--what', 'all', '--out', out).status).toBe(1)
})
