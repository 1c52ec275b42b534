/** Writes Prometheus's text format 0.0.4. Each family is read when it is written; none keeps a value. */

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export interface Sample {
  /** In the order in which they are written. */
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  /** What a histogram's samples have behind the family's name. */
  readonly suffix?: '_bucket' | '_sum' | '_count'
}

export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly read: () => readonly Sample[]
}

/** Returns all families with their samples, in the order given. */
export const expositionText = (families: readonly Family[]): string =>
  `${families.map(familyText).join('\n\n')}\n`

function familyText({ name, help, type, read }: Family): string {
  const lines = [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`]
  for (const { labels, value, suffix = '' } of read()) {
    const pairs = Object.entries(labels).map(([label, each]) => `${label}="${quoted(each)}"`)
    const braces = pairs.length === 0 ? '' : `{${pairs.join(',')}}`
    lines.push(`${name}${suffix}${braces} ${numberText(value)}`)
  }
  return lines.join('\n')
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

const quoted = (value: string | number): string =>
  typeof value === 'number' ? String(value) : escaped(value).replaceAll('"', '\\"')

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}
