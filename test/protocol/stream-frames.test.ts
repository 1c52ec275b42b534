/**
 * The frame of every market stream beside a recorded one, in every framing, made by the gateway's
 * topics from one scene: two trades of before, then one taker order that trades twice.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { btcusdt, ethbtc, loadBook, NOW_MS } from '../../bench/workloads/fake-context.ts'
import { list } from '../../src/api/answers/schema.ts'
import { type StreamRow, streams } from '../../src/api/streams.ts'
import { packTerms, ReferenceCalculation, SymbolStatus } from '../../src/base/codes.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { Lots, Ms, OrderId, QuoteAtoms, Ticks, TradeId } from '../../src/base/units.ts'
import { AuctionView } from '../../src/core/views/auction-view.ts'
import { DayWindow } from '../../src/core/views/day-window.ts'
import { DepthView } from '../../src/core/views/depth.ts'
import { ReferencePrice } from '../../src/core/views/reference-price.ts'
import { Tape } from '../../src/core/views/tape.ts'
import { ReaderGroup } from '../../src/gateway/streams/fanout.ts'
import { framingOf } from '../../src/gateway/streams/framing.ts'
import { TICK_MS, Topics } from '../../src/gateway/streams/topics.ts'
import type { PublicTradeRow } from '../../src/history/market-history.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { DAY_MS, Interval } from '../../src/market/intervals.ts'
import { noReference } from '../../src/market/listing.ts'
import { countersBytes, ThreadCounters } from '../../src/shared/counters.ts'
import { plainKline, plainKlines } from '../model/plain-klines.ts'
import { blockTrade, queryEnd, trade } from './records.ts'
import { flaggedLast } from './reports.ts'

const MINUTE_MS = 60_000
/** 2023-11-14 22:13:20 UTC is NOW_MS; this one is before the day's window, in the same week. */
const dayBefore: PublicTradeRow = {
  tradeId: TradeId(70),
  priceTicks: Ticks(4_800_000),
  lots: Lots(5_000),
  quoteAtoms: QuoteAtoms(240_000_000_000),
  timeMs: Ms(Date.parse('2023-11-13T22:11:20Z')),
  isBuyerMaker: false,
}
const hourBefore: PublicTradeRow = {
  tradeId: TradeId(71),
  priceTicks: Ticks(5_100_000),
  lots: Lots(1_000),
  quoteAtoms: QuoteAtoms(51_000_000_000),
  timeMs: Ms(Date.parse('2023-11-14T21:43:20Z')),
  isBuyerMaker: true,
}
const past = [dayBefore, hourBefore]
const group = new ReaderGroup(0)
const bids = Array.from(
  { length: 25 },
  (_, i) => [0, Ticks(4_998_000 - i), Lots(1_000 + i)] as const,
)
const asks = Array.from(
  { length: 25 },
  (_, i) => [1, Ticks(4_999_900 + i * 100), Lots(2_000 + i)] as const,
)

class Scene {
  readonly frames: string[] = []
  readonly topics: Topics
  readonly depths = [btcusdt, ethbtc].map((spec) => new DepthView(spec))
  readonly tapes = [btcusdt, ethbtc].map((spec) => new Tape(spec))
  readonly dayWindows = [new DayWindow(), new DayWindow()]
  /** By id; an operator may put another in a place. */
  readonly symbols = [btcusdt, ethbtc]
  nowMs = NOW_MS

  constructor() {
    loadBook(this.depths[0]!, [...bids, ...asks])
    loadBook(this.depths[1]!, [])
    this.tapes[0]!.seed(past)
    this.tapes[1]!.seed([])
    const reference = new ReferencePrice(btcusdt.tickUnits)
    reference.change(
      { ...noReference, calculation: ReferenceCalculation.EXTERNAL },
      4_999_050_000_000,
    )
    const openMs = hourBefore.timeMs - (hourBefore.timeMs % MINUTE_MS)
    const minute = plainKline(past, Interval['1m'], 0, Ms(openMs))
    this.dayWindows[0]!.seed({ beforeTicks: dayBefore.priceTicks, minutes: [minute] })
    this.dayWindows[1]!.seed({ beforeTicks: Ticks(0), minutes: [] })
    this.topics = new Topics({
      symbols: this.symbols,
      depths: this.depths,
      tapes: this.tapes,
      dayWindows: this.dayWindows,
      auctions: [new AuctionView(), new AuctionView()],
      references: [reference, new ReferencePrice(ethbtc.tickUnits)],
      history: {
        klines: async ({ symbolId, interval, offsetMs, nowMs, limit }) =>
          symbolId === 0 ? plainKlines(past, interval, offsetMs, nowMs, limit) : [],
        aggregateTrades: async () => [
          {
            ...hourBefore,
            aggregateId: 26,
            takerOrderId: OrderId(1),
            firstTradeId: TradeId(71),
            lastTradeId: TradeId(71),
          },
        ],
      },
      clock: Object.assign(new RealTime(), { nowMs: () => this.nowMs }),
      warn: () => {},
      counters: ThreadCounters.ofGateway(new SharedArrayBuffer(countersBytes(1, 1)), 0),
      publish: (_, frame) => this.frames.push(Buffer.from(frame).toString()),
    })
  }

  /** One order buys 0.004 and then 0.006 of an order at 49999.00; a block trade is made, a status sent. */
  live(): void {
    const buffer = RecordBuffer.allocate(1024)
    const fields = { makerTerms: packTerms(1, 0, 0, 0), makerLots: Lots(2_000) }
    const first = trade({ ...fields, tradeId: TradeId(72), tradeLots: Lots(400), updateId: 101 })
    const second = trade({ ...fields, tradeId: TradeId(73), tradeLots: Lots(600), updateId: 102 })
    for (const write of [first, flaggedLast(second)]) {
      write(buffer)
      this.depths[0]!.apply(buffer, 0)
      this.tapes[0]!.apply(buffer, 0)
      this.dayWindows[0]!.apply(buffer, 0)
      this.topics.record(buffer, 0)
    }
    blockTrade(buffer)
    this.topics.record(buffer, 0)
    this.topics.statusChanged(this.symbols[0]!)
    this.topics.auctionChanged(this.symbols[0]!)
  }

  /** A turn that changes nothing here. */
  turnEnds(): void {
    const buffer = RecordBuffer.allocate(1024)
    flaggedLast(queryEnd)(buffer)
    this.topics.record(buffer, 0)
  }

  /** Two milliseconds after the trades, as often as the slowest stream needs. */
  tick(nowMs = Ms(NOW_MS + 2)): void {
    this.nowMs = nowMs
    for (let elapsedMs = 0; elapsedMs < 2_000; elapsedMs += TICK_MS) this.topics.tick()
  }
}

type Json = Record<string, unknown>
/** Times of a unit. */
type At = (ms: number) => number

const level = ([, ticks, lots]: readonly [number, number, number]) => [
  `${(ticks / 100).toFixed(2)}000000`,
  `${(lots / 100_000).toFixed(5)}000`,
]
const levelsNow = (rows: typeof bids | typeof asks) => rows.map(level)
/** The best ask lost 0.01. */
const askLeft = ['49999.00000000', '0.01000000']

const topLevels = (count: number) => (): Json => ({
  lastUpdateId: 102,
  bids: levelsNow(bids).slice(0, count),
  asks: [askLeft, ...levelsNow(asks).slice(1)].slice(0, count),
})

const miniTicker = (at: At): Json => ({
  e: '24hrMiniTicker',
  E: at(NOW_MS + 2),
  s: 'BTCUSDT',
  c: '49999.00000000',
  o: '51000.00000000',
  h: '51000.00000000',
  l: '49999.00000000',
  v: '0.02000000',
  q: '1009.99000000',
})

const windowTicker =
  (event: string, open: string) =>
  (at: At): Json => ({
    ...miniTicker(at),
    e: event,
    p: '-1001.00000000',
    P: '-1.963',
    w: '50499.50000000',
    O: at(Date.parse(open)),
    C: at(NOW_MS + 2),
    F: 71,
    L: 73,
    n: 3,
  })

const dayTicker = (at: At): Json => ({
  ...windowTicker('24hrTicker', '2023-11-13T22:13:00Z')(at),
  O: at(NOW_MS + 2 - DAY_MS),
  x: '48000.00000000',
  Q: '0.00600000',
  b: '49980.00000000',
  B: '0.01000000',
  a: askLeft[0],
  A: askLeft[1],
})

/** Where the klines of now open; what they hold follows from that. */
const opensUtc: Record<string, string> = {
  '1s': '2023-11-14T22:13:20Z',
  '1m': '2023-11-14T22:13:00Z',
  '3m': '2023-11-14T22:12:00Z',
  '5m': '2023-11-14T22:10:00Z',
  '15m': '2023-11-14T22:00:00Z',
  '30m': '2023-11-14T22:00:00Z',
  '1h': '2023-11-14T22:00:00Z',
  '2h': '2023-11-14T22:00:00Z',
  '4h': '2023-11-14T20:00:00Z',
  '6h': '2023-11-14T18:00:00Z',
  '8h': '2023-11-14T16:00:00Z',
  '12h': '2023-11-14T12:00:00Z',
  '1d': '2023-11-14T00:00:00Z',
  '3d': '2023-11-13T00:00:00Z',
  '1w': '2023-11-13T00:00:00Z',
  '1M': '2023-11-01T00:00:00Z',
}
const opensUtc8: Record<string, string> = {
  ...opensUtc,
  '6h': '2023-11-14T22:00:00Z',
  '12h': '2023-11-14T16:00:00Z',
  '1d': '2023-11-14T16:00:00Z',
  '3d': '2023-11-12T16:00:00Z',
  '1w': '2023-11-12T16:00:00Z',
  '1M': '2023-10-31T16:00:00Z',
}
const lengthsMs: Record<string, number> = {
  s: 1_000,
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 1440 * MINUTE_MS,
  w: 7 * 1440 * MINUTE_MS,
  M: 30 * 1440 * MINUTE_MS,
}

const twoTrades = {
  f: 72,
  L: 73,
  o: '49999.00000000',
  c: '49999.00000000',
  h: '49999.00000000',
  l: '49999.00000000',
  v: '0.01000000',
  n: 2,
  x: false,
  q: '499.99000000',
  V: '0.01000000',
  Q: '499.99000000',
  B: '0',
}
const threeTrades = {
  ...twoTrades,
  f: 71,
  o: '51000.00000000',
  h: '51000.00000000',
  v: '0.02000000',
  n: 3,
  q: '1009.99000000',
}
const fourTrades = {
  ...threeTrades,
  f: 70,
  o: '48000.00000000',
  l: '48000.00000000',
  v: '0.07000000',
  n: 4,
  q: '3409.99000000',
  V: '0.06000000',
  Q: '2899.99000000',
}

/** `name` is the stream's: the interval stands in it. */
function kline(name: string, at: At): Json {
  const [, interval, zone] = /kline_(\w+)(@.*)?$/.exec(name) as unknown as [string, string, string?]
  const openMs = Date.parse((zone === undefined ? opensUtc : opensUtc8)[interval]!)
  const lengthMs = Number.parseInt(interval, 10) * lengthsMs[interval.at(-1)!]!
  // October's last hours of UTC are November's first of UTC+8: the month has 30 days in both zones.
  const endMs = openMs + lengthMs
  const trades = openMs <= dayBefore.timeMs ? fourTrades : twoTrades
  const held = openMs <= hourBefore.timeMs && openMs > dayBefore.timeMs ? threeTrades : trades
  const unit = at(1)
  return {
    e: 'kline',
    E: at(NOW_MS + 2),
    s: 'BTCUSDT',
    k: { t: at(openMs), T: endMs * unit - 1, s: 'BTCUSDT', i: interval, ...held },
  }
}

const aggregateTrade = (at: At): Json => ({
  e: 'aggTrade',
  E: at(NOW_MS),
  s: 'BTCUSDT',
  a: 27,
  p: '49999.00000000',
  q: '0.01000000',
  f: 72,
  l: 73,
  T: at(NOW_MS),
  m: false,
  M: true,
})

const depthUpdate = (at: At): Json => ({
  e: 'depthUpdate',
  E: at(NOW_MS + 2),
  s: 'BTCUSDT',
  U: 101,
  u: 102,
  b: [],
  a: [askLeft],
})

const symbolStatus = (at: At): Json => ({
  e: 'symbolStatus',
  E: at(NOW_MS),
  s: 'BTCUSDT',
  X: 'TRADING',
})

const auctions = (at: At): Json => ({
  e: 'auction',
  E: at(NOW_MS),
  s: 'BTCUSDT',
  X: 'TRADING',
  i: { p: '0.00000000', q: '0.00000000', s: '0.00000000', S: 'NONE', T: 0 },
  l: { p: '0.00000000', q: '0.00000000', s: '0.00000000', S: 'NONE', T: 0 },
  c: { p: '0.00000000', T: 0 },
})

/** By family; a stream of all symbols sends an array. */
const recorded: Record<string, (at: At, name: string) => Json | Json[]> = {
  '<symbol>@aggTrade': aggregateTrade,
  '<symbol>@trade': (at) => ({
    e: 'trade',
    E: at(NOW_MS),
    s: 'BTCUSDT',
    t: 73,
    p: '49999.00000000',
    q: '0.00600000',
    T: at(NOW_MS),
    m: false,
    M: true,
  }),
  '<symbol>@blockTrade': (at) => ({
    e: 'blockTrade',
    E: at(NOW_MS),
    s: 'BTCUSDT',
    t: 582,
    p: '50100.00000000',
    q: '2.00000000',
    T: at(NOW_MS),
    m: true,
  }),
  '<symbol>@kline_1s': (at, name) => kline(name, at),
  '<symbol>@kline_<interval>': (at, name) => kline(name, at),
  '<symbol>@kline_1s@+08:00': (at, name) => kline(name, at),
  '<symbol>@kline_<interval>@+08:00': (at, name) => kline(name, at),
  '<symbol>@miniTicker': miniTicker,
  '!miniTicker@arr': (at) => [miniTicker(at)],
  '<symbol>@ticker': dayTicker,
  '!ticker@arr': (at) => [dayTicker(at)],
  '<symbol>@ticker_1h': windowTicker('1hTicker', '2023-11-14T21:13:00Z'),
  '!ticker_1h@arr': (at) => [windowTicker('1hTicker', '2023-11-14T21:13:00Z')(at)],
  '<symbol>@ticker_4h': windowTicker('4hTicker', '2023-11-14T18:13:00Z'),
  '!ticker_4h@arr': (at) => [windowTicker('4hTicker', '2023-11-14T18:13:00Z')(at)],
  '<symbol>@ticker_1d': windowTicker('1dTicker', '2023-11-13T22:13:00Z'),
  '!ticker_1d@arr': (at) => [windowTicker('1dTicker', '2023-11-13T22:13:00Z')(at)],
  '<symbol>@bookTicker': () => ({
    u: 102,
    s: 'BTCUSDT',
    b: '49980.00000000',
    B: '0.01000000',
    a: askLeft[0],
    A: askLeft[1],
  }),
  '<symbol>@avgPrice': (at) => ({
    e: 'avgPrice',
    E: at(NOW_MS + 2),
    s: 'BTCUSDT',
    i: '5m',
    w: '49999.00000000',
    T: at(NOW_MS),
  }),
  '<symbol>@referencePrice': (at) => ({
    e: 'referencePrice',
    s: 'BTCUSDT',
    r: '49990.50000000',
    t: at(NOW_MS + 2),
  }),
  '<symbol>@depth5': topLevels(5),
  '<symbol>@depth5@100ms': topLevels(5),
  '<symbol>@depth10': topLevels(10),
  '<symbol>@depth10@100ms': topLevels(10),
  '<symbol>@depth20': topLevels(20),
  '<symbol>@depth20@100ms': topLevels(20),
  '<symbol>@depth': depthUpdate,
  '<symbol>@depth@100ms': depthUpdate,
  '<symbol>@auction': auctions,
  '<symbol>@status': symbolStatus,
  '!status@arr': (at) => [symbolStatus(at)],
}

/** Streams that say something whenever they are due; the others only what is new. */
const isSteady = ({ source: { kind }, name }: StreamRow): boolean =>
  !name.startsWith('!') &&
  [
    'KLINE',
    'TOP_LEVELS',
    'AVERAGE_PRICE',
    'REFERENCE_PRICE',
    'MINI_TICKER',
    'DAY_TICKER',
    'WINDOW_TICKER',
  ].includes(kind)

const ajv = new Ajv2020({ strict: false, formats: { int64: true } })
const visited = new Set<string>()
let scene: Scene

beforeEach(() => {
  scene = new Scene()
})

describe.each(streams)('$name', (row) => {
  const name = row.name.replace('<symbol>', 'btcusdt')

  test.each([
    ['in milliseconds', false],
    ['in microseconds', true],
  ])('%s', async (_, microseconds) => {
    visited.add(row.family)
    const at: At = (ms) => (microseconds ? ms * 1000 : ms)
    const expected = recorded[row.family]!(at, name)
    const raw = scene.topics.enter(name, framingOf(false, microseconds), group)
    scene.topics.enter(name, framingOf(true, microseconds), group)
    expect(raw?.row).toBe(row)
    await settled()
    scene.live()
    scene.tick()
    const [frame, combined] = scene.frames.slice(-2)
    expect(JSON.parse(frame!)).toEqual(expected)
    expect(combined).toBe(`{"stream":"${name}","data":${frame}}`)
    expect(JSON.parse(combined!).data).toEqual(expected)
    const { schema } = row.frame
    const validate = ajv.compile(name.startsWith('!') ? list(schema) : schema)
    expect(validate(expected), JSON.stringify(validate.errors)).toBe(true)
  })

  test('is sent as often as its speed says', async () => {
    scene.topics.enter(name, framingOf(false, false), group)
    await settled()
    scene.live()
    scene.tick()
    const before = scene.frames.length
    scene.tick()
    const again = isSteady(row) ? 2_000 / row.speedMs : 0
    expect(scene.frames.length - before).toBe(again)
  })

  test('is silent once its last reader left', async () => {
    const topic = scene.topics.enter(name, framingOf(false, false), group)!
    await settled()
    scene.topics.leave(topic, framingOf(false, false), group)
    scene.live()
    scene.tick()
    expect(scene.frames).toEqual([])
  })
})

/** Where no order is taken there are no trades; a status is sent in BREAK, too. */
const isAsEver = ({ source: { kind } }: StreamRow) =>
  ['TRADE', 'BLOCK_TRADE', 'AGGREGATE_TRADE', 'STATUS', 'AUCTION'].includes(kind)
const generated = streams.filter((row) => row.name.startsWith('<symbol>') && !isAsEver(row))

describe('in BREAK', () => {
  test.each(generated)('$name says nothing, and then what stands', async (row) => {
    const name = row.name.replace('<symbol>', 'btcusdt')
    scene.topics.enter(name, framingOf(false, false), group)
    await settled()
    scene.symbols[0] = { ...btcusdt, status: SymbolStatus.BREAK }
    scene.live()
    scene.tick()
    expect(scene.frames).toEqual([])
    scene.symbols[0] = btcusdt
    scene.turnEnds()
    scene.tick()
    expect(JSON.parse(scene.frames.at(-1)!)).toEqual(recorded[row.family]!((ms) => ms, name))
  })
})

test.each([
  'BREAK',
  'CANCEL_ONLY',
] as const)('klines stand still in %s, and then follow', async (phase) => {
  const names = ['btcusdt@kline_1m', 'btcusdt@miniTicker']
  for (const name of names) scene.topics.enter(name, framingOf(false, false), group)
  await settled()
  scene.symbols[0] = { ...btcusdt, status: SymbolStatus[phase] }
  scene.live()
  const laterMs = Ms(NOW_MS + 2 * MINUTE_MS)
  scene.tick(laterMs)
  const frames = () => scene.frames.map((frame) => JSON.parse(frame))
  expect(frames().some(({ e }) => e === '24hrMiniTicker')).toBe(phase === 'CANCEL_ONLY')
  expect(frames().some(({ e }) => e === 'kline')).toBe(false)
  expect(scene.topics.nextFrameMs(0)).toBeGreaterThan(0)
  scene.symbols[0] = btcusdt
  scene.tick(laterMs)
  const klines = frames().filter(({ e }) => e === 'kline')
  expect(klines.map(({ k }) => k.x).slice(0, 3)).toEqual([true, true, false])
})

test('every symbol that changed is in one array, in the order of their listing', async () => {
  scene.topics.enter('!miniTicker@arr', framingOf(false, false), group)
  scene.tick()
  expect(scene.frames).toEqual([])
  const minuteMs = NOW_MS - (NOW_MS % MINUTE_MS) - 30 * MINUTE_MS
  const minute = plainKline([hourBefore], Interval['1m'], 0, Ms(minuteMs))
  scene.dayWindows[1]!.missed()
  scene.dayWindows[1]!.seed({ beforeTicks: Ticks(0), minutes: [minute] })
  scene.live()
  scene.tick()
  expect(scene.frames).toHaveLength(1)
  const names = JSON.parse(scene.frames[0]!).map(({ s }: { s: string }) => s)
  expect(names).toEqual(['BTCUSDT', 'ETHBTC'])
})

test('a symbol that never traded has zeros in its tickers, and no kline', async () => {
  for (const name of ['ethbtc@ticker', 'ethbtc@kline_1m', 'ethbtc@avgPrice']) {
    scene.topics.enter(name, framingOf(false, false), group)
  }
  await settled()
  scene.tick()
  const frames = scene.frames.map((frame) => JSON.parse(frame))
  const zero = '0.00000000'
  expect(frames.filter(({ e }) => e === 'kline')).toEqual([])
  expect(frames.find(({ e }) => e === '24hrTicker')).toMatchObject({
    p: zero,
    P: '0.000',
    w: zero,
    x: zero,
    c: zero,
    Q: zero,
    v: zero,
    F: -1,
    L: -1,
    n: 0,
  })
  expect(frames.find(({ e }) => e === 'avgPrice')).toMatchObject({ w: zero, T: 0 })
})

afterAll(() => {
  expect([...visited].sort(), 'a stream that no test visits').toEqual(
    [...new Set(streams.map(({ family }) => family))].sort(),
  )
  expect(Object.keys(recorded).sort()).toEqual([...visited].sort())
})

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
