/**
 * Programs for shells that complete `ringbook` lines: actions, their flags, the values that a flag may
 * have, and the settings of a start. They are made from the tables, and ask nothing while they run.
 */
import { settings } from '../config/config.ts'
import type { ActionParam } from '../control/action.ts'
import type { DescribedAction } from './help.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** A flag and what may follow it. */
interface Flag {
  readonly name: string
  readonly about: string
  /** Empty when anything may follow. */
  readonly values: readonly string[]
}

const ON_OFF = ['on', 'off']

const flagOf = ({ name, about, kind, choices }: ActionParam): Flag => ({
  name,
  about,
  values: choices ?? (kind === 'flag' ? ON_OFF : []),
})

const settingFlags: readonly Flag[] = [
  ...Object.values(settings).map((setting) => ({
    name: setting.flag,
    about: setting.about,
    values: 'choices' in setting ? [...setting.choices] : [],
  })),
  { name: 'config', about: 'A TOML file of settings.', values: [] },
  { name: 'help', about: 'Lists the settings.', values: [] },
  { name: 'version', about: 'Prints the version.', values: [] },
]

/** Flags of every action, beside its own. */
const commonFlags: readonly Flag[] = [
  { name: 'output', about: 'How it prints rows.', values: ['table', 'json', 'csv'] },
  { name: 'json', about: 'Prints JSON.', values: [] },
  { name: 'watch', about: 'Repeats a command that only reads.', values: [] },
  { name: 'dry-run', about: 'Says what a dangerous command would do.', values: [] },
  { name: 'yes', about: 'Answers what a terminal asks.', values: [] },
  { name: 'help', about: 'Explains the command.', values: [] },
  { name: 'data', about: 'The data folder of the exchange.', values: [] },
  { name: 'admin-port', about: 'Its admin port.', values: [] },
  { name: 'config', about: 'Settings that have both.', values: [] },
  { name: 'token-file', about: 'Acts as the operator with that token.', values: [] },
]

export function completionFor(shell: Shell, rows: readonly DescribedAction[]): string {
  if (shell === 'fish') return fishText(rows)
  return shell === 'bash' ? bashText(rows) : zshText(rows)
}

const dashed = (flags: readonly Flag[]): string => flags.map(({ name }) => `--${name}`).join(' ')

/** Files follow `@`, or where no values are known. */
function bashText(rows: readonly DescribedAction[]): string {
  const flags = rows.map(
    ({ name, params }) => `    ${name}) flags+=' ${dashed(params.map(flagOf))}' ;;`,
  )
  const words = rows.map(({ name }) => name).join(' ')
  return `# Completes ringbook in bash: source <(ringbook completion bash)
_ringbook() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} action=\${COMP_WORDS[1]}
  local flags='${dashed(commonFlags)}' values=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    case $word in
      -*) COMPREPLY=($(compgen -W '${dashed(settingFlags)}' -- "$word")) ;;
      *) COMPREPLY=($(compgen -W 'start venue ${words}' -- "$word")) ;;
    esac
    return
  fi
  case $action in
${flags.join('\n')}
    start|-*) flags='${dashed(settingFlags)}' ;;
  esac
  case $action:$before in
${valueCases(rows)}
  esac
  if [ -z "$values" ] && [[ $word != -* ]]; then
    case $action:$COMP_CWORD in
${placeCases(rows)}
    esac
  fi
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$word"))
    return
  fi
  case $word in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    @*) COMPREPLY=($(compgen -P @ -f -- "\${word#@}")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _ringbook ringbook
`
}

function valueCases(rows: readonly DescribedAction[]): string {
  const all = [
    ...rows.flatMap(({ name, params }) =>
      params.map((param) => ({ action: name, ...flagOf(param) })),
    ),
    ...['start', '-*'].flatMap((action) => settingFlags.map((flag) => ({ action, ...flag }))),
  ].filter(({ values }) => values.length > 0)
  const cases = [
    ...all.map(({ action, name, values }) => ({ pattern: `${action}:--${name}`, values })),
    { pattern: '*:-o|*:--output', values: ['table', 'json', 'csv'] },
  ]
  return casesText(cases)
}

/** Values of an argument that stands alone, by its place: the action is word 1. */
const placeCases = (rows: readonly DescribedAction[]): string =>
  casesText(
    placesOf(rows).map(({ action, place, values }) => ({ pattern: `${action}:${place}`, values })),
  )

const casesText = (cases: readonly { pattern: string; values: readonly string[] }[]): string =>
  cases.map(({ pattern, values }) => `    ${pattern}) values='${values.join(' ')}' ;;`).join('\n')

/** Where values are known: `place` counts the words before. */
const placesOf = (rows: readonly DescribedAction[]) => [
  { action: 'venue', place: 2, values: ['apply'] },
  { action: 'help', place: 2, values: ['start', ...rows.map(({ name }) => name)] },
  ...rows.flatMap(({ name: action, params }) =>
    params
      .map((param, at) => ({ action, place: at + 2, values: flagOf(param).values }))
      .filter(({ values }) => values.length > 0),
  ),
]

/** The same function: zsh runs bash's completions. */
const zshText = (rows: readonly DescribedAction[]): string =>
  `#compdef ringbook
# Completes ringbook in zsh: source <(ringbook completion zsh)
(( $+functions[compdef] )) || { autoload -U +X compinit && compinit }
autoload -U +X bashcompinit && bashcompinit
${bashText(rows).split('\n').slice(1).join('\n')}`

function fishText(rows: readonly DescribedAction[]): string {
  const first = '-n __fish_use_subcommand'
  const line = (condition: string, { name, about, values }: Flag): string => {
    const choices = values.length === 0 ? '' : ` -xa '${values.join(' ')}'`
    return `complete -c ringbook ${condition} -l ${name}${choices} -d ${quoted(about)}`
  }
  const actions = rows.flatMap(({ name, about, params }) => [
    `complete -c ringbook ${first} -fa ${name} -d ${quoted(about)}`,
    ...params.map((param) => line(`-n '__fish_seen_subcommand_from ${name}'`, flagOf(param))),
  ])
  const alone = placesOf(rows).map(({ action, place, values }) => {
    const isThere = `__fish_seen_subcommand_from ${action}; and test (count (commandline -opc)) -eq ${place}`
    return `complete -c ringbook -n '${isThere}' -fa '${values.join(' ')}'`
  })
  const common = commonFlags.map((flag) => line('-n "not __fish_use_subcommand"', flag))
  return `# Completes ringbook in fish: ringbook completion fish | source
${[...actions, ...alone, ...settingFlags.map((flag) => line(first, flag)), ...common].join('\n')}
complete -c ringbook ${first} -fa start -d 'Starts the exchange.'
${settingFlags.map((flag) => line("-n '__fish_seen_subcommand_from start'", flag)).join('\n')}
complete -c ringbook ${first} -fa venue -d 'venue apply FILE makes the venue what a file says.'
complete -c ringbook -n 'not __fish_use_subcommand' -s o -xa 'table json csv'
`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`
