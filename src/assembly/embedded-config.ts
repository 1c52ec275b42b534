/** Settings of an exchange within another program. */
import { readFileSync } from 'node:fs'
import { type Config, parseConfig } from '../config/config.ts'
import type { ExchangeOptions, SettingValue } from './options.ts'

/** Where they differ from those of `ringbook start`; docs/embedding.md lists them. */
const defaults: Readonly<Record<string, SettingValue>> = {
  durability: 'committed',
  limits: false,
  liquidity: false,
  console: false,
  metrics: false,
  sandbox: true,
  'log-level': 'warn',
  'disk-reserve-mb': 0,
  'snapshot-minutes': 0,
  accounts: 256,
  'orders-per-symbol': 16_384,
  'command-ring-slots': 1_024,
}

const textOf = (value: SettingValue): string =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)

/** Variables of the environment count for nothing. Throws ConfigError. */
export function embeddedConfig(
  { settings = {}, venue, clock }: ExchangeOptions,
  place: { readonly data: string; readonly port: number; readonly adminPort: number },
): Config {
  const own = { data: place.data, port: place.port, 'admin-port': place.adminPort }
  const all = {
    ...defaults,
    demo: venue === undefined,
    ...(clock && { clock }),
    ...settings,
    ...own,
  }
  const argv = Object.entries(all).map(([name, value]) => `--${name}=${textOf(value)}`)
  return parseConfig(argv, {}, (path) => readFileSync(path, 'utf8')).config!
}
