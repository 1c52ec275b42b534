/** The settings for people and for programs, from their rows. */
import { settingsElsewhere } from '../src/assembly/embedded-config.ts'
import { boundsOf } from '../src/config/config.ts'
import { type Setting, settings } from '../src/config/settings.ts'
import { table } from './generate-api-docs.ts'

/** Returns the type of the option `settings` of startExchange. */
export function settingsModule(): string {
  const rows = Object.values<Setting>(settings).filter(
    ({ flag }) => !Object.hasOwn(settingsElsewhere, flag),
  )
  const fields = rows.flatMap((setting) => {
    const { flag, unit, about } = setting
    const facts = [unit, boundsOf(setting)].filter((part) => part !== '').join(', ')
    const name = flag.includes('-') ? `'${flag}'` : flag
    const more = facts === '' ? '' : ` (${facts})`
    return [`  /** ${about}${more} */`, `  readonly ${name}?: ${typeOf(setting)}`]
  })
  return [
    '// Generated from config/settings.ts by `npm run generate`. Do not edit.',
    '',
    '/** By the names of docs/settings.md. `true` and `false` stand for "on" and "off". */',
    'export interface ExchangeSettings {',
    ...fields,
    '}',
    '',
  ].join('\n')
}

function typeOf(setting: Setting): string {
  if (setting.kind === 'integer') return 'number'
  if (setting.kind === 'days') return "number | 'demo'"
  if (setting.kind !== 'choice') return 'string'
  const choices = setting.choices.map((choice) => `'${choice}'`)
  return [...choices, ...(setting.choices.includes('off') ? ['boolean'] : [])].join(' | ')
}

export function settingsMarkdown(): string {
  const rows = Object.values<Setting>(settings).map((setting) => [
    `\`--${setting.flag}\``,
    setting.default === '' ? 'none' : setting.default,
    [setting.unit, boundsOf(setting)].filter((part) => part !== '').join(', '),
    setting.about,
  ])
  return `${[
    '# Settings',
    '',
    'Generated from `src/config/settings.ts` by `npm run generate`.',
    '',
    'Flags win over `RINGBOOK_*` variables, variables over the TOML file (`--config`, ' +
      '`RINGBOOK_CONFIG`), the',
    'file over defaults. A variable has the name of its flag: `--admin-port` is ' +
      '`RINGBOOK_ADMIN_PORT`. So has a',
    'line of the file: `admin-port = 9081`. `npm start -- --help` prints this list. ' +
      '[operate](operate.md) explains',
    'what belongs together.',
    '',
    ...table(['flag', 'default', 'unit and bounds', 'meaning'], rows),
  ].join('\n')}\n`
}
