/**
 * The market as the page sees it: symbols, tickers, and of the chosen symbol the book, the tape and the
 * candles. Fills itself from REST and one WebSocket of streams. Views read signals and versions.
 */
import { signal } from '@preact/signals'
import type { Wire } from '../../api/answers/element.ts'
import type { averagePrice, depth, publicTrade } from '../../api/answers/market.ts'
import type {
  auctionFrame,
  averagePriceFrame,
  depthFrame,
  klineFrame,
  referencePriceFrame,
  symbolStatusFrame,
  tradeFrame,
} from '../../api/answers/market-streams.ts'
import type { combinedFrame } from '../../api/answers/session.ts'
import { parseUnits } from '../book/decimals.ts'
import { type Level, LocalBook } from '../book/local-book.ts'
import { measureClock, read, socketAddress } from '../net/api.ts'
import { Inbox } from '../net/inbox.ts'
import { serverNowMs } from '../net/server-clock.ts'
import { Socket, type SocketState } from '../net/socket.ts'
import { onRead, READ_MS, requestFrame } from '../toolkit/frames.ts'
import { Candles } from './candles.ts'
import {
  type ExchangeInfo,
  type IndicativePrice,
  type MarketSymbol,
  marketSymbol,
} from './symbols.ts'
import { Tape, type TapeTrade } from './tape.ts'
import { type DayFigures, type MiniTicker, Tickers } from './tickers.ts'

/** Levels of a snapshot: those of weight 50. */
const LEVELS_MAX = 1_000
const TAPE_ROWS = 100
const RETRY_MS = 1_000
/** No stream reports a change of filters: they are read this often, and after a refusal. */
const SYMBOLS_MS = 60_000
/** Streams of all symbols. */
const ALL_TICKERS = '!miniTicker@arr'
const ALL_STATUSES = '!status@arr'
/** Between two readings that refusals cause. */
const REFRESH_MS = 1_000
/** A market without a message for so long is quiet. */
const QUIET_MS = 1_000
/** The pace at which figures are shown that need no frame each. */
const SHOW_MS = 500

type Rows = Wire<typeof depth>['bids']
type DepthEvent = Wire<typeof depthFrame>
type TradeEvent = Wire<typeof tradeFrame>
type AuctionEvent = Wire<typeof auctionFrame>
type StatusEvent = Wire<typeof symbolStatusFrame>
type MarketEvent =
  | DepthEvent
  | TradeEvent
  | AuctionEvent
  | Wire<typeof averagePriceFrame>
  | Wire<typeof referencePriceFrame>
  | Wire<typeof klineFrame>
type StreamMessage = Partial<Wire<typeof combinedFrame>> & { readonly id?: number }

export class Market {
  readonly symbols = signal<readonly MarketSymbol[]>([])
  readonly chosen = signal<MarketSymbol | undefined>(undefined)
  readonly state = signal<SocketState>('connecting')
  /** How long the streams have been silent, ms. */
  readonly silentMs = signal(0)
  /** Age of the newest message when it was read, ms; undefined before the first. */
  readonly lagMs = signal<number | undefined>(undefined)
  /** Whether the exchange has announced its end: it takes no orders, and closes the connection. */
  readonly isEnding = signal(false)
  /** What went wrong with the market's data; '' when nothing did. */
  readonly trouble = signal('')
  /** Whether the ladder is the exchange's book. */
  readonly isBookLive = signal(false)
  /** The book's version, for figures that are made from its levels. */
  readonly bookVersion = signal(0)
  readonly tickers = new Tickers()
  readonly book = new LocalBook()
  readonly tape = new Tape()
  readonly candles = new Candles()
  /** The last trade's price, and whether it was below the one before. */
  readonly last = signal<{ readonly price: string; readonly isDown: boolean } | undefined>(
    undefined,
  )
  /** Whether the chosen symbol has ever traded; undefined until that is known. */
  readonly hasTrades = signal<boolean | undefined>(undefined)
  /** What the auction would come to if the call ended now; undefined while nothing would trade. */
  readonly auction = signal<IndicativePrice | undefined>(undefined)
  /** The average price of the last 5 minutes; '' without one. */
  readonly average = signal('')
  /** The reference price; '' without one. */
  readonly reference = signal('')
  private readonly inbox = new Inbox()
  private readonly socket: Socket
  /** What `symbols` shows; '' once a stream reported a change. */
  private symbolsText = ''
  /** By symbol: what the stream reported since symbols were last requested. */
  private readonly newStatuses = new Map<string, MarketSymbol['status']>()
  private requestId = 0
  private probeId = 0
  private probedMs = 0
  private streams: readonly string[] = []
  private newestMs = 0
  private lagShownMs = 0
  private bookShownMs = 0
  private isFetchingBook = false
  private symbolsReadMs = Number.NEGATIVE_INFINITY

  constructor() {
    this.socket = new Socket({
      address: () => socketAddress('/stream'),
      opened: () => this.opened(),
      message: (text) => this.arrived(text),
      changed: (state, silentMs) => this.changed(state, silentMs),
      probe: () => this.probe(),
    })
    onRead(() => this.readInbox())
    void this.loadSymbols()
    setInterval(() => {
      if (this.socket.isOpen && !document.hidden) void this.readSymbols().catch(() => {})
    }, SYMBOLS_MS)
  }

  /** Reads at once what an operator may have changed, though not often. */
  refreshSymbols(): void {
    if (performance.now() - this.symbolsReadMs < REFRESH_MS) return
    void this.readSymbols().catch(() => {})
  }

  /** Shows another symbol. */
  choose(name: string): void {
    const chosen = this.symbols.value.find(({ symbol }) => symbol === name)
    if (chosen === undefined || name === this.chosen.value?.symbol) return
    this.chosen.value = chosen
    this.candles.choose(chosen, this.candles.interval.value)
    this.last.value = undefined
    this.hasTrades.value = undefined
    this.average.value = ''
    this.reference.value = ''
    this.auction.value = undefined
    this.tape.clear()
    this.begin()
  }

  /** Shows candles of another length. */
  chooseInterval(interval: string): void {
    const { value: chosen } = this.chosen
    if (chosen === undefined) return
    this.candles.choose(chosen, interval)
    this.subscribe()
  }

  private async loadSymbols(): Promise<void> {
    try {
      await measureClock()
      await this.readSymbols()
      await this.loadTickers()
      const { value: symbols } = this.symbols
      if (this.chosen.value === undefined && symbols.length > 0) this.choose(wished(symbols))
      this.trouble.value = ''
    } catch (error) {
      this.trouble.value = (error as Error).message
      setTimeout(() => void this.loadSymbols(), RETRY_MS)
    }
  }

  /** Takes what an operator has listed, halted or changed. */
  private async readSymbols(): Promise<void> {
    this.symbolsReadMs = performance.now()
    this.newStatuses.clear()
    const { symbols } = await read<ExchangeInfo>('/api/v3/exchangeInfo')
    const text = JSON.stringify(symbols)
    if (text === this.symbolsText) return
    this.symbolsText = text
    this.showSymbols(symbols.map(marketSymbol))
  }

  private async loadTickers(): Promise<void> {
    this.tickers.load(await read<readonly DayFigures[]>('/api/v3/ticker/24hr'))
  }

  private changed(state: SocketState, silentMs: number): void {
    const isStill = this.state.value === 'open' || this.state.value === 'silent'
    this.state.value = state
    this.silentMs.value = silentMs
    if (isStill && (state === 'open' || state === 'silent')) return
    this.isEnding.value = false
    if (state === 'open') return
    this.lagMs.value = undefined
    this.inbox.clear()
    this.endBook()
  }

  /** The connection is open, for the first time or again: everything may have changed meanwhile. */
  private opened(): void {
    if (this.symbols.value.length > 0) void this.loadSymbols()
    this.streams = []
    this.begin()
  }

  private begin(): void {
    this.endBook()
    this.subscribe()
    const { value: chosen } = this.chosen
    if (chosen === undefined || !this.socket.isOpen) return
    void this.fetchBook()
    void this.fetchTape(chosen)
    void this.fetchAverage(chosen)
    void this.candles.reload()
  }

  private endBook(): void {
    this.book.reset()
    this.isBookLive.value = false
    requestFrame()
  }

  /** Subscribes to what is shown and ends what is not. */
  private subscribe(): void {
    const { value: chosen } = this.chosen
    const name = chosen?.symbol.toLowerCase()
    const { value: interval } = this.candles.interval
    const wanted =
      name === undefined
        ? [ALL_TICKERS, ALL_STATUSES]
        : [
            ...[`${name}@depth@100ms`, `${name}@trade`, `${name}@kline_${interval}`],
            ...[`${name}@avgPrice`, `${name}@referencePrice`, `${name}@auction`],
            ...[ALL_TICKERS, ALL_STATUSES],
          ]
    const ended = this.streams.filter((stream) => !wanted.includes(stream))
    const begun = wanted.filter((stream) => !this.streams.includes(stream))
    if (!this.socket.isOpen) return
    if (ended.length > 0) this.socket.send(this.request('UNSUBSCRIBE', ended))
    if (begun.length > 0) this.socket.send(this.request('SUBSCRIBE', begun))
    this.streams = wanted
  }

  private probe(): string {
    const request = this.request('LIST_SUBSCRIPTIONS', [])
    this.probeId = this.requestId
    this.probedMs = performance.now()
    return request
  }

  /** While nothing happens a probe's delay tells how old what arrives is. */
  private takeProbe(): void {
    const nowMs = performance.now()
    if (nowMs - this.lagShownMs > QUIET_MS) this.lagMs.value = nowMs - this.probedMs
  }

  private request(method: string, params: readonly string[]): string {
    return JSON.stringify({ method, params, id: ++this.requestId })
  }

  private arrived(text: string): void {
    if (this.inbox.put(text)) requestFrame()
    else this.begin()
  }

  private readInbox(): void {
    if (this.inbox.size === 0) return
    const endMs = performance.now() + READ_MS
    this.newestMs = 0
    this.inbox.drain(
      (text) => this.take(JSON.parse(text) as StreamMessage),
      () => performance.now() > endMs,
    )
    this.showLag()
    if (this.inbox.size > 0) requestFrame()
    if (this.book.wantsSnapshot && this.chosen.value !== undefined) void this.fetchBook()
    this.isBookLive.value = this.book.isLive
    this.showBook()
  }

  private take({ stream, data, id }: StreamMessage): void {
    const { value: chosen } = this.chosen
    if (stream === undefined) {
      if (id === this.probeId) this.takeProbe()
      return
    }
    if (stream === '!serverShutdown') this.isEnding.value = true
    if (stream === ALL_TICKERS) {
      this.tickers.update(data as readonly MiniTicker[])
      return
    }
    if (stream === ALL_STATUSES) {
      this.takeStatuses(data as readonly StatusEvent[])
      return
    }
    if (chosen === undefined || !stream.startsWith(`${chosen.symbol.toLowerCase()}@`)) return
    const event = data as MarketEvent
    this.newestMs = event.e === 'referencePrice' ? event.t : event.E
    if (event.e === 'depthUpdate') this.takeDepth(chosen, event)
    else if (event.e === 'trade') this.takeTrade(event)
    else if (event.e === 'auction') this.takeAuction(event)
    else if (event.e === 'avgPrice') this.takeAverage(event.w)
    else if (event.e === 'referencePrice') this.reference.value = event.r ?? ''
    else if (event.e === 'kline') this.candles.update(event.k)
  }

  /** Shows statuses that have changed; a symbol that is not known was listed since. */
  private takeStatuses(events: readonly StatusEvent[]): void {
    this.symbolsText = ''
    for (const { s, X } of events) this.newStatuses.set(s, X)
    const known = new Set(this.symbols.value.map(({ symbol }) => symbol))
    if (events.some(({ s }) => !known.has(s))) void this.readSymbols().catch(() => {})
    else this.showSymbols(this.symbols.value)
  }

  /** Shows symbols with the statuses that streams have reported since they were requested. */
  private showSymbols(symbols: readonly MarketSymbol[]): void {
    const withStatus = (symbol: MarketSymbol): MarketSymbol => {
      const status = this.newStatuses.get(symbol.symbol) ?? symbol.status
      return status === symbol.status ? symbol : { ...symbol, status }
    }
    this.symbols.value = symbols.map(withStatus)
    const { value: chosen } = this.chosen
    const again = this.symbols.value.find(({ symbol }) => symbol === chosen?.symbol)
    if (again !== undefined) this.chosen.value = again
  }

  private takeDepth(chosen: MarketSymbol, { U, u, b, a }: DepthEvent): void {
    const rows = (levels: Rows) => levelsOf(chosen, levels)
    this.book.takeDiff({ firstUpdateId: U, lastUpdateId: u, bids: rows(b), asks: rows(a) })
  }

  private takeTrade({ t, p, q, T, m }: TradeEvent): void {
    this.tape.add({ id: t, price: p, quantity: q, timeMs: T, isSell: m })
    this.hasTrades.value = true
    this.showLast(p)
  }

  private takeAuction({ X, i }: AuctionEvent): void {
    const isIndicative = X === 'AUCTION_MATCH' && Number(i.p) > 0
    this.auction.value = isIndicative ? { price: i.p, quantity: i.q } : undefined
    requestFrame()
  }

  private takeAverage(price: string): void {
    this.average.value = Number(price) > 0 ? price : ''
  }

  private async fetchAverage({ symbol }: MarketSymbol): Promise<void> {
    const asked = read<Wire<typeof averagePrice>>('/api/v3/avgPrice', { symbol })
    const average = await asked.catch(() => undefined)
    if (average !== undefined && symbol === this.chosen.value?.symbol) {
      this.takeAverage(average.price)
    }
  }

  private showLast(price: string): void {
    const { value: before } = this.last
    if (before?.price === price) return
    const isDown = before !== undefined && Number(price) < Number(before.price)
    this.last.value = { price, isDown }
  }

  private showLag(): void {
    if (this.newestMs === 0) return
    const nowMs = performance.now()
    if (nowMs - this.lagShownMs < SHOW_MS) return
    this.lagShownMs = nowMs
    this.lagMs.value = Math.max(0, serverNowMs() - this.newestMs)
  }

  private showBook(): void {
    const nowMs = performance.now()
    if (nowMs - this.bookShownMs < SHOW_MS) return
    this.bookShownMs = nowMs
    this.bookVersion.value = this.book.version
  }

  /** Fetches snapshots until one joins the diffs. */
  private async fetchBook(): Promise<void> {
    if (this.isFetchingBook) return
    this.isFetchingBook = true
    try {
      while (this.socket.isOpen && this.book.wantsSnapshot) await this.fetchSnapshot()
      this.trouble.value = ''
    } catch (error) {
      this.trouble.value = (error as Error).message
      setTimeout(() => requestFrame(), RETRY_MS)
      await pause(RETRY_MS)
    } finally {
      this.isFetchingBook = false
    }
    if (this.socket.isOpen && this.book.wantsSnapshot) void this.fetchBook()
  }

  private async fetchSnapshot(): Promise<void> {
    const { value: chosen } = this.chosen
    if (chosen === undefined) return
    const query = { symbol: chosen.symbol, limit: LEVELS_MAX }
    const { lastUpdateId, bids, asks } = await read<Wire<typeof depth>>('/api/v3/depth', query)
    if (chosen.symbol !== this.chosen.value?.symbol || !this.socket.isOpen) return
    const rows = (levels: Rows) => levelsOf(chosen, levels)
    const snapshot = { lastUpdateId, bids: rows(bids), asks: rows(asks) }
    this.isBookLive.value = this.book.takeSnapshot(snapshot, LEVELS_MAX)
    requestFrame()
    if (this.book.wantsSnapshot) await pause(RETRY_MS)
  }

  private async fetchTape(chosen: MarketSymbol): Promise<void> {
    const query = { symbol: chosen.symbol, limit: TAPE_ROWS }
    const asked = read<readonly Wire<typeof publicTrade>[]>('/api/v3/trades', query)
    const trades = await asked.catch(() => undefined)
    if (trades === undefined || chosen.symbol !== this.chosen.value?.symbol) return
    this.tape.merge(trades.map(tapeTrade))
    this.hasTrades.value = this.tape.last !== undefined
    if (this.tape.last !== undefined) this.showLast(this.tape.last.price)
    requestFrame()
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const levelsOf = ({ priceScale, quantityScale }: MarketSymbol, rows: Rows): Level[] =>
  rows.map(([price, quantity]) => [
    parseUnits(price, priceScale),
    parseUnits(quantity, quantityScale),
  ])

const tapeTrade = ({
  id,
  price,
  qty,
  time,
  isBuyerMaker,
}: Wire<typeof publicTrade>): TapeTrade => ({
  id,
  price,
  quantity: qty,
  timeMs: time,
  isSell: isBuyerMaker,
})

/** The symbol that the page's address names after `#`, or the first one. */
function wished(symbols: readonly MarketSymbol[]): string {
  const written = location.hash.slice(1)
  const named = (name: string) => symbols.find(({ symbol }) => symbol === name)
  // Browsers percent-encode what is outside ASCII.
  const chosen =
    named(written.toUpperCase()) ??
    symbols.find(({ symbol }) => encodeURIComponent(symbol) === written)
  return (chosen ?? symbols[0]!).symbol
}
