/** What was measured, as text with bars for the terminal, and as one HTML page that needs nothing else. */
import { documentOf } from '../../scripts/load/page.ts'
import { escaped, linearTicks, type Plot, svgOf } from '../../scripts/load/plots.ts'
import { type Advice, count, micros } from './advice.ts'
import type { HostFigures } from './host.ts'
import type { Trial } from './trials.ts'

export interface Tuning {
  readonly host: HostFigures
  readonly trials: readonly Trial[]
  readonly advice: Advice
  readonly durability: string
  /** When it began, ISO 8601. */
  readonly began: string
}

const BAR_CELLS = 40
const COLUMN_CELLS = 10
const COLUMNS = ['gateways', 'matchers', 'orders/s', 'p50', 'p99', 'cores'] as const
const STYLES = ['a', 'b', 'c', 'd', 'e'] as const

export function textOf({ host, trials, advice }: Tuning): string {
  const hostRows = hostTable(host).map(
    ([what, value]) => `  ${what.padEnd(46)}${value.padStart(14)}`,
  )
  const most = Math.max(...trials.map(({ rate }) => rate))
  const rows = trials.map((trial) => {
    const cells = cellsOf(trial).map((cell) => cell.padStart(COLUMN_CELLS))
    const bar = '█'.repeat(Math.max(1, Math.round((BAR_CELLS * trial.rate) / most)))
    const mark = trial === advice.chosen ? '→' : ' '
    return `${mark}${cells.join('')}  ${bar}`
  })
  const head = COLUMNS.map((name) => name.padStart(COLUMN_CELLS)).join('')
  return `
${hostRows.join('\n')}

 ${head}
${rows.join('\n')}

Use ${flagsOf(advice)}

${advice.reasons.map((reason) => `  - ${reason}`).join('\n')}
`
}

export const flagsOf = ({ chosen }: Advice): string =>
  `--gateways ${chosen.gateways} --matchers ${chosen.matchers}`

const hostTable = (host: HostFigures): readonly (readonly [string, string])[] => [
  [`processors (${host.model})`, String(host.processors)],
  ['word to another thread and back', micros(host.hopUs)],
  ['block flushed to the disk', micros(host.flushUs)],
  ['requests of a bare server', `${count(host.helloRate)}/s`],
  ['commands of one matcher', `${count(host.engineRate)}/s`],
  ['commands of two matchers', `${count(host.twoEnginesRate)}/s`],
]

const cellsOf = ({ gateways, matchers, rate, p50Us, p99Us, cores }: Trial): readonly string[] => [
  String(gateways),
  String(matchers),
  count(rate),
  micros(p50Us),
  micros(p99Us),
  cores.toFixed(1),
]

export function pageOf(tuning: Tuning): string {
  const { host, trials, advice, durability, began } = tuning
  const hostRows = hostTable(host).map((row) => rowOf(row))
  const trialRows = trials.map((trial) => rowOf(cellsOf(trial), trial === advice.chosen))
  const head = `<tr>${COLUMNS.map((name) => `<th>${name}</th>`).join('')}</tr>`
  const body = `<h1>Use <code>${flagsOf(advice)}</code></h1>
<p class="faint">${escaped(began)}, durability ${escaped(durability)}</p>
<ul>${advice.reasons.map((reason) => `<li>${escaped(reason)}</li>`).join('')}</ul>
<h2>Orders a second, over connections kept busy</h2>
${svgOf(plotOf(trials, 'orders/s', ({ rate }) => rate, count))}
<h2>p99 at ${count(advice.chosen.pacedRate)} orders a second</h2>
${svgOf(plotOf(trials, 'p99', ({ p99Us }) => p99Us, micros))}
<h2>Combinations</h2>
<div class="wide"><table>${head}${trialRows.join('')}</table></div>
<h2>The machine</h2>
<div class="wide"><table>${hostRows.join('')}</table></div>
`
  return documentOf('Tuning of gateways and matchers', body)
}

const rowOf = (cells: readonly string[], isChosen = false): string =>
  `<tr${isChosen ? ' class="chosen"' : ''}>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`

/** By gateways, a line for each number of matchers. */
function plotOf(
  trials: readonly Trial[],
  what: string,
  of: (trial: Trial) => number,
  show: (value: number) => string,
): Plot {
  const distinct = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b)
  const gateways = distinct(trials.map((trial) => trial.gateways))
  const most = 1.1 * Math.max(...trials.map(of))
  return {
    title: `${what} by gateways and matchers`,
    x: {
      label: 'gateways',
      min: gateways[0]! - 0.5,
      max: gateways.at(-1)! + 0.5,
      ticks: gateways.map((value) => [value, String(value)]),
    },
    y: { label: what, min: 0, max: most, ticks: linearTicks(most, 5, show) },
    series: distinct(trials.map((trial) => trial.matchers)).map((matchers, index) => ({
      name: `${matchers} matcher${matchers === 1 ? '' : 's'}`,
      style: STYLES[index % STYLES.length]!,
      points: trials
        .filter((trial) => trial.matchers === matchers)
        .map((trial) => [trial.gateways, of(trial)] as const),
    })),
    notes: [],
  }
}
