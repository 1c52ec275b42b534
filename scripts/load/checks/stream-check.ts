/**
 * Holds the frames of market streams to what their documents promise: ids of trades without a gap,
 * diffs of the book that follow each other, best prices of ever later updates.
 */
import { Findings } from './findings.ts'

/** A frame of a combined stream. */
export interface StreamFrame {
  readonly stream: string
  readonly data: Readonly<Record<string, unknown>>
}

export class StreamCheck {
  private readonly findings = new Findings('frames of market streams follow each other')
  /** By connection and stream: the id that the last frame ended with. */
  private readonly last = new Map<string, number>()
  private _frames = 0

  get frames(): number {
    return this._frames
  }

  frame(connection: number, { stream, data }: StreamFrame): void {
    this._frames++
    const rule = ruleOf(stream)
    if (rule === undefined) return
    const [first, last] = [Number(data[rule.first]), Number(data[rule.last])]
    const key = `${connection} ${stream}`
    const before = this.last.get(key)
    this.last.set(key, last)
    const follows = before === undefined || (rule.isDense ? first === before + 1 : first > before)
    this.findings.compared(
      follows && last >= first ? undefined : `${stream}: ${before} is followed by ${first}`,
    )
  }

  results() {
    return [this.findings.result()]
  }
}

/** The ids that a frame begins and ends with; dense ones leave none out. */
interface Rule {
  readonly first: string
  readonly last: string
  readonly isDense: boolean
}

function ruleOf(stream: string): Rule | undefined {
  const kind = stream.slice(stream.indexOf('@') + 1)
  if (kind === 'trade') return { first: 't', last: 't', isDense: true }
  if (kind === 'aggTrade') return { first: 'a', last: 'a', isDense: true }
  if (kind === 'depth' || kind === 'depth@100ms') return { first: 'U', last: 'u', isDense: true }
  if (kind === 'bookTicker') return { first: 'u', last: 'u', isDense: false }
  return undefined
}
