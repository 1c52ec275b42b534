/**
 * Every market stream of a running exchange while it trades, beside plain sums over its public trades,
 * a book kept from the diffs, and what REST has when all is quiet; then once more after a kill.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { Ms } from '../../src/base/units.ts'
import {
  DAY_MS,
  HOUR_MS,
  Interval,
  intervalAfter,
  intervalOpen,
  MINUTE_MS,
} from '../../src/market/intervals.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type Frame, FrameLog } from './frame-log.ts'
import { changes, type PublicTrade, sum, summary } from './public-trades.ts'
import { Trader } from './trader.ts'

const SYMBOL = 'BTCUSDT'
const ROUNDS = 60
const ZERO = '0.00000000'
/** Frames of each stream that sends one a second. */
const FRAMES_MIN = 4

const klineNames = Object.keys(Interval).flatMap((name) => [
  `btcusdt@kline_${name}`,
  `btcusdt@kline_${name}@+08:00`,
])
const names = [
  ...klineNames,
  ...['trade', 'aggTrade', 'miniTicker', 'ticker', 'ticker_1h', 'ticker_4h', 'ticker_1d'],
  ...['avgPrice', 'bookTicker', 'depth', 'depth@100ms'],
  ...['depth5', 'depth10', 'depth20'].flatMap((depth) => [depth, `${depth}@100ms`]),
  ...['!miniTicker@arr', '!ticker@arr', '!ticker_1h@arr', '!ticker_4h@arr', '!ticker_1d@arr'],
].map((name) => (/^!|^btcusdt/.test(name) ? name : `btcusdt@${name}`))

let exchange: ExchangeProcess
let log: FrameLog
let trades: PublicTrade[]
/** The first trade that the streams now read can have sent. */
let firstTradeId = 1
let framesBefore: Frame[] = []

async function get<T>(path: string): Promise<T> {
  const response = await fetch(`${exchange.url}/api/v3/${path}`)
  const text = await response.text()
  expect(response.status, `${path}: ${text}`).toBe(200)
  return JSON.parse(text) as T
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Makers on both sides, then takers who sweep some of them: several trades of one taker and price. */
async function trade(rounds: number): Promise<void> {
  const maker = new Trader(exchange, 'maker')
  const taker = new Trader(exchange, 'taker')
  const limit = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC' }
  for (let round = 0; round < rounds; round++) {
    const [side, other] = round % 3 === 0 ? ['SELL', 'BUY'] : ['BUY', 'SELL']
    const away = side === 'SELL' ? 1 : -1
    const price = 30_000 + ((round * 7919) % 1000)
    for (const [step, quantity] of ['0.011', '0.012', '0.013', '0.5'].entries()) {
      const steps = step === 3 ? 20 + round : step >> 1
      await maker.place({ ...limit, side, quantity, price: price + steps * away })
    }
    await taker.place({ ...limit, side: other, quantity: '0.0345', price: price + 5 * away })
    if (round % 4 === 0) await maker.ask('DELETE', '/api/v3/openOrders', { symbol: SYMBOL })
    await pause(30)
  }
}

const framesOf = (name: string): Frame[] =>
  log.frames.filter((frame) => frame.stream === name).map((frame) => frame.data as Frame)

/** Opens all streams, trades, and waits until every stream has had its say about the last trade. */
async function run(): Promise<void> {
  log = await FrameLog.open(`${exchange.wsUrl}/stream?streams=${names.join('/')}`)
  const steady = names.filter((name) => /icker|avgPrice|kline_1s/.test(name) && !/book/.test(name))
  await trade(ROUNDS)
  // Trades are few beside the 1,000 that REST lists, however long that takes.
  while (steady.some((name) => framesOf(name).length < FRAMES_MIN)) {
    await trade(1)
    await pause(200)
  }
  await eventually('the last trade in every stream', async () => {
    trades = await get<PublicTrade[]>(`trades?symbol=${SYMBOL}&limit=1000`)
    const { lastUpdateId } = await get<Frame>(`depth?symbol=${SYMBOL}&limit=5`)
    const best = bestOf(wireOf(await get<Frame>(`ticker/24hr?symbol=${SYMBOL}`)))
    const volume = sum(trades.map(({ qty }) => qty))
    const newest = { ...trades.at(-1)!, volume, updateId: lastUpdateId, best }
    return names.every((name) => knows(name, newest)) || undefined
  })
}

interface Newest {
  readonly id: number
  readonly time: number
  readonly volume: string
  readonly updateId: unknown
  readonly best: string
}

/** By stream: how a frame shows that it knows what is newest. */
const signs: readonly (readonly [
  stream: RegExp,
  sign: (frame: Frame, newest: Newest) => boolean,
])[] = [
  [/@kline/, ({ k }, { id }) => (k as Frame).L === id],
  [/@trade$/, ({ t }, { id }) => t === id],
  [/@aggTrade$/, ({ l }, { id }) => l === id],
  [/miniTicker/, ({ v }, { volume }) => v === volume],
  [/[@!]ticker_/, ({ L }, { id }) => L === id],
  // The best prices may change after the last trade.
  [/[@!]ticker/, (frame, { id, best }) => frame.L === id && bestOf(frame) === best],
  [/@avgPrice$/, ({ T }, { time }) => T === time],
  // Sent before the depth, on the same connection.
  [/@bookTicker$/, () => true],
  [/@depth\d/, ({ lastUpdateId }, { updateId }) => lastUpdateId === updateId],
  [/@depth/, ({ u }, { updateId }) => u === updateId],
]

function knows(name: string, newest: Newest): boolean {
  const sign = signs.find(([stream]) => stream.test(name))![1]
  const frames = framesOf(name).flat()
  // A kline may have been followed by one without trades.
  const shown = name.includes('@kline') ? frames : frames.slice(-1)
  return shown.some((frame) => sign(frame, newest))
}

beforeAll(async () => {
  exchange = await ExchangeProcess.start()
})
afterAll(async () => {
  await log?.close()
  await exchange?.remove()
})

const upTo = (id: unknown): PublicTrade[] => trades.filter((one) => one.id <= Number(id))

describe.each(['from the first trade on', 'after a kill'])('%s', (when) => {
  beforeAll(async () => {
    if (when === 'after a kill') {
      await exchange.stop('SIGKILL')
      await log.close()
      framesBefore = log.frames
      firstTradeId = trades.at(-1)!.id + 1
      await exchange.run()
    }
    await run()
  })

  test('trade tells each trade once, in order, as REST does', () => {
    const told = framesOf('btcusdt@trade').map(({ E, ...rest }) => rest)
    expect(told).toEqual(
      trades
        .filter(({ id }) => id >= firstTradeId)
        .map((one) => ({
          e: 'trade',
          s: SYMBOL,
          t: one.id,
          p: one.price,
          q: one.qty,
          T: one.time,
          m: one.isBuyerMaker,
          M: true,
        })),
    )
    expect(told.length).toBeGreaterThan(ROUNDS)
  })

  test('aggTrade tells what REST lists as aggregate trades, under the same ids', async () => {
    const rows = await get<Frame[]>(`aggTrades?symbol=${SYMBOL}&limit=1000`)
    const told = framesOf('btcusdt@aggTrade').map(({ e, E, s, ...row }) => row)
    expect(told).toEqual(rows.filter(({ f }) => Number(f) >= firstTradeId))
    expect(told.length).toBeGreaterThan(ROUNDS / 2)
    expect(told.length).toBeLessThan(framesOf('btcusdt@trade').length)
  })

  test.each(klineNames)('%s', async (name) => {
    const [, intervalName, zone] = /kline_(\w+)(@.*)?$/.exec(name) as unknown as string[]
    const interval = Interval[intervalName as keyof typeof Interval]
    const offsetMs = zone === undefined ? 0 : 8 * HOUR_MS
    const frames = framesOf(name)
    const rows = new Map<number, (string | number)[]>()
    const query = `symbol=${SYMBOL}&interval=${intervalName}&timeZone=${offsetMs / HOUR_MS}`
    for (const row of await get<(string | number)[][]>(`klines?${query}&limit=1000`)) {
      rows.set(row[0] as number, row)
    }
    const times: number[] = []
    for (const { e, E, s, k } of frames) {
      const kline = k as Frame
      const openMs = kline.t as number
      const closeMs = intervalAfter(interval, Ms(openMs), offsetMs, 1) - 1
      expect([e, s, kline.s, kline.i, kline.B]).toEqual([
        'kline',
        SYMBOL,
        SYMBOL,
        intervalName,
        '0',
      ])
      expect([openMs, kline.T]).toEqual([intervalOpen(interval, Ms(openMs), offsetMs), closeMs])
      const known = kline.x ? trades : upTo(Math.max(Number(kline.L), 0))
      const inside = known.filter(({ time }) => time >= openMs && time <= closeMs)
      expect(plain(kline)).toEqual(inside.length > 0 ? ofTrades(inside) : quiet(trades, Ms(openMs)))
      if (kline.x) {
        expect(E as number).toBeGreaterThan(closeMs)
        expect(asRow(kline)).toEqual(rows.get(openMs))
      }
      times.push(E as number)
    }
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(frames.some(({ k }) => Number((k as Frame).n) > 0)).toBe(true)
    const isSecond = intervalName === '1s'
    const closed = frames.filter(({ k }) => (k as Frame).x).map(({ k }) => (k as Frame).t as number)
    expect(new Set(closed).size, 'each kline closes once').toBe(closed.length)
    const steps = closed.slice(1).map((openMs, i) => openMs - closed[i]!)
    if (isSecond) expect(new Set(steps)).toEqual(new Set([1_000]))
  })

  test.each([
    ['miniTicker', '24hrMiniTicker', DAY_MS],
    ['ticker', '24hrTicker', DAY_MS],
    ['ticker_1h', '1hTicker', HOUR_MS],
    ['ticker_4h', '4hTicker', 4 * HOUR_MS],
    ['ticker_1d', '1dTicker', DAY_MS],
  ])('%s', async (stream, event, windowMs) => {
    const frames = framesOf(`btcusdt@${stream}`)
    expect(frames.length).toBeGreaterThanOrEqual(3)
    for (const frame of frames) {
      expect([frame.e, frame.s]).toEqual([event, SYMBOL])
      const known = stream === 'miniTicker' ? knownBy(frame) : upTo(frame.L)
      if (known.length === 0) continue
      const all = summary(known)
      const { open: o, high: h, low: l, close: c, volume: v, quote: q } = all
      expect(frame).toMatchObject({ o, h, l, c, v, q })
      if (stream === 'miniTicker') continue
      expect(frame).toMatchObject({ ...changes(known), F: known[0]!.id, n: known.length })
      expect(frame.C).toBe(frame.E)
      const openMs = Number(frame.E) - windowMs
      const isRolling = stream === 'ticker'
      expect(frame.O).toBe(isRolling ? openMs : Math.floor(openMs / MINUTE_MS) * MINUTE_MS)
    }
    const rest = await get<Frame>(
      windowMs === DAY_MS && stream !== 'ticker_1d'
        ? `ticker/24hr?symbol=${SYMBOL}`
        : `ticker?symbol=${SYMBOL}&windowSize=${windowMs / HOUR_MS === 24 ? '1d' : `${windowMs / HOUR_MS}h`}`,
    )
    expect(wireOf(rest)).toMatchObject(numbersOf(frames.at(-1)!))
    // The stream of all symbols has the same of this one, whenever it has changed.
    const whole = framesOf(`!${stream}@arr`) as unknown as Frame[][]
    expect(whole.length).toBeGreaterThanOrEqual(2)
    for (const tickers of whole) expect(tickers.map(({ s }) => s)).toEqual([SYMBOL])
    expect(numbersOf(whole.at(-1)![0]!)).toEqual(numbersOf(frames.at(-1)!))
    const told = whole.map(([ticker]) => JSON.stringify(numbersOf(ticker!)))
    expect(
      told.some((one, i) => one === told[i - 1]),
      'only what changed',
    ).toBe(false)
  })

  test('avgPrice', async () => {
    const frames = framesOf('btcusdt@avgPrice')
    expect(frames.length).toBeGreaterThanOrEqual(3)
    for (const frame of frames) {
      expect(Object.keys(frame)).toEqual(['e', 'E', 's', 'i', 'w', 'T'])
      const known = trades.filter(({ time }) => time <= Number(frame.T))
      if (Number(frame.T) === 0) expect(frame.w).toBe(ZERO)
      else if (known.at(-1)!.time !== trades.at(-1)!.time) continue
      else expect(frame.w).toBe(changes(known).w)
    }
    const { mins, price, closeTime } = await get<Frame>(`avgPrice?symbol=${SYMBOL}`)
    expect(frames.at(-1)).toMatchObject({ i: `${mins}m`, w: price, T: closeTime })
  })

  test('bookTicker and the best levels follow the diffs', async () => {
    const depth = await get<Frame>(`depth?symbol=${SYMBOL}&limit=5000`)
    for (const speed of ['', '@100ms']) {
      const books = new Map<number, { bids: Level[]; asks: Level[] }>()
      const book = new Book(framesBefore, speed)
      for (const diff of framesOf(`btcusdt@depth${speed}`)) {
        book.apply(diff)
        books.set(diff.u as number, book.sides())
      }
      expect(book.sides()).toEqual({ bids: depth.bids, asks: depth.asks })
      expect(book.updateId).toBe(depth.lastUpdateId)
      for (const levels of [5, 10, 20]) {
        const frames = framesOf(`btcusdt@depth${levels}${speed}`)
        let compared = 0
        for (const { lastUpdateId, bids, asks } of frames) {
          const at = books.get(lastUpdateId as number)
          if (at === undefined) continue
          expect({ bids, asks }).toEqual({
            bids: at.bids.slice(0, levels),
            asks: at.asks.slice(0, levels),
          })
          compared++
        }
        expect(compared).toBeGreaterThan(0)
        expect(frames.at(-1)!.lastUpdateId).toBe(depth.lastUpdateId)
      }
    }
    const best = await get<Frame>(`ticker/bookTicker?symbol=${SYMBOL}`)
    const tickers = framesOf('btcusdt@bookTicker')
    const { s, b, B, a, A } = tickers.at(-1)!
    expect({ symbol: s, bidPrice: b, bidQty: B, askPrice: a, askQty: A }).toEqual(best)
    const ids = tickers.map(({ u }) => u as number)
    expect(ids).toEqual([...new Set(ids)].sort((x, y) => x - y))
  })
})

type Level = readonly [price: string, quantity: string]

/** Kept from diffs alone: the first is from the empty book on, and continues from before a kill. */
class Book {
  updateId = 0
  private readonly bids = new Map<string, string>()
  private readonly asks = new Map<string, string>()

  constructor(before: readonly Frame[], speed: string) {
    for (const { stream, data } of before) {
      if (stream === `btcusdt@depth${speed}`) this.apply(data as Frame)
    }
  }

  apply({ U, u, b, a }: Frame): void {
    expect(U).toBe(this.updateId + 1)
    this.updateId = u as number
    for (const [side, rows] of [
      [this.bids, b],
      [this.asks, a],
    ] as const) {
      for (const [price, quantity] of rows as Level[]) {
        if (quantity === ZERO) side.delete(price)
        else side.set(price, quantity)
      }
    }
  }

  sides(): { bids: Level[]; asks: Level[] } {
    const ascending = ([x]: Level, [y]: Level) => Number(x) - Number(y)
    return {
      bids: [...this.bids].sort(ascending).reverse(),
      asks: [...this.asks].sort(ascending),
    }
  }
}

/** What a kline has of its trades. */
const plain = ({ f, L, o, c, h, l, v, n, q, V, Q }: Frame) => ({ f, L, o, c, h, l, v, n, q, V, Q })

function ofTrades(list: readonly PublicTrade[]) {
  const all = summary(list)
  return {
    f: list[0]!.id,
    L: list.at(-1)!.id,
    o: all.open,
    c: all.close,
    h: all.high,
    l: all.low,
    v: all.volume,
    n: all.count,
    q: all.quote,
    V: all.takerVolume,
    Q: all.takerQuote,
  }
}

function quiet(all: readonly PublicTrade[], openMs: Ms) {
  const close = all.findLast(({ time }) => time < openMs)!.price
  const sums = { v: ZERO, n: 0, q: ZERO, V: ZERO, Q: ZERO }
  return { f: -1, L: -1, o: close, c: close, h: close, l: close, ...sums }
}

/** Returns a kline as REST lists it. */
const asRow = ({ t, T, o, h, l, c, v, q, n, V, Q, B }: Frame) => [
  t,
  o,
  h,
  l,
  c,
  v,
  T,
  q,
  n,
  V,
  Q,
  B,
]

/** The trades that a mini ticker knew, by their volume. */
function knownBy({ v }: Frame): PublicTrade[] {
  let known: PublicTrade[] = []
  for (const { id } of trades) if (sum(upTo(id).map(({ qty }) => qty)) === v) known = upTo(id)
  return known
}

/** A REST ticker under the stream's names. */
const wireOf = (ticker: Frame): Frame => ({
  s: ticker.symbol,
  p: ticker.priceChange,
  P: ticker.priceChangePercent,
  w: ticker.weightedAvgPrice,
  x: ticker.prevClosePrice,
  c: ticker.lastPrice,
  Q: ticker.lastQty,
  b: ticker.bidPrice,
  B: ticker.bidQty,
  a: ticker.askPrice,
  A: ticker.askQty,
  o: ticker.openPrice,
  h: ticker.highPrice,
  l: ticker.lowPrice,
  v: ticker.volume,
  q: ticker.quoteVolume,
  F: ticker.firstId,
  L: ticker.lastId,
  n: ticker.count,
})

/** The best prices and their quantities, of a ticker under the stream's names. */
const bestOf = ({ b, B, a, A }: Frame): string => [b, B, a, A].join(' ')

const numbersOf = ({ e, E, O, C, ...numbers }: Frame): Frame => numbers
