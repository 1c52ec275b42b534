/** What was measured, as text with bars for the terminal. */
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
