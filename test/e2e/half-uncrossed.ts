/** An auction whose matcher stands still in the middle of its trades, in the middle of a batch. */
import { expect } from 'vitest'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'
import { act } from './admin-server.ts'
import { ThreadStall } from './thread-stall.ts'
import { Trader } from './trader.ts'

const SYMBOL = 'BTCUSDT'
/** Pairs of orders that meet: several batches of trades. */
const PAIRS = 600
/** Pairs that trade before the matcher stands still. */
const MET = 350
const TOGETHER = 50
/** The buyers' limits, above the sellers'. */
const PRICES = ['50010', '50020', '50030']
const MEETING = 'uncrossing.meet(this.matching, this.prevention)'

interface PublicTrade {
  readonly id: number
  readonly price: string
  readonly qty: string
}
interface Side {
  readonly account: string
  readonly side: 'BUY' | 'SELL'
  readonly prices: readonly string[]
}

const buyer: Side = { account: 'maker', side: 'BUY', prices: PRICES }
const seller: Side = { account: 'taker', side: 'SELL', prices: ['49990'] }

const read = async (exchange: ExchangeProcess, path: string) =>
  (await fetch(`${exchange.url}/api/v3/${path}`)).json()
const tradesOf = async (exchange: ExchangeProcess) =>
  (await read(exchange, `trades?symbol=${SYMBOL}&limit=1000`)) as PublicTrade[]

/** Gathers orders that cross in a call, ends it, and stands still. Returns the trades that clients know of. */
export async function standStillInUncrossing(
  exchange: ExchangeProcess,
): Promise<readonly PublicTrade[]> {
  await act(exchange, 'symbol-status', { symbol: SYMBOL, status: 'AUCTION_MATCH' })
  for (const side of [buyer, seller]) await placeAll(exchange, side)
  const stall = await ThreadStall.at(exchange, 'matching.thread.js', MEETING, MET)
  // Answered, if ever, once the auction is over.
  act(exchange, 'symbol-status', { symbol: SYMBOL, status: 'TRADING' }).catch(() => {})
  await stall.standsStill()
  const trades = await eventually('some of the trades', async () => {
    const found = await tradesOf(exchange)
    return found.length > 0 ? found : undefined
  })
  expect(trades.length).toBeLessThan(MET)
  const { status } = (await read(exchange, `auction?symbol=${SYMBOL}`)) as { status: string }
  expect(status, 'the auction is not over').toBe('AUCTION_MATCH')
  stall.leave()
  return trades
}

async function placeAll(exchange: ExchangeProcess, { account, side, prices }: Side): Promise<void> {
  const trader = new Trader(exchange, account)
  for (let placed = 0; placed < PAIRS; placed += TOGETHER) {
    const orders = Array.from({ length: TOGETHER }, (_, i) =>
      trader.askSocket('order.place', {
        symbol: SYMBOL,
        type: 'LIMIT',
        timeInForce: 'GTC',
        side,
        quantity: '0.001',
        price: prices[i % prices.length]!,
      }),
    )
    const answers = await Promise.all(orders)
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([200])
  }
  await trader.leave()
}

/** Expects that the auction came to its end once: every pair traded, at one price, what was known among it. */
export async function expectUncrossed(
  exchange: ExchangeProcess,
  known: readonly PublicTrade[],
): Promise<void> {
  const trades = await eventually('all trades', async () => {
    const found = await tradesOf(exchange)
    return found.length >= PAIRS ? found : undefined
  })
  const { status } = (await read(exchange, `auction?symbol=${SYMBOL}`)) as { status: string }
  expect(status).toBe('TRADING')
  expect(trades.slice(0, known.length)).toEqual(known)
  expect(trades.map(({ id }) => id)).toEqual(Array.from({ length: PAIRS }, (_, i) => i + 1))
  expect([...new Set(trades.map(({ price, qty }) => `${qty} at ${price}`))]).toHaveLength(1)
  for (const { account } of [buyer, seller]) {
    const trader = new Trader(exchange, account)
    expect(await trader.ask('GET', '/api/v3/openOrders', { symbol: SYMBOL })).toEqual([])
    const own = await trader.ask('GET', '/api/v3/myTrades', { symbol: SYMBOL, limit: 1000 })
    expect(own).toHaveLength(PAIRS)
  }
}
