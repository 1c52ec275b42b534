/** What pages of reports are made of. A page needs nothing else: no script, no font, no outside picture. */
import { timeText } from './display.ts'
import { escaped, linearTicks, logTicks } from './plots.ts'
import type { LoadReport } from './report.ts'

const STYLE = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2430; --faint: #66707f; --rule: #dfe3e8;
  --box: #f5f7f9; --good: #1b7f4d; --bad: #b3261e; --a: #2f6fd0; --b: #12907f; --c: #c97b00; --d: #c2334d }
@media (prefers-color-scheme: dark) { :root { --paper: #14181e; --ink: #e3e8ee; --faint: #97a2b0;
  --rule: #2c343e; --box: #1b2129; --good: #55c38c; --bad: #ff8a80; --a: #6fa5f5; --b: #3fc4b0;
  --c: #eeb04b; --d: #f2798c } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 32px 24px 64px; max-width: 1040px; background: var(--paper);
  color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px } h2 { font-size: 18px; margin: 40px 0 10px }
p { margin: 4px 0 } .faint { color: var(--faint) } .good { color: var(--good) } .bad { color: var(--bad) }
.boxes { display: grid; grid-template-columns: repeat(auto-fit, minmax(124px, 1fr)); gap: 10px;
  margin: 24px 0 8px }
.box { background: var(--box); border-radius: 8px; padding: 10px 14px } .box b { display: block;
  font-size: 21px; font-variant-numeric: tabular-nums } .box span { color: var(--faint); font-size: 13px }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { text-align: right; padding: 5px 10px; border-bottom: 1px solid var(--rule); white-space: nowrap }
th { color: var(--faint); font-weight: 600; font-size: 13px } th:first-child, td:first-child,
td.text, th.text { text-align: left } td.text { white-space: normal }
svg { display: block; width: 100%; height: auto } svg text { fill: var(--faint); font-size: 12px }
.grid { stroke: var(--rule) } .minor { stroke-opacity: .5 } .line { fill: none; stroke-width: 1.8 }
.a { stroke: var(--a) } .b { stroke: var(--b) } .c { stroke: var(--c) } .d { stroke: var(--d) }
.dashed { stroke-dasharray: 7 4 } .dotted { stroke-dasharray: 2 3 }
.dot { fill: var(--paper) } .hint { fill: transparent } .hint:hover { fill: var(--ink); fill-opacity: .06 }
ul { margin: 8px 0; padding-left: 22px }
`

export const documentOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}</body>
</html>
`

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
