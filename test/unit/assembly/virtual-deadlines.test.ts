/** Deadlines that must follow a virtual clock, and those that must not; a timer left on the wall is found. */
import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange } from '../../../src/assembly/options.ts'
import { ManualTime } from '../../../src/base/manual-time.ts'
import * as listenKeys from '../../../src/gateway/streams/listen-keys.ts'
import { Planting } from '../../defects/planting.ts'
import { type Json, TestSocket } from '../../fixtures/test-socket.ts'

const DELAY_MS = 40_000

let exchange: EmbeddedExchange
const planting = new Planting()
afterEach(async () => {
  planting.remove()
  await exchange.close()
})

function order(account: string): Promise<Response> {
  const { apiKey, secretKey } = exchange.accounts[account]!
  const terms = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }
  const stamped = { ...terms, price: '50000', recvWindow: '60000' }
  const signed = { ...stamped, timestamp: String(exchange.clock.now()) }
  const query = new URLSearchParams(signed).toString()
  const signature = createHmac('sha256', secretKey).update(query).digest('hex')
  return exchange.fetch(`/api/v3/order?${query}&signature=${signature}`, {
    method: 'POST',
    headers: { 'X-MBX-APIKEY': apiKey },
  })
}

const listenKey = (method: string, query = '') =>
  exchange.fetch(`/api/v3/userDataStream${query}`, {
    method,
    headers: { 'X-MBX-APIKEY': exchange.accounts.taker!.apiKey },
  })

const weightUsed = async () =>
  Number((await exchange.fetch('/api/v3/time')).headers.get('x-mbx-used-weight-1m'))

/** Returns the names of deadlines that were not met by the virtual clock. */
async function missed(): Promise<readonly string[]> {
  const { clock, faults } = exchange
  const names: string[] = []
  const check = (name: string, isMet: boolean) => void (isMet || names.push(name))
  await faults.add({ do: 'delay', way: 'in', ms: DELAY_MS, operation: 'placeOrder', times: 1 })
  const beganMs = clock.now()
  const placed = order('maker')
  const key = String(((await (await listenKey('POST')).json()) as { listenKey: string }).listenKey)
  await weightUsed()
  const before = await weightUsed()
  await clock.advance('10m')
  const answer = await Promise.race([placed, setTimeout(100)])
  const { transactTime } = ((await answer?.json()) ?? {}) as { readonly transactTime?: number }
  check('delay', transactTime === beganMs + DELAY_MS)
  check('limit', (await weightUsed()) < before)
  await clock.advance('51m')
  check('listen key', (await listenKey('PUT', `?listenKey=${key}`)).status === 400)
  return names
}

const start = async () => {
  exchange = await startHere({ clock: 'virtual', settings: { limits: true } })
}

test('delays, limits and listen keys follow the clock', async () => {
  await start()
  expect(await missed()).toEqual([])
})

test('a timer left on the wall is found', async () => {
  planting.method(ManualTime, 'after', () => (time, ms, run) => time.wall.after(ms, run))
  await start()
  expect(await missed()).toEqual(['delay'])
})

test('listen keys left on the wall are found', async () => {
  planting.member(
    listenKeys,
    'SharedListenKeys',
    (Usual) =>
      class extends Usual {
        constructor(...[memory, clock]: ConstructorParameters<typeof Usual>) {
          super(memory, clock instanceof ManualTime ? clock.wall : clock)
        }
      },
  )
  await start()
  expect(await missed()).toEqual(['listen key'])
})

test('a step goes to the next timer that can send a frame or change an order', async () => {
  await start()
  const { clock, faults } = exchange
  const beganMs = clock.now()
  const stepped = async () => (await clock.step()) - beganMs
  // Nothing is due: timers that only look after things do not count.
  expect(await stepped()).toBe(0)
  await faults.add({ do: 'delay', way: 'in', ms: DELAY_MS, operation: 'placeOrder', times: 1 })
  const placed = order('maker')
  await expect.poll(async () => (await faults.list())[0]!.touched).toBe(1)
  expect(await stepped()).toBe(DELAY_MS)
  expect((await placed).status).toBe(200)
  const streams = await TestSocket.open(`${exchange.wsUrl}/ws/btcusdt@depth@100ms`)
  await streams.roundTrip()
  const before = clock.now() - beganMs
  await order('taker')
  expect(await stepped()).toBe(before + 100)
  expect((await streams.next()).e).toBe('depthUpdate')
  // Without a change there is no frame until the connection's day is over.
  const dayMs = 86_400_000
  const last = await stepped()
  expect(last - before).toBeGreaterThan(dayMs)
  expect(last - before).toBeLessThanOrEqual(dayMs + 1_000)
  expect(await streams.closed()).toBe(1000)
})

test('a step goes to the expiry of a listen key', async () => {
  await start()
  const { clock } = exchange
  const key = String(((await (await listenKey('POST')).json()) as { listenKey: string }).listenKey)
  const user = await TestSocket.open(`${exchange.wsUrl}/ws/${key}`)
  await user.roundTrip()
  const beganMs = clock.now()
  expect((await clock.step()) - beganMs).toBe(3_600_000)
  expect((await user.next()).e).toBe('listenKeyExpired')
  user.close()
})

test('each step reaches a frame of klines, those that close between two turns of their speed too', async () => {
  const at = '2024-03-01T00:00:57.350Z'
  exchange = await startHere({ clock: { at } })
  const { clock } = exchange
  const klines = await TestSocket.open(`${exchange.wsUrl}/ws/btcusdt@kline_1m`)
  await klines.roundTrip()
  const { orderId } = (await (await order('maker')).json()) as { orderId: number }
  await exchange.fill({ symbol: 'BTCUSDT', orderId })
  const closed: number[] = []
  for (let i = 0; i < 20; i++) {
    const nowMs = await clock.step()
    await klines.roundTrip()
    expect(klines.waiting).toBeGreaterThan(0)
    while (klines.waiting > 0) if (((await klines.next()).k as Json).x === true) closed.push(nowMs)
  }
  expect(closed).toEqual([Date.parse('2024-03-01T00:01:00.150Z')])
})

test('a jump closes nobody for a missing pong, and a connection after its day', async () => {
  await start()
  const socket = await TestSocket.open(`${exchange.wsUrl}/ws/btcusdt@trade`, { autoPong: false })
  await exchange.clock.advance('23h')
  await socket.roundTrip()
  expect(socket.waiting).toBe(0)
  await exchange.clock.advance('2h')
  expect([await socket.closed(), socket.closeReason]).toEqual([
    ...[1000, 'a connection lasts 24 hours'],
  ])
})
