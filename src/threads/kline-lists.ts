/**
 * Lists of klines, rendered once: those that no trade can change any more are kept as texts, since the
 * newest few hundred of a symbol are asked for over and over, and differ by the last one. Used on one
 * history thread; what it keeps is bounded, and never differs from what the archive would answer.
 */
import { arrayText, klineTexts, type ListForm } from '#api/render/history-lists.ts'
import type { History } from '#archive/history.ts'
import type { KlineSpan } from '#archive/klines.ts'
import type { KlineQuery } from '#base/market-history.ts'

/** Of about 250 bytes each. */
const KEPT_MAX = 65_536

/**
 * The same text in one piece: one that was put together keeps its pieces, which take five times as much
 * memory.
 */
const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

/** By when they open. */
type Texts = Map<number, string>

export class KlineLists {
  readonly #history: Pick<History, 'klineSpan' | 'klinesOf'>
  readonly #keptMax: number
  /** By symbol, interval, time zone and time unit. */
  readonly #series = new Map<string, Texts>()
  #kept = 0

  constructor(history: Pick<History, 'klineSpan' | 'klinesOf'>, keptMax = KEPT_MAX) {
    this.#history = history
    this.#keptMax = keptMax
  }

  /** As `History.klines` answers, as of its last refresh. */
  list(query: KlineQuery, form: ListForm): string {
    const span = this.#history.klineSpan(query)
    const texts = this.#textsOf(query, form)
    const list: string[] = []
    for (const openMs of span.opens) {
      const text = texts.get(openMs)
      if (text === undefined) break
      list.push(text)
    }
    const from = list.length
    const rendered = klineTexts(this.#history.klinesOf(span, from), form)
    this.#keep(texts, span, from, rendered)
    return arrayText(from === 0 ? rendered : [...list, ...rendered])
  }

  #textsOf({ symbolId, interval, offsetMs }: KlineQuery, { microseconds }: ListForm): Texts {
    const key = `${symbolId} ${interval} ${offsetMs} ${microseconds}`
    let texts = this.#series.get(key)
    if (texts === undefined) {
      texts = new Map()
      this.#series.set(key, texts)
      this.#kept++
    }
    return texts
  }

  #keep(texts: Texts, span: KlineSpan, from: number, rendered: readonly string[]): void {
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
