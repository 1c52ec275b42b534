/** `ringbook start --clock virtual`: a process on one event loop, as an operator starts it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import { FEW_THREADS } from '../../fixtures/few-threads.ts'
import { act } from '../admin-server.ts'
import { Trader } from '../trader.ts'

const HOUR_MS = 3_600_000
const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }

let exchange: ExchangeProcess
let trader: Trader
beforeAll(async () => {
  exchange = await ExchangeProcess.start([
    ...FEW_THREADS,
    ...['--sandbox', 'on', '--clock', 'virtual'],
  ])
  trader = new Trader(exchange, 'taker')
})
afterAll(async () => {
  await trader?.leave()
  await exchange?.remove()
})

async function timeOf(): Promise<number> {
  const response = await fetch(`${exchange.url}/api/v3/time`)
  return ((await response.json()) as { serverTime: number }).serverTime
}

test('it trades, is moved, put back and started again', async () => {
  await trader.follow()
  const placed = await trader.place({ ...order, quantity: '0.01', price: '1000' })
  const [report] = await trader.events(2)
  expect(report).toMatchObject({ e: 'executionReport', x: 'NEW', i: placed.orderId })

  await act(exchange, 'save', { name: 'before' })
  const savedMs = await timeOf()
  await act(exchange, 'clock-advance', { length: '1h' })
  expect(await timeOf()).toBeGreaterThanOrEqual(savedMs + HOUR_MS)
  await trader.ask('DELETE', '/api/v3/order', {
    symbol: 'BTCUSDT',
    orderId: Number(placed.orderId),
  })

  await trader.leave()
  await act(exchange, 'load', { name: 'before' })
  expect(await trader.order('BTCUSDT', placed.orderId)).toMatchObject({ status: 'NEW' })

  // The time that was reached is in the journal, and the next start begins there.
  await trader.ask('DELETE', '/api/v3/order', {
    symbol: 'BTCUSDT',
    orderId: Number(placed.orderId),
  })
  const beforeMs = await timeOf()
  expect(await exchange.stop()).toMatchObject({ code: 0 })
  await exchange.run()
  expect(await timeOf()).toBeGreaterThan(beforeMs - 1_000)
  expect(await trader.order('BTCUSDT', placed.orderId)).toMatchObject({ status: 'CANCELED' })
})
