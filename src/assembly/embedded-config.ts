/** Settings of an exchange within another program. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { checkNames, oneOf } from '../base/cold-input.ts'
import { parseMoment } from '../base/time-text.ts'
import { Ms } from '../base/units.ts'
import { LATEST_MS } from '../base/virtual-clock.ts'
import { type Config, parseConfig } from '../config/config.ts'
import { settings as allSettings, type Setting } from '../config/settings.ts'
import type { ExchangeOptions } from './options.ts'
import type { ExchangeSettings } from './settings.gen.ts'

/** Defaults that differ from those of `ringbook start`; docs/embedding.md lists them. */
const defaults: ExchangeSettings = {
  durability: 'committed',
  limits: false,
  liquidity: false,
  console: false,
  metrics: false,
  sandbox: true,
  'log-level': 'warn',
  'disk-reserve-mb': 0,
  'snapshot-minutes': 0,
  'accept-clock': true,
  'keep-order-days': 0,
  'keep-public-trade-days': 0,
  'keep-second-bar-days': 0,
  accounts: 256,
  'orders-per-symbol': 16_384,
  'command-ring-slots': 1_024,
}

type Kind = 'text' | 'object' | 'function'

/** Choices of each option, or what it is; undefined for what is checked elsewhere. */
const options: Readonly<Record<keyof ExchangeOptions, readonly string[] | Kind | undefined>> = {
  process: ['this', 'child'],
  clock: ['real', 'virtual', '{ at }'],
  port: undefined,
  folder: 'text',
  state: 'text',
  venue: 'text',
  accounts: 'object',
  settings: 'object',
  chainPort: 'object',
  log: 'function',
  failed: 'function',
  exit: 'function',
}
const kinds: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  object: isRecord,
  function: (value) => typeof value === 'function',
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** By setting that could not take effect: what to do instead. */
const elsewhere = new Map(
  Object.values<Setting>(allSettings).map((setting) => [setting.flag, setting.elsewhere]),
)

/** Throws an Error for an option or a setting that is unknown, or could not take effect. */
export function checkOptions(given: ExchangeOptions): void {
  if (!isRecord(given)) throw new Error(`startExchange takes an object of options, not ${given}.`)
  const known = Object.keys(options)
  checkNames(Object.keys(given), known, (name, hint) => {
    const more = hint || ` It has ${oneOf(known)}.`
    throw new Error(`startExchange has no option ${name}.${more}`)
  })
  for (const [name, value] of Object.entries(given)) {
    const row = options[name as keyof ExchangeOptions]
    const isMoment = name === 'clock' && isRecord(value)
    if (row === undefined || value === undefined || isMoment) continue
    if (typeof row !== 'string') {
      if (row.includes(value)) continue
      throw new Error(`The option ${name} is ${row.join(' or ')}, not ${value}.`)
    }
    const article = row === 'object' ? 'an' : 'a'
    if (kinds[row](value)) continue
    const shown = typeof value === 'object' ? JSON.stringify(value) : value
    throw new Error(`The option ${name} is ${article} ${row}, not ${shown}.`)
  }
  const { settings = {}, clock, accounts = {} } = given
  for (const [name, account] of Object.entries(accounts)) {
    if (!isRecord(account)) throw new Error(`The funds of ${name} are an object, not ${account}.`)
    const { limits = {} } = account
    if (!isRecord(limits)) throw new Error(`The limits of ${name} are an object, not ${limits}.`)
  }
  if (isRecord(clock)) {
    checkNames(Object.keys(clock), ['at'], (name, hint) => {
      throw new Error(`The option clock has no ${name}.${hint || ' It has at.'}`)
    })
  }
  const useless = Object.keys(settings).find((name) => elsewhere.get(name) !== undefined)
  if (useless !== undefined) {
    throw new Error(`The setting ${useless} has no effect here: ${elsewhere.get(useless)}.`)
  }
  if (clock !== undefined && settings.clock !== undefined) {
    throw new Error('The clock is given twice: by the option and by the setting.')
  }
}

/** When the virtual clock begins; undefined for the machine's time. Throws an Error for what is no moment. */
export function momentOfStart({ clock }: ExchangeOptions): Ms | undefined {
  if (typeof clock !== 'object') return undefined
  const { at } = clock
  const ms = typeof at === 'string' ? parseMoment(at) : Number(at)
  if (ms !== undefined && Number.isSafeInteger(ms) && ms >= 0 && ms <= LATEST_MS) return Ms(ms)
  throw new RangeError(`${at} is no moment before 2100, such as '2024-03-01T00:00:00Z'.`)
}

const textOf = (value: string | number | boolean): string =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)

/** Variables of the environment count for nothing. Throws an Error whose message is a sentence. */
export function embeddedConfig(
  given: ExchangeOptions,
  claimed: { readonly data: string; readonly port: number; readonly adminPort: number },
): Config {
  const { settings = {}, state, venue, clock } = given
  const own = { data: claimed.data, port: claimed.port, 'admin-port': claimed.adminPort }
  const seeded = state === undefined ? own : { ...own, 'seed-from': path.resolve(state) }
  const all = {
    ...defaults,
    demo: venue === undefined,
    ...(clock && { clock: typeof clock === 'object' ? 'virtual' : clock }),
    ...settings,
    ...seeded,
  }
  const argv = Object.entries(all).map(([name, value]) => `--${name}=${textOf(value)}`)
  return parseConfig(argv, {}, (file) => readFileSync(file, 'utf8')).config!
}
