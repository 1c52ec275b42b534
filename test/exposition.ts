/**
 * Reads Prometheus's text format 0.0.4 by its specification, strictly: whatever a scraper might
 * stumble over is an error. Independent of what writes it.
 */

export interface Series {
  /** `name{label="value",…}`, labels by name. */
  readonly id: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly series: readonly Series[]
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y
const SAMPLE = /^([^\s{]+)(?:\{([^}]*)\})? (\S+)$/
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const SUFFIXES = { counter: [''], gauge: [''], histogram: ['_bucket', '_sum', '_count'] } as const

function check(condition: boolean, line: string, what: string): asserts condition {
  if (!condition) throw new Error(`${what}: ${line}`)
}

/** By name. Throws on the first thing that the format does not allow. */
export function parseExposition(text: string): Map<string, Family> {
  check(text.endsWith('\n'), text.slice(-40), 'the last line is not ended')
  const families = new Map<string, Family & { readonly series: Series[] }>()
  const ids = new Set<string>()
  let help: [name: string, text: string] | undefined
  let family: (Family & { readonly series: Series[] }) | undefined
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (keyword === 'HELP') {
      check(NAME.test(name) && rest !== '', line, 'no help')
      help = [name, rest]
    } else if (keyword === 'TYPE') {
      check(help?.[0] === name, line, 'a type that does not follow its help')
      check(Object.hasOwn(SUFFIXES, rest), line, 'an unknown type')
      check(!families.has(name), line, 'a family that comes twice')
      const type = rest as Family['type']
      check(type !== 'counter' || name.endsWith('_total'), line, 'a counter not named _total')
      family = { name, type, help: help![1], series: [] }
      families.set(name, family)
    } else {
      check(!line.startsWith('#') && family !== undefined, line, 'neither comment nor sample')
      const series = parseSample(line, family)
      check(!ids.has(series.id), line, 'a series that comes twice')
      ids.add(series.id)
      family.series.push(series)
    }
  }
  for (const each of families.values()) if (each.type === 'histogram') checkHistogram(each)
  return families
}

function parseSample(line: string, { name: family, type }: Family): Series {
  const match = SAMPLE.exec(line)
  check(match !== null, line, 'no sample')
  const [, name, inner = '', number] = match as unknown as [string, string, string?, string?]
  const isOurs = SUFFIXES[type].some((suffix) => name === family + suffix)
  check(isOurs, line, `a sample outside of its family ${family}`)
  check(NUMBER.test(number!), line, 'no number')
  const value = Number(number)
  check(type === 'gauge' || value >= 0, line, 'a count below zero')
  const labels: Record<string, string> = {}
  for (LABEL.lastIndex = 0; LABEL.lastIndex < inner.length; ) {
    const pair = LABEL.exec(inner)
    check(pair !== null, line, 'labels that cannot be read')
    check(!Object.hasOwn(labels, pair[1]!), line, 'a label that comes twice')
    labels[pair[1]!] = pair[2]!
  }
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))
  const id = `${name}{${sorted.map(([label, each]) => `${label}="${each}"`).join(',')}}`
  return { id, name, labels, value }
}

function checkHistogram({ name, series }: Family): void {
  const groups = new Map<string, Series[]>()
  for (const each of series) {
    const { le: _, ...rest } = each.labels
    const key = JSON.stringify(rest)
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  for (const [key, group] of groups) {
    const buckets = group.filter((each) => each.name === `${name}_bucket`)
    const only = (suffix: string) => group.filter((each) => each.name === name + suffix)
    const where = name + key
    check(only('_sum').length === 1 && only('_count').length === 1, where, 'no sum or count')
    let bound = Number.NEGATIVE_INFINITY
    let count = 0
    for (const { labels, value } of buckets) {
      const le = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)
      check(le > bound, where, 'bounds that do not rise')
      check(value >= count, where, 'buckets that are not cumulative')
      bound = le
      count = value
    }
    check(bound === Number.POSITIVE_INFINITY, where, 'no last bucket')
    check(count === only('_count')[0]!.value, where, 'a count that is not its last bucket')
  }
}
