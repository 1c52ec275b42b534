/**
 * Streams of tickers. The stream of one symbol sends every second. The stream of all symbols sends the
 * tickers that have changed since its last frame, and no frame when none have.
 */
import { type Answer, type AnyRows, Rows } from '../../../api/answers/answer.ts'
import type { Elements, RowOf, Table } from '../../../api/answers/element.ts'
import { AVERAGE_PRICE_MINUTES } from '../../../api/answers/market.ts'
import {
  averagePriceFrame,
  dayTickerFrame,
  miniTickerFrame,
  referencePriceFrame,
  windowTickerFrames,
} from '../../../api/answers/market-streams.ts'
import { dayRow, type WindowRow, windowRow } from '../../../api/rows/market.ts'
import type { TickerSource } from '../../../api/streams.ts'
import type { Ms } from '../../../base/units.ts'
import type { DepthView } from '../../../core/views/depth.ts'
import type { ReferencePrice } from '../../../core/views/reference-price.ts'
import type { Tape } from '../../../core/views/tape.ts'
import type { SymbolSpec } from '../../../market/listing.ts'
import type { Feed, FeedParts, Send } from './feed.ts'
import type { WindowBar, WindowBars } from './window-bars.ts'

type Row = Readonly<Record<string, unknown>>

/** The tickers of one kind. Their windows end at the event. */
export interface Tickers {
  readonly answer: Table
  /** Returns the row of a symbol; undefined while its values are not known yet. */
  row(spec: SymbolSpec, nowMs: Ms): Row | undefined
  frame(rows: Row | readonly Row[], microseconds: boolean): AnyRows
}

const tickers = <E extends Elements>(
  answer: Answer<E>,
  row: (spec: SymbolSpec, nowMs: Ms) => RowOf<E> | undefined,
): Tickers => ({
  answer,
  row: row as Tickers['row'],
  frame: (rows, microseconds) =>
    new Rows(answer, rows as RowOf<E> | readonly RowOf<E>[], { microseconds }),
})

export function tickersOf(parts: FeedParts, bars: WindowBars, source: TickerSource): Tickers {
  const rowOf = (spec: SymbolSpec, bar: WindowBar | undefined, nowMs: Ms): WindowRow | undefined =>
    bar && windowRow(spec, bar.row, bar.openMs, nowMs)
  switch (source.kind) {
    case 'MINI_TICKER':
      return tickers(miniTickerFrame, (spec, nowMs) =>
        rowOf(spec, bars.ofDay(spec.id, nowMs), nowMs),
      )
    case 'WINDOW_TICKER':
      return tickers(windowTickerFrames[source.window], (spec, nowMs) =>
        rowOf(spec, bars.of(spec.id, source.windowMs, nowMs), nowMs),
      )
    case 'DAY_TICKER':
      return tickers(dayTickerFrame, (spec, nowMs) => {
        const { depths, dayWindows, tapes } = parts
        const depth = depths[spec.id]!
        const day = rowOf(spec, bars.ofDay(spec.id, nowMs), nowMs)
        if (day === undefined || !depth.synced) return undefined
        const beforeTicks = dayWindows[spec.id]!.beforeTicks(nowMs)
        return dayRow(day, beforeTicks, tapes[spec.id]!.lastLots, depth)
      })
  }
}

export const tickerFeed = (tickers: Tickers, spec: SymbolSpec, send: Send): Feed => ({
  tick: (nowMs, isDue) => {
    const row = isDue ? tickers.row(spec, nowMs) : undefined
    if (row !== undefined) send((microseconds) => tickers.frame(row, microseconds))
  },
})

/** Changes after `beganMs` count. */
export function allTickersFeed(
  tickers: Tickers,
  symbols: readonly SymbolSpec[],
  beganMs: Ms,
  send: Send,
): Feed {
  /** By symbol id, at the last check. */
  const known: (Row | undefined)[] = []
  const numbers = numbersOf(tickers.answer)
  const takeChanged = (nowMs: Ms): readonly Row[] => {
    const changed: Row[] = []
    for (const spec of symbols) {
      const row = tickers.row(spec, nowMs)
      if (row === undefined) continue
      const before = known[spec.id]
      if (before !== undefined && numbers.every((name) => before[name] === row[name])) continue
      known[spec.id] = row
      changed.push(row)
    }
    return changed
  }
  takeChanged(beganMs)
  return {
    tick: (nowMs, isDue) => {
      const changed = isDue ? takeChanged(nowMs) : []
      if (changed.length > 0) send((microseconds) => tickers.frame(changed, microseconds))
    },
  }
}

/** The properties of rows that decide whether a ticker changed: its times always do. */
const numbersOf = ({ elements }: Table): readonly string[] =>
  Object.values(elements).flatMap(({ kind, source }) => {
    const isNumber = !['symbol', 'constant', 'time'].includes(kind.is)
    // What is derived follows from other properties that the ticker shows.
    return isNumber && 'property' in source ? [source.property] : []
  })

export const averagePriceFeed = (tape: Tape, send: Send): Feed => ({
  tick: (eventMs, isDue) => {
    const { seeded, spec, lastTimeMs } = tape
    if (!isDue || !seeded) return
    const priceUnits = tape.averagePriceUnits(AVERAGE_PRICE_MINUTES, eventMs)
    const row = { spec, eventMs, priceUnits, lastTimeMs }
    send((microseconds) => new Rows(averagePriceFrame, row, { microseconds }))
  },
})

/** Silent for a symbol that never had a reference price, as its query is refused. */
export const referencePriceFeed = (
  depth: DepthView,
  reference: ReferencePrice,
  send: Send,
): Feed => ({
  tick: (timeMs, isDue) => {
    const { spec, synced } = depth
    if (!isDue || !synced || !reference.hasPriced) return
    const row = { spec, priceUnits: reference.unitsAt(timeMs), timeMs }
    send((microseconds) => new Rows(referencePriceFrame, row, { microseconds }))
  },
})
