/**
 * Snapshots of a real exchange: made while it trades, begun from after kill -9 with more and with fewer
 * matchers, and passed over when they are damaged. What accounts are shown is the same each time.
 */
import fs from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { snapshotFile, snapshotsIn } from '../../src/journal/snapshot.ts'
import { eventually } from '../fixtures/eventually.ts'
import { snapshotNow } from './snapshot-now.ts'
import { stageExchange } from './staged-exchange.ts'
import { Trader } from './trader.ts'

const SYMBOLS = ['ONETWO', 'ONETHREE', 'TWOTHREE']
const flags = ['--matchers', '2', '--gateways', '1']
let exchange: ExchangeProcess

beforeAll(async () => {
  const funds = { ONE: 1_000, TWO: 100_000, THREE: 1_000_000 }
  exchange = await stageExchange(
    {
      assets: ['ONE', 'TWO', 'THREE'],
      symbols: [
        { name: 'ONETWO' },
        { name: 'ONETHREE', quote: 'THREE' },
        { name: 'TWOTHREE', base: 'TWO', quote: 'THREE' },
      ],
      accounts: { maker: { funds, makerRate: 100_000 }, taker: { funds, takerRate: 200_000 } },
    },
    flags,
  )
  await exchange.run()
})
afterAll(() => exchange?.remove())

const trader = (name: string) => new Trader(exchange, name)

/** Orders that rest, that trade, that wait for a price, and a list, on every symbol. */
async function trade(): Promise<void> {
  const [maker, taker] = [trader('maker'), trader('taker')]
  const limit = { type: 'LIMIT', timeInForce: 'GTC' }
  for (const symbol of SYMBOLS) {
    await maker.place({ ...limit, symbol, side: 'SELL', quantity: 3, price: 10, icebergQty: 1 })
    await maker.place({ ...limit, symbol, side: 'BUY', quantity: 2, price: 9 })
    await taker.place({ ...limit, symbol, side: 'BUY', quantity: 1.5, price: 10 })
    await taker.place({
      ...limit,
      symbol,
      side: 'SELL',
      type: 'STOP_LOSS_LIMIT',
      quantity: 1,
      price: 7,
      trailingDelta: 2000,
    })
    await taker.ask('POST', '/api/v3/orderList/oco', {
      symbol,
      side: 'SELL',
      quantity: 1,
      aboveType: 'LIMIT_MAKER',
      abovePrice: 20,
      belowType: 'STOP_LOSS',
      belowStopPrice: 5,
    })
  }
}

async function shown(): Promise<unknown> {
  const rows = [trader('maker'), trader('taker')].map(async (account) => ({
    balances: await account.balances(),
    open: await account.ask('GET', '/api/v3/openOrders'),
    lists: await account.ask('GET', '/api/v3/openOrderList'),
    orders: await Promise.all(
      SYMBOLS.map((symbol) => account.ask('GET', '/api/v3/allOrders', { symbol })),
    ),
  }))
  return Promise.all(rows)
}

async function restart(matchers: number): Promise<void> {
  flags[1] = String(matchers)
  await exchange.stop('SIGKILL')
  await exchange.run()
}

test('a start continues from the newest snapshot, whatever its number of matchers', async () => {
  for (const [round, matchers] of [3, 1].entries()) {
    await trade()
    const made = await eventually('a snapshot', () => snapshotNow(exchange.data))
    expect(made.number).toBe(round + 1)
    await trade()
    const before = await shown()
    await restart(matchers)
    expect(await shown()).toEqual(before)
    expect(exchange.output).toContain(`"snapshot":${round + 1},`)
    expect(exchange.output).toContain('continues from a snapshot')
  }
})

test('a damaged snapshot is passed over for the one before, and the log says so', async () => {
  await trade()
  const before = await shown()
  const [newest = 0, second] = snapshotsIn(exchange.data)
  const file = snapshotFile(exchange.data, newest)
  const bytes = fs.readFileSync(file)
  bytes[bytes.length >> 1]! ^= 1
  fs.writeFileSync(file, bytes)
  await restart(2)
  expect(exchange.output).toContain(`Snapshot ${newest} is passed over.`)
  expect(exchange.output).toContain(`"snapshot":${second},`)
  expect(await shown()).toEqual(before)
})

test('without snapshots the journals alone bring the same', async () => {
  const before = await shown()
  for (const number of snapshotsIn(exchange.data)) fs.rmSync(snapshotFile(exchange.data, number))
  await restart(2)
  expect(exchange.output).not.toContain('continues from a snapshot')
  expect(await shown()).toEqual(before)
})
