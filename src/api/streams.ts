/**
 * Every market stream as one row: its name, its speed and what it is made from. The gateway resolves
 * names and decides what to send by these rows alone (web-socket-streams.md).
 */
import { DAY_MS, HOUR_MS, Interval } from '../market/intervals.ts'
import type { Table } from './answers/element.ts'
import { depth } from './answers/market.ts'
import {
  aggregateTradeFrame,
  auctionFrame,
  averagePriceFrame,
  bestBidAskFrame,
  bestPricesFrame,
  blockTradeFrame,
  dayTickerFrame,
  depthFrame,
  klineFrame,
  miniTickerFrame,
  referencePriceFrame,
  symbolStatusFrame,
  topLevelsFrame,
  tradeFrame,
  tradesFrame,
  type WindowName,
  windowTickerFrames,
} from './answers/market-streams.ts'

/** What the tickers of a stream are made from: the trades of a window up to now. */
export type TickerSource =
  | { readonly kind: 'MINI_TICKER' | 'DAY_TICKER' }
  | { readonly kind: 'WINDOW_TICKER'; readonly windowMs: number; readonly window: WindowName }

/** What the frames of a stream are made from. */
export type StreamSource =
  | { readonly kind: 'TRADE' | 'BLOCK_TRADE' | 'AGGREGATE_TRADE' | 'BEST_PRICES' | 'DEPTH_CHANGES' }
  | { readonly kind: 'TOP_LEVELS'; readonly levels: number }
  | { readonly kind: 'KLINE'; readonly interval: Interval; readonly offsetMs: number }
  | { readonly kind: 'AVERAGE_PRICE' | 'REFERENCE_PRICE' | 'STATUS' | 'AUCTION' }
  | TickerSource
  | MessageSource

/** What messages of SBE are made from, where frames of JSON show something else. */
type MessageSource =
  | { readonly kind: 'EXECUTION_TRADES' | 'BEST_BID_ASK' }
  | { readonly kind: 'LEVELS_AND_TIME'; readonly levels: number }

export interface StreamRow {
  /** The client's spelling, with `<symbol>` where one stands. */
  readonly name: string
  /** The name with what several rows differ in left open: one line of the document. */
  readonly family: string
  readonly source: StreamSource
  /** What a frame of one symbol shows; frames of all symbols are lists of those. */
  readonly frame: Table
  /** Between frames; 0 sends each at once. */
  readonly speedMs: number
  readonly meaning: string
  /** Whether a frame that was not sent yet gives way to the next one. */
  readonly isCulled?: true
}

/** Whether frames have times, which are in the unit that the client asked for. */
export const hasTimes = ({ source: { kind } }: StreamRow): boolean =>
  kind !== 'BEST_PRICES' && kind !== 'TOP_LEVELS'

const SYMBOL = '<symbol>'

const row = (
  name: string,
  source: StreamSource,
  speedMs: number,
  meaning: string,
  family = name,
): StreamRow => ({ name, family, source, frame: frameOf(source), speedMs, meaning })

const frames = {
  TRADE: tradeFrame,
  BLOCK_TRADE: blockTradeFrame,
  AGGREGATE_TRADE: aggregateTradeFrame,
  BEST_PRICES: bestPricesFrame,
  DEPTH_CHANGES: depthFrame,
  TOP_LEVELS: depth,
  KLINE: klineFrame,
  AVERAGE_PRICE: averagePriceFrame,
  REFERENCE_PRICE: referencePriceFrame,
  STATUS: symbolStatusFrame,
  AUCTION: auctionFrame,
  MINI_TICKER: miniTickerFrame,
  DAY_TICKER: dayTickerFrame,
  EXECUTION_TRADES: tradesFrame,
  BEST_BID_ASK: bestBidAskFrame,
  LEVELS_AND_TIME: topLevelsFrame,
} as const

function frameOf(source: StreamSource): Table {
  return source.kind === 'WINDOW_TICKER' ? windowTickerFrames[source.window] : frames[source.kind]
}

const zones: readonly (readonly [suffix: string, offsetMs: number, where: string])[] = [
  ['', 0, 'UTC'],
  ['@+08:00', 8 * HOUR_MS, 'UTC+8'],
]

const klines = zones.flatMap(([zone, offsetMs, where]) =>
  Object.entries(Interval).map(([name, interval]) => {
    const isSecond = interval === Interval['1s']
    const source = { kind: 'KLINE', interval, offsetMs } as const
    const meaning = `the kline under way, and each once it has closed; intervals of ${where}`
    const family = `<symbol>@kline_${isSecond ? name : '<interval>'}${zone}`
    return row(`<symbol>@kline_${name}${zone}`, source, isSecond ? 1_000 : 2_000, meaning, family)
  }),
)

const windows: readonly (readonly [name: WindowName, windowMs: number])[] = [
  ['1h', HOUR_MS],
  ['4h', 4 * HOUR_MS],
  ['1d', DAY_MS],
]

const windowTickers = windows.flatMap(([name, windowMs]) => {
  const source = { kind: 'WINDOW_TICKER', windowMs, window: name } as const
  const one = `trades of the last ${name}, from a whole minute on`
  const all = 'the same of each symbol where it changed'
  return [
    row(`<symbol>@ticker_${name}`, source, 1_000, one),
    row(`!ticker_${name}@arr`, source, 1_000, all),
  ]
})

const levelsMeaning = (levels: number) => `the best ${levels} levels of both sides`

const topLevels = [5, 10, 20].flatMap((levels) => {
  const source = { kind: 'TOP_LEVELS', levels } as const
  const meaning = levelsMeaning(levels)
  return [
    row(`<symbol>@depth${levels}`, source, 1_000, meaning),
    row(`<symbol>@depth${levels}@100ms`, source, 100, meaning),
  ]
})

const changed = 'the same of each symbol where it changed'
/** An extension: no stream of the protocol reports a halt. Also sent in BREAK. */
const STATUS_MEANING = 'status of the symbol: at once, and when it changes; an extension'
const AUCTION_MEANING =
  'indicative price and volume of AUCTION_MATCH, at most every 250 ms, and of the last auction; an extension'
const REFERENCE_MEANING =
  'reference price, null while there is none; nothing of a symbol that never had one'
const diff = 'levels that changed, absolute; nothing when none did'

export const streams: readonly StreamRow[] = [
  row('<symbol>@aggTrade', { kind: 'AGGREGATE_TRADE' }, 0, 'trades of one taker order at a price'),
  row('<symbol>@trade', { kind: 'TRADE' }, 0, 'each trade'),
  row('<symbol>@blockTrade', { kind: 'BLOCK_TRADE' }, 0, 'each block trade'),
  ...klines,
  row(
    '<symbol>@miniTicker',
    { kind: 'MINI_TICKER' },
    1_000,
    'trades of the last 24 hours, briefly',
  ),
  row('!miniTicker@arr', { kind: 'MINI_TICKER' }, 1_000, changed),
  row('<symbol>@ticker', { kind: 'DAY_TICKER' }, 1_000, 'trades of the last 24 hours'),
  row('!ticker@arr', { kind: 'DAY_TICKER' }, 1_000, changed),
  ...windowTickers,
  row('<symbol>@bookTicker', { kind: 'BEST_PRICES' }, 0, 'best prices, when they change'),
  row('<symbol>@avgPrice', { kind: 'AVERAGE_PRICE' }, 1_000, 'average price of the last 5 minutes'),
  row('<symbol>@referencePrice', { kind: 'REFERENCE_PRICE' }, 1_000, REFERENCE_MEANING),
  ...topLevels,
  row('<symbol>@depth', { kind: 'DEPTH_CHANGES' }, 1_000, diff),
  row('<symbol>@depth@100ms', { kind: 'DEPTH_CHANGES' }, 100, diff),
  row('<symbol>@auction', { kind: 'AUCTION' }, 0, AUCTION_MEANING),
  row('<symbol>@status', { kind: 'STATUS' }, 0, STATUS_MEANING),
  row('!status@arr', { kind: 'STATUS' }, 0, 'the same of each symbol, from its next change on'),
]

/** Those of connections in SBE (sbe-market-data-streams.md). */
export const messageStreams: readonly StreamRow[] = [
  row('<symbol>@trade', { kind: 'EXECUTION_TRADES' }, 0, 'all trades of an execution'),
  {
    ...row('<symbol>@bestBidAsk', { kind: 'BEST_BID_ASK' }, 0, 'best prices, when they change'),
    isCulled: true,
  },
  row('<symbol>@depth', { kind: 'DEPTH_CHANGES' }, 20, diff),
  row('<symbol>@depth20', { kind: 'LEVELS_AND_TIME', levels: 20 }, 50, levelsMeaning(20)),
]

/** The default speed, as older connectors write it behind the names of depths. */
const DEPTH_SPEEDS = ['1000ms']
/** Speeds that older connectors write behind the names of arrays of tickers. */
const ARRAY_SPEEDS = ['1000ms', '3000ms']

/** Other names of the stream: its default speed written out. Frames are the same. */
export function aliasesOf({ name, source, speedMs }: StreamRow): readonly string[] {
  const isDepth = source.kind === 'TOP_LEVELS' || source.kind === 'DEPTH_CHANGES'
  const isArray = name.startsWith('!') && speedMs > 0
  const speeds = isArray ? ARRAY_SPEEDS : isDepth && speedMs === 1_000 ? DEPTH_SPEEDS : []
  return speeds.map((speed) => `${name}@${speed}`)
}

/** What a connection reads its streams in. */
export type StreamEncoding = 'JSON' | 'SBE'

const rowByName: Readonly<Record<StreamEncoding, ReadonlyMap<string, StreamRow>>> = {
  JSON: new Map(
    streams.flatMap((stream) => [stream.name, ...aliasesOf(stream)].map((name) => [name, stream])),
  ),
  SBE: new Map(messageStreams.map((stream) => [stream.name, stream])),
}

export interface StreamName {
  readonly row: StreamRow
  /** Upper case, as symbols are listed; undefined for a stream of all symbols. */
  readonly symbol: string | undefined
}

/**
 * `btcusdt@depth@100ms` → its row and BTCUSDT; an alias finds the row of the stream. Undefined for any
 * other text: such names are accepted by the protocol and stay silent. Symbols are lower case in names.
 * Some letters outside ASCII have an ASCII upper case (ſ → S): a second name for a stream would take its
 * frames from the first.
 */
export function parseStreamName(
  name: string,
  encoding: StreamEncoding = 'JSON',
): StreamName | undefined {
  const rows = rowByName[encoding]
  if (name.startsWith('!')) {
    const whole = rows.get(name)
    return whole && { row: whole, symbol: undefined }
  }
  const at = Math.max(name.indexOf('@'), 0)
  const lower = name.slice(0, at)
  const stream = rows.get(SYMBOL + name.slice(at))
  const symbol = lower.toUpperCase()
  if (stream === undefined || lower === '' || symbol.toLowerCase() !== lower) return undefined
  return { row: stream, symbol }
}
