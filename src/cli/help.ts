/** What `ringbook`, `ringbook help` and `ringbook ACTION --help` print, from the rows of actions. */
import { HELP_WIDTH, helpRow, wrapLines } from '../base/wrap-lines.ts'
import { type ActionParam, type ActionRow, actionGroups } from '../control/action.ts'
import type { Paint } from './paint.ts'

/** What help and completion read of a row. */
export type DescribedAction = Pick<ActionRow, 'name' | 'group' | 'example' | 'about' | 'params'> &
  Partial<Pick<ActionRow, 'role' | 'isImmediate' | 'previews'>>

const NAME_WIDTH = 24

/** Parameters that a line gives as switches: no user writes `--all on`. */
export const SWITCH_PARAMS: readonly string[] = ['yes', 'all', 'named']

const options: readonly (readonly [flag: string, about: string])[] = [
  ['-o table|json|csv', 'How rows are printed; --json is -o json.'],
  ['--watch[=SECONDS]', 'Repeats a command that only reads, until Ctrl-C.'],
  ['--dry-run', 'Says what a dangerous command would do, and changes nothing.'],
  ['--yes', 'Answers the question that a terminal asks before it.'],
  ['--data FOLDER', 'The data folder of the exchange.'],
  ['--admin-port PORT', 'Its admin port.'],
  ['--config FILE', 'The TOML file of settings, which has both.'],
  ['--token-file FILE', 'Acts as the operator whose token is in the file.'],
]
const optionsText = options.map(([flag, about]) => helpRow(`  ${flag}`, NAME_WIDTH, about)).join('')

/** Returns all actions in their groups. `command` is what runs this program where the text is printed. */
export function actionsHelp(
  rows: readonly DescribedAction[],
  command: string,
  paint: Paint,
): string {
  const groups = Object.entries(actionGroups).map(([group, heading]) => {
    const lines = rows
      .filter((row) => row.group === group)
      .map(({ name, about, example }) => {
        const shown = paint('dim', `ringbook ${example}`)
        return `${helpRow(`  ${name}`, NAME_WIDTH, about)}${' '.repeat(NAME_WIDTH)}${shown}\n`
      })
    return `${paint('bold', heading)}\n${lines.join('')}`
  })
  const here = command === 'ringbook' ? '' : `Here, ringbook is run as: ${command}\n\n`
  return `Ringbook, a spot exchange.

Usage: ringbook start [settings]                starts an exchange
       ringbook COMMAND [arguments] [options]   asks the one that runs on the data folder

${here}Arguments are --name value, or values alone in their order; @path stands for the content of a file.
"ringbook COMMAND --help" explains one command, "ringbook start --help" lists the settings.

${groups.join('\n')}
${paint('bold', 'Options')}
${optionsText}`
}

/** Returns all that there is to know about one action. */
export function actionHelp(row: DescribedAction, paint: Paint): string {
  const { name, about, role, isImmediate = true, params, example } = row
  const lines = params.map((param) => {
    const choices = param.choices === undefined ? '' : ` (${param.choices.join(' | ')})`
    return helpRow(`  --${param.name}`, NAME_WIDTH, `${param.about}${choices}`)
  })
  const when = isImmediate ? '' : ' It takes effect at the next start.'
  const words = ['ringbook', name, ...params.map(paramText)]
  const usage = `Usage: ${wrapLines(words, HELP_WIDTH - 'Usage: '.length).join('\n       ')}`
  const needs = role === undefined ? '' : `\nNeeds the role ${role}.`
  const own = lines.length === 0 ? '' : `${lines.join('')}\n`
  const dry = row.previews === undefined ? '' : ' --dry-run says what it would do.'
  return `${helpRow('', 0, `${about}${when}${dry}`)}
${usage}
Example: ${paint('bold', `ringbook ${example}`)}${needs}

${own}${paint('dim', 'ringbook help lists the options of all commands.')}
`
}

function paramText({ name, required }: ActionParam): string {
  const text = SWITCH_PARAMS.includes(name) ? `--${name}` : `--${name} …`
  return required ? text : `[${text}]`
}
