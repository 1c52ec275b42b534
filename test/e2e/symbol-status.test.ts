/** Clients learn of a halt and of every other status from a stream, in BREAK too, and need not poll. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LoopExchange } from '../fixtures/loop-exchange.ts'
import { act } from './admin-server.ts'
import { FrameLog } from './frame-log.ts'

const SYMBOL = 'BTCUSDT'
const STATUSES = ['HALT', 'BREAK', 'TRADING', 'END_OF_DAY', 'TRADING']

let exchange: LoopExchange
beforeAll(async () => {
  exchange = await LoopExchange.start()
})
afterAll(() => exchange?.remove())

const setStatus = (status: string) => act(exchange, 'symbol-status', { symbol: SYMBOL, status })
const told = (X: string, s = SYMBOL) => ({ e: 'symbolStatus', E: expect.any(Number), s, X })

test('a reader gets the present status, then each change of it', async () => {
  await setStatus('PRE_TRADING')
  const one = await FrameLog.open(`${exchange.wsUrl}/ws/btcusdt@status`)
  const all = await FrameLog.open(`${exchange.wsUrl}/stream?streams=!status@arr`)
  await one.first('the present status', ({ X }) => X === 'PRE_TRADING')
  for (const status of STATUSES) await setStatus(status)
  // What changes nothing is not sent.
  await setStatus('TRADING')
  await act(exchange, 'halt', { symbol: 'ETHUSDT' })
  const ofAll = await all.atLeast(STATUSES.length + 1, 'a status', () => true)

  expect(one.frames).toEqual(['PRE_TRADING', ...STATUSES].map((status) => told(status)))
  expect(ofAll).toEqual([
    ...STATUSES.map((status) => ({ stream: '!status@arr', data: [told(status)] })),
    { stream: '!status@arr', data: [told('HALT', 'ETHUSDT')] },
  ])
  await all.close()
  await one.close()
})

test('a second reader gets it alone, and a new symbol is told to readers of all', async () => {
  const first = await FrameLog.open(`${exchange.wsUrl}/ws/solusdt@status`)
  const all = await FrameLog.open(`${exchange.wsUrl}/ws/!status@arr`)
  await first.first('the present status', ({ X }) => X === 'TRADING')
  const second = await FrameLog.open(`${exchange.wsUrl}/ws`)
  await second.ask({ method: 'SUBSCRIBE', params: ['solusdt@status', 'newusdt@status'], id: 1 })
  await second.first('the present status', ({ X }) => X === 'TRADING')
  await act(exchange, 'asset-list', { asset: 'NEW' })
  await act(exchange, 'symbol-list', { base: 'NEW', quote: 'USDT', like: 'ADAUSDT' })
  await second.first('the status of the new symbol', ({ s }) => s === 'NEWUSDT')
  expect(await all.atLeast(1, 'a status', () => true)).toEqual([[told('TRADING', 'NEWUSDT')]])
  expect(first.frames).toHaveLength(1)
  await act(exchange, 'halt', { symbol: 'NEWUSDT' })
  await second.first('its halt', ({ s, X }) => s === 'NEWUSDT' && X === 'HALT')
  const news = second.frames.filter(({ s }) => s === 'NEWUSDT')
  expect(news).toEqual([told('TRADING', 'NEWUSDT'), told('HALT', 'NEWUSDT')])
})
