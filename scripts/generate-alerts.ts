/** Rules for Prometheus, and the table of them in docs/watch.md, from the table of alerts. */
import { readFileSync } from 'node:fs'
import { type AlertRow, alerts, type Condition } from '../src/telemetry/alerts.ts'
import { table } from './generate-api-docs.ts'

const PREFIX = 'ringbook_'
const PAGE = 'docs/watch.md'
const BEGIN = '<!-- Made from src/telemetry/alerts.ts by npm run generate. -->'
const END = '<!-- Here ends what is made from the table of alerts. -->'

const HEAD = `# Generated from src/telemetry/alerts.ts by npm run generate: what an operator should look at, and what the
# dashboard asks for often.
groups:
  - name: ringbook-rates
    rules:
      # Share of its time that a matcher is awake: executing, flushing, publishing.
      - record: ringbook:matcher_busy:ratio
        expr: 1 - rate(ringbook_matcher_idle_seconds_total[1m])
      - record: ringbook:orders:rate1m
        expr: sum(rate(ringbook_symbol_orders_total[1m]))

  - name: ringbook-alerts
    rules:
`

const spanText = (seconds: number): string =>
  seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`

function termOf(metric: string, { as, spanSeconds, isSum }: Condition): string {
  // What Prometheus makes itself has a name with labels.
  const name = metric.includes('{') ? metric : `${PREFIX}${metric}`
  const span = `[${spanText(spanSeconds)}]`
  const term =
    as === 'value'
      ? name
      : as === 'p99'
        ? `histogram_quantile(0.99, rate(${name}_bucket${span}))`
        : `${as}(${name}${span})`
  return isSum ? `sum(${term})` : term
}

const expressionOf = (condition: Condition): string => {
  const { of, is, than } = condition
  return `${of.map((metric) => termOf(metric, condition)).join(' + ')} ${is} ${than}`
}

const TEMPLATES: Readonly<Record<string, string>> = {
  value: '$value',
  count: '$value | humanize',
  share: '$value | humanizePercentage',
  duration: '$value | humanizeDuration',
}
const summaryOf = ({ text }: AlertRow): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name) => `{{ ${TEMPLATES[name] ?? `$labels.${name}`} }}`)

const ruleOf = (row: AlertRow): string =>
  [
    `      - alert: ${row.name}`,
    `        expr: ${JSON.stringify(row.when.map(expressionOf).join(' or '))}`,
    ...(row.forSeconds === 0 ? [] : [`        for: ${spanText(row.forSeconds)}`]),
    `        labels: { severity: ${row.severity} }`,
    '        annotations:',
    `          summary: ${JSON.stringify(summaryOf(row))}`,
    '',
  ].join('\n')

export const alertRules = (): string => HEAD + alerts.map(ruleOf).join('\n')

/** The page as it is, with the table as it should be. */
export function watchPage(): string {
  const page = readFileSync(PAGE, 'utf8')
  const [before, rest = ''] = page.split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error(`${PAGE} lacks the marks of its table`)
  const rows = alerts.map(({ name, severity, remedy, isOutside }) => [
    ...[`\`${name}\``, severity, isOutside === true ? 'no' : 'yes', remedy],
  ])
  const lines = table(['alert', 'severity', 'sent by the exchange', 'what to do'], rows)
  return `${before}${BEGIN}\n\n${lines.join('\n')}\n\n${END}${after}`
}
