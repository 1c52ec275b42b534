/** What `ringbook help` and `ringbook ACT --help` print, from the rows of acts. */
import { type ActParam, type ActRow, actGroups } from '../control/act.ts'
import type { Paint } from './paint.ts'

/** What help and completion read of a row. */
export type DescribedAct = Pick<ActRow, 'name' | 'group' | 'example' | 'about' | 'params'> &
  Partial<Pick<ActRow, 'role' | 'isImmediate'>>

const NAME_WIDTH = 22

const optionsText = `  -o table|json|csv    How it prints rows; --json is -o json.
  --watch[=SECONDS]    Repeats an act that only reads, every second or so many, until Ctrl-C.
  --yes                Answers what a terminal asks before an act that cannot be undone.
  --data FOLDER        The data folder of the exchange.
  --admin-port PORT    The port of its operator's door.
  --config FILE        Settings that have both.
  --token-file FILE    Acts as the operator with that token.
`

/** Returns all acts in their groups. */
export function actsHelp(rows: readonly DescribedAct[], paint: Paint): string {
  const groups = Object.entries(actGroups).map(([group, heading]) => {
    const lines = rows
      .filter((row) => row.group === group)
      .map(({ name, about, example }) => {
        const shown = paint('dim', `ringbook ${example}`)
        return `  ${name.padEnd(NAME_WIDTH)}${about}\n  ${' '.repeat(NAME_WIDTH)}${shown}\n`
      })
    return `${paint('bold', heading)}\n${lines.join('')}`
  })
  return `Usage: ringbook ACT [arguments] [options]

Acts on the exchange that runs on the data folder. Arguments are --name value, or values alone in their
order; @path stands for what a file holds. ringbook ACT --help tells more of one act, and ringbook
--help lists the settings of a start.

${groups.join('\n')}
${paint('bold', 'Options')}
${optionsText}`
}

/** Returns all that there is to know about one act. */
export function actHelp(row: DescribedAct, paint: Paint): string {
  const { name, about, role, isImmediate = true, params, example } = row
  const lines = params.map((param) => {
    const choices = param.choices === undefined ? '' : ` (${param.choices.join(' | ')})`
    return `  --${param.name.padEnd(NAME_WIDTH - 4)} ${param.about}${choices}\n`
  })
  const when = isImmediate ? '' : ' It takes effect at the next start.'
  const usage = ['ringbook', name, ...params.map(paramText)].join(' ')
  const needs = role === undefined ? '' : `\nNeeds the role ${role}.`
  const own = lines.length === 0 ? '' : `${lines.join('')}\n`
  return `${about}${when}

Usage: ${usage}
Example: ${paint('bold', `ringbook ${example}`)}${needs}

${own}${paint('dim', 'ringbook help lists the options of all acts.')}
`
}

const paramText = ({ name, required }: ActParam): string =>
  required ? `--${name} …` : `[--${name} …]`
