/**
 * Local books kept by the documented method, from both diff streams and over both gateways, under
 * bursts of random orders and cancels: after each burst they equal the exchange's book, and what all
 * accounts have open.
 */
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { units } from '../../scripts/exchange/amounts.ts'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { Prng } from '../../src/base/prng.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type DepthSnapshot, type Level, LocalBook } from './local-book.ts'

const SEED = 77_001
const SYMBOL = 'BTCUSDT'
const STREAMS = ['btcusdt@depth', 'btcusdt@depth@100ms']
/** Each account trades on several connections at once, so that blocks hold more than one order. */
const LANES_PER_ACCOUNT = 3
const BURSTS = 3
const COMMANDS_PER_LANE = 80
/** In each burst the lanes continue until every book has received so many diffs more. */
const DIFFS_MIN = 3
/** The kernel chooses the gateway of a connection. */
const BOOKS_PER_STREAM = 4

let exchange: ExchangeProcess
const books: LocalBook[] = []

beforeAll(async () => {
  exchange = await ExchangeProcess.start()
})
afterAll(async () => {
  await Promise.all(books.map((book) => book.close()))
  await exchange?.remove()
})

async function snapshot(): Promise<DepthSnapshot> {
  const response = await fetch(`${exchange.url}/api/v3/depth?symbol=${SYMBOL}&limit=5000`)
  expect(response.status).toBe(200)
  return (await response.json()) as DepthSnapshot
}

test('after each burst the books equal the depth and the open orders', async () => {
  const prng = new Prng(SEED)
  const clients = Object.values(exchange.keys()).map((key) => new SignedClient(exchange.url, key))
  await firstTrade(clients)
  const lanes = clients.flatMap((client) => Array<SignedClient>(LANES_PER_ACCOUNT).fill(client))
  const addresses = Array<string[]>(BOOKS_PER_STREAM).fill(STREAMS).flat()
  const opening = addresses.map(async (name) => {
    books.push(await LocalBook.open(`${exchange.wsUrl}/ws/${name}`, snapshot))
  })
  for (let burst = 0; burst < BURSTS; burst++) {
    const told = books.map(({ diffs }) => diffs)
    const isEnough = () =>
      books.length === addresses.length &&
      books.every(({ diffs }, index) => diffs >= (told[index] ?? 0) + DIFFS_MIN)
    const load = lanes.map((client) => trade(client, new Prng(prng.uint32()), isEnough))
    await Promise.all([...load, ...opening])
    await expectBooks(clients)
  }
})

async function expectBooks(clients: readonly SignedClient[]): Promise<void> {
  const open = levelsOf(await openOrders(clients))
  const expected = await eventually('a depth that shows the last order', async () => {
    const taken = await snapshot()
    return isDeepStrictEqual(sidesOf(taken), open) ? taken : undefined
  })
  expect(expected.bids.length).toBeGreaterThan(20)
  expect(expected.asks.length).toBeGreaterThan(20)
  for (const book of books) {
    await eventually('the local book catching up', () =>
      book.advance() >= expected.lastUpdateId ? true : undefined,
    )
    expect(book.contents()).toEqual(expected)
  }
}

interface Order {
  readonly orderId: number
  readonly side: 'BUY' | 'SELL'
  readonly price: string
  readonly status: string
  readonly origQty: string
  readonly executedQty: string
}

/** Market orders need a price to be worth something at. */
async function firstTrade([one, other]: readonly SignedClient[]): Promise<void> {
  const order = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC', price: '50000', quantity: '1' }
  await one?.send('POST', '/api/v3/order', { ...order, side: 'BUY' })
  await other?.send('POST', '/api/v3/order', { ...order, side: 'SELL' })
}

/** Limit orders around one price, some that only take, some market orders, and many cancels. */
async function trade(client: SignedClient, prng: Prng, isEnough: () => boolean): Promise<void> {
  const open: number[] = []
  for (let count = 0; count < COMMANDS_PER_LANE || !isEnough(); count++) {
    const cancel = open.length > 0 && prng.chance(0.35)
    const answer = cancel
      ? await client.send('DELETE', '/api/v3/order', {
          symbol: SYMBOL,
          orderId: open.splice(prng.below(open.length), 1)[0] as number,
        })
      : await client.send('POST', '/api/v3/order', randomOrder(prng))
    if (answer.status === 200) {
      const order = answer.body as unknown as Order
      if (['NEW', 'PARTIALLY_FILLED'].includes(order.status)) open.push(order.orderId)
    } else {
      // Already filled, or nothing to take: the only refusals that this load can meet.
      expect([-2011, -1112], JSON.stringify(answer.body)).toContain(answer.body.code)
    }
  }
}

function randomOrder(prng: Prng): Record<string, string | number> {
  const side = prng.pick(['BUY', 'SELL'])
  const quantity = (prng.between(1, 200) / 1000).toFixed(5)
  if (prng.chance(0.05)) return { symbol: SYMBOL, side, type: 'MARKET', quantity }
  const away = prng.between(-5, 100) / 10
  const price = (side === 'BUY' ? 50_000 - away : 50_000 + away).toFixed(2)
  const timeInForce = prng.pick(['GTC', 'GTC', 'GTC', 'GTC', 'IOC'])
  return { symbol: SYMBOL, side, type: 'LIMIT', timeInForce, price, quantity }
}

async function openOrders(clients: readonly SignedClient[]): Promise<Order[]> {
  const answers = await Promise.all(
    clients.map((client) => client.send('GET', '/api/v3/openOrders', { symbol: SYMBOL })),
  )
  return answers.flatMap((answer) => answer.body as unknown as Order[])
}

interface Sides {
  readonly bids: readonly (readonly [price: bigint, quantity: bigint])[]
  readonly asks: readonly (readonly [price: bigint, quantity: bigint])[]
}

/** The book that these orders make. */
function levelsOf(orders: readonly Order[]): Sides {
  const levels = { BUY: new Map<bigint, bigint>(), SELL: new Map<bigint, bigint>() }
  for (const order of orders) {
    const side = levels[order.side]
    const price = units(order.price)
    const remaining = units(order.origQty) - units(order.executedQty)
    side.set(price, (side.get(price) ?? 0n) + remaining)
  }
  const ascending = ([a]: readonly [bigint, bigint], [b]: readonly [bigint, bigint]) =>
    Number(a - b)
  return {
    bids: [...levels.BUY].sort(ascending).reverse(),
    asks: [...levels.SELL].sort(ascending),
  }
}

function sidesOf(depth: DepthSnapshot): Sides {
  const inUnits = (levels: readonly Level[]) =>
    levels.map(([price, quantity]) => [units(price), units(quantity)] as const)
  return { bids: inUnits(depth.bids), asks: inUnits(depth.asks) }
}
