/**
 * What traded in the windows that tickers show, worked out once however many streams show it, and
 * again only when there was a trade or a minute has passed.
 */
import { Bar } from '#base/bar.ts'
import type { BarRow } from '#base/market-history.ts'
import type { DayWindow } from '#core/folds/day-window.ts'

export interface WindowBar {
  readonly openMs: number
  readonly lastTradeId: number
  readonly row: BarRow
}

export class WindowBars {
  readonly #dayWindows: readonly DayWindow[]
  /** By length of the window, then by symbol id. */
  readonly #known = new Map<number, (WindowBar | undefined)[]>()
  readonly #bar = new Bar()

  constructor(dayWindows: readonly DayWindow[]) {
    this.#dayWindows = dayWindows
  }

  /** Undefined while the symbol's past is not known yet. */
  of(symbolId: number, windowMs: number, nowMs: number): WindowBar | undefined {
    const window = this.#dayWindows[symbolId]!
    if (!window.seeded) return undefined
    let bars = this.#known.get(windowMs)
    if (bars === undefined) {
      bars = []
      this.#known.set(windowMs, bars)
    }
    const known = bars[symbolId]
    const { lastTradeId } = window
    if (known?.lastTradeId === lastTradeId && known.openMs === window.openMs(nowMs, windowMs)) {
      return known
    }
    const openMs = window.read(nowMs, this.#bar, windowMs)
    const found = { openMs, lastTradeId, row: this.#bar.row() }
    bars[symbolId] = found
    return found
  }
}
