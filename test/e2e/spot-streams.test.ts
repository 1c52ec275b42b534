/** The official connector reads every market stream that it has a method for and that we have. */
import { SpotWebsocketStreams as Streams } from '@binance/spot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../fixtures/eventually.ts'
import { LoopExchange } from '../fixtures/loop-exchange.ts'
import { spotClient } from './spot-clients.ts'
import { Trader } from './trader.ts'

const SYMBOL = 'BTCUSDT'
const symbol = { symbol: SYMBOL }

let exchange: LoopExchange
let market: Streams.WebsocketStreamsConnection

beforeAll(async () => {
  exchange = await LoopExchange.start()
  market = await spotClient(exchange, 'maker').websocketStreams.connect()
})
afterAll(async () => {
  await market?.disconnect()
  await exchange?.remove()
})

interface Listenable {
  on(event: 'message', listener: (data: unknown) => void): void
}

test('every stream says something of a trade', async () => {
  const { KlineIntervalEnum, KlineOffsetIntervalEnum } = Streams
  const listened: Record<string, Listenable> = {
    aggTrade: market.aggTrade(symbol),
    trade: market.trade(symbol),
    kline: market.kline({ ...symbol, interval: KlineIntervalEnum.INTERVAL_1m }),
    klineOffset: market.klineOffset({ ...symbol, interval: KlineOffsetIntervalEnum.INTERVAL_1d }),
    miniTicker: market.miniTicker(symbol),
    allMiniTicker: market.allMiniTicker(),
    ticker: market.ticker(symbol),
    rollingWindowTicker: market.rollingWindowTicker({
      ...symbol,
      windowSize: Streams.RollingWindowTickerWindowSizeEnum.WINDOW_SIZE_1h,
    }),
    allMarketRollingWindowTicker: market.allMarketRollingWindowTicker({
      windowSize: Streams.AllMarketRollingWindowTickerWindowSizeEnum.WINDOW_SIZE_4h,
    }),
    bookTicker: market.bookTicker(symbol),
    avgPrice: market.avgPrice(symbol),
    partialBookDepth: market.partialBookDepth({
      ...symbol,
      levels: Streams.PartialBookDepthLevelsEnum.LEVELS_10,
    }),
    diffBookDepth: market.diffBookDepth(symbol),
  }
  const seen = new Map<string, unknown>()
  for (const [name, stream] of Object.entries(listened)) {
    stream.on('message', (data) => seen.set(name, data))
  }
  const maker = new Trader(exchange, 'maker')
  const taker = new Trader(exchange, 'taker')
  const order = { ...symbol, type: 'LIMIT', timeInForce: 'GTC', price: 50_000, quantity: '0.01' }
  // Subscriptions are not acknowledged to the user: trade until every stream has sent it.
  await eventually('a frame of each stream', async () => {
    await maker.place({ ...order, side: 'SELL' })
    await taker.place({ ...order, side: 'BUY' })
    return seen.size === Object.keys(listened).length || undefined
  })
  const price = '50000.00000000'
  expect(seen.get('aggTrade')).toMatchObject({ e: 'aggTrade', p: price, q: '0.01000000' })
  expect(seen.get('kline')).toMatchObject({ e: 'kline', k: { i: '1m', c: price } })
  expect(seen.get('klineOffset')).toMatchObject({ e: 'kline', k: { i: '1d', c: price } })
  expect(seen.get('allMiniTicker')).toMatchObject([{ e: '24hrMiniTicker', s: SYMBOL, c: price }])
  expect(seen.get('ticker')).toMatchObject({ e: '24hrTicker', c: price, P: '0.000' })
  expect(seen.get('rollingWindowTicker')).toMatchObject({ e: '1hTicker', c: price })
  expect(seen.get('allMarketRollingWindowTicker')).toMatchObject([{ e: '4hTicker', s: SYMBOL }])
  expect(seen.get('avgPrice')).toMatchObject({ e: 'avgPrice', i: '5m', w: price })
  expect(seen.get('partialBookDepth')).toMatchObject({ lastUpdateId: expect.any(Number), bids: [] })
})
