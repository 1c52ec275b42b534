/**
 * Lists of klines, each encoded once: the encoder's rows of klines that no trade can change are kept, since
 * clients query the newest few hundred of a symbol again and again, and only the last differs. Used on one
 * history thread; the kept rows are bounded, and always equal the archive's.
 */
import { Rows } from '../api/answers/answer.ts'
import { listWriters } from '../api/answers/encoders.ts'
import type { ListWriter } from '../api/answers/lists.ts'
import { kline } from '../api/answers/market.ts'
import type { History } from '../archive/history.ts'
import type { KlineSpan } from '../archive/klines.ts'
import type { Ms } from '../base/units.ts'
import type { KlineQuery } from '../history/market-history.ts'
import type { ListForm } from '../history/queries.ts'

/** Rows of klines kept at most, of about 250 bytes each as JSON. */
const KEPT_MAX = 65_536

/** The klines of a symbol, interval, time zone, time unit and encoding. */
interface Series {
  readonly writer: ListWriter
  /** Kept rows by opening time. */
  readonly rows: Map<number, string>
  /** The begin of the last list: `count` klines from the one that opens at `openMs`. */
  head: { readonly openMs: Ms; readonly count: number; readonly bytes: Uint8Array } | undefined
}

export class KlineLists {
  private readonly history: Pick<History, 'klineSpan' | 'klinesOf'>
  private readonly keptMax: number
  private readonly series = new Map<string, Series>()
  private kept = 0

  constructor(history: Pick<History, 'klineSpan' | 'klinesOf'>, keptMax = KEPT_MAX) {
    this.history = history
    this.keptMax = keptMax
  }

  /** Returns what `History.klines` returns, by its last refresh. */
  list(query: KlineQuery, form: ListForm): Uint8Array {
    const span = this.history.klineSpan(query)
    const series = this.seriesOf(query, form)
    const head = headOf(series, span.opens)
    const count = head?.count ?? 0
    const more = this.history.klinesOf(span, count).map((row) => new Rows(kline, row, form))
    const { bytes, rowAt } = series.writer.write(head?.bytes, more)
    this.keep(series, span, count, rowAt)
    return bytes
  }

  private seriesOf(
    { symbolId, interval, offsetMs }: KlineQuery,
    { microseconds, encoding }: ListForm,
  ): Series {
    const key = `${symbolId} ${interval} ${offsetMs} ${microseconds} ${encoding}`
    let series = this.series.get(key)
    if (series === undefined) {
      series = { writer: listWriters[encoding], rows: new Map(), head: undefined }
      this.series.set(key, series)
      this.kept++
    }
    return series
  }

  /** `rowAt`: returns the row of a kline that was just written. */
  private keep(
    { rows }: Series,
    { opens, endMs, settledMs }: KlineSpan,
    from: number,
    rowAt: (index: number) => string,
  ): void {
    for (let index = from; index < opens.length; index++) {
      const openMs = opens[index]!
      const nextMs = opens[index + 1] ?? endMs
      if (nextMs > settledMs || rows.has(openMs)) continue
      rows.set(openMs, rowAt(index - from))
      this.kept++
    }
    if (this.kept <= this.keptMax) return
    this.series.clear()
    this.kept = 0
  }
}

/** Returns the kept klines from the first on, concatenated once for all lists with the same begin. */
function headOf(series: Series, opens: readonly Ms[]): Series['head'] {
  const last = series.head
  const openMs = opens[0]
  const isLonger = last !== undefined && last.openMs === openMs && last.count <= opens.length
  const before = isLonger ? last.count : 0
  const kept: string[] = []
  for (let i = before; i < opens.length; i++) {
    const row = series.rows.get(opens[i]!)
    if (row === undefined) break
    kept.push(row)
  }
  const count = before + kept.length
  if (openMs === undefined || count === 0) return undefined
  if (kept.length > 0) {
    const bytes = series.writer.extend(isLonger ? last.bytes : undefined, kept)
    series.head = { openMs, count, bytes }
  }
  return series.head
}
