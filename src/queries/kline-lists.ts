/**
 * Lists of klines, rendered once: klines that no trade can change are kept as texts, since clients query
 * the newest few hundred of a symbol again and again, and only the last differs. Used on one history
 * thread; the kept texts are bounded, and always equal the archive's.
 */
import { arrayText, listTexts } from '../api/render/history-lists.ts'
import type { History } from '../archive/history.ts'
import type { KlineSpan } from '../archive/klines.ts'
import type { Ms } from '../base/units.ts'
import type { KlineQuery } from '../history/market-history.ts'
import type { ListForm } from '../history/queries.ts'

/** Of about 250 bytes each. */
const KEPT_MAX = 65_536

/**
 * Returns the text in one piece: a concatenated one keeps its pieces, which take five times as much
 * memory.
 */
const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

/** The klines of a symbol, interval, time zone and time unit. */
interface Series {
  /** By opening time. */
  readonly texts: Map<number, string>
  /** The begin of the last list, in one piece: `count` klines from the one that opens at `openMs`. */
  head: { readonly openMs: Ms; readonly count: number; readonly text: string } | undefined
}

export class KlineLists {
  readonly #history: Pick<History, 'klineSpan' | 'klinesOf'>
  readonly #keptMax: number
  readonly #series = new Map<string, Series>()
  #kept = 0

  constructor(history: Pick<History, 'klineSpan' | 'klinesOf'>, keptMax = KEPT_MAX) {
    this.#history = history
    this.#keptMax = keptMax
  }

  /** Returns what `History.klines` returns, by its last refresh. */
  list(query: KlineQuery, form: ListForm): string {
    const span = this.#history.klineSpan(query)
    const series = this.#seriesOf(query, form)
    const head = headOf(series, span.opens)
    const rendered = listTexts('klines', this.#history.klinesOf(span, head?.count ?? 0), form)
    this.#keep(series, span, head?.count ?? 0, rendered)
    return arrayText(head === undefined ? rendered : [head.text, ...rendered])
  }

  #seriesOf({ symbolId, interval, offsetMs }: KlineQuery, { microseconds }: ListForm): Series {
    const key = `${symbolId} ${interval} ${offsetMs} ${microseconds}`
    let series = this.#series.get(key)
    if (series === undefined) {
      series = { texts: new Map(), head: undefined }
      this.#series.set(key, series)
      this.#kept++
    }
    return series
  }

  #keep({ texts }: Series, span: KlineSpan, from: number, rendered: readonly string[]): void {
    const { opens, endMs, settledMs } = span
    for (const [index, text] of rendered.entries()) {
      const openMs = opens[from + index]!
      const nextMs = opens[from + index + 1] ?? endMs
      if (nextMs > settledMs || texts.has(openMs)) continue
      texts.set(openMs, flat(text))
      this.#kept++
    }
    if (this.#kept <= this.#keptMax) return
    this.#series.clear()
    this.#kept = 0
  }
}

/** Returns the kept klines from the first on, concatenated once for all lists with the same begin. */
function headOf(series: Series, opens: readonly Ms[]): Series['head'] {
  const last = series.head
  const openMs = opens[0]
  const isLonger = last !== undefined && last.openMs === openMs && last.count <= opens.length
  const kept: string[] = isLonger ? [last.text] : []
  let count = isLonger ? last.count : 0
  const before = count
  for (; count < opens.length; count++) {
    const text = series.texts.get(opens[count]!)
    if (text === undefined) break
    kept.push(text)
  }
  if (openMs === undefined || count === 0) return undefined
  if (count > before) series.head = { openMs, count, text: flat(kept.join()) }
  return series.head
}
