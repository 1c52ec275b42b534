/** The settings for programs, from their rows. */
import { boundsOf } from '../src/config/config.ts'
import { type Setting, settings } from '../src/config/settings.ts'

/** Returns the type of the option `settings` of startExchange. */
export function settingsModule(): string {
  const rows = Object.values<Setting>(settings).filter(({ elsewhere }) => elsewhere === undefined)
  const fields = rows.flatMap((setting) => {
    const { flag, unit, about } = setting
    const facts = [unit, boundsOf(setting)].filter((part) => part !== '').join(', ')
    const name = flag.includes('-') ? `'${flag}'` : flag
    const more = facts === '' ? '' : ` (${facts})`
    return [`  /** ${about}${more} */`, `  readonly ${name}?: ${typeOf(setting)}`]
  })
  return [
    '// Generated from config/settings.ts by the build. Do not edit.',
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
