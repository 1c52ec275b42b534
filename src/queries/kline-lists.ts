/**
 * Lists of klines as JSON, written once: klines that no trade can change are kept as texts, since clients
 * query the newest few hundred of a symbol again and again, and only the last differs. Used on one history
 * thread; the kept texts are bounded, and always equal the archive's.
 */
import { Rows } from '../api/answers/answer.ts'
import { writeJson } from '../api/answers/json.ts'
import { jsonBytes, Piece } from '../api/answers/json-bytes.ts'
import { kline } from '../api/answers/market.ts'
import type { History } from '../archive/history.ts'
import type { KlineSpan } from '../archive/klines.ts'
import type { Ms } from '../base/units.ts'
import type { KlineQuery, KlineRow } from '../history/market-history.ts'
import type { ListForm } from '../history/queries.ts'

/** Texts of klines kept at most, of about 250 bytes each. */
const KEPT_MAX = 65_536

const begin = new Piece('[')
const comma = new Piece(',')
const end = new Piece(']')

/** The klines of a symbol, interval, time zone and time unit. */
interface Series {
  /** By opening time. */
  readonly texts: Map<number, string>
  /** The begin of the last list: `count` klines from the one that opens at `openMs`, with commas between. */
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
    const ends = writeList(head?.bytes, this.history.klinesOf(span, count), form)
    const list = jsonBytes.view().slice()
    const text = Buffer.from(list.buffer)
    this.keep(series, span, count, (index) => {
      const isFirst = count + index === 0
      const from = ends[index]! + (isFirst ? 0 : comma.bytes)
      return text.toString('latin1', from, ends[index + 1])
    })
    return list
  }

  private seriesOf(
    { symbolId, interval, offsetMs }: KlineQuery,
    { microseconds }: ListForm,
  ): Series {
    const key = `${symbolId} ${interval} ${offsetMs} ${microseconds}`
    let series = this.series.get(key)
    if (series === undefined) {
      series = { texts: new Map(), head: undefined }
      this.series.set(key, series)
      this.kept++
    }
    return series
  }

  /** `textOf`: returns the text of a kline that was just written. */
  private keep(
    { texts }: Series,
    { opens, endMs, settledMs }: KlineSpan,
    from: number,
    textOf: (index: number) => string,
  ): void {
    for (let index = from; index < opens.length; index++) {
      const openMs = opens[index]!
      const nextMs = opens[index + 1] ?? endMs
      if (nextMs > settledMs || texts.has(openMs)) continue
      texts.set(openMs, textOf(index - from))
      this.kept++
    }
    if (this.kept <= this.keptMax) return
    this.series.clear()
    this.kept = 0
  }
}

/** Writes a list: `head`, and the rows after it. Returns where each row ends, the first of them behind `head`. */
function writeList(
  head: Uint8Array | undefined,
  rows: readonly KlineRow[],
  form: ListForm,
): number[] {
  jsonBytes.begin()
  jsonBytes.piece(begin)
  if (head !== undefined) jsonBytes.bytes(head)
  const ends = [jsonBytes.length]
  for (const row of rows) {
    if (jsonBytes.length > begin.bytes) jsonBytes.piece(comma)
    writeJson(jsonBytes, new Rows(kline, row, form))
    ends.push(jsonBytes.length)
  }
  jsonBytes.piece(end)
  return ends
}

/** Returns the kept klines from the first on, concatenated once for all lists with the same begin. */
function headOf(series: Series, opens: readonly Ms[]): Series['head'] {
  const last = series.head
  const openMs = opens[0]
  const isLonger = last !== undefined && last.openMs === openMs && last.count <= opens.length
  const before = isLonger ? last.count : 0
  const kept: string[] = []
  for (let i = before; i < opens.length; i++) {
    const text = series.texts.get(opens[i]!)
    if (text === undefined) break
    kept.push(text)
  }
  const count = before + kept.length
  if (openMs === undefined || count === 0) return undefined
  if (kept.length > 0) {
    const text = Buffer.from(`${isLonger ? ',' : ''}${kept.join()}`, 'latin1')
    const bytes = isLonger ? Buffer.concat([last.bytes, text]) : text
    series.head = { openMs, count, bytes }
  }
  return series.head
}
