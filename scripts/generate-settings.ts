/** The settings for people, from their rows. */
import { boundsOf } from '../src/config/config.ts'
import { type Setting, settings } from '../src/config/settings.ts'
import { table } from './generate-api-docs.ts'

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
