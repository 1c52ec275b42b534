/** The arguments of `npm run load`. */
import { readCommandLine } from '../../src/config/command-line.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { rampSteps, type Step } from './schedule.ts'
import { readThresholds, type Threshold } from './thresholds.ts'

export interface Options {
  readonly url: string
  readonly wsApiUrl: string
  readonly streamsUrl: string
  readonly keys: string
  readonly scenario: string
  /** The scenario's when empty. */
  readonly symbols: readonly string[]
  readonly steps: readonly Step[]
  /** How long the first rate is sent before anything is measured; 0 for not at all. */
  readonly warmUpSeconds: number
  /** Whether the load ends at the first rate that the target does not hold. */
  readonly isRamp: boolean
  readonly report: string
  readonly seed: number
  readonly connections: number
  /** That send, each with an equal share of the rate. */
  readonly threads: number
  readonly timeoutMs: number
  readonly inFlightMax: number
  /** Whether nothing is sent while the target demands a pause. */
  readonly honorsLimits: boolean
  /** Conditions under which the load fails. */
  readonly thresholds: readonly Threshold[]
  /** Port of the page that shows the load while it runs; 0 for none. */
  readonly livePort: number
  /** Whether an exchange is started for the load, and stopped after it. */
  readonly isOwnExchange: boolean
  /** Whether the report's page is opened in a browser. */
  readonly isOpened: boolean
}

/** Two reports to be compared, instead of a load. */
export interface Comparison {
  readonly compared: readonly [string, string]
  readonly report: string
  readonly isOpened: boolean
}

const RATE_MAX = 1_000_000
const SECONDS_MAX = 604_800

export const helpText = `Loads an exchange that speaks this API, and checks its answers meanwhile.

Usage: npm run load -- --keys FILE --scenario NAME --rate N [flags]
       npm run load -- --own-exchange [--open]
       npm run load -- --compare BEFORE.json,AFTER.json

  --url URL          The target (default http://127.0.0.1:8080).
  --ws-api URL       Its WebSocket API (default: the target's /ws-api/v3).
  --streams URL      Its streams (default: the target's /stream).
  --keys FILE        Accounts and keys, in the form of data/demo-keys.json.
  --scenario NAME    A scenario shipped with Ringbook, or a TOML file.
  --symbols A,B      Symbols, instead of those of the scenario.
  --rate N           Requests a second, for the whole time; or
  --ramp FROM-TO     from one rate to the other, until the target does not hold it.
  --seconds S        How long (default 30).
  --warm-up S        How long before that, shown apart from the rest (default 5; 0 for none).
  --report DIR       Where report.json, .html and .csv are written (default ./load-report).
  --fail-if A,B      Conditions under which it fails: p99>20ms, refused>1%, failed>0, rate<1000/s.
  --live PORT        Show the load in a page on this port of the machine while it runs.
  --own-exchange     Start an exchange, load it and stop it; by default with mixed at 500/s.
  --open             Open the report in a browser at the end.
  --compare A,B      Compare two report.json in one page, compare.html, instead of a load.
  --seed N           Of what the actors decide (default 1).
  --connections N    HTTP connections (default 64).
  --threads N        Threads that send, each with its share of the rate (default 1).
  --timeout S        How long an answer is waited for, seconds (default 10).
  --in-flight N      Requests that may wait for answers before arrivals are left out (default 10000).
  --honor-limits    Send nothing while the target asks for a pause (429, 418).

Exit code 0: all checks hold. 1: one does not, or a condition of --fail-if is met.
2: the load could not be carried out.
`

/** Undefined when help is requested. Throws UsageError. */
export function readOptions(args: string[]): Options | undefined {
  const { flags, switches } = readCommandLine(args, grammar, UsageError)
  if (switches.has('help')) return undefined
  const isOwnExchange = switches.has('own-exchange')
  const given: Partial<Values> = Object.fromEntries(flags)
  const values: Values = { ...usual, ...(isOwnExchange ? ownDefaults(given) : {}), ...given }
  const { keys, scenario, rate, ramp, url, seconds, 'warm-up': warmUp } = values
  if (isOwnExchange && (given.url ?? given.keys) !== undefined) {
    throw new UsageError('--own-exchange has an address and keys of its own.')
  }
  if (keys === undefined) throw new UsageError('--keys must name a file of API keys.')
  if (scenario === undefined) throw new UsageError('--scenario must name a scenario; see --help.')
  if ((rate === undefined) === (ramp === undefined)) {
    throw new UsageError('Either --rate or --ramp must be given.')
  }
  const base = address('url', url, ['http:', 'https:'])
  const socket = (path: string) => `${base.replace(/^http/, 'ws')}${path}`
  const duration = number('seconds', seconds, SECONDS_MAX)
  return {
    url: base,
    wsApiUrl: address('ws-api', values['ws-api'] ?? socket('/ws-api/v3'), ['ws:', 'wss:']),
    streamsUrl: address('streams', values.streams ?? socket('/stream'), ['ws:', 'wss:']),
    keys,
    scenario,
    symbols: values.symbols === undefined ? [] : values.symbols.split(','),
    steps: stepsOf(rate, ramp, duration),
    warmUpSeconds: warmUp === '0' ? 0 : number('warm-up', warmUp, SECONDS_MAX),
    isRamp: ramp !== undefined,
    report: values.report,
    seed: integer('seed', values.seed, 2 ** 32),
    connections: integer('connections', values.connections, 10_000),
    threads: integer('threads', values.threads, 64),
    timeoutMs: 1000 * number('timeout', values.timeout, 3_600),
    inFlightMax: integer('in-flight', values['in-flight'], 1_000_000),
    honorsLimits: switches.has('honor-limits'),
    thresholds: readThresholds(values['fail-if'] ?? ''),
    livePort: values.live === undefined ? 0 : integer('live', values.live, 65_535),
    isOwnExchange,
    isOpened: switches.has('open'),
  }
}

/** The address and keys are known once the exchange runs. */
const ownDefaults = ({ ramp }: Partial<Values>): Partial<Values> => ({
  keys: '',
  scenario: 'mixed',
  ...(ramp === undefined ? { rate: '500' } : {}),
})

/** Undefined without --compare. Throws UsageError. */
export function readComparison(args: string[]): Comparison | undefined {
  const { flags, switches } = readCommandLine(args, grammar, UsageError)
  const files = flags.get('compare')
  if (files === undefined || switches.has('help')) return undefined
  const [before = '', after = '', ...more] = files.split(',')
  const report = flags.get('report') ?? usual.report
  const isOpened = switches.has('open')
  if (before !== '' && after !== '' && more.length === 0) {
    return { compared: [before, after], report, isOpened }
  }
  throw new UsageError(
    '--compare must name two reports, such as before/report.json,after/report.json.',
  )
}

const usual = {
  url: 'http://127.0.0.1:8080',
  seconds: '30',
  'warm-up': '5',
  report: './load-report',
  seed: '1',
  connections: '64',
  threads: '1',
  timeout: '10',
  'in-flight': '10000',
}
const unset = [
  ...(['ws-api', 'streams', 'keys', 'scenario', 'symbols', 'rate', 'ramp'] as const),
  ...(['fail-if', 'live', 'compare'] as const),
] as const
const grammar = {
  mayRepeat: true,
  flags: [...Object.keys(usual), ...unset],
  lists: ['fail-if'],
  switches: ['help', 'honor-limits', 'own-exchange', 'open'],
}

type Values = typeof usual & { readonly [Name in (typeof unset)[number]]?: string }

function stepsOf(
  rate: string | undefined,
  ramp: string | undefined,
  seconds: number,
): readonly Step[] {
  if (ramp === undefined) return [{ perSecond: number('rate', rate!, RATE_MAX), seconds }]
  const [from = '', to = '', ...rest] = ramp.split('-')
  if (rest.length > 0) throw new UsageError('--ramp must be two rates, such as 100-5000.')
  const [low, high] = [number('ramp', from, RATE_MAX), number('ramp', to, RATE_MAX)]
  if (low >= high) throw new UsageError('--ramp must go from a lower rate to a higher one.')
  return rampSteps(low, high, seconds)
}

function number(flag: string, text: string, max: number): number {
  const value = text === '' ? Number.NaN : Number(text)
  if (value > 0 && value <= max) return value
  throw new UsageError(`--${flag} must be a number above 0, at most ${max}; it is ${text}.`)
}

function integer(flag: string, text: string, max: number): number {
  const value = number(flag, text, max)
  if (Number.isInteger(value)) return value
  throw new UsageError(`--${flag} must be a whole number; it is ${text}.`)
}

/** Without a slash at its end. */
function address(flag: string, text: string, schemes: readonly string[]): string {
  const { protocol = '' } = URL.canParse(text) ? new URL(text) : {}
  if (schemes.includes(protocol)) return text.replace(/\/+$/, '')
  throw new UsageError(`--${flag} must be an address such as ${schemes[0]}//host:port.`)
}
