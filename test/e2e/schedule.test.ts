/** A schedule on a whole exchange: clients see each change when it is due, and what was missed at the next start. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeClock } from '../../scripts/exchange/exchange-clock.ts'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { act } from './admin-server.ts'
import { FrameLog } from './frame-log.ts'
import { stageExchange } from './staged-exchange.ts'

const MINUTE_MS = 60_000
/** Noon, UTC, when it starts. */
const clock = new ExchangeClock('runs')

let exchange: ExchangeProcess
beforeAll(async () => {
  const stage = {
    assets: ['BTC', 'USDT'],
    symbols: [{ name: 'BTCUSDT' }, { name: 'BTCUSD2' }],
    accounts: {},
  }
  exchange = await stageExchange(stage, FEW_THREADS, clock)
  await exchange.run()
})
afterAll(() => exchange?.remove())

const schedule = (given: object) => act(exchange, 'schedule-set', { schedule: 'day', ...given })
async function statuses(): Promise<string[]> {
  const answer = await fetch(`${exchange.url}/api/v3/exchangeInfo`)
  const { symbols } = (await answer.json()) as { symbols: { status: string }[] }
  return symbols.map(({ status }) => status)
}
async function changes(): Promise<number> {
  const { rows } = await act(exchange, 'log', { limit: 100 })
  return rows.filter(({ operator }) => operator === 'schedule').length
}

test('changes are told when they are due', async () => {
  const stream = await FrameLog.open(`${exchange.wsUrl}/ws/btcusdt@status`)
  await stream.first('the present status', ({ X }) => X === 'TRADING')
  const phases = '11:00 POST_TRADING,12:30 END_OF_DAY,13:00 BREAK,14:00 TRADING'
  await schedule({ symbols: 'BTCUSDT', phases })
  await stream.first('the status that was due before', ({ X }) => X === 'POST_TRADING')
  expect(await statuses()).toEqual(['POST_TRADING', 'TRADING'])
  await clock.advance(31 * MINUTE_MS)
  await stream.first('the change that is due', ({ X }) => X === 'END_OF_DAY')
  await eventually('the change in exchangeInfo', async () =>
    (await statuses())[0] === 'END_OF_DAY' ? true : undefined,
  )
  await stream.close()
})

test('what was missed by a kill is made before clients are served, once', async () => {
  const before = await changes()
  await exchange.stop('SIGKILL')
  await clock.advance(30 * MINUTE_MS)
  await exchange.run()
  expect(await statuses()).toEqual(['BREAK', 'TRADING'])
  expect(await changes()).toBe(before + 1)
  await exchange.stop('SIGKILL')
  await exchange.run()
  expect(await statuses()).toEqual(['BREAK', 'TRADING'])
  expect(await changes()).toBe(before + 1)
})

test('a hold outlives a kill', async () => {
  await act(exchange, 'phase-hold', { symbol: 'BTCUSDT' })
  await exchange.stop('SIGKILL')
  await clock.advance(60 * MINUTE_MS)
  await exchange.run()
  expect(await statuses()).toEqual(['BREAK', 'TRADING'])
  await act(exchange, 'phase-release', { symbol: 'BTCUSDT' })
  expect(await statuses()).toEqual(['TRADING', 'TRADING'])
})
