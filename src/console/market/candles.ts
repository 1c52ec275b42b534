/**
 * Candles of one symbol and interval, oldest first: history by REST, the one under way by stream, older
 * ones when they are needed, up to a bound.
 */
import { signal } from '@preact/signals'
import { read } from '../net/api.ts'
import { requestFrame } from '../toolkit/frames.ts'
import {
  type Candle,
  type CandleRow,
  candleOfRow,
  candleOfStream,
  INTERVALS,
  type StreamCandle,
} from './candle.ts'
import type { MarketSymbol } from './symbols.ts'

const PAGE = 500
export const CANDLES_MAX = 10_000

const KEPT = 'interval'

/** The one that was shown last, in this browser. */
function keptInterval(): string {
  const kept = localStorage.getItem(KEPT) ?? ''
  return INTERVALS.includes(kept) ? kept : '1m'
}

export class Candles {
  readonly interval = signal(keptInterval())
  rows: Candle[] = []
  /** Changes when rows were loaded, and not when only the last one moved. */
  loads = 0
  /** Changes with each candle of the stream. */
  version = 0
  private symbol: MarketSymbol | undefined = undefined
  private isWhole = false
  private isLoading = false

  choose(symbol: MarketSymbol, interval: string): void {
    const isSame = symbol.symbol === this.symbol?.symbol && interval === this.interval.value
    if (isSame) return
    this.symbol = symbol
    this.interval.value = interval
    localStorage.setItem(KEPT, interval)
    this.rows = []
    this.loads++
    void this.reload()
  }

  /** Loads the newest page; candles that came by stream meanwhile are kept. */
  async reload(): Promise<void> {
    const rows = await this.page(undefined)
    if (rows === undefined) return
    const newest = rows.at(-1)?.timeMs ?? 0
    this.isWhole = rows.length < PAGE
    this.rows = [...rows, ...this.rows.filter(({ timeMs }) => timeMs > newest)]
    this.loads++
    requestFrame()
  }

  /** Loads the page before the first candle. */
  async loadOlder(): Promise<void> {
    const first = this.rows[0]
    if (first === undefined || this.isWhole || this.isLoading) return
    if (this.rows.length >= CANDLES_MAX) return
    this.isLoading = true
    const rows = await this.page(first.timeMs - 1)
    this.isLoading = false
    if (rows === undefined || this.rows[0] !== first) return
    this.isWhole = rows.length < PAGE
    this.rows = [...rows, ...this.rows]
    this.loads++
    requestFrame()
  }

  /** Takes the candle under way. */
  update(candle: StreamCandle): void {
    if (candle.s !== this.symbol?.symbol || candle.i !== this.interval.value) return
    const next = candleOfStream(candle)
    const last = this.rows.at(-1)
    if (last !== undefined && next.timeMs < last.timeMs) return
    if (last?.timeMs === next.timeMs) this.rows[this.rows.length - 1] = next
    else this.rows.push(next)
    this.version++
  }

  /** A page that ends at `endTime`; undefined when it failed, or another chart is shown by now. */
  private async page(endTime: number | undefined): Promise<Candle[] | undefined> {
    const symbol = this.symbol
    const { value: interval } = this.interval
    if (symbol === undefined) return undefined
    const query = { symbol: symbol.symbol, interval, limit: PAGE, endTime }
    const rows = await read<readonly CandleRow[]>('/api/v3/klines', query).catch(() => undefined)
    const isShown = symbol === this.symbol && interval === this.interval.value
    return isShown ? rows?.map(candleOfRow) : undefined
  }
}
