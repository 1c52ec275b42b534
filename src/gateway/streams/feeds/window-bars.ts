/**
 * The bars of the windows that tickers show, computed once for all streams, and again only after a
 * trade or a minute.
 */

import type { Ms, SymbolId, TradeId } from '../../../base/units.ts'
import type { DayWindow } from '../../../core/views/day-window.ts'
import { Bar } from '../../../history/bar.ts'
import type { BarRow } from '../../../history/market-history.ts'
import { DAY_MS } from '../../../market/intervals.ts'

export interface WindowBar {
  readonly openMs: Ms
  readonly lastTradeId: TradeId
  readonly row: BarRow
}

interface WholeMinutes {
  readonly fromMs: Ms
  readonly lastTradeId: TradeId
  readonly bar: Bar
}

export class WindowBars {
  private readonly dayWindows: readonly DayWindow[]
  /** By length of the window, then by symbol id. */
  private readonly known = new Map<number, (WindowBar | undefined)[]>()
  private readonly bar = new Bar()
  /** By symbol id: the whole minutes of its 24 hours. */
  private readonly wholeMinutes: (WholeMinutes | undefined)[] = []

  constructor(dayWindows: readonly DayWindow[]) {
    this.dayWindows = dayWindows
  }

  /** Returns the bar of 24 hours to the millisecond; undefined while the symbol's past is unknown. */
  ofDay(symbolId: SymbolId, nowMs: Ms): WindowBar | undefined {
    const window = this.dayWindows[symbolId]!
    if (!window.seeded || !window.knows(nowMs)) return undefined
    this.bar.clear()
    window.appendFirst(nowMs, this.bar)
    this.bar.append(this.wholeMinutesOf(symbolId, nowMs))
    return {
      openMs: window.dayOpenMs(nowMs),
      lastTradeId: window.lastTradeId,
      row: this.bar.row(),
    }
  }

  private wholeMinutesOf(symbolId: SymbolId, nowMs: Ms): Bar {
    const window = this.dayWindows[symbolId]!
    const fromMs = window.openMs(nowMs, DAY_MS)
    const { lastTradeId } = window
    let known = this.wholeMinutes[symbolId]
    if (known?.fromMs !== fromMs || known.lastTradeId !== lastTradeId) {
      known = { fromMs, lastTradeId, bar: new Bar() }
      window.appendWholeMinutes(nowMs, known.bar)
      this.wholeMinutes[symbolId] = known
    }
    return known.bar
  }

  /** Returns the bar of a rolling window; undefined while the symbol's past is unknown. */
  of(symbolId: SymbolId, windowMs: number, nowMs: Ms): WindowBar | undefined {
    const window = this.dayWindows[symbolId]!
    if (!window.seeded) return undefined
    let bars = this.known.get(windowMs)
    if (bars === undefined) {
      bars = []
      this.known.set(windowMs, bars)
    }
    const known = bars[symbolId]
    const { lastTradeId } = window
    if (known?.lastTradeId === lastTradeId && known.openMs === window.openMs(nowMs, windowMs)) {
      return known
    }
    const openMs = window.read(nowMs, this.bar, windowMs)
    const found = { openMs, lastTradeId, row: this.bar.row() }
    bars[symbolId] = found
    return found
  }
}
