/**
 * Orders that end with their session, over real processes: when the connection ends, when the exchange
 * stops, and when it is killed, again while it starts, and comes back with other threads. Each is
 * canceled exactly once, and nothing else is touched.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { journalsIn, openMerge } from '../../src/journal/recovery.ts'
import { OrderClosed } from '../../src/layout/accessors.gen.ts'
import { recordLength, recordType } from '../../src/layout/record-buffer.ts'
import { readOrderClosed } from '../../src/layout/records.gen.ts'
import { eventually } from '../fixtures/eventually.ts'
import { operable, operate } from './command-line.ts'
import type { Frame } from './frame-log.ts'
import { spotClient } from './spot-clients.ts'
import { stageExchange } from './staged-exchange.ts'
import { type Params, Trader } from './trader.ts'

const SYMBOLS = ['ONETWO', 'ONETHREE', 'TWOTHREE']
const flags = ['--matchers', '2', '--gateways', '2']
const CANCELED_AT_START = 'canceled orders that sessions of the last start had left open'
let exchange: ExchangeProcess
let own: Trader
let other: Trader

beforeAll(async () => {
  const funds = { ONE: 1_000, TWO: 1_000_000, THREE: 1_000_000 }
  exchange = await stageExchange(
    {
      assets: ['ONE', 'TWO', 'THREE'],
      symbols: [
        { name: 'ONETWO' },
        { name: 'ONETHREE', quote: 'THREE' },
        { name: 'TWOTHREE', base: 'TWO', quote: 'THREE' },
      ],
      accounts: { own: { funds }, other: { funds } },
    },
    flags,
  )
  await exchange.run()
})
afterAll(() => exchange?.remove())
beforeEach(() => {
  own = new Trader(exchange, 'own')
  other = new Trader(exchange, 'other')
})

const limit = { type: 'LIMIT', timeInForce: 'GTC', side: 'BUY', quantity: 10, price: 9 }

/** Orders of every kind on every symbol, over the trader's socket; answers their ids by symbol. */
async function placeBound(trader: Trader): Promise<Map<string, number[]>> {
  const ids = new Map<string, number[]>()
  for (const symbol of SYMBOLS) {
    const place = async (method: string, params: Params) => {
      const { status, result } = await trader.askSocket(method, { symbol, ...params })
      expect(status).toBe(200)
      return result as Frame
    }
    const single = async (params: Params) => Number((await place('order.place', params)).orderId)
    const list = await place('orderList.place.otoco', {
      workingType: 'LIMIT',
      workingSide: 'BUY',
      workingPrice: 8,
      workingQuantity: 2,
      workingTimeInForce: 'GTC',
      pendingSide: 'SELL',
      pendingQuantity: 2,
      pendingAboveType: 'TAKE_PROFIT',
      pendingAboveStopPrice: 30,
      pendingBelowType: 'STOP_LOSS',
      pendingBelowTrailingDelta: 500,
    })
    const { price, timeInForce, ...rest } = limit
    ids.set(symbol, [
      await single(limit),
      await single({ ...limit, icebergQty: 2 }),
      await single({ ...rest, type: 'STOP_LOSS', stopPrice: 40 }),
      ...(list.orders as Frame[]).map(({ orderId }) => Number(orderId)),
    ])
  }
  return ids
}

async function bound(trader: Trader): Promise<Map<string, number[]>> {
  const answer = await trader.askPlain('session.cancelOnDisconnect', { enabled: true })
  expect(answer).toMatchObject({ status: 200, result: { enabled: true } })
  return placeBound(trader)
}

async function expectCanceled(ids: ReadonlyMap<string, readonly number[]>): Promise<void> {
  for (const [symbol, orderIds] of ids) {
    for (const orderId of orderIds) {
      const { status, executedQty } = await own.order(symbol, orderId)
      expect([symbol, orderId, status, executedQty]).toEqual([
        symbol,
        orderId,
        'CANCELED',
        '0.00000000',
      ])
    }
  }
}

const openIds = async (): Promise<unknown[]> => {
  const open = (await own.ask('GET', '/api/v3/openOrders')) as unknown as Frame[]
  return open.map(({ symbol, orderId }) => `${symbol} ${orderId}`).sort()
}

const nothingLocked = async (trader: Trader) => {
  for (const { locked } of Object.values(await trader.balances())) {
    if (Number(locked) !== 0) return undefined
  }
  return true
}

/** How often the journals of the exchange, which has ended, say that each order was canceled. */
function cancels(): Map<string, number> {
  const counts = new Map<string, number>()
  const merge = openMerge(exchange.data, journalsIn(exchange.data))
  for (let block = merge.next(); block !== undefined; block = merge.next()) {
    const { records, end } = block
    for (let at = block.start; at < end; at += recordLength(records, at)) {
      if (recordType(records, at) !== OrderClosed.type) continue
      const { symbolId, orderId } = readOrderClosed(records, at)
      const key = `${SYMBOLS[symbolId]} ${orderId}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  merge.close()
  return counts
}

test('a connection that breaks takes its orders with it, and its owner hears of each', async () => {
  await other.follow()
  await own.place({ ...limit, symbol: 'ONETWO' })
  const stays = await openIds()
  const witness = new Trader(exchange, 'own')
  await witness.follow()
  const ids = await bound(own)
  const count = [...ids.values()].flat().length
  await own.leave()
  const events = await witness.eventsUntil(
    (seen) => seen.filter(({ x }) => x === 'CANCELED').length === count,
  )
  const told = events.filter(({ x }) => x === 'CANCELED')
  expect(told.map(({ s, i }) => `${s} ${i}`).sort()).toEqual(
    [...ids].flatMap(([symbol, orderIds]) => orderIds.map((id) => `${symbol} ${id}`)).sort(),
  )
  expect(told.every(({ X, c, C }) => X === 'CANCELED' && c !== C)).toBe(true)
  await expectCanceled(ids)
  expect(await openIds()).toEqual(stays)
  await own.ask('DELETE', '/api/v3/openOrders', { symbol: 'ONETWO' })
  await witness.leave()
  await other.leave()
})

test('a stop cancels before it ends, and the next start has nothing to cancel', async () => {
  const ids = await bound(own)
  expect(await exchange.stop()).toMatchObject({ code: 0 })
  await exchange.run()
  expect(exchange.output).not.toContain(CANCELED_AT_START)
  await expectCanceled(ids)
  expect(await openIds()).toEqual([])
})

test('after kill -9, starts that are killed too, and one with other threads: once each', async () => {
  await operable(exchange)
  const placed = await bound(own)
  await operate(exchange, 'snapshot')
  const later = await placeBound(own)
  const stays = await own.place({ ...limit, symbol: 'TWOTHREE' })
  const ofOther = await other.place({ ...limit, symbol: 'TWOTHREE' })
  await exchange.stop('SIGKILL')

  for (const [round, threads] of [3, 1, 2].entries()) {
    flags[1] = String(threads)
    flags[3] = String(4 - threads)
    void exchange.launch()
    // Somewhere in the start: while it recovers, while it cancels, or after.
    await new Promise((resolve) => setTimeout(resolve, 250 + round * 120))
    await exchange.stop('SIGKILL')
  }
  flags[1] = '3'
  flags[3] = '1'
  await exchange.run()
  await expectCanceled(placed)
  await expectCanceled(later)
  expect(await openIds()).toEqual([`TWOTHREE ${stays.orderId}`])
  expect(await other.order('TWOTHREE', ofOther.orderId)).toMatchObject({ status: 'NEW' })
  await own.ask('DELETE', '/api/v3/openOrders', { symbol: 'TWOTHREE' })
  await other.ask('DELETE', '/api/v3/openOrders', { symbol: 'TWOTHREE' })
  await eventually('nothing is locked', () => nothingLocked(own))
  expect(await exchange.stop()).toMatchObject({ code: 0 })
  const counts = cancels()
  for (const ids of [placed, later]) {
    for (const [symbol, orderIds] of ids) {
      for (const id of orderIds)
        expect([symbol, id, counts.get(`${symbol} ${id}`)]).toEqual([symbol, id, 1])
    }
  }
  await exchange.run()
})

test('the official connector asks for it as for anything else', async () => {
  const client = spotClient(exchange, 'own')
  const socket = await client.websocketAPI.connect()
  const answer = await socket.sendMessage('session.cancelOnDisconnect', { enabled: true })
  expect(answer.data).toEqual({ enabled: true, heartbeatMs: null })
  await socket.sendSignedMessage('order.place', { ...limit, symbol: 'ONETWO' })
  expect(await openIds()).toHaveLength(1)
  await socket.disconnect()
  await eventually('it is canceled', async () =>
    (await openIds()).length === 0 ? true : undefined,
  )
})
