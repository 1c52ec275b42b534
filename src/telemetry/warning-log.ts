/** The last warnings and errors of the log, kept in memory for reading. */

/** Lines kept; older ones are in the log's file alone. */
export const WARNINGS_KEPT = 256
/** Characters kept of one line. */
const TEXT_CHARS_MAX = 2_000
const WARN = 40

export interface Warning {
  /** Counts the lines since the start, from 1. */
  readonly number: number
  readonly timeMs: number
  readonly level: 'warning' | 'error' | 'fatal'
  /** The message, and its fields. */
  readonly text: string
}

interface LogLine {
  readonly level: number
  readonly time: number
  readonly pid?: number
  readonly msg?: string
}

export class WarningLog {
  private readonly lines: Warning[] = []
  private _count = 0

  /** Lines since the start. */
  get count(): number {
    return this._count
  }

  /** Keeps a JSON line of the log if it is a warning or worse. */
  read(json: string): void {
    const { level, time, pid: _, msg = '', ...fields } = JSON.parse(json) as LogLine
    if (level < WARN) return
    const texts = Object.entries(fields).map(([name, value]) => ` ${name}=${textOf(value)}`)
    const text = msg + texts.join('')
    this.lines.push({
      number: ++this._count,
      timeMs: time,
      level: level >= 60 ? 'fatal' : level >= 50 ? 'error' : 'warning',
      text: text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}…` : text,
    })
    if (this.lines.length > WARNINGS_KEPT) this.lines.shift()
  }

  /** Returns up to `limit` lines, the newest first. */
  newest(limit: number): readonly Warning[] {
    return this.lines.slice(-limit).reverse()
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
