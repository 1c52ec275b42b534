/**
 * The settings: every setting (settings.ts) parsed once at start, from flags over `RINGBOOK_*` variables over
 * a TOML file over defaults, and handed down as plain values.
 */
import { parse as parseToml, TomlError } from 'smol-toml'
import { parseAddressRanges } from '../base/address-range.ts'
import { parseAmountLimits } from '../base/amount-limits.ts'
import { checkNames, didYouMean, readInput } from '../base/cold-input.ts'
import { fileFault } from '../base/file-fault.ts'
import { ORIGINS_MAX, parseOrigins } from '../base/origins.ts'
import { hostUrls } from '../base/postgres-url.ts'
import { parseProcessors } from '../base/processor-list.ts'
import { helpRow } from '../base/wrap-lines.ts'
import { readCommandLine } from './command-line.ts'
import { type Setting, settings, type TextKind } from './settings.ts'

export { settings }

export type Config = {
  readonly [Name in keyof typeof settings]: (typeof settings)[Name] extends { kind: 'integer' }
    ? number
    : (typeof settings)[Name] extends { kind: 'days' }
      ? number | 'demo'
      : (typeof settings)[Name] extends { choices: readonly (infer Choice)[] }
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
      readonly file?: undefined
      readonly warnings?: undefined
    }
  | {
      readonly asked?: undefined
      readonly config: Config
      /** The TOML file that was read, if any. */
      readonly file: string | undefined
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
  const { flags, switches } = readCommandLine(argv.flatMap(withOn), grammar, ConfigError)
  if (switches.has('help')) return { asked: 'help' }
  if (switches.has('version')) return { asked: 'version' }
  const path = flags.get('config') ?? env.RINGBOOK_CONFIG
  const file = path === undefined ? {} : parseFile(path, readFile)
  const config: Record<string, string | number> = {}
  for (const [name, setting] of Object.entries<Setting>(settings)) {
    const variable = variableOf(setting)
    const sources: readonly [where: string, value: string | undefined][] = [
      [`--${setting.flag}`, flags.get(setting.flag)],
      [variable, env[variable]],
      [`${setting.flag} in ${path}`, file[setting.flag]],
    ]
    const given = sources.find(([, value]) => value !== undefined)
    config[name] =
      given === undefined ? setting.default : parseSetting(setting, given[0], given[1] as string)
  }
  if (config.port === config.adminPort) {
    throw new ConfigError('port and admin-port must be two different ports.')
  }
  if (config.sbePort === config.port || config.sbePort === config.adminPort) {
    throw new ConfigError('sbe-port must be another port than port and admin-port.')
  }
  if ((config.tlsCert === '') !== (config.tlsKey === '')) {
    throw new ConfigError('tls-cert and tls-key go together.')
  }
  if (config.journalKept === 'snapshots' && config.snapshotMinutes === 0) {
    throw new ConfigError('journal-kept snapshots needs snapshots: snapshot-minutes is 0.')
  }
  if (config.keepJournalDays !== 0 && config.journalKept !== 'snapshots') {
    throw new ConfigError('keep-journal-days needs journal-kept snapshots.')
  }
  if (config.keepJournalDays !== 0 && (config.follow !== '' || config.replica !== '')) {
    throw new ConfigError('keep-journal-days needs no quorum: its members bring whole journals.')
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
  if (config.sandbox === 'on' && (config.durability === 'replicated' || config.follow !== '')) {
    throw new ConfigError(
      'sandbox on goes with no quorum: neither durability replicated nor follow.',
    )
  }
  if (config.clock === 'virtual' && config.sandbox !== 'on') {
    throw new ConfigError('clock virtual needs sandbox on.')
  }
  return { config: config as Config, file: path, warnings: strangeVariables(env) }
}

const VARIABLE_PREFIX = 'RINGBOOK_'
const variableOf = ({ flag }: Setting) =>
  `${VARIABLE_PREFIX}${flag.replaceAll('-', '_').toUpperCase()}`
const knownFlags = new Set(Object.values<Setting>(settings).map((setting) => setting.flag))
const grammar = { flags: [...knownFlags, 'config'], switches: ['help', 'version'] }

/** `--accept-clock` may stand alone: it is of one start. */
const withOn = (
  word: string,
  at: number,
  { [at + 1]: next }: readonly string[],
): readonly string[] => {
  const isAlone = word === '--accept-clock' && next !== 'on' && next !== 'off'
  return isAlone ? [`${word}=on`] : [word]
}

/** Returns what a TOML file holds. Throws ConfigError, which names it by `what`, when it cannot be read. */
export function readTables(what: string, readText: () => string): Record<string, unknown> {
  try {
    return parseToml(readText())
  } catch (error) {
    throw new ConfigError(`The ${what} cannot be read: ${tomlFault(error as Error)}`)
  }
}

/** What is wrong with a TOML file and where, without the lines that smol-toml shows of it. */
function tomlFault(error: Error): string {
  if (!(error instanceof TomlError)) return `${fileFault(error)}.`
  const reason = error.message.split('\n')[0]!
  return `line ${error.line}, column ${error.column}: ${reason.replace(/^Invalid TOML document: /, '')}.`
}

function parseFile(path: string, readFile: (path: string) => string): Record<string, string> {
  const table = readTables(`settings file ${path}`, () => readFile(path))
  checkNames(Object.keys(table), [...knownFlags], (key, hint) => {
    throw new ConfigError(`${key} in ${path} is not a known setting.${hint}`)
  })
  const values: Record<string, string> = {}
  for (const [key, value] of Object.entries(table)) {
    const isOne = [value].flat().every((item) => typeof item !== 'object')
    if (!isOne) throw new ConfigError(`${key} in ${path} must be one value, not a table or a date.`)
    const onOff = value === true ? 'on' : value === false ? 'off' : String(value)
    values[key] = onOff
  }
  return values
}

/** Another program's variable, or a newer version's, is no reason not to start: it is named. */
function strangeVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = [...Object.values<Setting>(settings).map(variableOf), `${VARIABLE_PREFIX}CONFIG`]
  const shortNames = known.map((name) => name.slice(VARIABLE_PREFIX.length))
  const strange = Object.keys(env).filter(
    (name) => name.startsWith(VARIABLE_PREFIX) && !known.includes(name),
  )
  return strange.map((name) => {
    const hint = didYouMean(name.slice(VARIABLE_PREFIX.length), shortNames, VARIABLE_PREFIX)
    return `The variable ${name} is not a known setting and is ignored.${hint}`
  })
}

/** By kind: whether a text is one, and what it must be. */
const textRules: Readonly<
  Record<TextKind, readonly [isOne: (text: string) => boolean, must: string]>
> = {
  text: [(text) => text !== '', 'must not be empty'],
  addresses: [
    (text) => parseAddressRanges(text) !== undefined,
    'must be addresses or ranges, with commas',
  ],
  origins: [
    (text) => parseOrigins(text) !== undefined,
    `must be at most ${ORIGINS_MAX} origins, as https://desk.example`,
  ],
  origin: [
    (text) => parseOrigins(text)?.length === 1,
    'must be an address, as https://exchange.example',
  ],
  amounts: [
    (text) => parseAmountLimits(text) !== undefined,
    'must be amounts of assets, as USDT=1000000,*=100, or none',
  ],
  processors: [
    (text) => parseProcessors(text) !== undefined,
    'must be numbers of processors, as 0,2-4',
  ],
  postgres: [
    (text) => hostUrls(text) !== undefined,
    'must be an address, as postgres://user@host1,host2/database',
  ],
}
/** Not shown when it is wrong: the URL may have a password. */
const HIDDEN: readonly TextKind[] = ['text', 'postgres']

function parseSetting(setting: Setting, where: string, text: string): string | number {
  function refuse(must: string): never {
    throw new ConfigError(`${where} must be ${must}; it is ${text}.`)
  }
  switch (setting.kind) {
    case 'integer': {
      const value = readInput(setting, text, refuse)
      const isRight = !setting.powerOfTwo || Number.isInteger(Math.log2(value))
      return isRight ? value : refuse('a power of two')
    }
    case 'days': {
      const { default: usual, ...row } = setting
      if (text === usual) return text
      return readInput({ ...row, kind: 'integer' }, text, (must) => refuse(`"${usual}" or ${must}`))
    }
    case 'choice':
      return readInput(setting, text, refuse)
    default: {
      const [isOne, must] = textRules[setting.kind]
      if (isOne(text)) return text
      const given = HIDDEN.includes(setting.kind) ? '' : `; it is ${text}`
      throw new ConfigError(`${where} ${must}${given}.`)
    }
  }
}

/** A setting that is not as by default. */
export interface ChangedSetting {
  readonly flag: string
  readonly value: string
  /** '' for none. */
  readonly usual: string
}

/** Returns the settings that are not as by default; an address of PostgreSQL, which may have a password, without it. */
export const changedSettings = (config: Config): readonly ChangedSetting[] =>
  Object.entries<Setting>(settings)
    .map(([name, setting]) => [config[name as keyof Config], setting] as const)
    .filter(([value, setting]) => value !== setting.default)
    .map(([value, { kind, flag, default: usual }]) => ({
      flag,
      value: kind === 'postgres' ? 'set' : String(value),
      usual: String(usual),
    }))

/** The settings of a start, as `ringbook start --help` prints them. */
export function helpText(): string {
  const rows = Object.values<Setting>(settings).map((setting) => {
    const usual = setting.default === '' ? 'none' : setting.default
    const parts = [setting.unit, boundsOf(setting), `default ${usual}`].filter(
      (part) => part !== '',
    )
    return flagRow(setting.flag, setting.about, `(${parts.join(', ')}; ${variableOf(setting)})`)
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
export function boundsOf(setting: Setting): string {
  if (setting.kind === 'choice') return setting.choices.join(' | ')
  if (setting.kind === 'days') return `${setting.default}, or ${setting.min} to ${setting.max}`
  if (setting.kind !== 'integer') return ''
  return `${setting.min} to ${setting.max}${setting.powerOfTwo ? ', a power of two' : ''}`
}
