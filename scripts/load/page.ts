/**
 * What pages of reports are made of, in the console's style. A page needs nothing else: no script, no font,
 * no outside picture.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { timeText } from './display.ts'
import { escaped, linearTicks, logTicks } from './plots.ts'
import type { LoadReport } from './report.ts'

/** Colors of the console, which the build puts beside its pages. */
const THEME_FILE = path.join(import.meta.dirname, '../../src/console/theme.css')
/** The console's user chooses light colors; a report follows the reader's system. */
const LIGHT_THEME = /:root\[data-theme="light"\] (\{[^}]*\})/
const STYLE = `
* { box-sizing: border-box }
body { margin: 0 auto; padding: 0 24px 64px; max-width: 1040px; background: var(--ground);
  color: var(--ink); font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif }
.brand { margin: 0 -24px 24px; padding: 16px 24px; border-bottom: 1px solid var(--line); font-weight: 650 }
.brand::before { content: ""; display: inline-block; width: 13px; height: 13px; margin-right: 9px;
  border: 2px solid var(--accent); border-radius: 50%; vertical-align: -2px }
h1 { font-size: 22px; font-weight: 650; line-height: 1.2; letter-spacing: -.01em; margin: 0 0 4px }
h2 { font-size: 15px; font-weight: 600; margin: 36px 0 10px }
p { margin: 4px 0 } .faint { color: var(--quiet) } .good { color: var(--up) } .bad { color: var(--down) }
code, td, .box b { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-variant-numeric: tabular-nums } code { font-size: 18px }
.boxes { display: grid; grid-template-columns: repeat(auto-fit, minmax(124px, 1fr)); gap: 1px;
  margin: 24px 0 8px; background: var(--line); border: 1px solid var(--line) }
.box { background: var(--panel); padding: 10px 14px } .box b { display: block; font-size: 19px }
.box span { color: var(--quiet); font-size: 12px }
.wide { overflow-x: auto; background: var(--panel) }
table { border-collapse: collapse; width: 100%; font-size: 12px }
th, td { text-align: right; padding: 5px 10px; border-bottom: 1px solid var(--line); white-space: nowrap }
th { color: var(--quiet); font-weight: 500; font-size: 11px } th:first-child, td:first-child,
td.text, th.text { text-align: left } td.text { white-space: normal } tr.chosen { color: var(--accent) }
svg { display: block; width: 100%; height: auto; background: var(--panel) }
svg text { fill: var(--quiet); font-size: 12px }
.grid { stroke: var(--line) } .minor { stroke-opacity: .5 } .line { fill: none; stroke-width: 1.8 }
.a { stroke: var(--a) } .b { stroke: var(--b) } .c { stroke: var(--c) } .d { stroke: var(--d) }
.e { stroke: var(--e) } .dashed { stroke-dasharray: 7 4 } .dotted { stroke-dasharray: 2 3 }
.dot { fill: var(--panel) } .hint { fill: transparent } .hint:hover { fill: var(--ink); fill-opacity: .06 }
ul { margin: 8px 0; padding-left: 22px }
`

export const documentOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${themeText()}${STYLE}</style>
</head>
<body>
<p class="brand">Ringbook</p>
${body}</body>
</html>
`

function themeText(): string {
  const theme = readFileSync(THEME_FILE, 'utf8')
  return theme.replace(LIGHT_THEME, '@media (prefers-color-scheme: light) { :root $1 }')
}

/** Whether checks hold and no threshold is crossed. */
export function verdictOf({ isSound, thresholds }: LoadReport): string {
  if (!isSound) return '<b class="bad">A check fails.</b>'
  const crossed = thresholds.find(({ isCrossed }) => isCrossed)
  if (crossed === undefined) return '<b class="good">All checks hold.</b>'
  return `<b class="bad">${escaped(`${crossed.condition}: it is ${crossed.found}.`)}</b>`
}

/** From 0 to the end of the longest. */
export function timeAxis(reports: readonly LoadReport[]) {
  const ends = reports.flatMap(({ intervals, seconds }) => [
    seconds,
    ...intervals.slice(-1).map((last) => last.atSeconds + last.seconds),
  ])
  const max = Math.max(...ends, 0.001)
  return { label: 'seconds', min: 0, max, ticks: linearTicks(max, 10, (value) => number(value)) }
}

/** The whole decades around the latencies. */
export function latencyAxis(values: readonly number[]) {
  const above = values.filter((value) => value > 0)
  const min = 10 ** Math.floor(Math.log10(Math.min(1e9, ...above)))
  const max = 10 ** Math.ceil(Math.log10(Math.max(min * 10, ...above)))
  return { label: 'latency', min, max, isLog: true, ticks: logTicks(min, max, timeText) } as const
}

const KNOWN_PERCENTILES = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999]

/** Percentiles by their nines, as many as `count` values tell, and where each stands. */
export function percentileAxis(count: number) {
  const nines = Math.max(1, Math.log10(Math.max(10, count)))
  const at = (percentile: number) =>
    Math.min(nines, -Math.log10(Math.max(1e-9, 1 - percentile / 100)))
  const ticks = KNOWN_PERCENTILES.filter((it) => at(it) < nines).map(
    (it) => [at(it), String(it)] as const,
  )
  return { axis: { label: 'percentile', min: 0, max: nines, ticks }, at }
}

/** Columns of these places hold text. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  texts: readonly number[],
): string {
  const style = (index: number) => (texts.includes(index) ? ' class="text"' : '')
  const line = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell, index) => `<${tag}${style(index)}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  const header = head.every((cell) => cell === '') ? '' : `<thead>${line('th', head)}</thead>`
  const body = rows.map((row) => line('td', row)).join('\n')
  return `<div class="wide"><table>${header}<tbody>\n${body}\n</tbody></table></div>`
}

export const number = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: 1 })
