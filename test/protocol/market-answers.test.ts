/**
 * What market data and the exchange answer, beside the documented examples: the same members with the
 * same types, and the values that this request must give.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { FakeContext, loadBook, NOW_MS } from '../../bench/workloads/fake-context.ts'
import { operations } from '../../src/api/operations/index.ts'
import { marketOperations } from '../../src/api/operations/market.ts'
import { type Param, paramNames } from '../../src/api/parameters.ts'
import { ReferenceCalculation, Side } from '../../src/base/codes.ts'
import { Lots, Ms, QuoteAtoms, SymbolId, Ticks, TradeId } from '../../src/base/units.ts'
import { Bar } from '../../src/history/bar.ts'
import { BookBegin } from '../../src/layout/accessors.gen.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { DAY_MS, MINUTE_MS } from '../../src/market/intervals.ts'
import type { PriceRange } from '../../src/market/listing.ts'
import { Asking } from './asking.ts'
import type { RequestOptions } from './fake-responder.ts'

const asking = new Asking()

/** Member names and types, arrays by their first item: what an example shows of a shape. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, shapeOf(member)]),
  )
}

describe('the exchange', () => {
  test('ping and time', () => {
    expect(asking.now('ping')).toEqual({})
    expect(asking.now('time')).toEqual({ serverTime: NOW_MS })
    expect(asking.now('time', '', { microseconds: true })).toEqual({ serverTime: NOW_MS * 1000 })
    expect(asking.now('systemStatus')).toEqual({ status: 0, msg: 'normal' })
  })

  test('exchangeInfo', () => {
    const info = asking.now('exchangeInfo') as { symbols: Record<string, unknown>[] }
    expect(shapeOf(info)).toEqual(
      shapeOf({
        timezone: 'UTC',
        serverTime: 1565246363776,
        rateLimits: [{ rateLimitType: '', interval: '', intervalNum: 1, limit: 1 }],
        exchangeFilters: [],
        symbols: [
          {
            symbol: 'ETHBTC',
            status: 'TRADING',
            baseAsset: 'ETH',
            baseAssetPrecision: 8,
            quoteAsset: 'BTC',
            quotePrecision: 8,
            quoteAssetPrecision: 8,
            baseCommissionPrecision: 8,
            quoteCommissionPrecision: 8,
            orderTypes: ['LIMIT'],
            icebergAllowed: true,
            ocoAllowed: true,
            otoAllowed: true,
            opoAllowed: true,
            quoteOrderQtyMarketAllowed: true,
            allowTrailingStop: false,
            cancelReplaceAllowed: false,
            amendAllowed: false,
            pegInstructionsAllowed: true,
            isSpotTradingAllowed: true,
            isMarginTradingAllowed: true,
            filters: [{ filterType: '', minPrice: '', maxPrice: '', tickSize: '' }],
            permissions: ['SPOT'],
            permissionSets: [['SPOT']],
            defaultSelfTradePreventionMode: 'NONE',
            allowedSelfTradePreventionModes: ['NONE'],
          },
        ],
        permissions: ['SPOT'],
        defaultSelfTradePreventionMode: 'NONE',
        allowedSelfTradePreventionModes: ['NONE'],
      }),
    )
    expect(info.symbols[0]).toMatchObject({
      symbol: 'BTCUSDT',
      orderTypes: [
        'LIMIT',
        'LIMIT_MAKER',
        'MARKET',
        'STOP_LOSS',
        'STOP_LOSS_LIMIT',
        'TAKE_PROFIT',
        'TAKE_PROFIT_LIMIT',
      ],
      permissionSets: [['SPOT']],
      defaultSelfTradePreventionMode: 'EXPIRE_MAKER',
    })
  })

  test.each<[query: string, names: string[]]>([
    ['', ['BTCUSDT', 'ETHBTC']],
    ['symbol=ETHBTC', ['ETHBTC']],
    ['symbols=%5B%22ETHBTC%22,%22BTCUSDT%22%5D', ['ETHBTC', 'BTCUSDT']],
    ['symbols=["ETHBTC"]', ['ETHBTC']],
    ['symbolStatus=HALT', ['ETHBTC']],
    ['symbolStatus=BREAK', []],
    ['permissions=SPOT', ['BTCUSDT', 'ETHBTC']],
    ['permissions=["MARGIN","SPOT"]', ['BTCUSDT', 'ETHBTC']],
    ['permissions=["MARGIN"]', []],
  ])('exchangeInfo %s', (query, names) => {
    const { symbols } = asking.now('exchangeInfo', query) as { symbols: { symbol: string }[] }
    expect(symbols.map(({ symbol }) => symbol)).toEqual(names)
  })

  test('exchangeInfo without permission sets', () => {
    const query = 'symbol=BTCUSDT&showPermissionSets=false'
    const { symbols } = asking.now('exchangeInfo', query) as {
      symbols: { permissionSets: unknown }[]
    }
    expect(symbols[0]?.permissionSets).toEqual([])
  })
})

describe('execution rules', () => {
  const ranged = (name: string, priceRange: PriceRange) => ({
    ...new FakeContext().symbolNamed(name)!,
    priceRange,
  })
  const context = new FakeContext([
    ranged('BTCUSDT', { bidUp: 20_000, bidDown: 5_000, askUp: 10_001, askDown: 9_999 }),
    ranged('ETHBTC', { bidUp: 0, bidDown: 0, askUp: 0, askDown: 9_500 }),
  ])
  const ruleType = 'PRICE_RANGE'
  const bid = { bidLimitMultUp: '2.0000', bidLimitMultDown: '0.5000' }
  const ask = { askLimitMultUp: '1.0001', askLimitMultDown: '0.9999' }
  const btc = { symbol: 'BTCUSDT', rules: [{ ruleType, ...bid, ...ask }] }
  const eth = { symbol: 'ETHBTC', rules: [{ ruleType, askLimitMultDown: '0.9500' }] }

  test.each([
    ['', [btc, eth]],
    ['symbol=ETHBTC', [eth]],
    ['symbols=["ETHBTC","BTCUSDT"]', [eth, btc]],
    ['symbolStatus=TRADING', [btc]],
    ['symbolStatus=BREAK', []],
  ])('%s', (query, symbolRules) => {
    expect(asking.now('executionRules', query, {}, context)).toEqual({ symbolRules })
  })

  test('are none without a price range', () => {
    expect(asking.now('executionRules')).toEqual({ symbolRules: [] })
    expect(asking.now('executionRules', 'symbol=BTCUSDT')).toEqual({ symbolRules: [] })
  })

  test.each([
    ['', 40],
    ['symbolStatus=TRADING', 40],
    ['symbol=A', 2],
    [`symbols=${Array.from({ length: 20 }, () => 'A')}`, 40],
    [`symbols=${Array.from({ length: 19 }, () => 'A')}`, 38],
    [`symbols=${Array.from({ length: 21 }, () => 'A')}`, 40],
  ])('%s weigh %i', (query, weight) => {
    const sent = new URLSearchParams(query)
    const text = (slot: Param) => sent.get(paramNames[slot]!) ?? undefined
    const { weight: weigh } = marketOperations.find(({ id }) => id === 'executionRules')!
    const has = (slot: Param) => text(slot) !== undefined
    expect((weigh as (params: unknown) => number)({ text, has })).toBe(weight)
  })
})

describe('a reference price', () => {
  const symbol = 'BTCUSDT'
  const external = {
    calculation: ReferenceCalculation.EXTERNAL,
    externalId: 42,
    bucketCount: 0,
    bucketWidthMs: 0,
  }
  const mean = {
    calculation: ReferenceCalculation.ARITHMETIC_MEAN,
    externalId: 0,
    bucketCount: 10,
    bucketWidthMs: 1_000,
  }

  function refused(context: FakeContext, id: string, query = `symbol=${symbol}`) {
    const { answer } = asking.ask(context, id, query)
    return [answer?.status, JSON.parse(answer?.body as string).code]
  }

  test.each(['referencePrice', 'referencePriceCalculation'])('%s: there is none', (id) => {
    expect(refused(new FakeContext(), id)).toEqual([400, -2043])
  })

  test('from outside is shown, or null, once there was one', () => {
    const context = new FakeContext()
    const price = () => asking.now('referencePrice', `symbol=${symbol}`, {}, context)
    context.references[0]!.change(external, -1)
    expect(refused(context, 'referencePrice')).toEqual([400, -2043])
    context.references[0]!.change(external, 1_000_000_000)
    expect(price()).toEqual({ symbol, referencePrice: '10.00000000', timestamp: NOW_MS })
    context.references[0]!.change(external, -1)
    expect(price()).toEqual({ symbol, referencePrice: null, timestamp: NOW_MS })
    expect(asking.now('referencePriceCalculation', `symbol=${symbol}`, {}, context)).toEqual({
      symbol,
      calculationType: 'EXTERNAL',
      externalCalculationId: 42,
    })
  })

  test('of trades is their mean', () => {
    const context = new FakeContext()
    context.references[0]!.change(mean, -1)
    for (const ticks of [4_999_900, 5_000_000]) {
      context.references[0]!.traded(Ticks(ticks), Ms(NOW_MS - 500))
    }
    const timestamp = NOW_MS * 1_000
    expect(
      asking.now('referencePrice', `symbol=${symbol}`, { microseconds: true }, context),
    ).toEqual({ symbol, referencePrice: '49999.50000000', timestamp })
    const query = `symbol=${symbol}&symbolStatus=TRADING`
    expect(asking.now('referencePriceCalculation', query, {}, context)).toEqual({
      symbol,
      calculationType: 'ARITHMETIC_MEAN',
      bucketCount: 10,
      bucketWidthMs: 1_000,
    })
    const halted = `symbol=${symbol}&symbolStatus=HALT`
    expect(refused(context, 'referencePriceCalculation', halted)).toEqual([400, -1220])
  })

  test('is not shown while the book is loaded again', () => {
    const context = new FakeContext()
    context.references[0]!.change(external, 7)
    context.depths[0]!.invalidate()
    expect(refused(context, 'referencePrice')[1]).toBe(-1008)
  })
})

describe('market data', () => {
  const context = new FakeContext()
  loadBook(context.depth(SymbolId(0)), [
    [0, Ticks(4_999_900), Lots(1_000)],
    [0, Ticks(4_999_800), Lots(2_000)],
    [1, Ticks(5_000_000), Lots(3_000)],
  ])
  context.tape(SymbolId(0)).seed([
    {
      tradeId: TradeId(1),
      priceTicks: Ticks(100),
      lots: Lots(100_000),
      quoteAtoms: QuoteAtoms(100_000_000),
      timeMs: Ms(NOW_MS - 2),
      isBuyerMaker: true,
    },
    {
      tradeId: TradeId(2),
      priceTicks: Ticks(200),
      lots: Lots(300_000),
      quoteAtoms: QuoteAtoms(600_000_000),
      timeMs: Ms(NOW_MS - 1),
      isBuyerMaker: false,
    },
  ])
  const of = (id: string, query: string, options: RequestOptions = {}) =>
    asking.now(id, query, options, context)

  test('depth', () => {
    expect(of('depth', 'symbol=BTCUSDT')).toEqual({
      lastUpdateId: 100,
      bids: [
        ['49999.00000000', '0.01000000'],
        ['49998.00000000', '0.02000000'],
      ],
      asks: [['50000.00000000', '0.03000000']],
    })
    expect(of('depth', 'symbol=BTCUSDT&limit=1')).toMatchObject({
      bids: [['49999.00000000', '0.01000000']],
    })
    expect(of('depth', 'symbol=ETHBTC&limit=99999')).toEqual({
      lastUpdateId: 100,
      bids: [],
      asks: [],
    })
  })

  test('depth is never older than the book', () => {
    const moving = new FakeContext()
    const ask = (limit: number) =>
      asking.now('depth', `symbol=BTCUSDT&limit=${limit}`, {}, moving) as { bids: unknown[] }
    loadBook(moving.depth(SymbolId(0)), [[0, Ticks(2), Lots(1)]], 7)
    expect(ask(5).bids).toHaveLength(1)
    loadBook(
      moving.depth(SymbolId(0)),
      [
        [0, Ticks(2), Lots(1)],
        [0, Ticks(1), Lots(1)],
      ],
      8,
    )
    expect(ask(5)).toMatchObject({ lastUpdateId: 8, bids: [['0.02000000', '0.00001000'], {}] })
    expect(ask(1).bids).toHaveLength(1)
  })

  test('trades', () => {
    const last = {
      id: 2,
      price: '2.00000000',
      qty: '3.00000000',
      quoteQty: '6.00000000',
      time: (NOW_MS - 1) * 1000,
      isBuyerMaker: false,
      isBestMatch: true,
    }
    expect(of('trades', 'symbol=BTCUSDT&limit=1', { microseconds: true })).toEqual([last])
    expect(of('trades', 'symbol=BTCUSDT')).toHaveLength(2)
    expect(of('trades', 'symbol=ETHBTC')).toEqual([])
  })

  test('average price', () => {
    expect(of('avgPrice', 'symbol=BTCUSDT')).toEqual({
      mins: 5,
      price: '1.75000000',
      closeTime: NOW_MS - 1,
    })
    expect(of('avgPrice', 'symbol=ETHBTC')).toEqual({ mins: 5, price: '0.00000000', closeTime: 0 })
  })

  test('tickers', () => {
    const btc = { symbol: 'BTCUSDT', price: '2.00000000' }
    const eth = { symbol: 'ETHBTC', price: '0.00000000' }
    expect(of('tickerPrice', 'symbol=BTCUSDT')).toEqual(btc)
    expect(of('tickerPrice', 'symbols=["BTCUSDT"]')).toEqual([btc])
    expect(of('tickerPrice', '')).toEqual([btc, eth])
    expect(of('tickerPrice', 'symbolStatus=HALT')).toEqual([eth])
    expect(of('tickerBook', 'symbol=BTCUSDT&symbolStatus=TRADING')).toEqual({
      symbol: 'BTCUSDT',
      bidPrice: '49999.00000000',
      bidQty: '0.01000000',
      askPrice: '50000.00000000',
      askQty: '0.03000000',
    })
    expect(of('tickerBook', 'symbols=["ETHBTC","BTCUSDT"]')).toHaveLength(2)
  })
})

describe('the last 24 hours', () => {
  const context = new FakeContext()
  loadBook(context.depths[0]!, [
    [Side.BUY, Ticks(4_999_900), Lots(1000)],
    [Side.SELL, Ticks(5_000_000), Lots(3000)],
  ])
  const window = context.dayWindows[0]!

  test('are not told before history has come', () => {
    const { answer } = asking.ask(context, 'ticker24hr', 'symbol=BTCUSDT')
    expect(answer?.status).toBe(503)
  })

  test('FULL and MINI', () => {
    const bar = new Bar()
    bar.add(TradeId(28_385), Ticks(5_000_000), Lots(1_000), QuoteAtoms(50_000_000_000), false)
    bar.add(TradeId(28_386), Ticks(4_900_050), Lots(2_000), QuoteAtoms(98_001_000_000), true)
    const openMs = Ms(Math.floor(NOW_MS / MINUTE_MS) * MINUTE_MS - MINUTE_MS)
    window.seed({ beforeTicks: Ticks(5_100_000), minutes: [{ ...bar.row(), openMs }] })
    context.dayWindows[1]!.seed({ beforeTicks: Ticks(0), minutes: [] })
    const full = asking.now('ticker24hr', 'symbol=BTCUSDT', {}, context)
    expect(full).toEqual({
      symbol: 'BTCUSDT',
      priceChange: '-999.50000000',
      priceChangePercent: '-1.999',
      weightedAvgPrice: '49333.66666667',
      prevClosePrice: '51000.00000000',
      lastQty: '0.00000000',
      bidPrice: '49999.00000000',
      bidQty: '0.01000000',
      askPrice: '50000.00000000',
      askQty: '0.03000000',
      openPrice: '50000.00000000',
      highPrice: '50000.00000000',
      lowPrice: '49000.50000000',
      lastPrice: '49000.50000000',
      volume: '0.03000000',
      quoteVolume: '1480.01000000',
      openTime: NOW_MS - DAY_MS,
      closeTime: NOW_MS,
      firstId: 28_385,
      lastId: 28_386,
      count: 2,
    })
    const {
      priceChangePercent: _,
      weightedAvgPrice: _average,
      bidPrice: _bid,
      bidQty: _bidQty,
      askPrice: _ask,
      askQty: _askQty,
      lastQty: _lastQty,
      ...mini
    } = full as Record<string, unknown>
    expect(asking.now('ticker24hr', 'symbol=BTCUSDT&type=MINI', {}, context)).toEqual(mini)
  })
})

test('an auction that has never been has prices and times of 0', () => {
  const none = { price: '0.00000000', quantity: '0.00000000', surplusQuantity: '0.00000000' }
  const context = new FakeContext()
  const book = RecordBuffer.allocate(BookBegin.bytes)
  BookBegin.setCloseTicks(book, 0, Ticks(4_200_000))
  BookBegin.setCloseMs(book, 0, Ms(1_000))
  context.auctions[0]!.bookBegins(book, 0)
  expect(asking.now('auction', 'symbol=BTCUSDT', {}, context)).toEqual({
    symbol: 'BTCUSDT',
    status: 'TRADING',
    indicative: { ...none, surplusSide: 'NONE', time: 0 },
    last: { ...none, surplusSide: 'NONE', time: 0 },
    close: { price: '42000.00000000', time: 1_000 },
  })
  expect(asking.ask(context, 'auction', 'symbol=NONE').answer?.body).toContain('-1121')
})

describe('the table', () => {
  test('ids, routes and methods are unique', () => {
    for (const key of ['id', 'wsMethod'] as const) {
      const values = operations.map((row) => row[key]).filter((value) => value !== undefined)
      expect(new Set(values).size).toBe(values.length)
    }
    const routes = operations.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(routes).size).toBe(routes.length)
  })
})

afterAll(() => {
  asking.expectAllOf(marketOperations)
})

describe('before the past of trades is known', () => {
  const context = new FakeContext()
  for (const tape of context.tapes) {
    tape.missed()
    tape.begin(Ticks(4_200_000))
  }
  for (const window of context.dayWindows) window.seed({ beforeTicks: Ticks(0), minutes: [] })

  test.each(['trades', 'avgPrice', 'ticker24hr'])('%s is refused', (id) => {
    const { answer } = asking.ask(context, id, 'symbol=BTCUSDT')
    expect(`${answer?.status} ${answer?.body}`).toMatch(/^503 \{"code":-1008,/)
  })

  test('the last price is known', () => {
    const { answer } = asking.ask(context, 'tickerPrice', 'symbol=BTCUSDT')
    expect(JSON.parse(answer?.body ?? '')).toEqual({ symbol: 'BTCUSDT', price: '42000.00000000' })
  })
})
