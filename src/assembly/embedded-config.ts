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

/** Choices of each option; undefined for any value. */
const options: Readonly<Record<keyof ExchangeOptions, readonly string[] | undefined>> = {
  ...{ process: ['this', 'child'], clock: ['real', 'virtual', '{ at }'] },
  ...{ port: undefined, folder: undefined, state: undefined, venue: undefined },
  ...{ accounts: undefined, settings: undefined, log: undefined, failed: undefined },
  exit: undefined,
}
const functions: readonly string[] = ['log', 'failed', 'exit']

/** By setting that could not take effect: what to do instead. */
const elsewhere = new Map(
  Object.values<Setting>(allSettings).map((setting) => [setting.flag, setting.elsewhere]),
)

/** Throws an Error for an option or a setting that is unknown, or could not take effect. */
function checkOptions(given: ExchangeOptions): void {
  const known = Object.keys(options)
  checkNames(Object.keys(given), known, (name, hint) => {
    const more = hint || ` It has ${oneOf(known)}.`
    throw new Error(`startExchange has no option ${name}.${more}`)
  })
  for (const [name, value] of Object.entries(given)) {
    const choices = options[name as keyof ExchangeOptions]
    const isMoment = name === 'clock' && typeof value === 'object' && value !== null
    if (choices !== undefined && value !== undefined && !choices.includes(value) && !isMoment) {
      throw new Error(`The option ${name} is ${choices.join(' or ')}, not ${value}.`)
    }
    if (functions.includes(name) && value !== undefined && typeof value !== 'function') {
      throw new Error(`The option ${name} is a function, not ${value}.`)
    }
  }
  const { settings = {}, clock } = given
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
  place: { readonly data: string; readonly port: number; readonly adminPort: number },
): Config {
  checkOptions(given)
  const { settings = {}, state, venue, clock } = given
  const own = { data: place.data, port: place.port, 'admin-port': place.adminPort }
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
