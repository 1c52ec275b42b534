/** Settings that are too small for what the data folder holds, or for the system: one sentence each. */
import { afterEach, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { Trader } from './trader.ts'

const ORDERS = 1_030
const AT_ONCE = 64

const prepared: ExchangeProcess[] = []
afterEach(async () => {
  for (const exchange of prepared.splice(0)) await exchange.remove()
})

/** Runs another process on the folder of `exchange`, and expects it to end with this sentence. */
async function refused(data: string, flags: readonly string[], sentence: RegExp): Promise<void> {
  const other = await ExchangeProcess.prepare([...FEW_THREADS, '--data', data, ...flags])
  prepared.push(other)
  const report = await other.launch()
  expect([report.code, report.signal], report.output).toEqual([1, null])
  expect(report.output.trim().split('\n').at(-1)).toMatch(sentence)
  expect(report.output).not.toContain('    at ')
}

test('books, accounts and memory that are too small are refused at start', async () => {
  const exchange = await ExchangeProcess.start([...FEW_THREADS, '--snapshot-minutes', '0'])
  prepared.push(exchange)
  const trader = new Trader(exchange, 'maker')
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
  for (let placed = 0; placed < ORDERS; placed += AT_ONCE) {
    const wishes = Array.from({ length: AT_ONCE }, () => ({
      ...order,
      price: 40_000,
      quantity: 0.001,
    }))
    await Promise.all(wishes.map((wish) => trader.place(wish)))
  }
  const { data } = exchange
  expect((await exchange.stop('SIGTERM')).code).toBe(0)
  const few = ['--orders-per-symbol', '1024']
  const why = 'more orders, or price levels, were open on BTCUSDT'
  await refused(data, few, new RegExp(`^--orders-per-symbol must be above 1024: ${why}\\.$`))
  await refused(data, ['--event-ring-bytes', '65536'], /^--event-ring-bytes must be .*1048576/)
  await exchange.run()
})
