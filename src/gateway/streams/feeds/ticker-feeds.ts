/**
 * Streams of tickers. The stream of one symbol sends every second. The stream of all symbols sends the
 * tickers that have changed since its last frame, and no frame when none have.
 */
import { averagePriceFrame } from '../../../api/render/market-stream.ts'
import {
  dayTickerText,
  miniTickerText,
  type TickerText,
  tickerFrame,
  windowTickerText,
} from '../../../api/render/ticker-stream.ts'
import type { TickerSource } from '../../../api/streams.ts'
import type { Ms } from '../../../base/units.ts'
import type { Tape } from '../../../core/folds/tape.ts'
import type { SymbolSpec } from '../../../market/listing.ts'
import type { Feed, FeedParts, Send } from './feed.ts'
import type { WindowBars } from './window-bars.ts'

interface Ticker {
  readonly text: TickerText
  readonly openMs: Ms
}

/** Makes the tickers of one kind. */
export class Tickers {
  readonly #parts: FeedParts
  readonly #bars: WindowBars
  readonly #source: TickerSource

  constructor(parts: FeedParts, bars: WindowBars, source: TickerSource) {
    this.#parts = parts
    this.#bars = bars
    this.#source = source
  }

  get symbols(): readonly SymbolSpec[] {
    return this.#parts.symbols
  }

  /** Returns the ticker; undefined while its values are not known yet. */
  of(spec: SymbolSpec, nowMs: Ms): Ticker | undefined {
    const source = this.#source
    const bar =
      source.kind === 'WINDOW_TICKER'
        ? this.#bars.of(spec.id, source.windowMs, nowMs)
        : this.#bars.ofDay(spec.id, nowMs)
    if (bar === undefined) return undefined
    const { openMs, row } = bar
    if (source.kind === 'MINI_TICKER') return { text: miniTickerText(spec, row), openMs }
    if (source.kind === 'WINDOW_TICKER') {
      return { text: windowTickerText(spec, row, source.event), openMs }
    }
    const { depths, dayWindows, tapes } = this.#parts
    const depth = depths[spec.id]!
    if (!depth.synced) return undefined
    const beforeTicks = dayWindows[spec.id]!.beforeTicks(nowMs)
    const around = { beforeTicks, lastLots: tapes[spec.id]!.lastLots, depth }
    return { text: dayTickerText(spec, row, around), openMs }
  }
}

export class TickerFeed implements Feed {
  readonly #tickers: Tickers
  readonly #spec: SymbolSpec
  readonly #send: Send

  constructor(tickers: Tickers, spec: SymbolSpec, send: Send) {
    this.#tickers = tickers
    this.#spec = spec
    this.#send = send
  }

  tick(nowMs: Ms, isDue: boolean): void {
    const ticker = isDue ? this.#tickers.of(this.#spec, nowMs) : undefined
    if (ticker === undefined) return
    const { text, openMs } = ticker
    this.#send((microseconds) => tickerFrame(text, openMs, nowMs, microseconds))
  }
}

export class AllTickersFeed implements Feed {
  readonly #tickers: Tickers
  readonly #send: Send
  /** By symbol id, at the last check. */
  readonly #known: (TickerText | undefined)[] = []

  /** Changes after `nowMs` count. */
  constructor(tickers: Tickers, nowMs: Ms, send: Send) {
    this.#tickers = tickers
    this.#send = send
    this.#takeChanged(nowMs)
  }

  tick(nowMs: Ms, isDue: boolean): void {
    const changed = isDue ? this.#takeChanged(nowMs) : []
    if (changed.length === 0) return
    this.#send((microseconds) => {
      const frames = changed.map(({ text, openMs }) =>
        tickerFrame(text, openMs, nowMs, microseconds),
      )
      return `[${frames.join()}]`
    })
  }

  #takeChanged(nowMs: Ms): readonly Ticker[] {
    const changed: Ticker[] = []
    for (const spec of this.#tickers.symbols) {
      const ticker = this.#tickers.of(spec, nowMs)
      if (ticker === undefined) continue
      const { text } = ticker
      const known = this.#known[spec.id]
      if (known?.numbers === text.numbers && known.ids === text.ids) continue
      this.#known[spec.id] = text
      changed.push(ticker)
    }
    return changed
  }
}

export class AveragePriceFeed implements Feed {
  readonly #tape: Tape
  readonly #send: Send

  constructor(tape: Tape, send: Send) {
    this.#tape = tape
    this.#send = send
  }

  tick(nowMs: Ms, isDue: boolean): void {
    if (!isDue || !this.#tape.seeded) return
    this.#send((microseconds) => averagePriceFrame(this.#tape, nowMs, microseconds))
  }
}
