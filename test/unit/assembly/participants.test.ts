/** Clients over the network for which a virtual clock stands still, so that a run is the same each time. */
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange } from '../../../src/assembly/options.ts'
import { Prng } from '../../../src/base/prng.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { type Json, TestSocket } from '../../fixtures/test-socket.ts'

const folder = temporaryFolder()
const liquidityFile = path.join(folder, 'house.toml')
writeFileSync(liquidityFile, '[BTCUSDT]\n')

let exchange: EmbeddedExchange
afterEach(() => exchange.close())

const clientOf = (account: string) =>
  new SignedClient(exchange.url, { account, ...exchange.accounts[account]! }, () =>
    exchange.clock.now(),
  )

async function listenKeyOf(account: string): Promise<string> {
  const response = await fetch(`${exchange.url}/api/v3/userDataStream`, {
    method: 'POST',
    headers: { 'X-MBX-APIKEY': exchange.accounts[account]!.apiKey },
  })
  return String(((await response.json()) as Json).listenKey)
}

/** Takes part: buys at some trades of the counterparty, and sells at others. Resolves to all that it saw and did. */
async function playedRun(length: string): Promise<readonly unknown[]> {
  const settings = { liquidity: true, 'liquidity-file': liquidityFile }
  exchange = await startHere({ clock: 'virtual', settings })
  const beganMs = exchange.clock.now()
  const trader = clientOf('trader1')
  const streams = `${await listenKeyOf('trader1')}/btcusdt@aggTrade/btcusdt@depth@100ms`
  const socket = await TestSocket.open(`${exchange.wsUrl}/ws/${streams}`)
  expect(await socket.ask({ id: 1, method: 'JOIN_CLOCK' })).toEqual({ result: null, id: 1 })
  const seen: unknown[] = []
  let isOver = false
  let trades = 0
  const react = async () => {
    while (!isOver) {
      const { e, p, E, a, X, result } = await socket.next()
      if (result !== undefined) continue
      if (e !== 'depthUpdate') seen.push([e, Number(E) - beganMs, p, a, X])
      const side = e === 'aggTrade' && ++trades % 7 === 0 ? 'BUY' : trades % 11 === 0 ? 'SELL' : ''
      if (e === 'aggTrade' && side !== '') {
        const price = (Number(p) * (side === 'BUY' ? 1.001 : 0.999)).toFixed(2)
        const order = { symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'IOC', price }
        const placed = await trader.send('POST', '/api/v3/order', { ...order, quantity: '0.01' })
        seen.push(placed.body.status)
      }
      socket.send({ id: 2, method: 'ACKNOWLEDGE' })
    }
  }
  const reacting = react().catch((error) => {
    if (!isOver) throw error
  })
  await exchange.clock.advance(length)
  isOver = true
  const { body } = await trader.send('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })
  socket.close()
  await reacting
  const fills = body as unknown as readonly Json[]
  expect(fills.length).toBeGreaterThan(5)
  const shown = fills.map(({ id, price, qty, time, isBuyer }) => [
    ...[id, price, qty, Number(time) - beganMs, isBuyer],
  ])
  await exchange.close()
  return [...seen, ...shown]
}

test('a participant that runs twice has the same fills, at the same moments', async () => {
  const first = await playedRun('5m')
  expect(await playedRun('5m')).toEqual(first)
})

/** Takes part for the account by its streams, and places orders by REST, each after a delay of the wall. */
async function trading(account: string, side: string, random: Prng) {
  const client = clientOf(account)
  const streams = `${await listenKeyOf(account)}/btcusdt@aggTrade`
  const socket = await TestSocket.open(`${exchange.wsUrl}/ws/${streams}`)
  const seen: unknown[] = []
  let trades = 0
  const react = async () => {
    for (;;) {
      const { e, p, a, X, result } = await socket.next()
      if (result !== undefined) continue
      seen.push([e, p, a, X])
      if (e === 'aggTrade' && ++trades % 5 === 0) {
        await new Promise((resolve) => setTimeout(resolve, random.below(20)))
        const terms = { symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC' }
        const order = { ...terms, price: String(p), quantity: '0.01' }
        const { body } = await client.send('POST', '/api/v3/order', order)
        seen.push([body.orderId, body.status])
        const { body: open } = await client.send('GET', '/api/v3/openOrders')
        seen.push((open as unknown as Json[]).map(({ orderId }) => orderId))
      }
      socket.send({ id: 2, method: 'ACKNOWLEDGE' })
    }
  }
  return {
    join: () => socket.ask({ id: 1, method: 'JOIN_CLOCK' }),
    /** Begins to react; resolves to what it saw once it is closed. */
    run: () => react().catch(() => seen),
    fills: async () => {
      const { body } = await client.send('GET', '/api/v3/myTrades', { symbol: 'BTCUSDT' })
      const trades = body as unknown as readonly Json[]
      return trades.map(({ id, orderId, price, qty, isMaker }) => [
        id,
        orderId,
        price,
        qty,
        isMaker,
      ])
    },
    close: () => socket.close(),
  }
}

async function contest(seed: number): Promise<readonly unknown[]> {
  const settings = { liquidity: true, 'liquidity-file': liquidityFile, limits: false }
  exchange = await startHere({ clock: 'virtual', settings })
  const random = new Prng(seed)
  const traders = await Promise.all([
    trading('trader1', 'SELL', random),
    trading('trader2', 'BUY', random),
    trading('taker', 'BUY', random),
  ])
  // They may join in any order.
  for (const at of [0, 1, 2]) await traders[(at + seed) % 3]!.join()
  const runs = traders.map((trader) => trader.run())
  await exchange.clock.advance('40s')
  const fills = await Promise.all(traders.map((trader) => trader.fills()))
  for (const { length } of fills) expect(length).toBeGreaterThan(5)
  for (const trader of traders) trader.close()
  const seen = await Promise.all(runs)
  await exchange.close()
  return [fills, seen]
}

test('three participants that answer one moment have the same fills, however late they are', async () => {
  const first = await contest(1)
  expect(await contest(2)).toEqual(first)
})

test('time stands still at an event of a session until it acknowledges or places', async () => {
  exchange = await startHere({ clock: 'virtual' })
  const { clock } = exchange
  const socket = await TestSocket.open(exchange.wsApiUrl)
  const { apiKey, secretKey } = exchange.accounts.trader1!
  let id = 0
  const ask = async (method: string, params: Readonly<Record<string, unknown>> = {}) => {
    const named: Record<string, unknown> = { ...params, apiKey, timestamp: clock.now() }
    const text = Object.keys(named)
      .sort()
      .map((name) => `${name}=${named[name]}`)
      .join('&')
    const signature = createHmac('sha256', secretKey).update(text).digest('hex')
    socket.send({ id: ++id, method, params: { ...named, signature } })
    return answer()
  }
  const events: unknown[] = []
  /** Events may come before it. */
  const answer = async (): Promise<Json> => {
    for (;;) {
      const frame = await socket.next()
      if (frame.id === id) return frame
      events.push((frame.event as Json).e)
    }
  }
  const order = (side: string) => ({
    symbol: 'BTCUSDT',
    side,
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '1',
    price: '50000',
  })
  const joined = await ask('clock.join')
  expect(joined.result).toMatchObject({ participant: true, unacknowledged: 0 })
  expect((await ask('order.place', order('SELL'))).status).toBe(200)
  expect((await ask('userDataStream.subscribe.signature')).status).toBe(200)
  const beganMs = clock.now()
  await clientOf('taker').send('POST', '/api/v3/order', order('BUY'))
  const moved = clock.advance('1h')
  const state = async () => (await fetch(`${exchange.url}/sandbox/v1/clock`)).json()
  const held = {
    virtual: true,
    moving: true,
    participants: 1,
    serverTime: beganMs,
    heldBy: ['trader1'],
  }
  expect(await state()).toMatchObject(held)
  // It acknowledges one event, and has its own events.
  expect((await ask('order.place', order('SELL'))).status).toBe(200)
  expect(await state()).toMatchObject(held)
  socket.send({ id: ++id, method: 'clock.acknowledge', params: { events: 9 } })
  const { result } = await answer()
  expect(result).toEqual({ participant: true, unacknowledged: 0, serverTime: beganMs })
  expect(await moved).toBe(beganMs + 3_600_000)
  const each = ['executionReport', 'outboundAccountPosition']
  expect(events).toEqual([...each, ...each])
  socket.close()
})

test('only clients with a key take part, and only in a virtual clock', async () => {
  exchange = await startHere({ clock: 'virtual' })
  const stranger = await TestSocket.open(`${exchange.wsUrl}/ws/btcusdt@trade`)
  expect(await stranger.ask({ id: 1, method: 'JOIN_CLOCK' })).toEqual({
    code: 2,
    msg: 'Invalid request: the connection must read a listen key',
    id: 1,
  })
  stranger.close()
  const unsigned = await TestSocket.open(exchange.wsApiUrl)
  expect((await unsigned.ask({ id: 1, method: 'clock.join' })).status).not.toBe(200)
  unsigned.close()
  await exchange.close()
  exchange = await startHere()
  const real = await TestSocket.open(`${exchange.wsUrl}/ws/btcusdt@trade`)
  expect((await real.ask({ id: 1, method: 'JOIN_CLOCK' })).msg).toContain('unknown variant')
  real.close()
  const session = await TestSocket.open(exchange.wsApiUrl)
  expect((await session.ask({ id: 1, method: 'clock.leave' })).status).toBe(400)
  session.close()
  const state = await (await fetch(`${exchange.url}/sandbox/v1/clock`)).json()
  expect(state).toMatchObject({
    virtual: false,
    paused: false,
    speed: 1,
    participants: 0,
    heldBy: [],
  })
})
