/**
 * A program for bash that completes `ringbook` lines: actions, their flags, the values that a flag may have, and
 * the settings of a start. It is made from the tables, and asks nothing while it runs.
 */
import { settings } from '../config/config.ts'
import type { ActionParam } from '../control/action.ts'
import type { DescribedAction } from './help.ts'

/** A flag and what may follow it. */
interface Flag {
  readonly name: string
  /** Empty when anything may follow. */
  readonly values: readonly string[]
}

const ON_OFF = ['on', 'off']

const flagOf = ({ name, kind, choices }: ActionParam): Flag => ({
  name,
  values: choices ?? (kind === 'flag' ? ON_OFF : []),
})

const settingFlags: readonly Flag[] = [
  ...Object.values(settings).map((setting) => ({
    name: setting.flag,
    values: 'choices' in setting ? [...setting.choices] : [],
  })),
  ...['config', 'help', 'version'].map((name) => ({ name, values: [] })),
]

/** Flags of every action, beside its own. */
const commonFlags = [
  ...['output', 'json', 'watch', 'dry-run', 'yes', 'help', 'data', 'admin-port', 'config'],
  'token-file',
].map((name) => ({ name, values: [] }))

const dashed = (flags: readonly Flag[]): string => flags.map(({ name }) => `--${name}`).join(' ')

/** Files follow `@`, or where no values are known. */
export function completionFor(_shell: 'bash', rows: readonly DescribedAction[]): string {
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
${positionCases(rows)}
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

/** Values of an argument that stands alone, by its position: the action is word 1. */
const positionCases = (rows: readonly DescribedAction[]): string =>
  casesText(
    placesOf(rows).map(({ action, position, values }) => ({
      pattern: `${action}:${position}`,
      values,
    })),
  )

const casesText = (cases: readonly { pattern: string; values: readonly string[] }[]): string =>
  cases.map(({ pattern, values }) => `    ${pattern}) values='${values.join(' ')}' ;;`).join('\n')

/** Where values are known: `position` counts the words before. */
const placesOf = (rows: readonly DescribedAction[]) => [
  { action: 'venue', position: 2, values: ['apply'] },
  { action: 'help', position: 2, values: ['start', ...rows.map(({ name }) => name)] },
  ...rows.flatMap(({ name: action, params }) =>
    params
      .map((param, at) => ({ action, position: at + 2, values: flagOf(param).values }))
      .filter(({ values }) => values.length > 0),
  ),
]
