/**
 * The settings: every knob (knobs.ts) parsed once at start, from flags over `RINGBOOK_*` variables over
 * a TOML file over defaults, and handed down as plain values.
 */
import { parse as parseToml, TomlError } from 'smol-toml'
import { parseAddressRanges } from '../base/address-range.ts'
import { fileFault } from '../base/file-fault.ts'
import { nearestName } from '../base/nearest-name.ts'
import { ORIGINS_MAX, parseOrigins } from '../base/origins.ts'
import { hostUrls } from '../base/postgres-url.ts'
import { parseProcessors } from '../base/processor-list.ts'
import { helpRow } from '../base/wrap-lines.ts'
import { readCommandLine } from './command-line.ts'
import type { Knob } from './knob.ts'
import { knobs } from './knobs.ts'

export { knobs }

export type Config = {
  readonly [Name in keyof typeof knobs]: (typeof knobs)[Name] extends { kind: 'integer' }
    ? number
    : (typeof knobs)[Name] extends { kind: 'days' }
      ? number | 'demo'
      : (typeof knobs)[Name] extends { choices: readonly (infer Choice)[] }
        ? Choice
        : string
}

/** What is wrong with the settings, in one sentence for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type ConfigResult =
  | {
      readonly asked: 'help' | 'version'
      readonly config?: undefined
      readonly warnings?: undefined
    }
  | {
      readonly asked?: undefined
      readonly config: Config
      /** One sentence for each variable that looks like a setting and is none. */
      readonly warnings: readonly string[]
    }

/**
 * Reads the settings. `readFile` is only called for the file that `--config` or `RINGBOOK_CONFIG`
 * names. Throws ConfigError.
 */
export function parseConfig(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): ConfigResult {
  const { flags, switches } = readCommandLine(argv, grammar, ConfigError)
  if (switches.has('help')) return { asked: 'help' }
  if (switches.has('version')) return { asked: 'version' }
  const path = flags.get('config') ?? env.RINGBOOK_CONFIG
  const file = path === undefined ? {} : parseFile(path, readFile)
  const config: Record<string, string | number> = {}
  for (const [name, knob] of Object.entries<Knob>(knobs)) {
    const variable = variableOf(knob)
    const sources: readonly [where: string, value: string | undefined][] = [
      [`--${knob.flag}`, flags.get(knob.flag)],
      [variable, env[variable]],
      [`${knob.flag} in ${path}`, file[knob.flag]],
    ]
    const given = sources.find(([, value]) => value !== undefined)
    config[name] =
      given === undefined ? knob.default : parseKnob(knob, given[0], given[1] as string)
  }
  if (config.port === config.adminPort) {
    throw new ConfigError('port and admin-port must be two different ports.')
  }
  if ((config.tlsCert === '') !== (config.tlsKey === '')) {
    throw new ConfigError('tls-cert and tls-key go together.')
  }
  if (config.journalKept === 'snapshots' && config.snapshotMinutes === 0) {
    throw new ConfigError('journal-kept snapshots needs snapshots: snapshot-minutes is 0.')
  }
  if ((config.durability === 'replicated') !== (config.replica !== '')) {
    throw new ConfigError('durability replicated and replica go together.')
  }
  if (config.follow !== '' && config.replica !== '') {
    throw new ConfigError(
      'follow and replica do not go together: the quorum has all that is followed.',
    )
  }
  if (config.promoteAfter !== 0 && config.follow === '') {
    throw new ConfigError('promote-after needs follow: a member that follows takes the lead.')
  }
  return { config: config as Config, warnings: strangeVariables(env) }
}

const VARIABLE_PREFIX = 'RINGBOOK_'
const variableOf = ({ flag }: Knob) =>
  `${VARIABLE_PREFIX}${flag.replaceAll('-', '_').toUpperCase()}`
const knownFlags = new Set(Object.values<Knob>(knobs).map((knob) => knob.flag))
const grammar = { flags: [...knownFlags, 'config'], switches: ['help', 'version'] }

/** What a TOML file holds. `what` names it when it cannot be read: throws ConfigError. */
export function readTables(
  what: string,
  path: string,
  readFile: (path: string) => string,
): Record<string, unknown> {
  try {
    return parseToml(readFile(path))
  } catch (error) {
    throw new ConfigError(`The ${what} ${path} cannot be read: ${tomlFault(error as Error)}`)
  }
}

/** What is wrong with a TOML file and where, without the lines that smol-toml shows of it. */
function tomlFault(error: Error): string {
  if (!(error instanceof TomlError)) return `${fileFault(error)}.`
  const reason = error.message.split('\n')[0]!
  return `line ${error.line}, column ${error.column}: ${reason.replace(/^Invalid TOML document: /, '')}.`
}

function parseFile(path: string, readFile: (path: string) => string): Record<string, string> {
  const table = readTables('settings file', path, readFile)
  const values: Record<string, string> = {}
  for (const [key, value] of Object.entries(table)) {
    if (!knownFlags.has(key)) throw new ConfigError(`${key} in ${path} is not a known setting.`)
    const isOne = [value].flat().every((item) => typeof item !== 'object')
    if (!isOne) throw new ConfigError(`${key} in ${path} must be one value, not a table or a date.`)
    const onOff = value === true ? 'on' : value === false ? 'off' : String(value)
    values[key] = onOff
  }
  return values
}

/** Another program's variable, or a newer version's, is no reason not to start: it is named. */
function strangeVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = [...Object.values<Knob>(knobs).map(variableOf), `${VARIABLE_PREFIX}CONFIG`]
  const shortNames = known.map((name) => name.slice(VARIABLE_PREFIX.length))
  const strange = Object.keys(env).filter(
    (name) => name.startsWith(VARIABLE_PREFIX) && !known.includes(name),
  )
  return strange.map((name) => {
    const nearest = nearestName(name.slice(VARIABLE_PREFIX.length), shortNames)
    const hint = nearest === undefined ? '' : ` Did you mean ${VARIABLE_PREFIX}${nearest}?`
    return `The variable ${name} is not a known setting and is ignored.${hint}`
  })
}

function parseKnob(knob: Knob, where: string, text: string): string | number {
  if (knob.kind === 'text') {
    if (text === '') throw new ConfigError(`${where} must not be empty.`)
    return text
  }
  if (knob.kind === 'addresses') {
    if (parseAddressRanges(text) !== undefined) return text
    throw new ConfigError(`${where} must be addresses or ranges, with commas; it is ${text}.`)
  }
  if (knob.kind === 'origins') {
    if (parseOrigins(text) !== undefined) return text
    throw new ConfigError(
      `${where} must be at most ${ORIGINS_MAX} origins, as https://desk.example; it is ${text}.`,
    )
  }
  if (knob.kind === 'origin') {
    if (parseOrigins(text)?.length === 1) return text
    throw new ConfigError(
      `${where} must be an address, as https://exchange.example; it is ${text}.`,
    )
  }
  if (knob.kind === 'processors') {
    if (parseProcessors(text) !== undefined) return text
    throw new ConfigError(`${where} must be numbers of processors, as 0,2-4; it is ${text}.`)
  }
  if (knob.kind === 'postgres') {
    if (hostUrls(text) !== undefined) return text
    throw new ConfigError(`${where} must be an address, as postgres://user@host1,host2/database.`)
  }
  if (knob.kind === 'choice') {
    if (knob.choices.includes(text)) return text
    throw new ConfigError(`${where} must be ${choicesText(knob.choices)}; it is ${text}.`)
  }
  if (knob.kind === 'days' && text === knob.default) return text
  const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= knob.min && value <= knob.max)) {
    const other = knob.kind === 'days' ? `"${knob.default}" or ` : ''
    throw new ConfigError(
      `${where} must be ${other}a whole number from ${knob.min} to ${knob.max}; it is ${text}.`,
    )
  }
  if (knob.kind === 'integer' && knob.powerOfTwo && !Number.isInteger(Math.log2(value))) {
    throw new ConfigError(`${where} must be a power of two; it is ${text}.`)
  }
  return value
}

/** Returns choices as a sentence has them: "on" or "off". */
function choicesText(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `"${choice}"`)
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}

/** The settings of a start, as `ringbook start --help` prints them. */
export function helpText(): string {
  const rows = Object.values<Knob>(knobs).map((knob) => {
    const usual = knob.default === '' ? 'none' : knob.default
    const parts = [knob.unit, boundsOf(knob), `default ${usual}`].filter((part) => part !== '')
    return flagRow(knob.flag, knob.about, `(${parts.join(', ')}; ${variableOf(knob)})`)
  })
  return `Starts the exchange.

Usage: ringbook start [flags]        in a checkout: npm start -- [flags]

Flags override environment variables (RINGBOOK_*), which override the TOML file (--config), which
overrides the defaults. In the file each setting has its flag's name: admin-port = 9081.

${rows.join('')}\
${flagRow('config', 'A TOML file of settings.', '(path, no default; RINGBOOK_CONFIG)')}\
${flagRow('help', 'Print this.')}${flagRow('version', 'Print the version.')}`
}

const flagWidth = Math.max(...[...knownFlags].map((flag) => flag.length)) + '  -- '.length

const flagRow = (flag: string, ...texts: readonly string[]): string =>
  helpRow(`  --${flag}`, flagWidth, ...texts)

/** The choices or numbers that a setting may have, as text. */
export function boundsOf(knob: Knob): string {
  if (knob.kind === 'choice') return knob.choices.join(' | ')
  if (knob.kind === 'days') return `${knob.default}, or ${knob.min} to ${knob.max}`
  if (knob.kind !== 'integer') return ''
  return `${knob.min} to ${knob.max}${knob.powerOfTwo ? ', a power of two' : ''}`
}
